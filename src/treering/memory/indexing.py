"""Keeping the postings in step with the log: what is logged and not yet indexed is indexed, a stretch at a time.

A segment's file is written first and named in the database after, so that a crash leaves at most a file that no index
knows. Segments that were merged stay too, for readers that are just about to open them; the next writer removes both.
"""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from treering.index.lexical import write_lexical
from treering.index.merging import merge_segments, plan_merge
from treering.index.postings import SegmentInfo
from treering.index.sparse import write_sparse
from treering.index.sparse_store import SparseStore
from treering.log.passages import PassageText, passage_texts
from treering.models.protocol import SparseEncoder
from treering.store.database import Database
from treering.text.analysis import analyze

__all__ = ["Progress", "index_lexical", "index_sparse", "remove_strays", "segments_of"]

PASSAGES_A_SEGMENT = 50_000
SPARSE_BATCH = 2_000  # passages indexed between two commits
ENCODED_AT_ONCE = 256  # passages encoded between two writes to the store; what a crash can cost
Progress = Callable[[str, int, int], None]


def segments_of(connection: sqlite3.Connection, part: str) -> list[SegmentInfo]:
    """The segments of an index, in order."""
    rows = connection.execute("SELECT name, base, count FROM segment WHERE part = ? ORDER BY base", (part,))
    return [SegmentInfo(*row) for row in rows]


def index_lexical(database: Database, folder: Path, progress: Progress) -> None:
    """Index the words of every passage that is not indexed yet."""

    def write(path: Path, base: int, passages: Iterable[PassageText]) -> SegmentInfo:
        return write_lexical(path, base, (analyze(passage.text) for passage in passages))

    _index(database, folder, "lexical", PASSAGES_A_SEGMENT, write, progress)


def index_sparse(
    database: Database, folder: Path, store: SparseStore, encoder: SparseEncoder, progress: Progress
) -> None:
    """Index the weighted terms of every passage that is not indexed yet; a text is encoded once and kept."""

    def write(path: Path, base: int, passages: Iterable[PassageText]) -> SegmentInfo:
        found = list(passages)
        keys = np.frombuffer(b"".join(passage.key for passage in found), dtype="V16")
        missing = store.missing(keys)
        for start in range(0, len(missing), ENCODED_AT_ONCE):
            some = missing[start : start + ENCODED_AT_ONCE]
            store.append(keys[some], encoder.encode_passages([found[place].text for place in some]))
        return write_sparse(path, base, store.vectors(keys))

    _index(database, folder, f"sparse {encoder.name}", SPARSE_BATCH, write, progress)


def _index(
    database: Database,
    folder: Path,
    part: str,
    stretch: int,
    write: Callable[[Path, int, Iterable[PassageText]], SegmentInfo],
    progress: Progress,
) -> None:
    connection = database.connection
    total = int(connection.execute("SELECT coalesce(max(id) + 1, 0) FROM passage").fetchone()[0])
    done = sum(segment.count for segment in segments_of(connection, part))
    while done < total:
        upto = min(done + stretch, total)
        path = folder / _free_name(folder, part, done)
        written = write(path, done, passage_texts(connection, done, upto))
        with database.writing():
            connection.execute(
                "INSERT INTO segment (part, base, count, name) VALUES (?, ?, ?, ?)",
                (part, written.base, written.count, written.name),
            )
        done = upto
        progress(f"indexing {part.partition(' ')[0]}", done, total)
        _merge(database, folder, part)
    with database.writing():
        connection.execute(
            "INSERT INTO position (part, record) SELECT ?, coalesce(max(id), 0) FROM record WHERE true"
            " ON CONFLICT (part) DO UPDATE SET record = excluded.record",
            (part,),
        )


def _merge(database: Database, folder: Path, part: str) -> None:
    """Join neighbours of like size until none are left, so that an index has few segments."""
    while True:
        segments = segments_of(database.connection, part)
        chosen = plan_merge(segments)
        if chosen is None:
            return
        old = segments[chosen]
        path = folder / _free_name(folder, part, old[0].base)
        merged = merge_segments([folder / segment.name for segment in old], path)
        with database.writing() as connection:
            connection.executemany(
                "DELETE FROM segment WHERE part = ? AND base = ?", [(part, segment.base) for segment in old]
            )
            connection.execute(
                "INSERT INTO segment (part, base, count, name) VALUES (?, ?, ?, ?)",
                (part, merged.base, merged.count, merged.name),
            )


def _free_name(folder: Path, part: str, base: int) -> str:
    kind = part.partition(" ")[0]
    number = 0
    while (folder / f"{kind}-{base:010d}-{number}.seg").exists():
        number += 1
    return f"{kind}-{base:010d}-{number}.seg"


def remove_strays(connection: sqlite3.Connection, folder: Path) -> None:
    """Remove the segment files that no index names: what a crash left."""
    named = {row[0] for row in connection.execute("SELECT name FROM segment")}
    for path in folder.glob("*"):
        if path.name not in named:
            path.unlink(missing_ok=True)
