"""Reading what models reply."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.evaluation.answering.replies import label, letter, rubric, yes_or_no

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("B", "B"), ("b.", "B"), (" **B** ", "B"), ("[B]", "B"), ("B) Tuesday", "B"), ("B: Tuesday", "B"),
        ("Answer: B", "B"), ("The correct option is (B)", "B"), ("<think>A or B?</think>\nB", "B"),
        ("Answer: B\nExplanation: not A.", "B"),
        ("", None), ("A or B", None), ("The answer is A, no, the answer is B", None), ("E", None), ("Tuesday", None),
        ("A message was sent", None), ("I think it's C", None), ("AB", None), ("The answer is A meeting", None),
    ],
)  # fmt: skip
def test_a_choice_is_one_letter_or_it_is_none(reply, chosen):
    assert letter(reply, "ABCD") == chosen


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("yes", True), ("No.", False), ("**Yes**, it does", True), ("It is correct: yes", True), ("yesterday", None),
        ("", None), ("The answer could be yes or no", None), ("<think>no no</think>Yes", True),
        ("No, though yes", False),
    ],
)  # fmt: skip
def test_yes_and_no_are_words_and_the_first_one_counts(reply, said):
    assert yes_or_no(reply) is said


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('{"label": "CORRECT"}', True), ('```json\n{"label": "wrong"}\n```', False), ("Same date. CORRECT", True),
        ("incorrect", None), ('{"label": "CORRECT"', True), ('{"label": 1}', None), ("CORRECT? WRONG?", True),
        ("It could be CORRECT or WRONG", None), ("WRONG", False), ("{}", None),
    ],
)  # fmt: skip
def test_a_label_is_read_from_json_or_from_its_word(reply, said):
    assert label(reply) is said


@pytest.mark.parametrize(
    "reply", ["", "fine", "{}", '{"points": []}', '{"points": {"a": "much"}}', '{"points": {"a": {}}}']
)
def test_a_rubric_that_does_not_read_is_none(reply):
    assert rubric(reply) is None


def test_fractions_of_a_rubric_are_kept_between_none_and_all():
    assert rubric('Sure: {"points": {"a": 7, "b": -1, "c": 0.25}} done') == ({"a": 1.0, "b": 0.0, "c": 0.25}, True)


@UNTIMED
@given(st.text())
def test_any_reply_reads_or_does_not_and_nothing_breaks(reply):
    assert letter(reply, "ABCD") in (None, "A", "B", "C", "D")
    assert yes_or_no(reply) in (None, True, False)
    assert label(reply) in (None, True, False)
    assert rubric(reply) is None or isinstance(rubric(reply), tuple)
