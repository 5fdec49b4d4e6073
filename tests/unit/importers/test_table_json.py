"""Messages from JSON lines."""

import codecs
import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.errors import UsageError
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.protocol import ImportOptions
from treering.importers.table import CsvTable, JsonLines
from treering.importers.tree import open_tree
from treering.model.drafts import (
    ActorDraft,
    ActorKind,
    Attachment,
    Change,
    ChannelDraft,
    ChannelKind,
    Draft,
    Quarantined,
    RecordDraft,
    RecordKind,
    Skipped,
)

FIRST = {
    "id": 41,
    "sent_at": "2024-03-04T10:00:00+00:00",
    "author": "Ana Lobo",
    "channel": "ops",
    "thread": "release 4",
    "reply_to": 40,
    "refs": [39, 39, "38"],
    "mentions": ["Ben Okoro"],
    "text": "Ship DOC-042 on Friday",
}

Kind = TypeVar("Kind")


def read(path: Path, **options) -> list[Draft]:
    with open_tree(path) as tree:
        return [drafted.draft for drafted in JsonLines().extract(tree, ImportOptions(**options))]


def read_rows(tmp_path: Path, *rows: object, **options) -> list[Draft]:
    path = tmp_path / "messages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read(path, **options)


def read_text(tmp_path: Path, text: str | bytes, name: str = "messages.jsonl", **options) -> list[Draft]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, **options)


def only(drafts: list[Draft], kind: type[Kind]) -> list[Kind]:
    return [draft for draft in drafts if isinstance(draft, kind)]


def row(number: int, **changes: object) -> dict[str, object]:
    return FIRST | {"id": number, "reply_to": None, "refs": [], "mentions": []} | changes


def test_every_field_of_the_schema_arrives(tmp_path):
    [record] = only(
        read_rows(tmp_path, FIRST | {"title": "Plan", "tags": ["x"], "links": ["https://w.example"]}), RecordDraft
    )
    assert record == RecordDraft(
        source_id="41",
        channel="ops",
        author="Ana Lobo",
        valid_from=datetime(2024, 3, 4, 10, tzinfo=UTC),
        valid_from_raw="2024-03-04T10:00:00+00:00",
        text="Ship DOC-042 on Friday",
        order_hint=41,
        reply_to="40",
        refs=("39", "38"),
        thread="release 4",
        title="Plan",
        mentions=("Ben Okoro",),
        tags=("x",),
        links=("https://w.example",),
    )


def test_authors_and_those_mentioned_are_drafted_once_and_before_their_messages(tmp_path):
    drafts = read_rows(tmp_path, FIRST, row(42), row(43, author="Ben Okoro"))
    assert [draft.id for draft in only(drafts, ActorDraft)] == ["Ana Lobo", "Ben Okoro"]
    assert [type(draft) for draft in drafts[:4]] == [ActorDraft, ActorDraft, ChannelDraft, RecordDraft]


def test_a_row_without_an_author_is_kept_under_an_unknown_one(tmp_path):
    nobody = {key: value for key, value in row(1).items() if key != "author"}
    drafts = read_rows(tmp_path, nobody, row(2, author=None), row(3, author=""))
    assert [record.author for record in only(drafts, RecordDraft)] == ["unknown"] * 3
    assert only(drafts, ActorDraft) == [ActorDraft("unknown", "unknown", ActorKind.UNKNOWN)]


