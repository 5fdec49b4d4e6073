"""EverMemBench: a year of group chats of five projects, in its original schema; multiple choice and open questions.

A pool is one project, a record one message. The evidence of a question is a list of (date, group, message numbers),
the numbers counted from 1 within the day's group: "1, 4-5". Questions carry no asker and no date. Source: Hu et al.
2026 (arXiv:2602.01313), EverMind-AI/EverMemBench.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NotRequired, TypedDict

from treering.errors import UnreadableInput
from treering.evaluation.benchmark import Benchmark, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, json_file, missing, objects, word

__all__ = ["EverMemMessage", "EverMemQuestion", "EverMemReference", "load"]

LAYOUT = "01/dialogue.json ... 05/dialogue.json, and beside each its qa_01.json ... qa_05.json"
ORIGIN = "https://huggingface.co/datasets/EverMind-AI/EverMemBench-Dynamic"

_RANGE = re.compile(r"([0-9]+)(?:\s*[-\u2013]\s*([0-9]+))?")


class EverMemMessage(TypedDict):
    """One message; `dialogues` maps a date to groups, and a group to a list of these or to null."""

    speaker: str
    time: str  # "2025-01-09 09:32:15"
    dialogue: str
    message_index: NotRequired[int | str]


class EverMemReference(TypedDict):
    """One entry of `R`: where evidence lies."""

    date: str
    group: str
    message_index: str  # "1, 4-5"


class EverMemQuestion(TypedDict):
    """One question with its answer, its references and, in a multiple choice, its options."""

    id: str  # "F_SH_Top004_001"
    Q: str
    A: str
    R: list[EverMemReference]
    options: NotRequired[dict[str, str] | None]
    topic_id: NotRequired[str]


def load(folder: Path) -> Benchmark:
    """The projects that a folder holds.

    Raises:
        UnreadableInput: none is there with its questions, or a file is of another schema.
    """
    dialogues = sorted(folder.glob("*/dialogue*.json"))
    if not dialogues:
        raise missing("EverMemBench", folder, "01/dialogue.json", LAYOUT, ORIGIN)
    for path in dialogues:
        if not list(path.parent.glob("qa_*.json")):
            raise missing("EverMemBench", folder, f"{path.parent.name}/qa_{path.parent.name}.json", LAYOUT, ORIGIN)
    return Benchmark("evermembench", map(_pool, dialogues), ORIGIN, "see its source")


def _pool(path: Path) -> Pool:
    project = path.parent.name
    messages: list[MessageRow] = []
    for date, groups in _days(json_file(path), path.name):
        for group in groups:
            for place, message in enumerate(objects(groups, group, f"{project}, {date}", "speaker", "dialogue"), 1):
                messages.append(
                    {
                        "id": f"{date}/{group}/{word(message, 'message_index') or place}",
                        "sent_at": word(message, "time") or date,
                        "author": str(message["speaker"]),
                        "channel": group,
                        "text": str(message["dialogue"]),
                    }
                )
    known = {str(row["id"]) for row in messages}
    found = [
        _question(row, project, known)
        for file in sorted(path.parent.glob("qa_*.json"))
        for row in objects({"qa": _listed(json_file(file))}, "qa", file.name, "id", "Q", "A")
    ]
    lost = sum(count for _, count in found)
    notes = (f"{project}: {lost} references to messages that are not there",) if lost else ()
    return Pool(project, tuple(question for question, _ in found), messages, notes=notes)


def _days(value: object, where: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Each date with its groups, in order; the file is one object, or a list of rows with `date` and `dialogues`."""
    if isinstance(value, list):
        rows = objects({"rows": value}, "rows", where, "date", "dialogues")
        days = {str(row["date"]): row["dialogues"] for row in rows}
    else:
        dialogues = as_object(as_object(value, where, "dialogues")["dialogues"], where)
        days = dict(dialogues)
    for date in sorted(days):
        yield date, as_object(days[date] or {}, f"{where}, {date}")


def _listed(value: object) -> object:
    return value.get("qars") if isinstance(value, dict) else value


def _question(row: dict[str, object], project: str, known: set[str]) -> tuple[Question, int]:
    """The question, and how many of its references lead nowhere."""
    where = f"{project}, {row['id']}"
    cited = {
        f"{reference['date']}/{reference['group']}/{number}"
        for reference in objects(row, "R", where, "date", "group", "message_index")
        for number in _numbers(str(reference["message_index"]), where)
    }
    options = as_object(row.get("options") or {}, f"{where}, options")
    question = Question(
        id=f"{project}/{row['id']}",
        text=str(row["Q"]),
        category="_".join(takewhile(str.isalpha, str(row["id"]).split("_")[:2])),
        evidence=frozenset(cited & known),
        answer=str(row["A"]),
        options=tuple((letter, str(options[letter])) for letter in sorted(options)),
    )
    return question, len(cited - known)


def _numbers(text: str, where: str) -> Iterator[int]:
    """The numbers that "1, 4-5" stands for.

    >>> list(_numbers("1, 4-5", "here"))
    [1, 4, 5]
    """
    for part in text.split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is None:
            raise UnreadableInput(f"{where}: {text!r} are no message numbers of the form '1, 4-5'")
        yield from range(int(found[1]), int(found[2] or found[1]) + 1)
