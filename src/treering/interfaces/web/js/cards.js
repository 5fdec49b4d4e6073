/**
 * Records as cards: a piece of evidence with its rank and reasons, and the plain entry that threads, timelines and
 * leaves of trees share. A card's heading is the link that opens the record in context.
 */

import { h } from "./dom.js";
import { near } from "./place.js";
import { reasons } from "./why.js";
import { badge, counted, marked, moment } from "./words.js";

/** @typedef {import("./types.js").Evidence} Evidence */
/** @typedef {import("./types.js").Entry} Entry */

/** What a record without text did. */
const CHANGES = /** @type {Record<string, string>} */ ({ delete: "deleted" });

/**
 * Who, where and when, in the order in which a citation names them.
 * @param {{author: string, channel: string, valid_from: string}} item
 */
function byline({ author, channel, valid_from: validFrom }) {
  return [
    h("span", { class: "author", dir: "auto" }, author),
    h("span", { class: "channel", dir: "auto" }, channel),
    moment(validFrom),
  ];
}

/**
 * One piece of evidence.
 * @param {Evidence} item
 * @param {number} rank from 1
 * @param {string} question
 */
export function evidenceCard(item, rank, question) {
  return h(
    "li",
    {},
    h(
      "article",
      { class: "card", id: `evidence-${item.id}`, "data-item": item.id, tabindex: -1, "aria-labelledby": `title-${item.id}` },
      h(
        "header",
        {},
        h("span", { class: "rank", "aria-hidden": "true" }, rank),
        h(
          "h3",
          { id: `title-${item.id}`, class: "byline" },
          h("a", { class: "open", href: near({ record: String(item.id), tab: "" }) }, byline(item)),
        ),
        badge(item.state),
      ),
      item.title && h("p", { class: "title", dir: "auto" }, item.title),
      h("blockquote", { class: "verbatim", dir: "auto" }, marked(item.text, item.spans, question)),
      h(
        "footer",
        {},
        h("cite", { class: "citation", title: item.citation }, item.citation),
        h("span", { class: "tokens" }, counted(item.tokens, "token")),
      ),
      reasons(item),
    ),
  );
}

/**
 * A record among others, in order of time.
 * @param {Entry} record
 * @param {{focal?: boolean, place?: boolean, note?: string}} [how] `place`: say the channel too
 */
export function entry(record, { focal = false, place = false, note = "" } = {}) {
  const steps = record.transitions ?? [];
  return h(
    "li",
    { class: `entry${steps.length ? " marked" : ""}`, "aria-current": focal ? "true" : null },
    h(
      "article",
      { "data-item": record.id, tabindex: -1 },
      h(
        "p",
        { class: "byline" },
        h(
          "a",
          { class: "open", href: near({ record: String(record.id), tab: "" }) },
          h("span", { class: "author", dir: "auto" }, record.author),
          place && h("span", { class: "channel", dir: "auto" }, record.channel),
          moment(record.valid_from),
        ),
        steps.map((step) => h("span", { class: "step-chip" }, step)),
        record.state && record.state !== "current" && badge(record.state),
        note && h("span", { class: "kind" }, note),
      ),
      record.title && h("p", { class: "title", dir: "auto" }, record.title),
      record.text
        ? h("p", { class: "verbatim", dir: "auto" }, record.text)
        : h("p", { class: "hint" }, `(${record.event ?? CHANGES[record.change] ?? "no text"})`),
    ),
  );
}

/**
 * A list of records.
 * @param {Entry[]} records
 * @param {{focal?: number, place?: boolean}} [how]
 */
export function entries(records, { focal = 0, place = false } = {}) {
  return h("ol", { class: "entries" }, records.map((record) => entry(record, { focal: record.id === focal, place })));
}
