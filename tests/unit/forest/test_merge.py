"""Leaves come into a branch where they belong, at the price of what is late."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treering.forest.merge import merged


def key_of(leaf: int) -> tuple[int, int, str, str]:
    return (leaf % 7, 0, "s", f"{leaf:04}")  # many equal times


def array(leaves) -> np.ndarray:
    return np.array(sorted(leaves, key=key_of), dtype=np.int32)


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_the_result_is_what_sorting_everything_would_give(present, dirty, incoming):
    found = merged(array(present), array(dirty), array(incoming), key_of)
    assert found.tolist() == array((present - dirty) | incoming).tolist()


@given(st.permutations(range(10)), st.sets(st.integers(0, 9), min_size=1))
def test_dirty_leaves_may_stand_anywhere_before(order, dirty):
    present = [leaf for leaf in order if leaf in dirty]
    clean = iter(array(set(range(10)) - dirty).tolist())
    mixed = np.array([leaf if leaf in present else next(clean) for leaf in order], dtype=np.int32)
    assert merged(mixed, array(dirty), array(dirty), key_of).tolist() == array(range(10)).tolist()


def test_an_append_looks_at_two_leaves_only():
    looked_at = []

    def counting(leaf: int) -> tuple[int, int, str, str]:
        looked_at.append(leaf)
        return (leaf, 0, "s", "k")

    present = np.arange(100_000, dtype=np.int32)
    found = merged(present, array([]), np.array([100_000, 100_001], dtype=np.int32), counting)
    assert len(found) == 100_002
    assert len(looked_at) == 2


def test_a_late_leaf_is_found_its_place_by_halving():
    looked_at = []

    def counting(leaf: int) -> tuple[int, int, str, str]:
        looked_at.append(leaf)
        return (leaf * 10 if leaf < 100_000 else 55, 0, "s", "k")

    found = merged(np.arange(100_000, dtype=np.int32), array([]), np.array([100_000], dtype=np.int32), counting)
    assert found[5:8].tolist() == [5, 100_000, 6]
    assert len(looked_at) < 25
