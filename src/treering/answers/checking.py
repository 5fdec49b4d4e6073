"""Checking what a model wrote against the evidence it was given, sentence by sentence.

Numbers that no evidence has are dropped. Quoted words must stand in a record that their sentence cites, whatever the
case, white space and style of marks, and are then shown in the record's own characters; a sentence that quotes other
words, or gives an address that no record has, goes. A paraphrase is not checked: no rule could.
"""

import re
from collections.abc import Sequence
from typing import Final

from treering.answers.answer import NOT_IN_THE_RECORD, Quotation
from treering.answers.claims import Quoted, marks, quoted
from treering.answers.verbatim import verbatim
from treering.model.evidence import Evidence
from treering.text.inert import inert

__all__ = ["Checker"]

_URL: Final = re.compile(r"https?://[^\s<>\"'”’)\]】]+")
_WORD: Final = re.compile(r"\w")
_QUOTE_LINE: Final = re.compile(r"^([ \t]*)>+[ \t]?", re.MULTILINE)
_TELL: Final = r"(?:say|state|mention|contain|tell|include|specify|show|provide|indicate|give|answer|name|explain)"
_CANNOT_TELL: Final = re.compile(
    rf"\b{re.escape(NOT_IN_THE_RECORD[:-1])}\b"
    r"|\b(?:the|these|those|given|provided|available|above)\s+(?:records?|evidence|context|excerpts?|information)\s+"
    rf"(?:do(?:es)?\s+not|did\s+not|don't|doesn't|cannot|can't)\s+(?:\w+\s+)?{_TELL}"
    r"|\b(?:provided|given)\s+(?:messages?|documents?|texts?)\s+(?:do(?:es)?\s+not|don't|doesn't)\b"
    r"|\bnone\s+of\s+the\s+(?:\w+\s+)?records\b"
    r"|\b(?:there\s+is|have|has|find|found|see|contains?)\s+(?:no|insufficient|not\s+enough)\s+(?:\w+\s+)?"
    r"(?:information|mention|evidence|indication|record)\b"
    r"|\bnot\s+(?:\w+\s+)?(?:mentioned|stated|specified|given|available)\s+in\s+(?:the|any|these)\s+(?:\w+\s+)?records?\b"
    r"|\bI\s+(?:do\s+not|don't|cannot|can't|could\s+not|couldn't)\s+(?:know|tell|determine|answer|find|say)\b"
    r"|\b(?:not\s+possible|impossible)\s+to\s+(?:tell|determine|answer|say)\b",
    re.IGNORECASE,
)


class Checker:
    """Takes a reply's sentences in order, gives back what may be shown of each, and remembers what stood and what fell.

    Args:
        items: The evidence that was given; number n is the n-th of them.
    """

    def __init__(self, items: Sequence[Evidence]) -> None:
        self.quotations: list[Quotation] = []
        self.numbers: set[int] = set()  # that sentences kept cite, if they claim anything
        self._items = items
        self._unknown: set[int] = set()
        self._removed: list[str] = []
        self._uncited = 0
        self._shown_last = "\n"

    @property
    def supported(self) -> bool:
        """Whether anything so far is claimed, and cited."""
        return bool(self.numbers)

    def check(self, claim: str) -> str:
        """The sentence as it may be shown; empty, or the line end behind it, if it may not."""
        claim = _QUOTE_LINE.sub(r"\1", claim)
        cited = [n for mark in marks(claim) for n in mark.numbers]
        self._unknown.update(n for n in cited if not self._is_given(n))
        known = list(dict.fromkeys(n for n in cited if self._is_given(n)))
        quotations = [(one, self._stand(one, known)) for one in quoted(claim)]
        self.quotations += [found for _, found in quotations]
        wrong = [f'"{inert(found.text)}"' for _, found in quotations if not found.verified]
        wrong += [inert(url) for url in map(_bare, _URL.findall(claim)) if not self._is_address(url)]
        self._removed += wrong
        said_by = {found.number: None for _, found in quotations if found.number not in (None, *known)}
        if wrong:
            shown = claim[len(claim.rstrip()) :]
            shown = shown if "\n" in shown and not self._shown_last.endswith("\n") else ""
        else:
            shown = self._shown(claim, [(one, found.text) for one, found in quotations], [n for n in said_by if n])
            self._count(claim, [*known, *(n for n in said_by if n)])
        self._shown_last = shown or self._shown_last
        return shown

    def notes(self) -> tuple[str, ...]:
        """What was left out, for the reader."""
        notes = []
        if self._unknown:
            numbers = ", ".join(f"[{number}]" for number in sorted(self._unknown))
            notes.append(f"the model cited {numbers}, which no evidence has: dropped")
        if self._removed:
            notes.append(
                "left out, for they quote words or give addresses that the cited records do not have, the sentences"
                f" with {'; '.join(self._removed)}"
            )
        if self.supported and self._uncited:
            notes.append(f"sentences that cite no record: {self._uncited}")
        return tuple(notes)

    def _count(self, claim: str, numbers: Sequence[int]) -> None:
        if _CANNOT_TELL.search(claim):
            return
        self.numbers.update(numbers)
        if not numbers and _WORD.search(claim) and not claim.rstrip().endswith(":"):  # which only leads to a list
            self._uncited += 1

    def _is_given(self, number: int) -> bool:
        return 1 <= number <= len(self._items)

    def _is_address(self, url: str) -> bool:
        return any(url in item.text for item in self._items)

    def _stand(self, one: Quoted, known: Sequence[int]) -> Quotation:
        """The quotation in a record's own characters: of one that its sentence cites, or of any if it cites none."""
        for number in known or range(1, len(self._items) + 1):
            text = self._items[number - 1].text
            words = verbatim(one.text, text) or verbatim(one.text, inert(text))
            if words:
                return Quotation(inert(words), number, verified=True)
        return Quotation(one.text.strip(), None, verified=False)

    def _shown(self, claim: str, quotations: Sequence[tuple[Quoted, str]], said_by: Sequence[int]) -> str:
        """The sentence with the records' own words in its quotations, and numbers of given records in its brackets."""
        edits = [(one.start, one.stop, _requoted(claim, one, words)) for one, words in quotations]
        for mark in marks(claim):
            kept = "".join(f"[{number}]" for number in mark.numbers if self._is_given(number))
            blank = claim[mark.start : mark.stop].startswith((" ", "\t"))
            edits.append((mark.start, mark.stop, f" {kept}" if kept and blank else kept))
        for start, stop, new in sorted(edits, reverse=True):
            claim = claim[:start] + new + claim[stop:]
        if said_by:
            body = claim.rstrip()
            claim = body + " " + "".join(f"[{number}]" for number in said_by) + claim[len(body) :]
        return inert(claim)


def _bare(url: str) -> str:
    return url.rstrip(".,;:!?*_")


def _requoted(claim: str, one: Quoted, words: str) -> str:
    """The quotation with these words; a stop that the record does not have goes behind the closing mark."""
    opened = claim[one.start]
    closed = claim[one.stop - 1] if one.stop > one.start + 1 + len(one.text) else {"“": "”"}.get(opened, opened)
    said = one.text.strip()
    stop = said[-1:] if said[-1:] in ".,;:!?" and words[-1:] != said[-1:] else ""
    following = claim[one.stop : one.stop + 1]
    return f"{opened}{words}{closed}" + (stop if following not in (".", ",", ";", ":", "!", "?") else "")
