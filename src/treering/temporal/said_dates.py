"""The days that a message speaks of: its date phrases, read as of the day on which it was said.

"Yesterday" in a message of 7 May is 6 May, whenever it is imported and wherever the question comes from. A time that
bears an offset or a zone tells the clocks of who wrote; else their day is one of two or three, and a phrase has a
reading for each. "On 12 May", which a question means of the last one, is in a message the one nearest to it. Phrases
without an end ("since March") say too much to find a message by, and are not here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from treering.text.ranges import date_phrases

__all__ = ["SaidDate", "said_dates"]

KEPT_MAX: Final = 4_096  # messages whose dates are kept: the same ones are candidates again and again
CHARS_MAX: Final = 4_000  # of a text that are read
CHARS_AROUND: Final = 60  # of a word that may be of a date phrase: each thousand characters cost milliseconds
_SAYS_WHEN: Final = re.compile(  # a text without any of these has no date phrase
    r"day|night|morning|afternoon|evening|week|month|quarter|year|hour|ago\b|\bq[1-4]|(?:19|20)\d\d|spring|summer|autumn"
    r"|winter|fall|half|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
_OFFSET: Final = re.compile(r"(?<=[\d\s])(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>[0-5]\d)(?:\s*\(\w+\))?\s*\Z")
_NAMED: Final = re.compile(r"\(([A-Za-z]+/[A-Za-z/_+-]+)\)\s*\Z")  # "13/03/24, 10:00 (Europe/Berlin)"
_WEST, _EAST = timedelta(hours=-12), timedelta(hours=14)  # where a day ends last, and where it begins first
_NOON: Final = time(12)
_YEARS: Final = range(1900, 2300)  # in which messages are said; what has no date lies outside
_HALF_A_YEAR: Final = timedelta(days=183)
_Place = tuple[int, str]  # of a phrase in its text, with its words
_Span = tuple[date, date]  # days, half-open


@dataclass(frozen=True, slots=True)
class SaidDate:
    """A date phrase of a message; of what it may mean, each a half-open span of days."""

    text: str  # verbatim
    start: int  # in the message
    readings: tuple[_Span, ...]

    def __str__(self) -> str:
        """As a trace shows it: "yesterday" is 2023-05-06."""
        return f'"{self.text}" is {" or ".join(_shown(*reading) for reading in self.readings)}'


@lru_cache(maxsize=KEPT_MAX)
def said_dates(text: str, said_at: datetime, written: str = "") -> tuple[SaidDate, ...]:
    """The date phrases of a message that have a beginning and an end.

    Args:
        text: the message, of which the first `CHARS_MAX` characters are read.
        said_at: when it was said; aware.
        written: the same as its source spells it, with an offset or without one.

    >>> at = datetime(2023, 5, 7, 12, tzinfo=UTC)
    >>> [str(one) for one in said_dates("I went yesterday", at, "2023-05-07T14:00:00+02:00")]
    ['"yesterday" is 2023-05-06']
    >>> [str(one) for one in said_dates("I went yesterday, as in May 2020", at)]
    ['"yesterday" is 2023-05-06 or 2023-05-07', '"May 2020" is 2020-05-01 to 2020-05-31']
    """
    if said_at.year not in _YEARS:
        return ()
    stretches = tuple(_stretches(text[:CHARS_MAX]))
    found: dict[_Place, dict[_Span, None]] = {}
    for at, stretch in stretches:
        for day in _days_of(said_at, written):
            begun = _spans(stretch, day)
            if not begun:
                break  # on no other day, either
            coming = _spans(stretch, day + _HALF_A_YEAR)
            for (start, words), span in begun.items():
                nearest = _nearest(day, span, coming.get((start, words), span))
                found.setdefault((at + start, words), {})[nearest] = None
    return tuple(SaidDate(words, start, tuple(spans)) for (start, words), spans in sorted(found.items()))


def _stretches(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text that may have a date phrase, with their places; each begins and ends between words."""
    start = stop = -1
    for hint in _SAYS_WHEN.finditer(text):
        first = text.rfind(" ", 0, max(hint.start() - CHARS_AROUND, 0)) + 1
        last = text.find(" ", hint.end() + CHARS_AROUND)
        if first > stop and stop >= 0:
            yield start, text[start:stop]
        if first > stop or stop < 0:
            start = first
        stop = last if last >= 0 else len(text)
    if stop >= 0:
        yield start, text[start:stop]


def _spans(text: str, day: date) -> dict[_Place, _Span]:
    """The days that each phrase means if it is said on a day."""
    phrases = date_phrases(text, datetime.combine(day, _NOON, UTC), UTC)
    return {(one.start, one.text): (one.first.date(), one.last.date()) for one in phrases if one.first and one.last}


def _nearest(day: date, begun: _Span, coming: _Span) -> _Span:
    """Of what comes once a year, and was said without its year, the one that is nearer to a day."""
    is_yearly = (coming[0] - begun[0]).days in (365, 366)
    return coming if is_yearly and coming[0] - day < day - begun[1] else begun


def _days_of(said_at: datetime, written: str) -> list[date]:
    """The day on the clocks of who wrote, or those that it may have been."""
    zone = _zone_in(written)
    if zone is not None:
        return [said_at.astimezone(zone).date()]
    return sorted({(said_at.astimezone(UTC) + ahead).date() for ahead in (_WEST, timedelta(), _EAST)})


def _zone_in(written: str) -> tzinfo | None:
    """The zone of a time as written: by its offset, or by the name that an importer was told."""
    if named := _NAMED.search(written):
        try:
            return ZoneInfo(named[1])
        except (KeyError, ValueError, OSError):
            return None
    offset = _OFFSET.search(written)
    ahead = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"])) if offset else timedelta()
    if offset is None or not ahead or ahead > _EAST:  # "+00:00" says UTC, and not where somebody was
        return None
    return timezone(ahead if offset["sign"] == "+" else -ahead)


def _shown(first: date, after: date) -> str:
    last = after - timedelta(days=1)
    return str(first) if first == last else f"{first} to {last}"
