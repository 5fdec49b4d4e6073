from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.unit.importers.exports import INA, OPS, Imported, import_messages, message, write_folder
from treering.model.drafts import Change, RecordDraft

SENT = datetime(2024, 3, 4, 10, 0, 0, 100, tzinfo=UTC)  # of `message()`
DAY = "ops/2024-03-04.json"


def texts(imported: Imported) -> list[str]:
    return [record.text for record in imported.records]


def only(imported: Imported) -> RecordDraft:
    (record,) = imported.records
    return record


def test_a_message_is_one_record_with_its_own_exact_time(tmp_path: Path):
    imported = import_messages(tmp_path, message(client_msg_id="x", reactions=[{"name": "+1", "users": ["U0BOS"]}]))
    assert imported.recognized
    assert imported.source == "slack:T0ORG"
    assert only(imported) == RecordDraft(
        source_id="C0OPS/1709546400.000100",
        lineage="C0OPS/1709546400.000100",
        channel="C0OPS",
        author="U0INA",
        valid_from=SENT,
        valid_from_raw="1709546400.000100",
        text="hello",
        id_is_final=True,
    )


def test_an_edited_message_is_the_version_that_began_with_its_edit(tmp_path: Path):
    record = only(import_messages(tmp_path, message(edited={"user": "U0INA", "ts": "1709550000.000000"})))
    assert record.change is Change.EDIT
    assert record.source_id == "C0OPS/1709546400.000100@1709550000.000000"
    assert record.lineage == "C0OPS/1709546400.000100"
    assert record.valid_from == datetime(2024, 3, 4, 11, tzinfo=UTC)
    assert record.created_at == SENT


def test_an_edit_without_a_time_that_can_be_read_is_no_edit(tmp_path: Path):
    assert only(import_messages(tmp_path, message(edited={"ts": "x"}))).change is Change.NEW


@pytest.mark.parametrize("key", ["previous_message", "original"])
def test_an_edit_log_gives_the_text_before_and_the_text_after(tmp_path: Path, key: str):
    before, after = message(text="out on Monday"), message(text="out on Friday")
    log = {"type": "message", "subtype": "message_changed", "ts": "1709550000.000001", "hidden": True, "message": after}
    old, new = import_messages(tmp_path, log | {key: before}).records
    assert (old.text, old.change, old.valid_from) == ("out on Monday", Change.NEW, SENT)
    assert (new.text, new.change) == ("out on Friday", Change.EDIT)
    assert new.source_id == "C0OPS/1709546400.000100@1709550000.000001"
    assert new.lineage == old.lineage


def test_an_edit_log_and_the_edited_message_tell_of_the_same_version(tmp_path: Path):
    after = message(text="out on Friday", edited={"user": "U0INA", "ts": "1709550000.000000"})
    log = {"type": "message", "subtype": "message_changed", "ts": "1709550000.000001", "message": after}
    final, old, new = import_messages(
        tmp_path, after, log | {"previous_message": message(text="out on Monday")}
    ).records
    assert final == new
    assert old.text == "out on Monday"


def test_an_edit_log_that_tells_neither_old_text_nor_time_of_the_edit_is_a_version_of_its_own_time(tmp_path: Path):
    log = {"type": "message", "subtype": "message_changed", "ts": "1709550000.000001", "message": message(text="new")}
    old, new = import_messages(tmp_path, message(text="old"), log).records
    assert (new.text, new.lineage) == ("new", old.lineage)
    assert new.source_id == "C0OPS/1709546400.000100@1709550000.000001"


def test_a_changed_message_whose_text_is_the_same_is_no_new_version(tmp_path: Path):
    unfolded = message(attachments=[{"from_url": "https://w.example", "title": "Wiki"}])
    log = {"type": "message", "subtype": "message_changed", "ts": "1709550000.000001", "message": unfolded}
    assert only(import_messages(tmp_path, log | {"previous_message": message()})).change is Change.NEW


