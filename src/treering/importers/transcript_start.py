"""When a meeting began: cues count from its beginning, and the beginning stands somewhere else, if at all.

The head of the file may say it, or the file's name: `GMT20240304-100000` of Zoom, `Standup-20240304_100512`
of Teams, `Standup (2024-03-04 10:00 GMT+1)` of Meet. A day alone means its end: nothing was said later. Where nothing
says it, it was before the file was changed; and where that is not known either, it holds since always, as documents
without a date do.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from treering.importers.document_dates import UNDATED
from treering.importers.local_times import LocalTimes
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError
from treering.importers.prose_dates import read_day

__all__ = ["Start", "start_in", "start_unknown"]

_DAY = r"(?<!\d)(?P<year>(?:19|20)\d\d)[-_./]?(?P<month>[01]\d)[-_./]?(?P<day>[0-3]\d)"
_CLOCK = r"(?P<hour>[0-2]\d)[-_.:h]?(?P<minute>[0-5]\d)(?:[-_.:m]?(?P<second>[0-5]\d)(?:\.\d+)?)?"
_ZONE = r"(?:\s*(?P<utc>UTC|GMT|Z)?\s*(?P<offset>[+-]\d{1,2}(?::?\d\d)?(?!\d))?)"
_ZOOM = re.compile(r"GMT(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)-(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)")
_TIMED = re.compile(rf"{_DAY}(?:T|[ _-]+(?:at[ _])?){_CLOCK}(?!\d){_ZONE}")
_DATED = re.compile(rf"{_DAY}(?!\d)")
_LABELLED = re.compile(r"(?:date|start|record|meeting|creat|held|when)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a meeting, or the latest time at which it can have been held."""

    at: datetime
    raw: str
    is_exact: bool  # whether the times of cues count from it
    is_stated: bool = True  # whether the file or its name says it


def start_in(head: str, name: str, local: LocalTimes) -> Start | None:
    """The beginning as the head of a file or, failing that, its name states it."""
    zoom = _ZOOM.search(name)
    if zoom and (start := _exact(zoom, local, is_utc=True)):
        return start
    for text in (head, name):
        for found in _TIMED.finditer(text):
            if start := _exact(found, local):
                return start
    lines = [line for line in head.split("\n") if _LABELLED.search(line)]
    for text in (*lines, name):
        for found in _DATED.finditer(text):
            if start := _end_of_day(f"{found['year']}-{found['month']}-{found['day']}", found[0], local):
                return start
    for line in head.split("\n")[:10]:
        if len(line) < 60 and (start := _in_words(line, local)):
            return start
    return None


def start_unknown(changed_at: datetime | None) -> Start:
    """What stands for a beginning that nothing says."""
    if changed_at is None:
        return Start(UNDATED, "no date", is_exact=False, is_stated=False)
    return Start(changed_at, f"file modified {changed_at.isoformat()}", is_exact=False, is_stated=False)


def _exact(found: re.Match[str], local: LocalTimes, *, is_utc: bool = False) -> Start | None:
    parts = found.groupdict()
    written = (
        f"{parts['year']}-{parts['month']}-{parts['day']}T{parts['hour']}:{parts['minute']}:{parts['second'] or '00'}"
    )
    offset = parts.get("offset") or ("+00:00" if is_utc or parts.get("utc") else "")
    try:
        when = datetime.fromisoformat(written)
        if offset:
            utc = when.replace(tzinfo=UTC) - _ahead(offset)
            moment = Moment(read_moment(utc.isoformat()).at, found[0].strip())
        else:
            moment = local.moment(when, found[0].strip())
    except (ValueError, OverflowError):  # FieldError is a ValueError
        return None
    return Start(moment.at, moment.raw, is_exact=True)


def _ahead(offset: str) -> timedelta:
    """How far a zone is ahead of UTC: "+1", "-08:00"."""
    digits = offset[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
    return timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if offset[0] == "-" else 1)


def _end_of_day(day: str, raw: str, local: LocalTimes) -> Start | None:
    try:
        moment = local.moment(datetime.combine(datetime.fromisoformat(day), time.max), raw)
    except ValueError:
        return None
    return Start(moment.at, moment.raw, is_exact=False)


def _in_words(line: str, local: LocalTimes) -> Start | None:
    try:
        return _end_of_day(read_day(line).isoformat(), line.strip(), local)
    except FieldError:
        return None
