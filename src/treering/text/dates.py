"""Dates as bounds: what a person writes for "until then", as an instant. Dates inside questions are read elsewhere."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final

from treering.errors import BadDate

__all__ = ["parse_bound"]

_BOUND: Final = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})"
    r"(?:[T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r" ?(?P<offset>Z|[+-][0-9]{2}:?[0-9]{2})?)?)?)?",
    re.IGNORECASE,
)
_ACCEPTED: Final = "give 2025, 2025-12, 2025-12-02, 2025-12-02T10:30 or 2025-12-02T10:30:00+01:00"


def parse_bound(text: str, zone: tzinfo = UTC) -> datetime:
    """The last instant that a date or time means, aware, UTC.

    A year, a month or a day means its last microsecond in the zone; a time without offset is a time in the zone, and
    the later one where the clock showed it twice.

    Raises:
        BadDate: none of the accepted forms, or no such day.

    >>> parse_bound("2025-12-02").isoformat(), parse_bound("2025-12-02 10:30+01:00").isoformat()
    ('2025-12-02T23:59:59.999999+00:00', '2025-12-02T09:30:00+00:00')
    """
    found = _BOUND.fullmatch(text.strip())
    if found is None:
        raise BadDate(f"{text!r} is not a date; {_ACCEPTED}")
    try:
        return _moment(found, zone) if found["hour"] else _end(found, zone)
    except (ValueError, OverflowError) as error:
        raise BadDate(f"{text!r} is no day or time that exists ({error}); {_ACCEPTED}") from error


def _moment(found: re.Match[str], zone: tzinfo) -> datetime:
    microseconds = (found["fraction"] or "")[:6].ljust(6, "0")
    parts = (found[name] or "0" for name in ("year", "month", "day", "hour", "minute", "second"))
    year, month, day, hour, minute, second = map(int, parts)
    where = _offset(found["offset"]) if found["offset"] else zone
    return datetime(year, month, day, hour, minute, second, int(microseconds), where, fold=1).astimezone(UTC)


def _offset(written: str) -> timezone:
    if written in "Zz":
        return UTC
    hours, minutes = int(written[1:3]), int(written[-2:])
    if minutes > 59:
        raise ValueError(f"an hour has no minute {minutes}")
    return timezone(timedelta(hours=hours, minutes=minutes) * (-1 if written[0] == "-" else 1))


def _end(found: re.Match[str], zone: tzinfo) -> datetime:
    # From the start of what follows, because a zone may skip or repeat the last hour of a day.
    year, month, day = int(found["year"]), int(found["month"] or 1), int(found["day"] or 1)
    first = datetime(year, month, day, tzinfo=zone)
    if found["day"]:
        following = first + timedelta(days=1)
    elif found["month"]:
        following = first.replace(year=year + month // 12, month=month % 12 + 1)
    else:
        following = first.replace(year=year + 1)
    return following.astimezone(UTC) - timedelta(microseconds=1)
