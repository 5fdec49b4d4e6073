"""Parting the records around one identifier into deliverables, by their vectors: farthest-first, then merging.

Pure arithmetic. Source: EGCForest section 3.1.1, which merges centroids from a cosine of 0.88 on. That number belongs
to its encoder: cosines of another may all lie above it. So thresholds are kept as quantiles of the cosine of random
pairs of records, and turned into cosines for each encoder.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Thresholds", "clusters", "thresholds_from"]

# Quantiles of the cosine of random pairs. Source: ours; the paper tells no distribution to read its 0.88 off. On a chat
# of 48,000 messages they are 0.13, 0.49 and 0.35 for MiniLM, 0.83, 0.89 and 0.87 for e5-small, and with both encoders
# most components of one identifier stay whole while strangers among them are parted off.
SPREAD_QUANTILE: Final = 0.50  # a leaf no nearer to any centre than strangers are to each other starts a new one
MERGE_QUANTILE: Final = 0.99
BORDERLINE_QUANTILE: Final = 0.95
CENTRES_MAX: Final = 4  # ours: an identifier that stands for more than four things is no name

Vectors = NDArray[np.float32]  # shape (leaves, dimensions), unit length; rows of NaN where there is none


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines, for one encoder."""

    spread: float  # below it to every centre, a leaf becomes a centre itself
    merge: float  # from it on, two centroids are one cluster
    borderline: float  # from it on, a judge is asked


def thresholds_from(sample: Vectors) -> Thresholds:
    """The thresholds of the encoder that made these vectors, by the cosines of all pairs of them."""
    cosines = (sample @ sample.T)[np.triu_indices(len(sample), k=1)]
    spread, merge, borderline = np.quantile(cosines, [SPREAD_QUANTILE, MERGE_QUANTILE, BORDERLINE_QUANTILE])
    return Thresholds(float(spread), float(merge), float(borderline))


def clusters(vectors: Vectors, thresholds: Thresholds, same: Callable[[list[int], list[int]], bool]) -> list[list[int]]:
    """The rows in groups, each ascending, groups by their first row.

    Args:
        vectors: of the leaves, in leaf order; the first one with a vector is the first centre.
        thresholds: of the encoder.
        same: settles a pair of groups between `borderline` and `merge`.
    """
    present: NDArray[np.bool_] = ~np.isnan(vectors[:, 0])
    if not present.any():
        return [list(range(len(vectors)))]
    groups = _around(vectors, _centres(vectors, present, thresholds.spread), present)
    refused: set[tuple[int, int]] = set()
    while (pair := _nearest_pair(vectors, groups, present, refused)) is not None:
        a, b, cosine = pair
        if cosine < thresholds.borderline:
            break
        if cosine >= thresholds.merge or same(groups[a], groups[b]):
            groups[a] = sorted(groups[a] + groups[b])
            del groups[b]
            refused.clear()
        else:
            refused.add((a, b))
    return sorted(groups)


def _centres(vectors: Vectors, present: NDArray[np.bool_], spread: float) -> list[int]:
    """Farthest-first traversal from the earliest leaf."""
    centres = [int(np.argmax(present))]
    nearest = np.where(present, vectors @ vectors[centres[0]], np.inf)
    while len(centres) < CENTRES_MAX:
        farthest = int(np.argmin(nearest))
        if nearest[farthest] >= spread:
            break
        centres.append(farthest)
        nearest = np.maximum(nearest, np.where(present, vectors @ vectors[farthest], np.inf))
    return centres


def _around(vectors: Vectors, centres: list[int], present: NDArray[np.bool_]) -> list[list[int]]:
    """Each row with its nearest centre; a row without a vector stays with the one before it."""
    nearest = np.argmax(np.nan_to_num(vectors) @ vectors[centres].T, axis=1)
    first = int(np.argmax(present))
    source = np.maximum.accumulate(np.where(present, np.arange(len(vectors)), first))
    owner = nearest[source]
    groups = [np.flatnonzero(owner == centre).tolist() for centre in range(len(centres))]
    return [group for group in groups if group]


def _nearest_pair(
    vectors: Vectors, groups: list[list[int]], present: NDArray[np.bool_], refused: set[tuple[int, int]]
) -> tuple[int, int, float] | None:
    centroids = np.array([vectors[[row for row in group if present[row]]].mean(axis=0) for group in groups])
    centroids /= np.maximum(np.linalg.norm(centroids, axis=1, keepdims=True), 1e-9)
    cosines = centroids @ centroids.T
    pairs = [
        (a, b, float(cosines[a, b]))
        for a in range(len(groups))
        for b in range(a + 1, len(groups))
        if (a, b) not in refused
    ]
    return max(pairs, key=lambda pair: pair[2], default=None)
