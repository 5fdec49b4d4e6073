"""Messages from CSV."""

import codecs
import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.csv_rows import csv_rows
from treering.importers.protocol import ImportOptions
from treering.importers.table import CsvTable, JsonLines
from treering.importers.table_fields import Fields
from treering.importers.tree import open_tree
from treering.model.drafts import ChannelDraft, ChannelKind, Draft, Quarantined, RecordDraft

HEADER = "id,sent_at,author,channel,thread,reply_to,refs,mentions,text"


def read(tmp_path: Path, content: str | bytes, name: str = "m.csv", **options) -> list[Draft]:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with open_tree(path) as tree:
        return [drafted.draft for drafted in CsvTable().extract(tree, ImportOptions(**options))]


def records(drafts: list[Draft]) -> list[RecordDraft]:
    return [draft for draft in drafts if isinstance(draft, RecordDraft)]


def lost(drafts: list[Draft]) -> list[Quarantined]:
    return [draft for draft in drafts if isinstance(draft, Quarantined)]


def line(number: int, text: str = "hello") -> str:
    return f"{number},2024-03-04T10:00:00Z,Ana,ops,release,,,,{text}"


def test_a_row_arrives_with_its_lists(tmp_path):
    [record] = records(read(tmp_path, f'{HEADER}\n7,2024-03-04,Ana,ops,,6,"5;4","Ben, Vera",hi\n'))
    assert (record.source_id, record.reply_to, record.refs, record.mentions) == ("7", "6", ("5", "4"), ("Ben", "Vera"))
    assert (record.thread, record.text, record.order_hint) == (None, "hi", 7)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_by_the_header(tmp_path, delimiter):
    content = "\n".join(part.replace(",", delimiter) for part in (HEADER, line(1, "a: b"), line(2)))
    assert [record.source_id for record in records(read(tmp_path, content))] == ["1", "2"]


def test_excels_first_line_names_the_delimiter_and_counts_as_a_line(tmp_path):
    drafts = read(tmp_path, "sep=;\r\nid;sent_at;channel;text\r\n1;2024-03-04;ops;a, b\r\n2;never;ops;x\r\n")
    assert [record.text for record in records(drafts)] == ["a, b"]
    assert [quarantined.position for quarantined in lost(drafts)] == ["line 4"]


@pytest.mark.parametrize(
    "encoded",
    [
        codecs.BOM_UTF8 + f"{HEADER}\n{line(1, 'größer 🙂')}".encode(),
        f"{HEADER}\n{line(1, 'größer 🙂')}".encode("utf-16"),
        f"{HEADER}\n{line(1, 'größer 🙂')}".encode("utf-16-le"),
        f"{HEADER}\n{line(1, 'größer 🙂')}".encode("utf-16-be"),
    ],
)
def test_encodings_are_told_by_their_marks_or_their_zeros(tmp_path, encoded):
    assert [record.text for record in records(read(tmp_path, encoded))] == ["größer 🙂"]


def test_a_line_that_is_not_utf_8_is_read_as_windows_1252(tmp_path):
    content = f"{HEADER}\n{line(1, 'größer')}\n".encode("cp1252") + line(2, "größer").encode()
    assert [record.text for record in records(read(tmp_path, content))] == ["größer", "größer"]


def test_cells_may_hold_line_feeds_and_rows_are_counted_where_they_begin(tmp_path):
    drafts = read(tmp_path, f"{HEADER}\r\n{line(1, chr(34) + 'a' + chr(10) + 'b' + chr(34))}\r\n{line(2)},,extra\r\n")
    assert [record.text for record in records(drafts)] == ["a\nb"]
    assert [(q.position, q.reason) for q in lost(drafts)] == [("line 4", "11 cells under 9 headers")]


def test_an_open_quote_costs_one_line(tmp_path):
    rows = "\n".join([HEADER, line(1), line(2, '"never closed'), *(line(number) for number in range(3, 30)), "cut"])
    drafts = read(tmp_path, rows)
    assert [record.source_id for record in records(drafts)] == ["1", *map(str, range(3, 30))]
    broken, cut = lost(drafts)
    assert (broken.position, cut.position) == ("line 3", "line 31")
    assert "never closed" in broken.raw


def test_cells_longer_than_the_standard_limit_are_read(tmp_path):
    [record] = records(read(tmp_path, f"{HEADER}\n{line(1, 'x' * 200_000)}"))
    assert len(record.text) == 200_000


def test_nul_bytes_are_removed(tmp_path):
    assert [record.text for record in records(read(tmp_path, f"{HEADER}\n{line(1, 'a' + chr(0) + 'b')}"))] == ["ab"]


def test_headers_that_repeat_add_up_in_lists_and_give_way_elsewhere(tmp_path):
    content = "id,sent_at,channel,text,mentions,mentions,text\n1,2024-03-04,ops,,Ana,Ben,said\n"
    [record] = records(read(tmp_path, content))
    assert (record.mentions, record.text) == (("Ana", "Ben"), "said")


