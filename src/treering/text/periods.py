"""What a period is: a stretch of days and the characters that name it. What the readers of its forms have in common.

A form is a pattern and a reader. Every pattern is of bounded length, so that no text costs more than its length. The
forms are in `calendar_periods` and `relative_periods`; what the words around them make of it is in `ranges`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from enum import StrEnum
from typing import Final

from treering.errors import BadDate
from treering.text.casing import lowered
from treering.text.months import Span

__all__ = ["NUMBER_FROM", "NUMBER_TO", "SPACE", "WHICH", "YEAR", "Asked", "Form", "Period", "Unit", "found_by", "named"]

SPACE: Final = r"\s{1,3}"
YEAR: Final = r"(?:19|20)[0-9]{2}"
NUMBER_FROM: Final = r"(?<![\w.,#@$€£/+-])"  # where a number begins that is no piece of a longer one: v2.2019, #2019
NUMBER_TO: Final = r"(?![\w%$€£/+-]|[.,:][0-9])"
WHICH: Final = rf"(?:(?P<which>last|past|previous|this){SPACE})?"

Recurrence = Callable[[date], Span]
"""The last occurrence of what comes again, of those begun on or before a day."""
_DAYS: Final = date(2, 1, 1), date(9999, 1, 1)  # those that are a day in every zone
_YEARS_BACK: Final = 9  # from one 29 February to the one before are eight at most


class Unit(StrEnum):
    """What a period is one of."""

    DAY = "day"
    WEEKDAY = "weekday"
    MONTH = "month"
    YEAR = "year"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, as written, and the day on which it is asked, in the zone of who asks."""

    text: str
    day: date
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days and the half-open range of characters that names it."""

    start: int
    stop: int
    days: Span
    unit: Unit = Unit.OTHER
    sure: bool = True  # False: a date only if the words around it say so, as of a bare year or a weekday
    again: Recurrence | None = None  # of what is named without its year or week
    parted: bool = False  # a part of what is named: early 2019, the end of May
    edge: int = 0  # -1: the start of something longer, which "after" counts from; 1: the end of it, as for "before"


Form = tuple[re.Pattern[str], Callable[[re.Match[str], Asked], Period | None]]
"""A pattern of the text in lower case, and what reads its matches."""


def found_by(forms: Sequence[Form], asked: Asked) -> list[Period]:
    """The periods that a question may name, in order; where two overlap, the longer one.

    A period that does not exist (30 February) is none. Those that are not `sure` are left for the caller to judge.
    """
    found: list[Period] = []
    text = lowered(asked.text)
    for pattern, read in forms:
        for match in pattern.finditer(text):
            try:
                period = read(match, asked)
            except (ValueError, OverflowError, BadDate):
                continue
            if period is not None and _DAYS[0] <= period.days[0] < period.days[1] <= _DAYS[1]:
                found.append(period)
    found.sort(key=lambda period: (period.start - period.stop, period.start))
    taken = bytearray(len(text))
    kept = []
    for period in found:
        if not any(taken[period.start : period.stop]):
            taken[period.start : period.stop] = b"\1" * (period.stop - period.start)
            kept.append(period)
    return sorted(kept, key=lambda period: period.start)


def named(
    found: re.Match[str],
    of_year: Callable[[int], Span],
    unit: Unit,
    asked: Asked,
    *,
    year: str | None,
    sure: bool = False,
) -> Period:
    """A period that has a name and comes each year: that of the year given, or the last one begun.

    With `last` it is the last one that is over, with `this` the one that is on, or else this year's.
    """
    start, stop = found.span()
    if year:
        return Period(start, stop, of_year(int(year)), unit)
    which = found.groupdict().get("which") or ""
    again = _yearly(of_year)
    days = again(asked.day)
    if which == "this" and days[1] <= asked.day:
        return Period(start, stop, of_year(asked.day.year), unit, sure)
    if which not in ("", "this") and days[1] > asked.day:
        days = again(days[0] - timedelta(days=1))
    return Period(start, stop, days, unit, sure, again)


def _yearly(of_year: Callable[[int], Span]) -> Recurrence:
    def last_begun(day: date) -> Span:
        for year in range(day.year, day.year - _YEARS_BACK, -1):
            try:
                span = of_year(year)
            except ValueError:  # 29 February
                continue
            if span[0] <= day:
                return span
        raise ValueError("no such day in any year")

    return last_begun
