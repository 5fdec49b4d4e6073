"""From branch blobs to the arrays of a `ForestView`, vectorized over all branches at once."""

import sqlite3
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import KINDS, View
from treering.forest.layout import layout
from treering.forest.leaves import DIGEST_BYTES

__all__ = ["Arrays", "TreeRow", "load_arrays"]

TreeRow = tuple[int, str, str, str, int, int, bytes, bytes, bytes]
BranchRow = tuple[int, str, bytes, bytes, bytes, bytes]
_SLOTS = ("", *KINDS[View.ACTOR].parts)  # the fixed nodes of a tree that has them: its root, then its parts
_DIGESTS = slice(-3, None)  # node ids, summary keys and text keys: the last three columns of both kinds of row


class Arrays(NamedTuple):
    """The fields of a `ForestView` between its trees and its map, in the same order."""

    tree_first: NDArray[np.int64]
    tree_root: NDArray[np.int64]
    tree_nodes: NDArray[np.int64]
    branch_first: NDArray[np.int64]
    leaves: NDArray[np.int32]
    position_branch: NDArray[np.int32]
    position_parent: NDArray[np.int64]
    node_tree: NDArray[np.int32]
    node_parent: NDArray[np.int64]
    node_level: NDArray[np.int16]
    node_first: NDArray[np.int64]
    node_last: NDArray[np.int64]
    node_id: NDArray[np.void]
    node_summary_key: NDArray[np.void]
    node_text_key: NDArray[np.void]


def load_arrays(connection: sqlite3.Connection) -> tuple[list[TreeRow], Arrays]:
    """Every tree, in order of (view, key), and the arrays over all their branches, in order of path."""
    trees: list[TreeRow] = connection.execute(
        "SELECT id, view, key, label, scope, subject, nodes, summaries, texts FROM tree ORDER BY view, key"
    ).fetchall()
    branches: list[BranchRow] = connection.execute(
        "SELECT t.id, b.path, b.leaves, b.nodes, b.summaries, b.texts"
        " FROM tree t CROSS JOIN branch b ON b.tree = t.id ORDER BY t.view, t.key, b.path"
    ).fetchall()
    row_of_tree = {tree[0]: row for row, tree in enumerate(trees)}
    branch_tree = np.array([row_of_tree[branch[0]] for branch in branches], dtype=np.int64)
    slot = np.array([_SLOTS.index(branch[1].partition("/")[0]) for branch in branches], dtype=np.int64)
    lengths = np.array([len(branch[2]) // 4 for branch in branches], dtype=np.int64)
    leaves = np.frombuffer(b"".join(branch[2] for branch in branches), dtype="<i4").astype(np.int32)
    branch_first = _offsets(lengths)
    plan = layout(lengths)

    has_slot = np.zeros((len(trees), len(_SLOTS)), dtype=np.bool_)
    parted = slot > 0
    has_slot[branch_tree[parted], slot[parted]] = True
    has_slot[:, 0] = has_slot.any(axis=1)
    fixed = has_slot.sum(axis=1)
    grouped = np.zeros(len(trees), dtype=np.int64)
    np.add.at(grouped, branch_tree, np.diff(plan.start))
    tree_nodes = _offsets(fixed + grouped)
    slot_row = tree_nodes[:-1, None] + np.cumsum(has_slot, axis=1) - 1  # meaningful where `has_slot`
    row = np.arange(len(plan.branch)) + np.cumsum(fixed)[branch_tree][plan.branch]  # of each grouped node

    nodes = _Nodes(int(tree_nodes[-1]))
    nodes.tree[row] = branch_tree[plan.branch]
    nodes.level[row] = plan.level
    nodes.first[row] = plan.first + branch_first[plan.branch]
    nodes.last[row] = plan.last + branch_first[plan.branch]
    nodes.parent[row[plan.parent >= 0]] = row[plan.parent[plan.parent >= 0]]
    branch_root = row[plan.start[1:] - 1]
    nodes.lift(branch_root[parted], slot_row[branch_tree[parted], slot[parted]])
    of_tree, of_slot = np.nonzero(has_slot[:, 1:])
    nodes.lift(slot_row[of_tree, of_slot + 1], slot_row[of_tree, 0])

    tree_root = slot_row[:, 0].copy()
    tree_root[branch_tree[~parted]] = branch_root[~parted]
    bottom = plan.level == 1
    spans = (plan.last - plan.first)[bottom]
    digests = [_digests(trees, branches, column, has_slot, slot_row, row, nodes.size) for column in (-3, -2, -1)]
    return trees, Arrays(
        tree_first=np.append(nodes.first[tree_root], len(leaves)),
        tree_root=tree_root,
        tree_nodes=tree_nodes,
        branch_first=branch_first,
        leaves=leaves,
        position_branch=np.repeat(np.arange(len(branches), dtype=np.int32), lengths),
        position_parent=np.repeat(row[bottom], spans),
        node_tree=nodes.tree,
        node_parent=nodes.parent,
        node_level=nodes.level,
        node_first=nodes.first,
        node_last=nodes.last,
        node_id=digests[0],
        node_summary_key=digests[1],
        node_text_key=digests[2],
    )


class _Nodes:
    """The node arrays while they are filled in."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.tree = np.zeros(size, dtype=np.int32)
        self.parent = np.full(size, -1, dtype=np.int64)
        self.level = np.zeros(size, dtype=np.int16)
        self.first = np.full(size, np.iinfo(np.int64).max)
        self.last = np.zeros(size, dtype=np.int64)

    def lift(self, children: NDArray[np.int64], parents: NDArray[np.int64]) -> None:
        """Put fixed nodes above children that are filled in."""
        self.parent[children] = parents
        self.tree[parents] = self.tree[children]
        np.maximum.at(self.level, parents, self.level[children] + 1)
        np.minimum.at(self.first, parents, self.first[children])
        np.maximum.at(self.last, parents, self.last[children])


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _digests(
    trees: list[TreeRow],
    branches: list[BranchRow],
    column: int,
    has_slot: NDArray[np.bool_],
    slot_row: NDArray[np.int64],
    row: NDArray[np.int64],
    size: int,
) -> NDArray[np.void]:
    """One of the three digest columns over all nodes, from the blobs of trees and branches."""
    found = np.zeros((size, DIGEST_BYTES), dtype=np.uint8)
    found[row] = _wide(b"".join(branch[column] for branch in branches))  # type: ignore[misc]
    fixed = _wide(b"".join(tree[column] for tree in trees)).reshape(-1, len(_SLOTS), DIGEST_BYTES)  # type: ignore[misc]
    kept = has_slot[has_slot[:, 0]]
    found[slot_row[has_slot]] = fixed[kept]
    return found.reshape(-1).view(f"V{DIGEST_BYTES}")


def _wide(blob: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(blob, dtype=np.uint8).reshape(-1, DIGEST_BYTES)
