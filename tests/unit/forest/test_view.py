"""Reading the forests back: placements, windows, nodes under bounds."""

import numpy as np
import pytest

from tests.unit.forest.logs import message
from treering.forest.kinds import View
from treering.forest.view import ForestView

AUTHORS = ("ann", "bob")


@pytest.fixture
def grown(memory):
    """40 messages in two channels, turn by turn, by two people; every fifth mentions bob."""
    memory.add(
        [
            message(
                f"m{i:02}", i, f"note {i}", ("ops", "dev")[i % 2], AUTHORS[i // 20],
                mentions=("bob",) if i % 5 == 0 else (),
            )
            for i in range(40)
        ]
    )  # fmt: skip
    return memory


def tree_of(view: ForestView, kind: View, key: str) -> int:
    (tree,) = view.find(kind, key=key)
    return tree


def test_trees_stand_in_natural_order(grown):
    view = grown.view()
    assert [(tree.view, tree.key) for tree in view.trees] == [
        ("actor", "test/ann"), ("actor", "test/bob"), ("channel", "test/dev"), ("channel", "test/ops"),
    ]  # fmt: skip


def test_an_actors_tree_has_its_parts_and_channels_below_the_root(grown):
    view = grown.view()
    root = int(view.tree_root[tree_of(view, View.ACTOR, "test/bob")])
    authored, mentioned = view.children(root).tolist()
    assert grown.keys(view.leaves_below(authored)) == [f"m{i:02}" for i in (*range(21, 40, 2), *range(20, 40, 2))]
    assert grown.keys(view.leaves_below(mentioned)) == [f"m{i:02}" for i in (5, 15, 25, 35, 0, 10, 20, 30)]
    assert len(view.children(authored)) == len(view.children(mentioned)) == 2
    assert view.node_level[root] == view.node_level[authored] + 1 == 3
    assert view.path(int(view.children(authored)[1])) == [root, authored, int(view.children(authored)[1])]


def test_a_leaf_has_a_placement_for_every_tree_that_holds_it(grown):
    view = grown.view()
    leaf = grown.leaf("m25")
    places = view.placements(leaf)
    assert [(p.view, view.trees[p.tree].key) for p in places] == [
        ("actor", "test/bob"), ("actor", "test/bob"), ("channel", "test/dev"),
    ]  # fmt: skip
    assert view.trees_of(leaf).tolist() == sorted({p.tree for p in places})
    assert view.placements(10_000) == ()
    assert view.trees_of(10_000).tolist() == []


def test_a_window_holds_the_admissible_neighbours_of_the_branch(grown):
    view = grown.view()
    ops = tree_of(view, View.CHANNEL, "test/ops")
    assert grown.keys(view.window(grown.leaf("m10"), ops, 2)) == ["m06", "m08", "m12", "m14"]
    assert grown.keys(view.window(grown.leaf("m00"), ops, 2)) == ["m02", "m04"]
    mask = np.ones(100, dtype=np.bool_)
    mask[[grown.leaf("m08"), grown.leaf("m12")]] = False
    assert grown.keys(view.window(grown.leaf("m10"), ops, 2, mask)) == ["m04", "m06", "m14", "m16"]
    mask[:] = False
    mask[grown.leaf("m38")] = True
    assert grown.keys(view.window(grown.leaf("m00"), ops, 2, mask)) == ["m38"]
    assert view.window(grown.leaf("m11"), ops, 2) == []


def test_a_window_does_not_run_on_into_another_channel(grown):
    view = grown.view()
    ann = tree_of(view, View.ACTOR, "test/ann")
    assert grown.keys(view.window(grown.leaf("m19"), ann, 3)) == ["m13", "m15", "m17"]


def test_cotenants_share_a_parent_in_some_tree(grown):
    view = grown.view()
    found = grown.keys(view.cotenants(grown.leaf("m00")))
    assert "m00" not in found
    assert len(found) == len(set(found))
    assert {"m10", "m02", "m30"} <= set(found)
    assert "m01" not in found


def test_a_node_is_admissible_only_when_all_its_leaves_are(grown):
    view = grown.view()
    mask = np.ones(100, dtype=np.bool_)
    mask[grown.leaf("m39")] = False
    ok = view.wholly_admissible_nodes(mask)
    for node in range(len(ok)):
        assert ok[node] == (grown.leaf("m39") not in view.leaves_below(node).tolist())


def test_under_bounds_a_tree_is_its_maximal_admissible_nodes(grown):
    view = grown.view()
    everything = view.maximal(np.ones(len(view.node_tree), dtype=np.bool_))
    assert everything.tolist() == sorted(view.tree_root.tolist())
    mask = np.ones(100, dtype=np.bool_)
    mask[grown.leaf("m39")] = False
    ok = view.wholly_admissible_nodes(mask)
    found = view.maximal(ok)
    dev = tree_of(view, View.CHANNEL, "test/dev")
    assert [view.node_level[n] for n in found if view.node_tree[n] == dev] == [1]
    covered = [leaf for n in found for leaf in view.leaves_below(n).tolist()]
    assert grown.leaf("m39") not in covered


def test_every_node_has_a_summary_with_text(grown):
    view = grown.view()
    texts = view.summary_texts(grown.connection, range(len(view.node_tree)))
    assert len(texts) == len(view.node_tree)
    keys = grown.connection.execute("SELECT text_key FROM summary").fetchall()
    assert {row[0] for row in keys} == {key.tobytes() for key in view.node_text_key}


def test_an_empty_memory_has_an_empty_view(memory):
    view = memory.view()
    assert (len(view.trees), len(view.leaves), len(view.node_tree)) == (0, 0, 0)
    assert view.maximal(np.zeros(0, dtype=np.bool_)).tolist() == []
    assert view.wholly_admissible_nodes(np.zeros(1, dtype=np.bool_)).tolist() == []
