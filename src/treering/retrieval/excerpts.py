"""Which part of a long text to show: the stretch in which most words of the question stand."""

import re

from treering.text.analysis import UNSPACED
from treering.text.tokens import estimate_tokens

__all__ = ["excerpt", "matching_words"]

# Short words say little, short numbers a lot; where nothing parts words, or signs part letters, every letter counts.
_WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])\w){{3,}}|\d+|[^\x00-\x7f]")
LEAD = 0.2  # of an excerpt, shown before the first match
STEP = 0.9  # how much shorter the next try is


def matching_words(question: str) -> frozenset[str]:
    """The words of a question by which places in a text are found."""
    return frozenset(word.casefold() for word in _WORD.findall(question))


def excerpt(text: str, tokens_max: int, words: frozenset[str]) -> tuple[int, int]:
    """The stretch of `text` of at most `tokens_max` tokens that holds most of the words; the whole where it fits.

    >>> text = "noise " * 500 + "the zebrafish died " + "noise " * 500
    >>> start, stop = excerpt(text, 40, frozenset({"zebrafish"}))
    >>> "zebrafish" in text[start:stop], estimate_tokens(text[start:stop]) <= 40
    (True, True)
    """
    tokens = estimate_tokens(text)
    if tokens <= tokens_max:
        return 0, len(text)
    size = max(int(len(text) * tokens_max / tokens), 1)
    matches = [(m.start(), m.group().casefold()) for m in _WORD.finditer(text) if m.group().casefold() in words]
    start = max(_densest(matches, size) - int(size * LEAD), 0)
    stop = min(start + size, len(text))
    while stop - start > 1 and estimate_tokens(text[start:stop]) > tokens_max:
        stop = start + max(int((stop - start) * STEP), 1)
    return _at_spaces(text, start, stop)


def _densest(matches: list[tuple[int, str]], size: int) -> int:
    """Where the stretch of `size` characters begins that holds most different words; of equal ones the shortest."""
    reach = int(size * (1 - LEAD))
    held: dict[str, int] = {}  # how often each word stands from `first` to here
    best, most, first = 0, (0, 0), 0
    for place, word in matches:
        held[word] = held.get(word, 0) + 1
        while place - matches[first][0] > reach or held[matches[first][1]] > 1:
            _let_go(held, matches[first][1])
            first += 1
        worth = (len(held), matches[first][0] - place)
        if worth > most:
            best, most = matches[first][0], worth
    return best


def _let_go(held: dict[str, int], word: str) -> None:
    held[word] -= 1
    if not held[word]:
        del held[word]


def _at_spaces(text: str, start: int, stop: int) -> tuple[int, int]:
    """The same stretch, begun and ended at spaces where there are some near."""
    if start > 0 and (space := text.find(" ", start, start + 40)) >= 0:
        start = space + 1
    if stop < len(text) and (space := text.rfind(" ", max(stop - 40, start), stop)) > start:
        stop = space
    return start, stop
