"""The first lines of messages in an exported chat: date, time and the rest, in the shapes that phones give them.

All first lines of a file have one shape; a line of another shape, such as one copied from elsewhere, is part of the
message above it. Which number is the day is decided in `whatsapp_dates`. Follows FORMATS section 9.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from treering.importers.narrowing import clean
from treering.importers.tree import FileTree
from treering.importers.whatsapp_words import MARKS, is_afternoon

__all__ = ["Header", "Shape", "header_of", "lines_of"]

HEADER_CHARS_MAX = 160  # of a date and a time with all their marks; keeps the cost of odd lines low
LINE_CHARS_MAX = 1 << 17  # a longer line is read as several; messages have at most 65,536 characters

_M = f"[{MARKS}]*"
_S = rf"[{MARKS}\s]*"
_HEADER = re.compile(
    rf"{_M}(?P<bracket>\[?){_M}(?P<a>\d{{1,4}}){_M}(?P<first>[./\-年]){_S}(?P<b>\d{{1,2}}){_M}(?P<second>[./\-月]){_S}"
    rf"(?P<c>\d{{1,4}}){_M}(?P<end>[.日]?){_M}(?P<comma>[,،、]?){_S}(?:(?P<before>[^\W\d_][^\d\[\]<>:]{{0,14}}?){_S})?"
    rf"(?P<hour>\d{{1,2}}){_M}(?:[:.]|{_S}h{_S}){_M}(?P<minute>\d{{2}})(?:{_M}[:.]{_M}(?P<sec>\d{{2}}))?"
    rf"(?:{_S}(?P<after>[^\W\d_][^\d\[\]<>:]{{0,12}}?))?(?P<space>{_S})(?P<stop>\]|[-–—](?=\s)|:(?=\s))\s?",
)
_START = re.compile(rf"{_S}\[?{_M}\d")
_IGNORED = frozenset({"ч", "uhr", "h"})  # words for "o'clock" after a time


class Shape(NamedTuple):
    """How a first line is written; of the width of numbers only that of the year counts."""

    bracket: bool
    separators: str
    year_first: bool
    year_digits: int
    comma: str
    before: str  # the word between date and time
    has_seconds: bool
    has_halves: bool  # of the day
    stop: str


@dataclass(frozen=True, slots=True)
class Header:
    """A first line, taken apart."""

    shape: Shape
    numbers: tuple[int, int, int]  # of the date, in the order written
    hour: int
    minute: int
    second: int
    raw: str  # date and time as written
    rest: str
    by_app: bool  # marked as a line of the app's
    native_digits: bool  # other than 0 to 9
    half: str  # the word for the half of the day


def lines_of(tree: FileTree, name: str) -> Iterator[str]:
    """The lines of a chat, without their ends, be they of Unix, Windows or an old Mac; other separators are characters.

    Raises:
        UnreadableInput: the file breaks while it is read.
    """
    with tree.open(name) as file:
        encoding = "utf-16" if file.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    with tree.open(name) as file:
        text = io.TextIOWrapper(file, encoding, "replace")
        while line := text.readline(LINE_CHARS_MAX):
            yield clean(line.removesuffix("\n"))


def header_of(line: str) -> Header | None:
    """The line as the first of a message; None if it has no such form.

    >>> header_of("[04.03.24, 10:00:05] Ana: hi").rest, header_of("3/4/24, 10:00\u202fPM - Ben: ho").hour
    ('Ana: hi', 22)
    """
    if not _START.match(line):
        return None
    match = _HEADER.match(line[:HEADER_CHARS_MAX])
    if match is None or (match["bracket"] == "[") is not (match["stop"] == "]"):
        return None
    if match["stop"] not in "]:" and not match["space"]:
        return None
    a, b, c = (int(match[name]) for name in "abc")
    year_first = len(match["a"]) == 4
    year_digits = len(match["a"] if year_first else match["c"])
    if year_digits not in (2, 4) and not (year_digits == 1 and not year_first):
        return None
    if len(match["a"]) == 3 or len(match["c"]) not in (1, 2, 4) or (year_first and len(match["c"]) > 2):
        return None
    before, after = match["before"] or "", match["after"] or ""
    halves = [half for word in (before, after) if (half := is_afternoon(word)) is not None]
    if (after and is_afternoon(after) is None and after.rstrip(". ").casefold() not in _IGNORED) or len(halves) > 1:
        return None
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["sec"] or 0)
    if halves and hour <= 12:
        hour = hour % 12 + 12 * halves[0]
    if hour > 23 or minute > 59 or second > 59:
        return None
    shape = Shape(
        bracket=bool(match["bracket"]),
        separators=match["first"] + match["second"] + match["end"],
        year_first=year_first,
        year_digits=max(year_digits, 2),
        comma=match["comma"],
        before="" if is_afternoon(before) is not None else before,
        has_seconds=match["sec"] is not None,
        has_halves=bool(halves),
        stop=match["stop"],
    )
    raw = re.sub(f"[{MARKS}]", "", line[: match.end("space")]).strip(" [")
    return Header(
        shape,
        (a, b, c),
        hour,
        minute,
        second,
        raw,
        line[match.end() :],
        line.startswith("\u200e"),
        not (match["a"] + match["b"]).isascii(),
        after if is_afternoon(after) is not None else before if halves else "",
    )
