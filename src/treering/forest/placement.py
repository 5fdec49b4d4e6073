"""The Placement Map: from a leaf to every place it has in a tree, by look-up and not by walking trees.

Built when a view is loaded, as compressed rows over leaf ids. Source: EGCForest section 3.1.2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import View

__all__ = ["Placement", "PlacementMap"]


@dataclass(frozen=True, slots=True)
class Placement:
    """One place of a leaf: which tree, the level-1 node above it, and its position among all leaves of the forests."""

    view: View
    tree: int  # row in `ForestView.trees`
    parent: int  # row in the node arrays
    position: int  # in `ForestView.leaves`


@dataclass(frozen=True, slots=True)
class PlacementMap:
    """Positions by leaf: those of leaf i are `positions[start[i]:start[i + 1]]`, ascending."""

    start: NDArray[np.int64]
    positions: NDArray[np.int32]

    @classmethod
    def over(cls, leaves: NDArray[np.int32]) -> "PlacementMap":
        """The map of leaves as they hang in a row of trees.

        >>> PlacementMap.over(np.array([3, 1, 3], dtype=np.int32)).of(3).tolist()
        [0, 2]
        """
        counts = np.bincount(leaves, minlength=1)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(start, np.argsort(leaves, kind="stable").astype(np.int32))

    def of(self, leaf: int) -> NDArray[np.int32]:
        """The positions of one leaf; none for a leaf that stands in no tree."""
        if not 0 <= leaf < len(self.start) - 1:
            return self.positions[:0]
        return self.positions[self.start[leaf] : self.start[leaf + 1]]
