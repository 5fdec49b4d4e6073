"""Metadata at the top of a document, as people really write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.front_matter import read_comment, read_front_matter, read_headers

TEMPLATE = "---\n{}\n---\n# Body\n"


@pytest.mark.parametrize(
    ("line", "key", "values"),
    [
        ("title: ADR-0007: move to queue #2 (draft)", "title", ("ADR-0007: move to queue #2 (draft)",)),
        ("date: 2024-03-04", "date", ("2024-03-04",)),
        ("version: 1.10", "version", ("1.10",)),
        ("tags: [infra, no, 'on, off']", "tags", ("infra", "no", "on, off")),
        ("tags: [infra,\n  no]", "tags", ("infra", "no")),
        ("tags:\n  - infra\n  - no", "tags", ("infra", "no")),
        ("tags:\n- infra\n- no", "tags", ("infra", "no")),
        ("authors:\n  - name: Ana Lobo\n    email: ana@w.example\n  - name: Ben", "authors", None),
        ("status: superseded by [9](0009-x.md)", "status", ("superseded by [9](0009-x.md)",)),
        ('title: "Say \\"when\\"" # a comment', "title", ('Say "when"',)),
        ("title: 'Ana''s plan'", "title", ("Ana's plan",)),
        ("summary: >\n  two lines\n  of words", "summary", ("two lines of words",)),
        ("summary: two lines\n  of words", "summary", ("two lines of words",)),
        ("Last-Updated: x", "lastupdated", ("x",)),
        ("last_update:\n  date: 2024-03-04\n  author: Ana", "lastupdatedate", ("2024-03-04",)),
        ("{{ broken: [ yaml\ntitle: Kept", "title", ("Kept",)),
        ("url: https://w.example/a: b", "url", ("https://w.example/a: b",)),
        ("# title: a comment\ntitle: Real", "title", ("Real",)),
        ("title: a\ntitle: b", "title", ("b",)),
    ],
)
def test_values_are_what_is_written_and_a_broken_line_costs_only_itself(line, key, values):
    fields, end = read_front_matter(TEMPLATE.format(line))
    assert TEMPLATE.format(line)[end:] == "\n# Body\n"
    if values is None:
        assert [value.partition(" email")[0] for value in fields[key]] == ["Ana Lobo", "Ben"]
    else:
        assert fields[key] == values


def test_toml_json_a_byte_order_mark_and_windows_of_yaml_are_front_matter_too():
    assert read_front_matter('+++\ntitle = "Plan: B"\ndate = 2024-03-04\n+++\n')[0] == {
        "title": ("Plan: B",),
        "date": ("2024-03-04",),
    }
    assert read_front_matter(';;;\n{"title": "Plan", "tags": ["a", 2], "draft": {}}\n;;;\n')[0] == {
        "title": ("Plan",),
        "tags": ("a", "2"),
    }
    assert read_front_matter("\ufeff---\ntitle: Plan\n...\ntext")[0] == {"title": ("Plan",)}


@pytest.mark.parametrize(
    "text",
    [
        "---\nJust prose between two rules.\n---\n",
        "---\ntitle: never closed\n",
        "\n---\ntitle: not at the beginning\n---\n",
        ";;;\nno json\n;;;\n",
        "# Title\n\n---\nkey: value\n---\n",
        "",
    ],
)
def test_what_is_no_front_matter_stays_text(text):
    assert read_front_matter(text) == ({}, 0)


def test_a_comment_before_everything_may_hold_fields_or_pairs():
    text = "\n<!-- meta\nslot_id: S-1\nauthor: P-7\n-->\n\n# Body"
    fields, end = read_comment(text, 0)
    assert fields == {"slotid": ("S-1",), "author": ("P-7",)}
    assert text[end:] == "\n\n# Body"
    assert read_comment('<!-- chat channel=#eng title="Big plan" -->', 0)[0] == {
        "channel": ("#eng",),
        "title": ("Big plan",),
    }
    assert read_comment("# Body\n<!-- author: P-7 -->", 0) == ({}, 0)


def test_headers_of_proposals_and_mails_are_read_with_their_continuations():
    text = "\nPEP: 8\nAuthor: Ana Lobo <ana@w.example>,\n        Ben Okoro\nPost-History:\nTitle: A: b\n\nText: none\n"
    fields, end = read_headers(text, 0)
    assert fields == {
        "pep": ("8",),
        "author": ("Ana Lobo <ana@w.example>, Ben Okoro",),
        "posthistory": ("",),
        "title": ("A: b",),
    }
    assert text[end:] == "\nText: none\n"


@pytest.mark.parametrize(
    "text", ["Note: one line is prose\n\nMore", "Note: a\nWarning: b\nand then prose\n", "plain", ""]
)
def test_prose_with_colons_is_no_block_of_headers(text):
    assert read_headers(text, 0) == ({}, 0)


marks = st.sampled_from(
    ["---", "+++", ";;;", "\n", ":", " ", "- ", "[", "]", '"', "'", "#", "key", "{", "<!--", "-->", "=", "\t"]
)


@given(st.lists(marks, max_size=40).map("".join))
def test_whatever_is_written_is_read_or_left(text):
    for fields, end in (read_front_matter(text), read_comment(text, 0), read_headers(text, 0)):
        assert 0 <= end <= len(text)
        assert all(key and isinstance(values, tuple) for key, values in fields.items())
