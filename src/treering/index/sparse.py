"""Learned sparse vectors over segments of postings: terms are entries of an encoder's vocabulary, impacts its weights.

A passage's score does not depend on any other passage, so bounds only leave passages out.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treering.index.postings import Entries, Segment, SegmentInfo, adjacent, runs, write_segment

__all__ = ["SparseIndex", "TermWeights", "write_sparse"]


class TermWeights(Protocol):
    """A sparse vector: distinct entries of a vocabulary, and how much each weighs."""

    @property
    def terms(self) -> NDArray[np.int32]:
        """Entries of the vocabulary, shape (n,)."""

    @property
    def weights(self) -> NDArray[np.float32]:
        """Their weights, shape (n,)."""


def write_sparse(path: Path, base: int, passages: Iterable[TermWeights]) -> SegmentInfo:
    """Write a segment of passages, each given as its sparse vector."""
    vectors = list(passages)
    lengths = np.array([len(vector.terms) for vector in vectors], np.uint32)
    vocabulary, terms = np.unique(
        np.concatenate([np.empty(0, np.int32), *(vector.terms for vector in vectors)]), return_inverse=True
    )
    entries = Entries(
        keys=vocabulary.astype(np.uint64),
        terms=terms.astype(np.int32),
        passages=np.repeat(np.arange(len(vectors), dtype=np.int32), lengths),
        impacts=np.concatenate([np.empty(0, np.float32), *(vector.weights for vector in vectors)]),
    )
    return write_segment(path, base, lengths, entries)


class SparseIndex:
    """An index of passages by their sparse vectors, over segments that follow one another from passage 0.

    Raises:
        MemoryDamaged: a passage is in no segment, or in two.
    """

    def __init__(self, segments: Sequence[Segment], passages: int | None = None) -> None:
        """Open the segments; `passages` is how many there are, where some may have no vector yet."""
        self._segments = adjacent(segments)
        self.passages = max(sum(len(segment.lengths) for segment in segments), passages or 0)

    def scores(self, vector: TermWeights, admissible: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """The dot product of every passage with the vector, shape (passages,); 0 where not admissible."""
        scores = np.zeros(self.passages, np.float32)
        # Term by term: these postings are long, and adding in place is three times as fast as collecting them first.
        for term, passages, impacts in runs(self._segments, vector.terms.astype(np.uint64)):
            scores[passages] += vector.weights[term] * impacts
        if admissible is not None:
            assert len(admissible) == self.passages, f"{len(admissible)} bounds for {self.passages} passages"
            scores[~admissible] = 0
        return scores

    def impacts(self, terms: NDArray[np.int32], admissible: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """The weight of each term in each passage, shape (terms, passages); 0 where not admissible."""
        impacts = np.zeros((len(terms), self.passages), np.float32)
        for term, passages, weights in runs(self._segments, terms.astype(np.uint64)):
            impacts[term, passages] = weights
        if admissible is not None:
            assert len(admissible) == self.passages, f"{len(admissible)} bounds for {self.passages} passages"
            impacts[:, ~admissible] = 0
        return impacts
