"""Taking replies apart."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from treering.answers.claims import claims, marks, quoted

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect

WORDS = st.sampled_from(
    ["Bob", "said", '"', "“", "”", "«", "»", "‘", "’", "We ship.", "friday", "[1]", "[2, 3]", "【4】", "[", "]", ".",
     "!", "。", "会議", " ", "\n", "- ", "1. ", "?", "e.g.", "5\"", "don’t"]
)  # fmt: skip
REPLIES = st.lists(WORDS, max_size=14).map("".join) | st.text(max_size=30)


@pytest.mark.parametrize(
    ("reply", "parts"),
    [
        ("Bob ships it. [2] Ana waits [1].", ["Bob ships it. [2] ", "Ana waits [1]."]),
        ("It moved [1]. So did she.\n\nThen?", ["It moved [1]. ", "So did she.\n\n", "Then?"]),
        ("Due e.g. friday at 3.5 o'clock [1].", ["Due e.g. friday at 3.5 o'clock [1]."]),
        ('He wrote "Wait. Not yet. Stop." on it [1].', ['He wrote "Wait. Not yet. Stop." on it [1].']),
        ("- one [1]\n- two [2]", ["- one [1]\n", "- two [2]"]),
        ("1. First [1]. 2. Second", ["1. First [1]. ", "2. ", "Second"]),
        ("1. First [1]\n2. Second", ["1. First [1]\n", "2. Second"]),
        ("会議は金曜。[2]出荷は月曜。", ["会議は金曜。[2]", "出荷は月曜。"]),
        ("", []),
        (" ", [" "]),
    ],
)
def test_a_reply_falls_into_its_sentences(reply, parts):
    assert claims(reply) == parts


@UNTIMED
@given(REPLIES)
@example('a "b. C')
def test_joined_the_parts_are_the_reply(reply):
    assert "".join(claims(reply)) == reply


@UNTIMED
@given(REPLIES, REPLIES)
def test_what_is_cut_stays_cut_when_more_comes_unless_a_citation_follows(reply, more):
    before, after = claims(reply), claims(reply + more)
    if before[-1:] and before[-1][0] not in "[【":
        assert after[: len(before) - 1] == before[:-1]


@UNTIMED
@given(REPLIES)
def test_no_cut_falls_into_a_quotation(reply):
    ends = set()
    at = 0
    for part in claims(reply)[:-1]:
        at += len(part)
        ends.add(at)
    for one in quoted(reply):
        assert not ends.intersection(range(one.start + 1, one.stop))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('said "a b" and "c"', ["a b", "c"]),
        ("said “a “b” c” d", ["a “b"]),
        ("« un deux » et „drei vier“ und »fünf«", [" un deux ", "drei vier", "fünf"]),
        ("「一二」と『三』", ["一二", "三"]),
        ("‘don’t do it’, he said", ["don’t do it"]),
        ("Bob’s dog and the users’ cats", []),
        ('a 5" disk and 3" more', []),
        ('it never "ends [2]\nhere "it does"', ["ends [2]", "it does"]),
        ('"" and " " and "-"', []),
    ],
)
def test_quotations_are_what_stands_between_marks_that_belong_together(text, words):
    assert [one.text for one in quoted(text)] == words


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a [1]. b [2][3]", [(1,), (2,), (3,)]),
        ("a [1, 2; 4-6 and 9]", [(1, 2, 4, 5, 6, 9)]),
        ("a [record 3], [Records #1]", [(3,)]),
        ("【12】", [(12,)]),
        ("a [0] b [99999] c [x] d [2025-12-01]", [(0,)]),
        ("a [3-1]", [(1, 2, 3)]),
        ('"see [4]" [5]', [(5,)]),
    ],
)
def test_marks_are_numbers_in_brackets_outside_of_quotations(text, numbers):
    assert [mark.numbers for mark in marks(text)] == numbers
