"""Evidence as a search gives it, made by hand."""

from datetime import UTC, datetime
from typing import Any

from treering.answers.answer import Answer
from treering.answers.answering import stream_answer
from treering.model.evidence import Evidence, EvidenceSet, Header, Stage, StageTrace
from treering.model.ids import RecordId
from treering.models.generator import Generator
from treering.text.tokens import estimate_tokens

QUESTION = "When do we ship DOC-042?"
TALK = (
    "Need QA sign-off before release of DOC-042.",
    "We ship Friday,\n  not Monday. Bob signed.",
    "The importer is “unapproved” so far; see https://wiki.example/import.",
)


def item(number: int, text: str, **more: Any) -> Evidence:
    fields: dict[str, Any] = {
        "record": RecordId(100 + number),
        "source": "slack",
        "source_id": f"C1/{number}",
        "version": 1,
        "kind": "message",
        "channel": "#release",
        "thread": None,
        "author": "Bob",
        "valid_from": datetime(2025, 12, number % 28 + 1, 9, 30, tzinfo=UTC),
        "text": text,
        "spans": ((0, len(text)),),
        "tokens": estimate_tokens(text),
        "state": "current",
        "stage": Stage.RANK,
        "score": 1.0 / number,
        "why": "rank",
    }
    return Evidence(**(fields | more))


def found(*texts: str, question: str = QUESTION, headers: tuple[Header, ...] = (), **more: Any) -> EvidenceSet:
    items = tuple(item(number, text) for number, text in enumerate(texts, 1))
    fields: dict[str, Any] = {
        "question": question,
        "profile": "treering",
        "bounds": {
            "as_of": "2025-12-24T23:59:59+00:00",
            "known_at": None,
            "viewer": "ana",
            "asker": None,
            "zone": "UTC",
        },
        "items": items,
        "headers": headers,
        "tokens": sum(one.tokens for one in items),
        "trace": (StageTrace(Stage.RANK, 143, ()),),
    }
    return EvidenceSet(**(fields | more))


def streamed(evidence: EvidenceSet, model: Generator, **more: int) -> tuple[list[str], Answer]:
    pieces: list[str] = []
    stream = stream_answer(evidence, model, **more)
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value