def test_a_text_may_be_null_but_not_absent_unless_something_is_attached(tmp_path):
    silent = {key: value for key, value in row(2).items() if key != "text"}
    drafts = read_rows(tmp_path, row(1, text=None), silent, silent | {"id": 3, "attachments": [{"name": "plan.pdf"}]})
    assert [(record.source_id, record.text) for record in only(drafts, RecordDraft)] == [("1", ""), ("3", "")]
    assert only(drafts, RecordDraft)[1].attachments == (Attachment("plan.pdf"),)
    [lost] = only(drafts, Quarantined)
    assert (lost.position, lost.reason) == ("line 2", "no text")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": None}, "id is empty"),
        ({"id": {"n": 1}}, "id is empty or no id"),
        ({"channel": " "}, "channel is empty"),
        ({"sent_at": None}, "sent_at is missing"),
        ({"sent_at": "soon"}, "sent_at cannot be read: 'soon'"),
        ({"edited_at": "later"}, "edited_at cannot be read"),
        ({"text": ["a"]}, "a list or an object"),
        ({"mentions": [{"id": 1}]}, "mentions holds an object"),
        ({"author": ["a"]}, "author is neither"),
        ({"order_hint": "last"}, "order_hint is no whole number"),
        ({"channel_kind": "secret"}, "channel_kind 'secret' is none of public, private"),
    ],
)
def test_a_row_that_cannot_be_taken_is_quarantined_with_its_line_and_original(tmp_path, changes, reason):
    drafts = read_rows(tmp_path, row(1), row(2, **changes), row(3))
    [lost] = only(drafts, Quarantined)
    assert reason in lost.reason
    assert (lost.file, lost.position) == ("messages.jsonl", "line 2")
    assert json.loads(lost.raw)["reply_to"] is None
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["1", "3"]


def test_broken_lines_cost_only_themselves(tmp_path):
    lines = [json.dumps(row(1)), '{"id": 2, "text": "cut o', "[1, 2]", '"words"', "not json", json.dumps(row(6))]
    drafts = read_text(tmp_path, "\n".join(lines))
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["1", "6"]
    lost = only(drafts, Quarantined)
    assert [quarantined.position for quarantined in lost] == ["line 2", "line 3", "line 4", "line 5"]
    assert [quarantined.reason.split(":")[0] for quarantined in lost] == [
        "not JSON",
        "not an object",
        "not an object",
        "not JSON",
    ]
    assert lost[0].raw == '{"id": 2, "text": "cut o'


def test_blank_lines_crlf_trailing_commas_and_several_objects_on_a_line_are_no_matter(tmp_path):
    one, two, three, four = (json.dumps(row(number)) for number in (1, 2, 3, 4))
    drafts = read_text(tmp_path, f"\ufeff{one},\r\n\r\n  \r\n{two}{three}\r\n{four}")
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["1", "2", "3", "4"]
    assert not only(drafts, Quarantined)


def test_objects_before_a_broken_one_on_the_same_line_are_kept(tmp_path):
    drafts = read_text(tmp_path, json.dumps(row(1)) + '{"id": 2,')
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["1"]
    assert [(lost.position, lost.raw) for lost in only(drafts, Quarantined)] == [("line 1", '{"id": 2,')]


def test_a_json_array_is_read_element_by_element(tmp_path):
    drafts = read_text(tmp_path, json.dumps([row(1), 7, row(3)], indent=1), name="messages.json")
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["1", "3"]
    assert [lost.position for lost in only(drafts, Quarantined)] == ["element 2"]


def test_utf_16_with_a_mark_is_read(tmp_path):
    text = codecs.BOM_UTF16_LE + json.dumps(row(1, text="größer"), ensure_ascii=False).encode("utf-16-le")
    assert [record.text for record in only(read_text(tmp_path, text), RecordDraft)] == ["größer"]


def test_bytes_that_are_no_utf_8_are_quarantined(tmp_path):
    bad = json.dumps(row(1, text="X")).encode().replace(b"X", b"\xff")
    drafts = read_text(tmp_path, bad + b"\n" + json.dumps(row(2)).encode())
    assert [(lost.position, lost.reason) for lost in only(drafts, Quarantined)] == [("line 1", "not UTF-8")]
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["2"]


def test_nul_and_lone_surrogates_do_not_reach_the_text(tmp_path):
    mixed = json.dumps(row(1)).replace("Ship", r"S\u0000hip \ud83d and \ud83d\ude42")
    plain = json.dumps(row(2)).replace("Ship", r"S\u0000hip")
    texts = [record.text for record in only(read_text(tmp_path, f"{mixed}\n{plain}"), RecordDraft)]
    assert texts == ["Ship � and 🙂 DOC-042 on Friday", "Ship DOC-042 on Friday"]


