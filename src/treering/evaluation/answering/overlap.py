"""How much of a short answer's words are the right ones: F1 and BLEU-1 as the LoCoMo papers count them.

Two F1 are in use under one name. LoCoMo's own stems words, drops articles and counts repeats; the one of later papers
(A-Mem, Mem0, Nemori, Mem++) is over sets of plain words. Numbers of the one do not compare with those of the other.
"""

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Final

import Stemmer

__all__ = ["bleu_1", "f1", "f1_of_lists", "f1_of_sets"]

_ARTICLES: Final = re.compile(r"\b(a|an|the|and)\b")
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_TOKEN: Final = re.compile(r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+?(?=n't\b)|\w+(?:[-.,]\w+)*|[^\w\s]")


def f1(answer: str, gold: str) -> float:
    """Harmonic mean of precision and recall over stemmed words, repeats counted.

    Source: LoCoMo, `task_eval/evaluation.py`. Over 1,938 pairs of a turn and an answer of LoCoMo, the mean is 0.0001
    above that code's: the stemmers part over few words ("try", "ones").

    >>> round(f1("She painted two sunsets", "the painting of a sunset"), 3)
    0.571
    """
    return _f1(Counter(_stems(answer)), Counter(_stems(gold)))


def f1_of_lists(answer: str, gold: str) -> float:
    """The same for answers that list things between commas: each right one against the best given, averaged.

    Source: LoCoMo, for its multi-hop questions.

    >>> f1_of_lists("pottery, swimming", "swimming, pottery, camping")
    0.6666666666666666
    """
    given, right = (list(map(str.strip, text.split(","))) for text in (answer, gold))
    return sum(max(f1(one, wanted) for one in given) for wanted in right) / len(right)


def f1_of_sets(answer: str, gold: str) -> float:
    """Harmonic mean of precision and recall over different words, neither stemmed nor stopped.

    Source: A-Mem's and Mem0's evaluation code.

    >>> f1_of_sets("the the sunset", "the sunset.")
    1.0
    """
    given, right = (Counter(set(_plain(text))) for text in (answer, gold))
    return _f1(given, right)


def bleu_1(answer: str, gold: str) -> float:
    """Clipped precision of words, lowered for answers shorter than the right one.

    Source: Papineni et al. 2002, of order 1, lower-cased; the papers call NLTK. Over the same pairs the mean is 0.00005
    above NLTK's: the tokens part over rare marks ("lgbtq+").

    >>> round(bleu_1("a painted sunset", "She painted a big sunset."), 3)
    0.368
    """
    given, right = (_TOKEN.findall(text.casefold()) for text in (answer, gold))
    if not given:
        return 0.0
    matching = (Counter(given) & Counter(right)).total()
    brevity = 1.0 if len(given) > len(right) else math.exp(1 - len(right) / len(given))
    return brevity * matching / len(given)


def _f1(given: Counter[str], right: Counter[str]) -> float:
    same = (given & right).total()
    return 2 * same / (given.total() + right.total()) if same else 0.0


def _stems(text: str) -> Sequence[str]:
    plain = _ARTICLES.sub(" ", text.replace(",", "").lower().translate(_NO_PUNCTUATION))
    porter = Stemmer.Stemmer("porter")
    return [_stem(porter.stemWord(word), word) for word in plain.split()]


def _stem(stem: str, word: str) -> str:
    """Porter's stem as NLTK has it, which LoCoMo uses: "is" stays, and so does the y of "days"."""
    if len(word) <= 2:
        return word
    if len(stem) > 1 and stem[-1] == "i" and word.startswith(kept := f"{stem[:-1]}y") and stem[-2] in "aeiou":
        return kept
    return stem


def _plain(text: str) -> Sequence[str]:
    return re.sub(r"[.,!?]", " ", text.lower()).split()