def test_a_deletion_log_gives_the_text_and_its_deletion(tmp_path: Path):
    log = {
        "type": "message",
        "subtype": "message_deleted",
        "ts": "1709560000.000002",
        "deleted_ts": "1709546400.000100",
    }
    old, deletion = import_messages(tmp_path, log | {"previous_message": message(text="the budget is 9k")}).records
    assert (old.text, old.change) == ("the budget is 9k", Change.NEW)
    assert (deletion.text, deletion.change, deletion.author) == ("", Change.DELETE, "U0INA")
    assert deletion.lineage == old.lineage
    assert deletion.valid_from_raw == "1709560000.000002"
    assert deletion.created_at == old.valid_from
    assert only(import_messages(tmp_path, log)).change is Change.DELETE  # also where the text is not kept


def test_replies_days_later_hang_under_their_root(tmp_path: Path):
    root = message(thread_ts="1709546400.000100", reply_count=1)
    reply = message("1709978400.000100", thread_ts="1709546400.000100", text="late")
    files = {"users.json": [INA], "channels.json": [OPS], DAY: [root], "ops/2024-03-09.json": [reply]}
    first, second = Imported(write_folder(tmp_path, files)).records
    assert (first.thread, first.reply_to) == (first.lineage, None)
    assert (second.thread, second.reply_to) == (first.lineage, first.lineage)


def test_a_root_that_only_counts_its_replies_is_a_thread(tmp_path: Path):
    assert (
        only(import_messages(tmp_path, message(replies=[{"user": "U0BOS", "ts": "1709546500.0"}]))).thread is not None
    )


def test_a_reply_whose_root_is_missing_keeps_a_dangling_lineage(tmp_path: Path):
    record = only(import_messages(tmp_path, message("2.0", thread_ts="1.0")))
    assert (record.thread, record.reply_to) == ("C0OPS/1.000000", "C0OPS/1.000000")


def test_a_tombstone_is_a_deletion_without_text(tmp_path: Path):
    tombstone = message(
        "1.0", subtype="tombstone", user="USLACKBOT", text="This message was deleted.", hidden=True, thread_ts="1.0"
    )
    imported = import_messages(tmp_path, tombstone, message("2.0", thread_ts="1.0"))
    deleted, reply = imported.records
    assert (deleted.change, deleted.text, deleted.lineage) == (Change.DELETE, "", "C0OPS/1.000000")
    assert deleted.source_id != deleted.lineage  # the message itself may be known from an earlier export
    assert reply.reply_to == deleted.lineage


def test_a_broadcast_reply_is_one_record_without_its_copy_of_the_root(tmp_path: Path):
    root = message(thread_ts="1709546400.000100", text="root")
    reply = message("1709546500.000000", subtype="thread_broadcast", thread_ts="1709546400.000100", root=root, text="r")
    imported = import_messages(tmp_path, root, reply)
    assert texts(imported) == ["root", "r"]
    assert imported.records[1].event is None


def test_bad_time_stamps_are_kept_aside_with_file_and_place(tmp_path: Path):
    no_stamp = {"type": "message", "user": "U0INA", "text": "no stamp"}
    bad = [message("x"), message("NaN"), no_stamp, message("99999999999.0"), message("0")]
    imported = import_messages(tmp_path, message(), *bad, message("999999999.000001"))
    assert [(item.file, item.position) for item in imported.quarantined] == [(DAY, f"message {n}") for n in range(2, 7)]
    assert imported.quarantined[0].reason == "time stamp 'x'"
    assert "no stamp" in imported.quarantined[2].raw
    assert [record.valid_from.year for record in imported.records] == [2024, 2001]


def test_a_message_that_is_no_json_does_not_stop_the_import(tmp_path: Path):
    day = b'[{"ts": "1.0", "text": "a"}, {"text": "\\x07?t=xoxe-1-a"}, {"ts": "2.0", "text": "b"}, {"ts'
    files = {"users.json": [INA], "channels.json": [OPS], DAY: day, "ops/2024-03-05.json": [message()]}
    imported = Imported(write_folder(tmp_path, files))
    assert texts(imported) == ["a", "b", "hello"]
    assert [item.position for item in imported.quarantined] == ["message 2", "message 4"]
    assert "xoxe" not in imported.quarantined[0].raw


