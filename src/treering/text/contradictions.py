"""Where two texts that speak of the same say otherwise: the rules, on the facets of each."""

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Final

from treering.text.alignment import likeness
from treering.text.english import stem
from treering.text.facets import Facets

__all__ = ["ABOUT", "Contradiction", "agree", "alike", "contradictions"]

ABOUT: Final = 0.6  # likeness of words from which two texts speak of the same
_PREFIXES: Final = ("un", "in", "im", "dis", "non")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What one text says where the other says something else of the same kind."""

    kind: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        """The line that a person reads."""
        return f"{self.kind}: {', '.join(self.before)} → {', '.join(self.after)}"

    def turned(self) -> "Contradiction":
        """The same, seen from the other text."""
        return Contradiction(self.kind, self.after, self.before)


def alike(old: Facets, new: Facets) -> float:
    """How much two texts speak of the same, 0 to 1, whatever numbers, dates and names they give."""
    if not old.words and not new.words:
        return float(old.spelled == new.spelled and agree(old, new))
    words, others = old.words + _uncapped(old, new), new.words + _uncapped(new, old)
    turned = _opposites(old, new)[0]
    return min(1.0, likeness(words, others) + 2 * len(turned) / (words.total() + others.total()))


def agree(old: Facets, new: Facets) -> bool:
    """Whether two texts have the same numbers, dates, names, identifiers and denials, and take the same sides."""
    counted = ("numbers", "dates", "versions", "signs", "things", "denials")
    return (
        all(getattr(old, facet) == getattr(new, facet) for facet in counted)
        and old.sides.keys() == new.sides.keys()
        and not _names(old, new)
        and not _names(new, old)
        and not _opposites(old, new)[0]
        and not _turned(old, new)
    )


def contradictions(old: Facets, new: Facets) -> Iterator[Contradiction]:
    """The contradictions between two texts; none where they speak of different things, or one only says more."""
    if alike(old, new) < ABOUT or (old.things - new.things and new.things - old.things):
        return
    found = False
    for kind, lost, gained in (
        ("numbers", old.numbers - new.numbers, new.numbers - old.numbers),
        ("versions", old.versions - new.versions, new.versions - old.versions),
        ("signs", old.signs - new.signs, new.signs - old.signs),
        ("dates", _dates(old, new), _dates(new, old)),
        ("names", _names(old, new), _names(new, old)),
        ("sides", *_sides(old, new)),
        ("words", *_opposites(old, new)),
    ):
        if lost and gained:
            found = True
            yield Contradiction(kind, tuple(lost), tuple(gained))
    if old.denials != new.denials:
        found = True
        yield Contradiction("denials", (str(old.denials),), (str(new.denials),))
    if not found and _turned(old, new):
        yield Contradiction("order", old.order, new.order)


def _uncapped(here: Facets, there: Facets) -> Counter[str]:
    """Terms of the names here that are plain words there: the Board, the board."""
    return Counter({stem(name): here.names[name] for name in here.names - there.names if name in there.spelled})


def _dates(here: Facets, there: Facets) -> list[str]:
    """The dates of one text that are neither in the other, nor part of a date there, nor hold one."""
    return [date for date in here.dates - there.dates if not any(_within(date, other) for other in there.dates)]


def _within(date: str, other: str) -> bool:
    first, last = date.split("..")
    other_first, other_last = other.split("..")
    return (first <= other_first and other_last <= last) or (other_first <= first and last <= other_last)


def _names(here: Facets, there: Facets) -> list[str]:
    return [name for name in here.names - there.names if name not in there.spelled]


def _sides(old: Facets, new: Facets) -> tuple[list[str], list[str]]:
    """Words that take different sides of an opposition in the two texts."""
    lost, gained = old.sides.keys() - new.sides.keys(), new.sides.keys() - old.sides.keys()
    shared = sorted({side.split()[0] for side in lost} & {side.split()[0] for side in gained})
    return _taking(old, lost, shared), _taking(new, gained, shared)


def _taking(facets: Facets, sides: Set[str], oppositions: list[str]) -> list[str]:
    return [word for side, word in facets.sides.items() if side in sides and side.split()[0] in oppositions]


def _opposites(old: Facets, new: Facets) -> tuple[list[str], list[str]]:
    """Words of which the other text has the one with `un-`, `in-`, `dis-` before it."""
    lost, gained = old.spelled - new.spelled, new.spelled - old.spelled
    turned = _prefixed(lost, gained) + [(word, other) for other, word in _prefixed(gained, lost)]
    return [word for word, _ in turned], [other for _, other in turned]


def _prefixed(words: Set[str], others: Set[str]) -> list[tuple[str, str]]:
    return [(word, prefix + word) for word in sorted(words) for prefix in _PREFIXES if prefix + word in others]


def _turned(old: Facets, new: Facets) -> bool:
    """Whether the same names or numbers have changed places in the same words: who reports to whom."""
    return old.shape == new.shape and old.order != new.order and Counter(old.order) == Counter(new.order)
