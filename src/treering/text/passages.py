"""Cutting a document into passages: at headings, turns of speech and blank lines, about 200 tokens each at most.

Passages are for matching only; the record stays whole. A passage that continues a section is matched together with the
section's heading, which `heading_before` finds again. A chat message is one passage and does not come here.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from treering.text.turns import turns

__all__ = ["Span", "heading_before", "passages", "without"]

PASSAGE_CHARS = 900  # about 200 tokens of English; a passage grows until the next block would pass this
SECTION_CHARS = 300  # a heading ends a passage of at least this; shorter sections share one
TURN_CHARS = 150  # a turn of speech ends a passage of at least this; a greeting and its answer share one
HEADING_CHARS_MAX = 120

_BLOCK_END = re.compile(r"\n[ \t]*\n+|\n(?=#{1,6} )")
_ATX = re.compile(r"^#{1,6}[ \t]+(\S[^\n]*)", re.MULTILINE)  # Markdown
_UNDERLINED = re.compile(r"^(\S[^\n]{0,119})\n([=\-~^*\"+`#])\2{2,}[ \t]*$", re.MULTILINE)  # setext, reStructuredText
_BLANK = frozenset("-=~^*_#+|: \t")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters in a record's text."""

    start: int
    stop: int


def passages(text: str, chars_max: int = PASSAGE_CHARS) -> list[Span]:
    """Cut a text into spans that together cover every block of it, in order.

    >>> passages("one two")
    [Span(start=0, stop=7)]
    >>> passages("")
    []
    """
    spans: list[Span] = []
    start = stop = 0
    spoken = frozenset(turns(text))
    for block_start, block_stop in _blocks(text, spoken):
        turned = stop - start >= TURN_CHARS and block_start in spoken
        section = stop - start >= SECTION_CHARS and _is_heading(text, block_start)
        if stop > start and (turned or section or block_stop - start > chars_max):
            spans.append(Span(start, stop))
            start = block_start
        elif stop == start:
            start = block_start
        stop = block_stop
        while stop - start > chars_max * 2:  # one block without a break: cut at a line or a space
            cut = max(text.rfind("\n", start, start + chars_max), text.rfind(" ", start, start + chars_max))
            cut = cut if cut > start else start + chars_max
            spans.append(Span(start, cut))
            start = cut
    if stop > start:
        spans.append(Span(start, stop))
    return spans


def without(text: str, left_out: Iterable[tuple[int, int]]) -> list[Span]:
    """The stretches of a text that lie outside the ranges; ranges may overlap and come in any order.

    >>> without("abcdef", [(2, 4)])
    [Span(start=0, stop=2), Span(start=4, stop=6)]
    """
    stretches: list[Span] = []
    at = 0
    for start, stop in sorted(left_out):
        if start > at:
            stretches.append(Span(at, min(start, len(text))))
        at = max(at, stop)
    if at < len(text):
        stretches.append(Span(at, len(text)))
    return stretches


def heading_before(text: str, start: int) -> str:
    r"""The heading of the section that `start` continues; empty where a section begins there, or there is none.

    >>> heading_before("# Leave\n\nfirst\n\nsecond", 15)
    'Leave'
    """
    if _is_heading(text, start):
        return ""
    starts, headings = _headings(text)
    above = bisect_left(starts, start)
    return headings[above - 1] if above else ""


@lru_cache(maxsize=1)  # a text is asked about for one passage after another
def _headings(text: str) -> tuple[list[int], list[str]]:
    """Where each heading stands, ascending, and what it says."""
    found = sorted((m.start(), m[1]) for pattern in (_ATX, _UNDERLINED) for m in pattern.finditer(text))
    return [start for start, _ in found], [said.strip("# \t")[:HEADING_CHARS_MAX] for _, said in found]


def _is_heading(text: str, at: int) -> bool:
    if _ATX.match(text, at):
        return True
    underlined = _UNDERLINED.match(text, at)
    return underlined is not None and not _BLANK.issuperset(underlined.group(1))


def _blocks(text: str, spoken: Collection[int]) -> list[tuple[int, int]]:
    """The stretches between blank lines, before headings and from turn to turn."""
    edges = [0, len(text)]
    for match in _BLOCK_END.finditer(text):
        edges += [match.start(), match.end()]
    edges += [start for start in spoken for _ in range(2)]  # one block's end and the next one's beginning
    edges.sort()
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if text[a:b].strip()]
