"""Memora: what a person tells an assistant in a week, with things taken back or changed, in its original schema.

A pool is one persona, a record one whole session. Needed are the sessions that `memory_evidence` names anywhere; stale
are those that `forgetting_evidence` names and that are not needed as well. Sessions are dated by the day: they are put
one minute apart within it, in order of their number. Source: Uddin et al. 2026 (arXiv:2604.20006), genies.
"""

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from treering.errors import UnreadableInput
from treering.evaluation.benchmark import Benchmark, Facet, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, json_file, missing, objects, word

__all__ = ["MemoraQuestion", "MemoraSession", "load"]

LAYOUT = (
    "data/weekly/PERSONA/evaluation_questions_PERSONA.json and data/weekly/PERSONA/conversations/session_NNNN.json,"
    " as folders or within memora_weekly.tar.gz"
)
ORIGIN = "https://arxiv.org/abs/2604.20006 (the repository that it names)"
NOTE = (
    "forgetting_evidence names, but for a few, the session that took a thing back or changed it, not the one that had"
    " said it before: a system that ranks it high may well know better. Read `stale` with that in mind"
)


class MemoraSession(TypedDict):
    """One `session_NNNN.json`."""

    session_id: int
    date: str  # "2025-06-01"
    conversation: list[dict[str, object]]  # turn, speaker, message, share_memory


class MemoraQuestion(TypedDict):
    """One question; `memory_evidence` nests differently for each kind of question."""

    question_id: str
    question: str
    question_date: str
    memory_evidence: dict[str, object]


def load(folder: Path) -> Benchmark:
    """Memora's weekly part from a folder, or from the archive in it.

    Raises:
        UnreadableInput: neither is there, or a file is of another schema.
    """
    archive = folder if folder.is_file() else folder / "memora_weekly.tar.gz"
    if not archive.is_file() and not _question_files(folder):
        raise missing("Memora", folder, "data/weekly or memora_weekly.tar.gz", LAYOUT, ORIGIN)
    return Benchmark("memora", _pools(folder, archive), ORIGIN, "Apache-2.0", notes=(NOTE,))


def _pools(folder: Path, archive: Path) -> Iterator[Pool]:
    with _unpacked(archive) if archive.is_file() else _as_is(folder) as unpacked:
        for path in _question_files(unpacked):
            yield _pool(path)


@contextmanager
def _unpacked(archive: Path) -> Iterator[Path]:
    with TemporaryDirectory() as place:
        try:
            with tarfile.open(archive) as tar:
                tar.extractall(place, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise UnreadableInput(f"{archive} does not unpack: {error}") from error
        yield Path(place)


@contextmanager
def _as_is(folder: Path) -> Iterator[Path]:
    yield folder


def _question_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("**/evaluation_questions_*.json"))


def _pool(path: Path) -> Pool:
    persona = path.parent.name
    sessions = sorted(
        (_session(file) for file in path.parent.glob("conversations/session_*.json")),
        key=lambda row: int(str(row["id"])),
    )
    known = {str(row["id"]) for row in sessions}
    asked = as_object(as_object(json_file(path), path.name, "questions")["questions"], path.name)
    questions = tuple(
        _question(row, persona, kind, known)
        for kind in asked
        for row in objects(asked, kind, path.name, *sorted(MemoraQuestion.__required_keys__))
    )
    return Pool(persona, questions, sessions)


def _session(path: Path) -> MessageRow:
    row = as_object(json_file(path), path.name, *sorted(MemoraSession.__required_keys__))
    number = int(str(row["session_id"]))
    turns = objects(row, "conversation", path.name, "speaker", "message")
    at = datetime.fromisoformat(str(row["date"])).replace(tzinfo=UTC) + timedelta(minutes=number)
    speakers = {"user_agent": "user", "ai_agent": "assistant"}
    text = "\n".join(f"{speakers.get(str(turn['speaker']), turn['speaker'])}: {turn['message']}" for turn in turns)
    return {
        "id": str(number),
        "sent_at": at.isoformat(),
        "author": "user",
        "channel": "assistant",
        "kind": "document",
        "text": text,
    }


def _question(row: dict[str, object], persona: str, kind: str, known: set[str]) -> Question:
    evidence = set(_session_ids(row["memory_evidence"])) & known
    asked_at = str(row["question_date"])
    block = as_object(row.get("evaluation") or {}, f"{persona}, evaluation")
    checks = objects(block, "evaluation_questions", persona, "evaluation_question_id", "evaluation_question")
    return Question(
        id=f"{persona}/{row['question_id']}",
        text=str(row["question"]),
        category=kind,
        asked_at=asked_at,
        bound=asked_at,
        evidence=frozenset(evidence),
        stale=frozenset(set(_session_ids(row.get("forgetting_evidence"))) & known - evidence),
        facets=tuple(
            Facet(
                id=str(check["evaluation_question_id"]),
                criterion=str(check["evaluation_question"]),
                weight=1 / len(checks),
                expected=word(check, "expected_answer") or "yes",
            )
            for check in checks
        ),
    )


def _session_ids(value: object, name: str = "") -> Iterator[str]:
    """The numbers that stand under `session_id` or in `session_history`, however deep.

    >>> sorted(_session_ids({"likes": [{"item": "jazz", "session_id": 7}], "session_history": [3, 9], "count": 2}))
    ['3', '7', '9']
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _session_ids(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _session_ids(inner, name)
    elif name in ("session_id", "session_history") and isinstance(value, int | str):
        yield str(value)
