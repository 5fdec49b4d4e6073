"""What WhatsApp writes when a chat is exported, on phones of many countries."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.chats import Chats, damaged, read, survives, written
from tests.unit.importers.exports import write_zip
from treering.errors import UsageError
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.importers.whatsapp import WhatsAppExport
from treering.model.drafts import ActorKind, Attachment, Change, ChannelKind

LRM = "\u200e"
DAY_FIRST = ImportOptions(date_order="dmy")


def imported(
    folder: Path, *lines: str, options: ImportOptions = DAY_FIRST, name: str = "WhatsApp Chat with Ops.txt"
) -> Chats:
    return read(WhatsAppExport(), written(folder / name, "\n".join(lines) + "\n"), options)


def ios(*lines: str) -> list[str]:
    """Lines as iPhones write them, a second after the other."""
    return [f"[13.03.24, 10:00:{second:02d}] {line}" for second, line in enumerate(lines)]


def test_a_message_arrives_with_author_chat_and_a_time_that_says_what_was_assumed(tmp_path: Path):
    chats = imported(tmp_path, "13/3/24, 10:00 - Ina: hello", "13/3/24, 10:01 - Bo: see https://w.example")
    first, second = chats.records
    assert (first.author, first.channel, first.text) == ("Ina", "chat:Ops", "hello")
    assert (first.valid_from, first.valid_from_raw) == (
        datetime(2024, 3, 13, 10, 0, tzinfo=UTC),
        "13/3/24, 10:00 (UTC assumed)",
    )
    assert second.links == ("https://w.example",)
    channel = chats.channels["chat:Ops"]
    assert (channel.name, channel.kind, channel.members, channel.stated) == ("Ops", ChannelKind.PRIVATE, None, False)
    assert chats.skipped == [UTC_ASSUMED]


@pytest.mark.parametrize(
    ("header", "order"),
    [
        ("[04.03.24, 22:05:09] ", "dmy"),  # German iPhone
        ("04.03.24, 22:05 - ", "dmy"),  # German Android
        ("[3/4/24, 10:05:09\u202fPM] ", "mdy"),  # American iPhone
        ("3/4/24, 10:05\u202fPM - ", "mdy"),
        ("03/04/24, 10:05:09 pm – ", "mdy"),  # with a dash
        ("04/03/2024, 22:05 - ", "dmy"),  # French, Italian, British
        ("4/3/24, 10:05\u00a0p.\u00a0m. - ", "dmy"),  # Spanish
        ("2024-03-04, 10:05 p.m. - ", None),  # Canadian
        ("2024-03-04 22 h 05 - ", None),  # Canadian, in French
        ("04-03-2024 22:05 - ", "dmy"),  # Dutch
        ("4.3.2024 klo 22.05.09 - ", "dmy"),  # Finnish
        ("[2024/03/04, 22:05:09] ", None),
        ("2024/3/4 下午10:05 - ", None),  # Chinese
        ("[2024/3/4 22:05:09] ", None),
        ("2024年3月4日 22:05 - ", None),
        ("2024. 3. 4. 오후 10:05 - ", None),  # Korean
        ("24. 3. 4. 오후 10:05 - ", None),
        ("\u200f4\u200f/3\u200f/2024، 10:05 م - ", None),  # Arabic
        ("\u200f٤\u200f/٣\u200f/٢٠٢٤، ١٠:٠٥ م - ", None),  # in Arabic digits
        ("04.03.24, 22:05:09: ", "dmy"),  # older iPhones
        ("4. 3. 2024 22:05 - ", "dmy"),  # Czech
        ("4/3/24 10:05 μ.μ. - ", None),  # Greek
    ],
)
def test_first_lines_are_read_in_the_ways_of_many_countries(tmp_path: Path, header: str, order: str | None):
    options = ImportOptions(date_order=order)
    chats = imported(tmp_path, f"{header}Ina: hello", f"{header}Bo Strand: two\nlines: one", options=options)
    assert [(record.author, record.text) for record in chats.records] == [
        ("Ina", "hello"),
        ("Bo Strand", "two\nlines: one"),
    ]
    at = chats.records[0].valid_from
    assert (at.year, at.month, at.day, at.hour, at.minute) == (2024, 3, 4, 22, 5)


@pytest.mark.parametrize(("hour", "expected"), [("12:00 AM", 0), ("12:00 PM", 12), ("1:00 AM", 1), ("11:00 pm", 23)])
def test_noon_and_midnight_have_their_hours(tmp_path: Path, hour: str, expected: int):
    [record] = imported(tmp_path, f"3/13/24, {hour} - Ina: x").records
    assert record.valid_from.hour == expected


def test_one_number_above_twelve_tells_the_order_of_the_whole_file_b28(tmp_path: Path):
    days = imported(
        tmp_path, "3/4/24, 10:00 - Ina: a", "13/4/24, 10:00 - Ina: b", options=ImportOptions(date_order="mdy")
    )
    months = imported(tmp_path, "3/4/24, 10:00 - Ina: a", "3/14/24, 10:00 - Ina: b", options=DAY_FIRST)
    assert [record.valid_from.month for record in (*days.records, *months.records)] == [4, 4, 3, 3]


def test_dates_that_would_run_backwards_tell_the_order_b28(tmp_path: Path):
    chats = imported(tmp_path, "3/4/24, 10:00 - Ina: a", "2/5/24, 10:00 - Ina: b", options=ImportOptions())
    assert [record.valid_from.month for record in chats.records] == [4, 5]


def test_an_order_that_nothing_tells_is_asked_for_and_not_guessed_b28(tmp_path: Path):
    lines = ("3/4/24, 10:00 - Ina: a", "3/5/24, 10:00 - Ina: b")
    with pytest.raises(UsageError, match=r"Ops\.txt: the dates do not tell.*--date-order dmy .*mdy .*ymd"):
        imported(tmp_path, *lines, options=ImportOptions())
    for order, month, day in (("dmy", 4, 3), ("mdy", 3, 4)):
        first = imported(tmp_path, *lines, options=ImportOptions(date_order=order)).records[0].valid_from
        assert (first.month, first.day) == (month, day)
    with pytest.raises(UsageError, match="no order of dates is called 'ydm'"):
        imported(tmp_path, *lines, options=ImportOptions(date_order="ydm"))


def test_a_date_in_the_text_is_no_first_line_unless_it_has_the_files_own_form(tmp_path: Path):
    pasted = [
        "[13/3/24, 10:00:00] Ina: copied:",
        "[13/03/2024, 09:00:00] Cy: another form",
        "13/3/24, 09:00 - Cy: and another",
        "[1/1/24, 09:00:00] Cy: the same form, and long ago",
        "[1/1/24, 09:00:05] Cy: twice",
        "[13/3/24, 10:00:09] Bo: ok",
    ]
    first, second = imported(tmp_path, *pasted).records
    assert first.text.count("\n") == 4
    assert (second.author, second.text) == ("Bo", "ok")


def test_a_clock_that_was_wrong_once_swallows_nothing(tmp_path: Path):
    lines = (
        "13/3/30, 10:00 - Ina: from the future",
        "13/3/24, 10:00 - Bo: a",
        "13/3/24, 09:58 - Ina: b",
        "14/3/24, 10:00 - Bo: c",
    )
    assert imported(tmp_path, *lines).texts == ["from the future", "a", "b", "c"]


def test_lines_of_the_app_are_events_on_android(tmp_path: Path):
    chats = imported(
        tmp_path,
        "13/3/24, 10:00 - Messages and calls are end-to-end encrypted.",
        '13/3/24, 10:01 - Ina created group "Egrets"',
        '13/3/24, 10:02 - Ina changed the subject from "Egrets: all" to "Ops"',
        "13/3/24, 10:03 - Ina: real",
        "13/3/24, 10:04 - Ina:.",
    )
    assert [record.event for record in chats.records] == ["system", "system", "system", None, None]
    assert {record.author for record in chats.records[:3]} == {"whatsapp"}
    assert chats.actors["whatsapp"].kind is ActorKind.SYSTEM
    assert chats.texts[3:] == ["real", "."]
    assert chats.channels["chat:Ops"].aliases == ("Egrets", "Egrets: all")


def test_lines_of_the_app_are_events_on_iphones_which_put_names_before_them(tmp_path: Path):
    chats = imported(
        tmp_path,
        *ios(
            f"Ops: {LRM}Messages and calls are end-to-end encrypted.",
            f"Ina: {LRM}Ina added Bo",
            f"Ina: {LRM}Location: https://maps.example/?q=1,2",
            f"Ina: {LRM}POLL:\nShip?\n{LRM}OPTION: yes (2 votes)",
            "Ina: plain",
        ),
    )
    assert [record.event for record in chats.records] == ["system", "system", None, None, None]
    assert [record.author for record in chats.records] == ["whatsapp", "Ina", "Ina", "Ina", "Ina"]


@pytest.mark.parametrize("label", ["Ina: the boss", "- Ina -", "🤓", "~\u202fIna", "\u202a+49 151 234567\u202c"])
def test_odd_names_are_names(tmp_path: Path, label: str):
    chats = imported(tmp_path, f"13/3/24, 10:00 - {label}: hi", "13/3/24, 10:00 - Bo: ok")
    author = chats.records[0].author
    assert author in {"Ina", "- Ina -", "🤓", "~Ina", "+49151234567"}  # a colon in a name cannot be told from the first
    assert chats.actors[author].name in {"Ina", "- Ina -", "🤓", "+49 151 234567"}


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        (f"{LRM}<attached: 00000012-PHOTO-2024-03-13-10-00-00.jpg>", "00000012-PHOTO-2024-03-13-10-00-00.jpg", ""),
        (f"the rack {LRM}<Anhang: 00000013-rack.pdf>", "00000013-rack.pdf", "the rack"),
        (f"{LRM}IMG-20240313-WA0001.jpg (file attached)\nthe rack", "IMG-20240313-WA0001.jpg", "the rack"),
        ("plan B.pdf (Datei angehängt)", "plan B.pdf", ""),
        ("VID-20240313-WA0002.mp4 (něco přiloženo)", "VID-20240313-WA0002.mp4", ""),
    ],
)
def test_attached_files_are_known_by_name(tmp_path: Path, text: str, name: str, rest: str):
    [record] = imported(tmp_path, f"13/3/24, 10:00 - Ina: {text}").records
    assert record.attachments == (Attachment(name),)
    assert record.text == (rest or name)


@pytest.mark.parametrize(
    "text", ["<Media omitted>", "<Medien ausgeschlossen>", "<Multimedia omitido>", "<Без медиафайлов>"]
)
def test_files_left_out_are_no_words_of_anybody(tmp_path: Path, text: str):
    [record] = imported(tmp_path, f"13/3/24, 10:00 - Ina: {text}").records
    assert (record.text, record.attachments) == ("", (Attachment(text[1:-1], state="not exported"),))


@pytest.mark.parametrize("text", ["image omitted", "Bild weggelassen", "imagem ocultada", "Contact card omitted"])
def test_files_left_out_by_iphones_are_told_from_people_who_write_so(tmp_path: Path, text: str):
    by_app, by_person = imported(tmp_path, *ios(f"Ina: {LRM}{text}", f"Ina: {text}")).records
    assert (by_app.text, by_app.attachments) == ("", (Attachment(text, state="not exported"),))
    assert (by_person.text, by_person.event) == (text, None)


@pytest.mark.parametrize(
    "text",
    [
        "This message was deleted",
        f"{LRM}You deleted this message.",
        "Diese Nachricht wurde gelöscht.",
        "Se eliminó este mensaje",
    ],
)
def test_a_placeholder_of_a_deleted_message_is_a_deletion_without_text(tmp_path: Path, text: str):
    [record] = imported(tmp_path, *ios(f"Ina: {text}")).records
    assert (record.change, record.text, record.author, record.event) == (Change.DELETE, "", "Ina", None)


def test_a_later_export_with_seconds_shows_what_became_of_a_message(tmp_path: Path):
    earlier = imported(tmp_path / "a", *ios("Ina: on Monday", "Bo: the budget is 9k", "Ina: ok"))
    later = imported(
        tmp_path / "b",
        *ios(f"Ina: on Friday {LRM}<This message was edited>", f"Bo: {LRM}This message was deleted.", "Ina: ok"),
    )
    assert [record.lineage for record in earlier.records] == [record.lineage for record in later.records]
    assert [record.change for record in later.records] == [Change.EDIT, Change.DELETE, Change.NEW]
    assert earlier.records[2] == later.records[2]


def test_an_edited_message_holds_from_when_it_must_have_been_edited(tmp_path: Path):
    [record] = imported(tmp_path, f"13/3/24, 10:00 - Ina: on Friday {LRM}<Diese Nachricht wurde bearbeitet.>").records
    assert (record.change, record.text) == (Change.EDIT, "on Friday")
    assert (record.valid_from.minute, record.created_at) == (15, datetime(2024, 3, 13, 10, 0, tzinfo=UTC))
    assert record.valid_from_raw == "13/3/24, 10:00 (UTC assumed), edited within 15 minutes"


def test_equal_words_in_one_minute_are_two_messages_and_stay_these_when_imported_again(tmp_path: Path):
    lines = [f"13/3/24, 10:00 - Ina: {text}" for text in ("ok", "ok", "no")]
    first, again = imported(tmp_path / "a", *lines), imported(tmp_path / "b", *lines)
    assert len({record.source_id for record in first.records}) == 3
    assert [record.order_hint for record in first.records] == [0, 1, 2]
    assert first.content == again.content
    longer = imported(tmp_path / "c", *lines[1:], "13/3/24, 10:01 - Bo: new")
    assert len(longer.content - first.content) == 1


def test_mentions_are_the_names_that_the_app_has_marked(tmp_path: Path):
    chats = imported(
        tmp_path, "13/3/24, 10:00 - Ina: @\u2068Bo Strand\u2069 and @4915123456 but not @bo or a@b.example, Cy"
    )
    assert chats.records[0].mentions == ("Bo Strand", "+4915123456")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("WhatsApp Chat with Ops.txt", "Ops"),
        ("WhatsApp Chat with Ops (2).txt", "Ops"),
        ("WhatsApp-Chat mit Ops.txt", "Ops"),
        ("Chat de WhatsApp con Ops.txt", "Ops"),
        ("Conversa do WhatsApp com Ops.txt", "Ops"),
        ("Discussion WhatsApp avec Ops.txt", "Ops"),
        ("ops.txt", "ops"),
        ("_chat.txt", "chat"),
    ],
)
def test_the_name_of_a_chat_is_that_of_its_file(tmp_path: Path, name: str, title: str):
    assert set(imported(tmp_path, "13/3/24, 10:00 - Ina: hi", name=name).channels) == {f"chat:{title}"}


def test_an_iphones_chat_is_named_by_its_archive_and_other_files_are_named_skips(tmp_path: Path):
    files = {"_chat.txt": "\n".join(ios("Ina: hi")).encode(), "00000012-PHOTO.jpg": b"x", "notes.txt": b"just notes"}
    chats = read(WhatsAppExport(), write_zip(tmp_path / "WhatsApp Chat - Ops team.zip", files))
    assert set(chats.channels) == {"chat:Ops team"}
    assert chats.skipped == [UTC_ASSUMED, "uploaded file", "uploaded file"]


def test_the_text_of_an_attached_file_is_a_document_in_answer_to_its_message(tmp_path: Path):
    files = {
        "_chat.txt": "\n".join(ios(f"Ina: {LRM}<attached: 00000012-plan.md>")).encode(),
        "00000012-plan.md": b"# Plan",
    }
    origin, document = read(WhatsAppExport(), write_zip(tmp_path / "WhatsApp Chat - Ops.zip", files)).records
    assert (document.title, document.text, document.reply_to) == ("00000012-plan.md", "# Plan", origin.lineage)


def test_times_are_those_of_the_stated_zone_with_the_offset_of_their_own_day_b40(tmp_path: Path):
    lines = ("13/01/24, 12:00 - Ina: winter", "13/07/24, 12:00 - Ina: summer")
    chats = imported(tmp_path, *lines, options=ImportOptions(zone="Europe/Berlin"))
    assert [record.valid_from.hour for record in chats.records] == [11, 10]
    assert (chats.records[0].valid_from_raw, chats.skipped) == ("13/01/24, 12:00 (Europe/Berlin)", [])


def test_the_hour_that_comes_twice_is_told_by_the_order_of_the_lines_b40(tmp_path: Path):
    lines = [
        f"11/{day}/21, {clock} - Ina: {clock}"
        for day, clock in (
            (6, "23:58"),
            (7, "00:00"),
            (7, "01:30"),
            (7, "01:59"),
            (7, "01:10"),
            (7, "01:30"),
            (7, "02:00"),
            (13, "00:00"),
        )
    ]
    chats = imported(tmp_path, *lines, options=ImportOptions(zone="America/New_York"))
    times = [record.valid_from for record in chats.records]
    assert times == sorted(times)
    assert [f"{time:%H:%M}" for time in times[2:7]] == ["05:30", "05:59", "06:10", "06:30", "07:00"]


def test_separators_that_are_no_line_feeds_end_no_line(tmp_path: Path):
    content = "\ufeff13/3/24, 10:00 - Ina: a\u2028b\x85c\x0bd\r\n\r\n13/3/24, 10:01 - Bo: e\x00\r\n"
    assert imported(tmp_path, content).texts == ["a\u2028b\x85c\x0bd", "e"]


def test_lines_that_end_as_on_an_old_mac_are_lines(tmp_path: Path):
    content = "13/3/24, 10:00 - Ina: a\rb\r13/3/24, 10:01 - Bo: c\r"
    assert [(record.author, record.text) for record in imported(tmp_path, content).records] == [
        ("Ina", "a\nb"),
        ("Bo", "c"),
    ]


def test_a_file_in_utf16_or_with_bytes_that_are_no_text_is_read(tmp_path: Path):
    line = "13/3/24, 10:00 - Ina: grüße"
    assert read(WhatsAppExport(), written(tmp_path / "a.txt", line.encode("utf-16"))).texts == ["grüße"]
    assert read(WhatsAppExport(), written(tmp_path / "b.txt", line.encode("latin-1"))).texts == ["gr\ufffd\ufffde"]


def test_lines_above_the_first_message_and_days_that_do_not_exist_are_not_lost(tmp_path: Path):
    chats = imported(
        tmp_path, "exported by me", "13/3/24, 10:00 - Ina: a", "31/2/24, 10:00 - Ina: b", "13/3/1402, 10:00 - Ina: c"
    )
    assert [bad.raw for bad in chats.quarantined] == ["exported by me"]
    assert chats.texts == ["a\n31/2/24, 10:00 - Ina: b\n13/3/1402, 10:00 - Ina: c"]


@pytest.mark.parametrize(
    "content",
    [
        "2024-03-04 10:00:00\tina\thello\n2024-03-04 10:00:01\t--\tMode #x",  # weechat
        "10:00 <ina> hello",  # irssi
        "[10:00:00] <ina> hello",  # znc
        "Ina: hello\n13 March: ho",
        "",
    ],
)
def test_other_logs_are_not_taken_for_a_chat(tmp_path: Path, content: str):
    with open_tree(written(tmp_path / "a.txt", content)) as tree:
        assert not WhatsAppExport().recognizes(tree)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_split_gives_the_same_records(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    words = st.sampled_from(["ok", "two\nlines", "<Media omitted>", "@\u2068Bo\u2069"])
    lines = [
        f"13/3/24, 10:{n // 3:02d} - {data.draw(st.sampled_from(['Ina', 'Bo']))}: {data.draw(words)} {n}"
        for n in range(data.draw(st.integers(2, 8)))
    ]
    cut = data.draw(st.integers(1, len(lines) - 1))
    folder = tmp_path_factory.mktemp("whatsapp")
    whole = imported(folder / "whole", *lines)
    parts = [imported(folder / str(n), *part) for n, part in enumerate((lines[cut:], lines[:cut]))]
    assert frozenset().union(*(part.content for part in parts)) == whole.content
    assert len(whole.content) == len(lines)


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    content = "\n".join(
        ios("Ina: hi", f"Bo: {LRM}image omitted", "Ina: @\u2068Bo\u2069\nmore", f"Bo: x {LRM}<This message was edited>")
        * 2
    )
    counts = [
        survives(WhatsAppExport(), tmp_path / "_chat.txt", bad, DAY_FIRST) for bad in damaged(content.encode(), seed=23)
    ]
    assert sum(counts) > 800


@pytest.mark.parametrize("odd", [LRM, " ", "\u202f", "1", "13/3/24, ", '"', "@\u2068", "<a: ", "("])
def test_lines_made_to_be_slow_are_read_like_others(tmp_path: Path, odd: str):
    lines = [
        f"13/3/24, 10:00 - Ina: {odd * 30_000}x",
        f"13/3/24,{odd * 30_000} 10:00 - Ina: y",
        f"13/3/24, 10:00 - {odd * 30_000}: z",
    ]
    assert 1 <= len(imported(tmp_path, *lines, "13/3/24, 10:01 - Bo: ok").records) <= 4
