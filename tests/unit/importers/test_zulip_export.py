"""Exports that a Zulip server writes."""

import json
import tarfile
import zipfile
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.importers.zulip_export import ZulipExport
from treering.importers.zulip_message import read_message
from treering.model.drafts import (
    ActorDraft,
    ActorKind,
    Attachment,
    Change,
    ChannelDraft,
    ChannelKind,
    Draft,
    Quarantined,
    RecordDraft,
    Skipped,
)

SENT, EDITED = 1709546400, 1709550000
OPS, BOARD, TO_ANA, TO_BEN, TRIO, LOST = 50, 60, 80, 90, 70, 99
REALM: dict[str, list[dict[str, object]]] = {
    "zerver_realm": [{"id": 1, "string_id": "kestrel", "name": "Kestrel"}],
    "zerver_userprofile": [
        {
            "id": 8,
            "full_name": "Ana Lobo",
            "delivery_email": "ana@kestrel.example",
            "api_key": "KEY",
            "password": "HASH",
        },
        {"id": 9, "full_name": "Ben Okoro", "email": "ben@kestrel.example", "is_bot": False},
        {"id": 11, "full_name": "Sam Ito"},
        {"id": 12, "full_name": "Sam Ito"},
        {"id": 13, "full_name": "Deploys", "is_bot": True},
    ],
    "zerver_userprofile_mirrordummy": [{"id": 10, "full_name": "Vera", "is_mirror_dummy": True}],
    "zerver_userprofile_crossrealm": [{"id": 2, "email": "notification-bot@zulip.com", "realm_id": 3}],
    "zerver_stream": [
        {"id": 5, "name": "ops", "invite_only": False, "date_created": 1700000000},
        {"id": 6, "name": "board", "invite_only": True, "history_public_to_subscribers": False},
    ],
    "zerver_recipient": [
        {"id": OPS, "type": 2, "type_id": 5},
        {"id": BOARD, "type": 2, "type_id": 6},
        {"id": TO_ANA, "type": 1, "type_id": 8},
        {"id": TO_BEN, "type": 1, "type_id": 9},
        {"id": TRIO, "type": 3, "type_id": 3},
    ],
    "zerver_subscription": [
        {"id": 1, "user_profile": 8, "recipient": BOARD, "active": True},
        {"id": 2, "user_profile": 9, "recipient": BOARD, "active": False},
        {"id": 3, "user_profile": 77, "recipient": BOARD, "active": True},
        {"id": 4, "user_profile": 8, "recipient": TRIO, "active": True},
        {"id": 5, "user_profile": 10, "recipient": TRIO, "active": True},
    ],
}


def message(number: int, content: str = "hi", **changes: object) -> dict[str, object]:
    row = {"id": number, "sender": 8, "recipient": OPS, "subject": "release 4", "content": content, "date_sent": SENT}
    return row | changes


def read(root: Path, *messages: object, realm: object = REALM, **others: object) -> list[Draft]:
    files = {"messages-000001.json": {"zerver_message": list(messages), "zerver_usermessage": []}, **others}
    if realm is not None:
        files["realm.json"] = realm
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_path(root)


def read_path(path: Path) -> list[Draft]:
    with open_tree(path) as tree:
        assert ZulipExport().recognizes(tree)
        return [drafted.draft for drafted in ZulipExport().extract(tree, ImportOptions(visibility=ChannelKind.PUBLIC))]


def records(drafts: list[Draft]) -> list[RecordDraft]:
    return [draft for draft in drafts if isinstance(draft, RecordDraft)]


def actors(drafts: list[Draft]) -> dict[str, ActorDraft]:
    return {draft.id: draft for draft in drafts if isinstance(draft, ActorDraft)}


def channels(drafts: list[Draft]) -> dict[str, ChannelDraft]:
    return {draft.id: draft for draft in drafts if isinstance(draft, ChannelDraft)}


