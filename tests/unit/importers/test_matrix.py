"""Rooms of Matrix, as Element exports them and as servers give them."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.matrix import MatrixExport
from treering.model.drafts import ActorDraft, ActorKind, Attachment, Change, ChannelDraft, ChannelKind, RecordDraft

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)
MILLIS = int(AT.timestamp() * 1000)
INA, BO = "@ina:heron.example", "@bo:heron.example"


def event(id_: str, content: object, seconds: int = 0, sender: str = INA, **fields: object) -> dict[str, object]:
    return {
        "type": "m.room.message",
        "event_id": f"${id_}",
        "room_id": "!ops:heron.example",
        "sender": sender,
        "origin_server_ts": MILLIS + seconds * 1000,
        "content": content,
    } | fields


def text(body: str, **fields: object) -> dict[str, object]:
    return {"msgtype": "m.text", "body": body} | fields


def member(id_: str, user: str, membership: str, name: str, seconds: int, before: object = None, **fields: object):
    content = {"membership": membership, "displayname": name}
    unsigned = {"prev_content": before} if before else {}
    return event(id_, content, seconds, user, type="m.room.member", state_key=user, unsigned=unsigned) | fields


def replacing(id_: str, target: str, body: str, seconds: int, sender: str = INA) -> dict[str, object]:
    relation = {"rel_type": "m.replace", "event_id": f"${target}"}
    return event(id_, text(f"* {body}", **{"m.new_content": text(body), "m.relates_to": relation}), seconds, sender)


def answering(id_: str, target: str, body: str, seconds: int = 1) -> dict[str, object]:
    return event(id_, text(body, **{"m.relates_to": {"m.in_reply_to": {"event_id": f"${target}"}}}), seconds, BO)


CREATED = event("create", {}, -100, type="m.room.create", state_key="")


def read(root: Path, *events: object) -> Outcome:
    export = {"room_name": "Ops", "room_creator": INA, "topic": "", "export_date": "4.3.2024", "exported_by": INA}
    return Outcome(MatrixExport(), write_folder(root, {"export.json": export | {"messages": list(events)}}))


def test_a_message_arrives_with_its_author_room_and_links(tmp_path: Path):
    outcome = read(tmp_path, event("e1", text("see https://w.example/a")))
    assert outcome.recognized
    assert outcome.only == RecordDraft(
        source_id="$e1",
        lineage="$e1",
        channel="!ops:heron.example",
        author=INA,
        valid_from=AT,
        valid_from_raw=str(MILLIS),
        text="see https://w.example/a",
        links=("https://w.example/a",),
    )
    assert outcome.channels["!ops:heron.example"].name == "Ops"


def test_an_edit_is_a_version_of_its_message_and_never_a_message_of_its_own(tmp_path: Path):
    """B35"""
    outcome = read(tmp_path, event("e1", text("ship Monday")), replacing("e3", "e1", "ship Friday", 60))
    first, second = outcome.records
    assert (first.text, first.change, first.valid_from) == ("ship Monday", Change.NEW, AT)
    assert (second.text, second.change, second.lineage) == ("ship Friday", Change.EDIT, "$e1")
    assert second.valid_from == AT + timedelta(seconds=60)


def test_an_edit_keeps_its_message_in_the_thread(tmp_path: Path):
    threaded = event("e2", text("yes", **{"m.relates_to": {"rel_type": "m.thread", "event_id": "$e1"}}), 1)
    outcome = read(tmp_path, event("e1", text("root")), threaded, replacing("e3", "e2", "no", 2))
    assert [(record.thread, record.reply_to) for record in outcome.records[1:]] == [("$e1", "$e1"), ("$e1", "$e1")]


def test_a_text_that_the_export_shows_as_replaced_holds_since_its_edit(tmp_path: Path):
    """B35: of some versions of Element the present text is all there is."""
    joined = {"m.relations": {"m.replace": {"event_id": "$e3", "origin_server_ts": MILLIS + 60_000, "sender": INA}}}
    record = read(tmp_path, event("e1", text("ship Friday"), unsigned=joined)).only
    assert (record.source_id, record.lineage, record.change) == ("$e3", "$e1", Change.EDIT)
    assert record.valid_from == AT + timedelta(seconds=60)


def test_an_edit_that_the_server_joined_on_is_told_beside_the_first_text(tmp_path: Path):
    joined = {"m.relations": {"m.replace": replacing("e3", "e1", "ship Friday", 60)}}
    outcome = read(tmp_path, event("e1", text("ship Monday"), unsigned=joined))
    assert [(record.source_id, record.text) for record in outcome.records] == [
        ("$e1", "ship Monday"),
        ("$e3", "ship Friday"),
    ]


def test_an_edit_by_somebody_else_changes_nothing(tmp_path: Path):
    outcome = read(tmp_path, event("e1", text("ship Monday")), replacing("e3", "e1", "ship never", 60, sender=BO))
    assert outcome.texts == ["ship Monday"]
    assert outcome.skipped == {"edit of somebody else's message": 1}


def test_a_reply_has_its_own_words_alone(tmp_path: Path):
    """B36: also in the new text of an edit."""
    fallback = f"> <{INA}> ship Monday\n> really\n\n"
    outcome = read(
        tmp_path,
        event("e1", text("ship Monday")),
        answering("e2", "e1", f"{fallback}fine"),
        replacing("e3", "e2", f"{fallback}fine, then", 5, sender=BO),
        event("e4", text(f"> <{INA}> typed like this\n\nby hand"), 9),
    )
    assert outcome.texts == ["ship Monday", "fine", "fine, then", f"> <{INA}> typed like this\n\nby hand"]
    assert outcome.by_id["$e2"].reply_to == "$e1"
    assert outcome.by_id["$e3"].reply_to == "$e1"


def test_a_redacted_message_is_a_deletion_told_once_however_often_the_export_tells_it(tmp_path: Path):
    """B36: the redaction takes the text away; the log still says that it happened, and when."""
    because = event("x1", {}, 30, BO, type="m.room.redaction", redacts="$e1")
    outcome = read(tmp_path, event("e1", {}, unsigned={"redacted_because": because}), because)
    assert len(set(outcome.records)) == 1
    deletion = outcome.records[0]
    assert (deletion.lineage, deletion.change, deletion.text, deletion.author) == ("$e1", Change.DELETE, "", BO)
    assert deletion.valid_from == AT + timedelta(seconds=30)


def test_what_is_no_message_is_a_named_skip(tmp_path: Path):
    reaction = {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$e1", "key": "+1"}}
    outcome = read(
        tmp_path,
        event("e1", text("hello")),
        event("r1", reaction, 1, type="m.reaction"),
        event("r2", {}, 1, type="m.reaction"),
        event("x1", {}, 2, type="m.room.redaction", redacts="$r2"),
        event("e2", {"algorithm": "m.megolm.v1", "ciphertext": "AwgA"}, 3, type="m.room.encrypted"),
        event("e3", {"msgtype": "m.bad.encrypted", "body": "** Unable to decrypt **"}, 4),
        event("e4", {"x": 1}, 5, type="com.example.thing"),
        event("e5", {"body": "a thing"}, 6, type="com.example.thing"),
    )
    assert outcome.texts == ["hello", "a thing"]
    assert outcome.skipped == {
        "reaction": 2,
        "redaction of no message": 1,
        "encrypted message": 2,
        "event of an unknown type": 1,
    }


def test_joins_leaves_and_names_are_dated_events(tmp_path: Path):
    outcome = read(
        tmp_path,
        CREATED,
        member("m1", INA, "join", "Ina", 0),
        member("m2", BO, "join", "Bo", 1),
        member("m3", INA, "join", "Ina R.", 2, before={"membership": "join", "displayname": "Ina"}),
        member("m4", BO, "leave", "Bo", 3, before={"membership": "join"}, sender=INA),
        event("n1", {"name": "Operations"}, 4, type="m.room.name", state_key=""),
        event("n2", {"topic": "keep it up"}, 5, type="m.room.topic", state_key=""),
    )
    assert [(record.event, record.text) for record in outcome.records] == [
        ("create", ""),
        ("join", ""),
        ("join", ""),
        ("rename", ""),
        ("kick", ""),
        ("name", "Operations"),
        ("topic", "keep it up"),
    ]
    assert outcome.by_id["$m4"].mentions == (BO,)
    names = [(draft.name, draft.since) for draft in outcome.drafts if isinstance(draft, ActorDraft) and draft.id == INA]
    assert names == [("Ina", AT), ("Ina R.", AT + timedelta(seconds=2))]
    assert outcome.channels["!ops:heron.example"] == ChannelDraft(
        "!ops:heron.example", "Operations", ChannelKind.PRIVATE, (INA,), since=AT + timedelta(seconds=4)
    )


def test_members_are_unknown_where_the_export_begins_after_the_room(tmp_path: Path):
    outcome = read(tmp_path, member("m1", INA, "join", "Ina", 0), event("e1", text("hello")))
    assert outcome.channels["!ops:heron.example"].members is None
    assert not outcome.channels["!ops:heron.example"].stated


def test_rooms_that_anybody_may_join_are_public_and_talks_of_two_are_direct(tmp_path: Path):
    rules = event("j1", {"join_rule": "public"}, type="m.room.join_rules", state_key="")
    open_room = read(tmp_path / "open", CREATED, rules, event("e1", text("hello")))
    assert open_room.channels["!ops:heron.example"].kind is ChannelKind.PUBLIC
    invited = member("m1", BO, "join", "Bo", 0)
    invited["content"]["is_direct"] = True
    talk = read(tmp_path / "talk", CREATED, member("m0", INA, "join", "Ina", 0), invited)
    assert talk.channels["!ops:heron.example"].kind is ChannelKind.DIRECT
    assert talk.channels["!ops:heron.example"].members == (BO, INA)


def test_whoever_says_nothing_but_notices_is_a_bot_and_people_of_bridges_are_external(tmp_path: Path):
    bridged = "@slack_heron_u1:heron.example"
    outcome = read(
        tmp_path,
        event("e1", {"msgtype": "m.notice", "body": "build 204 passed"}, sender="@ci:heron.example"),
        event("e2", text("hello"), 1, bridged),
        event("e3", text("hello"), 2),
    )
    kinds = {actor.id: actor.kind for actor in outcome.actors.values()}
    assert kinds == {
        "@ci:heron.example": ActorKind.BOT,
        bridged: ActorKind.EXTERNAL,
        INA: ActorKind.UNKNOWN,
    }


def test_mentions_are_what_the_client_states_or_the_links_that_it_made(tmp_path: Path):
    """S23: never the bare words of a text."""
    pill = f'<mx-reply><a href="https://matrix.to/#/{INA}">Ina</a></mx-reply><a href="https://matrix.to/#/{BO}">Bo</a>'
    outcome = read(
        tmp_path,
        event("e1", text("Bo: hi", **{"m.mentions": {"user_ids": [BO]}})),
        event("e2", text("Bo: hi", formatted_body=pill), 1),
        event("e3", text("bo and ina, look"), 2),
    )
    assert [record.mentions for record in outcome.records] == [(BO,), (BO,), ()]


def test_links_to_messages_are_references(tmp_path: Path):
    link = "https://matrix.to/#/!ops:heron.example/%24e1?via=heron.example"
    record = read(tmp_path, event("e2", text(f"as in {link}"))).only
    assert (record.refs, record.links) == (("$e1",), ())


def test_files_and_polls_have_words_too(tmp_path: Path):
    file = {
        "msgtype": "m.file",
        "body": "plan.pdf",
        "url": "mxc://h/1",
        "info": {"mimetype": "application/pdf", "size": 9},
    }
    captioned = file | {"filename": "plan.pdf", "body": "the plan"}
    poll = {"org.matrix.msc3381.poll.start": {
        "question": {"org.matrix.msc1767.text": "When?"},
        "answers": [{"id": "1", "org.matrix.msc1767.text": "Monday"}, {"id": "2", "org.matrix.msc1767.text": "Friday"}],
    }}  # fmt: skip
    outcome = read(
        tmp_path,
        event("e1", file),
        event("e2", captioned, 1),
        event("e3", poll, 2, type="org.matrix.msc3381.poll.start"),
    )
    assert outcome.texts == ["plan.pdf", "the plan", "When?\n- Monday\n- Friday"]
    assert outcome.by_id["$e2"].attachments == (Attachment("plan.pdf", "application/pdf", 9),)


def test_an_event_that_does_not_read_is_kept_aside_and_the_others_go_in(tmp_path: Path):
    """B13"""
    outcome = read(
        tmp_path, event("e1", text("a")), event("e2", text("b"), origin_server_ts="soon"), None, event("e3", text("c"))
    )
    assert outcome.texts == ["a", "c"]
    assert [bad.position for bad in outcome.quarantined] == ["event 2", "event 3"]


def test_an_array_of_events_of_several_rooms_is_read_room_by_room(tmp_path: Path):
    events = [event("e1", text("a")), event("e2", text("b"), room_id="!board:heron.example")]
    outcome = Outcome(MatrixExport(), write_folder(tmp_path, {"events.json": events}))
    assert outcome.recognized
    assert [record.channel for record in outcome.records] == ["!ops:heron.example", "!board:heron.example"]
    assert outcome.channels.keys() == {"!ops:heron.example", "!board:heron.example"}


def test_media_beside_an_export_are_named_skips(tmp_path: Path):
    folder = write_folder(tmp_path, {"export.json": {"messages": [event("e1", text("a"))]}, "files/plan.pdf": b"%PDF"})
    assert Outcome(MatrixExport(), folder).skipped == {"not a room of events": 1}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(order=st.permutations(range(5)), cut=st.integers(1, 4))
def test_neither_order_nor_splitting_changes_a_record(tmp_path_factory: pytest.TempPathFactory, order, cut):
    because = event("x1", {}, 30, BO, type="m.room.redaction", redacts="$e4")
    rows = [
        event("e1", text("ship Monday")),
        answering("e2", "e1", "fine"),
        replacing("e3", "e1", "ship Friday", 60),
        event("e4", {}, 2, unsigned={"redacted_because": because}),
        because,
    ]
    shuffled = [rows[place] for place in order]
    whole = read(tmp_path_factory.mktemp("whole"), *rows)
    parts = [read(tmp_path_factory.mktemp("part"), *part) for part in (shuffled[:cut], shuffled[cut:])]
    assert {record for part in parts for record in part.records} == set(whole.records)


def test_damage_ends_in_quarantine_and_never_in_a_crash(tmp_path: Path):
    events = [event(f"e{number}", text("word " * 20), number) for number in range(8)]
    events += [replacing("r1", "e1", "new", 20), answering("a1", "e2", "yes", 21), member("m1", BO, "join", "Bo", 22)]
    content = json.dumps({"room_name": "Ops", "messages": events}).encode()
    kept = 0
    for number, damaged in enumerate(mutations(content, 200, seed=10)):
        outcome = Outcome(MatrixExport(), write_folder(tmp_path / str(number), {"export.json": damaged}))
        kept += len(outcome.records)
        assert outcome.records or outcome.quarantined or not outcome.recognized
    assert kept > 200 * 11 * 0.3
