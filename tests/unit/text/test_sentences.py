"""Sentences, tokens, lifecycle transitions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.lifecycle import TRANSITIONS, transitions
from treering.text.sentences import sentences
from treering.text.tokens import estimate_tokens

UNTIMED = settings(deadline=None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        (
            "See e.g. Dr. Wu, J. Smith et al. at 3.5 p.m. today.",
            ["See e.g. Dr. Wu, J. Smith et al. at 3.5 p.m. today."],
        ),
        ("v1.2.3 is out. ABC-123 too.", ["v1.2.3 is out.", "ABC-123 too."]),
        ("- a\n- b\n\nc", ["- a", "- b", "c"]),
        ("终于合并了。明天发布！好吗？", ["终于合并了。", "明天发布！", "好吗？"]),
        ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
        ("wait... what? ok", ["wait... what?", "ok"]),
    ],
)
def test_sentences_end_where_readers_end_them(text, found):
    assert sentences(text) == found


@UNTIMED
@given(st.text(alphabet="aB .!?\n。”e.g", max_size=60))
def test_sentences_are_parts_of_the_text_and_lose_nothing_but_white_space(text):
    found = sentences(text)
    assert all(sentence in text for sentence in found)
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        (" \n", 0, 0),
        ("We will release the new version on Monday.", 9, 12),
        ("東京で会議", 5, 8),
        ("🔥", 1, 3),
        ("internationalization", 2, 5),
        ("1234567890", 3, 6),
    ],
)
def test_estimates_lie_near_what_tokenizers_count(text, least, most):
    assert least <= estimate_tokens(text) <= most


@UNTIMED
@given(st.text(max_size=40), st.text(max_size=40))
def test_a_text_takes_no_fewer_tokens_than_its_parts_on_two_lines(one, other):
    assert estimate_tokens(f"{one}\n{other}") == estimate_tokens(one) + estimate_tokens(other)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DOC-042 was approved, then released.", ("approved", "released")),
        ("Filed ABC-1. Ana picked it up", ("opened", "assigned")),
        ("LGTM, merged! It's live now", ("reviewed", "merged")),
        ("It is live. We rolled back v2.", ("released", "reverted")),
        ("waiting for legal, on hold", ("blocked",)),
        ("unblocked since noon", ("unblocked",)),
        ("v1 is deprecated and v2 superseded it", ("deprecated",)),
        ("Has it been released?", ()),
        ("It has not been approved yet. It isn't merged. It never shipped.", ()),
        ("not only reviewed but merged", ("reviewed", "merged")),
        ("hello", ()),
    ],
)
def test_transitions_are_those_that_a_text_reports(text, found):
    assert transitions(text) == found


@UNTIMED
@given(st.lists(st.sampled_from(["approved", "not ", "is live", "?", ". ", "done", "in review", " "]), max_size=8))
def test_transitions_are_canonical_and_distinct(words):
    found = transitions("".join(words))
    assert set(found) <= set(TRANSITIONS)
    assert len(found) == len(set(found))
