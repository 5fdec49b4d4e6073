"""What documents state of their own validity, and what only looks like it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.asides import without_blocks, without_quotations
from treering.text.supersession import MarkKind, stated_marks

UNTIMED = settings(deadline=None)


def stated(text: str) -> list[str]:
    """Each mark as `kind: target, target`."""
    return [f"{mark.kind}: {', '.join(mark.targets)}".rstrip(": ") for mark in stated_marks(text)]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        # headers
        ("PEP: 571\nStatus: Superseded\nSuperseded-By: 600\n\nText", ["superseded_by: PEP 600"]),
        ("PEP: 470\nReplaces: 438, 439\n\nText", ["supersedes: PEP 438, PEP 439"]),
        ("PEP: 411\nStatus: Superseded\n\nText", ["superseded_by"]),
        ("PEP: 481\nStatus: Withdrawn\n\nText", ["retired"]),
        (
            "Request for Comments: 9990\nObsoletes: 2818, 7230              June 2022\n",
            ["supersedes: RFC 2818, RFC 7230"],
        ),
        ("eip: 1559\nsuperseded-by: 3675\n", ["superseded_by: EIP-3675"]),
        (":Replaces: RFC 1\n:Title: x\n", ["supersedes: RFC 1"]),
        ("Superseded by: [ADR-0012](../adr/0012-x.md#why)\n", ["superseded_by: 0012-x.md"]),
        ("Supersedes: Travel policy 2019\n\nText", ["supersedes: Travel policy 2019"]),
        ("Superseded-By: 12\n\nText", ["superseded_by: 12"]),
        ("**Superseded by:** DOC-042\r\n\r\nText", ["superseded_by: DOC-042"]),
        ("<!-- meta\nsupersedes: DOC-1\n-->\n# X\n", ["supersedes: DOC-1"]),
        # status
        ("Status: Deprecated", ["retired"]),
        ("Status: Retired on 2024-03-04\n", ["retired"]),
        ("**Status:** Obsolete\n", ["retired"]),
        ("Status: Rescinded\n", ["retired"]),
        ("Status: Final — supersedes the summary filed 2021-05-22\n", ["supersedes: summary filed 2021-05-22"]),
        ("Status: accepted, superseded by ADR-0012\n", ["superseded_by: ADR-0012"]),
        ("Status: ~~Accepted~~ Superseded by ADR-3\n", ["superseded_by: ADR-3"]),
        ("Status: deprecated in favour of DOC-7\n", ["superseded_by: DOC-7"]),
        ("| Status | Superseded by ADR-7 |\n| --- | --- |\n", ["superseded_by: ADR-7"]),
        ("# X\n\n* Status: superseded by [ADR-5](0005-x.md) <!-- optional -->\n", ["superseded_by: 0005-x.md"]),
        # front matter
        ("---\nstatus: superseded by [0009](0009-x.md)\n---\n", ["superseded_by: 0009-x.md"]),
        ('---\nstatus: "superseded by ADR-0012"\n---\n', ["superseded_by: ADR-0012"]),
        ("---\nsuperseded_by: 'ADR-0012'\n---\n", ["superseded_by: ADR-0012"]),
        ("---\nsupersedes: [DOC-1, DOC-2]\n---\n", ["supersedes: DOC-1, DOC-2"]),
        ("---\nsupersedes:\n  - ADR-0001\n  - ADR-0002\nowner: Ana\n---\n", ["supersedes: ADR-0001, ADR-0002"]),
        ("---\ndeprecated: true\n---\n", ["retired"]),
        ("---\nretired: 2024-03-04\n---\n", ["retired"]),
        # sections
        (
            "# 7. A\n\n## Status\n\nSuperseded by [9. Use b](0009-use-b.md)\n\n## Context\n",
            ["superseded_by: 0009-use-b.md"],
        ),
        ("# 9. B\n\n## Status\n\nAccepted\n\nSupercedes [2. title](0002-x.md)\n", ["supersedes: 0002-x.md"]),
        ("# 9. B\n\nStatus\n------\n\n2024-03-04: Deprecated\n", ["retired"]),
        (
            "# A\n\nText.\n\n## Cross-references\n- (supersedes) Supersedes: ART-2022-006-001\n",
            ["supersedes: ART-2022-006-001"],
        ),
        ("# A\n\n## Status\n\nSuperseded by\n[ADR-5](https://git.example/adr/0005.md)\n", ["superseded_by: ADR-5"]),
        # banners
        ("# 4. X\n\n**Superseded by [ADR-5](x-5.md)**\n\nText\n", ["superseded_by: x-5.md"]),
        ("# [DEPRECATED] Travel\n\nText", ["retired"]),
        ("# Travel (superseded by DOC-9)\n\nText", ["superseded_by: DOC-9"]),
        ("DEPRECATED\n\nText", ["retired"]),
    ],
)
def test_fields_status_sections_and_banners_state_marks(text, marks):
    assert stated(text) == marks


@pytest.mark.parametrize(
    ("sentence", "marks"),
    [
        ("This policy supersedes the Travel policy (DOC-041).", ["supersedes: DOC-041"]),
        (
            "This policy replaces the Travel policy (DOC-041) and applies to all named in DOC-050.",
            ["supersedes: DOC-041"],
        ),
        ("This handbook hereby supersedes and replaces DOC-1, DOC-2 and DOC-3.", ["supersedes: DOC-1, DOC-2, DOC-3"]),
        ("This policy replaces the travel policy of 2019.", ["supersedes: travel policy of 2019"]),
        ('This policy supersedes the "Travel policy".', ["supersedes: Travel policy"]),
        ("These guidelines replace [the old ones](../old.md).", ["supersedes: old.md"]),
        ("This PEP replaces :pep:`438`.", ["supersedes: PEP 438"]),
        ("This data retention policy (v2.0) rescinds DOC-7.", ["supersedes: DOC-7"]),
        ("The present document obsoletes RFC 1.", ["supersedes: RFC 1"]),
        ("This document is superseded by DOC-042.", ["superseded_by: DOC-042"]),
        ("This document was superseded on 4 March 2024 by DOC-042.", ["superseded_by: DOC-042"]),
        ("This page has been replaced by [[New page]].", ["superseded_by: New page"]),
        (
            "This page is now superseded by [the new one](https://wiki.example/new).",
            ["superseded_by: https://wiki.example/new"],
        ),
        ("This policy has been superseded\nby the retention\n   policy (DOC-7).", ["superseded_by: DOC-7"]),
        ("This page has been superseded by the new handbook [1]_.", ["superseded_by: new handbook"]),
        ("This document was replaced by a newer version.", ["superseded_by"]),
        ("This page is deprecated in favor of DOC-5.", ["superseded_by: DOC-5"]),
        ("This policy is superseded.", ["superseded_by"]),
        ("This page is deprecated. Use DOC-5.", ["retired"]),
        ("This policy has been retired.", ["retired"]),
        ("This policy was formally withdrawn.", ["retired"]),
        ("This policy is no longer in force.", ["retired"]),
        ("This policy no longer applies.", ["retired"]),
        ("This memo is no longer valid!", ["retired"]),
        (".. note:: This PEP is obsolete.", ["retired"]),
        ("**Note:** this page is deprecated.", ["retired"]),
        ("- This page is deprecated.", ["retired"]),
        ("As of 1 March 2024, this policy is no longer in effect.", ["retired"]),
        ("Please note that this page is archived.", ["retired"]),
    ],
)
def test_sentences_about_the_document_itself_state_marks(sentence, marks):
    assert stated(sentence) == marks
    assert stated(f"# Notes on travel\n\nWe met. {sentence}\n\nMore.") == marks or sentence[0] in ".*-"


@pytest.mark.parametrize(
    "text",
    [
        # what may be, will be, or is not
        "This policy may be superseded by DOC-1.",
        "This policy may supersede DOC-1.",
        "This policy will be superseded by DOC-1.",
        "This policy is to be replaced by DOC-1.",
        "This policy should be retired.",
        "This policy is not superseded by DOC-1.",
        "This policy has not been retired.",
        "This policy has never been superseded by DOC-1.",
        "If this policy is superseded by DOC-1, tell us.",
        "When this policy is retired, tell us.",
        "This policy is superseded by DOC-1 if the board agrees.",
        "This policy is retired once DOC-1 is in force.",
        "Has this policy been retired?",
        "Is it true? This policy has been retired?",
        "Status: not superseded\n",
        "Status: to be superseded by DOC-1\n",
        "Status: may be superseded by DOC-1\n",
        "Obsoletes: 12 (if approved)\n",
        # what is said of others, or of a part
        "The module is deprecated.",
        "This module is deprecated.",
        "This section is superseded by DOC-1.",
        "This part of the policy is superseded by DOC-1.",
        "This document describes how the old policy was superseded by DOC-1.",
        "We heard that this policy is superseded by DOC-1.",
        "Ana said: this policy is superseded by DOC-1.",
        "This proposal supersedes it with a better one.",
        "This PEP replaces the current syntax with another.",
        "This policy replaces part of DOC-1.",
        "This policy is superseded in part by DOC-1.",
        "This policy is partly superseded by DOC-1.",
        "This page is deprecated for new projects.",
        "This policy supersedes all previous versions.",
        "This policy supersedes any conflicting policy.",
        "DOC-7 supersedes DOC-6.",
        "PEP: 8\nTitle: x\n\nPEP 470 supersedes PEP 438.",
        "the syntax that is\nreplaced by PEP 8\nand more",
        "# Deprecated modules\n\nObsolete modules are listed.\n",
        "Replaces the old engine with a new one.\n\nText",
        "# Register\n\n## ADR-1\n\nStatus: Superseded by ADR-2\n\n## ADR-2\n\nStatus: Accepted\n",
        "# API\n\n## Calls\n\nDeprecated: true\nStatus: deprecated\n",
        "\n" * 50 + "This decision has been withdrawn.",
        # templates and empty values
        "PEP: 1\nReplaces: <pep number>\nSuperseded-By: <pep number>\n",
        "Status: {proposed | rejected | superseded by ADR-5}\n",
        "Status: <Draft | Active | Replaced | Withdrawn>\n",
        "---\n# status: superseded by ADR-0123\n---\n",
        "---\ndeprecated: false\nsuperseded_by: null\nreplaces: none\nobsoletes:\n---\n",
        "Superseded-By: n/a\n",
        "Superseded-By: {DOC-123 or none}\n",
        # code and quotes
        "```\nThis page is deprecated.\nSuperseded-By: 12\n```\n",
        "~~~yaml\nstatus: superseded by DOC-1\n",
        "Text.\n\n    Superseded-By: DOC-12\n    This page is deprecated.\n\nMore text.\nAnd more.\n",
        "> This page is deprecated.\n",
        "> Status: Retired\n",
        'He wrote: "This page is deprecated."',
        "The template says “This policy has been retired.” at its top.",
        "Write `This page is deprecated.` there.",
        "Text. <!-- This page is deprecated. --> More.",
        "~~This page is deprecated.~~",
        "",
        "Nothing of the kind.",
    ],
)
def test_what_may_be_what_is_said_of_others_and_what_is_quoted_is_no_mark(text):
    assert stated(text) == []


def test_a_document_that_gives_its_identifier_may_speak_of_itself_by_it():
    assert stated("# DOC-042 Travel\n\nDOC-042 replaces DOC-041 and DOC-040.") == ["supersedes: DOC-041, DOC-040"]
    assert stated("PEP: 470\nTitle: x\n\nPEP 470 supersedes PEP 438.") == ["supersedes: PEP 438"]


def test_plain_text_that_is_indented_throughout_is_no_code():
    body = ["This PEP has been superseded by the", "guide (DOC-9).", "More.", "And more.", "And more.", "And more."]
    text = "PEP: 2\nTitle: x\n\nIntroduction\n\n" + "".join(f"    {line}\n" for line in body)
    assert stated(text) == ["superseded_by: DOC-9"]


def test_a_mark_says_where_it_stands_and_each_is_given_once():
    text = "Status: Superseded by DOC-9\n\nThis policy is superseded by DOC-9. This policy replaces DOC-1."
    marks = stated_marks(text)
    assert [text[mark.start : mark.stop] for mark in marks] == [
        "Superseded by DOC-9",
        "This policy replaces DOC-1",
    ]
    assert [mark.kind for mark in marks] == [MarkKind.SUPERSEDED_BY, MarkKind.SUPERSEDES]


def test_a_status_without_target_adds_nothing_to_one_that_names_it():
    assert stated("Status: Superseded\n\nThis page is superseded by DOC-9.") == ["superseded_by: DOC-9"]


@pytest.mark.parametrize(
    "filler", ["this policy is ", "[", "`", '"', "Status: ", "superseded by ", "\n", "- ", "this ", "<!--"]
)
def test_long_texts_are_read_to_the_end(filler):
    text = f"Status: Retired\n{filler * (100_000 // len(filler))}"
    assert MarkKind.RETIRED in {mark.kind for mark in stated_marks(text)}


PIECES = st.sampled_from(
    [
        "This policy ",
        "is ",
        "superseded by ",
        "replaces ",
        "DOC-1",
        "[x](y.md)",
        ". ",
        "\n",
        "\n\n",
        "Status: ",
        "retired",
        "## Status\n",
        "---\n",
        "`",
        '"',
        "> ",
        "```\n",
        "    ",
        "İ",
        "if ",
        "(",
        ")",
    ]
)


@UNTIMED
@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=80))
def test_marks_are_parts_of_the_text_and_their_targets_are_in_it(text):
    for mark in stated_marks(text):
        assert 0 <= mark.start < mark.stop <= len(text)
        assert all(target and target.strip() == target for target in mark.targets)
        assert not (mark.kind is MarkKind.RETIRED and mark.targets)
        assert not (mark.kind is MarkKind.SUPERSEDES and not mark.targets)


@UNTIMED
@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=80))
def test_asides_are_blanked_place_for_place(text):
    for shown in (without_blocks(text), without_quotations(text)):
        assert len(shown) == len(text)
        assert all(one in (other, "\0") for one, other in zip(shown, text, strict=True))
        assert [i for i, sign in enumerate(shown) if sign == "\n"] == [i for i, sign in enumerate(text) if sign == "\n"]


@UNTIMED
@given(st.lists(PIECES, max_size=14).map("".join))
def test_whatever_is_cited_or_fenced_states_nothing(text):
    assert stated("".join(f"> {line}\n" for line in text.splitlines())) == []
    assert stated("```\n" + text.replace("`", "'") + "\n```\n") == []
