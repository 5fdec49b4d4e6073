"""When a mail was written: its Date field, and what else tells of the time where that field is missing or absurd.

In this order: Date, the topmost Received that reads, other stamps of delivery, the envelope line of an mbox. A mail
that none of them dates holds since before all others, like a document without a date; it is never dated now. A time
without a zone, or with the zone -0000, is UTC. Which of them was taken, `raw` says. Follows FORMATS section 13.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

from treering.importers.document_dates import UNDATED
from treering.importers.mail_headers import Headers
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError

__all__ = ["mail_moment", "read_mail_date"]

YEAR_MIN, YEAR_MAX = 1970, 2199
AHEAD_MAX = timedelta(days=1)  # a mail dated later than that after its arrival has a false date

_STAMPS = ("delivery-date", "x-originalarrivaltime", "x-received", "resent-date")
_ENVELOPE_DATE = re.compile(r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*|\d{1,2} [A-Z][a-z]{2} \d{4}.*)$")
_DASHED = re.compile(r"\b(\d{1,2})-([A-Za-z]{3})-(\d{2,4})\b")
_FRACTION = re.compile(r"(:\d\d)[.,]\d+")
_CLOCK = re.compile(r"\d[:.]\d\d\b")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MONTHS = {
    "jan": ("januar", "janv", "jänner", "ene", "enero", "gen", "gennaio", "gener", "январь", "янв"),
    "feb": ("fév", "févr", "febr", "fev", "февр"),
    "mar": ("mär", "märz", "mrz", "mars", "mrt", "maart", "marzo", "март", "мар"),
    "apr": ("avr", "avril", "abr", "abril", "апр"),
    "may": ("mai", "maj", "mei", "mayo", "mag", "maggio", "мая"),
    "jun": ("juin", "juni", "junio", "giu", "июн"),
    "jul": ("juil", "juli", "julio", "lug", "июл"),
    "aug": ("août", "aoû", "ago", "agosto", "авг"),
    "sep": ("sept", "set", "сен"),
    "oct": ("okt", "oktober", "octobre", "out", "ott", "окт"),
    "nov": ("novembre", "ноя"),
    "dec": ("dez", "dezember", "déc", "dic", "diciembre", "des", "дек"),
}
_ENGLISH = {foreign: month for month, names in _MONTHS.items() for foreign in names}


def mail_moment(headers: Headers, envelope: str = "") -> Moment:
    """The time of a mail.

    Args:
        headers: its header.
        envelope: what follows `From ` in the line before it, in an mbox.
    """
    written = next(headers.texts("date"), "")
    stated = read_mail_date(written)
    received = next(_received(headers), None)
    if stated and not (received and stated > received.at + AHEAD_MAX):
        return Moment(stated, written)
    if received:
        return received
    for name in _STAMPS:
        text = headers.text(name)
        at = read_mail_date(text.rpartition(";")[2])
        if at:
            return Moment(at, f"{name}: {text.rpartition(';')[2].strip()}")
    match = _ENVELOPE_DATE.search(envelope)
    at = read_mail_date(match[0]) if match else None
    if match and at:
        return Moment(at, f"envelope: {match[0]}")
    return Moment(UNDATED, f"no date that reads: {written[:60]}" if written else "no date")


def read_mail_date(text: str) -> datetime | None:
    """The time that a Date field gives; None if it gives none between the years 1970 and 2199.

    >>> read_mail_date("Di, 17 Mai 2005 12:31:00 +0200").isoformat()
    '2005-05-17T10:31:00+00:00'
    >>> read_mail_date("Wed, 14 Jun 100 05:41:34 -0700").year, read_mail_date("Thu, 32 Dec 2020 25:61:00 +0000")
    (2000, None)
    """
    text = " ".join(text.split())[:200]
    if not _CLOCK.search(text) or re.match(r"\d{4}-\d", text):
        return _day_or_iso(text)
    text = _WORD.sub(lambda word: _ENGLISH.get(word[0].casefold(), word[0]), _DASHED.sub(r"\1 \2 \3", text))
    text = _FRACTION.sub(r"\1", text)
    try:
        parts = parsedate_tz(text) or parsedate_tz(re.sub(r"^[^\d,]{1,12}[,.]? (?=\d)", "", text))
    except (ValueError, IndexError, TypeError):
        parts = None
    if parts is None:
        return None
    year, month, day, hour, minute, second = parts[:6]
    if 100 <= year < 200:  # programs that print years since 1900
        year += 1900
    try:
        zone = timezone(timedelta(seconds=parts[9] or 0))  # None where the zone is not known, or is -0000
        at = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at if YEAR_MIN <= at.year <= YEAR_MAX else None


def _day_or_iso(text: str) -> datetime | None:
    try:
        at = read_moment(text).at
    except (FieldError, TypeError, IndexError):
        return None
    return at if at.year >= YEAR_MIN else None


def _received(headers: Headers) -> Iterator[Moment]:
    """The times of arrival, the last first."""
    for text in headers.texts("received"):
        stamp = text.rpartition(";")[2].strip()
        at = read_mail_date(stamp)
        if at is None:  # in the nineties there was not always a semicolon
            tail = re.search(r"\d{1,2} [A-Za-z]{3} \d{2,4} \d{1,2}:\d\d.*", text)
            stamp = tail[0] if tail else ""
            at = read_mail_date(stamp)
        if at:
            yield Moment(at, f"received: {stamp}")
