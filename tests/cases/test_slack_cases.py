"""Slack exports that broke other tools, each with the right behaviour: B01 to B19, and B48 to B50 of all chats."""

import zipfile
from pathlib import Path

import pytest

from tests.unit.importers.exports import BOS, INA, OPS, Imported, import_messages, message, write_folder, write_zip
from tests.workspaces import line, written
from treering import Memory
from treering.importers.tree import open_tree
from treering.model.drafts import ActorKind, Attachment, Change, ChannelKind

DAY = "ops/2024-03-04.json"
BASIC: dict[str, object] = {"users.json": [INA, BOS], "channels.json": [OPS]}


def at(seconds: int) -> str:
    return f"{1_709_546_400 + seconds}.000100"


def found(memory: Memory, question: str) -> list[str]:
    return [item.text for item in memory.search(question, profile="bm25")]


def test_b01_slackbot_is_made_up_where_the_list_of_users_lacks_it(tmp_path: Path):
    said = [message(user="USLACKBOT", text="reminder: standup")]
    files = BASIC | {"dms.json": [{"id": "D0BOT", "members": ["U0INA", "USLACKBOT"]}], "D0BOT/2024-03-04.json": said}
    export = Imported(write_folder(tmp_path, files))
    assert [record.text for record in export.records] == ["reminder: standup"]
    assert export.actors["USLACKBOT"].kind is ActorKind.SYSTEM
    assert export.channels["D0BOT"].members == ("U0INA", "USLACKBOT")


def test_b02_a_member_of_a_group_whom_no_list_describes_gets_a_placeholder_and_stays_a_member(tmp_path: Path):
    group = {"id": "G0ONE", "name": "mpdm-ina.r--zed-1", "members": ["U0INA", "U0ZED"]}
    said = {"mpdm-ina.r--zed-1/2024-03-04.json": [message(user="U0ZED", text="hello from zed")]}
    path = write_zip(tmp_path / "e.zip", BASIC | {"mpims.json": [group]} | said)
    export = Imported(path)
    assert export.channels["G0ONE"].members == ("U0INA", "U0ZED")
    assert export.channels["G0ONE"].kind is ChannelKind.GROUP
    with Memory.open(tmp_path / "m.treering") as memory:
        report = memory.add(path, embed=False)
        assert report.total.kept == 1
        assert report.actors_unknown <= 1  # none, where the group's name tells what to call it
        assert memory.search("hello from zed", viewer="U0ZED").items


def test_b03_people_of_other_workspaces_come_with_their_messages_and_are_nobody_here(tmp_path: Path):
    profile = {"real_name": "Ina Reis", "team": "T0PARTNER"}
    export = import_messages(
        tmp_path, message(user="U0GHOST", user_profile=profile, user_team="T0PARTNER", text="hi"), message(at(9))
    )
    guest = export.actors["U0GHOST"]
    assert (guest.name, guest.kind) == ("Ina Reis", ActorKind.EXTERNAL)
    assert [record.author for record in export.records] == ["U0GHOST", "U0INA"]  # though both are called the same


@pytest.mark.parametrize("text", [{"text": ""}, {"text": None}, {}])
def test_b05_words_that_stand_in_attachments_or_blocks_alone_are_the_text_and_found(tmp_path: Path, text: object):
    fields = [{"title": "Runbook", "value": "<https://w.example|RB-12>"}]
    alert = message(subtype="bot_message", bot_id="B0", attachments=[{"fallback": "CPU 97% on db-2", "fields": fields}])
    rich = [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": ""}, {"type": "text", "text": "green"}]}
    ]
    nested = message(at(5), attachments=[{"blocks": [{"type": "rich_text", "elements": rich}]}])
    for one in (alert, nested):
        del one["text"], one["user"]
        one.update(text)  # type: ignore[call-overload]
    path = write_folder(tmp_path / "export", BASIC | {DAY: [alert, nested]})
    with Memory.open(tmp_path / "m.treering") as memory:
        assert memory.add(path, embed=False).total.kept == 2
        for question in ("RB-12", "db-2"):
            assert "CPU 97% on db-2" in found(memory, question)[0]
        assert found(memory, "green") == ["green"]


