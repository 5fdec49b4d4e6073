"""Folders of text documents."""

import codecs
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder, write_zip
from treering.importers.document_dates import UNDATED
from treering.importers.document_folder import DocumentFolder
from treering.importers.document_links import document_links
from treering.importers.document_text import decode
from treering.importers.protocol import ImportOptions
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

MEMO = b"""---
title: Leave: how much #2
date: 2024-03-04
author: Ana Lobo <ana@w.example>
tags: [hr]
status: Final
---
# Leave

Thirty days. See [pay](../pay.md#top), <https://w.example/leave> and [[Sick leave]].
"""


def read(path: Path, **options) -> list[Draft]:
    with open_tree(path) as tree:
        return [drafted.draft for drafted in DocumentFolder().extract(tree, ImportOptions(**options))]


def records(drafts: list[Draft]) -> list[RecordDraft]:
    return [draft for draft in drafts if isinstance(draft, RecordDraft)]


def read_one(root: Path, text: str | bytes, name: str = "note.md") -> RecordDraft:
    content = text.encode() if isinstance(text, str) else text
    [record] = [record for record in records(read(write_folder(root, {name: content}))) if record.event is None]
    return record


def test_a_document_arrives_whole_with_what_it_says_of_itself(tmp_path):
    [leave, pay] = records(read(write_folder(tmp_path, {"hr/leave.md": MEMO, "pay.md": b"# Pay\n\n2024-03-05\n"})))
    digest = leave.source_id.rpartition("-")[2]
    assert len(digest) == 8
    assert leave == RecordDraft(
        source_id=f"hr/leave@2024-03-04-{digest}",
        lineage="hr/leave",
        channel="hr",
        author="Ana Lobo",
        valid_from=datetime(2024, 3, 4, 23, 59, 59, 999999, UTC),
        valid_from_raw="2024-03-04",
        title="Leave: how much #2",
        text=MEMO.decode(),
        kind=RecordKind.DOCUMENT,
        tags=("hr", "final"),
        links=("https://w.example/leave",),
        refs=("pay", "hr/Sick leave"),
        id_is_final=True,
    )
    assert (pay.lineage, pay.channel, pay.title) == ("pay", tmp_path.name, "Pay")


def test_people_and_places_are_drafted_once_and_before_their_documents(tmp_path):
    drafts = read(write_folder(tmp_path, {"hr/a.md": MEMO, "hr/b.md": MEMO, "it/c.md": b"By nobody"}))
    assert [draft for draft in drafts if not isinstance(draft, RecordDraft)] == [
        ActorDraft("Ana Lobo", "Ana Lobo"),
        ChannelDraft("hr", "hr", ChannelKind.PRIVATE, None, stated=False),
        ActorDraft("unknown", "unknown"),
        ChannelDraft("it", "it", ChannelKind.PRIVATE, None, stated=False),
    ]
    assert isinstance(drafts[2], RecordDraft)
    public = read(tmp_path, visibility=ChannelKind.PUBLIC)
    assert {draft.kind for draft in public if isinstance(draft, ChannelDraft)} == {ChannelKind.PUBLIC}


def test_a_folder_a_zip_of_it_and_a_folder_around_it_give_the_same_documents(tmp_path):
    files = {"hr/leave.md": MEMO, "pay.rst": b"Pay\n===\n\nDated 4 March 2024\n"}
    around = {f"download/docs/{name}": content for name, content in files.items()}
    expected = records(read(write_folder(tmp_path / "docs", files)))
    for path in (
        write_zip(tmp_path / "docs.zip", files),
        write_zip(tmp_path / "docs-again.zip", around),
        write_folder(tmp_path / "wrapped", around),
    ):
        found = records(read(path))
        assert [(one.source_id, one.lineage, one.text) for one in found] == [
            (one.source_id, one.lineage, one.text) for one in expected
        ]
    assert records(read(tmp_path / "docs.zip")) == expected  # down to the name of the place


def test_a_lone_file_has_its_name(tmp_path):
    write_folder(tmp_path, {"leave.md": MEMO})
    [record] = records(read(tmp_path / "leave.md"))
    assert (record.lineage, record.channel) == ("leave", "documents")


