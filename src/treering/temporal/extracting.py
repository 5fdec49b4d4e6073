"""Having a model read triples out of documents, a few records a transaction; goes on where it stopped.

Only documents are read: a chat message says too little by itself. Each record is read once by each model and prompt.
"""

import sqlite3
from collections.abc import Callable
from typing import Final

from treering.log.registry import folded
from treering.models.generator import Generator
from treering.store.database import Database
from treering.temporal.modelled import extractor_name, triples_by

__all__ = ["extract_triples"]

STEP: Final = 16  # records between two commits; what a crash can cost
Progress = Callable[[str, int, int], None]


def extract_triples(database: Database, generator: Generator, progress: Progress) -> int:
    """Read every document that this model has not read yet; how many triples it gave. Needs the writer's lock.

    Raises:
        ModelUnavailable: the server does not answer; what was read stays.
    """
    extractor = extractor_name(generator)
    connection = database.connection
    waiting = _waiting(connection, extractor)
    made = 0
    for start in range(0, len(waiting), STEP):
        read = [(record, triples_by(generator, title, text)) for record, title, text in waiting[start : start + STEP]]
        with database.writing():
            for record, triples in read:
                connection.executemany(
                    "INSERT OR IGNORE INTO triple (record, subject, relation, object, subject_folded, object_folded,"
                    " extractor) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        (record, t.subject, t.relation, t.object, folded(t.subject), folded(t.object), extractor)
                        for t in triples
                    ],
                )
                connection.execute(
                    "INSERT OR REPLACE INTO position (part, record) VALUES (?, ?)", (f"triples {extractor}", record)
                )
                made += len(triples)
        progress("reading triples", min(start + STEP, len(waiting)), len(waiting))
    return made


def _waiting(connection: sqlite3.Connection, extractor: str) -> list[tuple[int, str, str]]:
    row = connection.execute("SELECT record FROM position WHERE part = ?", (f"triples {extractor}",)).fetchone()
    return connection.execute(
        "SELECT id, title, text FROM record WHERE kind = 'document' AND event IS NULL AND change != 'delete' AND id > ?"
        " ORDER BY id",
        (row[0] if row else 0,),
    ).fetchall()
