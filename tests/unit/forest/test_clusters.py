"""Parting a component by its vectors."""

import numpy as np

from treering.forest.clusters import Thresholds, clusters, thresholds_from

APART = Thresholds(spread=0.5, merge=0.9, borderline=0.7)


def unit(*angles: float) -> np.ndarray:
    """Vectors in a plane, by their angle in degrees."""
    radians = np.deg2rad(np.array(angles))
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def never(one: list[int], other: list[int]) -> bool:
    return False


def test_two_directions_make_two_clusters_in_order_of_their_first_leaf():
    assert clusters(unit(90, 0, 92, 2, 91), APART, never) == [[0, 2, 4], [1, 3]]


def test_what_lies_close_together_is_one_cluster():
    assert clusters(unit(0, 10, 20, 30), APART, never) == [[0, 1, 2, 3]]


def test_clusters_whose_centroids_reach_the_merge_threshold_become_one():
    spread = Thresholds(spread=0.99, merge=0.9, borderline=0.7)
    assert clusters(unit(0, 12, 1, 13), spread, never) == [[0, 1, 2, 3]]


def test_a_borderline_pair_is_put_to_the_judge_and_else_stays_apart():
    between = Thresholds(spread=0.9, merge=0.99, borderline=0.7)
    asked = []

    def yes(one: list[int], other: list[int]) -> bool:
        asked.append((one, other))
        return True

    assert clusters(unit(0, 40, 1, 41), between, never) == [[0, 2], [1, 3]]
    assert clusters(unit(0, 40, 1, 41), between, yes) == [[0, 1, 2, 3]]
    assert len(asked) == 1


def test_a_leaf_without_a_vector_stays_with_the_one_before_it():
    vectors = unit(0, 0, 90, 0, 90)
    vectors[[0, 3]] = np.nan
    assert clusters(vectors, APART, never) == [[0, 1], [2, 3, 4]]


def test_without_any_vector_there_is_one_cluster():
    assert clusters(np.full((3, 2), np.nan, dtype=np.float32), APART, never) == [[0, 1, 2]]


def test_thresholds_lie_in_the_upper_half_of_what_random_pairs_show():
    found = thresholds_from(unit(*range(90)))
    assert found.spread < found.borderline < found.merge <= 1.0