def test_a_changed_text_is_another_version_and_a_copied_file_is_not(tmp_path):
    path = write_folder(tmp_path, {"note.md": b"one"}) / "note.md"
    os.utime(path, (1_700_000_000, 1_700_000_000))
    [first] = records(read(tmp_path))
    assert first.valid_from == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert first.valid_from_raw == "file modified 2023-11-14T22:13:20+00:00"
    os.utime(path, (1_800_000_000, 1_800_000_000))
    [copied] = records(read(tmp_path))
    assert (copied.source_id, copied.id_is_final) == (first.source_id, True)
    path.write_bytes(b"one\r\n")
    [converted] = records(read(tmp_path))
    assert converted.lineage == first.lineage
    assert converted.source_id != first.source_id
    path.write_bytes(b"one\n")
    assert records(read(tmp_path))[0].source_id == converted.source_id


def test_a_document_without_a_date_is_dated_by_its_name_or_its_file_or_holds_since_always(tmp_path):
    files = {"2024-03-04-board.md": b"# Board", "plain.md": b"text"}
    dated, plain = records(read(write_zip(tmp_path / "a.zip", files)))
    assert (dated.valid_from.date().isoformat(), dated.valid_from_raw) == ("2024-03-04", "2024-03-04 (file name)")
    assert (plain.valid_from, plain.valid_from_raw) == (UNDATED, "undated")
    assert dated.source_id.startswith("2024-03-04-board@2024-03-04-")
    assert plain.source_id.startswith("plain@")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: ADR-0007: queue #2\n---\n# Queue\n", "ADR-0007: queue #2"),
        ("Subject: Plan  \nFrom: Ana\n\n# Hi\n", "Plan"),
        ("PEP: 8\nTitle: Style\n\nText", "PEP 8: Style"),
        (f"PEP: {'8' * 5000}\nTitle: Style\n\nText", "Style"),
        ("# About C#\n", "About C#"),
        ("---\neip: 1559\ntitle: Fees\n---\n", "EIP-1559: Fees"),
        ("---\neip: 1559\ntitle: EIP-1559 fees\n---\n", "EIP-1559 fees"),
        ("\n# The *big* [plan](x.md) ##\n", "The *big* plan"),
        ("Plan\n====\n", "Plan"),
        ("=========\n The plan\n=========\n", "The plan"),
        ("= Plan\n\ntext", "Plan"),
        ("![badge](b.svg)\n\n# Plan\n", "Plan"),
        ("[2024-03-04 09:12] hi\n\n## Cross-references\n", "note"),
        ("```sh\n# install\n```\n# Plan\n", "Plan"),
        ("text", "note"),
    ],
)
def test_the_title_is_stated_or_the_first_heading_or_the_name(tmp_path, text, title):
    assert read_one(tmp_path, text).title == title


@pytest.mark.parametrize(
    ("field", "author", "mentions"),
    [
        ("author: Ana Lobo (@ana), Ben Okoro <ben@w.example>", "Ana Lobo", ("Ben Okoro",)),
        ("author: Lobo, Ana", "Lobo, Ana", ()),
        ("author: Lobo, Ana; Okoro, Ben", "Lobo, Ana", ("Okoro, Ben",)),
        ("authors:\n  - Ana\n  - Ben", "Ana", ("Ben",)),
        ("authors:\n  - name: Ana\n  - name: Ben", "Ana", ("Ben",)),
        ("author: ana@w.example (Ana Lobo)", "Ana Lobo", ()),
        ("author: <ana@w.example>", "ana@w.example", ()),
        ("decision-makers: [Ana, Ben]", "unknown", ("Ana", "Ben")),
        ("author: '{who decided}'", "unknown", ()),
        ("author:", "unknown", ()),
    ],
)
def test_the_first_author_is_the_author_and_the_others_are_mentioned(tmp_path, field, author, mentions):
    record = read_one(tmp_path, f"---\ntitle: x\n{field}\n---\ntext")
    assert (record.author, record.mentions) == (author, mentions)


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("From: somewhere far away", "unknown"),
        ("By: the end of the week we ship", "unknown"),
        ("Author: see the list below", "unknown"),
        ("From: ana", "ana"),
        ("From: Ana Lobo", "Ana Lobo"),
        ("From: the Platform Team", "the Platform Team"),
        ("By: van der Meer, J.", "van der Meer"),
        ("From: ana lobo <ana@w.example>", "ana lobo"),
        ("Author: 田中 太郎", "田中 太郎"),
    ],
)
def test_what_a_line_of_the_text_says_behind_from_or_by_is_an_author_only_if_it_reads_like_one(tmp_path, line, author):
    assert read_one(tmp_path, f"Notes of the meeting\n\n{line}\n\nWe met.\n").author == author


