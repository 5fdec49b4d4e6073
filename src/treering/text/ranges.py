"""The date phrases of a question: "since March 2024", "between A and B", "last 3 months", as ranges of instants.

Read in the zone of who asks, so that a day has the 23, 24 or 25 hours that its clocks show. A phrase says when, and
nothing is decided here about what it does to a search. No general parser: one took 119 ms and read "may I" as a month.
Not read: a day and month in figures alone (4/3), days without a month ("the 4th"), times of day, what lies ahead.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from treering.text.calendar_periods import CALENDAR_FORMS
from treering.text.date_words import counts, is_date_here, leading
from treering.text.months import Span, edge_of, part_of, week_of
from treering.text.periods import SPACE, Asked, Period, Unit, found_by
from treering.text.relative_periods import COUNT, RELATIVE_FORMS, count_of

__all__ = ["DatePhrase", "covers", "date_phrases"]


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """A part of a question that says when: half-open in the text, and half-open in time."""

    text: str  # verbatim
    start: int
    stop: int
    first: datetime | None  # aware, UTC; None: from ever on
    last: datetime | None  # aware, UTC, the first instant that is out; None: without end


_FORMS: Final = (*CALENDAR_FORMS, *RELATIVE_FORMS)
_PLACES: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0}
_PART: Final = re.compile(
    rf"(?<![\w-])(?:(?P<early>early|(?P<start>(?:start|beginning){SPACE}of))|(?P<mid>mid|(?:the{SPACE})?middle{SPACE}of)"
    rf"|(?P<late>late|(?P<end>end{SPACE}of))|(?P<place>{'|'.join(_PLACES)}){SPACE}(?P<of>half|quarter){SPACE}of"
    rf"|(?P<edge>first|last){SPACE}(?:(?P<count>{COUNT}){SPACE})?(?P<unit>day|week|month)s?{SPACE}of"
    rf"|(?P<week>week{SPACE}(?:of|beginning|starting)(?:{SPACE}on)?))(?:{SPACE}|-)(?:the{SPACE})?(?:year{SPACE})?\Z",
    re.IGNORECASE,
)
_JOIN: Final = re.compile(
    rf"\s{{0,3}}(?:(?P<both>and|&)|to|until|till|thru|through|up{SPACE}to|[-–—]|\.\.\.?|…)\s{{0,3}}"
    rf"(?:(?:in|on){SPACE})?(?:the{SPACE})?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    rf"{SPACE}(?:(?P<since>onwards?|(?:and|or){SPACE}(?:later|newer))|(?P<until>(?:and|or){SPACE}(?:earlier|older))"
    r"|(?P<on>on)(?=\s{0,3}(?:[?.,;:!)]|\Z)))(?!\w)",
    re.IGNORECASE,
)
_PART_CHARS: Final = 40  # characters before a period in which its part is looked for
_JOIN_CHARS: Final = 24  # and between two that make a range
_WEEK: Final = timedelta(days=6)
_YEAR: Final = timedelta(days=364)  # from a day on, what comes once a year has come once in it
_OPEN: Final = {"since", "before", "after", "until"}


def date_phrases(text: str, asked_at: datetime, zone: tzinfo) -> tuple[DatePhrase, ...]:
    """The date phrases of a text in order, none inside another, each as long as it can be.

    A name that comes again ("March", "Q2", "on Monday") is the last one begun by the day of asking. "Since", "after"
    leave the end open, "before", "until", "by", "as of" the beginning; the last three include what they name.

    Raises:
        ValueError: `asked_at` has no zone.

    >>> asked_at = datetime(2024, 6, 12, 9, tzinfo=UTC)
    >>> [phrase] = date_phrases("May I ask what changed since March?", asked_at, UTC)
    >>> phrase.text, str(phrase.first), phrase.last
    ('since March', '2024-03-01 00:00:00+00:00', None)
    """
    if asked_at.tzinfo is None:
        raise ValueError(f"the time of asking needs a zone, and has none: {asked_at.isoformat()}")
    phrases = []
    for start, stop, first, last in _read(text, Asked(text, asked_at.astimezone(zone).date(), zone)):
        begins = None if first is None else _midnight(first, zone)
        ends = None if last is None else _midnight(last, zone)
        if begins is None or ends is None or begins < ends:  # a zone may have left out a whole day
            phrases.append(DatePhrase(text[start:stop], start, stop, begins, ends))
    return tuple(phrases)


def covers(phrase: DatePhrase, moment: datetime) -> bool:
    """Whether a moment, aware, lies in the range of a phrase."""
    return (phrase.first is None or phrase.first <= moment) and (phrase.last is None or moment < phrase.last)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def _read(text: str, asked: Asked) -> Iterator[tuple[int, int, date | None, date | None]]:
    """Start, stop and days of each phrase."""
    found: list[Period] = []
    for period in found_by(_FORMS, asked):
        found.append(_part(text, period, found[-1].stop if found else 0))
    floor = at = 0
    dated: Period | None = None
    while at < len(found):
        period = found[at]
        at += 1
        if at < len(found) and (joined := _joined(text, floor, period, found[at])):
            dated, floor = found[at], joined[1]
            at += 1
            yield joined
            continue
        lead = leading(text, floor, period)
        if not is_date_here(text, period, lead, dated):
            continue
        dated = period
        start, stop, relation = period.start, period.stop, lead.relation if lead else ""
        if lead and relation in _OPEN:
            start = lead.start
        elif tail := _TAIL.match(text, stop):
            if not tail["on"]:
                relation, stop = tail.lastgroup or "", tail.end()
            elif lead and lead.word == "from":
                relation, start, stop = "since", lead.start, tail.end()
        floor = stop
        yield (start, stop, *_days(relation, period))


def _days(relation: str, period: Period) -> tuple[date | None, date | None]:
    first, last = period.days
    if relation == "since":
        return first, None
    if relation == "after":
        return first if period.edge < 0 else last, None
    if relation == "before":
        return None, last if period.edge > 0 else first
    if relation == "until":
        return None, last
    return first, last


def _part(text: str, period: Period, floor: int) -> Period:
    """The period, or the part of it that the words before tell: early, the end of, the first half of, the week of."""
    found = _PART.search(text, max(floor, period.start - _PART_CHARS), period.start)
    if found is None:
        return period

    def taken(days: Span) -> Span | None:
        if found["week"]:
            return week_of(days[0]) if period.unit is Unit.DAY else None
        if found["edge"]:
            count = count_of(found["count"] or "one")
            return edge_of(days, count, found["unit"].casefold(), at_end=found["edge"].casefold() == "last")
        if found["of"]:
            of = 2 if found["of"].casefold() == "half" else 4
            return part_of(days, _PLACES[found["place"].casefold()] or of, of)
        return part_of(days, 1 if found["early"] else 2 if found["mid"] else 3, of=3)

    days, again = taken(period.days), period.again
    if days is None:
        return period
    edge = -1 if found["start"] else 1 if found["end"] else 0
    return replace(
        period,
        start=found.start(),
        days=days,
        again=again and (lambda day: taken(again(day)) or again(day)),
        parted=True,
        edge=edge,
    )


def _joined(text: str, floor: int, earlier: Period, later: Period) -> tuple[int, int, date, date] | None:
    """Two periods as one range, where the words between and before them say so."""
    if later.start - earlier.stop > _JOIN_CHARS:
        return None
    join = _JOIN.fullmatch(text, earlier.stop, later.start)
    lead = leading(text, floor, earlier)
    if join is None or (join["both"] and (lead is None or lead.word != "between")):
        return None
    framed = lead is not None and lead.word in ("between", "from")
    alike = earlier.unit is later.unit
    dated = framed or (later.sure and alike)  # March to May 2024
    if not dated and not ((later.sure or alike) and is_date_here(text, earlier, lead, None)):
        return None
    if later.unit is Unit.YEAR and counts(text, later.stop):
        return None
    since, until = earlier.days, later.days
    if earlier.again:
        since = earlier.again(until[0])
    elif later.again:
        until = later.again(since[0] + (_WEEK if later.unit is Unit.WEEKDAY else _YEAR))
    start = lead.start if lead and framed else earlier.start
    return start, later.stop, min(since[0], until[0]), max(since[1], until[1])