def test_numbers_wrapped_for_excel_keep_their_zeros(tmp_path):
    content = 'id,sent_at,channel,text\n="001",2024-03-04,ops,x\n"=""002""",2024-03-04,ops,y\n'
    assert [record.source_id for record in records(read(tmp_path, content))] == ["001", "002"]


def test_headers_match_in_any_case_and_with_spaces(tmp_path):
    assert records(read(tmp_path, "ID, Sent_At ,Channel,TEXT\n1,2024-03-04,ops,x\n"))[0].text == "x"


def test_columns_of_other_names_are_mapped(tmp_path):
    fields = {"id": "Key", "sent_at": "When", "channel": "Room", "text": "Body"}
    assert records(read(tmp_path, "Key;When;Room;Body\n1;2024-03-04;ops;x\n", fields=fields))[0].channel == "ops"


def test_empty_rows_are_nothing_and_empty_texts_are_texts(tmp_path):
    drafts = read(tmp_path, "id,sent_at,channel,text\n\n,,,\n1,2024-03-04,ops,\n")
    assert [(record.source_id, record.text) for record in records(drafts)] == [("1", "")]
    assert not lost(drafts)


def test_a_row_cut_short_is_quarantined_for_what_it_lacks(tmp_path):
    drafts = read(tmp_path, "id,sent_at,channel,text\n1,2024-03-04,ops\n")
    assert [(q.position, q.reason) for q in lost(drafts)] == [("line 2", "no text")]


def test_a_file_without_our_columns_is_quarantined_row_by_row(tmp_path):
    drafts = read(tmp_path, "name,value\na,1\nb,2\n")
    assert [q.position for q in lost(drafts)] == ["line 2", "line 3"]


def test_members_and_kind_of_a_channel_are_read(tmp_path):
    drafts = read(tmp_path, "id,sent_at,channel,text,channel_kind,members\n1,2024-03-04,hr,x,private,Ana;Ben\n")
    assert ChannelDraft("hr", "hr", ChannelKind.PRIVATE, ("Ana", "Ben")) in drafts


def test_tables_of_messages_are_recognized_by_their_header(tmp_path):
    for name, content, expected in [
        ("m.csv", f"{HEADER}\n", True),
        ("m.tsv", HEADER.replace(",", "\t"), True),
        ("people.csv", "id,name\n1,Ana\n", False),
        ("empty.csv", "", False),
    ]:
        path = tmp_path / name
        path.write_text(content)
        with open_tree(path) as tree:
            assert CsvTable().recognizes(tree) is expected, name
            assert not JsonLines().recognizes(tree)


cells = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


@given(
    rows=st.lists(cells, max_size=6), delimiter=st.sampled_from(",;\t|"), encoding=st.sampled_from(["utf-8", "utf-16"])
)
def test_what_a_csv_writer_writes_is_read_back(rows, delimiter, encoding):
    page = io.StringIO(newline="")
    writer = csv.writer(page, delimiter=delimiter)
    writer.writerow(["id", "sent_at", "channel", "text"])
    writer.writerows([number, "2024-03-04", "ops", text] for number, text in enumerate(rows))
    content = page.getvalue().encode(encoding)
    read_back = [row for _, row in csv_rows(io.BytesIO(content), content, Fields({}))]
    texts = [row["text"] if isinstance(row, dict) else row for row in read_back]
    assert texts == [None if not text.strip() else text for text in rows]


@given(content=st.binary(max_size=200), encoding=st.sampled_from(["utf-8", "utf-16", "utf-16-le"]))
def test_any_bytes_are_rows_or_broken_and_never_an_error(content, encoding):
    content = "id,sent_at,channel,text\n".encode(encoding) + content
    for position, _ in csv_rows(io.BytesIO(content), content, Fields({})):
        assert position.startswith("line ")


def test_times_without_a_zone_are_of_the_one_that_the_operator_names(tmp_path):
    rows = ["1,2024-03-04 10:00:00.5,ops,x", "2,2024-07-04,ops,y", "3,2024-03-04T10:00:00Z,ops,z"]
    content = "\n".join(["id,sent_at,channel,text", *rows])
    first, second, third = records(read(tmp_path, content, zone="Europe/Berlin"))
    assert first.valid_from.isoformat() == "2024-03-04T09:00:00.500000+00:00"
    assert first.valid_from_raw == "2024-03-04 10:00:00.5 (Europe/Berlin)"
    assert second.valid_from.isoformat() == "2024-07-04T21:59:59.999999+00:00"
    assert third.valid_from.isoformat() == "2024-03-04T10:00:00+00:00"


def test_days_and_months_are_read_in_the_order_that_the_operator_names_and_else_not_guessed_at(tmp_path):
    content = "id,sent_at,channel,text\n1,3/4/2024 1:30 PM,ops,x\n"
    assert len(lost(read(tmp_path, content))) == 1
    assert records(read(tmp_path, content, date_order="dmy"))[0].valid_from.isoformat() == "2024-04-03T13:30:00+00:00"
    assert records(read(tmp_path, content, date_order="mdy"))[0].valid_from.isoformat() == "2024-03-04T13:30:00+00:00"
