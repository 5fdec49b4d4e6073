"""What the words around a year, a month or a weekday say: "in 2019" is a date, "2019 users" and "this may be" are not.

English. In doubt a name is no date: a phrase that was missed costs a boost, one that was never there misleads.
"""

import re
from dataclasses import dataclass
from typing import Final

from treering.text.english import STOP_WORDS
from treering.text.months import CERTAIN
from treering.text.periods import SPACE, Period, Unit

__all__ = ["Lead", "counts", "is_date_here", "leading"]


@dataclass(frozen=True, slots=True)
class Lead:
    """The word or words just before a period."""

    start: int
    relation: str  # since, before, after, until; "again" of what comes or recurs; "plain" of all others
    word: str  # the first one, in lower case


_LEAD: Final = re.compile(
    rf"(?<![\w-])(?:(?P<since>(?:ever{SPACE})?since|starting|not{SPACE}before)"
    rf"|(?P<before>before|prior{SPACE}to|(?:earlier|older){SPACE}than)|(?P<after>after|(?:later|newer){SPACE}than)"
    rf"|(?P<until>(?:up{SPACE})?until|till|through|by|as{SPACE}(?:of|at)|(?:no|not){SPACE}later{SPACE}than|not{SPACE}after)"
    rf"|(?P<again>next|every|each|coming|upcoming|following)"
    rf"|(?P<plain>in|on|at|during|throughout|within|for|from|between|of|over|around|about|year|the))"
    rf"(?::\s?|{SPACE})(?:(?:in|on|at|about|around){SPACE})?(?:the{SPACE})?(?:year{SPACE})?\Z",
    re.IGNORECASE,
)
_LEAD_CHARS: Final = 40
_YEARS_AFTER: Final = frozenset(("in", "during", "throughout", "within", "for", "from", "between", "year"))
_MONTHS_AFTER: Final = frozenset(("in", "during", "throughout", "within"))
_DAYS_AFTER: Final = {Unit.WEEKDAY: frozenset(("on", "from")), Unit.DAY: frozenset(("at", "on", "over", "about"))}
_AND: Final = re.compile(r"\s{0,3}(?:,|and|or|&|vs\.?|versus)\s{0,3}(?:in\s{1,3})?", re.IGNORECASE)
_GREW: Final = re.compile(r"(?:increas|grow|grew|ris|rose|fell|fall|drop|reduc|cut|rais|lower|up|down)\w{0,4}\s{1,3}\Z")

_NEXT_NUMBER: Final = re.compile(r"\s{0,3}(?:to|and|or|[-–])\s{0,3}[0-9][0-9.,]{0,12}")
_NEXT_WORD: Final = re.compile(r"\s{1,3}([^\W\d_][\w'’]{0,30})")
_UNITS: Final = frozenset(("people", "percent", "kb", "mb", "gb", "tb", "ms", "km", "kg", "hz", "usd", "eur", "ram"))
_GOING_ON: Final = "already also always because but compared onwards perhaps plus still thus until versus vs whereas"
_FUNCTION_WORDS: Final = STOP_WORDS | frozenset(_GOING_ON.split())
_COUNTED_WORDS_MAX: Final = 3

_MAY: Final = re.compile(
    r"\s{1,3}(?:be|have|not|also|only|never|still|well|need|help|cause|include|contain|require|change|fail)\b",
    re.IGNORECASE,
)
_MAY_I: Final = re.compile(r"\s{1,3}(?:i|we|you|he|she|it|they|there|this|that|these|the|a|an|one)\b", re.IGNORECASE)
_MARCH_ON: Final = re.compile(r"\s{1,3}(?:on|of|to|from|through|into|towards?|against|past|for)\b", re.IGNORECASE)
_POSSESSIVE: Final = re.compile("['’]s")
_ENDS: Final = re.compile(r"\s{0,3}(?:[?.,;:!)]|\Z)")
_LOWER_WORD: Final = re.compile(r"(?<!\w)[a-z]\w{0,30}\s{1,3}\Z")


def leading(text: str, floor: int, period: Period) -> Lead | None:
    """The preposition, conjunction or article before a period, looked for from a place in the text on."""
    found = _LEAD.search(text, max(floor, period.start - _LEAD_CHARS), period.start)
    return found and Lead(found.start(), found.lastgroup or "", found[found.lastgroup or 0].split()[0].casefold())


def is_date_here(text: str, period: Period, lead: Lead | None, dated: Period | None) -> bool:
    """Whether a period is meant as a date, given the words before it and the date phrase before it, if any."""
    if period.again and lead and lead.relation == "again":  # what is to come, or comes again and again
        return False
    if period.sure:
        return True
    if period.unit is Unit.YEAR:
        return not counts(text, period.stop) and _is_year(text, period, lead, dated)
    if period.unit is Unit.MONTH:
        return _is_month(text, period, lead)
    return lead is not None and (lead.relation != "plain" or lead.word in _DAYS_AFTER[period.unit])


def _is_year(text: str, period: Period, lead: Lead | None, dated: Period | None) -> bool:
    if period.parted:
        return True
    if lead is None:  # "in 2019 and 2021"
        return bool(dated and dated.unit is Unit.YEAR and _AND.fullmatch(text, dated.stop, period.start))
    if lead.word == "by" and _GREW.search(text, max(0, lead.start - _LEAD_CHARS), lead.start):
        return False
    return lead.relation != "plain" or lead.word in _YEARS_AFTER


def _is_month(text: str, period: Period, lead: Lead | None) -> bool:
    *which, written = text[period.start : period.stop].rstrip(".").split()
    name = written.casefold()
    if name in CERTAIN:
        return True
    titled, is_verb = written.istitle(), name in ("may", "march")
    if _POSSESSIVE.match(text, period.stop) and not is_verb:  # April's mail, Jan's laptop
        return False
    if len(name) < 5 and name not in ("may", "june") and not titled:
        return False
    if period.parted or (lead and lead.word in _MONTHS_AFTER):
        return True
    if which and not titled:
        return bool(_ENDS.match(text, period.stop))
    if not titled or (name == "may" and _MAY.match(text, period.stop)):
        return False
    if which or (lead and lead.relation != "plain"):
        return True
    if (name == "march" and _MARCH_ON.match(text, period.stop)) or (name == "may" and _MAY_I.match(text, period.stop)):
        return False
    if lead:
        return is_verb or lead.word in ("the", "of", "between")
    return is_verb and bool(_LOWER_WORD.search(text, max(0, period.start - _LEAD_CHARS), period.start))


def counts(text: str, stop: int) -> bool:
    """Whether a number is followed by what it counts: a plural or a unit, at most some words on."""
    if further := _NEXT_NUMBER.match(text, stop):  # 2000 to 2048 tokens
        stop = further.end()
    for _ in range(_COUNTED_WORDS_MAX):
        found = _NEXT_WORD.match(text, stop)
        if found is None:
            return False
        word, stop = found[1], found.end()
        if word.casefold() in _UNITS:
            return True
        if word in _FUNCTION_WORDS or not word.islower():
            return False
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return True
    return False
