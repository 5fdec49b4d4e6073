"""BM25 over segments of postings, exact under any bound.

Passages outside the admissible set do not exist for a score: number of passages, document frequencies and average
length are those of the admissible ones. So nothing after `as_of` and nothing invisible moves a score.
Source: DESIGN "Scores under bounds"; `docs/decisions/0001-own-postings.md`.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treering.index.postings import Entries, Postings, Segment, SegmentInfo, adjacent, gather, write_segment

__all__ = ["Bm25", "Lexical", "write_lexical"]


@dataclass(frozen=True, slots=True)
class Bm25:
    """The two parameters of BM25, with the values of the reference scorer `bm25s`."""

    k1: float = 1.5  # grows: a term said often counts for more
    b: float = 0.75  # grows towards 1: long passages count for less


def write_lexical(path: Path, base: int, passages: Iterable[Sequence[str]]) -> SegmentInfo:
    """Write a segment of passages, each given as its terms with repeats."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    terms, lengths = array("i"), array("I")
    for passage in passages:
        terms.extend(map(numbers.__getitem__, passage))
        lengths.append(len(passage))
    counted = np.asarray(lengths, np.uint32)
    entries = Entries(
        keys=_keys(numbers),
        terms=np.asarray(terms, np.int32),
        passages=np.repeat(np.arange(len(counted), dtype=np.int32), counted),
        impacts=None,
    )
    return write_segment(path, base, counted, entries)


class Lexical:
    """An index of passages by their terms, over segments that follow one another from passage 0.

    Raises:
        MemoryDamaged: a passage is in no segment, or in two.
    """

    def __init__(self, segments: Sequence[Segment], settings: Bm25 = Bm25()) -> None:
        self._segments = adjacent(segments)
        self._settings = settings
        self._lengths = np.concatenate([segment.lengths for segment in segments] or [np.empty(0, np.uint32)])
        self._total = int(self._lengths.sum(dtype=np.int64))

    @property
    def passages(self) -> int:
        """How many passages there are."""
        return len(self._lengths)

    def scores(
        self,
        terms: Sequence[str],
        admissible: NDArray[np.bool_] | None = None,
        weights: Sequence[float] | None = None,
    ) -> NDArray[np.float32]:
        """BM25 of every passage for the terms, shape (passages,); 0 where none occurs or the passage is not admissible.

        Lucene's variant: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), without the constant factor k1 + 1. `weights`
        multiply the terms' parts. Source: Kamphuis et al. 2020, "Which BM25 do you mean?", row "Lucene (accurate)".
        """
        postings = self._postings(terms, admissible)
        if admissible is None:
            total, count = self._total, self.passages
        else:
            total, count = int(self._lengths[admissible].sum(dtype=np.int64)), int(np.count_nonzero(admissible))
        if not len(postings.passages):
            return np.zeros(self.passages, np.float32)
        found = np.bincount(postings.terms, minlength=len(terms))
        # One logarithm at a time: a vectorized one may differ in the last bit with the number of terms.
        idf = np.array([log(1 + (count - df + 0.5) / (df + 0.5)) for df in found.tolist()], np.float32)
        if weights is not None:
            idf *= np.asarray(weights, np.float32)
        k1, b = self._settings.k1, self._settings.b
        norms = np.float32(k1 * b * count / total) * self._lengths[postings.passages] + np.float32(k1 * (1 - b))
        parts = idf[postings.terms] * (postings.impacts / (postings.impacts + norms))
        return np.bincount(postings.passages, parts, self.passages).astype(np.float32)

    @property
    def lengths(self) -> NDArray[np.uint32]:
        """How many terms each passage has, shape (passages,)."""
        return self._lengths

    def counts(self, terms: Sequence[str], admissible: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """How often each term occurs in each passage, shape (terms, passages); 0 where not admissible."""
        counts = np.zeros((len(terms), self.passages), np.float32)
        postings = self._postings(terms, admissible)
        counts[postings.terms, postings.passages] = postings.impacts
        return counts

    def frequencies(self, terms: Sequence[str], admissible: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """In how many admissible passages each term occurs, shape (terms,)."""
        return np.bincount(self._postings(terms, admissible).terms, minlength=len(terms))

    def _postings(self, terms: Sequence[str], admissible: NDArray[np.bool_] | None) -> Postings:
        postings = gather(self._segments, _keys(terms))
        if admissible is None:
            return postings
        assert len(admissible) == self.passages, f"{len(admissible)} bounds for {self.passages} passages"
        return postings.within(admissible)


def _keys(terms: Iterable[str]) -> NDArray[np.uint64]:
    # 64 bits: among a million distinct terms, two share a key with probability 3e-8.
    hashed = (blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest() for term in terms)
    return np.frombuffer(b"".join(hashed), "<u8")
