"""The tables of this folder, all derived: `rebuild` empties them and fills them again from the log.

Every row names the record that says it, so that what a row tells is known only where that record is: by its date, by
when it was logged, and to whoever may read it.
"""

__all__ = ["DERIVED", "TABLES"]

TABLES = """
CREATE TABLE IF NOT EXISTS label (
    folded TEXT NOT NULL, record INTEGER NOT NULL,  -- the author's name, a tag, an identifier
    PRIMARY KEY (folded, record)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS document_name (
    folded TEXT NOT NULL, source TEXT NOT NULL, lineage TEXT NOT NULL,
    PRIMARY KEY (folded, source, lineage)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS mark (
    record INTEGER NOT NULL,   -- that states it
    kind TEXT NOT NULL,        -- superseded_by, supersedes or retired
    target TEXT NOT NULL,      -- the other document, as named; empty where none is
    subject TEXT NOT NULL,     -- the lineage it is about; empty: the record's own
    PRIMARY KEY (record, kind, target, subject)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS triple (
    record INTEGER NOT NULL, subject TEXT NOT NULL, relation TEXT NOT NULL, object TEXT NOT NULL,
    subject_folded TEXT NOT NULL, object_folded TEXT NOT NULL,
    extractor TEXT NOT NULL,   -- "rules", or a model with the hash of its prompt
    PRIMARY KEY (record, subject, relation, object)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS triple_by_subject ON triple (subject_folded);
CREATE INDEX IF NOT EXISTS triple_by_object ON triple (object_folded);

-- Made by `treering consolidate` alone, and taken back by it.
CREATE TABLE IF NOT EXISTS near_duplicate (
    older INTEGER NOT NULL, newer INTEGER NOT NULL, similarity REAL NOT NULL,
    relation TEXT NOT NULL,    -- conflict, restatement or distinct
    why TEXT NOT NULL,
    PRIMARY KEY (older, newer)
) WITHOUT ROWID;
"""

DERIVED = ("label", "document_name", "mark", "triple")
