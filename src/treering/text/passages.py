"""Cutting a document into passages: at headings and blank lines, about 200 tokens each.

Passages are for matching only; the record stays whole. A chat message is one passage and does not come here.
"""

import re
from dataclasses import dataclass

__all__ = ["Span", "passages"]

PASSAGE_CHARS = 900  # about 200 tokens of English; a passage grows until the next block would pass this
_BLOCK_END = re.compile(r"\n[ \t]*\n+|\n(?=#{1,6} )")


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
    for block_start, block_stop in _blocks(text):
        heading = text.startswith("#", block_start)
        if stop > start and (heading or block_stop - start > chars_max):
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


def _blocks(text: str) -> list[tuple[int, int]]:
    edges = [0]
    for match in _BLOCK_END.finditer(text):
        edges += [match.start(), match.end()]
    edges.append(len(text))
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if text[a:b].strip()]
