"""The arguments of each tool, validated as they come in; and the JSON schema that an agent is told, kept short.

Through whose eyes a memory is read is no argument of any tool: the process or the token has decided it.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from treering.interfaces.schema import NAME_MAX, PAGE_MAX, QUESTION_MAX, ViewName
from treering.interfaces.tools.framing import BUDGET_MIN

__all__ = [
    "Arguments",
    "DirectoryArguments",
    "HistoryArguments",
    "QuestionArguments",
    "RecordArguments",
    "StatusArguments",
    "TimelineArguments",
    "TreeArguments",
    "input_schema",
]

BUDGET: int = 3_000
BUDGET_MAX = 100_000
EVIDENCE_MAX = 50

Name = Annotated[str, Field(max_length=NAME_MAX)]


class Arguments(BaseModel):
    """What every tool takes; an argument that it does not know is an error, never ignored."""

    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)

    budget: int = Field(BUDGET, ge=BUDGET_MIN, le=BUDGET_MAX, description="Tokens of the reply at most.")


class QuestionArguments(Arguments):
    """A question and its bounds."""

    question: str = Field(min_length=1, max_length=QUESTION_MAX)
    asker: Name | None = Field(None, description="Name of who asks: shapes relevance.")
    as_of: Name | None = Field(None, description="Only what held then, as 2025-12-02.")
    zone: Name = Field("UTC", description="Time zone of the asker, as Europe/Berlin.")
    k: int = Field(10, ge=1, le=EVIDENCE_MAX, description="Pieces of evidence at most.")


class RecordArguments(Arguments):
    """Which record, and from where in its text."""

    id: Name = Field(min_length=1, description="Number of the record, or its source's id.")
    start: int = Field(0, ge=0, description="Character to begin at, to read on.")


class HistoryArguments(Arguments):
    """Whose life, until when."""

    id: Name = Field(min_length=1, description="As of `record`.")
    as_of: Name | None = Field(None, description="Only versions that held then.")


class TreeArguments(Arguments):
    """Which forest; with a key which tree, with a node which part of it."""

    view: ViewName
    key: Name | None = Field(None, description="Of a tree; without it trees are listed.")
    q: Name = Field("", description="List only labels with these letters.")
    node: Name = Field("", description='Path of a node, as "0/2".')
    depth: int = Field(1, ge=0, le=4)
    as_of: Name | None = None
    cursor: Name | None = None
    limit: int = Field(20, ge=1, le=PAGE_MAX)


class TimelineArguments(Arguments):
    """A stretch of time in one place."""

    of: Name = Field("", description="channel:NAME, actor:NAME, artifact:ID, thread:KEY, record:ID; empty: all.")
    at: Name | None = Field(None, description="Begin at this date.")
    newest: bool = Field(False, description="Begin at the end.")
    as_of: Name | None = None
    cursor: Name | None = None
    limit: int = Field(20, ge=1, le=PAGE_MAX)


class DirectoryArguments(Arguments):
    """Names: whose, or of which channels."""

    kind: Literal["people", "channels"]
    q: Name = Field("", description="Only names with these letters.")
    cursor: Name | None = None
    limit: int = Field(30, ge=1, le=PAGE_MAX)


class StatusArguments(Arguments):
    """Nothing to choose."""


def input_schema(arguments: type[Arguments]) -> dict[str, object]:
    """The JSON schema of a tool's arguments, without what an agent can do without: titles, lengths, nulls.

    >>> input_schema(StatusArguments)["properties"]
    {'budget': {'default': 3000, 'description': 'Tokens of the reply at most.', 'type': 'integer'}}
    """
    whole = arguments.model_json_schema()
    properties = {name: _short(rule) for name, rule in whole["properties"].items()}
    budget = properties.pop("budget")
    schema: dict[str, object] = {"type": "object", "properties": {**properties, "budget": budget}}
    if "required" in whole:
        schema["required"] = whole["required"]
    return {**schema, "additionalProperties": False}


def _short(rule: dict[str, object]) -> dict[str, object]:
    options = rule.get("anyOf")
    if isinstance(options, list):
        rule = {**rule, **next(one for one in options if one.get("type") != "null")}
    kept = {name: rule[name] for name in ("default", "description", "enum", "type") if name in rule}
    return {name: value for name, value in kept.items() if not (name == "default" and value in (None, "", False))}