def test_big_numbers_are_ids_like_others(tmp_path):
    drafts = read_text(tmp_path, json.dumps(row(0)).replace('"id": 0', '"id": 123456789012345678901234567890'))
    [record] = only(drafts, RecordDraft)
    assert record.source_id == "123456789012345678901234567890"
    assert record.order_hint == 2**63 - 1


def test_numbers_too_long_for_python_are_quarantined(tmp_path):
    drafts = read_text(
        tmp_path, json.dumps(row(0)).replace('"id": 0', f'"id": {"9" * 5000}') + "\n" + json.dumps(row(1))
    )
    assert len(only(drafts, Quarantined)) == len(only(drafts, RecordDraft)) == 1


def test_an_edit_begins_at_its_own_time_and_remembers_the_first(tmp_path):
    [record] = only(read_rows(tmp_path, row(1, edited_at="2024-03-04T11:00:00Z")), RecordDraft)
    assert (record.source_id, record.change, record.lineage) == ("1", Change.EDIT, "")
    assert record.valid_from == datetime(2024, 3, 4, 11, tzinfo=UTC)
    assert record.valid_from_raw == "2024-03-04T11:00:00Z"
    assert record.created_at == datetime(2024, 3, 4, 10, tzinfo=UTC)


def test_an_edit_time_that_repeats_the_first_is_no_edit(tmp_path):
    [record] = only(read_rows(tmp_path, row(1, edited_at=FIRST["sent_at"])), RecordDraft)
    assert (record.change, record.created_at) == (Change.NEW, None)


def test_a_deletion_follows_its_message_and_carries_no_words(tmp_path):
    said, deleted = only(read_rows(tmp_path, row(1, deleted_at="2024-03-05T09:00:00Z", title="Plan")), RecordDraft)
    assert (said.change, said.text) == (Change.NEW, "Ship DOC-042 on Friday")
    assert (deleted.change, deleted.text, deleted.title) == (Change.DELETE, "", "")
    assert deleted.source_id == said.source_id
    assert deleted.valid_from == datetime(2024, 3, 5, 9, tzinfo=UTC)
    assert deleted.created_at == said.valid_from


def test_a_row_may_be_a_document(tmp_path):
    kinds = [record.kind for record in only(read_rows(tmp_path, row(1), row(2, kind="document")), RecordDraft)]
    assert kinds == [RecordKind.MESSAGE, RecordKind.DOCUMENT]


@pytest.mark.parametrize(
    ("source_id", "stated", "hint"),
    [
        (7, None, 7),
        ("0012", None, 12),
        ("m-0012", None, 12),
        ("abc", None, 0),
        (7, 99, 99),
        (7, "-3", -3),
        ("x", 10**30, 2**63 - 1),
    ],
)
def test_order_is_stated_or_the_number_in_the_id(tmp_path, source_id, stated, hint):
    [record] = only(read_rows(tmp_path, row(1, id=source_id, order_hint=stated)), RecordDraft)
    assert record.order_hint == hint


def test_ids_without_numbers_are_ordered_among_neighbours_of_one_time(tmp_path):
    later = "2024-03-04T10:00:01Z"
    rows = [row(0, id="a"), row(0, id="b"), row(0, id="c", channel="dev"), row(0, id="d", sent_at=later)]
    hints = [(record.source_id, record.order_hint) for record in only(read_rows(tmp_path, *rows), RecordDraft)]
    assert hints == [("a", 0), ("b", 1), ("c", 0), ("d", 0)]


def test_a_table_without_channels_is_one_channel_whatever_it_is_called(tmp_path):
    bare = {key: value for key, value in row(1).items() if key != "channel"}
    for name in ("a.jsonl", "b.jsonl"):
        path = tmp_path / name
        path.write_text(json.dumps(bare) + "\n")
        with open_tree(path) as tree:
            assert JsonLines().recognizes(tree)
        assert [record.channel for record in only(read(path), RecordDraft)] == ["messages"]


