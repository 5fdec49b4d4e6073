"""Rankings: cut, joined, and never decided by the order of arrival."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treering.retrieval.fusion import Ranking, falling, fuse, ranks_within, top


def ranking(*rows: int) -> Ranking:
    return Ranking(np.array(rows, dtype=np.int64), np.zeros(len(rows)))


def test_what_does_not_match_is_not_ranked() -> None:
    assert top(np.array([0.0, 0.0]), 5, ties=np.arange(2)).rows.tolist() == []


def test_a_tie_at_the_cut_is_broken_by_the_natural_order() -> None:
    scores = np.array([1.0, 1.0, 1.0, 2.0])
    assert top(scores, 2, ties=np.array([2, 0, 1, 3])).rows.tolist() == [3, 1]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(1, 30), st.randoms(use_true_random=False))
def test_a_cut_is_the_head_of_the_whole_ranking(scores: list[int], count: int, order) -> None:
    ties = list(range(len(scores)))
    order.shuffle(ties)
    values, natural = np.array(scores, dtype=np.float32), np.array(ties)
    whole = top(values, len(scores), natural, above=-1.0)
    assert top(values, count, natural, above=-1.0).rows.tolist() == whole.rows.tolist()[:count]


def test_a_row_that_both_legs_find_beats_one_that_a_single_leg_ranks_first() -> None:
    fused = fuse([ranking(1, 2), ranking(3, 2)], [1, 1], eta=60, ties=np.arange(5))
    assert fused.rows.tolist() == [2, 1, 3]


def test_a_heavier_leg_decides_between_its_first_and_the_other_legs_first() -> None:
    fused = fuse([ranking(1), ranking(3)], [1, 2], eta=60, ties=np.arange(5))
    assert fused.rows.tolist() == [3, 1]


def test_fusing_nothing_gives_nothing() -> None:
    assert fuse([ranking(), ranking()], [1, 1], eta=60, ties=np.arange(5)).rows.tolist() == []


def test_ranks_start_anew_in_each_group_and_what_is_absent_has_none() -> None:
    ranks = ranks_within(np.array([3.0, 9.0, -np.inf, 5.0]), np.array([0, 1, 1, 0]))
    assert ranks.tolist() == [2.0, 1.0, np.inf, 1.0]


@given(st.lists(st.floats(-1e6, 1e6), max_size=40))
def test_lowered_scores_fall_strictly_and_never_rise(scores: list[float]) -> None:
    lowered = falling(scores)
    assert all(a > b for a, b in itertools.pairwise(lowered))
    assert all(low <= score for low, score in zip(lowered, scores, strict=True))
