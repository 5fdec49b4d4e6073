"""S1, view-aware leaf retrieval: the best messages anchor, their trees are routed, quotas keep the views in balance.

Follows section 3.2.1 of the EGCForest paper. Trees are ranked within their view by three signals and fused by
reciprocal rank; an anchor counts for the view of its best kept tree; anchors outside every kept tree fill what the
quotas leave.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import View
from treering.model.evidence import Stage, StageTrace
from treering.retrieval.fusion import ranks_within
from treering.retrieval.profiles import ForestSettings, Signal
from treering.retrieval.searchable import VIEWS, Asking, Searchable

__all__ = ["Anchored", "anchor"]


@dataclass(frozen=True, slots=True, eq=False)
class Anchored:
    """What S1 hands on: the rows it kept, in rank order, and the trees that the later stages may enter."""

    rows: tuple[int, ...]
    overflow: tuple[int, ...]  # the rest of the ranking, in order
    trees: NDArray[np.int64]  # kept trees, best first
    tree_scores: NDArray[np.float64]  # of every tree, 0 where not kept
    trace: StageTrace


def anchor(memory: Searchable, asking: Asking, settings: ForestSettings, quota: int) -> Anchored:
    """Keep `quota` anchors, spread over the views, and the trees that speak for them."""
    scale = quota / settings.quota_anchors
    ranking = asking.fused
    pool = ranking.rows[: round(settings.anchors * max(1.0, scale))]
    leaves = memory.columns.record_leaf[pool].tolist()
    trees_of = [np.array(asking.trees_of(memory, leaf), dtype=np.int64) for leaf in leaves]
    scores = _tree_scores(memory, asking, settings, trees_of, ranking.scores[: len(pool)])
    kept = _kept(memory, settings, scores)
    tree_scores = np.zeros(len(scores))
    tree_scores[kept] = scores[kept]
    places = {view: round(places * scale) for view, places in settings.view_quotas if view in settings.views}
    chosen: list[int] = []
    over: list[int] = []
    for row, trees in zip(pool.tolist(), trees_of, strict=True):
        best = trees[np.argmax(tree_scores[trees])] if len(trees) else -1
        view = VIEWS[memory.tree_view[best]].value if best >= 0 and tree_scores[best] > 0 else None
        if view is not None and places.get(view, 0) > 0 and len(chosen) < quota:
            places[view] -= 1
            chosen.append(row)
        else:
            over.append(row)
    filled = over[: quota - len(chosen)]
    order = {row: rank for rank, row in enumerate(ranking.rows.tolist())}
    rows = tuple(sorted([*chosen, *filled], key=order.__getitem__))
    taken = set(rows)
    overflow = tuple(row for row in ranking.rows.tolist() if row not in taken)
    trace = StageTrace(
        Stage.S1,
        seen=len(ranking),
        kept=(),
        dropped={"below the quota": len(overflow)},
        notes=tuple(f"tree {memory.title(int(tree))}: {scores[tree]:.2f}" for tree in kept.tolist()),
    )
    return Anchored(rows, overflow, kept, tree_scores, trace)


def _tree_scores(
    memory: Searchable,
    asking: Asking,
    settings: ForestSettings,
    trees_of: list[NDArray[np.int64]],
    votes: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The fused score of every tree; 0 for trees of views that are switched off."""
    forest = memory.forest
    count = len(memory.tree_view)
    if count == 0:
        return np.zeros(0)
    in_views = asking.trees & np.isin(memory.tree_view, [VIEWS.index(View(view)) for view in settings.views])
    groups = memory.tree_view.astype(np.int64)
    scores = np.zeros(count)
    signals: list[tuple[Signal, float, NDArray[np.float64]]] = []
    if Signal.LEAF2TREE in settings.signals:
        voted = np.concatenate(trees_of) if trees_of else np.empty(0, dtype=np.int64)
        weights = np.repeat(votes, [len(trees) for trees in trees_of])
        sums = np.bincount(voted, weights=weights, minlength=count)
        signals.append((Signal.LEAF2TREE, settings.weight_leaf2tree, np.where(sums > 0, sums, -np.inf)))
    similar = asking.node_similar.astype(np.float64)
    if Signal.COLLAPSED in settings.signals:
        best = np.full(count, -np.inf)
        np.maximum.at(best, forest.node_tree, similar)
        signals.append((Signal.COLLAPSED, settings.weight_collapsed, best))
    if Signal.ROOT in settings.signals:
        signals.append((Signal.ROOT, settings.weight_root, _root_similarity(memory, similar, count)))
    for _, weight, values in signals:
        values = np.where(in_views, values, -np.inf)
        scores += weight / (settings.eta_tree + ranks_within(values, groups))
    return np.where(in_views, scores, 0.0)


def _root_similarity(memory: Searchable, similar: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Similarity to each tree's root: under bounds the leaf-weighted mean of its maximal admissible nodes.

    The mean of vectors is taken through their dot products, which is the same and needs no vector.
    """
    forest = memory.forest
    maximal = forest.maximal(~np.isneginf(similar))
    leaves = (forest.node_last - forest.node_first)[maximal].astype(np.float64)
    weight = np.bincount(forest.node_tree[maximal], weights=leaves, minlength=count)
    total = np.bincount(forest.node_tree[maximal], weights=leaves * similar[maximal], minlength=count)
    return np.where(weight > 0, total / np.maximum(weight, 1.0), -np.inf)


def _kept(memory: Searchable, settings: ForestSettings, scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The best trees of each view, all together best first; equal scores in the forest's natural order."""
    kept: list[int] = []
    for view in settings.views:
        trees = np.flatnonzero((memory.tree_view == VIEWS.index(View(view))) & (scores > 0))
        kept += trees[np.lexsort((trees, -scores[trees]))][: settings.trees_kept].tolist()
    return np.array(sorted(kept, key=lambda tree: (-scores[tree], tree)), dtype=np.int64)
