"""Passages: every block is covered once, in order; headings end them and are remembered."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from treering.log.passages import match_text, spans_of
from treering.model.drafts import RecordKind
from treering.text.passages import PASSAGE_CHARS, Span, heading_before, passages, without

blocks = st.lists(
    st.sampled_from(["# Title", "word " * 30, "x" * 2500, "Head\n====", "- a\n- b", "", "   "]), max_size=12
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
