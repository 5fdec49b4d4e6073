"""The calendar by months: their names, the seasons and quarters made of them, and the parts of a period.

Days only; what a question means by a name, and in which zone, is decided in `periods` and `ranges`.
"""

from datetime import date, timedelta
from typing import Final

__all__ = ["CERTAIN", "ENGLISH", "MONTHS", "SEASONS", "Span", "edge_of", "months_from", "moved", "part_of", "week_of"]

Span = tuple[date, date]
"""A half-open stretch of days: from the first up to, and not including, the second."""

_ENGLISH: Final = "january february march april may june july august september october november december"
_SHORT: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_LISTS: Final = (
    _ENGLISH,
    _SHORT,
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
MONTHS: Final = {name: number for names in _LISTS for number, name in enumerate(names.split(), start=1)} | {"sept": 9}
"""Month names in lower case, English with short forms, German, French, Spanish, and their numbers."""

ENGLISH: Final = frozenset((*_ENGLISH.split(), *_SHORT.split(), "sept"))
"""The names that may stand for a month without a day or a year beside them."""

CERTAIN: Final = frozenset(("january", "february", "july", "september", "october", "november", "december"))
"""Those that mean nothing else. The others are people, verbs and short for other things too."""

SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month in which a season begins, in the north; a winter is that of the year in which it begins."""


def moved(day: date, months: int) -> date:
    """The same day some months later or, below 0, earlier; the last of the month where there is no such day.

    >>> moved(date(2024, 1, 31), 1), moved(date(2024, 1, 31), -2)
    (datetime.date(2024, 2, 29), datetime.date(2023, 11, 30))
    """
    first = _month(day.year, day.month + months)
    length = (_month(first.year, first.month + 1) - first).days
    return first.replace(day=min(day.day, length))


def months_from(year: int, month: int, count: int = 1) -> Span:
    """So many whole months from a month on."""
    return _month(year, month), _month(year, month + count)


def week_of(day: date) -> Span:
    """The week, from Monday, that a day lies in."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=7)


def part_of(span: Span, place: int, of: int) -> Span | None:
    """One of several equal parts of a period, counted from 1; None of what has no such parts.

    Whole months where they can be had, else days of a month, the last part taking what is left over.

    >>> part_of(months_from(2019, 1, 12), 3, of=3)
    (datetime.date(2019, 9, 1), datetime.date(2020, 1, 1))
    >>> part_of(months_from(2024, 2), 2, of=2)
    (datetime.date(2024, 2, 16), datetime.date(2024, 3, 1))
    """
    first, last = span
    months = (last.year - first.year) * 12 + last.month - first.month
    if first.day != 1 or last.day != 1 or not 1 <= place <= of:
        return None
    if months % of == 0:
        return months_from(first.year, first.month + (place - 1) * (months // of), months // of)
    if months != 1:
        return None
    length = 30 // of
    start = first + timedelta(days=(place - 1) * length)
    return start, last if place == of else start + timedelta(days=length)


def edge_of(span: Span, count: int, unit: str, *, at_end: bool) -> Span | None:
    """The first or last days, weeks or months of a longer period; None where it is not longer."""
    first, last = span
    if unit == "month":
        inner = moved(last, -count) if at_end else moved(first, count)
    else:
        days = timedelta(days=count * (7 if unit == "week" else 1))
        inner = last - days if at_end else first + days
    if not first < inner < last:
        return None
    return (inner, last) if at_end else (first, inner)


def _month(year: int, month: int) -> date:
    """The first of a month, counted on from January of a year: the 13th is the next January."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
