"""Files of mails, taken apart: where one mail ends and the next begins."""

import io

import pytest

from tests.unit.importers.mails import mail, mbox
from treering.importers.mail_kinds import HEAD_BYTES, Kind, kind_of
from treering.importers.mailboxes import read_mails

ONE, TWO = mail("one\n", Message_ID="<a@k.example>"), mail("two\n", Message_ID="<b@k.example>")
ROW = b"From: Cy <cy@k.example>\nTo: all@k.example\nSubject: row\nDate: Tue, 5 Mar 2024 10:00:00 +0000\n\nthree\n"


def bodies(content: bytes, name: str = "box") -> list[str]:
    return [one.content.partition(b"\n\n")[2].decode().strip() for one in read_mails(io.BytesIO(content), name)]


@pytest.mark.parametrize(
    "envelope",
    [
        "From ana@kestrel.example Mon Mar  4 10:00:00 2024",
        "From ana@kestrel.example  Mon Mar  4 10:00 2024",
        "From - Mon Mar 04 10:00:00 2024",
        "From -",
        "From 1793@xxx Mon Mar 04 10:00:00 +0000 2024",
        "From 1793@xxx",
        "From ana at kestrel.example  Mon Mar  4 10:00:00 2024",
        "From MAILER-DAEMON Mon Mar  4 10:00:00 EST 2024",
        'From "Ana Lobo" <ana@k.example> Mon Mar  4 10:00:00 2024',
        "From ???@??? Mon Mar 04 10:00:00 2024",
    ],
)
def test_every_kind_of_envelope_parts_a_mailbox(envelope):
    for line_end in (b"\n", b"\r\n"):
        assert bodies(mbox(ONE, TWO, envelope=envelope).replace(b"\n", line_end).replace(b"\r\n", b"\n")) == [
            "one",
            "two",
        ]


def test_windows_line_ends_part_a_mailbox_too():
    found = list(read_mails(io.BytesIO(mbox(ONE, TWO).replace(b"\n", b"\r\n")), "box"))
    assert [one.envelope for one in found] == ["ana@kestrel.example Mon Mar  4 10:00:00 2024"] * 2


def test_a_line_of_the_text_that_begins_with_from_parts_nothing():
    text = "Hello,\n\nFrom Russia with love\nYear: 1963\n\nFrom the president: ok\n\nFrom ana@k.example: this\n"
    unescaped = mbox(mail(text)).replace(b"\n>From ", b"\nFrom ")
    assert bodies(unescaped + mbox(TWO)) == [text.strip(), "two"]


def test_an_envelope_needs_an_empty_line_above_and_a_field_below():
    envelope = "From ana@k.example Mon Mar  4 10:00:00 2024\n"
    assert bodies(mbox(mail(f"see\n{envelope}Subject: x\n")).replace(b"\n>From ", b"\nFrom ")) == [
        f"see\n{envelope}Subject: x"
    ]
    assert bodies(mbox(mail(f"see\n\n{envelope}and so on\n")).replace(b"\n>From ", b"\nFrom ")) == [
        f"see\n\n{envelope}and so on"
    ]


def test_escaped_lines_are_unescaped_except_among_quotations():
    assert bodies(mbox(mail("From me\n>>From you\n\n> a\n>From b\n> c\n"))) == [
        "From me\n>From you\n\n> a\n>From b\n> c"
    ]


def test_a_content_length_that_leads_to_the_end_of_a_mail_is_believed():
    text = "see the box:\n\nFrom ana@k.example Mon Mar  4 10:00:00 2024\nSubject: inner\n\ninner\n"
    whole = mail(text, Content_Length=str(len(text)))
    for content in (mbox(whole, TWO), mbox(TWO, whole)):
        assert sorted(bodies(content.replace(b"\n>From ", b"\nFrom "))) == sorted([text.strip(), "two"])


@pytest.mark.parametrize("length", ["3", "17", "99999", "99999999999", "x"])
def test_a_content_length_that_leads_nowhere_is_not(length):
    assert bodies(mbox(mail("one\n", Content_Length=length), TWO)) == ["one", "two"]


def test_a_mailbox_longer_than_a_piece_is_read_whole(monkeypatch):
    monkeypatch.setattr("treering.importers.mailboxes.CHUNK_BYTES", 1 << 12)
    texts = [f"{number} {'x ' * (number * 700 % 20_000)}".strip() for number in range(60)]
    assert bodies(mbox(*(mail(f"{text}\n") for text in texts))) == texts


def test_a_mail_too_long_for_memory_is_named_and_the_next_is_read(monkeypatch):
    monkeypatch.setattr("treering.importers.mailboxes.MAIL_BYTES_MAX", 1 << 18)
    monkeypatch.setattr("treering.importers.mailboxes.CHUNK_BYTES", 1 << 15)
    found = list(read_mails(io.BytesIO(mbox(ONE, mail("x" * (1 << 19)), TWO)), "box"))
    assert [bool(one.fault) for one in found] == [False, True, False]
    assert found[1].content.startswith(b"From: Ana Lobo")


def test_a_mark_of_bytes_or_empty_lines_before_the_first_mail_are_passed_over():
    assert bodies(b"\xef\xbb\xbf" + mbox(ONE)) == ["one"]
    assert bodies(b"\r\n\n" + mbox(ONE)) == ["one"]


def test_mmdf_is_parted_by_its_control_characters():
    mark = b"\1\1\1\1\n"
    assert bodies(mark + ONE + mark + mark + TWO + mark) == ["one", "two"]


def test_an_archive_that_parts_its_mails_by_the_year_is_read():
    assert bodies(b"\n2024\n" + ONE + b"\n\n2024\n" + TWO) == ["one", "two"]


def test_apples_files_hold_a_count_the_mail_and_a_property_list():
    content = f"{len(ONE)}\n".encode() + ONE + b"<?xml version='1.0'?><plist></plist>"
    assert bodies(content, "1.emlx") == ["one"]


def test_mails_in_a_row_with_nothing_between_them_are_told_apart():
    assert bodies(ROW + b"\n" + ROW + b"\n\n" + ROW.replace(b"three", b"four")) == ["three", "three", "four"]


def test_headers_that_somebody_pasted_do_not_make_mails():
    pasted = ROW.decode()
    announced = f"see\n\n---------- Forwarded message ----------\n{pasted}\n" * 3
    human = "From: Cy\nSent: Monday\nTo: Ana\n\nwell\n\n" * 3
    for text in (f"see\n\n{pasted}", announced, human):
        assert bodies(mail(text)) == [text.strip()]
    assert bodies(ROW + b"\n" + ROW + b"\n" + ROW, "one.eml") == [
        bodies(ROW)[0] + "\n\n" + (ROW + b"\n" + ROW).decode().strip()
    ]


def test_what_a_file_holds_is_judged_by_its_beginning():
    assert kind_of(mbox(ONE)[:HEAD_BYTES]) is Kind.MBOX
    assert kind_of(ONE) is Kind.PLAIN
    assert kind_of(b"From here on\nSubject: x\n\n") is None
    assert kind_of(b"hello\n") is None


def test_a_mailbox_whose_first_mail_is_damaged_is_one_all_the_same():
    envelope = b"From ana@k.example Mon Mar  4 10:00:00 2024\n"
    box = envelope + b"\n" + mbox(ONE, TWO)
    assert kind_of(box) is Kind.MBOX
    assert bodies(box)[-2:] == ["one", "two"]
    assert kind_of(b"From the first day on, see below\n\n" + mbox(ONE)) is not Kind.MBOX