def test_tags_are_what_the_metadata_sorts_by_and_what_a_template_asks_for_is_none(tmp_path):
    text = (
        "<!-- meta\nslot_id: S-1\nevent_id: EV-2\ngenre: minutes\nrole: primary\nkeywords: a, b\n-->\n# X\n\n"
        "**Status:** Superseded by [0009](0009-x.md)\n**Type:** {one of these}\n"
    )
    assert read_one(tmp_path, text).tags == ("a", "b", "minutes", "S-1", "EV-2", "superseded")


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        (
            "0007-use-a-queue.md",
            "# Use a queue\n\n## Context and Problem Statement\n\n## Decision Outcome\n",
            "ADR-0007: Use a queue",
        ),
        (
            "0007-use-a-queue.md",
            "# 7. Use a queue\n\nDate: 2024-03-04\n\n## Status\n\n## Decision\n",
            "ADR-0007: Use a queue",
        ),
        ("adr/0007-use-a-queue.md", "# Use a queue\n", "ADR-0007: Use a queue"),
        ("decisions/adr-012.md", "# Use a queue\n", "ADR-0012: Use a queue"),
        ("adr/0007-use-a-queue.md", "# ADR 7: Use a queue\n", "ADR 7: Use a queue"),
        ("0007-use-a-queue.md", "# Use a queue\n\n## Status\n", "Use a queue"),
        ("adr/template.md", "# Use a queue\n\n## Status\n\n## Context\n", "Use a queue"),
        ("adr/2024-03-04-minutes.md", "# Minutes\n", "Minutes"),
    ],
)
def test_a_decision_record_has_its_identifier_in_the_title(tmp_path, name, text, title):
    [record, _] = records(read(write_folder(tmp_path, {name: text.encode(), "zoo.md": b"text"})))
    assert record.title == title


def test_the_folder_that_was_given_may_be_the_one_of_decisions(tmp_path):
    assert read_one(tmp_path / "adr", "# Use a queue\n", "0007-use-a-queue.md").title == "ADR-0007: Use a queue"
    assert records(read(write_zip(tmp_path / "adr.zip", {"0007.md": b"# Queue"})))[0].title == "ADR-0007: Queue"


@pytest.mark.parametrize(
    "text",
    [
        "# 7. Queue\n\nDate: 2024-03-04\n\n## Status\n\nRejected\n\n## Context\n",
        "---\nstatus: rejected # for now\ndate: 2024-03-04\n---\n# Queue\n\n## Context\n",
        "# Queue\n\n* Status: rejected\n* Date: 2024-03-04\n",
    ],
)
def test_status_and_date_of_a_decision_are_found_in_any_template(tmp_path, text):
    record = read_one(tmp_path, text, "0007-queue.md")
    assert (record.tags, record.valid_from.date().isoformat()) == (("rejected",), "2024-03-04")


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ("retired: 2025-01-31", "2025-01-31"),
        ("deprecated: true", None),
        ("status: Deprecated (2025-01-31)", "2025-01-31"),
        ("status: deprecated", None),
        ("status: accepted 2025-01-31", None),
    ],
)
def test_a_retirement_with_a_date_is_an_event(tmp_path, fields, when):
    found = records(read(write_folder(tmp_path, {"a.md": f"---\ndate: 2024-03-04\n{fields}\n---\ntext".encode()})))
    events = [(one.event, one.valid_from.date().isoformat(), one.refs, one.text) for one in found[1:]]
    assert events == ([("retired", when, ("a",), "")] if when else [])


@pytest.mark.parametrize(
    ("link", "refs"),
    [
        ("[a](b.md)", ("hr/b.md",)),
        ('[a](./b.md#part "title")', ("hr/b.md",)),
        ("[a](<../b.md>)", ("b.md",)),
        ("[a](/it/b%20c.md)", ("it/b c.md",)),
        ("[a]: b.md", ("hr/b.md",)),
        ("`a <b.rst>`_", ("hr/b.rst",)),
        (".. _a: b.rst", ("hr/b.rst",)),
        (":doc:`b` and :doc:`c <../c>`", ("hr/b", "c")),
        ("link:b.adoc[a] and xref:c.adoc#x[c]", ("hr/b.adoc", "hr/c.adoc")),
        ("[[b]] [[c#part|see]]", ("hr/b", "hr/c")),
        ("[a](https://w.example/b.md) [m](mailto:a@b.example) [n](//w.example/b.md)", ()),
        ("[a](#part) ![p](p.png) [d](data.csv)", ()),
        ("[a](../../b.md)", ()),
    ],
)
def test_links_lead_to_documents_beside_it(link, refs):
    assert document_links(f"see {link}" if not link.startswith((".. ", "[a]:")) else link, "hr") == refs


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        ("grün".encode(), "grün", ()),
        (codecs.BOM_UTF8 + "grün".encode(), "grün", ()),
        (codecs.BOM_UTF16_BE + "grün".encode("utf-16-be"), "grün", ()),
        ("grün “so”".encode("cp1252"), "grün “so”", ("read as cp1252",)),
        (b"gr\xfcn \x81", "grün \x81", ("read as latin-1",)),
        (b"a\r\nb\rc\n", "a\nb\nc\n", ()),
    ],
)
def test_text_is_read_in_any_encoding_and_says_so_where_it_was_assumed(tmp_path, content, text, notes):
    record = read_one(tmp_path, content)
    assert (record.text, record.tags) == (text, notes)