def test_elements_that_are_no_messages_are_named_skips(tmp_path: Path):
    replied = {"type": "message", "subtype": "message_replied", "ts": "1.0", "message": message()}
    imported = import_messages(tmp_path, None, "text", {"type": "presence_change", "ts": "1.0"}, replied, message())
    assert len(imported.records) == 1
    assert [(skip.reason, skip.position) for skip in imported.skipped] == [
        ("not a message", "message 1"),
        ("not a message", "message 2"),
        ("not a message", "message 3"),
        ("copy of a thread's root", "message 4"),
    ]


@pytest.mark.parametrize("subtype", ["channel_join", "channel_name", "group_leave", "pinned_item", "huddle_thread"])
def test_events_are_records_marked_as_events(tmp_path: Path, subtype: str):
    record = only(import_messages(tmp_path, message(subtype=subtype, text="<@U0INA> did something")))
    assert (record.event, record.text, record.mentions) == (subtype, "@Ina did something", ("U0INA",))


@pytest.mark.parametrize("subtype", ["me_message", "file_share", "bot_message", "slackbot_response", "unheard_of"])
def test_other_subtypes_are_plain_records(tmp_path: Path, subtype: str):
    assert only(import_messages(tmp_path, message(subtype=subtype))).event is None


def test_messages_linked_or_shared_are_references(tmp_path: Path):
    link = "<https://heron.slack.com/archives/C0DEV/p1709000000000200?thread_ts=1.0&amp;cid=C0DEV>"
    shared = {"is_share": True, "channel_id": "C0OPS", "ts": "1709000001.000300", "from_url": "https://w.example/x"}
    preview = {"ts": "1709000002.000000", "channel_id": "C0OPS", "title": "not a shared message"}
    record = only(import_messages(tmp_path, message(text=f"see {link}", attachments=[shared, preview])))
    assert record.refs == ("C0DEV/1709000000.000200", "C0OPS/1709000001.000300")
    assert record.links == (
        "https://heron.slack.com/archives/C0DEV/p1709000000000200?thread_ts=1.0&cid=C0DEV",
        "https://w.example/x",
    )


def test_files_are_attachments_even_when_they_are_gone(tmp_path: Path):
    files = [
        {"id": "F0X", "name": "plan.pdf", "mimetype": "application/pdf", "size": 12, "mode": "hosted"},
        {"id": "F0Y", "name": "old.pdf", "mode": "tombstone"},
        {"id": "F0Z", "mode": "hidden_by_limit"},
        "not a file",
    ]
    record = only(import_messages(tmp_path, {"type": "message", "user": "U0INA", "ts": "1.0", "files": files}))
    assert [(file.name, file.state) for file in record.attachments] == [
        ("plan.pdf", ""),
        ("old.pdf", "deleted"),
        ("F0Z", "hidden_by_limit"),
    ]
    assert (record.attachments[0].type, record.attachments[0].size) == ("application/pdf", 12)
    assert record.text == "plan.pdf\nold.pdf"


def test_a_comment_on_a_file_is_by_its_author_and_carries_the_file(tmp_path: Path):
    comment = {
        "type": "message",
        "subtype": "file_comment",
        "text": "looks right",
        "ts": "1.0",
        "comment": {"user": "U0BOS", "comment": "looks right"},
        "file": {"id": "F0Y", "user": "U0INA", "name": "plan.pdf"},
    }
    record = only(import_messages(tmp_path, comment))
    assert record.author == "U0BOS"
    assert [file.name for file in record.attachments] == ["plan.pdf"]


def test_tokens_of_files_are_stripped_everywhere(tmp_path: Path):
    link = "https://files.slack.com/files-pri/T0-F0X/plan.pdf?t=xoxe-123-abc"
    sound = message(
        text=f"<{link}|plan> xoxb-1-secret",
        files=[{"id": "F0X", "name": "xoxp-9.pdf", "url_private": link}],
        attachments=[{"from_url": link}],
    )
    bot = message("2.0", text="", bot_id="B0", attachments=[{"title": "t", "title_link": link, "text": link}])
    imported = import_messages(tmp_path, sound, bot, message("x", text=link))
    assert len(imported.records) == 2
    assert len(imported.quarantined) == 1
    assert "xox" not in repr(imported.drafted)
    assert imported.records[0].links == ("https://files.slack.com/files-pri/T0-F0X/plan.pdf",)
