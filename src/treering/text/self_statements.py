"""Sentences in which a document speaks of itself: "This policy replaces DOC-041", "this page has been retired".

The document must be the grammatical subject, at the start of a sentence, so that reports ("we heard that this policy is
superseded"), conditions and plans are none.
"""

import re
from collections.abc import Iterator
from typing import Final

from treering.text.casing import lowered
from treering.text.identifiers import identifiers
from treering.text.marks import PREDICATE, Mark, mark_at
from treering.text.named_documents import DOCUMENT_NOUN

__all__ = ["marks_in_sentences"]

_S: Final = r"\s{1,20}"
_ADVERB: Final = "now|hereby|also|fully|formally|officially|entirely|completely|permanently|wholly|thus|since|already"
_ADVERBS: Final = rf"(?:(?:{_ADVERB}){_S}){{0,2}}"
_NO_WORD: Final = (
    rf"(?!(?:{DOCUMENT_NOUN}|of|the|that|how|is|are|was|in|on|to|by|for|which|when|or|if|section|part|rule)\b)"
)
_SELF: Final = (
    rf"(?:\b(?:this|these|the{_S}present){_S}(?:(?:version|edition|revision){_S}of{_S}(?:the|this|our){_S})?"
    rf"(?:{_NO_WORD}[\w&’'/-]{{1,24}}{_S}){{0,3}}{DOCUMENT_NOUN}(?:\s?\([^()\n]{{1,40}}\))?"
    rf"|(?P<own>[A-Za-z]{{2,10}}[ -]?[0-9]{{1,7}})){_S}"
)
_SUBJECT: Final = re.compile(rf"{_SELF}{_ADVERBS}\Z", re.IGNORECASE)
_SUBJECT_BE: Final = re.compile(rf"{_SELF}(?:is|are|was|were|(?:has|have|had){_S}been){_S}{_ADVERBS}\Z", re.IGNORECASE)
_SUBJECT_CHARS: Final = 240
_STARTS: Final = re.compile(
    r"(?:\A|[.!?](?=\s)|::|\n\s*\n|(?:\A|\n)[ \t]{0,8}(?:[-*+•]|[0-9]{1,3}[.)])[ \t]"
    r"|\b(?:note|important|warning|notice|caution|attention|update|deprecated|status|remark|retired|obsolete)[*_]{0,3}:)"
    r"[\s*_]{0,30}"
    r"(?:(?:(?:please )?note(?: that)?|(?:as of|effective|from|since|on|with effect from)\b[^,.\n]{0,50}),?\s{1,20})?"
    r"[*_]{0,3}\Z",
    re.IGNORECASE,
)
_START_CHARS: Final = 120
_TITLE: Final = re.compile(r"#\s|title:|[A-Za-z]{2,5}:\s*[0-9]", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\A([A-Za-z]{2,5}):\s*([0-9]+).*")
_OWN_CHARS: Final = 2_000
_OWN_LINES_MAX: Final = 2
_WEAK: Final = re.compile(  # of these a text may well mean another one
    r"\b(?:proposals?|decisions?|resolutions?|versions?|editions?|plans?|statements?|reports?|agreements?"
    r"|specifications?|specs?|clarifications?|notices?|terms|instructions?|drafts?|summar(?:y|ies))\s",
    re.IGNORECASE,
)


def marks_in_sentences(text: str, shown: str, series: str, head_end: int) -> Iterator[Mark]:
    """The marks that sentences make.

    Args:
        text: the document, whole.
        shown: the same without code and quotations, place for place.
        series: what the document itself is numbered in.
        head_end: where its head ends; further down "this decision" may well be another document.
    """
    own = set(identifiers(_own_line(text)))
    for found in PREDICATE.finditer(lowered(shown)):
        bare = found.lastgroup == "of" or found[0][-2:] in ("es", "ly")
        pattern = _SUBJECT if bare else _SUBJECT_BE
        subject = pattern.search(shown, max(0, found.start() - _SUBJECT_CHARS), found.start())
        if subject is None or not _STARTS.search(shown, max(0, subject.start() - _START_CHARS), subject.start()):
            continue
        if subject["own"] and own.isdisjoint(identifiers(subject["own"])):
            continue
        if found.lastgroup in ("gone", "ended") and subject.start() > head_end and _WEAK.search(subject[0]):
            continue
        if mark := mark_at(text, found, subject.start(), series, field=False):
            yield mark


def _own_line(text: str) -> str:
    """The first heading or title of a document, and its number, where it may give its own identifier."""
    lines = [line for line in text[:_OWN_CHARS].splitlines() if _TITLE.match(line)]
    return "\n".join(_NUMBERED.sub(r"\1 \2", line) for line in lines[:_OWN_LINES_MAX])
