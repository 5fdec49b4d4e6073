"""Versions of documents from JSON lines."""

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.importers.document_dates import UNDATED
from treering.importers.documents_jsonl import DocumentsJsonl
from treering.importers.protocol import ImportOptions
from treering.importers.table import CsvTable, JsonLines
from treering.importers.tree import open_tree
from treering.model.drafts import (
    ActorDraft,
    ChannelDraft,
    ChannelKind,
    Draft,
    Quarantined,
    RecordDraft,
    RecordKind,
    Skipped,
)

LEAVE = {
    "id": "hr/leave@2",
    "doc": "hr/leave",
    "version": 2,
    "dated": "2024-03-04",
    "author": "Ana Lobo",
    "title": "Leave",
    "kind": "policy",
    "text": "# Leave\n\nThirty days, see https://w.example/leave.",
}


def read(path: Path, **options) -> list[Draft]:
    with open_tree(path) as tree:
        return [drafted.draft for drafted in DocumentsJsonl().extract(tree, ImportOptions(**options))]


def read_rows(tmp_path: Path, *rows: object, **options) -> list[Draft]:
    path = tmp_path / "documents.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read(path, **options)


def records(drafts: list[Draft]) -> list[RecordDraft]:
    return [draft for draft in drafts if isinstance(draft, RecordDraft)]


def without(field: str, row: dict[str, object] = LEAVE) -> dict[str, object]:
    return {key: value for key, value in row.items() if key != field}


def test_every_field_of_the_schema_arrives(tmp_path):
    row = LEAVE | {
        "org": "Heron",
        "tags": ["time off"],
        "url": "https://w.example/2",
        "licence": "CC0",
        "refs": ["hr/pay"],
    }
    assert records(read_rows(tmp_path, row)) == [
        RecordDraft(
            source_id="hr/leave@2",
            lineage="hr/leave",
            channel="Heron",
            author="Ana Lobo",
            valid_from=datetime(2024, 3, 4, 23, 59, 59, 999999, UTC),
            valid_from_raw="2024-03-04",
            order_hint=2,
            title="Leave",
            text="# Leave\n\nThirty days, see https://w.example/leave.",
            kind=RecordKind.DOCUMENT,
            tags=("policy", "time off"),
            links=("https://w.example/2", "https://w.example/leave"),
            refs=("hr/pay",),
        )
    ]


@pytest.mark.parametrize(
    ("dated", "expected"),
    [
        ("2024-03-04T10:00:00+02:00", "2024-03-04T08:00:00+00:00"),
        ("2024-03", "2024-03-31T23:59:59.999999+00:00"),
        ("2024", "2024-12-31T23:59:59.999999+00:00"),
        (2024, "2024-12-31T23:59:59.999999+00:00"),
        (1709546400, "2024-03-04T10:00:00+00:00"),
        ("Mon, 4 Mar 2024 10:00:00 +0200", "2024-03-04T08:00:00+00:00"),
    ],
)
def test_a_day_a_month_and_a_year_mean_their_end_and_a_time_itself(tmp_path, dated, expected):
    [version] = records(read_rows(tmp_path, LEAVE | {"dated": dated}))
    assert version.valid_from.isoformat() == expected


def test_a_version_without_a_date_holds_since_always_and_one_with_a_broken_date_is_kept_aside(tmp_path):
    drafts = read_rows(tmp_path, LEAVE, LEAVE | {"id": "b", "dated": None}, LEAVE | {"id": "c", "dated": "soon"})
    undated = records(drafts)[1]
    assert (undated.valid_from, undated.valid_from_raw) == (UNDATED, "undated")
    [lost] = [draft for draft in drafts if isinstance(draft, Quarantined)]
    assert (lost.position, lost.reason) == ("line 3", "dated cannot be read: 'soon'")


@pytest.mark.parametrize(
    ("places", "channel"),
    [
        ({"channel": "c", "space": "s", "folder": "f", "org": "o"}, "c"),
        ({"space": "s", "folder": "f", "org": "o"}, "s"),
        ({"channel": "", "folder": "f", "org": "o"}, "f"),
        ({"org": "o"}, "o"),
        ({}, "hr"),
        ({"doc": "leave"}, "documents"),
    ],
)
def test_the_place_is_what_the_row_says_or_the_first_part_of_the_document(tmp_path, places, channel):
    assert records(read_rows(tmp_path, LEAVE | places))[0].channel == channel


def test_several_authors_are_one_author_and_mentions_and_a_comma_in_a_name_is_no_list(tmp_path):
    versions = records(
        read_rows(
            tmp_path, LEAVE | {"author": ["Ana", "Ben", "Ana"]}, LEAVE | {"author": "Lobo, Ana"}, without("author")
        )
    )
    assert [(version.author, version.mentions) for version in versions] == [
        ("Ana", ("Ben", "Ana")),
        ("Lobo, Ana", ()),
        ("unknown", ()),
    ]


