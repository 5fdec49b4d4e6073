"""Periods that have a name in the calendar: days, weeks, months, quarters, half-years, seasons, years, New Year."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from treering.text.dates import parse_bound
from treering.text.months import ENGLISH, MONTHS, SEASONS, Span, months_from, week_of
from treering.text.periods import NUMBER_FROM, NUMBER_TO, SPACE, WHICH, YEAR, Asked, Form, Period, Unit, named

__all__ = ["CALENDAR_FORMS"]


def _either(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


_MONTH: Final = (
    rf"(?:{_either(name for name in MONTHS if len(name) > 4)}"
    rf"|(?:{_either(name for name in MONTHS if len(name) < 5)})(?:\.(?={SPACE}[0-9]))?)(?![^\W\d_])"
)
_WORD: Final = r"(?:(?<![\w-])|(?<=mid-))"
_DAY: Final = r"(?:0?[1-9]|[12][0-9]|3[01])"
_TO_DAY: Final = r"\s?(?:[-–]|to|and|until|through)\s?"
_WEEKDAY: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_ON_WEEKDAY: Final = rf"(?:(?<!\w){_WEEKDAY}\.?,?{SPACE}(?:the{SPACE})?)?"
_COMMA: Final = rf"(?:,?{SPACE}|-)(?:(?:of|de|del){SPACE})?"


def _iso(found: re.Match[str], asked: Asked) -> Period:
    start, stop = found.span()
    year, month, day = int(found["year"]), int(found["month"] or found["m"]), found["day"] or found["d"]
    first = date(year, month, int(day or 1))
    if not day:
        return Period(start, stop, months_from(year, month), Unit.MONTH)
    if found["time"]:
        first = parse_bound(found[0], asked.zone).astimezone(asked.zone).date()
    return Period(start, stop, _days(first), Unit.DAY)


def _iso_week(found: re.Match[str], asked: Asked) -> Period:
    return Period(*found.span(), week_of(date.fromisocalendar(int(found["year"]), int(found["week"]), 1)))


def _dotted(found: re.Match[str], asked: Asked) -> Period:
    return Period(*found.span(), _days(date(int(found["year"]), int(found["month"]), int(found["day"]))), Unit.DAY)


def _day_of_month(found: re.Match[str], asked: Asked) -> Period | None:
    """`4 March 2024`, `March 4th`, `3-5 March`; a count before or after a verb ("Node 16 may fail") is none."""
    name, year, groups = found["month"].rstrip("."), found["year"], found.groupdict()
    month, day = MONTHS[name], int(found["day"])
    if not year:
        if (name in ("march", "may") or len(name) < 4) and not _titled(found, "month", asked):  # "may 5 users", DEC 10
            return None
        if groups.get("stop"):  # "Node 16. May we ..."
            return None
        if groups.get("in") is not None and not groups["nth"]:  # "in March 20 people joined"
            return None
    since, until = int(groups.get("since") or day), int(groups.get("until") or day)
    unit = Unit.DAY if since == until else Unit.OTHER

    def of_year(year: int) -> Span:
        return date(year, month, since), _days(date(year, month, until))[1]

    return named(found, of_year, unit, asked, year=year, sure=True)


def _month(found: re.Match[str], asked: Asked) -> Period | None:
    name, year = found["month"].rstrip("."), found["year"]
    if not year and name not in ENGLISH:
        return None
    if name == "mars" and _titled(found, "month", asked):  # the planet, and the rovers of 2020
        return None
    month = MONTHS[name]
    return named(found, lambda year: months_from(year, month), Unit.MONTH, asked, year=year)


def _quarter(found: re.Match[str], asked: Asked) -> Period | None:
    year, quarter = found["year"] or found["y"], int(found["quarter"])
    if not year and "q" in asked.text[found.start() : found.end()]:
        return None
    return named(found, lambda year: months_from(year, 3 * quarter - 2, 3), Unit.OTHER, asked, year=year, sure=True)


def _half(found: re.Match[str], asked: Asked) -> Period:
    year, half = int(found["year"] or found["y"]), int(found["half"] or found["h"])
    return Period(*found.span(), months_from(year, 6 * half - 5, 6))


def _season(found: re.Match[str], asked: Asked) -> Period | None:
    if not found["year"] and not found["which"]:
        return None
    month = SEASONS[found["season"]]
    return named(found, lambda year: months_from(year, month, 3), Unit.OTHER, asked, year=found["year"], sure=True)


def _year(found: re.Match[str], asked: Asked) -> Period:
    first = int(found["year"])
    last = int(found["until"] or first)
    return Period(*found.span(), (date(first, 1, 1), date(last + 1, 1, 1)), Unit.YEAR, sure=False)


def _new_year(found: re.Match[str], asked: Asked) -> Period:
    """The first of January; of an Eve the day before, counted to the year that it ends."""
    eve = (found["what"] or "").strip() == "eve"

    def of_year(year: int) -> Span:
        return _days(date(year, 12, 31) if eve else date(year, 1, 1))

    return named(found, of_year, Unit.DAY, asked, year=found["year"], sure=bool(found["which"] or found["what"]))


def _titled(found: re.Match[str], group: str, asked: Asked) -> bool:
    """Whether a word is written with a capital, and with no second one."""
    return asked.text[slice(*found.span(group))].istitle()


def _days(first: date) -> Span:
    return first, first + timedelta(days=1)


_FORMS: Final = (
    (
        rf"(?<![\w.#@/+-])(?P<year>{YEAR})(?:-(?P<month>[0-9]{{2}})(?:-(?P<day>[0-9]{{2}})"
        r"(?P<time>[t ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:z|[+-][0-9]{2}:?[0-9]{2})?)?)?"
        r"|/(?P<m>[0-9]{2})/(?P<d>[0-9]{2}))(?![\w/-]|[.:]\w)",
        _iso,
    ),
    (rf"(?<![\w.#@/+-])(?P<year>{YEAR})-?w(?P<week>[0-9]{{2}})(?![\w-])", _iso_week),
    (rf"{NUMBER_FROM}(?P<day>{_DAY})\.\s?(?P<month>{_DAY})\.\s?(?P<year>{YEAR}){NUMBER_TO}", _dotted),
    (
        rf"{_ON_WEEKDAY}{NUMBER_FROM}(?:(?P<since>{_DAY})(?:st|nd|rd|th)?{_TO_DAY})?"
        rf"(?P<day>{_DAY})(?:st|nd|rd|th|(?P<stop>\.))?(?:{SPACE}|-)(?:(?:of|de){SPACE})?(?P<month>{_MONTH})"
        rf"(?:{_COMMA}(?P<year>{YEAR}){NUMBER_TO})?",
        _day_of_month,
    ),
    (
        rf"{_ON_WEEKDAY}{_WORD}(?P<in>(?<=in\s))?(?P<month>{_MONTH}){SPACE}(?:the{SPACE})?(?P<day>{_DAY})"
        rf"(?:(?P<nth>st|nd|rd|th)|\s?[-–]\s?(?P<until>{_DAY}))?(?:,?{SPACE}(?P<year>{YEAR}))?{NUMBER_TO}",
        _day_of_month,
    ),
    (rf"{_WORD}{WHICH}(?P<month>{_MONTH})(?:{_COMMA}(?P<year>{YEAR}){NUMBER_TO})?", _month),
    (
        rf"(?<![\w-])(?:(?P<year>{YEAR})[\s-]?)?q(?P<quarter>[1-4])"
        rf"(?:(?:[\s/-]|,?{SPACE}(?:of{SPACE})?)?(?P<y>{YEAR}){NUMBER_TO})?(?!\w|:|\s?(?:['’][0-9]|fy))",
        _quarter,
    ),
    (
        rf"(?<![\w-])(?:(?P<year>{YEAR})[\s-]?h(?P<half>[12])"
        rf"|h(?P<h>[12])(?:[\s/-]|,?{SPACE}(?:of{SPACE})?)?(?P<y>{YEAR}){NUMBER_TO})(?!\w)",
        _half,
    ),
    (
        rf"(?<![\w-]){WHICH}(?P<season>{'|'.join(SEASONS)})(?!\w)"
        rf"(?:{SPACE}(?:of{SPACE})?(?P<year>{YEAR})(?:[/–-][0-9]{{2,4}})?{NUMBER_TO})?",
        _season,
    ),
    (rf"(?:{NUMBER_FROM}|(?<=mid-))(?P<year>{YEAR})(?:\s?[-–]\s?(?P<until>{YEAR}))?{NUMBER_TO}", _year),
    (
        rf"(?<![\w-]){WHICH}new{SPACE}year(?:['’]?s)?(?P<what>{SPACE}(?:eve|day))?(?!\w)"
        rf"(?:,?{SPACE}(?P<year>{YEAR}){NUMBER_TO})?",
        _new_year,
    ),
)
CALENDAR_FORMS: Final[tuple[Form, ...]] = tuple((re.compile(form), read) for form, read in _FORMS)
