"""Passages: every block is covered once, in order; headings end them and are remembered."""

import itertools
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.log.passages import match_text, spans_of
from treering.model.drafts import RecordKind
from treering.text import passages as passages_module
from treering.text.passages import PASSAGE_CHARS, TURN_CHARS, Span, heading_before, passages, without

blocks = st.lists(
    st.sampled_from(
        ["# Title", "word " * 30, "x" * 2500, "Head\n====", "- a\n- b", "Ana: yes\nBo: " + "no " * 60, "", "   "]
    ),
    max_size=12,
).map("\n\n".join)


@given(blocks)
def test_passages_cover_every_word_once_and_in_order(text: str) -> None:
    spans = passages(text)
    assert all(a.stop <= b.start for a, b in itertools.pairwise(spans))
    assert (
        "".join(text[s.start : s.stop] for s in spans).split()
        == "".join(text[s.start : s.stop] for s in sorted(spans, key=lambda span: span.start)).split()
    )
    kept = "".join(text[s.start : s.stop] for s in spans)
    assert sorted(kept.replace(" ", "").replace("\n", "")) == sorted(text.replace(" ", "").replace("\n", ""))
    assert all(s.stop - s.start <= 2 * PASSAGE_CHARS for s in spans)


def test_a_heading_ends_a_passage_that_is_long_enough() -> None:
    text = "# One\n\n" + "word " * 80 + "\n\n## Two\n\nshort"
    assert [text[s.start : s.stop].split("\n")[0] for s in passages(text)] == ["# One", "## Two"]


def test_an_underlined_heading_counts_as_one() -> None:
    text = "word " * 80 + "\n\nRules\n=====\n\nshort"
    assert [text[s.start :][:5] for s in passages(text)] == ["word ", "Rules"]
    assert heading_before("Rules\n=====\n\nfirst\n\nsecond", 20) == "Rules"


def test_the_nearest_heading_above_counts() -> None:
    text = "# One\n\na\n\n## Two\n\nb"
    assert heading_before(text, text.index("b")) == "Two"
    assert heading_before(text, text.index("a\n")) == "One"
    assert heading_before(text, text.index("## Two")) == ""
    assert heading_before("no heading at all", 3) == ""


def test_ranges_are_left_out_in_any_order_and_overlap() -> None:
    assert without("abcdefgh", [(5, 7), (1, 3), (2, 4)]) == [Span(0, 1), Span(4, 5), Span(7, 8)]
    assert without("abc", [(0, 99)]) == []


def test_what_a_mail_only_quotes_is_not_matched() -> None:
    text = "I agree.\n\n> the old question\n\nAna"
    quoted = ((text.index(">"), text.index("\n\nAna")),)
    spans = spans_of(RecordKind.MESSAGE, "Re: plan", text, quoted)
    assert [text[s.start : s.stop].strip() for s in spans] == ["I agree.", "Ana"]
    assert match_text(RecordKind.MESSAGE, "Ana", "Re: plan", text, spans[0]).startswith("Ana: Re: plan: I agree.")


def test_a_mail_that_is_nothing_but_quotes_is_matched_all_the_same() -> None:
    assert spans_of(RecordKind.MESSAGE, "Fwd", "> all of it", ((0, 11),)) == [Span(0, 11)]


def test_a_chat_message_is_one_passage_whatever_its_length() -> None:
    assert spans_of(RecordKind.MESSAGE, "", "a\n\n" * 2000) == [Span(0, 6000)]


def test_a_turn_of_speech_ends_a_passage_that_is_long_enough() -> None:
    said = [f"{name}: {'word ' * 40}{number}" for number, name in enumerate(["Ana", "Bo"] * 3)]
    text = "\n".join(said)
    assert [text[span.start : span.stop].strip() for span in passages(text)] == said


def test_short_turns_share_a_passage() -> None:
    text = "\n".join(f"{name}: hello, it is {number} now" for number, name in enumerate(["Ana", "Bo"] * 30))
    lengths = [span.stop - span.start for span in passages(text)]
    assert all(TURN_CHARS <= length < 2 * TURN_CHARS for length in lengths[:-1])
    assert len(lengths) > 1


def test_headings_of_a_long_document_are_found_once_for_all_its_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting:
        """A pattern, with a count of how often it goes through a text."""

        def __init__(self, pattern: re.Pattern[str]) -> None:
            self.pattern, self.match, self.scans = pattern, pattern.match, 0

        def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:
            self.scans += 1
            return self.pattern.finditer(text, *bounds)

    pattern = Counting(passages_module._ATX)
    monkeypatch.setattr(passages_module, "_ATX", pattern)
    text = "\n\n".join(f"# Section {number}\n\n" + "word " * 500 for number in range(50))
    spans = spans_of(RecordKind.DOCUMENT, "Long", text)
    matched = [match_text(RecordKind.DOCUMENT, "Ana", "Long", text, span) for span in spans]

    assert len(spans) >= 100
    assert pattern.scans == 1
    assert sum(one.startswith("Long: Section 49: word") for one in matched) > 0
