"""Times as users of the library give them: text or datetime, in the zone of who asks."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from treering.errors import UsageError
from treering.text.dates import parse_bound
from treering.text.ranges import DatePhrase

__all__ = ["When", "moment", "phrase_shown", "zone_named"]

When = str | datetime | None


def moment(when: When, zone: tzinfo = UTC) -> datetime | None:
    """The instant that is meant, aware, UTC; of a date alone the end of that day in the zone.

    Raises:
        BadDate: the text does not read as a date.
        UsageError: a datetime without a zone.
    """
    if when is None or isinstance(when, str):
        return None if when is None else parse_bound(when, zone)
    if when.tzinfo is None:
        raise UsageError(f"a bound needs a time zone; got {when.isoformat()}, as in datetime(..., tzinfo=UTC)")
    return when.astimezone(UTC)


def zone_named(name: str) -> tzinfo:
    """The time zone of that name.

    Raises:
        UsageError: there is none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"no time zone is called {name!r}; give one as Europe/Berlin or America/New_York") from error


def phrase_shown(phrase: DatePhrase) -> str:
    """A date phrase of a question and the range it was read as."""
    first = f"from {phrase.first.isoformat()}" if phrase.first else ""
    last = f"before {phrase.last.isoformat()}" if phrase.last else ""
    return f"{phrase.text!r}: {' '.join(filter(None, (first, last)))}"
