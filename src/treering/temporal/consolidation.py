"""Consolidation: near-duplicates found and told apart; marks that are derived, listed and taken back, never deletions.

Off by default. Two records are near when their cosine reaches a high quantile of that of random pairs under the encoder
in use: 0.85, as Mem++ has it, says nothing across encoders (DESIGN section 4). Of a pair that contradicts or restates,
the older is marked; as of a time before the newer, the mark does not exist, and for who may not read the newer neither.
Versions of one document are never a pair: their chain says all there is to say. Source: Mem++ section 3.2.
"""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.text.differences import Relation, relation, why

__all__ = ["Judge", "Mark", "consolidate", "marks", "near_duplicates", "take_back"]

QUANTILE: Final = 0.999  # source: ours; of random pairs, so that one pair in a thousand strangers is looked at at most
SAMPLE: Final = 512  # records whose pairs tell how an encoder's cosines lie
CHARS_MIN: Final = 60  # "approved" restates nothing; a sentence may
NEAREST: Final = 5  # older records that one record is compared with
BLOCK: Final = 1_024

Judge = Callable[[str, str], tuple[Relation, str]]  # the texts, older first; what they are to each other, and why
LeafVectors = Callable[[list[int]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Mark:
    """One pair: record ids, the cosine of their vectors, and what the newer is to the older."""

    older: int
    newer: int
    similarity: float
    relation: Relation
    why: str


@dataclass(frozen=True, slots=True)
class _Row:
    record: int
    leaf: int
    lineage: tuple[str, str]
    valid_from: int
    digest: bytes
    text: str

    @property
    def order(self) -> tuple[int, bytes]:
        return self.valid_from, self.digest


def consolidate(connection: sqlite3.Connection, vectors: LeafVectors, judge: Judge | None = None) -> int:
    """Mark every near-duplicate that has no mark yet, within the caller's write transaction; how many were marked."""
    rows = [row for row in _rows(connection) if len(row.text) >= CHARS_MIN]
    found = vectors([row.leaf for row in rows])
    present = np.flatnonzero(~np.isnan(found[:, 0]))
    rows, matrix = [rows[at] for at in present.tolist()], found[present]
    if len(rows) < 2:
        return 0
    known = set(connection.execute("SELECT older, newer FROM near_duplicate").fetchall())
    made = 0
    for older, newer, similarity in _pairs(rows, matrix):
        if (older.record, newer.record) not in known:
            judged, reason = (judge or _by_rules)(older.text, newer.text)
            connection.execute(
                "INSERT INTO near_duplicate (older, newer, similarity, relation, why) VALUES (?, ?, ?, ?, ?)",
                (older.record, newer.record, similarity, judged.value, reason),
            )
            made += 1
    return made


def marks(connection: sqlite3.Connection) -> list[Mark]:
    """Every mark, in the order of the log."""
    rows = connection.execute(
        "SELECT older, newer, similarity, relation, why FROM near_duplicate ORDER BY older, newer"
    ).fetchall()
    return [Mark(older, newer, similarity, Relation(told), reason) for older, newer, similarity, told, reason in rows]


def take_back(connection: sqlite3.Connection) -> int:
    """Remove every mark, within the caller's write transaction; how many there were."""
    return connection.execute("DELETE FROM near_duplicate").rowcount


def near_duplicates(connection: sqlite3.Connection, last: int) -> NDArray[np.int64]:
    """The rows (older, newer) of the marks up to record `last` that set the older aside, shape (n, 2)."""
    pairs = connection.execute(
        "SELECT older - 1, newer - 1 FROM near_duplicate WHERE relation != 'distinct' AND older <= ?1 AND newer <= ?1"
        " ORDER BY older, newer",
        (last,),
    ).fetchall()
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _by_rules(before: str, after: str) -> tuple[Relation, str]:
    return relation(before, after), why(before, after)


def _rows(connection: sqlite3.Connection) -> Iterator[_Row]:
    """The newest version of every leaf that has words."""
    found = connection.execute(
        "SELECT r.id, l.id, r.source, r.lineage, r.valid_from, r.hash, r.text"
        " FROM leaf l JOIN record r ON r.id = l.head WHERE l.head > 0 AND NOT l.event ORDER BY r.valid_from, r.hash"
    )
    for record, leaf, source, lineage, valid_from, digest, text in found:
        yield _Row(record, leaf, (source, lineage), valid_from, digest, text)


def _pairs(rows: list[_Row], matrix: NDArray[np.float32]) -> Iterator[tuple[_Row, _Row, float]]:
    """(older, newer, cosine) of records that are near, each newer with its nearest few; rows come oldest first."""
    least = _threshold(matrix)
    for start in range(0, len(rows), BLOCK):
        stop = min(start + BLOCK, len(rows))
        cosines = matrix[start:stop] @ matrix[:stop].T
        for at in range(start, stop):
            before = cosines[at - start, :at]
            near = np.flatnonzero(before >= least)
            nearest = near[np.argsort(-before[near], kind="stable")]
            strangers = [place for place in nearest.tolist() if rows[place].lineage != rows[at].lineage]
            for place in strangers[:NEAREST]:
                yield rows[place], rows[at], round(float(before[place]), 4)


def _threshold(matrix: NDArray[np.float32]) -> float:
    """The cosine that one random pair in a thousand reaches, or as many pairs as there are records where that is more.

    The sample is spread evenly over time. Of few records the few nearest pairs are looked at: rules tell what they are.
    """
    sample = matrix[np.unique(np.linspace(0, len(matrix) - 1, SAMPLE).astype(np.int64))]
    cosines = (sample @ sample.T)[np.triu_indices(len(sample), k=1)]
    return float(np.quantile(cosines, min(QUANTILE, 1 - 1 / len(sample))))
