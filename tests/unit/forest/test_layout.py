"""The arithmetic of branches."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treering.forest.layout import K, layout, level_counts, node_count

LENGTHS = st.lists(st.integers(1, 40) | st.sampled_from([255, 256, 257, 4096, 4097, 70_000]), min_size=1, max_size=6)


@given(LENGTHS)
def test_every_node_has_at_most_k_children_that_cover_it_in_order(lengths):
    plan = layout(np.array(lengths))
    below: dict[int, list[int]] = {}
    for node, parent in enumerate(plan.parent.tolist()):
        if parent >= 0:
            below.setdefault(parent, []).append(node)
            assert plan.branch[node] == plan.branch[parent]
            assert plan.level[node] + 1 == plan.level[parent]
    for node in range(len(plan.parent)):
        children = below.get(node)
        if children is None:
            assert plan.level[node] == 1
            assert 1 <= plan.last[node] - plan.first[node] <= K
        else:
            assert 1 <= len(children) <= K
            edges = [(plan.first[child], plan.last[child]) for child in children]
            assert edges[0][0] == plan.first[node]
            assert edges[-1][1] == plan.last[node]
            assert all(a[1] == b[0] for a, b in pairwise(edges))


@given(LENGTHS)
def test_a_branch_has_one_root_over_all_its_leaves_and_it_comes_last(lengths):
    plan = layout(np.array(lengths))
    assert np.diff(plan.start).tolist() == [node_count(length) for length in lengths]
    roots = plan.start[1:] - 1
    assert np.flatnonzero(plan.parent < 0).tolist() == roots.tolist()
    assert plan.first[roots].tolist() == [0] * len(lengths)
    assert plan.last[roots].tolist() == lengths


def test_a_branch_of_one_leaf_has_one_node_and_an_empty_one_has_none():
    assert (level_counts(1), level_counts(0)) == ([1], [])
    assert len(layout(np.array([], dtype=np.int64)).parent) == 0


def test_appending_a_leaf_to_a_hundred_thousand_stands_below_five_nodes():
    assert len(level_counts(100_001)) == 5
