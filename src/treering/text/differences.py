"""What changed between two versions of a text, for reading, and what the change amounts to.

A diff of the sentences, and inside a changed sentence of its words, so that one figure in a long paragraph can be seen.
Then, by rules and without a model, whether two texts that are nearly the same contradict each other.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from treering.text.alignment import paired, stretches
from treering.text.contradictions import ABOUT, Contradiction, agree, alike, contradictions
from treering.text.facets import facets_of
from treering.text.sentences import sentences

__all__ = ["Relation", "readable_diff", "relation", "why"]

_REWORDED: Final = 0.5  # likeness from which a sentence counts as changed, not as taken out and another put in
_SAME: Final = 0.85  # likeness of words from which two texts that agree say the same
_WORDS_AROUND: Final = 4  # unchanged words that are shown on each side of changed ones
_REASONS_MAX: Final = 8
_WIDTH_MIN: Final = 20
_WRAPPED_CHARS: Final = 20  # a line this long may go on in the next one, if that starts in lower case; else twice that
_STARTS: Final = re.compile(r"\s*(?:[-*+•|>#]|[0-9]{1,3}[.)]\s|```|~~~|[\w-]{1,30}:\s)|\s*\Z")


class Relation(StrEnum):
    """What two texts that are nearly the same are to each other."""

    CONFLICT = "conflict"
    RESTATEMENT = "restatement"
    DISTINCT = "distinct"


def readable_diff(before: str, after: str, width: int = 100, context: int = 1) -> str:
    """What was taken out (`-`) and put in (`+`), in lines no longer than `width`, unchanged stretches cut with `…`.

    So many unchanged sentences are shown around each change as `context` says. Empty only for equal texts: where
    nothing but white space differs, it says so.

    >>> print(readable_diff("Logs are kept for 90 days. Ana decides.", "Logs are kept for 180 days. Ana decides."))
    - Logs are kept for 90 days.
    + Logs are kept for 180 days.
      Ana decides.
    """
    if before == after:
        return ""
    old, new = _statements(before), _statements(after)
    if old == new:
        return "(only white space differs)"
    lines: list[str] = []
    width = max(width, _WIDTH_MIN)
    cut = stretches(old, new)
    for place, stretch in enumerate(cut):
        if stretch.same:
            lines += _kept(old[stretch.before], context, width, first=place == 0, last=place == len(cut) - 1)
        else:
            lines += _changed(old[stretch.before], new[stretch.after], width)
    return "\n".join(lines)


def relation(before: str, after: str) -> Relation:
    """Whether two texts contradict each other, say the same, or are about other things; the same either way round.

    A conflict needs sentences about the same that differ in numbers, dates, names, denial or the side taken of an
    opposition. A text that only says more is distinct, and so is one about another identifier.

    >>> relation("Logs are kept for 90 days.", "Logs are kept for 180 days."), relation("Ana owns it", "It rains")
    (<Relation.CONFLICT: 'conflict'>, <Relation.DISTINCT: 'distinct'>)
    """
    return _compared(before, after)[0]


def why(before: str, after: str) -> str:
    """One line that names the parts on which `relation` rests.

    >>> why("Ana may keep logs for 90 days.", "Ana must not keep logs for 180 days.")
    'numbers: 90 → 180; sides: may → must; denials: 0 → 1'
    """
    return _compared(before, after)[1]


def _statements(text: str) -> list[str]:
    """The sentences of a text, those that are wrapped over several lines in one piece."""
    joined: list[str] = []
    fenced = False
    length = 0  # of the line before
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        wrapped = length >= (_WRAPPED_CHARS if line.lstrip()[:1].islower() else 2 * _WRAPPED_CHARS)
        joined.append(f" {line.strip()}" if wrapped and not fenced and not _STARTS.match(line) else f"\n{line}")
        length = 0 if line.startswith("#") else len(line.strip())
    return [" ".join(sentence.split()) for line in "".join(joined).split("\n") for sentence in sentences(line)]


def _kept(items: Sequence[str], context: int, width: int, *, first: bool, last: bool) -> Iterator[str]:
    head = 0 if first else context
    tail = 0 if last else context
    cut = len(items) > head + tail
    for item in [*items[:head], "…", *items[len(items) - tail :]] if cut else items:
        yield "  " + (item if len(item) <= width - 2 else item[: width - 3] + "…")


def _changed(old: Sequence[str], new: Sequence[str], width: int) -> Iterator[str]:
    """Sentences in each other's place: those that were reworded by their words, the others whole."""
    i = j = 0
    for to_i, to_j in [*paired([_bag(item) for item in old], [_bag(item) for item in new], _REWORDED), (None, None)]:
        for item in old[i:to_i]:
            yield from _lines("-", item, width)
        for item in new[j:to_j]:
            yield from _lines("+", item, width)
        if to_i is not None and to_j is not None:
            yield from _reworded(old[to_i].split(), new[to_j].split(), width)
            i, j = to_i + 1, to_j + 1


