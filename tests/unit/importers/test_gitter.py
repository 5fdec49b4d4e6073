"""Rooms of Gitter."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.gitter import Gitter
from treering.importers.protocol import ImportOptions
from treering.model.drafts import ActorDraft, ActorKind, Change, ChannelDraft, ChannelKind, RecordDraft

SECOND = 1709546400  # 2024-03-04 10:00
INA = {"id": "54d7876c15522ed4b3dbbef1", "username": "ina", "displayName": "Ina Reis"}


def id_at(seconds: int, number: int = 1) -> str:
    return f"{SECOND + seconds:08x}{number:016x}"


def message(seconds: int = 0, text: str = "hello", number: int = 1, **fields: object) -> dict[str, object]:
    sent = datetime.fromtimestamp(SECOND + seconds, UTC).isoformat().replace("+00:00", ".500Z")
    return {"id": id_at(seconds, number), "sent": sent, "text": text, "html": text, "fromUser": INA} | fields


def read(root: Path, *messages: object, name: str = "heron.json", options: ImportOptions | None = None) -> Outcome:
    return Outcome(Gitter(), write_folder(root, {name: list(messages)}), options)


def test_a_message_arrives_with_its_author_and_links(tmp_path: Path):
    outcome = read(tmp_path, message(text="see https://w.example/a", urls=[{"url": "http://w.example/b"}]))
    assert outcome.recognized
    assert outcome.only == RecordDraft(
        source_id=id_at(0),
        lineage=id_at(0),
        channel="heron",
        author=INA["id"],
        valid_from=datetime(2024, 3, 4, 10, 0, 0, 500_000, UTC),
        valid_from_raw="2024-03-04T10:00:00.500Z",
        text="see https://w.example/a",
        links=("https://w.example/a", "http://w.example/b"),
        id_is_final=True,
    )
    assert list(outcome.actors.values()) == [ActorDraft(INA["id"], "Ina Reis", ActorKind.HUMAN, ("ina",))]


def test_who_may_read_a_room_is_the_operators_word(tmp_path: Path):
    assert read(tmp_path, message()).channels["heron"] == ChannelDraft(
        "heron", "heron", ChannelKind.PRIVATE, stated=False
    )
    said = read(tmp_path, message(), options=ImportOptions(visibility=ChannelKind.PUBLIC))
    assert said.channels["heron"].kind is ChannelKind.PUBLIC


def test_a_reply_knows_its_thread_and_an_edited_message_its_edit(tmp_path: Path):
    outcome = read(tmp_path, message(), message(60, parentId=id_at(0), editedAt="2024-03-04T10:05:00Z"))
    reply = outcome.records[1]
    assert (reply.thread, reply.reply_to) == (id_at(0), id_at(0))
    assert (reply.change, reply.lineage) == (Change.EDIT, id_at(60))
    assert reply.valid_from == datetime(2024, 3, 4, 10, 5, tzinfo=UTC)


def test_a_mention_of_nobody_is_no_mention(tmp_path: Path):
    """S23: `userId` is null for a name that is no user's, and absent for groups."""
    mentions = [
        {"screenName": "all", "group": True, "userIds": []},
        {"screenName": "will", "userId": None},
        {"screenName": "bo", "userId": "b0"},
    ]
    outcome = read(tmp_path, message(text="@all @will @bo", mentions=mentions))
    assert outcome.only.mentions == ("b0",)
    assert outcome.actors["b0"].name == "bo"


def test_an_id_that_another_message_bears_is_told_apart_by_the_time_it_was_made_at(tmp_path: Path):
    outcome = read(tmp_path, message(text="first"), message(86_400, "second", id=id_at(0)))
    first, second = outcome.records
    assert first.source_id == id_at(0)
    assert second.source_id == f"{id_at(0)}@2024-03-05T10:00:00.500Z"


def test_a_file_under_another_name_is_the_same_messages(tmp_path: Path):
    """S15: the same export under a new path."""
    one, other = read(tmp_path / "a", message()), read(tmp_path / "b", message(), name="copy of heron.json")
    assert one.only.source_id == other.only.source_id
    assert other.only.id_is_final


def test_a_message_that_does_not_read_is_kept_aside_and_the_others_go_in(tmp_path: Path):
    """B13"""
    outcome = read(tmp_path, message(), message(1) | {"sent": "x"}, "text", message(2) | {"id": None}, message(3))
    assert len(outcome.records) == 2
    assert [bad.position for bad in outcome.quarantined] == ["message 2", "message 3", "message 4"]


def test_a_file_that_ends_too_soon_keeps_its_whole_messages(tmp_path: Path):
    content = json.dumps([message(), message(1), message(2)]).encode()
    outcome = Outcome(Gitter(), write_folder(tmp_path, {"heron.json": content[:-30]}))
    assert len(outcome.records) == 2
    assert len(outcome.quarantined) == 1


def test_other_json_is_not_taken_for_a_room(tmp_path: Path):
    outcome = Outcome(
        Gitter(), write_folder(tmp_path, {"a.json": [{"id": "1", "text": "x", "sent": "y"}], "b.txt": b""})
    )
    assert not outcome.recognized
    assert outcome.skipped == {"not a room of messages": 2}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(order=st.permutations(range(5)), cut=st.integers(1, 4))
def test_neither_order_nor_splitting_changes_a_record(tmp_path_factory: pytest.TempPathFactory, order, cut):
    rows = [message(number, f"text {number}", number) for number in range(5)]
    shuffled = [rows[place] for place in order]
    whole = read(tmp_path_factory.mktemp("whole"), *rows)
    parts = [read(tmp_path_factory.mktemp("part"), *part) for part in (shuffled[:cut], shuffled[cut:])]
    assert {record for part in parts for record in part.records} == set(whole.records)


def test_damage_ends_in_quarantine_and_never_in_a_crash(tmp_path: Path):
    content = json.dumps([message(number, "word " * 20, number) for number in range(10)]).encode()
    kept = 0
    for number, damaged in enumerate(mutations(content, 200, seed=12)):
        outcome = Outcome(Gitter(), write_folder(tmp_path / str(number), {"heron.json": damaged}))
        kept += len(outcome.records)
        assert outcome.records or outcome.quarantined or not outcome.recognized
    assert kept > 200 * 10 * 0.4
