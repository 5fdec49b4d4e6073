"""An answer without a model: the sentences of the best evidence that share most with the question, and whose they are.

It says that it is no more than that. Whether it answers the question is for the reader to see.
"""

import re
from dataclasses import dataclass
from typing import Final

from treering.answers.answer import Answer, Quotation, citation_of, searched
from treering.answers.answering import no_answer
from treering.model.evidence import Evidence, EvidenceSet
from treering.text.analysis import analyze, analyze_query
from treering.text.inert import inert
from treering.text.sentences import sentences

__all__ = ["EXTRACTIVE", "extractive_answer"]

EXTRACTIVE: Final = "extractive-1"
PIECES_MAX: Final = 10  # of evidence, from the top, that are read
SENTENCES_MAX: Final = 5  # that are shown
SENTENCES_EACH_MAX: Final = 2  # of one record
_READ_MAX: Final = 200  # sentences of one record
_CHARS_MAX: Final = 400  # of one sentence
_LEAD: Final = "No model was asked. The records found say, nearest to the question first:"
_BLANKS: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Sentence:
    number: int  # of its evidence
    place: int
    text: str
    shared: int  # different words of the question


def extractive_answer(evidence: EvidenceSet) -> Answer:
    """The best sentences of the top evidence with their dates and authors; "not in the record" where there is none."""
    chosen = _chosen(evidence)
    if not chosen:
        return no_answer(evidence, EXTRACTIVE)
    lines = [_line(one, evidence.items[one.number - 1]) for one in chosen]
    numbers = sorted({one.number for one in chosen})
    return Answer(
        text="\n".join((_LEAD, *lines)),
        citations=tuple(citation_of(number, evidence.items[number - 1]) for number in numbers),
        quotations=tuple(Quotation(_shown(one.text), one.number, verified=True) for one in chosen),
        supported=True,
        searched=searched(evidence),
        model=EXTRACTIVE,
        prompt_hash="",
        tokens=0,
        notes=evidence.notes,
    )


def _chosen(evidence: EvidenceSet) -> list[_Sentence]:
    """Those that share most words with the question; equal ones by rank. One that shares none stands for its record."""
    terms = frozenset(analyze_query(evidence.question))
    found: list[_Sentence] = []
    for number, item in enumerate(evidence.items[:PIECES_MAX], 1):
        read = [one for one in sentences(item.text)[:_READ_MAX] if any(sign.isalnum() for sign in one)]
        if not read:
            read = [item.text.strip()] if item.text.strip() else []
        of_item = [_Sentence(number, at, one, len(terms.intersection(analyze(one)))) for at, one in enumerate(read)]
        found += sorted(of_item, key=lambda one: -one.shared)[:SENTENCES_EACH_MAX]
    best = sorted(found, key=lambda one: (-one.shared, one.number, one.place))[:SENTENCES_MAX]
    return [one for one in best if one.shared] or best[:1]


def _line(one: _Sentence, item: Evidence) -> str:
    who = inert(_BLANKS.sub(" ", item.author)) or "nobody named"
    where = inert(_BLANKS.sub(" ", item.channel))
    return f'- {who}, {where}, {item.valid_from:%Y-%m-%d %H:%M} UTC: "{_shown(one.text)}" [{one.number}]'


def _shown(sentence: str) -> str:
    """A sentence on one line, cut between words where it is too long."""
    text = inert(_BLANKS.sub(" ", sentence).strip())
    if len(text) <= _CHARS_MAX:
        return text
    return text[:_CHARS_MAX].rsplit(" ", 1)[0]
