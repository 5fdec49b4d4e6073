"""Growing nodes: ids from the bottom up, and a summary for every node that is new.

Only what stands above a change is hashed and summarized again: for an append the right edge, for a late leaf all that
stands right of it. Texts are read a block of nodes at a time.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from treering.forest.branches import Branch, Rows, node_id, same_leaves, standing
from treering.forest.kinds import Kind
from treering.forest.layout import K
from treering.forest.leaves import LeafReader
from treering.forest.summaries import Summarizer, Summary, SummaryStore, summary_key

__all__ = ["Gardener", "Spot"]

BLOCK: Final = 64  # nodes whose leaves are read together
FIXED_LEVEL: Final = 0  # in ids, for nodes whose place in the tree does not follow from counting
NO_NODES: Final = Rows.blank(0)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a branch or a fixed node stands, and how its summaries are headed."""

    kind: Kind
    place: str  # view, tree key and path: parts equal structures of different trees
    title: str
    renamed: bool = False  # names changed: every summary is made again


class _Children(Protocol):
    """What a level of nodes is grown over: leaves, or the level below."""

    def ready(self, nodes: Sequence[int]) -> None:
        """Read ahead what these nodes need."""

    def ids(self, node: int) -> bytes:
        """The ids of a node's children, joined."""

    def summary(self, node: int) -> Summary:
        """A new summary of the node."""


class Gardener:
    """Grows branches and fixed nodes within a write transaction, counting what it had to do."""

    def __init__(self, connection: sqlite3.Connection, summarizer: Summarizer) -> None:
        self.nodes_new = 0
        self.nodes_summarized = 0
        self._reader = LeafReader(connection)
        self._store = SummaryStore(connection)
        self._summarizer = summarizer
        self.order_key = self._reader.order_key

    def branch(self, spot: Spot, old: Branch, leaves: NDArray[np.int32], dirty: NDArray[np.int32]) -> Branch:
        """The branch over `leaves` (in order), keeping of `old` whatever stands above no change.

        `dirty` are the leaves whose content may have changed. Summaries that `old` needed and the branch does not are
        dropped from the store.
        """
        new = Branch.over(leaves)
        old_levels = list(old.levels())
        same, count_before = same_leaves(old.leaves, leaves, dirty), len(old.leaves)
        children: _Children = _Leaves(spot, leaves, self._reader, self._summarizer)
        for height, rows in enumerate(new.levels()):
            before = old_levels[height] if height < len(old_levels) else NO_NODES
            stands = np.flatnonzero(standing(same, count_before))
            rows.nodes[stands] = before.nodes[stands]
            rows.summaries[stands] = before.summaries[stands]
            rows.texts[stands] = before.texts[stands]
            todo = np.ones(len(rows), dtype=np.bool_)
            todo[stands] = spot.renamed
            self._level(spot, height + 1, rows, before, np.flatnonzero(todo).tolist(), children)
            same, count_before = rows.same(before), len(before)
            children = _Nodes(spot, rows, K, self._store, self._summarizer)
        self._drop_unused(old.rows, new.rows)
        return new

    def fixed(self, spot: Spot, children: Rows, before: Rows) -> Rows:
        """One fixed node over any number of children, a root or a part; zeros over none. `before` is what it was."""
        rows = Rows.blank(1)
        if len(children):
            under = _Nodes(spot, children, len(children), self._store, self._summarizer)
            self._level(spot, FIXED_LEVEL, rows, before, [0], under)
        self._drop_unused(before, rows)
        return rows

    def forget(self, rows: Rows) -> None:
        """Drop the summaries of nodes that are no more."""
        self._drop_unused(rows, NO_NODES)

    def _level(
        self, spot: Spot, level: int, rows: Rows, before: Rows, todo: Sequence[int], children: _Children
    ) -> None:
        for start in range(0, len(todo), BLOCK):
            block = todo[start : start + BLOCK]
            children.ready(block)
            for row in block:
                made = node_id(spot.place, level, children.ids(row))
                known = row < len(before) and before.nodes[row].tobytes() == made
                self.nodes_new += not known
                if known and not spot.renamed:  # a dirty leaf that says the same as before
                    rows.put(row, made, before.summaries[row].tobytes(), before.texts[row].tobytes())
                else:
                    rows.put(row, made, *self._summarized(spot, made, row, children.summary))

    def _summarized(self, spot: Spot, node: bytes, row: int, make: Callable[[int], Summary]) -> tuple[bytes, bytes]:
        """The keys of a node's summary and of its text; the summary is made unless it is stored."""
        key = summary_key(node, spot.title, self._summarizer.name)
        text_key = None if spot.renamed else self._store.text_key(key)
        if text_key is None:
            text_key = self._store.put(key, make(row), spot.kind, spot.title)
            self.nodes_summarized += 1
        return key, text_key

    def _drop_unused(self, before: Rows, after: Rows) -> None:
        common = min(len(before), len(after))
        differ = (before.summaries[:common] != after.summaries[:common]).any(axis=1)
        gone = _keys(before.summaries[:common][differ], before.summaries[common:])
        if gone:  # a node may have moved to another row
            self._store.drop(sorted(gone - _keys(after.summaries[:common][differ], after.summaries[common:])))


def _keys(*parts: NDArray[np.uint8]) -> set[bytes]:
    return {row.tobytes() for part in parts for row in part}


@dataclass(frozen=True, slots=True)
class _Leaves:
    spot: Spot
    leaves: NDArray[np.int32]
    reader: LeafReader
    summarizer: Summarizer

    def ready(self, nodes: Sequence[int]) -> None:
        self.reader.fetch(leaf for node in nodes for leaf in self._below(node))

    def ids(self, node: int) -> bytes:
        return b"".join(self.reader.leaf(leaf).digest for leaf in self._below(node))

    def summary(self, node: int) -> Summary:
        items = [self.reader.leaf(leaf) for leaf in self._below(node)]
        return self.summarizer.summarize_leaves(self.spot.kind, self.spot.title, items)

    def _below(self, node: int) -> Iterable[int]:
        below: list[int] = self.leaves[node * K : (node + 1) * K].tolist()
        return below


@dataclass(frozen=True, slots=True)
class _Nodes:
    spot: Spot
    rows: Rows
    width: int  # children of one node
    store: SummaryStore
    summarizer: Summarizer

    def ready(self, nodes: Sequence[int]) -> None:
        """Nothing: summaries just made are still at hand."""

    def ids(self, node: int) -> bytes:
        return self.rows.nodes[node * self.width : (node + 1) * self.width].tobytes()

    def summary(self, node: int) -> Summary:
        keys = self.rows.summaries[node * self.width : (node + 1) * self.width]
        children = [self.store.get(key.tobytes()) for key in keys]
        return self.summarizer.summarize_nodes(self.spot.kind, self.spot.title, children)