def at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def test_a_message_arrives_with_its_stream_topic_and_mentions(tmp_path):
    [record] = records(read(tmp_path, message(101, "@**Ben Okoro|9** see #**ops>release 3@90**")))
    assert record == RecordDraft(
        source_id="101",
        lineage="101",
        channel="5",
        author="8",
        valid_from=at(SENT),
        valid_from_raw=str(SENT),
        text="@Ben Okoro see #ops > release 3",
        order_hint=101,
        refs=("90",),
        thread="release 4",
        mentions=("9",),
    )


def test_users_come_with_kind_and_address_and_without_secrets(tmp_path):
    drafts = read(tmp_path)
    found = actors(drafts)
    assert found["8"] == ActorDraft("8", "Ana Lobo", ActorKind.HUMAN, ("ana@kestrel.example",))
    assert found["13"].kind is ActorKind.BOT
    assert found["10"].kind is ActorKind.EXTERNAL
    assert (found["2"].name, found["2"].kind) == ("Notification Bot", ActorKind.BOT)
    assert "KEY" not in repr(drafts)
    assert "HASH" not in repr(drafts)


def test_streams_are_public_or_private_and_name_their_present_subscribers(tmp_path):
    drafts = read(tmp_path)
    assert channels(drafts) == {
        "5": ChannelDraft("5", "ops", ChannelKind.PUBLIC, (), since=at(1700000000)),
        "6": ChannelDraft("6", "board", ChannelKind.PRIVATE, ("8", "77")),
    }
    assert actors(drafts)["77"] == ActorDraft("77", "user 77", ActorKind.UNKNOWN)


def test_both_sides_of_a_talk_between_two_are_one_channel(tmp_path):
    drafts = read(
        tmp_path,
        message(1, sender=8, recipient=TO_BEN, subject=""),
        message(2, sender=9, recipient=TO_ANA, subject="\x07"),
    )
    assert {(record.channel, record.thread) for record in records(drafts)} == {("dm:8-9", None)}
    assert channels(drafts)["dm:8-9"] == ChannelDraft("dm:8-9", "Ana Lobo, Ben Okoro", ChannelKind.DIRECT, ("8", "9"))


def test_notes_to_oneself_have_one_member(tmp_path):
    assert channels(read(tmp_path, message(1, recipient=TO_ANA)))["dm:8"].members == ("8",)


def test_a_group_is_its_subscribers_and_whoever_writes_in_it(tmp_path):
    drafts = read(
        tmp_path, message(1, recipient=TRIO), message(2, sender=9, recipient=TRIO), message(3, recipient=TRIO)
    )
    drafted = [draft for draft in drafts if isinstance(draft, ChannelDraft) and draft.id == "group:3"]
    assert [(channel.kind, channel.members) for channel in drafted] == [
        (ChannelKind.GROUP, ("8", "10")),
        (ChannelKind.GROUP, ("8", "9", "10")),
    ]


def test_what_the_tables_do_not_know_gets_placeholders_and_stays_private(tmp_path):
    drafts = read(tmp_path, message(1, "@**Zed|55**", sender=44, recipient=LOST))
    assert actors(drafts)["44"] == ActorDraft("44", "user 44", ActorKind.UNKNOWN)
    assert actors(drafts)["55"] == ActorDraft("55", "Zed", ActorKind.UNKNOWN)
    assert channels(drafts)["recipient:99"] == ChannelDraft("recipient:99", "recipient 99", ChannelKind.PRIVATE, None)


def test_messages_without_realm_are_read_with_placeholders_for_all(tmp_path):
    drafts = read(tmp_path, message(1, "@**Ben Okoro|9** hi"), realm=None)
    assert [(record.channel, record.text) for record in records(drafts)] == [("recipient:50", "@Ben Okoro hi")]
    assert channels(drafts)["recipient:50"].kind is ChannelKind.PRIVATE
    with open_tree(tmp_path) as tree:
        assert ZulipExport().source(tree) == "zulip"


