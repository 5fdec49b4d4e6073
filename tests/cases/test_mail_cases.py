"""Mails that broke other tools, each with the right behaviour: cases B21 to B27, B47, B53 and B55."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.unit.importers.mails import Imported, import_mails, mail, mbox
from tests.unit.importers.outcome import Outcome
from treering import Memory
from treering.importers.mail import MailFiles
from treering.importers.mail_charsets import decoded


def test_b21_a_line_escaped_in_a_mailbox_reads_as_it_was_sent_and_changes_no_id(tmp_path: Path):
    body = "Hello\nFrom the start we knew.\n"
    in_mailbox = import_mails(tmp_path / "box", mail(body, Message_ID=None))
    alone = Imported(tmp_path / "alone", {"one.eml": mail(body, Message_ID=None)})
    (boxed,), (single,) = in_mailbox.records, alone.records
    assert b">From the start" in (tmp_path / "box" / "box.mbox").read_bytes()
    assert boxed.text == single.text == body.rstrip("\n")
    assert boxed.source_id == single.source_id


def test_b23_a_mail_without_a_date_is_dated_by_what_it_says_otherwise_and_never_by_now(tmp_path: Path):
    relay = "from a by b with SMTP; Mon, 4 Mar 2024 11:00:00 +0100"
    relayed = import_mails(tmp_path / "a", mail(Date=None, Received=relay)).records[0]
    enveloped = import_mails(tmp_path / "b", mail(Date=None)).records[0]
    undated = Imported(tmp_path / "c", {"one.eml": mail(Date=None)}).records[0]
    assert relayed.valid_from == enveloped.valid_from == datetime(2024, 3, 4, 10, tzinfo=UTC)
    assert "eceived" in relayed.valid_from_raw
    assert enveloped.valid_from_raw != relayed.valid_from_raw
    assert undated.valid_from.year < 2000
    assert undated.valid_from_raw


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("Wed, 14 Jun 100 05:41:34 -0700", datetime(2000, 6, 14, 12, 41, 34, tzinfo=UTC)),
        ("Fri, Dec 14 2001 16:05:48 -0800", datetime(2001, 12, 15, 0, 5, 48, tzinfo=UTC)),
    ],
)
def test_b24_odd_years_and_orders_of_a_date_are_read(tmp_path: Path, written: str, at: datetime):
    assert import_mails(tmp_path, mail(Date=written)).records[0].valid_from == at


def test_b24_an_absurd_year_is_no_date(tmp_path: Path):
    record = import_mails(tmp_path, mail(Date="Wed, 14 Jun 1605 05:41:34 -0700")).records[0]
    assert record.valid_from == datetime(2024, 3, 4, 10, tzinfo=UTC)  # that of the envelope


@pytest.mark.parametrize(
    ("charset", "words", "encoded_as"),
    [
        ("cp-850", "schön", "cp850"),
        ("", "plain", "ascii"),
        ("iso-8859-8-i", "שלום", "iso-8859-8"),
        ("windows-874", "สวัสดี", "cp874"),
        ("gb2312", "镕基", "gbk"),
        ("no-such-charset", "naïve", "utf-8"),
    ],
)
def test_b26_a_label_that_python_does_not_know_or_that_is_wrong_costs_no_mail(
    tmp_path: Path, charset: str, words: str, encoded_as: str
):
    kind = f'text/plain; charset="{charset}"'
    content = mail(words.encode(encoded_as) + b"\n", Content_Type=kind, Content_Transfer_Encoding="8bit")
    assert import_mails(tmp_path, content).records[0].text == words
    assert decoded("grün".encode("cp850"), "cp-850").text == "grün"


def test_b27_mails_that_answer_each_other_end_in_one_thread_with_the_earlier_one_as_its_root(tmp_path: Path):
    loop = [
        mail(
            Message_ID=f"<{n}@k.example>", In_Reply_To=f"<{1 - n}@k.example>", Date=f"Mon, 4 Mar 2024 1{n}:00:00 +0000"
        )
        for n in range(2)
    ]
    chain = [
        mail(Message_ID=f"<c{n}@k.example>", References=f"<c{(n + 1) % 500}@k.example>", Subject="round")
        for n in range(500)
    ]
    export = import_mails(tmp_path, *loop, *chain)
    assert len(export.records) == 502  # and in time: no test of ours may take minutes
    assert all(record.reply_to != record.lineage for record in export.records)
    path = tmp_path / "box.mbox"
    path.write_bytes(mbox(*loop))
    with Memory.open(tmp_path / "m.treering") as memory:
        assert memory.add(path, embed=False).total.kept == 2
        assert len(memory.search("all is ready", profile="egcforest").items) == 2


def test_b47_the_same_mail_in_two_boxes_is_one_and_a_changed_one_with_its_id_is_another(tmp_path: Path):
    one, other = mail("the plan\n"), mail("another plan\n")
    nameless = [mail(f"note {n}\n", Message_ID=None) for n in range(3)]
    files = {"a.mbox": mbox(one, other, *nameless), "b.mbox": mbox(one, nameless[0])}
    export = Imported(tmp_path, files)
    assert sorted(record.text for record in export.records) == [
        "another plan",
        "note 0",
        "note 1",
        "note 2",
        "the plan",
    ]
    assert len({(record.source_id, record.shared) for record in export.records}) == 5
    assert len(export.skipped) == 2  # the copies, by name


def test_b47_a_mail_to_two_lists_is_in_both(tmp_path: Path):
    copies = [mail(List_Id=f"<{name}.lists.k.example>") for name in ("ops", "dev")]
    assert len({record.channel for record in import_mails(tmp_path, *copies).records}) == 2


@pytest.mark.parametrize("placed", ["inline", "attachment"])
def test_b53_a_body_that_is_there_as_rich_text_alone_is_read_as_the_body(tmp_path: Path, placed: str):
    rich = rb"{\rtf1\ansi\ansicpg1252 Server room is flooded\par}"
    kind = 'application/rtf; name="rtf-body.rtf"'
    content = mail(rich, Content_Type=kind, Content_Disposition=f'{placed}; filename="rtf-body.rtf"')
    assert "Server room is flooded" in import_mails(tmp_path, content).records[0].text


@pytest.mark.parametrize(
    "field", ["Ana's message of Mon, 4 Mar <a1@k.example>", "<a1@k.example", "\n <a1@k.example>", "<a1@k.example>"]
)
def test_b55_what_a_mail_answers_is_found_in_a_field_with_words_or_a_bracket_missing(tmp_path: Path, field: str):
    root, answer = mail(Message_ID="<a1@k.example>"), mail("yes\n", Message_ID="<a2@k.example>", In_Reply_To=field)
    first, second = import_mails(tmp_path, root, answer).records
    assert second.reply_to == first.source_id


def test_b55_a_value_that_begins_on_the_next_line_loses_no_mail(tmp_path: Path):
    path = tmp_path / "one.eml"
    path.write_bytes(b"Return-Path:\n <x@y.example>\n" + mail())
    outcome = Outcome(MailFiles(), path)
    assert (outcome.recognized, outcome.texts) == (True, ["All is ready."])


def test_b47_copies_of_one_id_from_two_imports_are_all_found_and_give_one_root_in_either_order(tmp_path: Path):
    boxes = [tmp_path / name for name in ("own.mbox", "list.mbox", "other.mbox")]
    answer = mail("fine with me\n", Message_ID="<p2@kestrel.example>", In_Reply_To="<p1@kestrel.example>")
    boxes[0].write_bytes(mbox(mail("ship the plan on Friday\n"), answer))
    boxes[1].write_bytes(mbox(mail("ship the plan on Friday\n", List_Id="<ops.lists.k.example>")))
    boxes[2].write_bytes(mbox(mail("burn the plan on Monday\n")))
    roots = set()
    for number, order in enumerate([(0, 1, 2), (2, 1, 0), (1, 0, 2)]):
        with Memory.open(tmp_path / f"{number}.treering") as memory:
            for place in order:
                assert memory.add(boxes[place], embed=False).total.versions == 0
            assert memory.verify() == []
            roots.add(memory.hashes()["root"])
            found = [item.text for item in memory.search("the plan", profile="bm25") if "plan" in item.text]
            assert sorted(found) == ["burn the plan on Monday"] + ["ship the plan on Friday"] * 2
            assert sum(memory.add(box, embed=False).total.kept for box in boxes) == 0
    with Memory.open(tmp_path / "at once.treering") as memory:
        memory.add(*boxes, embed=False)
        assert {memory.hashes()["root"]} == roots
