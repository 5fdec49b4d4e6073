"""S2, summary-guided supplementation: segments whose summary is near the question lend it their best leaves.

Follows section 3.2.2 of the EGCForest paper: inner nodes of the kept trees by cosine, the best node of each
root-to-leaf path, each expanded into a few leaves, with the chain of summaries above it as headers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.model.evidence import Stage, StageTrace
from treering.retrieval.profiles import ForestSettings
from treering.retrieval.searchable import Asking, Searchable

__all__ = ["Supplemented", "supplement"]


@dataclass(frozen=True, slots=True)
class Supplemented:
    """What S2 offers: rows in order of preference, and the node each came from."""

    rows: tuple[int, ...]
    nodes: dict[int, int]  # row -> node
    paths: tuple[int, ...]  # the nodes expanded, best first
    trace: StageTrace


def supplement(
    memory: Searchable, asking: Asking, settings: ForestSettings, trees: NDArray[np.int64], have: set[int]
) -> Supplemented:
    """Leaves below the nodes nearest the question, in the trees given, without the rows at hand."""
    forest = memory.forest
    inner = np.isin(forest.node_tree, trees) & ~np.isneginf(asking.node_similar)
    candidates = np.flatnonzero(inner)
    candidates = candidates[np.lexsort((candidates, -asking.node_similar[candidates]))]
    paths = _one_a_path(memory, candidates, settings.paths)
    nodes: dict[int, int] = {}
    offered: list[tuple[float, int]] = []
    for node in paths:
        leaves = forest.leaves[forest.node_first[node] : forest.node_last[node]]
        rows = asking.admissible.leaf_record[leaves]
        rows = np.array([row for row in dict.fromkeys(rows.tolist()) if row >= 0 and row not in have], dtype=np.int64)
        relevance = asking.relevance(rows)
        best = np.lexsort((memory.record_ties[rows], -relevance))[: settings.leaves_per_path]
        for row, score in zip(rows[best].tolist(), relevance[best].tolist(), strict=True):
            if row not in nodes:
                nodes[row] = node
                offered.append((score, row))
    offered.sort(key=lambda pair: (-pair[0], memory.record_ties[pair[1]]))
    rows_in_order = tuple(row for _, row in offered)
    trace = StageTrace(
        Stage.S2,
        seen=len(candidates),
        kept=(),
        dropped={"node on the path of a better one, or past the paths": len(candidates) - len(paths)},
        notes=tuple(f"{memory.title(int(forest.node_tree[node]))}, level {forest.node_level[node]}" for node in paths),
    )
    return Supplemented(rows_in_order, nodes, tuple(paths), trace)


def _one_a_path(memory: Searchable, candidates: NDArray[np.int64], count: int) -> list[int]:
    """The best nodes of which none is above another: leaf ranges within one tree either nest or are apart."""
    forest = memory.forest
    taken: list[int] = []
    for node in candidates.tolist():
        first, last = forest.node_first[node], forest.node_last[node]
        if all(last <= forest.node_first[other] or first >= forest.node_last[other] for other in taken):
            taken.append(node)
            if len(taken) == count:
                break
    return taken
