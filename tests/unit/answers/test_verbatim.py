"""Whether words stand in a record."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.answers.verbatim import verbatim

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect

RECORD = "So:  We\nship Friday — or “never”. Ana’s résumé (draft)\u200b is un-approved…"


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("We ship Friday", "We ship Friday"),
        ("we ship   friday", "We ship Friday"),
        ('ship Friday - or "never".', "ship Friday — or “never”."),
        ("Ana's re\u0301sume\u0301", "Ana’s résumé"),
        ("(draft) is un-approved...", "(draft)\u200b is un-approved…"),
        ("We ship Friday,", "We ship Friday"),
        ("So", "So"),
    ],
)
def test_the_records_own_characters_come_back(words, stands):
    assert verbatim(words, RECORD) == stands


@pytest.mark.parametrize(
    "words",
    ["we ship Monday", "ship Fri", "e ship", "resume", "We ship or never", "ship ... never", "", " ", ".", "approve"],
)
def test_other_words_and_parts_of_words_do_not_stand(words):
    assert verbatim(words, RECORD) is None


def test_a_word_is_looked_for_further_on_where_it_is_only_a_part():
    assert verbatim("ship", "Shipping the ship") == "ship"


def test_scripts_that_do_not_set_words_apart_are_quoted_anywhere():
    assert verbatim("議は金", "会議は金曜です") == "議は金"


@UNTIMED
@given(st.text(), st.data())
def test_any_run_of_whole_words_of_a_text_stands_and_comes_back_with_single_blanks(text, data):
    words = text.split()
    if words:
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first, len(words) - 1))
        quoted = " ".join(words[first : last + 1])
        stands = verbatim(quoted, text)
        if any(sign.isalnum() for sign in quoted):
            assert stands is not None


@UNTIMED
@given(st.text(), st.text())
def test_what_comes_back_is_a_part_of_the_text(words, text):
    stands = verbatim(words, text)
    if stands is not None:
        assert stands in " ".join(text.split())
