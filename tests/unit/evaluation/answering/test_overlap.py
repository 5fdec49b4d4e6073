"""Word overlap, against values that the published code gave for the same pairs."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.evaluation.answering.overlap import bleu_1, f1, f1_of_lists, f1_of_sets

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect

# answer, gold; F1 by LoCoMo's evaluation.py with NLTK 3.9, F1 and BLEU-1 by Mem0's utils.py with the same
PUBLISHED = [
    ("She moved on 7 May 2023.", "7 May 2023", 0.66667, 0.66667, 0.42857),
    ("7 May", "7 May 2023", 0.80000, 0.80000, 0.60653),
    ("Painting sunsets, mostly", "painted the sunset", 0.80000, 0.00000, 0.00000),
    ("They don't know her plans", "She doesn't plan to", 0.22222, 0.00000, 0.16667),
    ("A-Mem's self-care day, at 3.30 p.m.", "self-care on the day of 3.30", 0.54545, 0.53333, 0.33333),
    ("not mentioned", "Sweden", 0.00000, 0.00000, 0.00000),
    ("yes yes yes", "Yes, likely; she is enjoying it", 0.22222, 0.28571, 0.06296),
    ("the the the", "the", 0.00000, 1.00000, 0.33333),
    ("", "Sweden", 0.00000, 0.00000, 0.00000),
    ("It's Ana's days off", "Ana is off today", 0.50000, 0.25000, 0.33333),
    ("ten thousand, four hundred", "10,400", 0.00000, 0.00000, 0.00000),
]


@pytest.mark.parametrize(("answer", "gold", "stemmed", "sets", "bleu"), PUBLISHED)
def test_the_numbers_are_those_of_the_published_code(answer, gold, stemmed, sets, bleu):
    assert f1(answer, gold) == pytest.approx(stemmed, abs=1e-4)
    assert f1_of_sets(answer, gold) == pytest.approx(sets, abs=1e-4)
    assert bleu_1(answer, gold) == pytest.approx(bleu, abs=1e-4)


def test_articles_commas_and_endings_do_not_count_but_repeats_do():
    assert f1("The launches, and a launch", "launch launches") == 1.0
    assert f1("launch", "launch launch") == pytest.approx(2 / 3)


def test_of_lists_each_right_one_is_compared_with_the_best_given():
    assert f1_of_lists("swimming, painting", "painting, pottery") == 0.5
    assert f1_of_lists("swimming and painting", "painting") == f1("swimming and painting", "painting")


TEXTS = st.text(max_size=20) | st.sampled_from(["the launch", "7 May 2023", "a, b", "don't", ""])


@UNTIMED
@given(TEXTS, TEXTS)
def test_all_lie_between_none_and_all_and_the_same_text_has_all(answer, gold):
    for measure in (f1, f1_of_lists, f1_of_sets, bleu_1):
        assert 0 <= measure(answer, gold) <= 1
    assert f1_of_sets(gold, gold) in (0.0, 1.0)
    assert bleu_1(gold, gold) in (0.0, pytest.approx(1.0))
