"""What of a text can contradict another: its numbers, dates, names, denials, and the side it takes of an opposition.

Numbers, dates and names are found in any language, denials and oppositions in English. What is left of the words tells
whether two texts speak of the same at all. No model: "green" and "blue" are just two words here.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from treering.text.analysis import analyze
from treering.text.english import STOP_WORDS, contracted, stem
from treering.text.identifiers import identifiers
from treering.text.ranges import date_phrases

__all__ = ["Facets", "facets_of"]


@dataclass(frozen=True, slots=True)
class Facets:
    """The parts of a text that matter when it is held against another."""

    words: Counter[str]  # what the text is about: terms of the words that are left, and the oppositions it speaks of
    dates: Counter[str]  # `first..last`, fit for comparing as strings
    numbers: Counter[str]
    versions: Counter[str]
    signs: Counter[str]  # of currencies and comparisons
    names: Counter[str]  # in lower case; of people, bodies, products
    sides: dict[str, str]  # one side of an opposition (`must 0`, `must 1`): a word that takes it
    things: Counter[str]  # identifiers of what is spoken of
    denials: int
    spelled: frozenset[str]  # every word, in lower case
    order: tuple[str, ...]  # numbers and names as they come
    shape: tuple[str, ...]  # the whole text in order, with a blank for each number and name


_ASKED: Final = datetime(2000, 1, 1, tzinfo=UTC)  # any day: "yesterday" is the same day in two texts that are compared
_TOKEN: Final = re.compile(
    r"(?P<number>(?<![A-Za-z0-9_.,#/-])[0-9]+(?:[.,:][0-9]+)*[A-Za-z]{0,3}(?![A-Za-z0-9_/]))|(?P<sign>[$€£¥<>≤≥])"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
)
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_OPENS: Final = re.compile(r"(?:\A|[.!?:;\n…。！？])[\s\"'“”‘’()*_>#•–-]*\Z")
_OPENS_CHARS: Final = 12
_VERSION: Final = re.compile(r"v[0-9]")

_SMALL: Final = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_SMALL.split())} | {
    word: str(10 * number) for number, word in enumerate(_TENS.split(), start=2)
}
_DENYING: Final = frozenset(("not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody", "nothing"))
_OPPOSITIONS: Final = """
    must shall require mandatory compulsory obligatory | may can could should optional voluntary recommend
    allow permit authorize authorise | forbid forbidden prohibit ban bar
    increase raise grow grew rise rose | decrease reduce lower cut fell
    approve accept adopt | reject decline deny refuse
    enable activate | disable deactivate
    open reopen | close
    start begin began | stop end
    before | after
    minimum least | maximum most
    more | less fewer
    include | exclude
    add | remove
    public | private confidential
    internal | external
    above over exceed | below under
    pass | fail
    early earlier | late later
    daily | weekly | monthly | quarterly | yearly annually annual
    true | false
    buy bought | sell sold
    remote | onsite
    won win | lost lose
    keep kept retain | delete discard
    join | leave left
"""
_SIDES: Final = {  # by stem
    stem(word): f"{line.split()[0]} {place}"
    for line in _OPPOSITIONS.strip().splitlines()
    for place, side in enumerate(line.split("|"))
    for word in side.split()
}
_DOING: Final = """
    is was has had will owns owned leads led runs ran chairs chaired approves approved decides decided signs signed
    reviews reviewed joins joined leaves left writes wrote agrees agreed wants wanted said says asked asks takes took
    reports manages managed heads headed maintains maintained became and or must may should can does did votes voted
    proposes proposed opens opened closes closed rejects rejected works worked handles handled
"""
_DOES: Final = frozenset(_DOING.split())  # after the first word of a sentence: that word is somebody's name


def facets_of(text: str) -> Facets:
    """Take a text apart.

    >>> parts = facets_of("Ana must not keep the 1,000 logs (ABC-12) that Ben had on 4 March 2024.")
    >>> [*parts.numbers, *parts.names, *parts.sides, *parts.things], parts.denials
    (['1000', 'ana', 'abc', 'ben', 'must 0', 'keep 0', 'ABC-12'], 1)
    """
    phrases = date_phrases(text, _ASKED, UTC)
    edges = [0, *(edge for phrase in phrases for edge in (phrase.start, phrase.stop)), len(text)]
    undated = " ".join(text[start:stop] for start, stop in zip(edges[::2], edges[1::2], strict=True))
    named = Counter(identifiers(undated))
    found: dict[str, list[str]] = {kind: [] for kind in ("words", "numbers", "signs", "names")}
    sides: dict[str, str] = {}
    denials = 0
    spelled: set[str] = set()
    order: list[str] = []
    shape: list[str] = []
    for kind, item in _parts(undated):
        if kind == "denials":
            denials += 1
            continue
        if kind == "spelled":
            spelled.add(item)
            continue
        if kind == "sides":
            sides.setdefault(_SIDES[stem(item)], item)
            continue
        found[kind].append(item)
        blank = kind in ("numbers", "names")
        if blank:
            order.append(item)
        shape.append(kind if blank else item)
    return Facets(
        **{kind: Counter(items) for kind, items in found.items()},
        dates=Counter(f"{_day(phrase.first, '')}..{_day(phrase.last, '~')}" for phrase in phrases),
        versions=Counter({name: count for name, count in named.items() if _VERSION.match(name)}),
        things=Counter({name: count for name, count in named.items() if not _VERSION.match(name)}),
        sides=sides,
        denials=denials,
        spelled=frozenset(spelled),
        order=tuple(order),
        shape=tuple(shape),
    )


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Kind and item of every part, in order."""
    tokens = list(_TOKEN.finditer(text))
    for place, token in enumerate(tokens):
        written = token[0]
        if token.lastgroup == "number":
            yield "numbers", _plain(written)
            continue
        if token.lastgroup == "sign":
            yield "signs", written
            continue
        word = written.casefold().replace("’", "'")
        yield "spelled", contracted(word) or word
        if word in _DENYING or word.endswith("n't"):
            yield "denials", word
        elif word in _NUMBERS:
            yield "numbers", _NUMBERS[word]
        elif side := _SIDES.get(stem(word)):
            yield "sides", word
            yield "words", f"~{side.split()[0]}"
        elif written[0].isupper() and word not in STOP_WORDS and _is_name(text, tokens, place):
            yield "names", contracted(word) or word
        else:
            for term in analyze(written):
                if term not in STOP_WORDS:
                    yield "words", term


def _is_name(text: str, tokens: list[re.Match[str]], place: int) -> bool:
    """Whether a capital letter is more than that of a sentence's first word."""
    start = tokens[place].start()
    if not _OPENS.search(text, max(0, start - _OPENS_CHARS), start):
        return True
    if place + 1 == len(tokens):
        return False
    following = tokens[place + 1]
    return following[0] in _DOES or (following[0][0].isupper() and following.start() == tokens[place].end() + 1)


def _plain(number: str) -> str:
    """A number without the marks that part its thousands, in lower case."""
    return number.replace(",", "").replace(".", "") if _THOUSANDS.fullmatch(number) else number.casefold()


def _day(moment: datetime | None, open_end: str) -> str:
    return open_end if moment is None else moment.date().isoformat()
