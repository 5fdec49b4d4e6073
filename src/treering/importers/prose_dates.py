"""Dates written out for people, in the languages in which programs write them: "Monday, March 4, 2024 at 10:00 AM UTC".

The year has four digits, the month is a name or, in East Asia, a number that says that it is one; the day of the week
is not looked at. Days and months as bare numbers are not guessed at, and other calendars are not read.
"""

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import cache

from treering.importers.local_times import LocalTimes
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError

__all__ = ["month_of", "read_day", "read_prose"]

CHARS_MAX = 200  # of a date

# January first, as each language inflects a name within a date. Croatian is left out: its "listopad" is October.
_NAMES = """
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
januari februari maart april mei juni juli augustus september oktober november december
januari februari mars april maj juni juli augusti september oktober november desember
januar februar marts april maj juni juli august setiembre oktober november december
tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta \
syyskuuta lokakuuta marraskuuta joulukuuta
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
ledna února března dubna května června července srpna září října listopadu prosince
januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra
január február március április május június július augusztus szeptember október november december
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
januari februari maret april mei juni juli agustus september oktober november desember
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
януари февруари март април май юни юли август септември октомври ноември декември
ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
jan feb mar apr may jun jul aug sep oct nov dec
janv févr mrt avr mai juin juil août sept okt nov dez
ene fev mär abr maj giu lug ago set out nov dic
gen feb mar abr mag jun jul ago sept ott nov des
"""

_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")
_CLOCK = re.compile(
    r"(?P<before>[午上下][前後午]|오전|오후)?\s*(?<!\d)(?P<hour>\d{1,2})(?:[:.]|\s*[시時时]\s*)(?P<minute>\d{1,2})"
    r"(?:(?:[:.]|\s*[분分]\s*)(?P<second>\d{1,2})\s*[초秒]?)?(?:[분分])?(?!\d)\s*(?P<half>[ap]\.?\s?m\b\.?|[πμ]\.μ\.)?",
    re.IGNORECASE,
)
_ZONE = re.compile(r"\b(?:UTC|GMT)\b\s*(?:(?P<sign>[+−-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?)?")
_OFFSET = re.compile(r"(?<=[\s\d])(?P<sign>[+−-])(?P<hours>\d{2}):?(?P<minutes>\d{2})\b|(?<=\d)Z\b")
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_NUMBERED_MONTH = re.compile(
    r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]|(\d{1,2}) tháng (\d{1,2}),? (\d{4})"
)


def read_prose(text: str, local: LocalTimes) -> Moment:
    """The moment that a date with a time means; without UTC, GMT or an offset it is a local time.

    Raises:
        FieldError: it does not read.

    >>> read_prose("2015. február 15., vasárnap 21:54:36 UTC", LocalTimes(None)).at.isoformat()
    '2015-02-15T21:54:36+00:00'
    """
    _refuse_long(text)
    zone = _ZONE.search(text) or _OFFSET.search(text)
    rest = text[: zone.start()] + " " + text[zone.end() :] if zone else text
    clock = next((found for found in _CLOCK.finditer(rest) if not _is_day(found)), None)
    if clock is None:
        raise FieldError(f"a date without a time: {text[:60]!r}")
    try:
        when = datetime.combine(_day(rest[: clock.start()] + " " + rest[clock.end() :], text), _time(clock))
        when = when.replace(tzinfo=_offset(zone)) if zone else when
    except ValueError as error:
        raise FieldError(f"the date cannot be read: {text[:60]!r}") from error
    return Moment(read_moment(when.isoformat()).at, text) if zone else local.moment(when, text)


def read_day(text: str) -> date:
    """The day that a date means; a time beside it is passed over.

    Raises:
        FieldError: it does not read.

    >>> read_day("Mon Mar 04 10:00:00 2024"), read_day("4 marca 2024")
    (datetime.date(2024, 3, 4), datetime.date(2024, 3, 4))
    """
    _refuse_long(text)
    clock = next((found for found in _CLOCK.finditer(text) if not _is_day(found)), None)
    return _day(text[: clock.start()] + " " + text[clock.end() :] if clock else text, text)


def month_of(name: str) -> int | None:
    """The number of a month from its name in any of the languages, whole or cut as programs cut it.

    >>> month_of("Mär"), month_of("listopada"), month_of("Monday")
    (3, 11, None)
    """
    return _months().get(_folded(name))


def _refuse_long(text: str) -> None:
    if len(text) > CHARS_MAX:
        raise FieldError(f"a date of {len(text):,} characters")


@cache
def _months() -> dict[str, int]:
    lines = [line.split() for line in _NAMES.strip().splitlines()]
    return {_folded(word): month for words in lines for month, word in enumerate(words, start=1)}


def _folded(name: str) -> str:
    """The name without case and accents."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().replace("ı", "i"))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _day(text: str, whole: str) -> date:
    problem = FieldError(f"the date cannot be read: {whole[:60]!r}")
    try:
        if numbered := _NUMBERED_MONTH.search(text):
            year, month, day = (
                filter(None, numbered.groups()) if numbered[1] else (numbered[6], numbered[5], numbered[4])
            )
            return date(int(year), int(month), int(day))
        year_found = _YEAR.search(text)
        months = [month for word in _WORD.findall(text) if (month := month_of(word))]
        if year_found is None or not months:
            raise problem
        days = _NUMBER.findall(text[: year_found.start()] + " " + text[year_found.end() :])
        if len(days) != 1:
            raise problem
        return date(int(year_found[0]), months[-1], int(days[0]))  # "mar" before a month is a Tuesday in Spanish
    except ValueError as error:
        raise problem from error


def _is_day(clock: re.Match[str]) -> bool:
    """Whether what looks like a time with dots is a day and a month: "4.3.2024"."""
    return clock["second"] is None and "." in clock[0] and ":" not in clock[0]


def _time(clock: re.Match[str]) -> time:
    hour = int(clock["hour"])
    half = clock["half"] or ""
    if half or clock["before"]:
        is_afternoon = half[:1].lower() in ("p", "μ") or clock["before"] in ("午後", "下午", "오후")
        hour = hour % 12 + (12 if is_afternoon else 0)
    return time(hour, int(clock["minute"]), int(clock["second"] or 0))


def _offset(zone: re.Match[str]) -> timezone:
    if not zone["sign"]:
        return UTC
    ahead = timedelta(hours=int(zone["hours"]), minutes=int(zone["minutes"] or 0))
    return timezone(ahead if zone["sign"] == "+" else -ahead)
