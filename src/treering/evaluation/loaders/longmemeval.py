"""LongMemEval: one user's sessions with an assistant, in its original schema; every question has its own haystack.

A pool is one haystack. By turn, a record is one turn, needed where the file marks it `has_answer`; by session, a record
is a whole session, needed where `answer_session_ids` names it. Questions whose id ends in `_abs` have no answer in
their haystack, and are left out of retrieval figures as the authors leave them out. Source: Wu et al. 2025.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NotRequired, TypedDict

from treering.errors import UnreadableInput
from treering.evaluation.benchmark import Benchmark, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, existing, json_items, missing, objects, strings, word

__all__ = ["LongMemEvalQuestion", "LongMemEvalTurn", "load"]

LAYOUT = "longmemeval_s.json (or longmemeval_s_cleaned.json), or longmemeval_oracle.json: a JSON array; also as .gz"
ORIGIN = "https://huggingface.co/datasets/xiaowu0162/longmemeval (and longmemeval-cleaned)"
FILES = {
    "s": ("longmemeval_s_cleaned.json", "longmemeval_s.json", "longmemeval_single.json"),
    "oracle": ("longmemeval_oracle.json",),
}
ABSTAIN = "_abs"

_DATE = re.compile(r"([0-9]{4})/([0-9]{2})/([0-9]{2})[^0-9]+([0-9]{2}):([0-9]{2})")


class LongMemEvalTurn(TypedDict):
    """One turn of a session."""

    role: str  # user or assistant
    content: str
    has_answer: NotRequired[bool]


class LongMemEvalQuestion(TypedDict):
    """One question with its haystack."""

    question_id: str
    question_type: str
    question: str
    answer: str | int
    question_date: str  # "2023/05/30 (Tue) 23:40"
    haystack_dates: list[str]
    haystack_session_ids: list[str]
    haystack_sessions: list[list[LongMemEvalTurn]]
    answer_session_ids: list[str]


def load(folder: Path, *, haystack: str = "s", by_session: bool = False) -> Benchmark:
    """LongMemEval from a folder: `haystack` is "s" (about 48 sessions) or "oracle" (those with evidence alone).

    Raises:
        UnreadableInput: the file is not there, or is of another schema.
    """
    path = existing(folder, *FILES[haystack])
    name = f"longmemeval-{haystack}{'-sessions' if by_session else ''}"
    if path is None:
        raise missing(name, folder, FILES[haystack][0], LAYOUT, ORIGIN)
    pools = (_pool(row, where, by_session) for where, row in json_items(path))
    return Benchmark(name, pools, ORIGIN, "MIT")


def _pool(row: dict[str, object], where: str, by_session: bool) -> Pool:
    as_object(row, where, *LongMemEvalQuestion.__required_keys__)
    key = str(row["question_id"])
    records: list[MessageRow] = []
    answering: set[str] = set()
    for name, date, turns in _sessions(row, where):
        at = _moment(date, where)
        if by_session:
            text = "\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)
            records.append(_record(name, at, "user", name, text) | {"kind": "document"})
            continue
        for number, turn in enumerate(turns):
            turn_id = f"{name}/{number}"
            moment = at + timedelta(seconds=number)
            records.append(_record(turn_id, moment, str(turn["role"]), name, str(turn["content"])))
            if turn.get("has_answer"):
                answering.add(turn_id)
    abstain = key.endswith(ABSTAIN)
    evidence = set(strings(row, "answer_session_ids", where)) if by_session else answering
    known = {str(record["id"]) for record in records}
    asked_at = _moment(str(row["question_date"]), where)
    question = Question(
        id=key,
        text=str(row["question"]),
        category=str(row["question_type"]),
        asker=None if by_session else "user",
        asked_at=asked_at.isoformat(),
        bound=(asked_at + timedelta(seconds=59)).isoformat(),  # written to the minute
        evidence=frozenset() if abstain else frozenset(evidence & known),
        answer=word(row, "answer") or "",
        abstain=abstain,
    )
    return Pool(key, (question,), records)


def _sessions(row: dict[str, object], where: str) -> Iterator[tuple[str, str, list[dict[str, object]]]]:
    """Name, date and turns of each session; a name that comes again gets a number."""
    names, dates = strings(row, "haystack_session_ids", where), strings(row, "haystack_dates", where)
    sessions = row["haystack_sessions"]
    if not isinstance(sessions, list) or not len(names) == len(dates) == len(sessions):
        raise UnreadableInput(f"{where}: sessions, their ids and their dates differ in number")
    seen: Counter[str] = Counter()
    for name, date, turns in zip(names, dates, sessions, strict=True):
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
        yield unique, date, objects({"turns": turns}, "turns", f"{where}, session {name}", "role", "content")


def _record(record_id: str, at: datetime, author: str, session: str, text: str) -> MessageRow:
    return {
        "id": record_id,
        "sent_at": at.isoformat(),
        "author": author,
        "channel": "assistant",
        "thread": session,
        "text": text,
    }


def _moment(text: str, where: str) -> datetime:
    found = _DATE.fullmatch(text.strip())
    if found is None:
        raise UnreadableInput(f"{where}: {text!r} is no date of the form '2023/05/30 (Tue) 23:40'")
    year, month, day, hour, minute = map(int, found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC)
