"""Reading the forests: every tree, node and placement as arrays, in natural order, loaded in one go.

Rows of trees follow (view, key), so that a tie broken by row is broken the same way in every memory with the same log.
Nothing here knows a question; bounds come in as masks over leaf ids.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import View
from treering.forest.loading import load_arrays
from treering.forest.placement import Placement, PlacementMap

__all__ = ["ForestView", "Tree"]


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree of a forest."""

    id: int
    view: View
    key: str
    label: str
    scope: int  # of an artifact: 0 for all public channels, else its one channel
    subject: int  # the channel or actor that the tree is about; 0 for an artifact


@dataclass(frozen=True, slots=True)
class ForestView:
    """All trees at one moment.

    Trees, branches and nodes are rows; a tree's nodes are its fixed levels, root first, then those of each branch from
    level 1 up. A range of leaves is [first, last) in `leaves`.
    """

    trees: tuple[Tree, ...]
    tree_first: NDArray[np.int64]  # leaves of tree t: tree_first[t] to tree_first[t + 1]
    tree_root: NDArray[np.int64]  # node row
    tree_nodes: NDArray[np.int64]  # nodes of tree t: tree_nodes[t] to tree_nodes[t + 1]
    branch_first: NDArray[np.int64]  # leaves of branch b: branch_first[b] to branch_first[b + 1]
    leaves: NDArray[np.int32]  # leaf ids, tree after tree
    position_branch: NDArray[np.int32]
    position_parent: NDArray[np.int64]  # the level-1 node above each position
    node_tree: NDArray[np.int32]
    node_parent: NDArray[np.int64]  # -1: a root
    node_level: NDArray[np.int16]  # 1 is just above the leaves; a fixed node stands one above its highest child
    node_first: NDArray[np.int64]
    node_last: NDArray[np.int64]
    node_id: NDArray[np.void]  # V16
    node_summary_key: NDArray[np.void]  # V16, zeros where no summary was made yet
    node_text_key: NDArray[np.void]  # V16
    map: PlacementMap

    @classmethod
    def load(cls, connection: sqlite3.Connection) -> "ForestView":
        """Every forest as the caller's transaction sees it."""
        rows, arrays = load_arrays(connection)
        trees = tuple(Tree(row[0], View(row[1]), *row[2:6]) for row in rows)
        return cls(trees, *arrays, PlacementMap.over(arrays.leaves))

    # Placements

    def trees_of(self, leaf: int) -> NDArray[np.int32]:
        """The trees that a leaf stands in, ascending."""
        return np.unique(self.node_tree[self.position_parent[self.map.of(leaf)]])

    def placements(self, leaf: int) -> tuple[Placement, ...]:
        """Every place of a leaf."""
        found = []
        for position in self.map.of(leaf).tolist():
            parent = int(self.position_parent[position])
            tree = int(self.node_tree[parent])
            found.append(Placement(self.trees[tree].view, tree, parent, position))
        return tuple(found)

    def window(self, leaf: int, tree: int, width: int, admissible: NDArray[np.bool_] | None = None) -> list[int]:
        """Up to `width` leaves on each side of a leaf in the order of a tree, earlier ones first.

        Leaves outside the mask are passed over. The window ends with the branch: what an actor wrote in another
        channel is no neighbour in time.
        """
        found: list[int] = []
        for position in self.map.of(leaf).tolist():
            if self.node_tree[self.position_parent[position]] != tree:
                continue
            first, last = self.branch_first[self.position_branch[position] :][:2].tolist()
            before = _first_admissible(self.leaves[first:position][::-1], width, admissible)
            after = _first_admissible(self.leaves[position + 1 : last], width, admissible)
            found += [*reversed(before), *after]
        return [other for other in dict.fromkeys(found) if other != leaf]

    def cotenants(self, leaf: int) -> list[int]:
        """The leaves that share a parent with a leaf in any tree, in order of tree and position."""
        found: dict[int, None] = {}
        for parent in self.position_parent[self.map.of(leaf)].tolist():
            found.update(dict.fromkeys(self.leaves[self.node_first[parent] : self.node_last[parent]].tolist()))
        found.pop(leaf, None)
        return list(found)

    # Nodes

    def path(self, node: int) -> list[int]:
        """The nodes from the root down to a node."""
        path = [node]
        while (parent := int(self.node_parent[path[-1]])) >= 0:
            path.append(parent)
        return path[::-1]

    def children(self, node: int) -> NDArray[np.int64]:
        """The child nodes of a node, in order; none at level 1."""
        tree = self.node_tree[node]
        start, stop = int(self.tree_nodes[tree]), int(self.tree_nodes[tree + 1])
        return np.flatnonzero(self.node_parent[start:stop] == node) + start

    def leaves_below(self, node: int) -> NDArray[np.int32]:
        """The leaf ids below a node, in order."""
        return self.leaves[self.node_first[node] : self.node_last[node]]

    def wholly_admissible_nodes(self, leaf_ok: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """For each node, whether every leaf below it is in the mask (indexed by leaf id)."""
        outside = np.concatenate([[0], np.cumsum(~leaf_ok[self.leaves])])
        admissible: NDArray[np.bool_] = outside[self.node_last] == outside[self.node_first]
        return admissible

    def maximal(self, node_ok: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The admissible nodes without an admissible parent: under bounds, a tree is these nodes."""
        orphaned = (self.node_parent < 0) | ~node_ok[self.node_parent]
        return np.flatnonzero(node_ok & orphaned)

    def summary_texts(self, connection: sqlite3.Connection, nodes: Iterable[int]) -> dict[int, str]:
        """The text of the nodes' summaries, for those that have one."""
        found: dict[int, str] = {}
        for node in nodes:
            row = connection.execute(
                "SELECT text FROM summary WHERE key = ?", (self.node_summary_key[node].tobytes(),)
            ).fetchone()
            if row is not None:
                found[int(node)] = row[0]
        return found

    def find(self, view: View, *, key: str | None = None, label: str | None = None) -> Sequence[int]:
        """The rows of the trees of a view with that key, or that label in any case."""
        return [
            row
            for row, tree in enumerate(self.trees)
            if tree.view is view
            and (key is None or tree.key == key)
            and (label is None or tree.label.casefold() == label.casefold())
        ]


def _first_admissible(leaves: NDArray[np.int32], count: int, admissible: NDArray[np.bool_] | None) -> list[int]:
    if admissible is None:
        near: list[int] = leaves[:count].tolist()
        return near
    found: list[int] = []
    block = 4 * count  # grows: most viewers see most of what is near, a narrow one must not cost a step a leaf
    while len(found) < count and leaves.size:
        found += leaves[:block][admissible[leaves[:block]]].tolist()
        leaves = leaves[block:]
        block *= 4
    return found[:count]
