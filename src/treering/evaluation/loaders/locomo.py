"""LoCoMo: ten long conversations of two people, in its original schema, with the evidence as an audit corrected it.

A pool is one conversation, a record one turn; what a turn shows (`blip_caption`) belongs to its text. The file dates
sessions, not turns: turns are put one second apart, in order. Categories 1 to 4 are the papers' 1,540 questions; the
fifth, adversarial, is reported by itself. Source: Maharana et al. 2024, snap-research/locomo.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NotRequired, TypedDict

from treering.errors import UnreadableInput
from treering.evaluation.benchmark import Benchmark, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, existing, json_file, missing, objects, strings, word

__all__ = ["AuditRow", "LocomoQuestion", "LocomoTurn", "load"]

LAYOUT = "locomo10.json (a list of samples with conversation and qa); beside it, if there is one, audit_errors.json"
ORIGIN = "https://github.com/snap-research/locomo (data/locomo10.json); the audit: dial481/locomo-audit"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = CATEGORIES[5]

_SESSION = re.compile(r"session_([0-9]+)")
_REFERENCE = re.compile(r"D:?([0-9]+):([0-9]+)")  # also "D:11:26" and "D30:05", which the file has


class LocomoTurn(TypedDict):
    """One turn of `conversation.session_N`."""

    speaker: str
    dia_id: str  # "D3:12": session, turn
    text: str
    blip_caption: NotRequired[str]


class LocomoQuestion(TypedDict):
    """One entry of `qa`."""

    question: str
    evidence: list[str]  # dia_ids, some misspelt or several in one string
    category: int
    answer: NotRequired[str | int]
    adversarial_answer: NotRequired[str]  # the wrong answer that a question of category 5 invites


class AuditRow(TypedDict):
    """One entry of the audit: `locomo_0_qa12` is question 12 of sample 0."""

    question_id: str
    question: str
    correct_evidence: list[str]


def load(folder: Path, *, corrected: bool = True) -> Benchmark:
    """LoCoMo from a folder; with `corrected`, by the audit's evidence where the folder has the audit.

    Raises:
        UnreadableInput: the file is not there, is of another schema, or the audit speaks of other questions.
    """
    path = existing(folder, "locomo10.json")
    if path is None:
        raise missing("LoCoMo", folder, "locomo10.json", LAYOUT, ORIGIN)
    audit_path = existing(folder, "audit_errors.json") if corrected else None
    audit = _audit(json_file(audit_path)) if audit_path else {}
    notes = (f"evidence of {len(audit)} questions as the audit has it",) if audit else ("evidence as published",)
    name = "locomo" if corrected else "locomo-published"
    return Benchmark(name, _pools(json_file(path), audit), ORIGIN, "CC BY-NC 4.0", frozenset({ADVERSARIAL}), notes)


def _audit(value: object) -> dict[str, tuple[str, list[str]]]:
    """Question id -> the question's text, to be sure that it is the same, and its evidence."""
    found = {}
    for row in objects({"audit": value}, "audit", "audit_errors.json", "question_id", "question", "correct_evidence"):
        found[str(row["question_id"])] = str(row["question"]), strings(row, "correct_evidence", "audit_errors.json")
    return found


def _pools(value: object, audit: dict[str, tuple[str, list[str]]]) -> Iterator[Pool]:
    for number, sample in enumerate(objects({"samples": value}, "samples", "locomo10.json", "conversation", "qa")):
        key = word(sample, "sample_id") or f"sample-{number}"
        messages = _messages(as_object(sample["conversation"], f"locomo10.json, {key}"), key)
        if not messages:
            raise UnreadableInput(f"locomo10.json, {key}: a conversation without sessions")
        ids = {str(row["id"]) for row in messages}
        asked_at = (datetime.fromisoformat(messages[-1]["sent_at"]) + timedelta(minutes=1)).isoformat()
        questions, lost = [], 0
        for index, row in enumerate(objects(sample, "qa", key, "question", "category", "evidence")):
            text, cited = str(row["question"]), strings(row, "evidence", f"{key}, question {index}")
            audited = audit.get(f"locomo_{number}_qa{index}")
            if audited is not None:
                if audited[0] != text:
                    raise UnreadableInput(f"audit_errors.json: locomo_{number}_qa{index} is about another question")
                cited = audited[1]
            evidence = _references(cited)
            lost += len(evidence - ids)
            category = CATEGORIES.get(int(str(row["category"])), str(row["category"]))
            questions.append(
                Question(
                    id=f"{key}/{index}",
                    text=text,
                    category=category,
                    asked_at=asked_at,
                    bound=asked_at,
                    evidence=frozenset(evidence & ids),
                    answer=word(row, "answer") or "",
                    abstain=category == ADVERSARIAL,
                )
            )
        notes = (f"{key}: {lost} references to turns that are not there",) if lost else ()
        yield Pool(key, tuple(questions), messages, notes=notes)


def _messages(conversation: dict[str, object], key: str) -> list[MessageRow]:
    numbers = sorted(int(match[1]) for name in conversation if (match := _SESSION.fullmatch(name)))
    rows: list[MessageRow] = []
    last = datetime.min.replace(tzinfo=UTC)
    for number in numbers:
        where = f"{key}, session_{number}"
        at = _moment(word(conversation, f"session_{number}_date_time") or "", where)
        for turn in objects(conversation, f"session_{number}", key, "speaker", "dia_id", "text"):
            at = last = max(at, last + timedelta(seconds=1))
            caption = word(turn, "blip_caption")
            text = str(turn["text"]) + (f"\n[shows: {caption}]" if caption else "")
            rows.append(
                {
                    "id": str(turn["dia_id"]),
                    "sent_at": at.isoformat(),
                    "author": str(turn["speaker"]),
                    "channel": key,
                    "thread": f"session {number}",
                    "text": text,
                }
            )
    return rows


def _moment(text: str, where: str) -> datetime:
    try:
        return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise UnreadableInput(f"{where}: {text!r} is no date of the form '1:56 pm on 8 May, 2023'") from error


def _references(cited: list[str]) -> set[str]:
    """The turns that evidence strings name.

    >>> sorted(_references(["D8:6; D9:17", "D:11:26", "D30:05", "D"]))
    ['D11:26', 'D30:5', 'D8:6', 'D9:17']
    """
    return {f"D{int(match[1])}:{int(match[2])}" for text in cited for match in _REFERENCE.finditer(text)}