@pytest.mark.parametrize(("zone", "is_said"), [(None, True), ("Europe/Berlin", False)])
def test_times_without_a_zone_are_said_to_be_of_utc_unless_it_is_told(tmp_path, zone, is_said):
    drafts = read_rows(tmp_path, row(1, sent_at="2024-03-04 10:00"), row(2), zone=zone)
    local, other = only(drafts, RecordDraft)
    assert local.valid_from_raw == f"2024-03-04 10:00 ({zone or 'UTC assumed'})"
    assert "(" not in other.valid_from_raw
    assert (Skipped(UTC_ASSUMED) in drafts) is is_said


def test_channels_are_private_with_unknown_members_unless_something_says_otherwise(tmp_path):
    assert only(read_rows(tmp_path, row(1)), ChannelDraft) == [
        ChannelDraft("ops", "ops", ChannelKind.PRIVATE, None, stated=False)
    ]
    public = read_rows(tmp_path, row(1), visibility=ChannelKind.PUBLIC)
    assert only(public, ChannelDraft) == [ChannelDraft("ops", "ops", ChannelKind.PUBLIC, None, stated=False)]


def test_what_rows_say_of_a_channel_wins_over_the_option(tmp_path):
    rows = [
        row(1, channel="open", channel_kind="Public"),
        row(2, channel="hr", channel_kind="private", members=["Ana Lobo"]),
        row(3, channel="dm", channel_kind="direct", members=["Ana Lobo", "Vera"]),
        row(4, channel="listed", members="Ben Okoro; Vera"),
    ]
    drafts = read_rows(tmp_path, *rows, visibility=ChannelKind.PUBLIC)
    assert [(channel.id, channel.kind, channel.members) for channel in only(drafts, ChannelDraft)] == [
        ("open", ChannelKind.PUBLIC, None),
        ("hr", ChannelKind.PRIVATE, ("Ana Lobo",)),
        ("dm", ChannelKind.DIRECT, ("Ana Lobo", "Vera")),
        ("listed", ChannelKind.PRIVATE, ("Ben Okoro", "Vera")),
    ]
    assert "Vera" in [actor.id for actor in only(drafts, ActorDraft)]


def test_a_channel_is_drafted_again_when_members_are_added_and_only_then(tmp_path):
    rows = [row(1, members=["Ana Lobo"]), row(2), row(3, members=["Ana Lobo", "Vera"]), row(4, members=["Vera"])]
    members = [channel.members for channel in only(read_rows(tmp_path, *rows), ChannelDraft)]
    assert members == [("Ana Lobo",), ("Ana Lobo", "Vera")]


def test_a_channel_once_called_private_is_not_made_public_by_a_later_row(tmp_path):
    rows = [row(1), row(2, channel_kind="private"), row(3, channel_kind="public"), row(4)]
    kinds = [channel.kind for channel in only(read_rows(tmp_path, *rows, visibility=ChannelKind.PUBLIC), ChannelDraft)]
    assert kinds == [ChannelKind.PUBLIC, ChannelKind.PRIVATE]


def test_fields_of_other_names_are_mapped_into_objects_too(tmp_path):
    theirs = {"key": 5, "at": 1709546400, "from": {"user.id": "u1", "user": {"id": "u2"}}, "room": "ops", "body": "hi"}
    fields = {"id": "key", "sent_at": "at", "author": "from.user.id", "channel": "room", "text": "body"}
    [record] = only(read_rows(tmp_path, theirs, fields=fields), RecordDraft)
    assert (record.source_id, record.author, record.channel, record.text) == ("5", "u1", "ops", "hi")
    assert record.valid_from == datetime(2024, 3, 4, 10, tzinfo=UTC)


def test_mapping_to_a_field_that_does_not_exist_is_the_callers_mistake(tmp_path):
    with pytest.raises(UsageError, match="no field autor"):
        read_rows(tmp_path, FIRST, fields={"autor": "user"})


