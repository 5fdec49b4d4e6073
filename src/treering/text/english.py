"""What is done for English alone: contractions, stop words, light stemming. Other languages pass through unchanged."""

from functools import lru_cache
from typing import Final

import Stemmer

__all__ = ["STOP_WORDS", "contracted", "stem"]

# Words that ask rather than say. "will", "may" and "no" are not here: people and decisions are called that.
_STOPPED: Final = """
    a an and any are as at be been being but by can could did didnt do does doesnt doing dont for from had has have he
    her hers him his how i if in into is isnt it its me my of on or our ours she should so some than that the their them
    then there these they this those to us was wasnt we were what when where which who whom whose why with would you
    your yours
"""
STOP_WORDS: Final = frozenset(_STOPPED.split())

_ENDINGS: Final = ("'s", "'d", "'m", "'ll", "'re", "'ve")


def contracted(word: str) -> str | None:
    """The word that a casefolded English contraction is counted as; None for any other word.

    >>> contracted("alice's"), contracted("we'll"), contracted("don't"), contracted("o'brien")
    ('alice', 'we', 'dont', None)
    """
    if word.endswith("n't"):
        return word[:-3] + "nt"
    for ending in _ENDINGS:
        if word.endswith(ending):
            return word[: -len(ending)]
    return None


@lru_cache(maxsize=1 << 16)  # a chat has few words, said often
def stem(word: str) -> str:
    """Porter2 for words of ASCII letters, everything else as it is.

    >>> stem("released"), stem("releases"), stem("größe")
    ('releas', 'releas', 'größe')
    """
    if len(word) < 3 or len(word) > 32 or not (word.isascii() and word.isalpha()):
        return word
    # A new stemmer each time, because it keeps the word it works on, and servers have threads; making one is cheap.
    stemmed: str = Stemmer.Stemmer("english").stemWord(word)
    return stemmed
