"""Bridges: what is joined, in which order, within which bounds."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.unit.forest.logs import Memory, message, new_memory
from treering.bridges.bridges import LINKS_MAX, Bridges
from treering.model.drafts import RecordDraft, RecordKind


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = new_memory(tmp_path)
    yield memory
    memory.database.close()


def bridges(memory: Memory, key: str, admissible=None, **more) -> list[tuple[str, str, str | None]]:
    found = Bridges(memory.connection, **more).of(memory.leaf(key), admissible)
    assert all(bridge.leaf == memory.leaf(key) for bridge in found)
    return [(memory.keys([bridge.other])[0], bridge.kind, bridge.identifier) for bridge in found]


def test_a_reply_is_a_bridge_both_ways(memory):
    memory.add([message("q", 0), message("r", 1, reply_to="q"), message("s", 2, reply_to="q")])
    assert bridges(memory, "r") == [("q", "reply", None)]
    assert bridges(memory, "q") == [("r", "reply", None), ("s", "reply", None)]


def test_a_reference_is_a_bridge_both_ways_and_comes_after_replies(memory):
    memory.add([message("q", 0), message("x", 1), message("r", 9, reply_to="q", refs=("x",))])
    assert bridges(memory, "r") == [("q", "reply", None), ("x", "ref", None)]
    assert bridges(memory, "x") == [("r", "ref", None)]


def test_a_link_to_a_record_that_comes_later_is_a_bridge_from_then_on(memory):
    memory.add([message("r", 1, reply_to="q")])
    assert bridges(memory, "r") == []
    memory.add([message("q", 0)])
    assert bridges(memory, "r") == [("q", "reply", None)]
    assert bridges(memory, "q") == [("r", "reply", None)]


def test_same_identifiers_join_the_nearest_in_time_and_no_more_than_b(memory):
    memory.add([message(f"m{i}", i * i, f"OPS-1 step {i}") for i in range(10)])
    found = bridges(memory, "m3", links_max=4)
    assert found == [(f"m{i}", "identifier", "OPS-1") for i in (2, 4, 1, 0)]
    assert len(bridges(memory, "m5")) == LINKS_MAX


def test_equal_distances_are_settled_by_natural_order_and_not_by_arrival(memory):
    memory.add([message(name, minutes, "OPS-1") for name, minutes in (("z", 4), ("y", 6), ("x", 4), ("mid", 5))])
    assert [other for other, _, _ in bridges(memory, "mid", links_max=2)] == ["x", "z"]
    assert [other for other, _, _ in bridges(memory, "mid", links_max=1)] == ["x"]


def test_the_bound_is_for_the_leaf_and_not_for_each_identifier(memory):
    memory.add([message("m", 0, "OPS-1 and OPS-2"), *(message(f"a{i}", 1 + i, "OPS-1") for i in range(4)),
                *(message(f"b{i}", 1.5 + i, "OPS-2") for i in range(4))])  # fmt: skip
    assert [other for other, _, _ in bridges(memory, "m")] == ["a0", "b0", "a1", "b1"]


def test_only_admissible_leaves_are_reached_and_others_do_not_take_their_place(memory):
    memory.add([message(f"m{i}", i, "OPS-1", reply_to="m0" if i == 9 else None) for i in range(10)])
    mask = np.ones(20, dtype=np.bool_)
    mask[[memory.leaf(f"m{i}") for i in (0, 2, 4, 5)]] = False
    assert [other for other, _, _ in bridges(memory, "m3", mask)] == ["m1", "m6", "m7", "m8"]
    assert ("m0", "reply", None) not in bridges(memory, "m9", mask)
    assert bridges(memory, "m4", mask) == []


def test_a_leaf_outside_the_mask_is_not_admissible(memory):
    memory.add([message("q", 0), message("r", 1, reply_to="q")])
    assert bridges(memory, "q", np.ones(memory.leaf("r"), dtype=np.bool_)) == []


def test_a_link_to_a_document_leads_to_its_versions(memory):
    versions = [
        RecordDraft(f"plan-{i}", "docs", "ann", message("", i).valid_from, f"plan {i}", lineage="plan",
                    kind=RecordKind.DOCUMENT)
        for i in (1, 2)
    ]  # fmt: skip
    memory.add([*versions, message("m", 9, "see the plan", refs=("plan",))])
    assert [other for other, _, _ in bridges(memory, "m")] == ["plan-2", "plan-1"]
    assert [other for other, _, _ in bridges(memory, "plan-1")] == ["m"]


def test_an_edited_message_is_joined_by_what_it_says_now(memory):
    memory.add([message("a", 0, "OPS-1"), message("b", 1, "OPS-1")])
    first = message("b", 1, "OPS-1")
    memory.add([RecordDraft("b.1", first.channel, first.author, message("", 5).valid_from, "OPS-2", lineage="b",
                            created_at=first.valid_from)])  # fmt: skip
    assert bridges(memory, "a") == []