@given(st.binary(max_size=200))
def test_bytes_are_a_text_that_can_be_stored_or_binary(content):
    try:
        document = decode(content)
    except UnicodeDecodeError:
        assert content.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE))
        return
    if document is None:
        assert b"\0" in content
    else:
        assert "\0" not in document.text
        document.text.encode()


def test_whatever_is_no_document_is_named(tmp_path):
    files = {
        "a.md": b"text",
        "b.md": b"\0\1\2",
        "c.txt": b" \n",
        "d.png": b"x",
        "e.md": codecs.BOM_UTF16_LE + b"odd",
        ".git/README.md": b"x",
        "node_modules/x/README.md": b"x",
    }
    drafts = read(write_folder(tmp_path, files))
    assert [record.lineage for record in records(drafts)] == ["a"]
    assert {draft.position: draft.reason for draft in drafts if isinstance(draft, Skipped)} == {
        "b.md": "binary file",
        "c.txt": "empty file",
        "d.png": "not a text document",
        ".git/README.md": "in a folder of tools",
        "node_modules/x/README.md": "in a folder of tools",
    }
    [lost] = [draft for draft in drafts if isinstance(draft, Quarantined)]
    assert (lost.file, lost.position) == ("e.md", "the whole file")


def test_documents_that_differ_in_their_ending_alone_stay_two(tmp_path):
    found = records(read(write_folder(tmp_path, {"a.txt": b"one", "a.md": b"two", "README": b"three"})))
    assert {record.lineage: record.text for record in found} == {"a": "two", "a.txt": "one", "README": "three"}


@pytest.mark.parametrize(
    ("files", "recognized"),
    [
        ({"a.md": b"text"}, True),
        ({"README": b"text", "logo.png": b"x", "p.pdf": b"x"}, True),
        ({"users.json": b"[]", "channels.json": b"[]", "README.md": b"text"}, False),
        ({"a.md": b"\0binary"}, False),
        ({"a.py": b"text"}, False),
        ({".git/a.md": b"text", ".git/b/c": b"", "a.py": b""}, False),
        ({}, False),
    ],
)
def test_a_folder_is_one_of_documents_when_half_of_it_is(tmp_path, files, recognized):
    with open_tree(write_folder(tmp_path, files)) as tree:
        assert DocumentFolder().recognizes(tree) is recognized


def test_a_tree_knows_where_it_lies_and_when_its_files_were_changed(tmp_path):
    write_folder(tmp_path / "docs" / "in", {"a.md": b"x"})
    os.utime(tmp_path / "docs" / "in" / "a.md", (1_700_000_000, 1_700_000_000))
    with open_tree(tmp_path / "docs") as tree:
        assert tree.path == tmp_path / "docs"
        assert tree.modified_at("a.md") == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    with open_tree(write_zip(tmp_path / "a.zip", {"a.md": b"x"})) as tree:
        assert tree.modified_at("a.md") is None


lines = st.sampled_from(
    [
        "---",
        "title: x: y",
        "date: 2024-03-04",
        "# Head",
        "text [a](b.md)",
        "",
        "Status: Final",
        "====",
        "\u2028",
        "`x <y>`_",
    ]
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(lines, min_size=1, max_size=12))
def test_every_file_is_one_document_with_its_whole_text_or_named(tmp_path, written):
    text = "\n".join(written)
    drafts = read(write_zip(tmp_path / "a.zip", {"a.md": text.encode()}))
    if text.strip():
        assert [record.text for record in records(drafts)] == [text]
    else:
        assert drafts == [Skipped("empty file", "a.md")]
