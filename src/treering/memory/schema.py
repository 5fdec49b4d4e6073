"""The facade's own table: which postings segments make up each index."""

__all__ = ["TABLES"]

TABLES = """
CREATE TABLE IF NOT EXISTS segment (
    part TEXT NOT NULL, base INTEGER NOT NULL, count INTEGER NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (part, base)
) WITHOUT ROWID;
"""
