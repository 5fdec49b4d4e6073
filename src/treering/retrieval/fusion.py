"""Cutting and joining rankings. Ties end in natural keys, never in the order of arrival."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ranking", "falling", "fuse", "ranks_within", "top"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Rows in rank order, best first, with the scores that put them there."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)


def top(scores: NDArray[np.floating], count: int, ties: NDArray[np.int64], above: float = 0.0) -> Ranking:
    """The `count` best rows whose score is greater than `above`; equal scores in the order of `ties`.

    >>> top(np.array([0.5, 0.9, 0.5, 0.0]), 2, ties=np.array([3, 2, 1, 0])).rows.tolist()
    [1, 2]
    """
    rows = np.flatnonzero(scores > above)
    if len(rows) > count:
        least = np.partition(scores[rows], len(rows) - count)[len(rows) - count]
        rows = rows[scores[rows] >= least]
    order = np.lexsort((ties[rows], -scores[rows]))[:count]
    return Ranking(rows[order], scores[rows[order]].astype(np.float64))


def fuse(
    rankings: Sequence[Ranking], weights: Sequence[float], eta: int, ties: NDArray[np.int64], first_rank: int = 1
) -> Ranking:
    """Weighted reciprocal-rank fusion: rows that many rankings rank high come first.

    Ranks count from 1 (Cormack et al. 2009; EGCForest section 3.2.1) or from 0 (Mem++).

    >>> a, b = (Ranking(np.array(rows), np.zeros(2)) for rows in ([7, 8], [8, 9]))
    >>> fuse([a, b], [1, 1], eta=60, ties=np.arange(10)).rows.tolist()
    [8, 7, 9]
    """
    rows = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(ranking.rows for ranking in rankings)]))
    scores = np.zeros(len(rows))
    for ranking, weight in zip(rankings, weights, strict=True):
        scores[np.searchsorted(rows, ranking.rows)] += weight / (eta + first_rank + np.arange(len(ranking)))
    order = np.lexsort((ties[rows], -scores))
    return Ranking(rows[order], scores[order])


def ranks_within(scores: NDArray[np.floating], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    """The rank of each score within its group, from 1; scores of minus infinity have no rank (infinity).

    >>> ranks_within(np.array([0.2, 0.9, 0.4]), np.array([0, 0, 1])).tolist()
    [2.0, 1.0, 1.0]
    """
    order = np.lexsort((np.arange(len(scores)), -scores, groups))
    ranks = np.empty(len(scores))
    starts = np.flatnonzero(np.r_[True, np.diff(groups[order]) != 0]) if len(order) else np.empty(0, dtype=np.int64)
    lengths = np.diff(np.r_[starts, len(order)])
    ranks[order] = np.arange(len(order)) - np.repeat(starts, lengths) + 1
    ranks[np.isneginf(scores)] = np.inf
    return ranks


def falling(scores: Sequence[float]) -> list[float]:
    """The same scores, lowered by as little as makes them fall strictly with rank.

    >>> falling([0.5, 0.5, 0.7]) == sorted(set(falling([0.5, 0.5, 0.7])), reverse=True)
    True
    """
    lowered: list[float] = []
    for score in scores:
        lowered.append(score if not lowered or score < lowered[-1] else float(np.nextafter(lowered[-1], -np.inf)))
    return lowered
