"""What Telegram Desktop writes."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.chats import Chats, damaged, read, survives, written
from tests.unit.importers.exports import write_zip
from treering.errors import UsageError
from treering.importers.json_walk import with_odd_escapes
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.protocol import ImportOptions
from treering.importers.telegram import TelegramExport
from treering.importers.tree import open_tree
from treering.model.drafts import ActorKind, Attachment, Change, ChannelKind

AT = datetime(2024, 3, 4, 11, 0, tzinfo=UTC)
SEEN = 1709550000
EDITED = {"edited": "2024-03-04T13:00:00", "edited_unixtime": "1709553600"}


def message(id_: int = 1, text: object = "hello", **fields: object) -> dict[str, object]:
    row = {
        "id": id_,
        "type": "message",
        "date": "2024-03-04T12:00:00",
        "date_unixtime": str(SEEN),
        "from": "Ina",
        "from_id": "user1",
    }
    return row | {"text": text, "text_entities": []} | fields


def service(id_: int, action: str, **fields: object) -> dict[str, object]:
    row = {
        "id": id_,
        "type": "service",
        "date": "2024-03-04T12:00:00",
        "date_unixtime": str(SEEN),
        "actor": "Ina",
        "actor_id": "user1",
    }
    return row | {"action": action, "text": ""} | fields


def chat(
    *messages: object, kind: str = "private_supergroup", id_: int = 42, name: str | None = "Heron"
) -> dict[str, object]:
    return {"name": name, "type": kind, "id": id_, "messages": list(messages)}


def imported(folder: Path, document: object, options: ImportOptions | None = None) -> Chats:
    return read(TelegramExport(), written(folder / "result.json", document), options or ImportOptions())


def test_a_message_arrives_with_author_channel_and_the_time_that_has_no_zone_to_doubt_b31(tmp_path: Path):
    chats = imported(tmp_path, chat(message()))
    [record] = chats.records
    assert (record.lineage, record.channel, record.author, record.text) == (
        "channel42/1",
        "channel42",
        "user1",
        "hello",
    )
    assert (record.valid_from, record.valid_from_raw, record.order_hint) == (AT, str(SEEN), 1)
    assert chats.actors["user1"].name == "Ina"
    assert chats.skipped == []


def test_text_in_pieces_is_put_together_and_links_are_kept_b30(tmp_path: Path):
    pieces = [
        "see ",
        {"type": "text_link", "text": "plan", "href": "https://x.example"},
        {"type": "bold", "text": "!"},
        "",
        7,
    ]
    [record] = imported(tmp_path, chat(message(text=pieces))).records
    assert (record.text, record.links) == ("see plan!", ("https://x.example",))


def test_a_deleted_account_keeps_its_id_and_a_name_known_elsewhere_b30(tmp_path: Path):
    rows = [
        message(1, **{"from": None, "from_id": "user2"}),
        message(2, **{"from": None, "from_id": "user3"}),
        message(3, **{"from": "Cy", "from_id": "user3"}),
    ]
    actors = imported(tmp_path, chat(*rows)).actors
    assert (actors["user2"].name, actors["user3"].name) == ("Deleted account", "Cy")


def test_only_mentions_that_carry_an_id_mention_anybody(tmp_path: Path):
    pieces = [
        {"type": "mention_name", "text": "Bo", "user_id": 8},
        " and ",
        {"type": "mention", "text": "@ina"},
        " and Cy",
    ]
    [record] = imported(tmp_path, chat(message(text=pieces))).records
    assert (record.text, record.mentions) == ("Bo and @ina and Cy", ("user8",))


def test_an_edit_is_a_version_but_a_reaction_does_not_make_an_edit_b31(tmp_path: Path):
    reacted = message(2, reactions=[{"type": "emoji", "emoji": "👍", "count": 1}]) | EDITED
    edited, plain = imported(tmp_path, chat(message(1) | EDITED, reacted)).records
    assert (edited.change, edited.created_at, edited.valid_from_raw) == (Change.EDIT, AT, "1709553600")
    assert (edited.source_id, edited.lineage) == ("channel42/1@20240304T120000", "channel42/1")
    assert (plain.change, plain.valid_from) == (Change.NEW, AT)


def test_an_old_file_has_local_times_which_need_a_zone_and_say_so_b31(tmp_path: Path):
    old = message() | {"date_unixtime": None, "from_id": 1}
    assumed = imported(tmp_path, chat(old))
    assert assumed.records[0].valid_from == datetime(2024, 3, 4, 12, 0, tzinfo=UTC)
    assert assumed.records[0].valid_from_raw == "2024-03-04T12:00:00 (UTC assumed)"
    assert assumed.skipped == [UTC_ASSUMED]
    stated = imported(tmp_path, chat(old), ImportOptions(zone="Europe/Berlin"))
    assert stated.records[0].valid_from == AT
    assert (stated.skipped, stated.records[0].author) == ([], "user1")
    with pytest.raises(UsageError, match="no zone is called 'Mars'"):
        imported(tmp_path, chat(old), ImportOptions(zone="Mars"))


def test_escapes_that_are_no_json_are_read_also_at_the_end_of_a_chunk_b32(tmp_path: Path):
    text = json.dumps(chat(message(1, "bell HERE"), message(2, r"C:\x07"))).replace("HERE", r"\x07")
    chats = imported(tmp_path, text)
    assert chats.texts == ["bell \x07", r"C:\x07"]
    source = rb'"\x07\\x07\\\x1F\n\\"' * 3
    for size in range(1, 12):
        stream = with_odd_escapes(io.BytesIO(source))
        pieces = []
        while piece := stream.read(size):
            pieces.append(piece)
        whole = b"".join(pieces)
        assert whole == rb'"\u0007\\x07\\\u001F\n\\"' * 3


def test_replies_point_into_this_or_another_chat_and_may_dangle(tmp_path: Path):
    rows = [message(2, reply_to_message_id=999), message(3, reply_to_message_id=5, reply_to_peer_id="channel7")]
    assert [record.reply_to for record in imported(tmp_path, chat(*rows)).records] == ["channel42/999", "channel7/5"]


def test_a_forwarded_message_is_marked_as_the_words_of_somebody_else(tmp_path: Path):
    rows = [message(1, "budget\nis 9k", forwarded_from="Cy"), message(2, "x", forwarded_from=None)]
    first, second = imported(tmp_path, chat(*rows)).records
    assert (first.text, first.author, first.tags) == ("> Cy: budget\n> is 9k", "user1", ("forwarded",))
    assert second.text == "> x"


@pytest.mark.parametrize(
    ("kind", "expected", "native"),
    [
        ("public_supergroup", ChannelKind.PUBLIC, "channel42"),
        ("public_channel", ChannelKind.PUBLIC, "channel42"),
        ("private_supergroup", ChannelKind.PRIVATE, "channel42"),
        ("private_group", ChannelKind.PRIVATE, "chat42"),
    ],
)
def test_groups_are_public_if_they_have_a_public_name_and_their_members_unknown(
    tmp_path: Path, kind: str, expected: ChannelKind, native: str
):
    channel = imported(tmp_path, chat(message(), kind=kind)).channels[native]
    assert (channel.kind, channel.members, channel.stated) == (expected, None, True)


def test_a_talk_between_two_is_told_apart_by_whose_export_it_is(tmp_path: Path):
    rows = [message(1), message(2, **{"from": "Bo", "from_id": "user42"})]
    of_ina = imported(tmp_path / "a", chat(*rows, kind="personal_chat", name="Bo"))
    of_cy = imported(
        tmp_path / "b", chat(message(1, **{"from": "Cy", "from_id": "user3"}), kind="personal_chat", name="Bo")
    )
    assert of_ina.channels["user42/user1"].members == ("user1", "user42")
    assert (of_ina.channels["user42/user1"].kind, of_ina.actors["user42"].kind) == (ChannelKind.DIRECT, ActorKind.HUMAN)
    assert of_ina.content.isdisjoint(of_cy.content)


def test_all_chats_of_an_account_are_read_left_ones_too(tmp_path: Path):
    account = {
        "about": "x",
        "personal_information": {"user_id": 1, "first_name": "Ina", "last_name": "Reis", "phone_number": "+49 1"},
        "contacts": {"list": [{"user_id": 9, "first_name": "Zed", "phone_number": "+49 2"}]},
        "chats": {
            "about": "y",
            "list": [
                chat(message(1), id_=8, kind="personal_chat", name="Bo"),
                chat(message(2), kind="saved_messages", id_=1, name=None),
            ],
        },
        "left_chats": {"list": [chat(message(3), kind="private_group")]},
    }
    chats = imported(tmp_path, account)
    assert [record.lineage for record in chats.records] == ["user8/user1/1", "saved1/2", "chat42/3"]
    assert chats.channels["user8/user1"].members == ("user1", "user8")
    assert chats.channels["saved1"].members == ("user1",)
    assert (chats.actors["user1"].name, chats.actors["user1"].aliases) == ("Ina", ("Ina Reis",))
    assert "+49" not in repr(chats.drafts)


def test_what_a_group_does_is_an_event_and_titles_become_aliases(tmp_path: Path):
    rows = [
        service(1, "create_group", title="Egrets", members=["Ina", None, "Bo"]),
        service(2, "pin_message", message_id=1),
        service(3, "edit_group_title", title="Heron"),
    ]
    chats = imported(tmp_path, chat(*rows))
    assert [(record.event, record.text) for record in chats.records] == [
        ("create_group", "Egrets, Ina, Bo"),
        ("pin_message", ""),
        ("edit_group_title", "Heron"),
    ]
    assert chats.records[1].refs == ("channel42/1",)
    assert chats.channels["channel42"].aliases == ("Egrets",)


def test_files_polls_and_places_are_found_and_what_was_not_exported_says_why(tmp_path: Path):
    rows = [
        message(1, "", file="files/plan.pdf", mime_type="application/pdf", file_size=12),
        message(2, "", photo="(File not included. Change data exporting settings to download.)"),
        message(3, "", poll={"question": "Ship?", "answers": [{"text": "yes"}, {"text": "no"}]}),
        message(4, "", place_name="Depot", location_information={"latitude": 1.5, "longitude": 2}),
    ]
    file, photo, poll, place = imported(tmp_path, chat(*rows)).records
    assert (file.attachments, file.text) == ((Attachment("plan.pdf", "application/pdf", 12),), "plan.pdf")
    assert (photo.attachments, photo.text) == ((Attachment("photo", "image", None, "not included"),), "")
    assert (poll.text, place.text) == ("Ship?\n- yes\n- no", "Depot")


def test_messages_without_ids_are_told_apart_by_what_they_say_and_how_often(tmp_path: Path):
    bare = {"type": "message", "date_unixtime": "1544006350", "from": "Author 1", "text": "ok"}
    document = {"messages": [bare, bare, bare | {"text": "no"}]}
    first, second = imported(tmp_path, document), imported(tmp_path, document)
    assert len({record.lineage for record in first.records}) == 3
    assert first.content == second.content


def test_what_telegram_cannot_export_is_a_named_skip_and_bad_messages_are_kept_aside(tmp_path: Path):
    rows = [
        message(1),
        {"id": 2, "type": "unsupported"},
        message(3) | {"date": "?", "date_unixtime": None},
        "text",
        message(4),
    ]
    text = json.dumps(chat(*rows, message(5)))
    chats = imported(tmp_path, text[: text.rindex('"from"')])
    assert [record.lineage for record in chats.records] == ["channel42/1", "channel42/4"]
    assert chats.skipped == ["message that Telegram Desktop cannot export"]
    assert [bad.position for bad in chats.quarantined] == ["message 3", "message 4", "the end"]


def test_what_a_chat_is_may_stand_behind_its_messages(tmp_path: Path):
    document = {"messages": [message()], "type": "private_group", "id": 42, "name": "Heron"}
    chats = imported(tmp_path, document)
    assert (chats.records[0].channel, chats.channels["chat42"].name) == ("chat42", "Heron")


def test_an_export_with_media_in_a_zip_is_read(tmp_path: Path):
    chats = read(
        TelegramExport(), write_zip(tmp_path / "a.zip", {"result.json": chat(message()), "photos/a.jpg": b"x"})
    )
    assert (chats.texts, chats.skipped) == (["hello"], ["uploaded file"])


def test_the_text_of_an_exported_file_is_a_document_in_answer_to_its_message(tmp_path: Path):
    files = {
        "result.json": chat(message(1, "see", file="files/plan.md")),
        "files/plan.md": b"# Plan",
        "files/a.pdf": b"?",
    }
    chats = read(TelegramExport(), write_zip(tmp_path / "a.zip", files))
    origin, document = chats.records
    assert (document.title, document.text, document.reply_to) == ("plan.md", "# Plan", origin.lineage)
    assert chats.skipped == ["uploaded file"]


@pytest.mark.parametrize(
    "document", [{"messages": [{"type": "message", "ts": "1.0", "text": "x"}]}, {"messages": []}, [1], {}]
)
def test_other_files_with_messages_are_not_taken_for_it(tmp_path: Path, document: object):
    with open_tree(written(tmp_path / "a.json", document)) as tree:
        assert not TelegramExport().recognizes(tree)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_and_any_split_gives_the_same_records(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    rows = [
        message(
            n,
            data.draw(st.sampled_from(["a", ["b", {"type": "bold", "text": "c"}], ""])),
            reply_to_message_id=data.draw(st.sampled_from([None, 0])),
        )
        for n in range(1, data.draw(st.integers(2, 7)))
    ]
    shuffled, cut = data.draw(st.permutations(rows)), data.draw(st.integers(0, len(rows)))
    folder = tmp_path_factory.mktemp("telegram")
    whole = imported(folder / "whole", chat(*rows))
    parts = [imported(folder / str(n), chat(*part)) for n, part in enumerate((shuffled[:cut], shuffled[cut:]))]
    assert frozenset().union(*(part.content for part in parts)) == whole.content


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    rows = [
        message(1) | EDITED,
        message(2, ["a", {"type": "link", "text": "https://x.example"}]),
        service(3, "pin_message", message_id=1),
    ]
    content = json.dumps(chat(*rows)).encode()
    counts = [survives(TelegramExport(), tmp_path / "result.json", bad) for bad in damaged(content, seed=19)]
    assert sum(counts) > 400
