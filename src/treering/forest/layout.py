"""Where the nodes of a branch are: pure arithmetic on the number of its leaves.

Every K consecutive children are grouped under a parent until one is left, so the shape of a branch follows from its
length alone and is never stored. Nodes are numbered level by level from the leaves up; the last one is the branch's
root. A branch of one leaf still has one node.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["K", "Layout", "layout", "level_counts", "node_count"]

K = 16  # children of a grouped node, at most (DESIGN section 4: the paper's k)


def level_counts(leaves: int) -> list[int]:
    """How many nodes each level of a branch has, from level 1 up to its root.

    >>> level_counts(1), level_counts(16), level_counts(17), level_counts(300)
    ([1], [1], [2, 1], [19, 2, 1])
    """
    if leaves <= 0:
        return []
    counts = [-(-leaves // K)]
    while counts[-1] > 1:
        counts.append(-(-counts[-1] // K))
    return counts


def node_count(leaves: int) -> int:
    """How many nodes a branch has."""
    return sum(level_counts(leaves))


@dataclass(frozen=True, slots=True)
class Layout:
    """The nodes of many branches, one branch after the other, each from level 1 up to its root."""

    branch: NDArray[np.int32]  # of each node
    level: NDArray[np.int16]  # 1 is just above the leaves
    first: NDArray[np.int64]  # leaves of the branch below the node: [first, last), counted within the branch
    last: NDArray[np.int64]
    parent: NDArray[np.int64]  # row in these arrays; -1 for the root of a branch
    start: NDArray[np.int64]  # row of each branch's first node, and one past the end


def layout(lengths: NDArray[np.int64]) -> Layout:
    """Lay out branches of the given numbers of leaves (each at least 1), all at once.

    >>> layout(np.array([17, 1])).parent.tolist()
    [2, 2, -1, -1]
    """
    assert lengths.size == 0 or lengths.min() >= 1, "a branch without leaves has no nodes and should not be stored"
    counts = [-(-lengths // K)]
    while counts[-1].size and counts[-1].max() > 1:
        below = counts[-1]
        counts.append(np.where(below > 1, -(-below // K), 0))
    per_branch = np.sum(counts, axis=0) if counts else lengths * 0
    start = np.concatenate([[0], np.cumsum(per_branch)]).astype(np.int64)
    total = int(start[-1])
    branch = np.zeros(total, dtype=np.int32)
    level = np.zeros(total, dtype=np.int16)
    first = np.zeros(total, dtype=np.int64)
    last = np.zeros(total, dtype=np.int64)
    parent = np.full(total, -1, dtype=np.int64)
    base = start[:-1].copy()
    width = 1
    for height, count in enumerate(counts, start=1):
        width *= K
        of = np.repeat(np.arange(lengths.size), count)
        within = np.arange(of.size) - np.repeat(np.cumsum(count) - count, count)
        rows = base[of] + within
        branch[rows] = of
        level[rows] = height
        first[rows] = within * width
        last[rows] = np.minimum((within + 1) * width, lengths[of])
        above = base + count
        grouped = (count > 1)[of]
        parent[rows[grouped]] = (above[of] + within // K)[grouped]
        base = above
    return Layout(branch, level, first, last, parent, start)
