"""What an answer is: text whose citations and quotations were made or checked by code, or a plain "not in the record".

No model is called here, and no prompt is here.
"""

from dataclasses import dataclass
from typing import Final

from treering.model.evidence import Evidence, EvidenceSet
from treering.model.ids import RecordId

__all__ = ["NOT_IN_THE_RECORD", "Answer", "Citation", "Quotation", "citation_of", "searched"]

NOT_IN_THE_RECORD: Final = "Not in the record."


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of evidence that the answer stands on; `[number]` in its text means this one."""

    number: int  # counts the evidence from 1, in its order
    record: RecordId
    source: str
    source_id: str
    text: str  # channel, author, time and the source's own id


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words that the model gave as somebody's own."""

    text: str  # the record's own characters if verified, else the model's
    number: int | None  # of the evidence that has them; None: no evidence that was cited has
    verified: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question, from evidence alone."""

    text: str
    citations: tuple[Citation, ...]  # in order of their numbers; none where nothing supports an answer
    quotations: tuple[Quotation, ...]  # in order; the text holds the verified ones only
    supported: bool
    searched: str  # bounds, profile, and how much was looked at
    model: str  # address and model, or the name of the rules that stood in for one
    prompt_hash: str  # of the exact prompt; empty where no model was asked
    tokens: int  # that the model read and wrote
    notes: tuple[str, ...] = ()  # what the reader must know: what was left out, and why


def citation_of(number: int, item: Evidence) -> Citation:
    """The citation of a piece of evidence, made from the evidence and from nothing else."""
    return Citation(number, item.record, item.source, item.source_id, item.citation)


def searched(evidence: EvidenceSet) -> str:
    """What was searched for an answer, in words: they stand where there is none."""
    seen = evidence.trace[0].seen if evidence.trace else len(evidence)
    bounds = evidence.bounds
    parts = [f"Searched with profile {evidence.profile}: {len(evidence)} of {seen} ranked records looked at"]
    if bounds.get("as_of"):
        parts.append(f"as of {bounds['as_of']}")
    if bounds.get("known_at"):
        parts.append(f"as known at {bounds['known_at']}")
    if bounds.get("viewer"):
        parts.append(f"seen by {bounds['viewer']}")
    if bounds.get("asker"):
        parts.append(f"asked by {bounds['asker']}")
    return ", ".join(parts) + "."
