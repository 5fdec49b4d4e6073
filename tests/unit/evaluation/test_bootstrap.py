import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.evaluation.bootstrap import CHUNK, paired_intervals


def test_the_same_differences_give_the_same_interval():
    differences = np.array([[0.5], [0.0], [-0.25], [1.0]])

    assert paired_intervals(differences).tolist() == paired_intervals(differences).tolist()


def test_equal_differences_leave_no_doubt():
    assert paired_intervals(np.full((7, 1), 0.2)).round(9).tolist() == [[0.2], [0.2]]


def test_the_interval_of_a_large_sample_is_that_of_the_normal_distribution():
    values = np.concatenate([np.zeros(500), np.ones(500)])[:, None]
    low, high = paired_intervals(values)[:, 0]
    half_width = 1.96 * values.std() / np.sqrt(len(values))

    assert abs(low - (0.5 - half_width)) < 0.004
    assert abs(high - (0.5 + half_width)) < 0.004


def test_resamples_in_several_pieces_are_all_used():
    differences = np.array([[0.0], [1.0]])

    assert paired_intervals(differences, resamples=CHUNK + 1).shape == (2, 1)
    assert paired_intervals(differences, resamples=1)[0] == paired_intervals(differences, resamples=1)[1]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_interval_lies_within_the_differences_and_turns_with_their_sign(values):
    column = np.array(values)[:, None]
    low, high = paired_intervals(column, resamples=400)[:, 0]
    turned_low, turned_high = paired_intervals(-column, resamples=400)[:, 0]

    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert np.allclose([-turned_high, -turned_low], [low, high])
