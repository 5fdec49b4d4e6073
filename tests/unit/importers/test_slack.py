import json
import unicodedata
from pathlib import Path

import pytest

from tests.unit.importers.exports import BOS, INA, OPS, Imported, import_messages, message, write_folder, write_zip
from treering.importers.tree import open_tree
from treering.model.drafts import ActorKind, ChannelKind, RecordDraft

DAY = "ops/2024-03-04.json"


def only(imported: Imported) -> RecordDraft:
    (record,) = imported.records
    return record


def test_files_that_are_no_messages_are_named_skips(tmp_path: Path):
    files = {
        "users.json": [INA],
        "channels.json": [OPS],
        "integration_logs.json": [{"app_id": "A0"}],
        "canvases.json": [],
        "ops/attachments/F0X-users.json": [{"id": "U0FAKE"}],
        "ops/attachments/users.json": [{"id": "U0FAKE"}],
        "__uploads/F0X/channels.json": [],
        "notes.txt": b"x",
        "ops/canvas_in_the_conversation.json": {"title": "x"},
        DAY: [message()],
    }
    imported = Imported(write_folder(tmp_path, files))
    assert len(imported.records) == 1
    assert "U0FAKE" not in imported.actors
    reasons = {item.file: item.draft.reason for item in imported.drafted if item.draft in imported.skipped}
    assert reasons == {
        "integration_logs.json": "list of integrations",
        "canvases.json": "list of canvases",
        "ops/attachments/F0X-users.json": "uploaded file",
        "ops/attachments/users.json": "uploaded file",
        "__uploads/F0X/channels.json": "uploaded file",
        "notes.txt": "not a file of messages",
        "ops/canvas_in_the_conversation.json": "not a file of messages",
    }


def test_enterprise_grid_is_read_at_any_nesting_and_says_which_list_of_users_it_used(tmp_path: Path):
    dev_eu, dev_us = {"id": "C0EU", "name": "dev", "members": []}, {"id": "C0US", "name": "dev", "members": []}
    files = {
        "org_users.json": [INA | {"enterprise_user": {"enterprise_id": "E0ORG"}}, BOS],
        "channels.json": [OPS],
        "teams/eu/channels.json": [dev_eu, OPS | {"members": ["U0BOS", "U0CY"]}],
        "teams/us/channels.json": [dev_us],
        "teams/us/groups.json": [{"id": "G0HR", "name": "hr", "members": ["U0INA"]}],
        "ops/2024-03-04.json": [message("1.0")],
        "teams/eu/ops/2024-03-05.json": [message("2.0")],
        "teams/eu/dev/2024-03-04.json": [message("3.0")],
        "teams/us/dev/2024-03-04.json": [message("4.0")],
        "hr/2024-03-04.json": [message("5.0")],
    }
    imported = Imported(write_folder(tmp_path, files))
    assert imported.source == "slack:E0ORG"
    assert {record.lineage: record.channel for record in imported.records} == {
        "C0OPS/1.000000": "C0OPS",
        "C0OPS/2.000000": "C0OPS",
        "C0EU/3.000000": "C0EU",
        "C0US/4.000000": "C0US",
        "G0HR/5.000000": "G0HR",  # a folder at the root, listed by a workspace
    }
    assert imported.channels["C0OPS"].members == ("U0INA", "U0BOS", "U0CY")
    assert imported.drafted[0].file == "org_users.json"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_folder_finds_its_channel_in_either_unicode_form_and_by_id(tmp_path: Path, form: str):
    listed = OPS | {"name": unicodedata.normalize("NFC", "größe")}
    folder = unicodedata.normalize(form, "größe")  # type: ignore[arg-type]
    files = {"channels.json": [listed], f"{folder}/2024-03-04.json": [message("1.0")], "C0OPS/a.json": [message("2.0")]}
    imported = Imported(write_zip(tmp_path / "a.zip", files))
    assert {record.channel for record in imported.records} == {"C0OPS"}
    assert len(imported.records) == 2


def test_conversations_have_the_kind_and_members_of_their_lists(tmp_path: Path):
    imported = import_messages(
        tmp_path,
        message(),
        groups=[{"id": "G0SEC", "name": "sec", "members": ["U0INA"]}],
        mpims=[{"id": "G0M", "name": "mpdm-ina.r--bo--kit-1", "members": ["U0INA", "U0BOS", "U0KIT"]}],
        dms=[{"id": "D0A", "members": ["U0INA", "USLACKBOT"]}, {"id": "D0B", "members": ["U0BOS", "U0BOS"]}],
    )
    kinds = {id_: (channel.kind, channel.members) for id_, channel in imported.channels.items()}
    assert kinds == {
        "C0OPS": (ChannelKind.PUBLIC, ("U0INA", "U0BOS")),
        "G0SEC": (ChannelKind.PRIVATE, ("U0INA",)),
        "G0M": (ChannelKind.GROUP, ("U0INA", "U0BOS", "U0KIT")),
        "D0A": (ChannelKind.DIRECT, ("U0INA", "USLACKBOT")),
        "D0B": (ChannelKind.DIRECT, ("U0BOS",)),
    }
    assert imported.channels["D0A"].name == "Ina, Slackbot"
    assert (imported.actors["U0KIT"].name, imported.actors["U0KIT"].kind) == ("kit", ActorKind.UNKNOWN)
    assert imported.actors["USLACKBOT"].kind is ActorKind.SYSTEM


