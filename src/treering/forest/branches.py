"""One branch as stored, and what of it still stands when its leaves change.

A branch is its leaves in order and, for each node in layout order, three digests: its id, the key of its summary and
the key of that summary's text. Ids cover structure down to leaf digests, so equal ids mean equal content.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.forest.layout import K, level_counts
from treering.forest.leaves import DIGEST_BYTES

__all__ = ["Branch", "Digests", "Rows", "node_id", "same_leaves", "standing"]

Digests = NDArray[np.uint8]  # shape (rows, DIGEST_BYTES)


@dataclass(frozen=True, slots=True)
class Rows:
    """Nodes, one a row: id, summary key, text key; zeros where there is none yet."""

    nodes: Digests
    summaries: Digests
    texts: Digests

    @classmethod
    def blank(cls, size: int) -> "Rows":
        """Rows to be filled in."""
        return cls(*(np.zeros((size, DIGEST_BYTES), dtype=np.uint8) for _ in range(3)))

    @classmethod
    def from_blobs(cls, nodes: bytes, summaries: bytes, texts: bytes) -> "Rows":
        """Rows as the database keeps them."""
        return cls(*(np.frombuffer(b, dtype=np.uint8).reshape(-1, DIGEST_BYTES) for b in (nodes, summaries, texts)))

    @classmethod
    def joined(cls, rows: Sequence["Rows"]) -> "Rows":
        """Several rows as one block."""
        return cls(*(np.concatenate([getattr(r, f) for r in rows]) for f in ("nodes", "summaries", "texts")))

    def blobs(self) -> tuple[bytes, bytes, bytes]:
        """The inverse of `from_blobs`."""
        return self.nodes.tobytes(), self.summaries.tobytes(), self.texts.tobytes()

    def __len__(self) -> int:
        return len(self.nodes)

    def part(self, start: int, stop: int) -> "Rows":
        """Some of the rows, as a view."""
        return Rows(self.nodes[start:stop], self.summaries[start:stop], self.texts[start:stop])

    def put(self, row: int, node: bytes, summary: bytes, text: bytes) -> None:
        """Fill in one row."""
        for column, value in ((self.nodes, node), (self.summaries, summary), (self.texts, text)):
            column[row] = np.frombuffer(value, dtype=np.uint8)

    def same(self, before: "Rows") -> NDArray[np.bool_]:
        """For each row, whether `before` had the same node in that place."""
        common = min(len(self), len(before))
        same = np.zeros(len(self), dtype=np.bool_)
        same[:common] = (self.nodes[:common] == before.nodes[:common]).all(axis=1)
        return same


@dataclass(frozen=True, slots=True)
class Branch:
    """An ordered run of leaves and the nodes above it."""

    leaves: NDArray[np.int32]
    rows: Rows

    @classmethod
    def over(cls, leaves: NDArray[np.int32]) -> "Branch":
        """A branch whose nodes are still to be filled in."""
        return cls(leaves, Rows.blank(sum(level_counts(len(leaves)))))

    @classmethod
    def from_blobs(cls, leaves: bytes, nodes: bytes, summaries: bytes, texts: bytes) -> "Branch":
        """A branch as the database keeps it."""
        return cls(np.frombuffer(leaves, dtype="<i4").astype(np.int32), Rows.from_blobs(nodes, summaries, texts))

    def blobs(self) -> tuple[bytes, bytes, bytes, bytes]:
        """The inverse of `from_blobs`."""
        return (self.leaves.astype("<i4").tobytes(), *self.rows.blobs())

    def levels(self) -> Iterator[Rows]:
        """The nodes level by level, from just above the leaves up to the root."""
        start = 0
        for size in level_counts(len(self.leaves)):
            yield self.rows.part(start, start + size)
            start += size


def same_leaves(before: NDArray[np.int32], after: NDArray[np.int32], dirty: NDArray[np.int32]) -> NDArray[np.bool_]:
    """For each leaf of `after`, whether `before` had it in the same place with the same content."""
    common = min(len(before), len(after))
    same = np.zeros(len(after), dtype=np.bool_)
    same[:common] = before[:common] == after[:common]
    if common and dirty.size:
        same[:common] &= ~np.isin(after[:common], dirty)
    return same


def standing(same: NDArray[np.bool_], count_before: int) -> NDArray[np.bool_]:
    """For each parent of a row of children, whether its children are the same as before, in the same number.

    >>> standing(np.array([True] * 17), count_before=18).tolist()
    [True, False]
    """
    starts = np.arange(0, len(same), K)
    parents = np.logical_and.reduceat(same, starts)
    if min(len(starts) * K, count_before) != len(same):
        parents[-1] = False
    return parents


def node_id(place: str, level: int, children: bytes) -> bytes:
    """The id of a node: where in which tree it stands, and the ids of its children, joined."""
    head = hashlib.blake2b(f"{level}:{place}".encode("utf-8", "surrogatepass"), digest_size=32).digest()
    return hashlib.blake2b(children, digest_size=DIGEST_BYTES, key=head).digest()
