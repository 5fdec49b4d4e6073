"""The orders in which texts follow one another: messages in a thread or a channel, passages in a document.

A window is a stretch of neighbours in one of these: an inner node of the thread trees that may begin anywhere. Bounds
come first: what a question may not see is taken out before windows are laid, so a window never reaches over it.
"""

import sqlite3
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Sequences", "Totals", "Windows"]


@dataclass(frozen=True, slots=True)
class Windows:
    """For each position its window: the half-open range [first, last) of positions around it."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many positions each window holds."""
        return self.last - self.first


class Totals:
    """Running totals of values at positions, from which the sum over any window follows.

    Values are counted in whole steps of `step`, so that a sum is exact and no text outside a window can move it.
    """

    def __init__(self, values: NDArray[np.float32], step: float = 1.0) -> None:
        """Take values of shape (positions, ...), each a multiple of `step` or near enough to one."""
        whole = np.rint(values.T / np.float32(step)).astype(np.int32)
        # Totals may pass 2^31 and wrap; their differences, which are sums over a window, come out right all the same.
        totals = np.zeros((*whole.shape[:-1], whole.shape[-1] + 1), dtype=np.int32)
        np.cumsum(whole, axis=-1, out=totals[..., 1:])  # along memory; rows are gathered afterwards, along the other
        self._totals = np.ascontiguousarray(totals.T)
        self._step = np.float32(step)

    def over(self, windows: Windows) -> NDArray[np.float32]:
        """The sum over each window, shape (positions, ...)."""
        sums = self._totals.take(windows.last, axis=0) - self._totals.take(windows.first, axis=0)
        found: NDArray[np.float32] = sums.astype(np.float32) * self._step
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """Positions in sequence order: each passage of each version, by its own time, thread and channel.

    The message that a thread hangs on stands in two, its channel's and the thread's; `copies` marks the second.
    """

    passages: NDArray[np.int64]  # the passage at each position
    numbers: NDArray[np.int32]  # the sequence of each position; ascending
    copies: NDArray[np.bool_]
    documents: NDArray[np.bool_]  # whether a passage of a document stands there, rather than of a message

    @classmethod
    def load(cls, connection: sqlite3.Connection, passage_record: NDArray[np.int32], last: int) -> "Sequences":
        """The sequences of the records up to `last`: threads, what of a channel is in none, and every document."""
        rows = connection.execute(
            "SELECT id - 1, kind = 'document', source, channel, lineage,"
            " CASE WHEN thread NOT IN ('', lineage) THEN thread END"
            " FROM record WHERE id <= ? AND event IS NULL"
            " ORDER BY created_at, order_hint, source, lineage, valid_from, id",
            (last,),
        )
        numbers: dict[tuple[object, ...], int] = {}
        placed: list[tuple[int, int, bool]] = []  # record, sequence, whether a copy; in time order
        roots: list[tuple[int, tuple[object, ...]]] = []
        for record, document, source, channel, lineage, thread in rows:
            if document:
                key: tuple[object, ...] = (record,)
            else:
                key = (source, channel, thread)
                roots.append((len(placed), (source, channel, lineage)))
            placed.append((record, numbers.setdefault(key, len(numbers)), False))
        copies = [(place, numbers[key]) for place, key in roots if key in numbers]
        order = np.array([*range(len(placed)), *(place for place, _ in copies)], dtype=np.int64)
        records = np.array([one[0] for one in placed], dtype=np.int64)[order]
        sequence = np.array([*(one[1] for one in placed), *(number for _, number in copies)], dtype=np.int32)
        copied = np.arange(len(order)) >= len(placed)
        sorting = np.lexsort((order, sequence))
        of_document = np.array([len(key) == 1 for key in numbers], dtype=np.bool_)
        sequence = sequence[sorting]
        return cls._of_records(records[sorting], sequence, copied[sorting], of_document[sequence], passage_record)

    @classmethod
    def _of_records(
        cls,
        records: NDArray[np.int64],
        sequence: NDArray[np.int32],
        copied: NDArray[np.bool_],
        document: NDArray[np.bool_],
        passage_record: NDArray[np.int32],
    ) -> "Sequences":
        """Put in place of each record its passages, which follow one another in the log."""
        first = np.searchsorted(passage_record, records)
        counts = np.searchsorted(passage_record, records, side="right") - first
        shift = first - (np.cumsum(counts) - counts)  # from a position to its passage
        passages = np.repeat(shift, counts) + np.arange(int(counts.sum()))
        return cls(
            passages.astype(np.int64),
            np.repeat(sequence, counts),
            np.repeat(copied, counts),
            np.repeat(document, counts),
        )

    def within(self, admissible: NDArray[np.bool_] | None) -> "Sequences":
        """The same orders without the passages outside the bounds; a thread without a reply inside them is none."""
        kept = np.ones(len(self.passages), dtype=np.bool_) if admissible is None else admissible[self.passages]
        replies = np.bincount(self.numbers, weights=kept & ~self.copies) if len(self.numbers) else np.zeros(0)
        kept &= ~self.copies | (replies[self.numbers] > 0)
        return Sequences(self.passages[kept], self.numbers[kept], self.copies[kept], self.documents[kept])

    def windows(self, size: int, *, in_documents: bool = True) -> Windows:
        """Windows of up to `size` positions: each position in the middle of its own, as far as its sequence allows.

        Without `in_documents` a passage of a document is a window by itself.
        """
        sizes = np.where(self.documents, size if in_documents else 1, size)
        count = len(self.numbers)
        at = np.arange(count, dtype=np.int64)
        begins = np.ones(count, dtype=np.bool_)
        begins[1:] = self.numbers[1:] != self.numbers[:-1]
        starts = np.flatnonzero(begins)
        which = np.cumsum(begins) - 1
        start = starts[which] if count else at
        stop = np.append(starts[1:], count)[which] if count else at
        first = np.maximum(at - sizes // 2, start)
        last = np.minimum(first + sizes, stop)
        return Windows(np.maximum(np.minimum(first, last - sizes), start), last)
