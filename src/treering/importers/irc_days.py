"""When the lines of an IRC log were written: most have a time of the day alone, and the day stands somewhere else.

It stands in marks of the log ("Day changed"), in what the log says of itself, or in its name; where a clock goes back
past half a day, midnight has come. Some old logs count hours to twelve. A log that no day is known of holds since
always, in its own order. Where a clock was set back, lines keep the time that was reached: the order of a log is true.
"""

import re
from datetime import UTC, date, datetime, time, timedelta

from treering.importers.document_dates import UNDATED
from treering.importers.irc_lines import Line
from treering.importers.local_times import LocalTimes
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError
from treering.importers.prose_dates import month_of, read_day

__all__ = ["Days", "day_in_name", "day_of_mark"]

_IN_NAME = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<mark>[-_./]?)(?P<month>[01]\d)(?P=mark)(?P<day>[0-3]\d)(?!\d)"
)
_MIDNIGHT, _SET_BACK = timedelta(hours=12), timedelta(hours=2)


class Days:
    """The clock of one log, asked line by line in its order.

    Args:
        start: the day of the first line; None if nothing says it.
        local: the zone of times without one.
        is_utc: whether the log says that its times are UTC.
        counts_to_twelve: whether its hours do.
    """

    def __init__(
        self, start: date | None, local: LocalTimes, *, is_utc: bool = False, counts_to_twelve: bool = False
    ) -> None:
        self.day = start or UNDATED.date()
        self.is_undated = False  # whether a line was met of which the day is not known
        self.is_assumed = False  # whether one was met of which the zone is not known
        self._is_dated = start is not None
        self._local = local
        self._is_utc = is_utc
        self._counts_to_twelve = counts_to_twelve
        self._half = -1  # of the day, where hours count to twelve: 0 or 1
        self._before: time | None = None  # the last time of the day
        self._reached = datetime.min.replace(tzinfo=UTC)

    def change(self, day: date) -> None:
        """Take note of a mark that names the day of what follows."""
        self.day = day
        self._is_dated = True
        self._before = None
        self._half = -1

    def moment(self, line: Line) -> Moment:
        """When a line was written; `line` has a clock.

        Raises:
            FieldError: it names a day or a time that does not exist.
        """
        when = self._when(line)
        raw = f"{line.day or when.date().isoformat()} {line.clock}{line.zone}"
        if line.zone or self._is_utc:
            moment = Moment(read_moment(f"{when.isoformat()}{line.zone or 'Z'}").at, raw)
        elif self._is_dated or line.day:
            self.is_assumed = True
            moment = self._local.moment(when, raw)
        else:
            self.is_undated = True
            moment = Moment(when.replace(tzinfo=UTC), f"no day, {line.clock}")
        if timedelta(0) < self._reached - moment.at <= _SET_BACK:
            return Moment(self._reached, moment.raw)
        self._reached = moment.at
        return moment

    def _when(self, line: Line) -> datetime:
        try:
            clock = time.fromisoformat(line.clock)
            if line.day:
                self.day = self._named(line.day)
                return datetime.combine(self.day, clock)
        except ValueError as error:
            raise FieldError(f"no such time: {line.day} {line.clock}") from error
        if self._counts_to_twelve:
            clock = self._of_twelve(clock)
        elif self._before is not None and _between(clock, self._before) > _MIDNIGHT:
            self.day += timedelta(days=1)
        self._before = clock
        return datetime.combine(self.day, clock)

    def _of_twelve(self, clock: time) -> time:
        """The time on a clock of 24 hours; a log that begins at twelve begins at noon."""
        if self._half < 0:
            self._half = 1 if clock.hour == 12 else 0
        full = clock.replace(hour=clock.hour % 12 + 12 * self._half)
        if self._before is not None and _between(full, self._before) > _SET_BACK:
            self._half += 1
            if self._half == 2:
                self._half = 0
                self.day += timedelta(days=1)
            full = clock.replace(hour=clock.hour % 12 + 12 * self._half)
        return full

    def _named(self, written: str) -> date:
        if written[:4].isdecimal():
            return date.fromisoformat(written)
        (number,) = re.findall(r"\d+", written)
        month = month_of(re.sub(r"[\d\s]", "", written))
        if month is None:
            raise ValueError(written)
        year = self.day.year + (month == 1 and self.day.month == 12)  # the year is that of the last mark
        return date(year, month, int(number))


def day_of_mark(text: str) -> date | None:
    """The day that a mark of a log names; None if it names none."""
    if found := _IN_NAME.search(text):
        return _date(found)
    try:
        return read_day(text)
    except FieldError:
        return None


def day_in_name(name: str) -> date | None:
    """The day in a file's name or, with slashes, in its path.

    >>> day_in_name("ops/2024-03-04.log"), day_in_name("2024/03/04-wot-irc.txt"), day_in_name("#ops.log")
    (datetime.date(2024, 3, 4), datetime.date(2024, 3, 4), None)
    """
    days = [day for found in _IN_NAME.finditer(name) if (day := _date(found))]
    return days[-1] if days else None


def _date(found: re.Match[str]) -> date | None:
    try:
        return date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None


def _between(earlier: time, later: time) -> timedelta:
    return datetime.combine(date.min, later) - datetime.combine(date.min, earlier)
