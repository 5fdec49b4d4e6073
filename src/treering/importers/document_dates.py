"""The date of a document: as a table or its metadata gives it, or in the words in which people date what they write.

Days are read in the orders that cannot be mistaken: 2024-03-04, 4 March 2021, March 4th, 2021, 13-Jun-2000. A day alone
means its end, a time without a zone is UTC. Which of several dates is the document's is decided in `document_head`.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from treering.errors import BadDate
from treering.importers.moments import YEAR_MAX, YEAR_MIN, Moment, read_moment
from treering.importers.narrowing import FieldError
from treering.text.dates import parse_bound

__all__ = ["UNDATED", "date_in_name", "dates_in", "document_moment", "stated_moment"]

# A document that bears no date cannot be shut out by one: it holds since before all others, and comes last among them.
UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)

_MONTHS: Final = (
    *("Jan(?:uary)?", "Feb(?:ruary)?", "Mar(?:ch)?", "Apr(?:il)?", "May", "June?"),
    *("July?", "Aug(?:ust)?", "Sept?(?:ember)?", "Oct(?:ober)?", "Nov(?:ember)?", "Dec(?:ember)?"),
)
_MONTH: Final = "|".join(_MONTHS)
_CLOCK: Final = (
    r"(?:(?:T|,?[ \t]+(?:at[ \t]+)?)(?P<clock>\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)"
    r"(?:[ \t]*(?P<half>[ap])\.?m\b\.?)?(?:[ \t]*(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?)?"
)
_DATE: Final = re.compile(
    rf"(?<![\w/.-])(?:(?P<y1>\d{{4}})(?P<mark>[-/])(?P<m1>\d\d?)(?P=mark)(?P<d1>\d\d?)"
    rf"|(?P<d2>\d\d?)(?:st|nd|rd|th)?(?:[ \t]+of)?[ \t-](?P<m2>{_MONTH})\.?,?[ \t-](?P<y2>\d{{4}})"
    rf"|(?P<m3>{_MONTH})\.?[ \t](?P<d3>\d\d?)(?:st|nd|rd|th)?,?[ \t](?P<y3>\d{{4}})){_CLOCK}(?![\w-]|/\d)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<mark>[-_.]?)(?P<m>[01]\d)(?P=mark)(?P<d>[0-3]\d)(?!\d)")
_HYPHENS: Final = str.maketrans("\u2010\u2011\u2212", "---")  # what editors make of a hyphen


def document_moment(value: object, what: str) -> Moment | None:
    """The date of a version as a field of its own; a day, a month ("2025-12") or a year means its end. None: no value.

    Raises:
        FieldError: there is a value, and it cannot be read.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, int) and YEAR_MIN <= value <= YEAR_MAX:
        value = str(value)
    if isinstance(value, str):
        try:
            bound = parse_bound(value)
        except BadDate:
            pass
        else:
            if YEAR_MIN <= bound.year <= YEAR_MAX:
                return Moment(bound, value.strip())
    return read_moment(value, what)


def stated_moment(value: str) -> Moment | None:
    """The date in a value that somebody wrote for people: it may stand alone, or among words.

    >>> stated_moment("13-Jun-2000").at.isoformat(), stated_moment("2022-05-01 (mid-morning)").raw, stated_moment("TBD")
    ('2000-06-13T23:59:59.999999+00:00', '2022-05-01', None)
    """
    try:
        return document_moment(value.translate(_HYPHENS), "the date")
    except FieldError:
        return next(dates_in(value), None)


def dates_in(text: str) -> Iterator[Moment]:
    """The dates in a text, in order, each with the words it is written in.

    >>> [moment.raw for moment in dates_in("Dated 5 March 2021; INC-2021-05-22-001 of May 22, 2021 09:15 is no date")]
    ['5 March 2021', 'May 22, 2021 09:15']
    """
    for found in _DATE.finditer(text.translate(_HYPHENS)):
        try:
            yield Moment(read_moment(_iso(found)).at, text[found.start() : found.end()])
        except FieldError:
            continue


def date_in_name(name: str) -> Moment | None:
    """The day in a file's name or in the folders above it.

    >>> date_in_name("minutes/2024-03-04-board.md").at.isoformat()
    '2024-03-04T23:59:59.999999+00:00'
    """
    for found in _NAMED.finditer(name.rpartition("/")[2]):
        try:
            return Moment(read_moment(f"{found['y']}-{found['m']}-{found['d']}").at, found[0])
        except FieldError:
            continue
    return None


def _iso(found: re.Match[str]) -> str:
    parts = found.groupdict()
    year, day = (parts[f"{name}1"] or parts[f"{name}2"] or parts[f"{name}3"] for name in "yd")
    named = parts["m2"] or parts["m3"]
    month = _month(named) if named else int(parts["m1"])
    written = f"{year}-{month:02}-{int(day):02}"
    if parts["clock"]:
        hour, colon, rest = parts["clock"].partition(":")
        if parts["half"]:
            hour = str(int(hour) % 12 + (12 if parts["half"].lower() == "p" else 0))
        zone = parts["zone"] or ""
        written += f" {hour}{colon}{rest}{zone if zone[:1] in '+-' else ''}"
    return written


def _month(name: str) -> int:
    return next(number for number, spelled in enumerate(_MONTHS, 1) if re.fullmatch(spelled, name, re.IGNORECASE))
