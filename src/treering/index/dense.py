"""Exact cosine search: every passage is compared, so bounds cost no recall.

The matrix of the vectors in use lies in memory in single precision. Passages of equal text share a row, and so a
similarity. No approximation: `docs/decisions/0002-dense-index.md` has the measurements.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.index.vectors import VectorStore

__all__ = ["ABSENT", "DenseIndex"]

ABSENT: Final = -1.0  # the similarity of a passage that has no vector, or is not admissible
# The last bits of a product depend on where in the matrix a row lies; they must not decide an order.
_DECIMALS: Final = 6


class DenseIndex:
    """Passages by their vectors. `rows[p]` is the store's row of passage p, -1 where it has none yet."""

    def __init__(self, store: VectorStore, rows: NDArray[np.int64]) -> None:
        used, places = np.unique(rows, return_inverse=True)
        absent = int(np.searchsorted(used, 0))  # how many distinct rows stand for "none": one or zero
        self._matrix = store.vectors(used[absent:])
        self._places = places - absent  # a passage's row in the matrix
        self._present = rows >= 0

    @property
    def passages(self) -> int:
        """How many passages there are, with a vector or without."""
        return len(self._places)

    def similarities(
        self, query: NDArray[np.float32], admissible: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float32]:
        """The cosine of every passage with a unit vector, shape (passages,); `ABSENT` where there is none to tell."""
        compared = self._compared(admissible)
        if not len(self._matrix):
            return np.full(self.passages, ABSENT, np.float32)
        products = np.round(self._matrix @ query, _DECIMALS)
        return np.where(compared, products[self._places], np.float32(ABSENT))

    def similarities_of(self, query: NDArray[np.float32], passages: NDArray[np.int64]) -> NDArray[np.float32]:
        """The cosine of some passages with a unit vector, shape of `passages`; `ABSENT` where one has no vector."""
        similarities = np.full(len(passages), ABSENT, np.float32)
        present = self._present[passages]
        similarities[present] = np.round(self._matrix[self._places[passages[present]]] @ query, _DECIMALS)
        return similarities

    def top(
        self, query: NDArray[np.float32], admissible: NDArray[np.bool_] | None, count: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The `count` nearest admissible passages, nearest first, and their cosines; ties to the earlier passage."""
        compared = np.flatnonzero(self._compared(admissible))
        similarities = self.similarities(query)[compared]
        if 0 < count < len(compared):
            least = np.partition(similarities, len(compared) - count)[len(compared) - count]
            near = np.flatnonzero(similarities >= least)
            compared, similarities = compared[near], similarities[near]
        order = np.argsort(-similarities, kind="stable")[:count]
        return compared[order], similarities[order]

    def _compared(self, admissible: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        if admissible is None:
            return self._present
        assert len(admissible) == self.passages, f"{len(admissible)} bounds for {self.passages} passages"
        return self._present & admissible
