"""Mattermost's bulk exports."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.chats import Chats, damaged, lines, read, survives, written
from tests.unit.importers.exports import write_zip
from treering.importers.mattermost import MattermostExport
from treering.importers.tree import open_tree
from treering.model.drafts import ActorDraft, ActorKind, Attachment, Change, ChannelDraft, ChannelKind, RecordKind

SENT = 1709546400123
AT = datetime(2024, 3, 4, 10, 0, 0, 123000, tzinfo=UTC)

VERSION = {"type": "version", "version": 1, "info": {"generator": "mmctl", "version": "11.1.0"}}
TEAM = {"type": "team", "team": {"name": "heron", "display_name": "Heron", "type": "O", "allow_open_invite": True}}
CLOSED_TEAM = {"type": "team", "team": {"name": "owl", "display_name": "Owl", "type": "I", "allow_open_invite": False}}
OPS = {"type": "channel", "channel": {"team": "heron", "name": "ops", "display_name": "Operations", "type": "O"}}
BOARD = {"type": "channel", "channel": {"team": "heron", "name": "board", "display_name": "Board", "type": "P"}}


def user(name: str, channels: list[str], team: str = "heron", **more: object) -> dict[str, object]:
    joined = [{"name": team, "roles": "team_user", "channels": [{"name": channel} for channel in channels]}]
    return {"type": "user", "user": {"username": name, "email": f"{name}@heron.example", "teams": joined} | more}


def post(message: str = "hello", **fields: object) -> dict[str, object]:
    body = {"team": "heron", "channel": "ops", "user": "ina", "type": "", "message": message, "create_at": SENT}
    return {"type": "post", "post": body | fields}


LISTS = (VERSION, TEAM, OPS, BOARD, user("ina", ["ops", "board"], nickname="Ina"), user("bo", ["ops"]))


def imported(folder: Path, *rows: object) -> Chats:
    return read(MattermostExport(), written(folder / "import.jsonl", lines(*rows)))


def test_a_post_arrives_with_author_channel_and_its_exact_time(tmp_path: Path):
    chats = imported(tmp_path, *LISTS, post("hello @bo, see https://w.example"))
    [record] = chats.records
    assert (record.author, record.channel, record.text) == ("ina", "heron/ops", "hello @bo, see https://w.example")
    assert (record.valid_from, record.valid_from_raw) == (AT, str(SENT))
    assert (record.mentions, record.links) == (("bo",), ("https://w.example",))
    assert (record.change, record.event, record.thread, record.reply_to) == (Change.NEW, None, None, None)


def test_a_reply_older_than_its_root_and_listed_before_later_ones_keeps_its_place_in_the_thread(tmp_path: Path):
    replies = [
        {"user": "bo", "message": "late", "create_at": SENT + 9},
        {"user": "bo", "message": "early", "create_at": 1},
    ]
    replies[1]["create_at"] = SENT - 5000
    root, late, early = imported(tmp_path, *LISTS, post("root", replies=replies)).records
    assert early.valid_from < root.valid_from < late.valid_from
    assert {late.thread, early.thread, late.reply_to, early.reply_to} == {root.lineage}
    assert (late.channel, root.thread) == ("heron/ops", None)


def test_public_and_private_channels_name_their_members(tmp_path: Path):
    channels = imported(tmp_path, *LISTS, post()).channels
    assert channels["heron/ops"] == ChannelDraft(
        "heron/ops", "Operations", ChannelKind.PUBLIC, ("ina", "bo"), aliases=("ops",)
    )
    assert (channels["heron/board"].kind, channels["heron/board"].members) == (ChannelKind.PRIVATE, ("ina",))


def test_an_open_channel_of_a_closed_team_is_for_the_team_and_its_guests(tmp_path: Path):
    hall = {"type": "channel", "channel": {"team": "owl", "name": "hall", "display_name": "Hall", "type": "O"}}
    guest = user("gus", ["hall"], team="owl", roles="system_guest")
    guest["user"]["teams"][0]["roles"] = "team_guest"  # type: ignore[index]
    outsider = user("zed", ["elsewhere"], team="owl", roles="system_guest")
    outsider["user"]["teams"][0]["roles"] = "team_guest"  # type: ignore[index]
    chats = imported(
        tmp_path, CLOSED_TEAM, hall, user("ina", [], team="owl"), guest, outsider, post(team="owl", channel="hall")
    )
    assert (chats.channels["owl/hall"].kind, chats.channels["owl/hall"].members) == (
        ChannelKind.PRIVATE,
        ("ina", "gus"),
    )
    assert chats.actors["gus"].kind is ActorKind.EXTERNAL


def test_what_no_line_explains_gets_placeholders_that_nobody_sees(tmp_path: Path):
    chats = imported(tmp_path, *LISTS, post(user="ghost", channel="gone"))
    assert chats.actors["ghost"] == ActorDraft("ghost", "ghost", ActorKind.UNKNOWN)
    gone = chats.channels["heron/gone"]
    assert (gone.kind, gone.members, gone.stated) == (ChannelKind.PRIVATE, None, False)


def test_direct_posts_belong_to_their_people_in_any_order_and_to_oneself_alone(tmp_path: Path):
    def direct(*members: str) -> dict[str, object]:
        return {
            "type": "direct_post",
            "direct_post": {"channel_members": members, "user": "ina", "message": "hi", "create_at": SENT},
        }

    channel = {"type": "direct_channel", "direct_channel": {"participants": [{"username": "bo"}, {"username": "ina"}]}}
    chats = imported(tmp_path, *LISTS, channel, direct("ina", "bo"), direct("ina", "ina"), direct("ina", "bo", "zed"))
    assert [record.channel for record in chats.records] == ["dm:bo,ina", "dm:ina", "gm:bo,ina,zed"]
    assert chats.channels["dm:bo,ina"] == ChannelDraft("dm:bo,ina", "bo, Ina", ChannelKind.DIRECT, ("bo", "ina"))
    assert chats.channels["dm:ina"].members == ("ina",)
    assert chats.channels["gm:bo,ina,zed"].kind is ChannelKind.GROUP


def test_a_reaction_does_not_make_an_edit_but_an_edit_does(tmp_path: Path):
    reactions = [{"user": "bo", "emoji_name": "+1", "create_at": SENT + 50}]
    plain, edited = imported(
        tmp_path, *LISTS, post("a", reactions=reactions, edit_at=0), post("b", edit_at=SENT + 60_000)
    ).records
    assert plain.change is Change.NEW
    assert (edited.change, edited.created_at, edited.valid_from_raw) == (Change.EDIT, AT, str(SENT + 60_000))
    assert edited.source_id == f"{edited.lineage}@{SENT + 60_000}"


def test_alerts_are_found_by_what_their_attachments_show(tmp_path: Path):
    shown = [
        {
            "fallback": "CPU 97%",
            "title": "db-2",
            "title_link": "https://g.example",
            "fields": [{"title": "Book", "value": "RB-12"}],
        }
    ]
    hook = {"from_webhook": "true", "override_username": "Alerts", "attachments": shown}
    chats = imported(tmp_path, *LISTS, post("", type="slack_attachment", props=hook))
    assert chats.texts == ["db-2 (https://g.example)\nBook: RB-12"]
    assert chats.records[0].author == "bot:Alerts"
    assert chats.actors["bot:Alerts"].kind is ActorKind.BOT


def test_joins_and_renames_are_events_and_a_rename_leaves_the_old_name_as_an_alias(tmp_path: Path):
    props = {"old_displayname": "Ops", "new_displayname": "Operations"}
    chats = imported(
        tmp_path,
        *LISTS,
        post("ina joined the channel.", type="system_join_channel"),
        post("renamed", type="system_displayname_change", props=props),
        {
            "type": "post",
            "post": {
                "team": "heron",
                "channel": "ops",
                "user": "bo",
                "message": "bo joined the channel.",
                "create_at": SENT,
            },
        },
        post("ina joined the channel."),
    )
    assert [record.event for record in chats.records] == ["join_channel", "displayname_change", "membership", None]
    assert chats.channels["heron/ops"].aliases == ("Ops", "ops")


def test_only_explicit_names_outside_of_code_mention_anybody(tmp_path: Path):
    [record] = imported(tmp_path, *LISTS, post("will @Bo. and @here: a@b.example `@pytest` ```\n@x\n``` bo")).records
    assert record.mentions == ("bo",)


def test_skin_tones_keep_their_emoji_and_custom_ones_stay_words(tmp_path: Path):
    [record] = imported(tmp_path, *LISTS, post(":+1_medium_light_skin_tone: :tada: :heron_party:")).records
    assert record.text == "👍🏼 🎉 :heron_party:"


def test_attached_files_are_known_by_name_also_where_nothing_is_said(tmp_path: Path):
    [record] = imported(tmp_path, *LISTS, post("", attachments=[{"path": "2024/teams/x/f1/plan B.pdf"}])).records
    assert (record.attachments, record.text) == ((Attachment("plan B.pdf"),), "plan B.pdf")


def test_equal_words_at_other_times_or_of_others_are_other_posts(tmp_path: Path):
    records = imported(tmp_path, *LISTS, post("ok"), post("ok", create_at=SENT + 1), post("ok", user="bo")).records
    assert len({record.lineage for record in records}) == 3


def test_a_zip_with_uploads_is_read_and_lines_of_other_types_are_named(tmp_path: Path):
    files = {
        "import.jsonl": lines(*LISTS, post(), {"type": "poll", "poll": {}}).encode(),
        "data/2024/a.pdf": b"%PDF",
    }
    chats = read(MattermostExport(), write_zip(tmp_path / "export.zip", files))
    assert len(chats.records) == 1
    assert chats.skipped == ["line of type version", "description of a team", "line of type poll", "uploaded file"]


def test_the_text_of_an_uploaded_file_is_a_document_in_answer_to_its_post(tmp_path: Path):
    attached = post("see", attachments=[{"path": "2024/teams/x/runbook.md"}, {"path": "2024/gone.md"}])
    files = {"import.jsonl": lines(*LISTS, attached).encode(), "data/2024/teams/x/runbook.md": b"# Restart db-2"}
    message, document = read(MattermostExport(), write_zip(tmp_path / "export.zip", files)).records
    assert (document.kind, document.title, document.text) == (RecordKind.DOCUMENT, "runbook.md", "# Restart db-2")
    assert (document.reply_to, document.channel, document.valid_from) == (message.lineage, "heron/ops", AT)


def test_one_bad_line_or_reply_is_kept_aside_and_the_rest_goes_in(tmp_path: Path):
    bad_root = post("root", create_at="never", replies=[{"user": "bo", "message": "still here", "create_at": SENT}, 7])
    content = lines(*LISTS, bad_root, post(create_at=None), {"type": "post", "post": []}) + '{"type":"post","po'
    chats = read(MattermostExport(), written(tmp_path / "a.jsonl", content))
    assert chats.texts == ["still here"]
    assert chats.records[0].thread is not None
    reasons = [(bad.position, bad.reason) for bad in chats.quarantined]
    assert [position for position, _ in reasons] == ["line 7", "line 7, reply 2", "line 8", "line 9", "line 10"]
    assert "create_at cannot be read" in reasons[0][1]


def test_passwords_go_nowhere_not_even_into_quarantine(tmp_path: Path):
    secret = user("eve", [], password="hunter2", auth_data="token-x")
    broken = '{"type":"user","user":{"password":"hunter2","username":'
    chats = read(MattermostExport(), written(tmp_path / "a.jsonl", lines(*LISTS, secret, post()) + broken))
    assert len(chats.quarantined) == 1
    assert "hunter2" not in repr(chats.drafts)
    assert "token-x" not in repr(chats.drafts)


@pytest.mark.parametrize("text", ["a\u0000b", "lone \ud800", "bell \x07", "\u2028x\x85"])
def test_odd_characters_do_not_stop_a_post(tmp_path: Path, text: str):
    [record] = imported(tmp_path, *LISTS, post(text)).records
    assert "\x00" not in record.text
    record.text.encode()


def test_a_byte_order_mark_and_lines_of_megabytes_are_read(tmp_path: Path):
    content = b"\xef\xbb\xbf" + lines(*LISTS, post("x" * 3_000_000)).encode()
    assert len(read(MattermostExport(), written(tmp_path / "a.jsonl", content)).texts[0]) == 3_000_000


def test_other_json_lines_are_not_taken_for_it(tmp_path: Path):
    rows = (
        {"id": "1", "sent_at": "2024-03-04", "author": "ina", "channel": "ops", "text": "hi"},
        {"type": "post", "id": 1},
    )
    with open_tree(written(tmp_path / "a.jsonl", lines(*rows))) as tree:
        assert not MattermostExport().recognizes(tree)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_and_any_split_of_the_posts_gives_the_same_records(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    texts = data.draw(st.lists(st.sampled_from(["ok", "done", "@bo?", ""]), min_size=2, max_size=8))
    rows = [
        post(
            text,
            create_at=SENT + number % 3,
            user="ina" if number % 2 else "bo",
            replies=[{"user": "bo", "message": "r", "create_at": SENT}],
        )
        for number, text in enumerate(texts)
    ]
    shuffled = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    folder = tmp_path_factory.mktemp("mattermost")
    whole = imported(folder / "whole", *LISTS, *rows)
    parts = [
        imported(folder / str(number), *LISTS, *part) for number, part in enumerate((shuffled[:cut], shuffled[cut:]))
    ]
    assert frozenset().union(*(part.content for part in parts)) == whole.content


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    content = lines(
        *LISTS, post("a @bo", replies=[{"user": "bo", "message": "r", "create_at": SENT}]), post(type="x")
    ).encode()
    counts = [survives(MattermostExport(), tmp_path / "a.jsonl", bad) for bad in damaged(content, seed=3)]
    assert sum(counts) > 1000  # most lines of most files are still read
