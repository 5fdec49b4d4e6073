"""The predicates of supersession, "superseded by X", "replaces X", "retired", and what follows them."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from treering.text.named_documents import DOCUMENT_NOUN, documents_named, title_named, without_links

__all__ = ["PREDICATE", "Mark", "MarkKind", "mark_at"]


class MarkKind(StrEnum):
    """What a document states of itself."""

    SUPERSEDED_BY = "superseded_by"
    SUPERSEDES = "supersedes"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Mark:
    """One statement, and the half-open range of characters that makes it."""

    kind: MarkKind
    targets: tuple[str, ...]  # the other documents, each once, as they are named; may be empty
    start: int
    stop: int


_S: Final = r"\s{1,20}"  # a sentence may be wrapped and indented
PREDICATE: Final = re.compile(
    rf"\b(?=[acdmnorsw])(?:(?P<by>(?:super[sc]eded|replaced|obsoleted|(?:made|rendered){_S}obsolete)"
    rf"(?:{_S}on{_S}[0-9][\w /-]{{3,20}}?)?{_S}by)"
    rf"|(?P<of>(?:super[sc]edes?|replaces?|obsoletes|rescinds?|cancels?|revokes?|repeals?)(?:{_S}and{_S}replaces?)?)"
    rf"|(?P<ended>super[sc]eded)"
    rf"|(?P<gone>deprecated|retired|withdrawn|obsolete|rescinded|revoked|repealed|archived"
    rf"|no{_S}longer{_S}(?:in{_S}(?:force|effect|use)|valid|applicable|current|appl(?:ies|y))))\b"
)
"""To be looked for in lower case."""
_IN_FAVOUR: Final = re.compile(
    rf"(?:,?{_S}(?:and|it|is|was|has|been|now|by{_S}(?:its|the){_S}authors?|on{_S}[0-9][\w /-]{{3,20}})){{0,5}}"
    rf",?{_S}(?:in{_S}favou?r{_S}of|(?:super[sc]eded|replaced){_S}by)\b",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    rf"(?P<asked>\?)|[.!;](?=\s|[\"'*_)\]]|\Z)|\n[ \t]{{0,20}}\n|\n[ \t]{{0,8}}[-*+#|]|\s[—–-]\s"
    rf"|[,\s(]\s{{0,20}}(?P<condition>if|when|unless|until|once|where|whenever|as{_S}soon{_S}as|should)\b"
    r"|[,\s(]\s{0,20}(?:with|which|that|because|since|effective|as|so|see|but|for{_S}the)\b"
    rf"|,?{_S}and{_S}(?:is|are|was|has|have|will|shall|must|should|applies|apply|takes|comes|sets|describes|defines|adds)\b",
    re.IGNORECASE,
)
_PARTLY: Final = re.compile(
    rf"\s{{0,20}}(?:the{_S})?(?:parts?|portions?|sections?|paragraphs?|clauses?|chapters?|some|use|need)\b",
    re.IGNORECASE,
)
_IN_PART: Final = re.compile(rf"{_S}(?:in{_S}part|partly|partially|only|for|to{_S}the{_S}extent)\b", re.IGNORECASE)
_SOME: Final = re.compile(r"\s{0,20}(?:an?|another|any|every|each)\b", re.IGNORECASE)
_A_DOCUMENT: Final = re.compile(rf"\b{DOCUMENT_NOUN}\b", re.IGNORECASE)
_OBJECT_CHARS: Final = 300


def mark_at(text: str, found: re.Match[str], start: int, series: str, *, field: bool) -> Mark | None:
    """The mark that a predicate makes; None under a condition, in a question, or where it names only a part.

    Args:
        text: the document, whole.
        found: a match of `PREDICATE`, in the text in lower case.
        start: where the statement begins, its subject included.
        series: what the document itself is numbered in.
        field: whether it stands in a field or status section, where a bare number or any title names a document.
    """
    kind, stop = found.lastgroup, found.end()
    following = text[stop : stop + _OBJECT_CHARS]
    if field:  # a field ends with its line; what replaces it may stand below
        here, *below = following.split("\n", 2)
        following = here if here.strip() or kind == "gone" else "\n".join([here, *below[:1]])
    if kind == "gone" and (favour := _IN_FAVOUR.match(following)):
        kind, stop, following = "by", stop + favour.end(), following[favour.end() :]
    end = _ENDS.search(without_links(following))
    if end and (end["asked"] or end["condition"]):
        return None
    close = stop + (end.start() if end else len(following))
    if kind in ("gone", "ended"):
        if _IN_PART.match(following):
            return None
        return Mark(MarkKind.RETIRED if kind == "gone" else MarkKind.SUPERSEDED_BY, (), start, found.end())
    phrase = text[stop:close]
    if _PARTLY.match(phrase):
        return None
    targets = documents_named(phrase, series, numbers=field)
    if not targets and not _SOME.match(phrase) and (field or _A_DOCUMENT.search(phrase)):
        title = title_named(phrase)
        targets = (title,) if title else ()
    if kind == "of":
        return Mark(MarkKind.SUPERSEDES, targets, start, close) if targets else None
    return Mark(MarkKind.SUPERSEDED_BY, targets, start, close)
