"""Who settles what thresholds cannot: whether two clusters are about one deliverable.

A verdict is kept by what the clusters hold, so that it is asked for once; it outlives a rebuild.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from typing import Protocol

from treering.forest.leaves import DIGEST_BYTES, LeafReader, LeafText

__all__ = ["Judge", "Verdicts"]


class Judge(Protocol):
    """Decides about a borderline pair; its name tells model and prompt version."""

    @property
    def name(self) -> str:
        """What it is called, with the version of its model and prompt."""

    def same(self, identifier: str, one: Sequence[LeafText], other: Sequence[LeafText]) -> bool:
        """Whether both groups of messages are about the same deliverable."""


class Verdicts:
    """A judge with a memory; without a judge, borderline pairs stay apart."""

    def __init__(self, connection: sqlite3.Connection, judge: Judge | None) -> None:
        self._db = connection
        self._reader = LeafReader(connection)
        self._judge = judge

    def same(self, identifier: str, one: Sequence[int], other: Sequence[int]) -> bool:
        """The verdict on two groups of leaves, from the table or from the judge."""
        if self._judge is None:
            return False
        self._reader.fetch([*one, *other])
        groups = [[self._reader.leaf(leaf) for leaf in group] for group in (one, other)]
        ids = sorted(hashlib.blake2b(b"".join(leaf.digest for leaf in group)).digest() for group in groups)
        name = f"{self._judge.name} {identifier}".encode()
        pair = hashlib.blake2b(name + ids[0] + ids[1], digest_size=DIGEST_BYTES).digest()
        row = self._db.execute("SELECT same FROM verdict WHERE pair = ?", (pair,)).fetchone()
        if row is None:
            row = (self._judge.same(identifier, *groups),)
            self._db.execute("INSERT INTO verdict (pair, same) VALUES (?, ?)", (pair, row[0]))
        return bool(row[0])
