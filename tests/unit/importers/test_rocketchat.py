"""Dumps of a Rocket.Chat server."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.bson_bytes import bson
from tests.unit.importers.exports import Files, write_folder
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.rocketchat import RocketChatDump
from treering.model.drafts import ActorDraft, ActorKind, Attachment, Change, ChannelDraft, ChannelKind, RecordDraft

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)

Row = dict[str, object]

INA: Row = {
    "_id": "uIna",
    "username": "ina",
    "name": "Ina Reis",
    "type": "user",
    "emails": [{"address": "ina@heron.example"}],
    "services": {"password": {"bcrypt": "$2b$10$SECRET"}, "resume": {"loginTokens": [{"hashedToken": "SECRET"}]}},
}
BO: Row = {"_id": "uBo", "username": "bo", "name": "Bo Strand", "type": "user"}
ROOM: Row = {"_id": "GENERAL", "t": "c", "name": "general", "ts": AT}
BOARD: Row = {"_id": "rBoard", "t": "p", "name": "board", "fname": "The board", "ts": AT}


def message(id_: str = "m1", text: str = "hello", minutes: float = 0, **fields: object) -> Row:
    at = AT + timedelta(minutes=minutes)
    return {"_id": id_, "rid": "GENERAL", "msg": text, "ts": at, "u": {"_id": "uIna", "username": "ina"}} | fields


def read(
    root: Path,
    *messages: Row,
    users: Iterable[Row] = (INA, BO),
    rooms: Iterable[Row] = (ROOM, BOARD),
    others: Files | None = None,
) -> Outcome:
    files = {
        "users.bson": bson(*users),
        "rocketchat_room.bson": bson(*rooms),
        "rocketchat_message.bson": bson(*messages),
        **(others or {}),
    }
    return Outcome(RocketChatDump(), write_folder(root, files))


def test_a_message_arrives_with_its_author_room_and_mentions(tmp_path: Path):
    mentions = [{"_id": "uBo", "username": "bo", "name": "Bo Strand"}, {"_id": "all", "username": "all"}]
    outcome = read(tmp_path, message(text="@bo see https://w.example/a, @all", mentions=mentions))
    assert outcome.recognized
    assert outcome.source == "rocketchat"
    assert outcome.only == RecordDraft(
        source_id="m1",
        lineage="m1",
        channel="GENERAL",
        author="uIna",
        valid_from=AT,
        valid_from_raw="2024-03-04T10:00:00+00:00",
        text="@bo see https://w.example/a, @all",
        mentions=("uBo",),
        links=("https://w.example/a",),
        id_is_final=True,
    )
    assert outcome.actors["uIna"] == ActorDraft("uIna", "Ina Reis", ActorKind.HUMAN, ("ina", "ina@heron.example"))


def test_no_secret_leaves_the_dump(tmp_path: Path):
    """Rule 4 of FORMATS section 0: users.bson carries password hashes and login tokens, rooms join codes."""
    broken: Row = {"username": "eve", "services": {"password": {"bcrypt": "$2b$10$SECRET"}}}
    visit = message("m2", "hi", token="SECRET", ts="no time", v={"token": "SECRET"})
    outcome = read(tmp_path, message(), visit, users=(INA, broken), rooms=(ROOM | {"joinCode": "SECRET"},))
    assert len(outcome.quarantined) == 2
    assert "SECRET" not in repr(outcome.drafts)


def test_a_reply_knows_its_thread_and_a_quotation_what_it_quotes(tmp_path: Path):
    link = "https://chat.example/channel/general?msg=m1"
    quote = {"message_link": link, "text": "hello", "author_name": "ina"}
    outcome = read(
        tmp_path,
        message(),
        message("m2", "yes", 1, tmid="m1"),
        message("m3", f"[ ]({link}) so be it", 2, attachments=[quote]),
    )
    reply, quotation = outcome.by_id["m2"], outcome.by_id["m3"]
    assert (reply.thread, reply.reply_to) == ("m1", "m1")
    assert (quotation.text, quotation.reply_to, quotation.refs) == ("so be it", "m1", ("m1",))


def test_an_edited_message_holds_since_the_edit(tmp_path: Path):
    edited = AT + timedelta(minutes=5)
    record = read(tmp_path, message(editedAt=edited, editedBy={"_id": "uIna"})).only
    assert (record.change, record.valid_from, record.created_at) == (Change.EDIT, edited, AT)
    assert record.lineage == "m1"
    assert record.source_id.startswith("m1@")


def test_earlier_texts_that_the_server_kept_are_versions(tmp_path: Path):
    first, second = AT + timedelta(minutes=1), AT + timedelta(minutes=2)
    copies = [
        message("h2", "two", _hidden=True, parent="m1", editedAt=second),
        message("h1", "one", _hidden=True, parent="m1", editedAt=first),
    ]
    outcome = read(tmp_path, message(text="three", editedAt=second), *copies)
    versions = sorted(outcome.records, key=lambda record: record.valid_from)
    assert [(version.text, version.valid_from) for version in versions] == [
        ("one", AT),
        ("two", first),
        ("three", second),
    ]
    assert {version.lineage for version in versions} == {"m1"}
    assert versions[0].source_id == "m1"  # as an export from before the first edit has it


def test_a_removed_message_is_a_deletion_and_so_is_one_that_was_hidden(tmp_path: Path):
    gone = AT + timedelta(hours=1)
    outcome = read(
        tmp_path,
        message("m1", "", t="rm", editedAt=gone, editedBy={"_id": "uBo"}),
        message("m2", "kept by the server", _hidden=True, _updatedAt=gone),
    )
    removed, kept, hidden = outcome.records
    assert (removed.change, removed.valid_from, removed.text, removed.author) == (Change.DELETE, gone, "", "uBo")
    assert (kept.change, kept.text) == (Change.NEW, "kept by the server")
    assert (hidden.change, hidden.valid_from, hidden.lineage) == (Change.DELETE, gone, "m2")


def test_what_the_server_reports_is_an_event_and_an_unknown_type_with_a_text_is_a_message(tmp_path: Path):
    outcome = read(
        tmp_path,
        message("m1", "ina", t="uj"),
        message("m2", "new topic", t="room_changed_topic"),
        message("m3", "", t="something-new"),
        message("m4", "said through an app", t="something-new"),
        message("m5", "cipher", t="e2e"),
    )
    events = {record.source_id: record.event for record in outcome.records}
    assert events == {"m1": "join", "m2": "room_changed_topic", "m3": "something-new", "m4": None}
    assert outcome.skipped == {"encrypted message": 1}


def test_a_renamed_room_keeps_its_id_and_its_former_names_are_dated(tmp_path: Path):
    outcome = read(tmp_path, message(text="lounge", t="r", minutes=3))
    channels = [draft for draft in outcome.drafts if isinstance(draft, ChannelDraft) and draft.id == "GENERAL"]
    assert (channels[0].name, channels[0].aliases) == ("general", ())
    assert (channels[1].name, channels[1].aliases) == ("general", ("lounge",))
    assert channels[1].since == AT + timedelta(minutes=3)


def test_members_are_those_who_subscribe(tmp_path: Path):
    subscriptions = bson({"_id": "s1", "rid": "rBoard", "u": {"_id": "uIna"}})
    outcome = read(tmp_path, message(), others={"rocketchat_subscription.bson": subscriptions})
    assert outcome.channels["rBoard"].members == ("uIna",)
    assert outcome.channels["rBoard"].kind is ChannelKind.PRIVATE


def test_without_subscriptions_members_are_unknown_unless_users_or_rooms_tell(tmp_path: Path):
    direct = {"_id": "uBouIna", "t": "d", "uids": ["uIna", "uBo"], "usernames": ["ina", "bo"], "ts": AT}
    other = {"_id": "rOther", "t": "p", "name": "other", "ts": AT}
    outcome = read(tmp_path, message(), users=(INA | {"__rooms": ["rBoard"]}, BO), rooms=(BOARD, direct, other))
    assert outcome.channels["rBoard"].members == ("uIna",)
    assert outcome.channels["rOther"].members is None
    assert outcome.channels["uBouIna"] == ChannelDraft(
        "uBouIna", "Bo Strand, Ina Reis", ChannelKind.DIRECT, ("uBo", "uIna"), since=AT
    )


def test_a_public_channel_of_a_private_team_is_shown_to_the_team_alone(tmp_path: Path):
    team = {"_id": "rTeam", "t": "p", "name": "team", "teamId": "t1", "teamMain": True, "ts": AT, "uids": ["uBo"]}
    inner = {"_id": "rInner", "t": "c", "name": "inner", "teamId": "t1", "ts": AT, "uids": ["uIna"]}
    outcome = read(tmp_path, message(), rooms=(team, inner))
    assert outcome.channels["rInner"].kind is ChannelKind.PRIVATE
    assert outcome.channels["rInner"].members == ("uBo", "uIna")


def test_whoever_is_in_no_list_gets_a_placeholder_and_no_message_is_lost(tmp_path: Path):
    """B02, B04: ids without a user, rooms without a row, messages without an author."""
    outcome = read(
        tmp_path,
        message("m1", u={"_id": "uGone", "username": "gone"}),
        message("m2", rid="rGone"),
        {key: value for key, value in message("m3").items() if key != "u"},
        users=(),
    )
    assert len(outcome.records) == 3
    assert outcome.actors["uGone"] == ActorDraft("uGone", "gone")
    assert outcome.channels["rGone"] == ChannelDraft("rGone", "rGone", ChannelKind.PRIVATE, stated=False)
    assert outcome.by_id["m3"].author == "unknown"


def test_visitors_are_external_and_an_integration_is_a_bot_by_the_name_that_it_posts_under(tmp_path: Path):
    desk: Row = {"_id": "rDesk", "t": "l", "fname": "Ada", "ts": AT}
    visit = message("m1", rid="rDesk", u={"_id": "v1", "username": "guest-1", "name": "Ada"})
    fields = [{"title": "Runbook", "value": "RB-12"}]
    alert = {"title": "CPU 97% on db-2", "title_link": "https://m.example/1", "fields": fields}
    alarm = message("m2", "", u={"_id": "rocket.cat"}, alias="Alerts", bot={"i": "x"}, attachments=[alert])
    outcome = read(tmp_path, visit, alarm, rooms=(ROOM, desk))
    assert outcome.actors["v1"].kind is ActorKind.EXTERNAL
    assert outcome.actors["bot:Alerts"].kind is ActorKind.BOT
    assert outcome.by_id["m2"].text == "CPU 97% on db-2\nRunbook: RB-12"
    assert outcome.by_id["m2"].links == ("https://m.example/1",)


def test_a_file_is_named_and_its_description_is_the_text(tmp_path: Path):
    shown = {"title": "plan.pdf", "title_link": "/file-upload/f1/plan.pdf", "description": "the plan", "type": "file"}
    file = {"_id": "f1", "name": "plan.pdf", "type": "application/pdf", "size": 12}
    outcome = read(
        tmp_path,
        message("m1", "", file=file, attachments=[shown]),
        message("m2", "", attachments=[shown | {"description": ""}]),
    )
    assert outcome.by_id["m1"].text == "the plan"
    assert outcome.by_id["m1"].attachments == (Attachment("plan.pdf", "application/pdf", 12),)
    assert outcome.by_id["m2"].attachments == (Attachment("plan.pdf", "file"),)


def test_a_message_that_does_not_read_is_kept_aside_and_the_others_go_in(tmp_path: Path):
    """B13: one record without a time, or with one that is none."""
    no_time = {key: value for key, value in message("m2").items() if key != "ts"}
    outcome = read(tmp_path, message("m1"), no_time, message("m3", rid=""), message("m4"))
    assert [record.source_id for record in outcome.records] == ["m1", "m4"]
    assert [(bad.position, bad.reason) for bad in outcome.quarantined] == [
        ("document 2", "ts is missing"),
        ("document 3", "no rid"),
    ]


def test_json_exports_give_the_same_drafts_as_the_dump(tmp_path: Path):
    dump = read(tmp_path / "bson", message(editedAt=AT + timedelta(minutes=1)), message("m2", t="uj"))
    millis = int(AT.timestamp() * 1000)
    rows = [
        message(ts={"$date": "2024-03-04T10:00:00.000Z"}, editedAt={"$date": {"$numberLong": str(millis + 60_000)}}),
        message("m2", t="uj", ts={"$date": millis}),
    ]
    users = [INA, BO]
    rooms = [room | {"ts": {"$date": "2024-03-04T10:00:00Z"}} for room in (ROOM, BOARD)]
    files = {
        "users.json": "\n".join(map(json.dumps, users)).encode(),
        "rocketchat_room.json": rooms,
        "rocketchat_message.json": "\n".join(map(json.dumps, rows)).encode(),
    }
    exported = Outcome(RocketChatDump(), write_folder(tmp_path / "json", files))
    assert exported.recognized
    assert [(r.source_id, r.valid_from, r.text, r.event) for r in exported.records] == [
        (r.source_id, r.valid_from, r.text, r.event) for r in dump.records
    ]
    assert exported.channels == dump.channels
    assert "SECRET" not in repr(exported.drafts)


def test_other_collections_are_named_skips(tmp_path: Path):
    others = {"instances.bson": bson({"_id": "i"}), "rocketchat_message.metadata.json": {}}
    outcome = read(tmp_path, message(), others=others)
    assert outcome.skipped == {"not a collection of messages, rooms or users": 2}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(order=st.permutations(range(6)), cut=st.integers(1, 5))
def test_neither_order_nor_splitting_changes_a_record(tmp_path_factory: pytest.TempPathFactory, order, cut):
    edited = AT + timedelta(minutes=9)
    rows = [
        message("m0"),
        message("m1", "yes", 1, tmid="m0"),
        message("m2", "later", 2, editedAt=edited),
        message("h2", "sooner", 2, _hidden=True, parent="m2", editedAt=edited),
        message("m3", "", 3, t="rm", editedAt=edited),
        message("m4", "ina", 4, t="uj"),
    ]
    shuffled = [rows[place] for place in order]
    whole = read(tmp_path_factory.mktemp("whole"), *rows)
    parts = [read(tmp_path_factory.mktemp("part"), *part) for part in (shuffled[:cut], shuffled[cut:])]
    assert {record for part in parts for record in part.records} == set(whole.records)


def test_damage_costs_no_more_than_what_it_hits(tmp_path: Path):
    content = bson(*(message(f"m{number}", "word " * 20, number) for number in range(20)))
    kept = 0
    for number, damaged in enumerate(mutations(content, 200, seed=6)):
        folder = write_folder(tmp_path / str(number), {"rocketchat_message.bson": damaged})
        kept += len(Outcome(RocketChatDump(), folder).records)
    assert kept > 200 * 20 * 0.6
