"""Periods told from the day of asking: yesterday, on Monday, last week, the past 3 months, two weeks ago."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from treering.text.months import Span, months_from, moved, week_of
from treering.text.periods import NUMBER_FROM, SPACE, WHICH, Asked, Form, Period, Unit

__all__ = ["COUNT", "RELATIVE_FORMS", "count_of"]

_NUMBERS: Final = "one two three four five six seven eight nine ten eleven twelve"
COUNT: Final = rf"[0-9]{{1,3}}|{'|'.join(_NUMBERS.split())}|(?:a{SPACE})?couple{SPACE}of|(?:a{SPACE})?few"
_COUNTS: Final = {word: number for number, word in enumerate(_NUMBERS.split(), start=1)} | {"a": 1, "an": 1}
_FEW: Final = 3
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}  # in one of each unit
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LASTING: Final = re.compile(rf"(?<!\w)(?:in|over|during|within|for|throughout){SPACE}\Z", re.IGNORECASE)


def count_of(written: str) -> int:
    """The number that a figure or word of `COUNT` stands for; a few are taken for three."""
    word = written.casefold()
    if word.isdecimal():
        return int(word)
    return _COUNTS.get(word) or (2 if "couple" in word else _FEW)


def _last(found: re.Match[str], asked: Asked) -> Period | None:
    """Without a number the calendar's last one, with a number up to and with today; "over the last year" counts one."""
    unit, count = found["unit"], found["count"]
    if not count:
        if found["plural"] or unit in ("hour", "day"):
            return None
        lasting = found["the"] and _LASTING.search(found.string, max(0, found.start() - 12), found.start())
        if not lasting and found["which"] != "past":
            return Period(*found.span(), _one(unit, asked.day, 1), _unit(unit))
    first = _back(asked.day, unit, count_of(count or "one"))
    return Period(*found.span(), (first, asked.day + timedelta(days=1)))


def _this(found: re.Match[str], asked: Asked) -> Period:
    unit = found["unit"]
    return Period(*found.span(), _one(unit, asked.day, 0), _unit(unit))


def _ago(found: re.Match[str], asked: Asked) -> Period:
    """The day, or the whole week, month or year of the calendar that lies so far back."""
    unit = found["unit"]
    return Period(*found.span(), _one(unit, asked.day, count_of(found["count"])), _unit(unit))


def _day(found: re.Match[str], asked: Asked) -> Period:
    word = found["word"]
    back = 2 if "before" in word else 1 if word == "yesterday" or "last" in word else 0
    first = asked.day - timedelta(days=back)
    return Period(*found.span(), (first, first + timedelta(days=2 if "last" in word else 1)), Unit.DAY)


def _weekday(found: re.Match[str], asked: Asked) -> Period | None:
    """The last one before the day of asking, or that of the week that is named."""
    name = found["name"]
    if len(name) < 6 and not asked.text[slice(*found.span("name"))].istitle():  # "on mon", but "on Mon"
        return None
    place = next(place for place, day in enumerate(_WEEKDAYS) if day.startswith(name[:3]))
    week, which = found["week"], found["which"]

    def again(day: date) -> Span:
        first = day - timedelta(days=(day.weekday() - place) % 7)
        return first, first + timedelta(days=1)

    if week or which == "this":
        monday = week_of(asked.day)[0] - timedelta(days=7 if week in ("last", "previous") else 0)
        first = monday + timedelta(days=place)
        return Period(*found.span(), (first, first + timedelta(days=1)), Unit.DAY)
    return Period(*found.span(), again(asked.day - timedelta(days=1)), Unit.WEEKDAY, bool(which), again)


def _one(unit: str, day: date, back: int) -> Span:
    """The day, or the week, month, quarter or year of the calendar, so many before that of a day."""
    first = _back(day, unit, back)
    if unit == "day":
        return first, first + timedelta(days=1)
    if unit == "week":
        return week_of(first)
    months = _MONTHS[unit]
    return months_from(first.year, (first.month - 1) // months * months + 1, months)


def _back(day: date, unit: str, count: int) -> date:
    if unit in _MONTHS:
        return moved(day, -count * _MONTHS[unit])
    if unit == "hour":
        return day - timedelta(days=-(-count // 24))
    return day - timedelta(days=count * (7 if unit == "week" else 1))


def _unit(unit: str) -> Unit:
    return Unit(unit) if unit in ("day", "month", "year") else Unit.OTHER


_FORMS: Final[tuple[tuple[str, Callable[[re.Match[str], Asked], Period | None]], ...]] = (
    (
        rf"(?<![\w-])(?P<the>the{SPACE})?(?P<which>last|past|previous|preceding){SPACE}(?:(?P<count>{COUNT}){SPACE})?"
        rf"(?P<unit>hour|day|week|month|quarter|year)(?P<plural>s)?(?![\w-])(?!{SPACE}of(?!\w))",
        _last,
    ),
    (rf"(?<![\w-])(?:this|(?:the{SPACE})?current){SPACE}(?P<unit>week|month|quarter|year)(?![\w-])", _this),
    (rf"{NUMBER_FROM}(?P<count>{COUNT}|an?){SPACE}(?P<unit>day|week|month|quarter|year)s?{SPACE}ago(?!\w)", _ago),
    (
        rf"(?<![\w-])(?P<word>(?:the{SPACE})?day{SPACE}before{SPACE}yesterday|yesterday|today|tonight|last{SPACE}night"
        rf"|this{SPACE}(?:morning|afternoon|evening))(?![\w-])",
        _day,
    ),
    (
        rf"(?<![\w-]){WHICH}(?P<name>mon|tues?|wed|thu(?:rs?)?|fri|{'|'.join(_WEEKDAYS)})(?![\w-])"
        rf"(?:{SPACE}(?:of{SPACE})?(?P<week>last|previous|this){SPACE}week(?!\w))?",
        _weekday,
    ),
)
RELATIVE_FORMS: Final[tuple[Form, ...]] = tuple((re.compile(form), read) for form, read in _FORMS)
