"""Taking a model's reply apart: sentences, the quotations in them, and the numbers of the records they cite.

A cut never falls into a quotation, and it never moves when more text comes: so a reply can be taken apart while it is
being written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["Marked", "Quoted", "claims", "marks", "quoted"]

_CLOSERS: Final = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", "‘": "’"}
_PART: Final = r"#?\d{1,3}(?:\s*[-–]\s*#?\d{1,3})?"
_MARK: Final = re.compile(
    rf"[ \t]*[\[【]\s*(?:records?|evidence|sources?)?\s*({_PART}(?:\s*(?:,|;|&|and)\s*{_PART})*)\s*[\]】]"
)
_CLOSE: Final = rf"[\"”“’»«」』)*_]*(?:{_MARK.pattern})*"
_END: Final = re.compile(rf"[.!?…。！？]+{_CLOSE}(?=\s|\Z)|[。！？]+{_CLOSE}|\n+")
_ITEM: Final = re.compile(r"^[ \t]*\d{1,3}[.)](?=\s)", re.MULTILINE)  # the number of a list's item ends no sentence
_WORD: Final = re.compile(r"\w")
_RANGE: Final = re.compile(r"(\d+)(?:\s*[-–]\s*#?(\d+))?")


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words between quotation marks, and where in the text: the marks included."""

    text: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A bracket of record numbers, and where in the text: the blanks before it included."""

    numbers: tuple[int, ...]
    start: int
    stop: int


def claims(reply: str) -> list[str]:
    r"""The sentences of a reply, each with the citations and the white space behind it; joined, they are the reply.

    >>> claims('Bob said "Wait. Not yet." [2] Ana agreed [3].\n- Shipped later')
    ['Bob said "Wait. Not yet." [2] ', 'Ana agreed [3].\n', '- Shipped later']
    """
    masked = _masked(reply)
    found, start = [], 0
    for end in _END.finditer(masked):
        after = masked[end.end() :]
        stop = end.end() + len(after) - len(after.lstrip())
        if not end[0].startswith("\n") and "\n" not in masked[end.end() : stop] and masked[stop : stop + 1].islower():
            continue  # "Wait." she said; e.g. this
        if stop > start and masked[start:stop].strip():
            found.append(reply[start:stop])
            start = stop
    if start < len(reply):
        found.append(reply[start:])
    return found


def quoted(text: str) -> list[Quoted]:
    """The quotations in a text, outermost ones, each within its line; of one that is never closed, the rest of it.

    >>> [one.text for one in quoted('the 5" disk is "not ready", she wrote')]
    ['not ready']
    """
    return [one for one in _quotations(text) if _WORD.search(one.text)]


def marks(text: str) -> list[Marked]:
    """The citations in a text; what stands in a quotation is none.

    >>> [one.numbers for one in marks('Moved [1, 3-5], as "[2] says" [record 7].')]
    [(1, 3, 4, 5), (7,)]
    """
    return [Marked(_numbers(mark[1]), mark.start(), mark.end()) for mark in _MARK.finditer(_masked(text))]


def _numbers(listed: str) -> tuple[int, ...]:
    numbers: dict[int, None] = {}
    for part in _RANGE.finditer(listed):
        first, last = sorted((int(part[1]), int(part[2] or part[1])))
        numbers.update(dict.fromkeys(range(first, last + 1)))
    return tuple(numbers)


def _masked(text: str) -> str:
    """The text with what is quoted, and what numbers a list, blotted out; of equal length."""
    signs = list(text)
    for one in _quotations(text):
        last = one.start + 1 + len(one.text)
        ends = last < one.stop and last > one.start + 1 and text[last - 1] in ".!?…。！？"
        for at in range(one.start + 1, last - ends):
            signs[at] = "x"
    for item in _ITEM.finditer(text):
        signs[item.start() : item.end()] = "x" * (item.end() - item.start())
    return "".join(signs)


def _quotations(text: str) -> Iterator[Quoted]:
    at = 0
    while at < len(text):
        if text[at] in _CLOSERS and _opens(text, at):
            stop = _closing(text, at)
            closed = text[stop - 1 : stop] in tuple(_CLOSERS[text[at]]) and stop > at + 1
            yield Quoted(text[at + 1 : stop - closed], at, stop)
            at = stop
        else:
            at += 1


def _opens(text: str, at: int) -> bool:
    """Whether a quotation mark opens: one that may close as well has nothing of a word before it."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] in '"‘»' and (before.isalnum() or not after.strip()):
        return False
    return bool(after)


def _closing(text: str, at: int) -> int:
    """Where the quotation that opens at `at` stops: past its closing mark, or at the end of its line."""
    closers = _CLOSERS[text[at]]
    for place in range(at + 1, len(text)):
        if text[place] == "\n":
            return place
        if text[place] in closers and not (text[place] in '"’' and text[place + 1 : place + 2].isalnum()):
            return place + 1
    return len(text)
