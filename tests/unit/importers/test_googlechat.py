"""Google Chat, as Takeout exports it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import Files, write_folder, write_zip
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.googlechat import GoogleChat
from treering.importers.local_times import UTC_ASSUMED
from treering.model.drafts import (
    ActorDraft,
    ActorKind,
    Attachment,
    Change,
    ChannelDraft,
    ChannelKind,
    RecordDraft,
    RecordKind,
)

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)
INA = {"name": "Ina Reis", "email": "Ina@heron.example", "user_type": "Human"}
BO = {"name": "Bo Strand", "email": "bo@heron.example", "user_type": "Human"}
SPACE = "Google Chat/Groups/Space AAAAheron"


def written(at: datetime) -> str:
    return f"{at:%A, %B} {at.day}, {at:%Y} at {at:%I:%M:%S}\u202f{at:%p} UTC"


def message(topic: str = "t1", part: str = "", text: object = "hello", seconds: int = 0, **fields: object):
    row = {
        "creator": INA,
        "created_date": written(AT + timedelta(seconds=seconds)),
        "text": text,
        "topic_id": topic,
        "message_id": f"AAAAheron/{topic}/{part or topic}",
    } | fields
    return {key: value for key, value in row.items() if value is not None}


def read(root: Path, *messages: object, folder: str = SPACE, others: Files | None = None) -> Outcome:
    files: Files = {
        f"{folder}/messages.json": {"messages": list(messages)},
        f"{folder}/group_info.json": {"name": "Heron", "members": [INA, BO]},
        "Google Chat/Users/User 1/user_info.json": {
            "user": INA,
            "membership_info": [{"group_name": "Heron", "group_id": "Space AAAAheron"}],
        },
        **(others or {}),
    }
    return Outcome(GoogleChat(), write_folder(root, files))


def test_a_message_arrives_with_its_author_space_and_links(tmp_path: Path):
    preview = {"url_metadata": {"url": {"private_do_not_access_or_else_safe_url_wrapped_value": "https://w.example/b"}}}
    outcome = read(tmp_path, message(text="see https://w.example/a", annotations=[preview]))
    assert outcome.recognized
    assert outcome.only == RecordDraft(
        source_id="AAAAheron/t1/t1",
        lineage="AAAAheron/t1/t1",
        channel="AAAAheron",
        author="ina@heron.example",
        valid_from=AT,
        valid_from_raw=written(AT),
        text="see https://w.example/a",
        thread="AAAAheron/t1/t1",
        links=("https://w.example/a", "https://w.example/b"),
        id_is_final=True,
    )
    assert outcome.actors["ina@heron.example"] == ActorDraft("ina@heron.example", "Ina Reis", ActorKind.HUMAN)
    assert outcome.channels["AAAAheron"] == ChannelDraft(
        "AAAAheron", "Heron", ChannelKind.PRIVATE, ("bo@heron.example", "ina@heron.example")
    )


def test_a_topic_is_a_thread_and_a_quotation_names_what_it_quotes(tmp_path: Path):
    quoted = {"creator": INA, "text": "hello", "message_id": "AAAAheron/t0/t0"}
    outcome = read(tmp_path, message(), message("t1", "m2", "yes", 1), message("t1", "m3", "no", 2,
                   quoted_message_metadata=quoted))  # fmt: skip
    root, reply, quotation = outcome.records
    assert (root.thread, root.reply_to) == ("AAAAheron/t1/t1", None)
    assert (reply.thread, reply.reply_to) == ("AAAAheron/t1/t1", "AAAAheron/t1/t1")
    assert (quotation.reply_to, quotation.refs, quotation.text) == ("AAAAheron/t0/t0", ("AAAAheron/t0/t0",), "no")


def test_an_edited_message_holds_since_its_edit(tmp_path: Path):
    edited = AT + timedelta(minutes=5)
    record = read(tmp_path, message(updated_date=written(edited))).only
    assert (record.change, record.valid_from, record.created_at) == (Change.EDIT, edited, AT)
    assert record.lineage == "AAAAheron/t1/t1"


def test_a_deleted_message_is_a_deletion_without_author_or_date_of_its_own(tmp_path: Path):
    """B33"""
    stub = {
        "message_state": "DELETED",
        "deleted_date": written(AT + timedelta(hours=1)),
        "deletion_metadata": {"deletion_type": "CREATOR"},
        "topic_id": "t2",
        "message_id": "AAAAheron/t2/t2",
    }
    deletion = read(tmp_path, message(), stub).records[1]
    assert (deletion.lineage, deletion.change, deletion.text) == ("AAAAheron/t2/t2", Change.DELETE, "")
    assert (deletion.author, deletion.valid_from) == ("unknown", AT + timedelta(hours=1))


def test_a_date_in_another_language_is_read(tmp_path: Path):
    """B34"""
    record = read(tmp_path, message(created_date="2024. március 4., hétfő 10:00:00 UTC")).only
    assert record.valid_from == AT


def test_a_date_that_cannot_be_read_keeps_the_message_and_its_order(tmp_path: Path):
    """B34"""
    outcome = read(
        tmp_path,
        message("t1", text="one", created_date="จ. 4 มี.ค. 2567"),
        message("t2", text="two"),
        message("t3", text="three", created_date="จ. 4 มี.ค. 2567"),
        message("t4", text="four", seconds=9),
    )
    assert sorted(outcome.records, key=lambda record: (record.valid_from, record.order_hint)) == outcome.records
    assert outcome.texts == ["one", "two", "three", "four"]
    assert [record.valid_from for record in outcome.records[:3]] == [AT, AT, AT]
    assert "not read; the time of the message before" in outcome.records[2].valid_from_raw


@pytest.mark.parametrize("zone", ["", " CET", " Uhr"])
def test_a_zone_that_is_not_known_is_assumed_and_said_to_be(tmp_path: Path, zone: str):
    found = read(tmp_path, message(created_date=f"Monday, March 4, 2024 at 10:00:00 AM{zone}"))
    assert found.only.valid_from == AT
    assert found.only.valid_from_raw.endswith("(UTC assumed)")
    assert found.skipped == {UTC_ASSUMED: 1}


def test_where_no_date_can_be_read_the_messages_are_kept_aside(tmp_path: Path):
    outcome = read(tmp_path, message(created_date="?"), message(created_date="??"))
    assert outcome.reasons == ["no date in the whole file can be read"] * 2


def test_messages_of_one_second_keep_their_order(tmp_path: Path):
    """B51"""
    outcome = read(tmp_path, message("t3"), message("t2"), message("t1"))
    assert [record.order_hint for record in outcome.records] == [0, 1, 2]


def test_an_export_without_ids_tells_equal_messages_apart(tmp_path: Path):
    outcome = read(tmp_path, message(message_id=None), message(message_id=None), message(message_id=None, text="bye"))
    assert len({record.source_id for record in outcome.records}) == 3
    assert outcome.records[1].source_id == f"{outcome.records[0].source_id}.2"


def test_mentions_are_those_of_the_annotations(tmp_path: Path):
    mention = {"start_index": 0, "length": 3, "user_mention_metadata": {"user": BO, "type": "MENTION"}}
    everybody = {"start_index": 0, "length": 4, "user_mention_metadata": {"type": "MENTION_ALL"}}
    record = read(tmp_path, message(text="@Bo and @all, says Ina", annotations=[mention, everybody])).only
    assert record.mentions == ("bo@heron.example",)


def test_people_without_an_address_go_by_name_and_bots_are_bots(tmp_path: Path):
    """B50"""
    outcome = read(tmp_path, message(creator={"name": "Builds", "user_type": "Bot"}), message("t2", creator=None))
    assert outcome.actors["name:Builds"].kind is ActorKind.BOT
    assert [record.author for record in outcome.records] == ["name:Builds", "unknown"]


def test_a_message_of_files_alone_has_their_names_and_the_text_of_a_file_is_a_document(tmp_path: Path):
    chip = {"start_index": 0, "length": 4, "drive_metadata": {"id": "1x", "title": "Plan"}}
    files = [{"original_name": "notes.txt", "export_name": "File-notes.txt"}, {"original_name": "p.png"}]
    outcome = read(
        tmp_path,
        message(text=None, attached_files=files, annotations=[chip]),
        others={f"{SPACE}/File-notes.txt": b"ship on Friday", f"{SPACE}/File-p.png": b"\x89PNG"},
    )
    record, document = outcome.records
    assert record.text == "notes.txt\np.png"
    assert record.attachments == (Attachment("notes.txt"), Attachment("p.png"), Attachment("Plan", "drive"))
    assert (document.kind, document.title, document.text) == (RecordKind.DOCUMENT, "notes.txt", "ship on Friday")
    assert (document.reply_to, document.channel) == (record.lineage, record.channel)
    assert outcome.skipped == {"attached file": 1}


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("DM xyz", ChannelKind.DIRECT), ("Group Chat xyz", ChannelKind.GROUP), ("Space xyz", ChannelKind.PRIVATE)],
)
def test_the_folder_says_what_kind_of_space_it_is(tmp_path: Path, folder: str, kind: ChannelKind):
    outcome = read(tmp_path, message(), folder=f"Google Chat/Groups/{folder}")
    assert outcome.channels["AAAAheron"].kind is kind


def test_a_space_without_information_has_unknown_members(tmp_path: Path):
    folder = write_folder(tmp_path, {"messages.json": {"messages": [message()]}})
    outcome = Outcome(GoogleChat(), folder)
    assert outcome.channels["AAAAheron"] == ChannelDraft("AAAAheron", "AAAAheron", ChannelKind.PRIVATE, stated=False)


def test_a_zip_of_the_whole_takeout_gives_the_same_records(tmp_path: Path):
    folder = read(tmp_path / "a", message(), message("t1", "m2", "yes", 1))
    files = {
        "Takeout/Google Chat/Groups/Space AAAAheron/messages.json": {
            "messages": [message(), message("t1", "m2", "yes", 1)]
        },
        "Takeout/archive_browser.html": b"<html></html>",
    }
    zipped = Outcome(GoogleChat(), write_zip(tmp_path / "takeout.zip", files))
    assert zipped.records == folder.records


def test_a_message_that_does_not_read_is_kept_aside_and_the_others_go_in(tmp_path: Path):
    """B13"""
    outcome = read(tmp_path, message(), {"text": "lost", "topic_id": "t"}, "text", message("t2"))
    assert len(outcome.records) == 2
    assert [bad.position for bad in outcome.quarantined] == ["message 2", "message 3"]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(cut=st.integers(1, 5), overlap=st.integers(0, 3))
def test_overlapping_exports_give_the_same_records(tmp_path_factory: pytest.TempPathFactory, cut: int, overlap: int):
    rows = [message(f"t{number}", text=f"text {number}", seconds=number) for number in range(6)]
    whole = read(tmp_path_factory.mktemp("whole"), *rows)
    parts = [read(tmp_path_factory.mktemp("part"), *part) for part in (rows[: min(6, cut + overlap)], rows[cut:])]
    ids = {(record.source_id, record.text, record.valid_from) for part in parts for record in part.records}
    assert ids == {(record.source_id, record.text, record.valid_from) for record in whole.records}


def test_damage_ends_in_quarantine_and_never_in_a_crash(tmp_path: Path):
    rows = [message(f"t{number}", text="word " * 20, seconds=number, annotations=[{}]) for number in range(8)]
    content = json.dumps({"messages": rows}).encode()
    info = json.dumps({"name": "Heron", "members": [INA, BO]}).encode()
    kept = 0
    damages = zip(mutations(content, 200, seed=7), mutations(info, 200, seed=8), strict=True)
    for number, (messages, group) in enumerate(damages):
        files = {"Space AAAAheron/messages.json": messages, "Space AAAAheron/group_info.json": group}
        outcome = Outcome(GoogleChat(), write_folder(tmp_path / str(number), files))
        kept += len(outcome.records)
        assert outcome.records or outcome.quarantined or not outcome.recognized
    assert kept > 200 * 8 * 0.4
