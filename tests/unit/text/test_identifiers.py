"""Identifiers: what names a thing, in one spelling."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.identifiers import canonical_url, identifiers

UNTIMED = settings(deadline=None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ABC-123 is blocked", ("ABC-123",)),
        ("[DOC-042](x), ADR-0007", ("DOC-042", "ADR-0007")),
        ("branch ABC-123-fix-login", ("ABC-123",)),
        ("修复ABC-123了", ("ABC-123",)),
        ("CVE-2024-12345", ("CVE-2024-12345",)),
        ("RFC 9110, rfc9110 and RFC-9110", ("RFC 9110",)),
        ("PEP 8 and pep-0008", ("PEP 8",)),
        ("#1234, (#77)", ("#1234", "#77")),
        ("repo#1234 and org/repo#12", ("repo#1234", "org/repo#12")),
        ("PR 12, PR #12, MR !9", ("#12", "#9")),
        ("v1.2.3, 1.2.3 and v2.0-rc1", ("v1.2.3", "v2.0-rc1")),
        ("plan.pdf, docs/Plan.PDF", ("plan.pdf",)),
        ("计划.pdf", ("计划.pdf",)),
        ("src/main.c", ("main.c",)),
        ("ABC-2 before ABC-1, then ABC-2", ("ABC-2", "ABC-1")),
    ],
)
def test_names_are_found_in_one_spelling_each_once(text, found):
    assert identifiers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no names here",
        "COVID-19, UTF-8, ISO-8601, x86-64, SHA-256, ISO-8859-1, GPT-4, TOP-10, Q3-2025",
        "abc-123",
        "FOO-BAR-12 and AB-12-34",
        "&#123; #abc #12a C#7",
        "3.5 hours, v2, 10.0.0.1, 02.12.2025, 2025.12.02",
        "Node.js, e.g. this, done.Then index.html",
        "ana@plan.md.example",
    ],
)
def test_what_only_looks_like_a_name_is_none(text):
    assert identifiers(text) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HTTPS://T.Example/A/?utm_source=x&id=7#top", ("https://t.example/A?id=7",)),
        ("(see https://t.example/a_(b)).", ("https://t.example/a_(b)",)),
        ("**https://t.example/a**, https://t.example:443/a/", ("https://t.example/a",)),
        ("<http://me:secret@t.example:8080/>", ("http://t.example:8080",)),
        ("看https://t.example/a。好", ("https://t.example/a",)),
        ("https://t.example/browse/ABC-1", ("https://t.example/browse/ABC-1", "ABC-1")),
        ("https://t.example/d/Plan.pdf?v=1", ("https://t.example/d/Plan.pdf?v=1", "plan.pdf")),
        ("https://github.com/org/repo/pull/12/files", ("https://github.com/org/repo/pull/12/files", "org/repo#12")),
        ("https://[broken and http://t.example:99999/x", ()),
    ],
)
def test_addresses_have_one_spelling_and_name_what_their_path_names(text, found):
    assert identifiers(text.replace("HTTPS", "https")) == found


def test_a_password_in_an_address_is_not_kept():
    assert "secret" not in " ".join(identifiers("https://me:secret@t.example/a"))


@UNTIMED
@given(st.text(max_size=80) | st.from_regex(r"https?://[a-z.:/?#&=()-]{0,40}", fullmatch=True))
def test_any_text_has_a_finite_answer_and_canonical_addresses_are_stable(text):
    for name in identifiers(text):
        assert name.strip() == name != ""
        if "://" in name:
            assert canonical_url(name) == name


@pytest.mark.parametrize("unit", ["a-", "A1", "https://", ")", "a.", "1.", "#", "A", "a/", "a.b/", "v1.1", "a+"])
def test_long_texts_take_no_longer_than_they_must(unit):
    identifiers("https://t.example/" + (unit * 40_000)[:40_000] + " x.y")
