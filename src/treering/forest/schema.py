"""The forest's tables, all derived: `rebuild` empties them and grows them again from the log.

A tree's nodes are positions (see `layout`), so a branch is four blobs: its leaves in order (int32, little-endian), and
for each node, in layout order, 16 bytes of id, of summary key and of text key. Zeros stand for a summary not made yet.
"""

__all__ = ["DERIVED", "TABLES"]

TABLES = """
CREATE TABLE IF NOT EXISTS tree (
    id INTEGER PRIMARY KEY, view TEXT NOT NULL, key TEXT NOT NULL, label TEXT NOT NULL,
    scope INTEGER NOT NULL,    -- of an artifact: 0 for all public channels, else its one channel
    subject INTEGER NOT NULL,  -- the channel or actor the tree is about, 0 for an artifact
    nodes BLOB NOT NULL, summaries BLOB NOT NULL, texts BLOB NOT NULL,  -- of the fixed levels: root, then parts
    UNIQUE (view, key)
);
CREATE INDEX IF NOT EXISTS tree_by_subject ON tree (subject, view);

CREATE TABLE IF NOT EXISTS branch (
    id INTEGER PRIMARY KEY, tree INTEGER NOT NULL, path TEXT NOT NULL,
    channel INTEGER NOT NULL,  -- 0 for an artifact, whose leaves lie in several
    leaves BLOB NOT NULL, nodes BLOB NOT NULL, summaries BLOB NOT NULL, texts BLOB NOT NULL,
    UNIQUE (tree, path)
);
CREATE INDEX IF NOT EXISTS branch_by_channel ON branch (channel);

CREATE TABLE IF NOT EXISTS summary (
    key BLOB PRIMARY KEY, body TEXT NOT NULL, text TEXT NOT NULL, text_key BLOB NOT NULL
);

CREATE TABLE IF NOT EXISTS identifier (
    value TEXT NOT NULL, at INTEGER NOT NULL, leaf INTEGER NOT NULL,
    PRIMARY KEY (value, at, leaf)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS identifier_by_leaf ON identifier (leaf);

CREATE TABLE IF NOT EXISTS transition (
    leaf INTEGER NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (leaf, name)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS link (
    target_source TEXT NOT NULL, target_key TEXT NOT NULL, leaf INTEGER NOT NULL, kind TEXT NOT NULL,
    PRIMARY KEY (target_source, target_key, leaf, kind)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS link_by_leaf ON link (leaf);

CREATE TABLE IF NOT EXISTS component (
    value TEXT NOT NULL, scope INTEGER NOT NULL,
    encoder TEXT NOT NULL,     -- whose vectors clustered it; empty: some were missing
    leaves BLOB NOT NULL,      -- its members, as a branch stores them
    PRIMARY KEY (value, scope)
);
CREATE TABLE IF NOT EXISTS component_due (value TEXT PRIMARY KEY) WITHOUT ROWID;

-- What was decided once and holds from then on, through a rebuild too.
CREATE TABLE IF NOT EXISTS verdict (
    pair BLOB PRIMARY KEY, same INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS threshold (
    encoder TEXT PRIMARY KEY, spread REAL NOT NULL, merged REAL NOT NULL, borderline REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS shown_name (
    kind TEXT NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, open INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) WITHOUT ROWID;
"""

DERIVED = ("tree", "branch", "summary", "identifier", "transition", "link", "component", "component_due", "shown_name")