def test_a_title_that_is_missing_is_the_first_heading(tmp_path):
    assert [
        version.title for version in records(read_rows(tmp_path, without("title"), LEAVE | {"text": "x", "title": ""}))
    ] == [
        "Leave",
        "",
    ]


def test_retirement_is_a_dated_event_beside_the_version(tmp_path):
    version, event = records(read_rows(tmp_path, LEAVE | {"retired_at": "2025-01-31", "tags": ["x"]}))
    assert (version.event, version.source_id) == (None, "hr/leave@2")
    assert event == replace(
        version,
        source_id="hr/leave@2#retired",
        lineage="hr/leave@2#retired",
        event="retired",
        refs=("hr/leave",),
        valid_from=datetime(2025, 1, 31, 23, 59, 59, 999999, UTC),
        valid_from_raw="2025-01-31",
        text="",
        tags=(),
        links=(),
    )


def events(*rows: dict[str, object], at: Path) -> list[tuple[str, tuple[str, ...]]]:
    return [(record.source_id, record.refs) for record in records(read_rows(at, *rows)) if record.event == "superseded"]


def test_superseding_a_version_of_the_same_document_says_nothing_new(tmp_path):
    first, second = LEAVE | {"id": "one"}, LEAVE | {"id": "two", "supersedes": "one"}
    assert events(first, second, at=tmp_path) == events(second, first, at=tmp_path) == []
    assert events(LEAVE | {"supersedes": "hr/leave@1"}, LEAVE | {"supersedes": "hr/leave"}, at=tmp_path) == []


def test_superseding_another_document_is_an_event_whichever_row_comes_first(tmp_path):
    old = LEAVE | {"id": "hr/holidays@5", "doc": "hr/holidays"}
    new = LEAVE | {"supersedes": ["hr/holidays@5", "POL-12", "hr/leave-of-absence"], "dated": "2024-05-06"}
    expected = [
        ("hr/holidays@5#superseded-by:hr/leave@2", ("hr/holidays", "hr/leave")),
        ("POL-12#superseded-by:hr/leave@2", ("POL-12", "hr/leave")),
        ("hr/leave-of-absence#superseded-by:hr/leave@2", ("hr/leave-of-absence", "hr/leave")),
    ]
    assert events(old, new, at=tmp_path) == events(new, old, at=tmp_path) == expected
    event = next(record for record in records(read_rows(tmp_path, old, new)) if record.event)
    assert (event.text, event.lineage, event.valid_from.date().isoformat()) == ("", event.source_id, "2024-05-06")


@pytest.mark.parametrize("field", ["id", "doc", "text"])
def test_a_row_without_what_makes_a_version_is_kept_aside(tmp_path, field):
    [lost] = [draft for draft in read_rows(tmp_path, LEAVE, without(field)) if isinstance(draft, Quarantined)]
    assert (lost.file, lost.position, lost.reason) == ("documents.jsonl", "line 2", f"no {field}")
    assert json.loads(lost.raw) == without(field)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"doc": " "}, "the doc is empty"),
        ({"id": {}}, "the id is empty or no id"),
        ({"text": ["a"]}, "a list or an object"),
        ({"retired_at": "later"}, "retired_at cannot be read"),
        ({"supersedes": {"id": 1}}, "supersedes holds an object"),
        ({"author": {"name": "Ana"}}, "author is neither"),
        ({"visibility": "secret"}, "'secret' is none of public"),
        ({"dated": 10**4000}, "dated cannot be read: 'a number of more than 24 digits'"),
    ],
)
def test_a_broken_row_costs_only_itself(tmp_path, changes, reason):
    path = tmp_path / "documents.jsonl"
    lines = [
        json.dumps(LEAVE),
        "{broken",
        json.dumps(LEAVE | {"id": "x"} | changes),
        json.dumps(LEAVE | {"id": "last"}),
    ]
    path.write_text("\n".join(lines))
    drafts = read(path)
    lost = [draft for draft in drafts if isinstance(draft, Quarantined)]
    assert [draft.position for draft in lost] == ["line 2", "line 3"]
    assert reason in lost[1].reason
    assert [record.source_id for record in records(drafts)] == ["hr/leave@2", "last"]


