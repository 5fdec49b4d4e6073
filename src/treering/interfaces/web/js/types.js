/**
 * The shapes of the REST replies that the explorer reads, as types only: nothing here runs, and no module imports it
 * but in comments. They follow `treering.interfaces.schema`; fields that the explorer does not read are left out.
 */

/**
 * A piece of evidence, verbatim.
 * @typedef {object} Evidence
 * @property {number} id
 * @property {string} source_id
 * @property {string} source
 * @property {number} version
 * @property {string} channel
 * @property {string} title
 * @property {string} author
 * @property {string} valid_from ISO time, UTC
 * @property {string} text
 * @property {[number, number][]} spans half-open ranges of `text`, counted in code points
 * @property {number} tokens
 * @property {string} state
 * @property {string} stage
 * @property {string} why
 * @property {string} citation
 */

/** @typedef {{tree: string, level: number, text: string, tokens: number, records: number[]}} Header */
/** @typedef {{subject: string, relation: string, object: string, record: number, valid_from: string}} Fact */
/** @typedef {{stage: string, seen: number, kept: string[], dropped: Object<string, number>, notes: string[]}} Trace */

/**
 * @typedef {object} SearchReply
 * @property {string} question
 * @property {string} profile
 * @property {Object<string, string | null>} bounds
 * @property {Evidence[]} evidence
 * @property {Header[]} headers
 * @property {Fact[]} facts
 * @property {number} tokens
 * @property {string[]} notes
 * @property {Trace[] | null} trace
 */

/**
 * @typedef {object} AskReply
 * @property {string} text
 * @property {{number: number, record: number}[]} citations
 * @property {boolean} supported
 * @property {string} searched
 * @property {string} model
 * @property {string[]} notes
 */

/**
 * One version of one record, whole.
 * @typedef {object} Entry
 * @property {number} id
 * @property {string} source
 * @property {string} source_id
 * @property {number} version
 * @property {string} change
 * @property {string} kind
 * @property {string} channel
 * @property {string} author
 * @property {string} valid_from
 * @property {string} valid_from_raw
 * @property {string} logged_at
 * @property {string} title
 * @property {string} text
 * @property {string | null} event
 * @property {string} state
 * @property {number | null} reply_to_record
 * @property {string[]} [transitions] steps in a deliverable's life that the text states
 */

/** @typedef {{record: Entry, state: string, diff: string}} Version */
/** @typedef {{everyone: boolean, known: boolean, members: string[]}} Audience */
/** @typedef {{view: string, key: string, label: string, path: string[]}} Spot */
/** @typedef {{kind: string, identifier: string | null, record: Entry}} Linked */
/** @typedef {{record: Entry, audience: Audience, places: Spot[], linked: Linked[]}} Context */
/** @typedef {{view: string, key: string, label: string, leaves: number, first: string, last: string}} Tree */

/**
 * @typedef {object} TreeNode
 * @property {string} path child numbers from the root, as "0/2"
 * @property {string} label
 * @property {number} leaves
 * @property {string | null} first
 * @property {string | null} last
 * @property {string} summary generated
 * @property {boolean} has_children
 * @property {TreeNode[]} children
 * @property {Entry[]} records verbatim
 */

/** @typedef {{month: string, records: number}} Month */

/**
 * @typedef {object} Timeline
 * @property {string} label
 * @property {number} total
 * @property {Entry[]} records
 * @property {string | null} before
 * @property {string | null} after
 * @property {Month[]} months
 */

/** @typedef {{what: string, done: number, total: number}} Progress */

/**
 * An import.
 * @typedef {object} Job
 * @property {string} id
 * @property {"waiting" | "running" | "done" | "failed"} state
 * @property {string[]} files
 * @property {string} created_at
 * @property {Progress[]} progress
 * @property {string[]} notes
 * @property {Object<string, any> | null} report
 * @property {string | null} error
 */

/**
 * @typedef {object} Status
 * @property {number} records
 * @property {number} channels
 * @property {number} actors
 * @property {string | null} first
 * @property {string | null} last
 * @property {string | null} viewer through whose eyes; null: the owner's
 * @property {string} answers the model that writes answers, or "extractive-1"
 * @property {Object<string, any> | null} memory the owner's
 */

export {};