def test_a_name_that_two_users_share_mentions_nobody(tmp_path):
    [record] = records(read(tmp_path, message(1, "@**Sam Ito** @**Sam Ito|12** @**Ana Lobo**")))
    assert record.mentions == ("12", "8")


def test_every_version_of_a_message_holds_from_its_own_time(tmp_path):
    history = json.dumps(
        [
            {"prev_content": "Ship Tuesday", "timestamp": EDITED, "user_id": 8},
            {"prev_topic": "rel 4", "topic": "release 4", "timestamp": EDITED - 500, "user_id": 9},
            {"prev_content": "Ship Monday", "timestamp": EDITED - 1000, "user_id": 8},
        ]
    )
    versions = records(read(tmp_path, message(101, "Ship Friday", edit_history=history, last_edit_time=EDITED)))
    assert [(v.source_id, v.valid_from, v.text, v.thread, v.change) for v in versions] == [
        ("101", at(SENT), "Ship Monday", "rel 4", Change.NEW),
        (f"101@{EDITED - 1000}", at(EDITED - 1000), "Ship Tuesday", "rel 4", Change.EDIT),
        (f"101@{EDITED - 500}", at(EDITED - 500), "Ship Tuesday", "release 4", Change.EDIT),
        (f"101@{EDITED}", at(EDITED), "Ship Friday", "release 4", Change.EDIT),
    ]
    assert {v.lineage for v in versions} == {"101"}
    assert [v.created_at for v in versions] == [None, at(SENT), at(SENT), at(SENT)]


def test_old_servers_call_the_topic_a_subject_in_the_history(tmp_path):
    history = [{"prev_subject": "rel 4", "timestamp": EDITED}]
    assert [v.thread for v in records(read(tmp_path, message(1, edit_history=history)))] == ["rel 4", "release 4"]


def test_text_and_topic_changed_in_one_second_are_one_version(tmp_path):
    history = [{"prev_topic": "a", "timestamp": EDITED}, {"prev_content": "old", "timestamp": EDITED}]
    versions = records(read(tmp_path, message(1, "new", edit_history=history)))
    assert [(v.text, v.thread) for v in versions] == [("old", "a"), ("new", "release 4")]


def test_an_edit_in_the_second_of_sending_does_not_come_before_it(tmp_path):
    history = [{"prev_content": "old", "timestamp": SENT}]
    first, second = records(read(tmp_path, message(1, "new", date_sent=SENT + 0.75, edit_history=history)))
    assert (first.text, second.text, second.change) == ("old", "new", Change.EDIT)
    assert first.valid_from == second.valid_from == at(SENT + 0.75)
    assert first.source_id != second.source_id


def test_an_edit_without_history_is_known_only_from_the_edit_on(tmp_path):
    for history in (None, "", "{broken", [{"prev_content": "x", "timestamp": "?"}]):
        [version] = records(read(tmp_path, message(1, edit_history=history, last_edit_time=EDITED)))
        assert (version.source_id, version.change) == (f"1@{EDITED}", Change.EDIT)
        assert (version.valid_from, version.created_at, version.lineage) == (at(EDITED), at(SENT), "1")


def test_a_message_moved_to_a_private_stream_is_private_in_all_its_versions(tmp_path):
    history = [{"prev_stream": 5, "stream": 6, "prev_topic": "pay", "topic": "release 4", "timestamp": EDITED}]
    versions = records(read(tmp_path, message(1, recipient=BOARD, edit_history=history)))
    assert [(v.channel, v.thread) for v in versions] == [("6", "pay"), ("6", "release 4")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": 555, "date_sent": 1409000103}, "no sender, no recipient, no content"),
        (message(1, date_sent="NaN"), "date_sent cannot be read"),
        (message(1, date_sent=None), "no date_sent"),
        (message("x"), "id is no number"),  # type: ignore[arg-type]
        (message(1, sender={}), "sender is no number"),
        (message(1) | {"content": 5}, "content is no text"),
        (message(1, edit_history="{"), "edit_history does not read"),
        (None, "not an object"),
    ],
)
def test_messages_that_cannot_be_read_are_named_and_the_rest_is_read(tmp_path, row, reason):
    drafts = read(tmp_path, message(100), row, message(102))
    assert [record.source_id for record in records(drafts)] == ["100", "102"]
    [lost] = [draft for draft in drafts if isinstance(draft, Quarantined)]
    assert reason in lost.reason
    assert (lost.file, lost.position) == ("messages-000001.json", "message 2")
    assert json.loads(lost.raw) == row


