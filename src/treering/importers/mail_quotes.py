"""Which stretches of a mail only repeat: quoted replies with the line that introduces them, signatures, list footers.

They stay in the text and are never matched. What was forwarded is not among them, as it may be the only copy: after
the mark of a forward, and in mails whose subject begins with Fwd:, only lines quoted within the forwarded text count. A
mail is never marked whole: where nothing else would be left, nothing is marked.

The rules are ours. Of the libraries tried, `mail-parser-reply` gives strings instead of places, ends a mail at "Best
regards" and has to be told the language; `quotequail` finds the first quotation only.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from treering.importers.mail_quote_words import BEGINS, FORWARDED, LABELS, ORIGINAL, SENT_FROM, WROTE, WROTE_LAST

__all__ = ["is_forward", "quoted_ranges"]

SIGNATURE_LINES_MAX = 25  # a longer one is a text below a line of two hyphens
INTRODUCTION_LINES_MAX = 4
INTRODUCTION_CHARS_MAX = 300
FOOTER_LINES_MAX = 12

_DEPTH = re.compile(r" ?((?:> ?)+)")
_PROMPT = re.compile(r">>> \S|>>>$")  # of Python, which looks like a quotation of a quotation of a quotation
_SIGNATURE = re.compile(r"--[ \xa0]?")
_RULE = re.compile(r"[_-]{10,}")
_FOOTER = re.compile(r"_{20,}")
_FOOTER_WORDS = re.compile(r"mailing list|listinfo|unsubscribe|lists?[.@-]", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+\.\w+")
_CLOCK = re.compile(r"\d{1,2}[:.h]\d\d")
_TIME = re.compile(r"\d{1,2}[:.h]\d\d|\d{4}")
_FORWARD_SUBJECT = re.compile(
    r"(?:\[[^\]]*\]\s*)*(?:(?:fwd?|wg|tr|rv|enc|i|vb|vs|pd|doorst|пересл|转发|轉寄)(?:\[\d+\])?\s?[:：])|\(fwd\)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the text, with the number of `>` before it."""

    start: int
    stop: int  # with its line feed
    text: str
    depth: int


def is_forward(subject: str) -> bool:
    """Whether a subject says that a mail passes on another.

    >>> is_forward("Fwd: plan"), is_forward("[ops] WG: Plan"), is_forward("Re: plan")
    (True, True, False)
    """
    match = _FORWARD_SUBJECT.search(subject)
    return match is not None and (match.start() == 0 or match[0].startswith("("))


def quoted_ranges(text: str, *, forwards: bool = False) -> tuple[tuple[int, int], ...]:
    r"""The half-open ranges of a text that repeat others, in order, apart from each other.

    >>> text = "Friday.\n\nOn Mon, 4 Mar 2024, Ben wrote:\n> When?\n\nAna\n-- \nAna Lobo, Kestrel"
    >>> [text[start:stop] for start, stop in quoted_ranges(text)]
    ['On Mon, 4 Mar 2024, Ben wrote:\n> When?\n', '-- \nAna Lobo, Kestrel']
    """
    lines = list(_lines(text))
    marked = [False] * len(lines)
    stop = next((number for number, line in enumerate(lines) if FORWARDED.match(line.text)), len(lines))
    _mark_quotations(lines, marked, stop)
    if not forwards:
        _mark_originals(lines, marked, stop)
    _mark_signatures(lines, marked)
    if all(marked[number] for number, line in enumerate(lines) if line.text.strip()):
        return ()
    return _ranges(lines, marked)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for content in text.split("\n"):
        stop = min(start + len(content) + 1, len(text))
        match = _DEPTH.match(content)
        prefix = match.end() if match else 0
        yield _Line(start, stop, content[prefix:].strip(" \t*\xa0"), match[1].count(">") if match else 0)
        start += len(content) + 1


def _mark_quotations(lines: Sequence[_Line], marked: list[bool], forward: int) -> None:
    """Lines that begin with `>`, and what introduces them; `forward` is where a forwarded text begins."""
    passed_on = next((line.depth for line in lines[forward + 1 :] if line.text), 0)
    number = 0
    while number < len(lines):
        base = passed_on if number >= forward else 0
        end = number
        while end < len(lines) and lines[end].depth > base:
            end += 1
        if end == number:
            number += 1
            continue
        introduced = _introduction(lines, number, base)
        if introduced < number or not _is_code(lines[number:end]):
            marked[introduced:end] = [True] * (end - introduced)
        number = end


def _is_code(lines: Sequence[_Line]) -> bool:
    return all(line.depth >= 3 for line in lines) and bool(lines)


