"""Dates as programs write them for people: "04/Mar/24 10:00 AM", "4. März 2024 10:00", "3/4/24", "2024-03-04 10:00".

Months are read by their names in the languages in which programs abbreviate them; where they are numbers, one order
holds for the whole file, and is asked for where the file does not tell it. A time without an offset is of the zone that
the operator names. Dates of databases and mails, which need none of this, are read in `moments`.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Final

from treering.errors import UsageError
from treering.importers.local_times import LocalTimes
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError

__all__ = ["WrittenDates", "order_of"]

ORDERS: Final = ("dmy", "mdy", "ymd")

# How names of months begin, by language, without accents; enough letters to be told apart from the other months.
_MONTHS: Final = (
    "jan gen ene sty led янв 1月",
    "feb fev lut uno фев 2月",
    "mar mrz maa bre мар 3月",
    "apr avr abr kwi dub апр 4月",
    "may mai mag mei maj kve май мая 5月",
    "jun juin giu cze cer июн 6月",
    "jul juil lug lip cvc июл 7月",
    "aug aou ago sie srp авг 8月",
    "sep set wrz zar сен 9月",
    "oct okt out ott paz rij окт 10月",
    "nov lis нов 11月",
    "dec dez dic des gru pro дек 12月",
)
_MONTH_OF: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_AFTER_NOON: Final = frozenset({"pm", "p.m.", "午後", "下午", "오후", "nachm.", "μμ", "μ.μ."})
_BEFORE_NOON: Final = frozenset({"am", "a.m.", "午前", "上午", "오전", "vorm.", "πμ", "π.μ."})
_HALF: Final = "|".join(re.escape(half) for half in sorted(_AFTER_NOON | _BEFORE_NOON))
_CLOCK: Final = (
    r"(?:[\s,T]+(?:at\s+)?(?P<h>\d{1,2})[:.](?P<min>\d\d)(?:[:.](?P<s>\d\d))?"
    rf"(?:\s*(?P<half>(?i:{_HALF})))?)?"
)
_NAMED: Final = re.compile(rf"(?P<d>\d{{1,2}})\.?[/\s.-]+(?P<m>[^\W\d_]+)\.?,?[/\s.-]+(?P<y>\d{{2}}|\d{{4}}){_CLOCK}")
_NAMED_FIRST: Final = re.compile(rf"(?P<m>[^\W\d_]+)\.?\s+(?P<d>\d{{1,2}}),?\s+(?P<y>\d{{4}}){_CLOCK}")
_NUMBERS: Final = re.compile(rf"(?P<a>\d{{1,4}})[/.-](?P<b>\d{{1,2}})[/.-](?P<c>\d{{1,4}}){_CLOCK}")


class WrittenDates:
    """The dates of one file.

    Args:
        zone: the zone of times without an offset, as the operator names it; None: UTC is assumed, as each date says.
        order: "dmy", "mdy" or "ymd" for dates of numbers alone; None where the file has none.

    Raises:
        UsageError: there is no such zone or order.
    """

    def __init__(self, zone: str | None = None, order: str | None = None) -> None:
        if order not in (None, *ORDERS):
            raise UsageError(f"no order of dates is called {order!r}; there are {', '.join(ORDERS)}")
        self.times = LocalTimes(zone)
        self._order = order

    def read(self, written: str, what: str) -> Moment:
        """The moment of a date; a day without a time is its end.

        Raises:
            FieldError: it is none, or of no day that there is.

        >>> WrittenDates().read("04/Mar/24 1:30 PM", "Created").at.isoformat()
        '2024-03-04T13:30:00+00:00'
        """
        raw = written.strip()
        try:
            local = _named(raw) or self._numbered(raw) or _iso(raw)
        except ValueError:
            raise FieldError(f"{what} is no day or time that there is: {raw[:60]!r}") from None
        return self.times.moment(local, raw) if local else read_moment(raw, what)

    def _numbered(self, raw: str) -> datetime | None:
        found = _NUMBERS.fullmatch(raw)
        order = "ymd" if found and len(found["a"]) == 4 else self._order
        if found is None or order is None:
            return None
        parts = dict(zip(order, (found["a"], found["b"], found["c"]), strict=True))
        return _local(int(parts["y"]), int(parts["m"]), int(parts["d"]), found)


def order_of(written: Iterable[str], stated: str | None, where: str) -> str | None:
    """The order of day and month in a file's dates; None where few of them, or none, consist of numbers alone.

    Args:
        written: the dates of the file, in any order; read until one decides.
        stated: the operator's word, which counts where the dates leave it open.
        where: the file, to be named.

    Raises:
        UsageError: every date reads both ways, and the operator has not said which is meant.
    """
    possible = set(ORDERS)
    example, numbers, others = "", 0, 0
    for raw in written:
        found = _NUMBERS.fullmatch(raw.strip())
        if found is None or len(found["a"]) == 4:  # a year in front leaves no doubt
            others += 1
            continue
        numbers += 1
        example = example or raw.strip()
        fitting = {order for order in possible if _fits(order, (found["a"], found["b"], found["c"]))}
        possible = fitting or possible
        if len(possible) == 1:
            break
    if numbers <= others and len(possible) > 1:  # a stray one is damage, and nothing to ask about
        return stated
    if len(possible) == 1:
        return next(iter(possible))
    if stated in possible:
        return stated
    raise UsageError(
        f"{where}: the dates, such as {example!r}, read with the day or the month first. "
        f"Say which with --date-order dmy or --date-order mdy."
    )


def _fits(order: str, parts: tuple[str, str, str]) -> bool:
    named = dict(zip(order, parts, strict=True))
    sizes = len(named["d"]) <= 2 and len(named["m"]) <= 2 and len(named["y"]) in (2, 4)
    return sizes and 1 <= int(named["m"]) <= 12 and 1 <= int(named["d"]) <= 31


def _named(raw: str) -> datetime | None:
    found = _NAMED.fullmatch(raw) or _NAMED_FIRST.fullmatch(raw)
    month = _month(found["m"]) if found else None
    return _local(int(found["y"]), month, int(found["d"]), found) if found and month else None


def _iso(raw: str) -> datetime | None:
    """A time of ISO 8601 without an offset."""
    try:
        found = datetime.fromisoformat(raw) if len(raw) > len("2024-03-04") else None
    except ValueError:
        return None
    return found if found and found.tzinfo is None else None


def _month(name: str) -> int | None:
    folded = "".join(mark for mark in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(mark))
    return next((_MONTH_OF[folded[:length]] for length in (4, 3) if folded[:length] in _MONTH_OF), None)


def _local(year: int, month: int, day: int, found: re.Match[str]) -> datetime:
    """The time on the wall.

    Raises:
        ValueError: there is no such day or time.
    """
    when = date(year + 2000 if year < 100 else year, month, day)
    if found["h"] is None:
        return datetime.combine(when, time.max)
    hour, half = int(found["h"]), (found["half"] or "").casefold()
    if half:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if half in _AFTER_NOON else 0)
    return datetime.combine(when, time(hour, int(found["min"]), int(found["s"] or 0)))
