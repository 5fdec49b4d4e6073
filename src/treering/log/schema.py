"""The log's tables: the only truth; every other table and file is derived from these.

Times are microseconds since 1970, UTC. `leaf` is a lineage for messages and one version for documents: what a tree
hangs up as one leaf. The order of leaves is (first_at, order_hint, source, key), never that of arrival.

A memory that an earlier version made lacks the tables that came later until something is written to it: whoever reads
one of `LATER` asks `has_table` first.
"""

import sqlite3

__all__ = ["FORMAT", "LATER", "TABLES", "has_table"]

LATER = ("told", "alias", "access_grant", "quarantine_call")
FORMAT = 1  # of the whole directory; a reader refuses what is newer

TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS actor (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (source, native)
);
CREATE TABLE IF NOT EXISTS actor_name (
    folded TEXT NOT NULL, actor INTEGER NOT NULL, name TEXT NOT NULL, since INTEGER,
    PRIMARY KEY (folded, actor)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS channel (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    members_known INTEGER NOT NULL, stated INTEGER NOT NULL, UNIQUE (source, native)
);
CREATE TABLE IF NOT EXISTS channel_name (
    folded TEXT NOT NULL, channel INTEGER NOT NULL, name TEXT NOT NULL, since INTEGER,
    PRIMARY KEY (folded, channel)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS member (
    channel INTEGER NOT NULL, actor INTEGER NOT NULL, since INTEGER,
    PRIMARY KEY (channel, actor)
) WITHOUT ROWID;

-- How new that is which is held of an actor or a channel; a part that has no row was never dated.
CREATE TABLE IF NOT EXISTS told (
    part TEXT NOT NULL, id INTEGER NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (part, id)
) WITHOUT ROWID;

-- The operator's word, beside what sources tell: accounts of one person, and who may read what.
CREATE TABLE IF NOT EXISTS alias (
    one INTEGER NOT NULL, other INTEGER NOT NULL, stated_at INTEGER NOT NULL,
    PRIMARY KEY (one, other)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS access_grant (
    id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, actor INTEGER NOT NULL, decision TEXT NOT NULL,
    stated_at INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS leaf (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL, channel INTEGER NOT NULL,
    author INTEGER NOT NULL, first_at INTEGER NOT NULL, order_hint INTEGER NOT NULL,
    head INTEGER NOT NULL, event INTEGER NOT NULL,
    UNIQUE (source, key)
);

CREATE TABLE IF NOT EXISTS record (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, source_id TEXT NOT NULL, leaf INTEGER NOT NULL,
    lineage TEXT NOT NULL, change TEXT NOT NULL, kind TEXT NOT NULL,
    channel INTEGER NOT NULL, author INTEGER NOT NULL, author_name TEXT NOT NULL,
    valid_from INTEGER NOT NULL, valid_from_raw TEXT NOT NULL, created_at INTEGER NOT NULL,
    logged_at INTEGER NOT NULL, order_hint INTEGER NOT NULL,
    reply_to TEXT, thread TEXT, title TEXT NOT NULL, text TEXT NOT NULL, event TEXT,
    extra TEXT NOT NULL,
    salt BLOB NOT NULL, hash BLOB NOT NULL, chain BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS record_by_lineage ON record (source, lineage);
CREATE INDEX IF NOT EXISTS record_by_source_id ON record (source_id);
CREATE INDEX IF NOT EXISTS record_by_leaf ON record (leaf);

CREATE TABLE IF NOT EXISTS passage (
    id INTEGER PRIMARY KEY, record INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    key BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS passage_by_record ON passage (record);

CREATE TABLE IF NOT EXISTS quarantine (
    file TEXT NOT NULL, position TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL, seen_at INTEGER NOT NULL,
    PRIMARY KEY (file, position, reason)
) WITHOUT ROWID;

-- The call of `add` that met a file with quarantined records, so that it can be made again.
CREATE TABLE IF NOT EXISTS quarantine_call (
    file TEXT NOT NULL, source TEXT NOT NULL, path TEXT NOT NULL, call TEXT NOT NULL,
    PRIMARY KEY (file, source, path)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS position (
    part TEXT PRIMARY KEY, record INTEGER NOT NULL, note TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
"""


def has_table(connection: sqlite3.Connection, name: str) -> bool:
    """Whether the memory has a table that an earlier version did not make."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None
