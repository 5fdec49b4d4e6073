"""Everything that a question reads, pinned at one position of the log; and what one question knows of it.

`Searchable` is shared by all questions at that position. `Asking` is one question: its bounds as masks, its two legs'
scores, its similarity to every node. Each stage takes an `Asking` and what came before it, and returns candidates.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.access.bounds import Admissible, Bounds
from treering.bridges.bridges import Bridges
from treering.forest.artifacts import LEAVES_MIN, TRANSITIONS_MIN
from treering.forest.kinds import View
from treering.forest.view import ForestView
from treering.index.dense import DenseIndex
from treering.index.lexical import Lexical
from treering.index.sparse import SparseIndex, TermWeights
from treering.log.reader import Columns, LogReader
from treering.model.records import Channel
from treering.retrieval.fusion import Ranking
from treering.retrieval.place_names import PlaceNames
from treering.retrieval.query import QuerySpec
from treering.retrieval.sequences import Sequences
from treering.temporal.supersession import Supersession

__all__ = ["VIEWS", "Asking", "NodeVectors", "Searchable"]

VIEWS = tuple(View)


@dataclass(frozen=True, slots=True, eq=False)
class NodeVectors:
    """The vectors of the nodes' summaries: shape (nodes, dimensions), zero rows where one is missing."""

    matrix: NDArray[np.float32]
    present: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Searchable:
    """A memory at one position of its log."""

    connection: sqlite3.Connection
    log: LogReader
    last: int  # the record it is pinned to
    columns: Columns
    channels: tuple[Channel, ...]
    record_ties: NDArray[np.int64]  # a natural order of records: by time, then content
    lexical: Lexical
    dense: DenseIndex | None  # None: no vectors
    forest: ForestView
    nodes: NodeVectors | None
    tree_view: NDArray[np.int8]  # of each tree, a number in VIEWS
    leaf_transitions: NDArray[np.int64]  # row = leaf id: a bit for each step of a life that the leaf reports
    bridges: Bridges
    supersession: Supersession
    text_hash: NDArray[np.uint64]  # row = record id - 1: equal for equal words of one author; 0 without words
    consolidated: NDArray[np.int64]  # (n, 2) rows: an older record, and the newer that stands for it
    sequences: Sequences
    place_names: PlaceNames
    sparse: SparseIndex | None  # None: no learned sparse vectors
    notes: tuple[str, ...] = ()

    def title(self, tree: int) -> str:
        """What a tree is called, for headers and traces."""
        found = self.forest.trees[tree]
        return f"{found.view} {found.label}"

    def trees_within(self, admissible: Admissible) -> NDArray[np.bool_]:
        """Which trees there are within the bounds: an artifact is one only once enough of its life is inside."""
        within = np.ones(len(self.forest.trees), dtype=np.bool_)
        artifacts = np.flatnonzero(self.tree_view == VIEWS.index(View.ARTIFACT))
        if len(artifacts):
            # Trees lie in order of view, so those of artifacts are neighbours and their leaves one stretch.
            starts = self.forest.tree_first[artifacts]
            leaves = self.forest.leaves[starts[0] : self.forest.tree_first[artifacts[-1] + 1]]
            inside = admissible.whole[leaves] & admissible.leaves[leaves]
            count = np.add.reduceat(inside.astype(np.int64), starts - starts[0])
            steps = np.bitwise_or.reduceat(np.where(inside, self.leaf_transitions[leaves], 0), starts - starts[0])
            within[artifacts] = (count >= LEAVES_MIN) & (np.bitwise_count(steps) >= TRANSITIONS_MIN)
        return within


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """One question within its bounds."""

    spec: QuerySpec
    bounds: Bounds
    admissible: Admissible
    query_vector: NDArray[np.float32] | None
    query_terms: TermWeights | None  # learned sparse; None where the profile wants none or the memory has none
    lexical: NDArray[np.float32]  # of each record, 0 where nothing matched
    similar: NDArray[np.float32] | None  # of each record; None without vectors
    passages_similar: NDArray[np.float32] | None  # of each passage
    relevant: NDArray[np.float32]  # of each record: both legs, each brought to 0..1, summed
    fused: Ranking  # records
    trees: NDArray[np.bool_]  # which trees there are within the bounds
    node_similar: NDArray[np.float32]  # of each node, minus infinity where not admissible
    notes: tuple[str, ...] = ()

    def trees_of(self, memory: Searchable, leaf: int) -> list[int]:
        """The trees a leaf stands in, as far as the bounds tell; a leaf with versions outside them stands in none."""
        if not self.admissible.whole[leaf]:
            return []
        return [tree for tree in memory.forest.trees_of(leaf).tolist() if self.trees[tree]]

    def relevance(self, rows: Sequence[int] | NDArray[np.integer]) -> NDArray[np.float32]:
        """How near each record is to the question, by words and by vector; for records that no ranking holds."""
        return self.relevant[np.asarray(rows, dtype=np.int64)]
