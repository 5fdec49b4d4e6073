"""The part of a long text that is shown: where the question's words stand, numbers among them."""

import pytest

from treering.retrieval.excerpts import excerpt, matching_words
from treering.text.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what of plan 96?", "plan 96"),
        ("who saw the zebrafish?", "a zebrafish"),
        ("誰が猫を見た?", "猫を見た"),
        ("छुट्टी की नीति", "छुट्टी की नीति"),
        ("was bedeutet 🦓?", "🦓"),
    ],
)
def test_the_stretch_shown_is_the_one_that_the_question_speaks_of(question: str, told: str) -> None:
    text = "noise of plan 7, " * 400 + f"{told}, " + "noise of plan 7, " * 400
    start, stop = excerpt(text, 60, matching_words(question))

    assert told in text[start:stop]
    assert estimate_tokens(text[start:stop]) <= 60
