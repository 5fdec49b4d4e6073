"""The sample workspace of `treering demo`: an invented company's Slack export, and five questions about it.

Merlow Instruments, its twelve people and all they say are made up. The export lies in `workspace/`, beside it
`questions.json` with the evidence that each question needs. Importing and searching are the demo's work, not done here.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

__all__ = ["SampleQuestion", "questions", "workspace"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A question of the demo, how to ask it, and what should come back."""

    question: str
    asker: str | None  # a full name, unique in the workspace
    as_of: str | None  # a date as the command line takes it
    viewer: str | None  # None: the owner of the directory, who sees all
    evidence: tuple[str, ...]  # source ids, "<channel id>/<ts>"
    hidden: tuple[str, ...]  # source ids that answer it better, and that this viewer must not see
    shows: str  # the point of asking it


class _Row(TypedDict):
    """A question as `questions.json` spells it."""

    question: str
    asker: str | None
    as_of: str | None
    viewer: str | None
    evidence: list[str]
    hidden: list[str]
    shows: str


def workspace() -> Path:
    """The folder of the export: six channels, two of them private, from October 2025 to January 2026."""
    return _FOLDER / "workspace"


def questions() -> tuple[SampleQuestion, ...]:
    """The demo's five questions, in the order in which it asks them."""
    rows: list[_Row] = json.loads((_FOLDER / "questions.json").read_text(encoding="utf-8"))
    return tuple(
        SampleQuestion(
            question=row["question"],
            asker=row["asker"],
            as_of=row["as_of"],
            viewer=row["viewer"],
            evidence=tuple(row["evidence"]),
            hidden=tuple(row["hidden"]),
            shows=row["shows"],
        )
        for row in rows
    )
