"""Paired bootstrap over questions: how much a mean difference may owe to the questions that happened to be asked.

Source: Efron and Tibshirani 1993, percentile intervals; Sakai 2006 for its use on retrieval runs. Seeded, so the same
differences give the same interval everywhere.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["paired_intervals"]

SEED = 20_251_201
RESAMPLES = 10_000
CHUNK = 500  # resamples at a time: bounds the memory that a thousand questions need


def paired_intervals(
    differences: NDArray[np.float64], *, resamples: int = RESAMPLES, seed: int = SEED
) -> NDArray[np.float64]:
    """The 95% intervals of the means of paired differences.

    Args:
        differences: shape (questions, metrics); at least one question.
        resamples: how often the questions are drawn anew, with replacement; all metrics share the draws.
        seed: of the draws.

    Returns:
        Shape (2, metrics): the 2.5th and 97.5th percentiles of the resampled means.
    """
    count = len(differences)
    assert count, "an interval needs a question"
    chance = np.random.Generator(np.random.PCG64(seed))
    means = []
    for start in range(0, resamples, CHUNK):
        size = min(CHUNK, resamples - start)
        drawn = chance.integers(0, count, size=(size, count)) + np.arange(size)[:, None] * count
        times = np.bincount(drawn.ravel(), minlength=size * count).reshape(size, count)
        means.append(times @ differences / count)
    return np.percentile(np.concatenate(means), [2.5, 97.5], axis=0)