def test_rows_of_tables_that_cannot_be_read_are_named(tmp_path):
    realm = REALM | {"zerver_stream": [*REALM["zerver_stream"], {"name": "no id"}]}
    drafts = read(tmp_path, message(1), realm=realm)
    assert [(d.file, d.position) for d in drafts if isinstance(d, Quarantined)] == [("realm.json", "zerver_stream 3")]
    assert len(records(drafts)) == 1


def test_attached_files_come_with_what_the_table_knows_of_them(tmp_path):
    table = {
        "zerver_attachment": [
            {"id": 1, "file_name": "plan.pdf", "path_id": "2/ab/plan.pdf", "size": 9, "content_type": "application/pdf"}
        ]
    }
    drafts = read(tmp_path, message(1, "[the plan](/user_uploads/2/ab/plan.pdf)"), **{"attachment.json": table})
    assert records(drafts)[0].attachments == (Attachment("plan.pdf", "application/pdf", 9),)


def test_other_files_are_skipped_by_name(tmp_path):
    drafts = read(tmp_path, uploads__2__plan="x")
    assert [draft for draft in drafts if isinstance(draft, Skipped)] == [
        Skipped("not a file of messages", "uploads/2/plan")
    ]


def test_folder_zip_and_tar_give_the_same_however_messages_are_split(tmp_path):
    folder, archive, tarball = tmp_path / "folder", tmp_path / "e.zip", tmp_path / "e.tar.gz"
    folder.mkdir()
    one, two = message(1, "first", recipient=TRIO), message(2, "second", sender=9, recipient=TO_ANA)
    whole = read(folder, one, two)
    parts = {
        "realm.json": REALM,
        "messages-000001.json": {"zerver_message": [two]},
        "messages-000002.json": {"zerver_message": [one]},
    }
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in parts.items():
            file.writestr(f"zulip-export/{name}", json.dumps(content))
    with tarfile.open(tarball, "w:gz") as file:
        file.add(folder, "zulip-export")
    assert set(read_path(archive)) == set(read_path(tarball)) == set(whole)
    with open_tree(archive) as tree:
        assert ZulipExport().source(tree) == "zulip:kestrel"


def test_other_trees_are_not_recognized(tmp_path):
    (tmp_path / "realm.json").write_text('{"users": []}')
    (tmp_path / "messages-1.json").write_text("[]")
    with open_tree(tmp_path) as tree:
        assert not ZulipExport().recognizes(tree)


@given(
    edits=st.lists(st.tuples(st.integers(1, 50), st.sampled_from("abc"), st.sampled_from("xy")), max_size=8),
)
def test_history_and_versions_tell_the_same_story(edits):
    story = [(SENT, "a", "x")]
    for seconds, content, topic in edits:
        story.append((story[-1][0] + seconds, content, topic))
    history = [
        {"timestamp": time, "prev_content": before[1], "prev_topic": before[2]}
        for before, (time, _, _) in pairwise(story)
    ]
    read_back = read_message(message(1, story[-1][1], subject=story[-1][2], edit_history=json.dumps(history[::-1])))
    told = [(version.since.at, version.content, version.topic) for version in read_back.versions]
    changes = [story[0]] + [after for before, after in pairwise(story) if before[1:] != after[1:]]
    assert told == [(at(time), content, topic) for time, content, topic in changes]
