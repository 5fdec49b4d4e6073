"""Appending: what is new, what is a version, what is known already."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import deletion_of, edit_of, log_at, message, private, public
from treering.log.content import root_of
from treering.log.reader import LogReader
from treering.log.verify import faults_in_log
from treering.model.drafts import ActorDraft, ActorKind, Change, ChannelDraft, ChannelKind, RecordDraft, Shared


def test_a_message_logged_twice_is_logged_once(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        assert writer.append("slack", message("1", "we ship Friday")).change is Change.NEW
        assert writer.append("slack", message("1", "we ship Friday")).unchanged
        assert writer.last == 1


def test_equal_words_said_twice_are_two_records(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.append("slack", message("1", "approved", minute=1))
        writer.append("slack", message("2", "approved", minute=2))
        assert writer.last == 2


def test_the_same_id_in_another_source_is_another_record(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.append("slack", message("1", "hi"))
        assert writer.append("zulip", message("1", "hi")).change is Change.NEW


def test_things_that_share_an_id_are_apart_and_their_root_does_not_depend_on_which_came_first(tmp_path: Path) -> None:
    drafts = []
    for text, mark in (("the plan", "aa11"), ("another plan", "bb22"), ("another  plan", "bb22")):
        shared = Shared("m@k", mark)
        drafts.append(replace(message("m@k", text), thread="m@k", shared=shared))
        drafts.append(replace(message("m@k#f1", f"file of {text}"), reply_to="m@k", shared=shared))
    roots = set()
    for number, order in enumerate(itertools.permutations(range(3))):
        with log_at(tmp_path / f"{number}.db") as (database, writer):
            arriving = [drafts[2 * place + part] for place in order for part in (0, 1)]
            appended = [writer.append("mail", draft).change for draft in arriving]
            assert sorted(map(str, appended)) == ["edit", "edit", "new", "new", "new", "new"]
            assert all(writer.append("mail", draft).unchanged for draft in arriving)
            assert database.connection.execute("SELECT count(*) FROM leaf").fetchone() == (4,)
            assert faults_in_log(database.connection) == []
            roots.add(root_of(LogReader(database.connection).hashes()))
            files = database.connection.execute("SELECT lineage, reply_to FROM record WHERE reply_to IS NOT NULL")
            assert all(lineage == f"{carrier}#f1" for lineage, carrier in files)
    assert len(roots) == 1


def test_a_changed_text_without_an_edit_stamp_is_an_edit_and_the_last_one_heads(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.append("jsonl", message("1", "ship Monday"))
        assert writer.append("jsonl", message("1", "ship Friday")).change is Change.EDIT
        assert database.connection.execute("SELECT head FROM leaf").fetchall() == [(2,)]


def test_an_old_version_that_arrives_late_does_not_head(tmp_path: Path) -> None:
    first = message("1", "ship Monday")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.append("slack", edit_of(first, "ship Friday", minute=60))
        writer.append("slack", first)
        assert database.connection.execute("SELECT head, first_at FROM leaf").fetchone()[0] == 1
        versions = LogReader(database.connection).versions_of(1)
        assert [(v.text, v.version) for v in versions] == [("ship Monday", 1), ("ship Friday", 2)]


def test_a_deleted_message_has_no_head_and_keeps_its_versions(tmp_path: Path) -> None:
    first = message("1", "the vendor quote is 40k")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.append("slack", first)
        writer.append("slack", deletion_of(first, minute=9))
        assert database.connection.execute("SELECT head FROM leaf").fetchone() == (0,)
        assert [v.change for v in LogReader(database.connection).versions_of(1)] == [Change.NEW, Change.DELETE]


def test_a_deletion_without_a_time_of_its_own_holds_even_if_the_text_arrives_after_it(tmp_path: Path) -> None:
    first = message("1", "the vendor quote is 40k")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.append("slack", deletion_of(first, minute=0))
        writer.append("slack", first)
        assert database.connection.execute("SELECT head FROM leaf").fetchone() == (0,)
        assert LogReader(database.connection).columns(2).later_pairs.tolist() == [[1, 0]]


def test_a_new_rendering_of_a_text_whose_id_is_final_is_no_version(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.append("slack", replace(message("1", "ask @ana"), id_is_final=True))
        assert writer.append("slack", replace(message("1", "ask @Ana Lobo"), id_is_final=True)).unchanged


def test_a_thread_root_seen_before_and_after_its_first_reply_is_one_version(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.append("slack", message("1", "anyone?"))
        assert writer.append("slack", message("1", "anyone?", thread="1")).unchanged


def test_an_author_nobody_described_gets_a_placeholder_that_a_later_list_fills(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.append("slack", message("1", "hi", author="U0GHOST"))
        writer.registry.put_actor("slack", ActorDraft("U0GHOST", "Vera", ActorKind.EXTERNAL))
        assert database.connection.execute("SELECT name, kind FROM actor").fetchall() == [("Vera", "external")]


def test_a_new_list_of_members_replaces_the_old_one(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("slack", private("board", "ana", "ben"))
        writer.registry.put_channel("slack", private("board", "ana"))
        ana = writer.registry.actor("slack", "ana")[0]
        assert [channel.members for channel in writer.registry.channels()] == [frozenset({ana})]


def test_what_is_merely_assumed_does_not_open_a_closed_channel(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("jsonl", replace(private("board"), members=None))
        writer.registry.put_channel("jsonl", replace(public("board"), stated=False))
        assert [channel.kind.value for channel in writer.registry.channels()] == ["private"]
        writer.registry.put_channel("jsonl", public("board"), at=1)
        assert [channel.kind.value for channel in writer.registry.channels()] == ["public"]


def test_a_channel_known_by_name_is_not_renamed_or_closed_by_a_source_that_knows_its_id_alone(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("slack", ChannelDraft("C0ENG", "eng", ChannelKind.PUBLIC))
        writer.registry.put_channel("slack", ChannelDraft("C0ENG", "C0ENG", ChannelKind.PRIVATE, stated=False))
        assert [(c.name, c.kind.value) for c in writer.registry.channels()] == [("eng", "public")]


def test_the_operator_may_open_a_channel_of_which_no_source_says_anything(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.registry.put_channel("jsonl", replace(private("board"), members=None, stated=False))
        writer.registry.put_channel("jsonl", replace(public("board"), stated=False))
        assert [channel.kind.value for channel in writer.registry.channels()] == ["public"]


def test_an_edit_later_than_a_deletion_does_not_bring_a_text_back(tmp_path: Path) -> None:
    first = message("1", "salary list")
    with log_at(tmp_path / "m.db") as (database, writer):
        writer.append("slack", edit_of(first, "salary list 2", minute=60))
        writer.append("slack", deletion_of(first, minute=0))
        assert database.connection.execute("SELECT head FROM leaf").fetchone() == (0,)


def test_a_channel_nobody_described_is_private_with_unknown_members(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (_, writer):
        writer.append("slack", message("1", "hi", channel="C0LOST"))
        (channel,) = writer.registry.channels()
        assert (channel.kind.value, channel.members) == ("private", None)


def test_a_changed_text_in_the_database_is_found_by_the_check(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (database, writer):
        for number in range(3):
            writer.append("slack", message(str(number), f"text {number}", minute=number))
        assert faults_in_log(database.connection) == []
        database.connection.execute("UPDATE record SET text = 'forged' WHERE id = 2")
        assert any("record 2" in fault for fault in faults_in_log(database.connection))


def test_a_missing_record_is_found_by_the_check(tmp_path: Path) -> None:
    with log_at(tmp_path / "m.db") as (database, writer):
        for number in range(3):
            writer.append("slack", message(str(number), f"text {number}", minute=number))
        database.connection.execute("DELETE FROM record WHERE id = 2")
        assert "records 2 to 2 are missing" in faults_in_log(database.connection)


def test_records_logged_at_another_time_have_another_chain_and_the_same_root(tmp_path: Path) -> None:
    chains, roots = set(), set()
    for name in ("a", "b"):
        with log_at(tmp_path / name) as (database, writer):
            if name == "b":
                writer.begin_batch()
            writer.append("slack", message("1", "hi"))
            chains.add(LogReader(database.connection).record(1).chain)
            roots.add(root_of(LogReader(database.connection).hashes()))
    assert (len(chains), len(roots)) == (2, 1)


_drafts = st.lists(
    st.builds(
        message,
        st.sampled_from("abcdef"),
        st.sampled_from(["approved", "ship Monday", "ship Friday"]),
        minute=st.integers(0, 3),
    ),
    min_size=1,
    max_size=12,
)


@given(drafts=_drafts, order=st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_any_order_of_arrival_gives_the_same_root(
    tmp_path_factory: pytest.TempPathFactory, drafts: list[RecordDraft], order
) -> None:
    shuffled = list(drafts)
    order.shuffle(shuffled)
    roots = []
    for arrival in (drafts, shuffled):
        with log_at(tmp_path_factory.mktemp("log") / "m.db") as (database, writer):
            writer.registry.put_channel("slack", public("ops"))
            for draft in arrival:
                writer.append("slack", draft)
            roots.append(root_of(LogReader(database.connection).hashes()))
            assert faults_in_log(database.connection) == []
    assert roots[0] == roots[1]
