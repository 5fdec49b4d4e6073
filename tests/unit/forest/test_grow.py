"""What a batch does to the trees, and what it costs."""

import pytest

from tests.unit.forest.logs import Memory, at, message, new_memory
from treering.forest.extractive import Extractive
from treering.forest.grow import forest_digest
from treering.forest.layout import level_counts
from treering.model.drafts import Change, RecordDraft


def many(count: int, start: int = 0) -> list[RecordDraft]:
    return [message(f"m{i:04}", 10 * i, f"step {i} is done", author="ann") for i in range(start, start + count)]


def leaves_of(memory: Memory, view: str, key: str, path: str = "") -> list[str]:
    return memory.shape()[view, key, path][0]


def edit(of: RecordDraft, minutes: float, text: str, **more) -> RecordDraft:
    return RecordDraft(
        f"{of.source_id}@{minutes}", of.channel, of.author, at(minutes), text, lineage=of.source_id,
        change=more.pop("change", Change.EDIT), created_at=of.valid_from, **more,
    )  # fmt: skip


def test_appending_a_record_summarizes_only_the_right_edge_of_its_trees(memory):
    memory.add(many(600))
    report = memory.add(many(1, start=600))
    # Its channel's branch, its author's branch there, and the two fixed nodes above that.
    assert report.nodes_summarized == report.nodes_new == 2 * len(level_counts(601)) + 2
    assert report.branches == 2


def test_a_late_record_redoes_only_what_stands_right_of_it(memory):
    memory.add(many(600))
    report = memory.add([message("late", 10 * 480 + 5, "late")])
    # Leaf 481 of 601: level 1 from node 30 of 38, level 2 from node 1 of 3, and the root.
    assert report.nodes_summarized == 2 * (8 + 2 + 1) + 2


def test_late_records_of_one_batch_are_merged_once(memory):
    memory.add(many(600))
    report = memory.add([message(f"late{i}", 10 * 480 + i, "late") for i in range(5)])
    assert report.branches == 2
    assert report.nodes_summarized == 2 * (8 + 2 + 1) + 2


def test_an_edit_redoes_the_path_above_its_leaf(memory):
    first = many(600)
    memory.add(first)
    report = memory.add([edit(first[100], 9_000, "step 100 is undone")])
    assert report.nodes_summarized == 2 * 3 + 2
    assert len(leaves_of(memory, "channel", "test/ops")) == 600


def test_growing_without_new_records_costs_nothing(memory):
    memory.add(many(20))
    report = memory.grow()
    assert (report.leaves, report.branches, report.nodes_new, report.nodes_summarized) == (0, 0, 0, 0)


def test_a_deleted_leaf_keeps_its_place_and_loses_its_words(memory):
    first = message("secret", 1, "the password is swordfish", mentions=("bob",))
    memory.add([message("before", 0, "hello"), first, message("after", 2, "bye")])
    assert any("swordfish" in text for text in memory.summaries().values())
    memory.add([edit(first, 10, "", change=Change.DELETE)])
    assert leaves_of(memory, "channel", "test/ops") == ["before", "secret", "after"]
    assert leaves_of(memory, "actor", "test/bob", "mentioned/test/ops") == ["secret"]
    stored = memory.connection.execute("SELECT body || text FROM summary").fetchall()
    assert not any("swordfish" in body for (body,) in stored)


def test_an_event_stands_in_no_tree(memory):
    memory.add([message("m1", 0, "ann joined", event="joined"), message("m2", 1)])
    assert leaves_of(memory, "channel", "test/ops") == ["m2"]


def test_an_earlier_version_that_arrives_late_moves_its_leaf(memory):
    first = message("m1", 5, "draft")
    memory.add([message("m0", 3), message("m2", 7), edit(message("m1", 9), 9, "final")])
    assert leaves_of(memory, "channel", "test/ops") == ["m0", "m2", "m1"]
    memory.add([first])
    assert leaves_of(memory, "channel", "test/ops") == ["m0", "m1", "m2"]


def test_a_mention_that_is_edited_away_takes_its_tree_along(memory):
    first = message("m1", 0, "ask @bob", mentions=("bob",))
    memory.add([first])
    assert ("actor", "test/bob", "mentioned/test/ops") in memory.shape()
    memory.add([edit(first, 5, "ask nobody")])
    assert not [key for key in memory.shape() if key[1] == "test/bob"]
    trees = memory.connection.execute("SELECT key FROM tree WHERE view = 'actor'").fetchall()
    assert trees == [("test/ann",)]