def test_b06_a_file_without_an_address_keeps_its_message_and_says_why(tmp_path: Path):
    gone = [{"id": "F0X", "name": "plan.pdf", "mode": "tombstone"}, {"id": "F0Y", "mode": "hidden_by_limit"}]
    export = import_messages(tmp_path, message(text="see the plan", files=gone))
    (record,) = export.records
    assert record.text == "see the plan"
    assert record.attachments == (
        Attachment("plan.pdf", state="deleted"), Attachment("F0Y", state="hidden_by_limit")
    )  # fmt: skip


@pytest.mark.parametrize("folder", ["", "teams/kestrel/"])
def test_b07_an_enterprise_grid_calls_its_users_otherwise_and_nests_its_workspaces(tmp_path: Path, folder: str):
    files = {"org_users.json": [INA, BOS], f"{folder}channels.json": [OPS], f"{folder}{DAY}": [message()]}
    export = Imported(write_zip(tmp_path / "grid.zip", files))
    assert export.recognized
    assert export.actors["U0INA"].name == "Ina"
    assert [(record.channel, record.author) for record in export.records] == [("C0OPS", "U0INA")]
    assert any(drafted.file == "org_users.json" for drafted in export.drafted)  # which list was used is reported


def test_b09_what_macos_adds_to_a_zip_is_left_out_and_counted(tmp_path: Path):
    export = BASIC | {DAY: [message()]}
    junk = {f"__MACOSX/export/{DAY.replace('ops/', 'ops/._')}": b"\0\5\x16\7", "export/.DS_Store": b"\0\0\0\1Bud1"}
    path = write_zip(tmp_path / "e.zip", {f"export/{name}": content for name, content in export.items()} | junk)
    with Memory.open(tmp_path / "m.treering") as memory:
        total = memory.add(path, embed=False).total
    assert (total.kept, total.quarantined, total.skipped["copied metadata file"]) == (1, 0, 2)


def with_flag(path: Path, is_set: bool) -> None:
    """Set or clear bit 11 (names are UTF-8) of every entry of a zip."""
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\3\4", 7), (b"PK\1\2", 9)):
        start = content.find(mark)
        while start >= 0:
            content[start + offset] = content[start + offset] | 8 if is_set else content[start + offset] & ~8
            start = content.find(mark, start + 4)
    path.write_bytes(bytes(content))


def test_b10_a_channel_in_another_script_is_its_own_though_the_zip_does_not_say_its_names_are_utf8(tmp_path: Path):
    listed = [{"id": "C0JA", "name": "雑談がた", "members": ["U0INA"]}]  # the folder is spelt decomposed, as macOS does
    files = {"users.json": [INA], "channels.json": listed, "雑談か\u3099た/2024-03-04.json": [message(text="やあ")]}
    path = write_zip(tmp_path / "e.zip", files)
    with_flag(path, is_set=False)
    assert "雑談" not in "".join(zipfile.ZipFile(path).namelist())
    assert [(record.channel, record.text) for record in Imported(path).records] == [("C0JA", "やあ")]


def test_b11_a_name_that_carries_the_flag_is_taken_as_it_is(tmp_path: Path):
    shot = "ops/attachments/F0S-Bildschirm\u00fcbersicht 10.05\u202fAM.txt"
    path = write_zip(tmp_path / "e.zip", BASIC | {DAY: [message()], shot: b"seen"})
    with open_tree(path) as tree:
        assert shot in tree.names()
    assert len(Imported(path).records) == 1


def test_b13_messages_without_a_time_are_kept_aside_and_all_others_go_in(tmp_path: Path):
    nameless = message(text="d")
    del nameless["ts"]
    bad = [message("x", text="b"), message("NaN", text="c"), nameless]
    export = import_messages(tmp_path, message("1516454398.000074", text="young"), *bad, message("999999999.000001"))
    assert [(one.file, one.position) for one in export.quarantined] == [
        (DAY, "message 2"), (DAY, "message 3"), (DAY, "message 4")
    ]  # fmt: skip
    young, old = export.records
    assert old.valid_from < young.valid_from  # though its string sorts behind
    assert (young.valid_from_raw, young.valid_from.microsecond) == ("1516454398.000074", 74)


def test_b14_a_reply_of_a_later_day_hangs_under_its_root(tmp_path: Path):
    root, reply = message(at(0), thread_ts=at(0), reply_count=1), message(at(432_000), thread_ts=at(0))
    files = BASIC | {DAY: [root], "ops/2024-03-09.json": [reply]}
    first, later = Imported(write_folder(tmp_path, files)).records
    assert later.reply_to == later.thread == first.lineage