def test_who_may_read_is_what_the_rows_say_or_else_the_operator(tmp_path):
    open_row = LEAVE | {"id": "a", "space": "open", "visibility": "public"}
    shut_row = LEAVE | {"id": "b", "space": "shut", "members": ["Ana Lobo", "Ben Okoro"]}
    drafts = read_rows(tmp_path, open_row, shut_row, LEAVE)
    assert [draft for draft in drafts if isinstance(draft, ChannelDraft)] == [
        ChannelDraft("open", "open", ChannelKind.PUBLIC),
        ChannelDraft("shut", "shut", ChannelKind.PRIVATE, ("Ana Lobo", "Ben Okoro")),
        ChannelDraft("hr", "hr", ChannelKind.PRIVATE, None, stated=False),
    ]
    assert [draft.id for draft in drafts if isinstance(draft, ActorDraft)] == ["Ana Lobo", "Ben Okoro"]
    public = read_rows(tmp_path, LEAVE, visibility=ChannelKind.PUBLIC)
    assert ChannelDraft("hr", "hr", ChannelKind.PUBLIC, None, stated=False) in public


def recognizers(path: Path) -> tuple[bool, bool, bool]:
    with open_tree(path) as tree:
        return DocumentsJsonl().recognizes(tree), JsonLines().recognizes(tree), CsvTable().recognizes(tree)


def test_documents_and_messages_are_told_apart_by_their_fields_not_by_names(tmp_path):
    message = {"id": 1, "sent_at": "2024-03-04", "channel": "ops", "text": "hi"}
    for name, rows, expected in [
        ("messages.jsonl", [LEAVE], (True, False, False)),
        ("a.json", [LEAVE | {"channel": "hr"}], (True, False, False)),
        ("documents.jsonl", [message], (False, True, False)),
        ("b.jsonl", [message | {"doc": "x", "dated": "2024-03-04"}], (False, True, False)),
        ("c.jsonl", [{"id": 1, "question": "?"}], (False, False, False)),
    ]:
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, rows)))
        assert recognizers(path) == expected, name


def test_files_that_hold_no_documents_are_named_and_gz_is_read(tmp_path):
    (tmp_path / "documents.jsonl.gz").write_bytes(gzip.compress(json.dumps(LEAVE).encode()))
    (tmp_path / "questions.jsonl").write_text(json.dumps({"id": 1, "question": "?"}))
    (tmp_path / "README.md").write_text("# About")
    drafts = read(tmp_path)
    assert [record.source_id for record in records(drafts)] == ["hr/leave@2"]
    assert [draft for draft in drafts if isinstance(draft, Skipped)] == [
        Skipped("not a table of documents", "README.md"),
        Skipped("not a table of documents", "questions.jsonl"),
    ]


def test_a_damaged_file_gives_what_could_be_read_and_names_the_rest(tmp_path):
    lines = "".join(
        json.dumps(LEAVE | {"id": str(number), "text": "x" * 300 + str(number)}) + "\n" for number in range(3000)
    )
    (tmp_path / "documents.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-2000])
    drafts = read(tmp_path)
    assert records(drafts)[0].source_id == "0"
    assert "cannot be read beyond" in [draft for draft in drafts if isinstance(draft, Quarantined)][-1].reason


documents = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 30).map(str),
            "doc": st.sampled_from(["hr/leave", "hr/pay", "it/laptops"]),
            "version": st.none() | st.integers(0, 9),
            "dated": st.sampled_from(["2024-03-04", "2024-03-04T10:00:00Z", None]),
            "author": st.sampled_from(["Ana", "Ben", None]),
            "text": st.text(max_size=20),
        },
        optional={
            "supersedes": st.sampled_from([None, "1", "2", "hr/pay", ["3", "POL-1"]]),
            "retired_at": st.sampled_from([None, "2025-01-01"]),
        },
    ),
    max_size=8,
    unique_by=lambda row: str(row["id"]),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=documents, data=st.data())
def test_any_split_into_files_in_any_order_gives_the_same_drafts(tmp_path_factory, rows, data):
    whole, parts = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("parts")
    (whole / "all.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    shuffled = data.draw(st.permutations(rows))
    homes = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    for home in range(3):
        lines = [json.dumps(row) for row, at in zip(shuffled, homes, strict=True) if at == home]
        (parts / f"{home}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    expected = set(read(whole))
    assert {draft for draft in read(parts) if not isinstance(draft, Skipped)} == expected  # an empty file is skipped
    assert sum(isinstance(draft, RecordDraft) and draft.event is None for draft in expected) == len(rows)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.dictionaries(st.sampled_from([*LEAVE, "tags", "url", "supersedes", "members", "space"]), json_values))
def test_whatever_the_fields_hold_a_row_is_one_version_or_one_kept_aside(tmp_path, changes):
    drafts = read_rows(tmp_path, LEAVE | changes)
    versions = [record for record in records(drafts) if record.event is None]
    assert len(versions) + sum(isinstance(draft, Quarantined) for draft in drafts) == 1