def _reworded(old: Sequence[str], new: Sequence[str], width: int) -> Iterator[str]:
    taken: list[str] = []
    put: list[str] = []
    cut = stretches(old, new)
    for place, stretch in enumerate(cut):
        if not stretch.same:
            taken += old[stretch.before]
            put += new[stretch.after]
            continue
        words = list(old[stretch.before])
        head = 0 if place == 0 else _WORDS_AROUND
        tail = 0 if place == len(cut) - 1 else _WORDS_AROUND
        if len(words) > head + tail + 1:
            words = [*words[:head], "…", *words[len(words) - tail :]]
        taken += words
        put += words
    yield from _lines("-", " ".join(taken), width)
    yield from _lines("+", " ".join(put), width)


def _lines(sign: str, item: str, width: int) -> list[str]:
    return textwrap.wrap(item, width, initial_indent=f"{sign} ", subsequent_indent=f"{sign}   ", break_on_hyphens=False)


def _bag(item: str) -> Counter[str]:
    return Counter(item.casefold().split())


def _compared(before: str, after: str) -> tuple[Relation, str]:
    # In a fixed order, because which sentences are paired must not depend on which text comes first.
    first, second = sorted((before, after))
    found, reasons, told = _judged(first, second)
    if first != before:
        reasons = [reason.turned() for reason in reasons]
    named = list(dict.fromkeys(map(str, reasons)))
    if len(named) > _REASONS_MAX:
        named[_REASONS_MAX:] = [f"and {len(named) - _REASONS_MAX} more"]
    return found, "; ".join(named) or told


def _judged(before: str, after: str) -> tuple[Relation, list[Contradiction], str]:
    old, new = facets_of(before), facets_of(after)
    share = alike(old, new)
    if share >= _SAME and agree(old, new):
        return Relation.RESTATEMENT, [], f"{share:.0%} of the words in common, and every number, date and name"
    if share < ABOUT:
        return Relation.DISTINCT, [], f"{share:.0%} of the words in common"
    reasons = list(_contradicted(_statements(before), _statements(after)))
    if reasons:
        return Relation.CONFLICT, reasons, ""
    return Relation.DISTINCT, [], f"{share:.0%} of the words in common; one says more, or speaks of something else"


def _contradicted(before: Sequence[str], after: Sequence[str]) -> Iterator[Contradiction]:
    """Contradictions between sentences in each other's place, and between all those that found no counterpart."""
    rest_before: list[str] = []
    rest_after: list[str] = []
    for stretch in stretches(before, after):
        if stretch.same:
            continue
        old, new = before[stretch.before], after[stretch.after]
        olds, news = [facets_of(item) for item in old], [facets_of(item) for item in new]
        pairs = paired([item.words for item in olds], [item.words for item in news], ABOUT)
        for i, j in pairs:
            yield from contradictions(olds[i], news[j])
        found_before, found_after = {i for i, _ in pairs}, {j for _, j in pairs}
        rest_before += [item for i, item in enumerate(old) if i not in found_before]
        rest_after += [item for j, item in enumerate(new) if j not in found_after]
    if rest_before and rest_after:
        yield from contradictions(facets_of("\n".join(rest_before)), facets_of("\n".join(rest_after)))
