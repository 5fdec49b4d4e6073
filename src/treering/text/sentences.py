"""Cutting a text into sentences, verbatim. Made for chat: line ends part them, a stop before lower case does not."""

import re
from typing import Final

__all__ = ["sentences"]

_ABBREVIATIONS: Final = frozenset(
    ("e.g", "i.e", "etc", "vs", "cf", "approx", "mr", "mrs", "ms", "dr", "prof", "st", "fig", "sec", "inc", "ltd", "jr")
)
_END: Final = re.compile(r"[.!?…]+[\"')\]’”]*(?=\s)|[。！？]+[”」』）]*|\n+|$")
_LAST_WORD: Final = re.compile(r"[\w.]*\Z")


def sentences(text: str) -> list[str]:
    r"""The sentences of a text in order, each a part of it without the white space around.

    >>> sentences("Done, e.g. ABC-123 v1.2. Who reviews?\n- Ana")
    ['Done, e.g. ABC-123 v1.2.', 'Who reviews?', '- Ana']
    """
    found = []
    start = 0
    for end in _END.finditer(text):
        if end[0][:1] == "." and _goes_on(text, start, end):
            continue
        if sentence := text[start : end.end()].strip():
            found.append(sentence)
        start = end.end()
    return found


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation or an initial, or what follows starts in lower case."""
    following = text[end.end() : end.end() + 3].lstrip(" \t")[:1]
    word = _LAST_WORD.search(text, max(start, end.start() - 12), end.start())
    last = word[0] if word else ""
    return following.islower() or last.casefold() in _ABBREVIATIONS or (len(last) == 1 and last.isupper())