def test_messages_are_recognized_and_documents_are_not(tmp_path):
    messages, documents, cut = tmp_path / "m.jsonl", tmp_path / "d.jsonl", tmp_path / "c.jsonl"
    messages.write_text(json.dumps(FIRST))
    documents.write_text(
        json.dumps({"id": "pep/1@2", "doc": "pep/1", "version": 2, "dated": "2024-03-04", "text": "x"})
    )
    cut.write_text("garbage\n\n" + json.dumps(FIRST))
    recognized = []
    for path in (messages, documents, cut):
        with open_tree(path) as tree:
            recognized.append(JsonLines().recognizes(tree))
            assert not CsvTable().recognizes(tree)
    assert recognized == [True, False, True]


def test_a_folder_is_read_file_by_file_and_what_is_no_table_is_named(tmp_path):
    (tmp_path / "2024.jsonl.gz").write_bytes(gzip.compress(json.dumps(row(1)).encode()))
    (tmp_path / "2025.ndjson").write_text(json.dumps(row(2)))
    (tmp_path / "README.md").write_text("# about")
    drafts = read(tmp_path)
    assert [record.source_id for record in only(drafts, RecordDraft)] == ["1", "2"]
    assert only(drafts, Skipped) == [Skipped("not a table of messages", "README.md")]


def test_a_damaged_file_gives_what_could_be_read_and_names_the_rest(tmp_path):
    lines = "".join(json.dumps(row(number, text="x" * 500 + str(number))) + "\n" for number in range(2000))
    (tmp_path / "m.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-2000])
    (tmp_path / "n.jsonl").write_text(json.dumps(row(9999)))
    drafts = read(tmp_path)
    read_ids = [record.source_id for record in only(drafts, RecordDraft)]
    assert read_ids[0] == "0"
    assert read_ids[-1] == "9999"
    assert any(lost.file == "m.jsonl" for lost in only(drafts, Quarantined))


texts = st.text(max_size=20)
rows_of_messages = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 10**12),
            "sent_at": st.sampled_from(["2024-03-04T10:00:00Z", "2024-03-04", 1709546400]),
            "author": st.sampled_from(["Ana", "Ben", "Vera", None]),
            "channel": st.sampled_from(["ops", "dev"]),
            "text": texts,
            "mentions": st.lists(st.sampled_from(["Ana", "Ben"]), max_size=2),
        }
    ),
    max_size=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=rows_of_messages, data=st.data())
def test_any_split_into_files_and_lines_gives_the_same_drafts(tmp_path_factory, rows, data):
    whole, parts = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("parts")
    (whole / "all.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    homes = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    for home in range(4):
        lines = [json.dumps(row, ensure_ascii=home > 1) for row, at in zip(rows, homes, strict=True) if at == home]
        glue = data.draw(st.sampled_from(["\n", "\r\n", "\n\n", ",\n", ""]))
        (parts / f"{home}.jsonl").write_text(glue.join(lines), encoding="utf-8", newline="")
    assert set(read(whole)) == set(read(parts))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.dictionaries(st.sampled_from([*FIRST, "members", "edited_at", "tags", "attachments"]), json_values))
def test_whatever_the_fields_hold_a_row_is_one_record_or_one_quarantined(tmp_path, changes):
    drafts = read_rows(tmp_path, FIRST | changes)
    assert len(only(drafts, RecordDraft)) + len(only(drafts, Quarantined)) == 1
    for record in only(drafts, RecordDraft):
        record.text.encode()
        assert -(2**63) <= record.order_hint < 2**63


def test_objects_over_several_lines_one_after_the_other_are_rows(tmp_path):
    path = tmp_path / "m.json"
    path.write_text("\n".join(json.dumps(FIRST | {"id": number}, indent=2) for number in (1, 2)) + '\n{"id": 3}\n')
    with open_tree(path) as tree:
        assert JsonLines().recognizes(tree)
        drafts = [drafted.draft for drafted in JsonLines().extract(tree, ImportOptions())]
    assert [draft.source_id for draft in drafts if isinstance(draft, RecordDraft)] == ["1", "2"]
    assert [draft.position for draft in drafts if isinstance(draft, Quarantined)] == ["value 3"]