def test_b15_replies_whose_root_is_missing_or_deleted_share_it_and_are_kept(tmp_path: Path):
    tombstone = {"type": "message", "subtype": "tombstone", "hidden": True, "ts": at(50), "thread_ts": at(50)}
    replies = [message(at(60 + n), thread_ts=root) for n, root in enumerate((at(1), at(1), at(50)))]
    path = write_folder(tmp_path / "export", BASIC | {DAY: [tombstone, *replies]})
    export = Imported(path)
    deleted, *said = export.records
    assert deleted.change is Change.DELETE
    assert [record.thread for record in said] == [f"C0OPS/{at(1)}", f"C0OPS/{at(1)}", f"C0OPS/{at(50)}"]
    assert said[2].reply_to == deleted.lineage
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(path, embed=False)
        assert len(found(memory, "hello")) == 3


def test_b17_entities_are_decoded_once(tmp_path: Path):
    export = import_messages(tmp_path, message(text="use &amp;lt; not &lt;, see <https://w.example/?a=1&amp;b=2>"))
    assert export.records[0].text.startswith("use &lt; not <, see ")
    assert export.records[0].links == ("https://w.example/?a=1&b=2",)


def test_b18_an_emoji_keeps_its_skin_tone_and_is_found_with_and_without_it(tmp_path: Path):
    path = write_folder(tmp_path / "export", BASIC | {DAY: [message(text=":wave::skin-tone-3: ok :our-parrot:")]})
    assert Imported(path).records[0].text == "\U0001f44b\U0001f3fc ok :our-parrot:"
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(path, embed=False)
        for question in ("\U0001f44b", "\U0001f44b\U0001f3fc", ":our-parrot:"):
            assert len(found(memory, question)) == 1, question


def test_b19_an_old_comment_on_a_file_is_by_whoever_commented(tmp_path: Path):
    comment = {
        "type": "message", "subtype": "file_comment", "comment": {"user": "U0BOS", "comment": "looks right"},
        "file": {"id": "F0Y", "user": "U0INA", "name": "plan.pdf"}, "text": "Bo commented: looks right", "ts": at(0),
    }  # fmt: skip
    (record,) = import_messages(tmp_path, comment).records
    assert (record.author, "looks right" in record.text) == ("U0BOS", True)


def test_b48_an_older_reply_in_a_later_export_is_not_passed_over(tmp_path: Path):
    first = write_folder(tmp_path / "one", BASIC | {DAY: [message(at(0)), message(at(900), text="newest")]})
    late = message(at(60), text="late reply", thread_ts=at(0))
    second = write_folder(tmp_path / "two", BASIC | {DAY: [message(at(0)), late, message(at(900), text="newest")]})
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(first, embed=False)
        report = memory.add(second, embed=False)
        assert (report.total.kept, report.total.unchanged) == (1, 2)
        (file,) = [file for (_, name), file in report.files.items() if name == DAY]
        assert file.counts.read == 3  # expected and imported, by file
        assert found(memory, "late reply") == ["late reply"]


def test_b49_what_two_people_say_of_themselves_is_told_apart(tmp_path: Path):
    said = [
        line(1, "I own billing", at="2024-03-04T10:00:00Z", author="Ana", thread="owners"),
        line(2, "I own search", at="2024-03-04T10:01:00Z", author="Ben", thread="owners"),
    ]
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", said), embed=False)
        best = memory.search("who owns billing").items[0]
        assert (best.author, best.text, best.source_id) == ("Ana", "I own billing", "1")
        assert "Ana" in best.citation


def test_b50_users_without_an_address_are_users_and_names_never_merge_them(tmp_path: Path):
    users = [{"id": f"U0{n}", "name": f"n{n}", "profile": {"real_name": "Sam Ito", "email": mail}} for n, mail in
             enumerate(["", None, "SAM@k.example", "sam@k.example"])]  # fmt: skip
    del users[0]["profile"]["email"]  # type: ignore[attr-defined]
    export = import_messages(tmp_path, *(message(at(n), user=f"U0{n}") for n in range(4)), users=users)
    assert [record.author for record in export.records] == ["U00", "U01", "U02", "U03"]
    assert len(export.actors) >= 4
