"""Chats of other programs that broke other tools, each with the right behaviour: cases B28 to B40 and B54."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.unit.importers import test_discord as discord
from tests.unit.importers import test_googlechat as googlechat
from tests.unit.importers import test_irc as irc
from tests.unit.importers import test_matrix as matrix
from tests.unit.importers import test_teams as teams
from tests.unit.importers import test_telegram as telegram
from tests.unit.importers import test_whatsapp as whatsapp
from tests.unit.importers import test_zulip_export as zulip
from tests.unit.importers.chats import read
from tests.unit.importers.exports import write_folder
from treering import Memory
from treering.errors import TreeringError, UsageError
from treering.importers.protocol import ImportOptions
from treering.importers.teams import TeamsExport
from treering.importers.zulip_export import ZulipExport
from treering.model.drafts import Change, ChannelKind

UNSTATED = ImportOptions()


def test_b28_one_line_that_tells_day_from_month_tells_it_for_the_whole_file(tmp_path: Path):
    lines = ["3/4/24, 10:00 - Ina: a", "4/4/24, 10:00 - Bo: b", "13/4/24, 10:00 - Ina: c"]
    chats = whatsapp.imported(tmp_path, *lines, options=UNSTATED)
    assert [f"{record.valid_from:%m-%d}" for record in chats.records] == ["04-03", "04-04", "04-13"]


def test_b28_an_order_that_cannot_be_told_is_asked_for_and_not_guessed(tmp_path: Path):
    with pytest.raises(UsageError, match="dmy"):
        whatsapp.imported(tmp_path, "3/4/24, 10:00 - Ina: a", "4/4/24, 10:00 - Bo: b", options=UNSTATED)


@pytest.mark.parametrize(
    "line", ["2023-12-20, 5:46 p.m. - Ina: hi", "20/12/23 5:46 p. m. - Ina: hi", "[20.12.23, 17:46:00] Ina: hi"]
)
def test_b28_years_of_two_digits_and_halves_of_the_day_are_read_in_any_spelling(tmp_path: Path, line: str):
    (record,) = whatsapp.imported(tmp_path, line).records
    assert (record.author, record.text, f"{record.valid_from:%Y-%m-%d %H:%M}") == ("Ina", "hi", "2023-12-20 17:46")


def test_b28_what_does_not_read_as_a_chat_is_refused_and_not_passed_over_in_silence(tmp_path: Path):
    path = tmp_path / "chat.txt"
    path.write_text("".join(f"20th of December at {hour}: Ina says hi\n" for hour in range(10)))
    with Memory.open(tmp_path / "m.treering") as memory:
        total, refusal = None, ""
        try:
            total = memory.add(path, format="whatsapp", embed=False).total
        except TreeringError as error:
            refusal = str(error)
        assert "whatsapp" in refusal or (total and total.quarantined + sum(total.skipped.values()) > 0)


def test_b30_a_text_in_pieces_is_one_and_a_deleted_account_is_somebody(tmp_path: Path):
    pieces = ["see ", {"type": "text_link", "text": "plan", "href": "https://x.example"}]
    gone = telegram.message(2, pieces, **{"from": None, "from_id": "user2"})
    chats = telegram.imported(tmp_path, telegram.chat(gone))
    (record,) = chats.records
    assert (record.text, record.links, record.author) == ("see plan", ("https://x.example",), "user2")
    assert "eleted" in chats.actors["user2"].name


def test_b31_the_time_in_seconds_is_believed_and_a_reaction_is_no_edit(tmp_path: Path):
    late = {"date": "2024-03-04T00:01:59", "date_unixtime": "1709506919"}
    reacted = telegram.message(2, reactions=[{"type": "emoji", "emoji": "👍", "count": 1}], **telegram.EDITED)
    chats = telegram.imported(tmp_path, telegram.chat(telegram.message(1, **late), reacted))
    first, second = chats.records
    assert first.valid_from == datetime(2024, 3, 3, 23, 1, 59, tzinfo=UTC)
    assert second.change is Change.NEW
    local = telegram.message(3, date="2024-03-04T12:00:00")
    del local["date_unixtime"]
    (record,) = telegram.imported(tmp_path / "b", telegram.chat(local), ImportOptions(zone="Europe/Berlin")).records
    assert record.valid_from == datetime(2024, 3, 4, 11, tzinfo=UTC)
    assert "Europe/Berlin" in record.valid_from_raw


def test_b32_control_characters_written_against_the_rules_of_json_cost_nothing(tmp_path: Path):
    document = json.dumps(telegram.chat(telegram.message(1, "bell BELL here \\x07"), telegram.message(2, "next")))
    chats = telegram.imported(tmp_path, document.replace("BELL", "\\x07"))
    assert [record.text.replace("\x07", "") for record in chats.records] == ["bell  here \\x07", "next"]


def test_b34_a_date_in_another_language_or_in_none_keeps_its_message_and_its_place(tmp_path: Path):
    dates = ["Monday, March 4, 2024 at 10:00:00 AM UTC", "2024. március 4., hétfő 10:30:36 UTC", "some day or other"]
    messages = [googlechat.message(f"t{n}", text=f"m{n}", created_date=date) for n, date in enumerate(dates)]
    outcome = googlechat.read(tmp_path, *messages, googlechat.message("t3", text="m3", seconds=3600))
    in_order = sorted(outcome.records, key=lambda record: (record.valid_from, record.order_hint))
    assert [record.text for record in in_order] == ["m0", "m1", "m2", "m3"]
    assert outcome.records[1].valid_from == datetime(2024, 3, 4, 10, 30, 36, tzinfo=UTC)


def test_b35_an_edit_is_a_version_of_what_it_replaces_and_no_message(tmp_path: Path):
    old, new = matrix.event("e1", matrix.text("ship Monday")), matrix.replacing("e3", "e1", "ship Friday", 60)
    outcome = matrix.read(tmp_path, old, new)
    assert {record.lineage or record.source_id for record in outcome.records} == {"$e1"}
    assert [(record.text, record.change) for record in outcome.records][-1] == ("ship Friday", Change.EDIT)
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(tmp_path / "export.json", embed=False)
        assert [item.text for item in memory.search("ship", profile="bm25")] == ["ship Friday"]


def test_b36_what_an_answer_repeats_is_not_said_by_who_answers_and_what_was_redacted_is_gone(tmp_path: Path):
    asked = matrix.event("e1", matrix.text("who has the key?"))
    answer = matrix.answering("e2", "e1", "> <@ina:heron.example> who has the key?\n\nI do")
    redacted = matrix.event(
        "e5", {}, 9, unsigned={"redacted_because": matrix.event("e6", {}, 10, type="m.room.redaction")}
    )
    outcome = matrix.read(tmp_path, asked, answer, redacted)
    said = outcome.by_id["$e2"]
    assert (said.text, said.reply_to) == ("I do", "$e1")
    assert all(record.change is Change.DELETE for record in outcome.records if record.lineage == "$e5")
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(tmp_path / "export.json", embed=False)
        assert [item.source_id for item in memory.search("key", profile="bm25")] == ["$e1"]


def test_b38_a_forward_and_an_embed_are_found_by_their_words_and_empty_fields_crash_nothing(tmp_path: Path):
    forward = {"content": "the quote is 40k", "timestamp": "2024-03-01T10:00:00+00:00", "attachments": [], "embeds": []}
    messages = [
        discord.message("1214195123456789012", "", forwardedMessage=forward),
        discord.message(
            "1214195123456789013", "", author=discord.ALERTS, embeds=[{"title": "CPU 97%", "description": ""}]
        ),
        discord.message("1214195123456789014", None, embeds=None, attachments=None, mentions=None),  # type: ignore[arg-type]
    ]
    chats = discord.imported(tmp_path, *messages)
    first, second, *_ = chats.records
    assert "the quote is 40k" in first.text
    assert first.text != "the quote is 40k"  # marked: these are not the words of who forwarded them
    assert "CPU 97%" in second.text
    assert len(chats.records) + len(chats.quarantined) == 3


def test_b39_a_renamed_topic_is_an_edit_of_its_messages(tmp_path: Path):
    history = '[{"prev_topic": "rel 4", "topic": "release 4", "timestamp": 1709549000, "user_id": 8}]'
    versions = zulip.records(zulip.read(tmp_path, zulip.message(101, edit_history=history)))
    assert [record.thread for record in versions] == ["rel 4", "release 4"]
    assert {record.lineage for record in versions} == {"101"}
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(tmp_path, embed=False)
        assert [item.thread for item in memory.search("hi", profile="bm25")] == ["release 4"]


def test_b39_what_was_moved_to_a_private_stream_is_gone_for_who_is_no_member(tmp_path: Path):
    history = [{"prev_stream": 5, "stream": 6, "timestamp": 1709549000, "user_id": 8}]
    moved = zulip.message(101, "the secret plan", recipient=zulip.BOARD, edit_history=history)
    zulip.read(tmp_path, moved, zulip.message(102, "the open plan"))
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(tmp_path, embed=False)
        assert len(memory.search("plan", viewer="Ana Lobo").items) == 2
        for bound in (None, "2024-03-04T10:30:00Z"):
            assert [item.text for item in memory.search("plan", viewer="Ben Okoro", as_of=bound)] == ["the open plan"]
    assert ZulipExport.name == "zulip-export"


def test_b40_midnight_and_the_hour_that_comes_twice_are_read_in_the_order_of_the_log(tmp_path: Path):
    log = (
        "--- Log opened Sat Nov 06 23:58:00 2021\n23:58 <ina> before\n--- Day changed Sun Nov 07 2021\n"
        "00:00 <bo> midnight\n01:30 <ina> first\n01:59 <bo> still\n01:30 <ina> second\n02:10 <bo> after\n"
    )
    outcome = irc.read(tmp_path, log, "#ops.log", zone="America/New_York")
    assert [(record.text, f"{record.valid_from:%d %H:%M}") for record in outcome.records] == [
        ("before", "07 03:58"), ("midnight", "07 04:00"), ("first", "07 05:30"), ("still", "07 05:59"),
        ("second", "07 06:30"), ("after", "07 07:10"),
    ]  # fmt: skip


def test_b54_somebody_who_is_in_no_list_is_named_by_the_message_and_nobody_is_the_system(tmp_path: Path):
    gone = teams.message("1709546400123", "<p>bye</p>", From=teams.sender(teams.GONE, "Gone Person"))
    event = teams.message("1709546400999", "<systemEventMessage/>", From=None, MessageType="systemEventMessage")
    event["EventDetail"] = {"@odata.type": "#microsoft.graph.membersDeletedEventMessageDetail"}
    chats = read(TeamsExport(), write_folder(tmp_path, teams.LISTS | {teams.MESSAGES: [gone, event]}))
    said, system = chats.records
    assert (said.author, said.text, chats.actors[teams.GONE].name) == (teams.GONE, "bye", "Gone Person")
    assert system.event is not None
    assert chats.channels[teams.GENERAL].kind is ChannelKind.PUBLIC
