"""The default summarizer: no model, the same words for the same leaves on every machine.

It keeps the interval, the people, the identifiers and the states, and picks the few sentences that are most central
(their words recur in the node) or do most for the work (see `cues`). Higher nodes pick from what their children
picked. A leaf is read once for all its trees.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from treering.forest.cues import CUE_WORDS, QUESTION_MARKS
from treering.forest.kinds import Cue, Kind
from treering.forest.leaves import LeafText
from treering.forest.summaries import Selected, Summary
from treering.text.english import STOP_WORDS
from treering.text.sentences import sentences

__all__ = ["Extractive"]

NAMED_MAX: Final = 8  # people, channels and identifiers that a summary keeps
TERMS_MAX: Final = 24
SENTENCES_MAX: Final = 6  # kept in a summary; its text shows as many as fit
SENTENCES_READ_MAX: Final = 6  # of one leaf
SENTENCE_CHARS_MAX: Final = 240
HELD_MAX: Final = 16_384  # leaves whose reading is kept for their other trees
SHORT: Final = 4  # words added to a text's length, so that "yes, that" is not the most central of all

_WORD: Final = re.compile(r"\w+(?:'\w+)?")
_Candidate = tuple[float, int, int, str, str, str]  # the fields of `Selected`: most are never chosen
_NO_CUES: Final[frozenset[Cue]] = frozenset()


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    cues: frozenset[Cue]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A leaf's terms, and its first sentences with what they do."""

    terms: frozenset[str]
    lines: tuple[_Line, ...]


class Extractive:
    """Summaries out of the leaves' own sentences."""

    name = "extractive-1"

    def __init__(self) -> None:
        self._held: dict[bytes, _Reading] = {}

    def summarize_leaves(self, kind: Kind, title: str, items: Sequence[LeafText]) -> Summary:
        """The summary of a level-1 node, from its leaves in order."""
        readings = [self._reading(item) for item in items]
        frequency = Counter(term for reading in readings for term in reading.terms)
        recurring = {term for term, count in frequency.items() if count > 1}
        central = [_centrality(reading.terms, recurring) for reading in readings]
        candidates = [
            (round(c + _weight(kind, line.cues), 3) if line.cues else c,
             item.leaf, item.first_at, item.author, item.channel, line.text)
            for item, reading, c in zip(items, readings, central, strict=True)
            for line in reading.lines
        ]  # fmt: skip
        return Summary(
            first_at=items[0].first_at,
            last_at=items[-1].first_at,
            leaves=len(items),
            participants=_most(Counter(item.author for item in items if item.author), NAMED_MAX),
            channels=_most(Counter(item.channel for item in items if item.author), NAMED_MAX),
            identifiers=_most(Counter(value for item in items for value in item.identifiers), NAMED_MAX),
            transitions=_first((name, item.first_at) for item in items for name in item.transitions),
            terms=_most({term: frequency[term] for term in recurring}, TERMS_MAX),
            sentences=_best(candidates, per_leaf=max(1, SENTENCES_MAX // len(items))),
        )

    def summarize_nodes(self, kind: Kind, title: str, children: Sequence[Summary]) -> Summary:
        """The summary of a higher node, from its children in order."""
        terms = _most(_total(child.terms for child in children), TERMS_MAX)
        recurring = {term for term, _ in terms}
        candidates = []
        for one in (sentence for child in children for sentence in child.sentences):
            words = _words(one.text)
            score = round(_centrality(words - STOP_WORDS, recurring) + _weight(kind, _cues(one.text, words)), 3)
            candidates.append((score, one.leaf, one.at, one.author, one.channel, one.text))
        return Summary(
            first_at=min(child.first_at for child in children),
            last_at=max(child.last_at for child in children),
            leaves=sum(child.leaves for child in children),
            participants=_most(_total(child.participants for child in children), NAMED_MAX),
            channels=_most(_total(child.channels for child in children), NAMED_MAX),
            identifiers=_most(_total(child.identifiers for child in children), NAMED_MAX),
            transitions=_first(pair for child in children for pair in child.transitions),
            terms=terms,
            sentences=_best(candidates, per_leaf=SENTENCES_MAX),
        )

    def _reading(self, item: LeafText) -> _Reading:
        reading = self._held.get(item.digest)
        if reading is None:
            if len(self._held) >= HELD_MAX:
                del self._held[next(iter(self._held))]
            reading = self._held[item.digest] = _read(item)
        return reading


def _read(item: LeafText) -> _Reading:
    words = _words(f"{item.title} {item.text}" if item.title else item.text)
    decisive = not words.isdisjoint(CUE_WORDS)
    lines = []
    for sentence in sentences(item.text)[:SENTENCES_READ_MAX]:
        text = _clipped(sentence)
        lines.append(_Line(text, _cues(text, _words(text) if decisive else words)))
    return _Reading(frozenset(word for word in words - STOP_WORDS if len(word) > 1), tuple(lines))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _cues(sentence: str, words: set[str]) -> frozenset[Cue]:
    """What a sentence with these words does."""
    asks = sentence.endswith(QUESTION_MARKS)
    if not asks and words.isdisjoint(CUE_WORDS):
        return _NO_CUES
    found = {CUE_WORDS[word] for word in words if word in CUE_WORDS}
    return frozenset(found | {Cue.QUESTION} if asks else found)


def _weight(kind: Kind, cues: frozenset[Cue]) -> float:
    return max([kind.cues[cue] for cue in cues]) if cues else 0.0


def _centrality(terms: Set[str], recurring: set[str]) -> float:
    """How much of a text is in the recurring words of its node: 0 to 1."""
    shared = recurring.intersection(terms)
    return round(len(shared) / (len(terms) + SHORT), 3)


def _best(candidates: Sequence[_Candidate], per_leaf: int) -> tuple[Selected, ...]:
    """The best sentences, best first; equal scores keep the order of the leaves."""
    chosen: dict[str, Selected] = {}
    of_leaf: Counter[int] = Counter()
    for one in sorted(candidates, key=itemgetter(0), reverse=True):
        leaf, text = one[1], one[-1]
        if of_leaf[leaf] < per_leaf and text not in chosen:
            chosen[text] = Selected(*one)
            of_leaf[leaf] += 1
            if len(chosen) == SENTENCES_MAX:
                break
    return tuple(chosen.values())


def _total(counted: Iterable[Iterable[tuple[str, int]]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for pairs in counted:
        for name, count in pairs:
            total[name] = total.get(name, 0) + count
    return total


def _most(total: Mapping[str, int], most: int) -> tuple[tuple[str, int], ...]:
    """The most frequent names, with their counts; equal counts by name."""
    return tuple(sorted(total.items(), key=lambda item: (-item[1], item[0]))[:most])


def _first(stated: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Each state once, with the time it is first stated, in order of time."""
    first: dict[str, int] = {}
    for name, at in stated:
        first[name] = min(at, first.get(name, at))
    return tuple(sorted(first.items(), key=lambda item: (item[1], item[0])))


def _clipped(sentence: str) -> str:
    one_line = " ".join(sentence.split())
    if len(one_line) <= SENTENCE_CHARS_MAX:
        return one_line
    return one_line[:SENTENCE_CHARS_MAX].rsplit(" ", 1)[0] + " ..."