def test_a_branch_that_loses_its_last_leaf_is_as_if_it_never_had_it(memory):
    drafts = [message(f"m{i}", i, "@bob", mentions=("bob",)) for i in range(18)]
    memory.add(drafts[:17])
    before = memory.shape()["actor", "test/bob", "mentioned/test/ops"]
    memory.add(drafts[17:])
    memory.add([edit(drafts[17], 99, "nobody")])
    assert memory.shape()["actor", "test/bob", "mentioned/test/ops"] == before


def test_who_is_mentioned_twice_in_a_message_has_one_leaf_for_it(memory):
    memory.add([message("m1", 0, "@bob @bob", mentions=("bob", "bob"))])
    assert leaves_of(memory, "actor", "test/bob", "mentioned/test/ops") == ["m1"]


@pytest.mark.parametrize("root_thread", [None, "root"])
def test_the_root_joins_its_thread_when_the_first_reply_comes(memory, root_thread):
    root = message("root", 0, "who can help?", thread=root_thread)
    reply = message("reply", 1, "me", thread="root", reply_to="root")
    memory.add([root])
    assert not [key for key in memory.shape() if key[0] == "thread"], "a root without replies is no thread"
    memory.add([reply])
    assert leaves_of(memory, "thread", "test/ops/root") == ["root", "reply"]


def test_a_root_that_comes_after_its_replies_joins_them(memory):
    memory.add([message("reply", 1, "me", thread="root")])
    assert leaves_of(memory, "thread", "test/ops/root") == ["reply"]
    memory.add([message("root", 0, "who can help?")])
    assert leaves_of(memory, "thread", "test/ops/root") == ["root", "reply"]


def test_a_root_whose_replies_moved_away_is_a_thread_no_more(memory):
    reply = message("reply", 1, "me", thread="root")
    memory.add([message("root", 0, "who can help?"), reply])
    memory.add([edit(reply, 5, "me", thread="elsewhere")])
    assert [key[1] for key in memory.shape() if key[0] == "thread"] == ["test/ops/elsewhere"]


def test_a_thread_never_reaches_into_another_channel(memory):
    memory.add([message("root", 0, channel="ops"), message("reply", 1, channel="dev", thread="root")])
    assert leaves_of(memory, "thread", "test/dev/root") == ["reply"]


def test_a_renamed_channel_is_called_by_its_new_name_everywhere(memory):
    memory.name_channel("c1", "payments")
    memory.add([message("m1", 0, "hello", channel="c1", thread="rates", mentions=("bob",))])
    before = memory.shape()
    memory.name_channel("c1", "billing")
    report = memory.grow()
    assert memory.shape() == before, "a name is no structure"
    assert report.nodes_new == 0
    assert report.nodes_summarized > 0
    shown = memory.connection.execute("SELECT body || text FROM summary").fetchall()
    assert shown
    assert not any("payments" in text for (text,) in shown)
    assert {tree.label for tree in memory.view().trees} == {"billing", "billing > rates", "ann", "bob"}


def test_a_renamed_actor_is_called_by_the_new_name(memory):
    memory.name_actor("u1", "Robert")
    memory.add([message("m1", 0, "hello", author="ann", mentions=("u1",))])
    memory.name_actor("u1", "Bob")
    memory.grow()
    assert "mentioning Bob in ops" in " ".join(memory.summaries().values())
    assert "mentioning Robert" not in " ".join(memory.summaries().values())


def test_another_summarizer_makes_every_summary_anew(memory):
    class Other(Extractive):
        name = "other-2"

    memory.add([message(f"m{i}", i, "hello", mentions=("bob",)) for i in range(20)])
    nodes = len(memory.view().node_tree)
    report = memory.grow(Other())
    assert (report.nodes_new, report.nodes_summarized) == (0, nodes)
    assert memory.connection.execute("SELECT count(*) FROM summary").fetchone() == (nodes,)
    assert memory.grow(Other()).nodes_summarized == 0


def test_the_digest_follows_content_and_not_arrival(memory, tmp_path):
    drafts = [message(f"m{i}", i % 7, f"text {i}", thread="t") for i in range(40)]
    memory.add(drafts)
    (tmp_path / "other").mkdir()
    other = new_memory(tmp_path / "other")
    for draft in reversed(drafts):
        other.add([draft])
    assert forest_digest(other.connection) == forest_digest(memory.connection)
    other.add([message("m40", 99, "one more")])
    assert forest_digest(other.connection) != forest_digest(memory.connection)
    other.database.close()
