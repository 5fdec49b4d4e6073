"""What DiscordChatExporter writes."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.chats import Chats, damaged, read, survives, written
from tests.unit.importers.exports import write_zip
from treering.importers.discord import DiscordExport
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import ActorKind, Attachment, Change, ChannelKind

OPS = {"id": "100", "type": "GuildTextChat", "categoryId": "1", "category": "Text", "name": "ops", "topic": None}
INA = {"id": "7", "name": "ina.r", "discriminator": "0000", "nickname": "Ina", "isBot": False}
BO = {"id": "8", "name": "bo", "nickname": "Bo", "isBot": False}
ALERTS = {"id": "9", "name": "Alerts", "nickname": "Alerts", "isBot": True}


def message(id_: str = "1214195123456789012", content: str = "hello", **fields: object) -> dict[str, object]:
    return {
        "id": id_,
        "type": "Default",
        "timestamp": "2024-03-04T17:00:00.12+07:00",
        "timestampEdited": None,
        "isPinned": False,
        "content": content,
        "author": INA,
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
    } | fields


def channel_file(*messages: object, channel: object = OPS) -> dict[str, object]:
    return {
        "guild": {"id": "5", "name": "Heron"},
        "channel": channel,
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2024-05-01T10:00:00.8331688+07:00",
        "messages": list(messages),
        "messageCount": len(messages),
    }


def imported(folder: Path, *messages: object, channel: object = OPS, options: ImportOptions | None = None) -> Chats:
    path = written(folder / "Heron - ops [100].json", channel_file(*messages, channel=channel))
    return read(DiscordExport(), path, options or ImportOptions())


def test_a_message_arrives_with_author_channel_and_its_time_in_utc(tmp_path: Path):
    chats = imported(tmp_path, message())
    [record] = chats.records
    assert (record.lineage, record.channel, record.author, record.text) == ("1214195123456789012", "100", "7", "hello")
    assert record.valid_from == datetime(2024, 3, 4, 10, 0, 0, 120000, tzinfo=UTC)
    assert record.order_hint == 1214195123456789012
    assert (chats.actors["7"].name, chats.actors["7"].aliases, chats.actors["7"].kind) == (
        "Ina",
        ("ina.r",),
        ActorKind.HUMAN,
    )


def test_who_may_read_a_servers_channel_is_the_operators_word(tmp_path: Path):
    closed = imported(tmp_path, message()).channels["100"]
    assert (closed.kind, closed.members, closed.stated) == (ChannelKind.PRIVATE, None, False)
    assert (closed.name, closed.aliases) == ("ops", ("Heron > ops",))
    options = ImportOptions(visibility=ChannelKind.PUBLIC)
    assert imported(tmp_path, message(), options=options).channels["100"].kind is ChannelKind.PUBLIC


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("GuildPrivateThread", ChannelKind.PRIVATE),
        ("DirectTextChat", ChannelKind.DIRECT),
        ("DirectGroupTextChat", ChannelKind.GROUP),
    ],
)
def test_private_threads_and_direct_messages_are_closed_whatever_the_operator_says(
    tmp_path: Path, kind: str, expected: ChannelKind
):
    chats = imported(
        tmp_path, message(), channel=OPS | {"type": kind}, options=ImportOptions(visibility=ChannelKind.PUBLIC)
    )
    channel = chats.channels["100"]
    assert (channel.kind, channel.members, channel.stated) == (expected, None, True)


def test_a_talk_between_two_in_which_both_wrote_has_these_members(tmp_path: Path):
    rows = [message("1"), message("2", author=BO), message("3")]
    assert imported(tmp_path, *rows, channel=OPS | {"type": "DirectTextChat"}).channels["100"].members == ("7", "8")


def test_a_public_thread_is_a_thread_of_the_channel_around_it(tmp_path: Path):
    thread = {"id": "200", "type": "GuildPublicThread", "categoryId": "100", "category": "ops", "name": "Rack 12"}
    written(tmp_path / "ops.json", channel_file(message("200", "rack 12 is down")))
    written(tmp_path / "thread.json", channel_file(message("201", "on it"), channel=thread))
    chats = read(DiscordExport(), tmp_path)
    root, reply = chats.records
    assert (root.channel, reply.channel) == ("100", "100")
    assert (root.thread, reply.thread, reply.tags) == (None, root.lineage, ("Rack 12",))
    assert set(chats.channels) == {"100"}


def test_a_reply_points_to_what_it_answers(tmp_path: Path):
    reference = {"type": "Default", "messageId": "55", "channelId": "100", "guildId": "5"}
    [record] = imported(tmp_path, message(type="Reply", reference=reference)).records
    assert (record.reply_to, record.refs) == ("55", ("55",))


def test_a_forward_is_found_by_its_words_which_are_marked_as_those_of_somebody_else_b38(tmp_path: Path):
    row = message(
        content="",
        reference={"type": "Forward", "messageId": "55", "channelId": "1"},
        forwardedMessage={
            "content": "budget is 9k\nfor all",
            "attachments": [{"fileName": "b.pdf", "fileSizeBytes": 9}],
            "embeds": [],
        },
    )
    [record] = imported(tmp_path, row).records
    assert (record.text, record.tags) == ("> budget is 9k\n> for all", ("forwarded",))
    assert (record.refs, record.reply_to, record.author) == (("55",), None, "7")
    assert record.attachments == (Attachment("b.pdf", size=9),)


def test_the_starter_of_a_thread_repeats_another_message_and_is_no_blank_one_b38(tmp_path: Path):
    rows = [
        message("1", "", type="21", reference={"messageId": "55"}),
        message("2", "", type="21", reference={"messageId": "55"}, referencedMessage={"content": "rack 12"}),
    ]
    empty, full = imported(tmp_path, *rows).records
    assert (empty.event, empty.refs) == ("ThreadStarter", ("55",))
    assert (full.event, full.text) == (None, "> rack 12")


def test_a_bots_embeds_are_its_words_and_a_persons_are_only_links_b38(tmp_path: Path):
    embed = {
        "title": "db-2",
        "url": "https://g.example",
        "description": "CPU 97%",
        "fields": [{"name": "Book", "value": "RB-12"}],
    }
    button = {"type": "ActionRow", "components": [{"type": "Button", "label": "Open", "url": "https://o.example"}]}
    bot, person, blank = imported(
        tmp_path,
        message("1", "alert", author=ALERTS, embeds=[embed], components=[button]),
        message("2", "see https://g.example", embeds=[embed]),
        message("3", None, embeds=[embed, {"title": None}], author=None, attachments=None),  # type: ignore[arg-type]
    ).records
    assert bot.text == "alert\ndb-2 (https://g.example)\nCPU 97%\nBook: RB-12\nOpen (https://o.example)"
    assert (person.text, person.links) == ("see https://g.example", ("https://g.example",))
    assert (blank.text, blank.author) == ("db-2 (https://g.example)\nCPU 97%\nBook: RB-12", "unknown")


def test_tokens_become_words_and_names_that_were_resolved_before_mention_nobody(tmp_path: Path):
    raw = message("1", "<@8> <@!77> <#100> <#3> <a:party:9> <t:0:R> </deploy:4> <@&6>", mentions=[BO])
    plain = message("2", "ask @Bo")
    first, second = imported(tmp_path, raw, plain).records
    assert first.text == "@Bo @77 #ops #3 :party: 1970-01-01 00:00 UTC /deploy @6"
    assert (first.mentions, second.mentions) == (("8", "77"), ())


def test_a_mention_that_the_exporter_lists_counts_even_where_the_text_shows_a_name(tmp_path: Path):
    [record] = imported(tmp_path, message(content="@Bo look", mentions=[BO])).records
    assert record.mentions == ("8",)


def test_a_reaction_does_not_make_an_edit_but_an_edit_does(tmp_path: Path):
    plain, edited = imported(
        tmp_path,
        message("1", reactions=[{"emoji": {"name": "👍"}, "count": 2, "users": [BO]}], isPinned=True),
        message("2", timestampEdited="2024-03-04T17:05:00+07:00"),
    ).records
    assert plain.change is Change.NEW
    assert (edited.change, edited.lineage) == (Change.EDIT, "2")
    assert edited.valid_from == datetime(2024, 3, 4, 10, 5, tzinfo=UTC)
    assert edited.created_at == plain.valid_from


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("GuildMemberJoin", "GuildMemberJoin"),
        ("ChannelNameChange", "ChannelNameChange"),
        ("8", "type 8"),
        ("20", None),
        ("Default", None),
    ],
)
def test_joins_and_boosts_are_events_and_commands_are_not(tmp_path: Path, kind: str, event: str | None):
    assert imported(tmp_path, message(type=kind)).records[0].event == event


def test_files_and_stickers_are_known_by_name(tmp_path: Path):
    row = message(
        content="",
        attachments=[{"fileName": "rack.png", "fileSizeBytes": 12, "url": "media\\x.png"}],
        stickers=[{"name": "Wave"}],
    )
    [record] = imported(tmp_path, row).records
    assert record.attachments == (Attachment("rack.png", size=12), Attachment("Wave", "sticker"))
    assert record.text == "rack.png\nWave"


def test_a_time_that_does_not_read_is_taken_from_the_id(tmp_path: Path):
    dated, undated = message(timestamp="?"), message("msg1", timestamp=None)
    chats = imported(tmp_path, dated, undated)
    assert chats.records[0].valid_from.date().isoformat() == "2024-03-04"
    assert [bad.position for bad in chats.quarantined] == ["message 2"]


def test_parts_of_a_channel_in_a_zip_are_one_channel(tmp_path: Path):
    files = {
        "ops [part 1].json": channel_file(message("1")),
        "ops [part 2].json": channel_file(message("2")),
        "media/a.png": b"x",
    }
    chats = read(DiscordExport(), write_zip(tmp_path / "a.zip", files))
    assert [record.lineage for record in chats.records] == ["1", "2"]
    assert len([draft for draft in chats.drafts if draft in chats.channels.values()]) == 1
    assert chats.skipped == ["uploaded file"]


def test_the_text_of_a_downloaded_file_is_a_document_in_answer_to_its_message(tmp_path: Path):
    row = message(
        attachments=[
            {"fileName": "plan.md", "url": "ops_Files\\plan-1A.md"},
            {"fileName": "x", "url": "https://x.example"},
        ]
    )
    files = {"a/ops.json": channel_file(row), "a/ops_Files/plan-1A.md": b"# Plan", "b/c.json": {}}
    origin, document = read(DiscordExport(), write_zip(tmp_path / "a.zip", files)).records
    assert (document.title, document.text, document.reply_to) == ("plan-1A.md", "# Plan", origin.lineage)


def test_one_bad_message_and_a_file_that_ends_too_soon_lose_nothing_else(tmp_path: Path):
    text = json.dumps(channel_file(message("1"), "text", message("2"), message("3")))
    text = text.replace('"id": "2"', '"id": ?', 1)
    chats = read(DiscordExport(), written(tmp_path / "a.json", text[: text.rindex('"author"')]))
    assert [record.lineage for record in chats.records] == ["1"]
    assert [bad.position for bad in chats.quarantined] == ["message 2", "message 3", "the end"]


def test_another_file_with_messages_is_not_taken_for_it(tmp_path: Path):
    path = written(tmp_path / "a.json", {"name": "x", "messages": [message()]})
    with open_tree(path) as tree:
        assert not DiscordExport().recognizes(tree)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_and_any_split_gives_the_same_records(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    rows = [
        message(str(n), data.draw(st.sampled_from(["a", "<@8>", ""])), author=data.draw(st.sampled_from([INA, BO])))
        for n in range(data.draw(st.integers(1, 6)))
    ]
    shuffled, cut = data.draw(st.permutations(rows)), data.draw(st.integers(0, len(rows)))
    folder = tmp_path_factory.mktemp("discord")
    whole = imported(folder / "whole", *rows)
    parts = [imported(folder / str(n), *part) for n, part in enumerate((shuffled[:cut], shuffled[cut:]))]
    assert frozenset().union(*(part.content for part in parts)) == whole.content


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    rows = [
        message("1", "<@8> <t:9:f>", mentions=[BO]),
        message("2", reference={"messageId": "1"}),
        message("3", embeds=[{"title": "t"}]),
    ]
    content = json.dumps(channel_file(*rows)).encode()
    counts = [survives(DiscordExport(), tmp_path / "a.json", bad) for bad in damaged(content, seed=11)]
    assert sum(counts) > 400
