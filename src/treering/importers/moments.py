"""Reading the times that tables and exports give: ISO 8601 and its usual misspellings, mail dates, and epoch numbers.

Every moment is aware and UTC. A date without a time is the end of that day (DESIGN law 2). A time without a zone is
taken as UTC: tables mostly come out of databases that keep UTC, and the source's own string stays beside it. Days and
months in an order that differs between countries ("03/04/2024") are not guessed at.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from email.utils import parsedate_to_datetime

from treering.importers.narrowing import FieldError

__all__ = ["Moment", "read_moment"]

YEAR_MIN, YEAR_MAX = 1900, 2199  # what lies outside is a damaged field, not a date

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"-?\d{9,20}(\.\d+)?")
_ISO_LIKE = re.compile(
    r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)"
    r"(?:(?:\s*[Tt]\s*|\s+)(\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, and the words in which the source gave it."""

    at: datetime  # aware, UTC
    raw: str


def read_moment(value: object, what: str = "the time") -> Moment:
    """Read a time given as text or as a number since 1970 in seconds, milli-, micro- or nanoseconds.

    Raises:
        FieldError: it is neither, or lies outside the years 1900 to 2199.

    >>> read_moment("2024-03-04 10:00:00+02:00").at.isoformat()
    '2024-03-04T08:00:00+00:00'
    >>> read_moment("2024-03-04").at.isoformat(), read_moment(1709546400123).at.isoformat()
    ('2024-03-04T23:59:59.999999+00:00', '2024-03-04T10:00:00.123000+00:00')
    """
    if isinstance(value, str):
        raw = value.strip()
        at = _from_text(raw)
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        too_long = isinstance(value, int) and value.bit_length() > 80  # Python may refuse to print it
        raw = "a number of more than 24 digits" if too_long else str(value)
        at = None if too_long else _from_number(Decimal(raw))
    else:
        raise FieldError(f"{what} is missing" if value is None else f"{what} is neither text nor a number")
    if at is None:
        raise FieldError(f"{what} cannot be read: {raw[:60]!r}" if raw else f"{what} is empty")
    try:
        at = at.astimezone(UTC)
    except OverflowError:
        at = None
    if at is None or not YEAR_MIN <= at.year <= YEAR_MAX:
        raise FieldError(f"{what} lies outside the years {YEAR_MIN} to {YEAR_MAX}: {raw[:60]!r}")
    return Moment(at, raw)


def _from_text(text: str) -> datetime | None:
    if len(text) > 10:  # longer than a date without a time
        try:
            return _aware(datetime.fromisoformat(text))
        except ValueError:
            pass
    else:
        try:
            return _end_of(date.fromisoformat(text))
        except ValueError:
            pass
    if _NUMBER.fullmatch(text):
        return _from_number(Decimal(text))
    match = _ISO_LIKE.fullmatch(text)
    try:
        return _from_parts(*match.groups()) if match else _from_mail(text)
    except ValueError:
        return None


def _from_parts(year: str, month: str, day: str, clock: str | None, zone: str | None) -> datetime:
    when = date(int(year), int(month), int(day))
    if clock is None:
        return _end_of(when)
    zone = "+00:00" if zone is None or zone[0] not in "+-" else zone
    hour, colon, rest = clock.partition(":")
    return datetime.fromisoformat(f"{when.isoformat()}T{hour.zfill(2)}{colon}{rest}{zone}")


def _from_mail(text: str) -> datetime | None:
    if not re.search(r"[A-Za-z]{3}", text):  # a month by its name, or it is not a mail date
        return None
    if ":" not in text:
        return _end_of(parsedate_to_datetime(f"{text} 00:00:00 +0000").date())
    return _aware(parsedate_to_datetime(text))


def _from_number(number: Decimal) -> datetime | None:
    """The unit follows from the size: seconds reach 10^11 in the year 5138."""
    if not number.is_finite() or number <= 0:  # zero stands for "unknown" wherever it is found
        return None
    if 19_000_101 <= number <= 21_991_231:  # 20240304 is a day, not an hour in August 1970
        try:
            return _end_of(date.fromisoformat(str(int(number))))
        except ValueError:
            pass
    for digits in (11, 14, 17, 20):
        if number < Decimal(10) ** digits:
            return _EPOCH + timedelta(microseconds=round(number * Decimal(10) ** (17 - digits)))
    return None


def _aware(when: datetime) -> datetime:
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _end_of(day: date) -> datetime:
    return datetime.combine(day, time.max, UTC)
