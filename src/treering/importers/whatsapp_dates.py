"""Which lines of a chat begin messages, and which number in their dates is the day: decided once for a whole file.

The order is told by a number above 12, by dates that would otherwise run backwards, or by a way of writing that knows
but one order. Where nothing tells, it is asked for. Follows FORMATS section 9.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from treering.errors import UsageError
from treering.importers.whatsapp_lines import Header, Shape, header_of

__all__ = ["ORDERS", "AmbiguousOrder", "Plan", "Survey"]

ORDERS: Final = ("dmy", "mdy", "ymd")
DIP_MIN: Final = timedelta(days=1)  # clocks of phones differ by less
DIP_LINES_MAX: Final = 20  # longer stretches of earlier dates are no excerpt but the chat itself

_DAY_FIRST = frozenset("صمسלאπμ")  # first letters of halves of the day in languages that write the day first
_YEAR_FIRST = frozenset("上下凌早午晚中오")


@dataclass(frozen=True, slots=True)
class Plan:
    """How the lines of a file are to be read."""

    shape: Shape
    order: str
    begins: bytes  # of each line of the shape, whether it begins a message
    authors: frozenset[str]  # what stands before ": "

    def local_time(self, header: Header) -> datetime | None:
        """The time of a first line; None if there is no such day."""
        return _local(header.numbers, self.order, header.hour, header.minute, header.second)


@dataclass(slots=True)
class _Seen:
    """The lines of one shape."""

    numbers: "array[int]" = field(default_factory=lambda: array("H"))  # six a line: a, b, c, hour, minute, second
    authors: set[str] = field(default_factory=set)
    half: str = ""
    native_digits: bool = False

    def times(self, order: str) -> Iterator[datetime | None]:
        """The times of the lines, if the date is written in this order."""
        at = iter(self.numbers)
        for a, b, c, hour, minute, second in zip(at, at, at, at, at, at, strict=True):
            yield _local((a, b, c), order, hour, minute, second)


class Survey:
    """A first reading of a file."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._seen: dict[Shape, _Seen] = {}
        for line in lines:
            header = header_of(line)
            if header is None:
                continue
            seen = self._seen.setdefault(header.shape, _Seen())
            seen.numbers.extend((*header.numbers, header.hour, header.minute, header.second))
            seen.half = seen.half or header.half
            seen.native_digits = seen.native_digits or header.native_digits
            author, colon, _ = header.rest.partition(": ")
            if colon and len(author) < 100:
                seen.authors.add(author)

    def plan(self, stated: str | None) -> Plan | None:
        """How to read the file; None if no line begins a message.

        Args:
            stated: the order to take where the file does not tell.

        Raises:
            AmbiguousOrder: the file does not tell, and nothing is stated.
        """
        if not self._seen:
            return None
        shape, seen = max(self._seen.items(), key=lambda item: len(item[1].numbers))
        order = _order(shape, seen) or stated
        if order is None:
            raise AmbiguousOrder("day and month cannot be told apart")
        return Plan(shape, order, _beginnings(list(seen.times(order))), frozenset(seen.authors))


class AmbiguousOrder(UsageError):
    """Day and month cannot be told apart, and the operator has not said which comes first."""


def _order(shape: Shape, seen: _Seen) -> str | None:
    """The order that the dates themselves tell; None if they do not."""
    letter = seen.half[:1]
    if shape.year_first or letter in _YEAR_FIRST:
        return "ymd"
    first, second = seen.numbers[0::6], seen.numbers[1::6]
    days_first, days_second = sum(a > 12 for a in first), sum(b > 12 for b in second)
    if sum(a > 31 for a in first) * 2 > len(first):
        return "ymd"
    if days_first != days_second:
        return "dmy" if days_first > days_second else "mdy"
    dips = {order: _dips(seen.times(order)) for order in ("dmy", "mdy")}
    if min(dips.values()) == 0 < max(dips.values()):
        return min(dips, key=dips.__getitem__)
    # No country writes the month first with full stops, or in digits of its own.
    return "dmy" if seen.native_digits or letter in _DAY_FIRST or shape.separators == ".." else None


def _dips(times: Iterable[datetime | None]) -> int:
    """How often a day comes before the one above it."""
    days = [time.date() for time in times if time is not None]
    return sum(day < before for before, day in pairwise(days))


def _beginnings(times: list[datetime | None]) -> bytes:
    """Which of the lines begin messages: not those whose day does not exist, nor excerpts from earlier in a message.

    Lines much earlier than the one above are an excerpt if the dates soon go on where they were.
    """
    begins = bytearray(time is not None for time in times)
    before: datetime | None = None
    for place, time in enumerate(times):
        if time is None:
            continue
        if before is not None and time < before - DIP_MIN:
            ahead = (later for later in times[place + 1 : place + 1 + DIP_LINES_MAX] if later is not None)
            if any(before <= later for later in ahead):
                begins[place] = False
                continue
        before = time
    return bytes(begins)


def _local(numbers: tuple[int, int, int], order: str, hour: int, minute: int, second: int) -> datetime | None:
    day, month, year = (numbers[order.index(letter)] for letter in "dmy")
    try:
        return datetime(year + 2000 if year < 100 else year, month, day, hour, minute, second)  # noqa: DTZ001
    except ValueError:
        return None
