"""What a document says of its own validity: that another one replaced it, that it replaces another, that it is gone.

Only explicit statements count: fields at its head, its status section, and sentences whose subject is the document
itself. What may be or will be is none, nor what is said of others, nor what stands in code or in quotes. English.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from treering.text.asides import without_blocks, without_quotations
from treering.text.casing import lowered
from treering.text.marks import PREDICATE, Mark, MarkKind, mark_at
from treering.text.named_documents import documents_named, series_of, title_named
from treering.text.self_statements import marks_in_sentences

__all__ = ["Mark", "MarkKind", "stated_marks"]

_CUE_WORDS: Final = "superse superce replac obsole retire withdraw deprecat rescind revoke repeal archive cancel longer"
_CUES: Final = tuple(_CUE_WORDS.split(" "))
_FRONT: Final = re.compile(r"\ufeff?---[ \t]*\n.{0,20000}?^(?:---|\.\.\.)[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(
    r"^(?:(?P<level>#{1,6})[ \t]+(?P<title>[^\n]*)|(?P<over>[^\s#>|*-][^\n]{0,100})\n(?:={3,}|-{3,}|~{3,})[ \t]*$)",
    re.MULTILINE,
)
_STATUS_SECTION: Final = re.compile(r"[\W\d]*(?:(?:current|document|decision) )?status\W*", re.IGNORECASE)
_FIELD_SECTION: Final = re.compile(
    r"[\W\d]*(?:metadata|history|(?:cross-)?references?|links|relat(?:ed|ions?)(?: documents?)?|supersession"
    r"|document (?:control|history|information)|(?:revision|version) history)\W*",
    re.IGNORECASE,
)
_HEAD_LINES_MAX: Final = 40  # at the top: there a field speaks of the whole document
_FIELD: Final = re.compile(
    r"^[ \t]{0,3}(?:[-*+•][ \t]{1,3})?(?:\([\w -]{1,20}\)[ \t]{1,3})?:?[*_]{0,3}(?P<key>[A-Za-z][A-Za-z _-]{3,24}?)"
    r"[*_]{0,3}[ \t]{0,3}:[*_]{0,3}(?:[ \t]{1,20}(?P<value>[^\n]{0,500}))?\r?$"
    r"(?P<items>(?:\n[ \t]{0,8}[-*][ \t]{1,3}[^\n:]{1,200}$){0,30})"
    r"|^\|[ \t]*[*_]{0,3}(?P<column>[A-Za-z][A-Za-z _-]{3,24}?)[*_]{0,3}[ \t]*\|(?P<cell>[^|\n]{0,300})\|",
    re.MULTILINE,
)
_RELATIONS: Final = {
    **dict.fromkeys(("supersededby", "supercededby", "replacedby", "obsoletedby"), MarkKind.SUPERSEDED_BY),
    **dict.fromkeys(("supersedes", "supercedes", "replaces", "obsoletes", "rescinds"), MarkKind.SUPERSEDES),
}
_STATUS: Final = frozenset(("status", "state", "documentstatus", "docstatus", "currentstatus"))
_GONE: Final = frozenset(
    f"{word}{rest}"
    for word in ("deprecated", "retired", "withdrawn", "obsolete", "archived", "rescinded", "revoked")
    for rest in ("", "on", "at", "date", "since")
)
_COLUMNS: Final = re.compile(r"\s{3,20}")  # headers of old set a date at the right of a field
_IF: Final = re.compile(r"\b(?:if|when|once)\b", re.IGNORECASE)
_YES: Final = re.compile(r"[\"']?(?:true|yes|[0-9]{4}-[0-9]{2})", re.IGNORECASE)
_TEMPLATE: Final = re.compile(r"[<{|](?!https?:)|\.\.\.|…")
_CLAUSE: Final = re.compile(
    r"(?:\A|[—–;(,.]\s{0,3}|\s-\s)(?:[-*+•]\s|[0-9]{1,3}\.\s|[0-9]{4}-[0-9-]{2,5}:?\s)?[\s\0*_\"'\[]{0,300}"
    r"(?:(?:now|is|was|has been|and|formally)\s){0,3}[*_\"'\[]{0,3}\Z",
    re.IGNORECASE,
)

_BANNER: Final = re.compile(
    r"(?:\A|\n[ \t]*\n)[ \t]*[*_!⚠\ufe0f]{0,4}[ \t]*(?=\S[^\n]*(?:\n[ \t]*\n|\n?\Z))|^#[^\n#(\[]{0,200}[(\[]",
    re.MULTILINE,
)
_NOTHING_MORE: Final = re.compile(r"[^\w\n]*(?:\n|\Z)|[)\]]")


@dataclass(frozen=True, slots=True)
class _Page:
    """A document as its fields are read."""

    shown: str  # without code, cited lines and comments, place for place
    low: str  # the same in lower case
    series: str
    head_end: int


def stated_marks(text: str) -> tuple[Mark, ...]:
    """The marks that a document sets on itself and on others, in order, each kind with the same targets once.

    >>> [mark] = stated_marks("This policy replaces the travel policy (DOC-041).")
    >>> mark.kind.value, mark.targets
    ('supersedes', ('DOC-041',))
    >>> stated_marks("This policy may be superseded by DOC-042.")
    ()
    """
    low = lowered(text)
    if not any(cue in low for cue in _CUES):
        return ()
    shown, series = without_blocks(text), series_of(text)
    start = front.end() if (front := _FRONT.match(shown)) else 0
    headings = list(_HEADING.finditer(shown, start))
    page = _Page(shown, lowered(shown), series, _head_end(shown, start, headings))
    found = [*_fields(page, 0, page.head_end), *_banners(page), *_in_sections(page, headings)]
    found += marks_in_sentences(text, without_quotations(shown), series, page.head_end)
    found.sort(key=lambda mark: (mark.start, mark.stop))
    by_another = any(mark.kind is MarkKind.SUPERSEDED_BY and mark.targets for mark in found)
    kept: dict[tuple[MarkKind, tuple[str, ...]], Mark] = {}
    for mark in found:
        if mark.targets or mark.kind is not MarkKind.SUPERSEDED_BY or not by_another:
            kept.setdefault((mark.kind, mark.targets), mark)
    return tuple(kept.values())


def _banners(page: _Page) -> Iterator[Mark]:
    """A line by itself at the head, `**Superseded by ADR-5**`, and the same in brackets in the title."""
    for banner in _BANNER.finditer(page.low, 0, page.head_end):
        found = PREDICATE.match(page.low, banner.end())
        mark = found and mark_at(page.shown, found, found.start(), page.series, field=False)
        if mark is None:
            continue
        named = documents_named(page.shown[mark.start : mark.stop])
        if named or (mark.kind is not MarkKind.SUPERSEDES and _NOTHING_MORE.match(page.shown, mark.stop)):
            yield mark


def _in_sections(page: _Page, headings: list[re.Match[str]]) -> Iterator[Mark]:
    """What the sections for status, and those for references and history, say."""
    for place, heading in enumerate(headings):
        title = heading["title"] or heading["over"] or ""
        stop = headings[place + 1].start() if place + 1 < len(headings) else len(page.shown)
        if _STATUS_SECTION.fullmatch(title):
            yield from _clauses(page, heading.end(), stop)
        elif _FIELD_SECTION.fullmatch(title) and heading.end() >= page.head_end:
            yield from _fields(page, heading.end(), stop)


def _head_end(shown: str, start: int, headings: list[re.Match[str]]) -> int:
    end = start
    for _ in range(_HEAD_LINES_MAX):
        end = shown.find("\n", end) + 1
        if not end:
            end = len(shown)
            break
    inner = [heading.start() for heading in headings if len(heading["level"] or "##") > 1 and heading.start() > start]
    return min([end, *inner[:1]])


def _fields(page: _Page, start: int, stop: int) -> Iterator[Mark]:
    """`Superseded-By: 12`, `replaces: [...]`, and at the head of a document its `Status:` and `retired: 2024-03-04`."""
    head = start < page.head_end
    for line in _FIELD.finditer(page.shown, start, stop):
        group = "value" if line["key"] else "cell"
        key = re.sub(r"[ _-]", "", line["key"] or line["column"]).casefold()
        value = _COLUMNS.split(line[group])[0] if line[group] else line["items"] or ""
        if _TEMPLATE.search(value):
            continue
        if (kind := _RELATIONS.get(key)) and not _IF.search(value):
            targets = documents_named(value, page.series, numbers=head)
            title = "" if targets else title_named(value)
            if targets or title:
                yield Mark(kind, targets or (title,), line.start(), line.end())
        elif head and key in _STATUS and line[group]:
            yield from _clauses(page, *line.span(group))
        elif head and key in _GONE and _YES.match(value):
            yield Mark(MarkKind.RETIRED, (), line.start(), line.end())


def _clauses(page: _Page, start: int, stop: int) -> Iterator[Mark]:
    """The predicates that stand alone in a status: `Superseded by ADR-5`, `final; replaces ADR-2`, `Deprecated`."""
    for found in PREDICATE.finditer(page.low, start, stop):
        line = max(start, page.shown.rfind("\n", start, found.start()) + 1)
        end = page.shown.find("\n", found.end(), stop)
        before = page.shown[line : found.start()]
        if not _CLAUSE.search(before) or _TEMPLATE.search(page.shown, line, end if end >= 0 else stop):
            continue
        if mark := mark_at(page.shown, found, found.start(), page.series, field=True):
            yield mark