def _introduction(lines: Sequence[_Line], quotation: int, base: int) -> int:
    """The first line of "On Monday, Ben wrote:" above a quotation; the quotation itself where there is none."""
    last = quotation - 1
    while last >= 0 and not lines[last].text and quotation - last <= 4:
        last -= 1
    if last < 0 or lines[last].depth != base or not lines[last].text.endswith((":", "：")):
        return quotation
    for first in range(last, max(-1, last - INTRODUCTION_LINES_MAX), -1):
        said = " ".join(line.text for line in lines[first : last + 1])
        if not lines[first].text or lines[first].depth != base or len(said) > INTRODUCTION_CHARS_MAX:
            break
        if BEGINS.match(said) and WROTE.search(said) and _TIME.search(said):
            return first
    said = lines[last].text
    if last > 0 and not _TIME.search(said) and _TIME.search(lines[last - 1].text) and lines[last - 1].depth == base:
        last, said = last - 1, f"{lines[last - 1].text} {said}"
    if len(said) > INTRODUCTION_CHARS_MAX:
        return quotation
    is_stamp = bool(_TIME.search(said) and _ADDRESS.search(said)) or bool(_CLOCK.search(said) and WROTE.search(said))
    return last if is_stamp or WROTE_LAST.fullmatch(said) else quotation


def _mark_originals(lines: Sequence[_Line], marked: list[bool], forward: int) -> None:
    """The mail answered, below the answer and without `>`: from where it begins to the end."""
    own = next((number for number, line in enumerate(lines) if line.text and not marked[number]), len(lines))
    for number in range(own, forward):
        if marked[number] or lines[number].depth:
            continue
        start = _original(lines, number)
        if start is not None and start > own:
            marked[start:] = [True] * (len(lines) - start)
            return


def _original(lines: Sequence[_Line], number: int) -> int | None:
    """Where an unquoted original begins, if its first line, or that after a rule, is this one."""
    said = lines[number].text
    if ORIGINAL.fullmatch(said):
        return number
    if BEGINS.match(said):
        for last in range(number, min(number + INTRODUCTION_LINES_MAX, len(lines))):
            joined = " ".join(line.text for line in lines[number : last + 1])
            if not lines[last].text or len(joined) > INTRODUCTION_CHARS_MAX:
                break
            if joined.endswith(":") and WROTE.search(joined) and _TIME.search(joined):
                after = next((line for line in lines[last + 1 :] if line.text), None)
                return number if after is not None and not after.depth else None
    if not _has_header(lines, number):
        return None
    above = next((before for before in range(number - 1, max(-1, number - 4), -1) if lines[before].text), None)
    introduces = above is not None and (
        _RULE.fullmatch(lines[above].text) or (WROTE.search(lines[above].text) and _TIME.search(lines[above].text))
    )
    return above if introduces else number


def _has_header(lines: Sequence[_Line], number: int) -> bool:
    """Whether From:, Sent: and To: or Subject: follow on one another, in any of the languages known."""
    found: set[str] = set()
    unlabelled = 0
    for line in lines[number : number + 14]:
        label, colon, _ = line.text.replace("*", "").partition(":")
        field = LABELS.get(label.replace(" ", "").casefold()) if colon else None
        if field is None and not found:
            return False
        if field is None:
            unlabelled += 1
            if unlabelled > 3:
                break
            continue
        if not found and field != "from":
            return False
        found.add(field)
        unlabelled = 0
    return {"from", "sent"} <= found and not found.isdisjoint({"to", "subject"})


def _mark_signatures(lines: Sequence[_Line], marked: list[bool]) -> None:
    """Signatures and footers, each up to the next quotation or the end."""
    said = [number for number, line in enumerate(lines) if line.text]
    for number, line in enumerate(lines):
        kind = next((kind for kind in (_SIGNATURE, _FOOTER, SENT_FROM) if kind.fullmatch(line.text)), None)
        if kind is None or marked[number] or line.depth:
            continue
        place = bisect_right(said, number)
        following = said[place : place + SIGNATURE_LINES_MAX + 1]
        below = [lines[after].text for after in takewhile(lambda after: not marked[after], following)]
        end = following[len(below)] if len(below) < len(following) else len(lines)
        if kind is _SIGNATURE:
            repeats = len(below) <= SIGNATURE_LINES_MAX and number > said[0]
        elif kind is _FOOTER:
            repeats = (
                bool(below) and len(below) <= FOOTER_LINES_MAX and any(_FOOTER_WORDS.search(text) for text in below)
            )
        else:
            repeats = not below
        if repeats:
            marked[number:end] = [True] * (end - number)


def _ranges(lines: Sequence[_Line], marked: Sequence[bool]) -> tuple[tuple[int, int], ...]:
    """Neighbouring lines together, with the empty ones between them."""
    found: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        if not marked[number] or line.start == line.stop:
            continue
        between = "".join(other.text for other in lines[_line_at(lines, found[-1][1]) : number]) if found else "x"
        if found and not between:
            found[-1] = (found[-1][0], line.stop)
        else:
            found.append((line.start, line.stop))
    return tuple(found)


def _line_at(lines: Sequence[_Line], start: int) -> int:
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if lines[middle].start < start else (low, middle)
    return low
