"""Text of others as data."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.text.inert import fence_for, inert

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect


@UNTIMED
@given(st.text(st.characters(exclude_categories=["Cn"])))
def test_nothing_that_shows_nothing_is_left_but_what_spells(text):
    shown = inert(text)
    assert inert(shown) == shown
    assert all(sign.isprintable() or sign in "\n\t\u200c\u200d" or sign.isspace() for sign in shown)


def test_words_of_every_script_and_emoji_stay_as_they_are():
    for text in ("naïve — 会議 🔥", "می\u200cخواهم", "👨\u200d👩\u200d👧", "क्\u200dष", "a\tb\nc", "שלום"):
        assert inert(text) == text


@UNTIMED
@given(st.lists(st.text() | st.sampled_from(["data-", "data-0123456789abcdef", ""]), max_size=4))
def test_a_mark_occurs_in_none_of_its_texts_and_is_the_same_for_the_same(texts):
    mark = fence_for(texts)
    assert not any(mark in text for text in texts)
    assert fence_for(texts) == mark
    assert fence_for([*texts, mark]) != mark