def test_a_folder_that_no_list_explains_is_visible_to_nobody(tmp_path: Path):
    listed = Imported(write_folder(tmp_path / "a", {"channels.json": [OPS], "gone/2024-03-04.json": [message()]}))
    bare = Imported(write_folder(tmp_path / "b", {"gone/2024-03-04.json": [message()]}))
    for imported in (listed, bare):
        assert imported.recognized
        channel = imported.channels["gone"]
        assert (channel.kind, channel.members) == (ChannelKind.PRIVATE, None)
    assert bare.source == "slack"


def test_doubt_about_a_channel_is_resolved_to_the_more_closed_one(tmp_path: Path):
    files = {
        "channels.json": [OPS, {"id": "C0P", "name": "all", "is_private": True}, {"id": "C0Q", "name": "x"}],
        "groups.json": [{"id": "G0OPS", "name": "ops", "members": ["U0INA"]}, {"id": "C0Q", "name": "x"}],
        DAY: [message()],
    }
    imported = Imported(write_folder(tmp_path, files))
    assert only(imported).channel == "G0OPS"
    assert imported.channels["C0P"].kind is ChannelKind.PRIVATE
    assert (imported.channels["C0Q"].kind, imported.channels["C0Q"].members) == (ChannelKind.PRIVATE, None)


def test_former_names_of_a_channel_are_its_aliases(tmp_path: Path):
    renamed = message(subtype="channel_name", old_name="infra", name="ops", text="renamed")
    assert import_messages(tmp_path, renamed).channels["C0OPS"].aliases == ("infra",)


def test_a_lone_channel_folder_and_a_lone_file_are_read(tmp_path: Path):
    folder = write_folder(tmp_path / "ops", {"2024-03-04.json": [message()]})
    assert only(Imported(folder)).channel == "ops"
    assert only(Imported(folder / "2024-03-04.json")).channel == "unnamed"


def test_a_dump_of_slackdump_gives_roots_and_replies(tmp_path: Path):
    root = message("1.0", thread_ts="1.0", slackdump_thread_replies=[message("2.0", thread_ts="1.0", text="reply")])
    imported = Imported(
        write_folder(tmp_path, {"C0OPS123.json": {"name": "ops", "messages": [root], "channel_id": "C"}})
    )
    assert imported.recognized
    assert [(record.lineage, record.text) for record in imported.records] == [
        ("C0OPS123/1.000000", "hello"),
        ("C0OPS123/2.000000", "reply"),
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"2024-03-04.json": [{"ts": 1709546400, "level": "info"}]},
        {"general/2024-03-04.json": [{"id": 1, "content": "zulip"}]},
        {"users.json": [{"id": 7, "name": "ina"}]},
        {"users.json": b"<html>"},
        {"messages.jsonl": b'{"ts": "1.0", "text": "x"}'},
        {},
    ],
)
def test_what_is_not_slack_is_not_recognized(tmp_path: Path, files: dict[str, object]):
    assert not Imported(write_folder(tmp_path, files)).recognized


def test_drafts_do_not_depend_on_how_the_export_is_packed_or_split(tmp_path: Path):
    days = [[message(f"{day}{place:02d}.0", text=f"<@U0EXT> {place}") for place in range(9)] for day in range(1, 4)]
    lists = {"users.json": [INA, BOS], "channels.json": [OPS]}
    by_day = lists | {f"ops/2024-03-0{place}.json": day for place, day in enumerate(days, start=1)}
    at_once = lists | {"ops/2024-03-01.json": [item for day in reversed(days) for item in day]}
    one = Imported(write_folder(tmp_path / "folder", by_day))
    other = Imported(write_zip(tmp_path / "a.zip", {f"export/{name}": content for name, content in at_once.items()}))
    assert set(map(repr, one.drafts)) == set(map(repr, other.drafts))
    assert one.source == other.source


def test_every_element_read_is_a_record_a_skip_or_kept_aside(tmp_path: Path):
    odd: list[object] = [
        message(),
        {},
        [],
        3,
        None,
        {"ts": {}},
        {"ts": "1.0", "user": {}, "text": [], "blocks": {"a": 1}},
    ]
    odd += [
        message("3.0", files=[None], attachments=["x", {"fields": [1, {}]}], thread_ts=[]),
        {"subtype": "message_changed"},
    ]
    odd += [{"subtype": "message_deleted", "ts": "x"}, message("4.0", blocks=[{"type": "rich_text", "elements": [7]}])]
    imported = import_messages(tmp_path, *odd)
    assert len(imported.records) + len(imported.skipped) + len(imported.quarantined) == len(odd)
    assert len(imported.records) == 4


def test_a_tree_can_be_read_again(tmp_path: Path):
    write_zip(tmp_path / "a.zip", {"users.json": [INA], DAY: [message()]})
    assert json.dumps([repr(draft) for draft in Imported(tmp_path / "a.zip").drafts]) == json.dumps(
        [repr(draft) for draft in Imported(tmp_path / "a.zip").drafts]
    )
    with open_tree(tmp_path / "a.zip") as tree:
        assert tree.names() == [DAY, "users.json"]
