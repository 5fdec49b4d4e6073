"""Questions with labelled evidence over an organization's own chats or documents, in one small schema.

A folder holds `questions.jsonl` and the corpus beside it, `messages.jsonl` or `documents.jsonl` or both, each plain or
gzipped and in the form that `treering add` reads. Any such folder can be measured, under any name.
"""

from pathlib import Path
from typing import NotRequired, TypedDict, cast

from treering.evaluation.benchmark import Benchmark, DocumentRow, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, existing, json_lines, missing, strings, word

__all__ = ["EvidenceQuestionRow", "load"]

LAYOUT = (
    "questions.jsonl with id, category, question, asker, asked_at, as_of, answer, evidence, supporting, stale;"
    " beside it messages.jsonl (id, sent_at, author, channel, thread, reply_to, refs, mentions, text)"
    " or documents.jsonl (id, doc, version, dated, author, kind, org, title, text), each also as .gz"
)
ORIGIN = "the archive or the documents that the questions were written for"


class EvidenceQuestionRow(TypedDict):
    """One line of `questions.jsonl`."""

    id: str | int
    category: str
    question: str
    evidence: list[str | int]  # empty: the corpus does not say
    asker: NotRequired[str | None]
    asked_at: NotRequired[str | None]
    as_of: NotRequired[str | None]
    answer: NotRequired[str]
    supporting: NotRequired[list[str | int]]
    stale: NotRequired[list[str | int]]


def load(folder: Path, name: str = "evidence", origin: str = ORIGIN, licence: str = "see its source") -> Benchmark:
    """The benchmark in a folder.

    Raises:
        UnreadableInput: a file is not there, or is of another schema.
    """
    path = existing(folder, "questions.jsonl")
    if path is None:
        raise missing(name, folder, "questions.jsonl", LAYOUT, origin)
    messages, documents = existing(folder, "messages.jsonl"), existing(folder, "documents.jsonl")
    if messages is None and documents is None:
        raise missing(name, folder, "messages.jsonl or documents.jsonl", LAYOUT, origin)
    pool = Pool(
        key=name,
        questions=tuple(_question(row, where) for where, row in json_lines(path)),
        messages=_messages(messages) if messages else (),
        documents=_documents(documents) if documents else (),
    )
    return Benchmark(name, (pool,), origin, licence)


def _question(row: dict[str, object], where: str) -> Question:
    as_object(row, where, "id", "category", "question", "evidence")
    asked_at = word(row, "asked_at")
    evidence = frozenset(strings(row, "evidence", where))
    return Question(
        id=str(row["id"]),
        text=str(row["question"]),
        category=str(row["category"]),
        asker=word(row, "asker"),
        asked_at=asked_at,
        bound=word(row, "as_of") or asked_at,
        evidence=evidence,
        supporting=frozenset(strings(row, "supporting", where)),
        stale=frozenset(strings(row, "stale", where)),
        answer=word(row, "answer") or "",
        abstain=not evidence,
    )


def _messages(path: Path) -> list[MessageRow]:
    return [
        cast(MessageRow, as_object(row, where, "id", "sent_at", "channel", "text")) for where, row in json_lines(path)
    ]


def _documents(path: Path) -> list[DocumentRow]:
    return [cast(DocumentRow, as_object(row, where, "id", "doc", "text")) for where, row in json_lines(path)]
