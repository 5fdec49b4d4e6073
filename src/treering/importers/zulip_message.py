"""A message of a Zulip export, with all the versions that its edit history tells of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, clean, require, serial

__all__ = ["Message", "Version", "read_message"]


@dataclass(frozen=True, slots=True)
class Version:
    """A message as it read from one time on."""

    since: Moment
    content: str
    topic: str


@dataclass(frozen=True, slots=True)
class Message:
    """The fields of zerver_message that we know, narrowed."""

    number: int
    sender: str  # a user's id
    recipient: str
    versions: list[Version]  # oldest first
    sent_at: datetime


def read_message(value: object) -> Message:
    """Narrow a row of zerver_message.

    Raises:
        FieldError: a field that we cannot do without is missing or of another kind.
    """
    row = require(value, "id", "sender", "recipient", "content", "date_sent")
    content, topic = row["content"], row.get("subject")
    if not isinstance(content, str):
        raise FieldError("content is no text")
    sent = read_moment(row["date_sent"], "date_sent")
    return Message(
        number=serial(row["id"], "id"),
        sender=str(serial(row["sender"], "sender")),
        recipient=str(serial(row["recipient"], "recipient")),
        versions=_versions(row, sent, clean(content), clean(topic) if isinstance(topic, str) else ""),
        sent_at=sent.at,
    )


def _versions(row: Mapping[str, object], sent: Moment, content: str, topic: str) -> list[Version]:
    """Walk the history from the present text back to the first.

    Without a history of an edited message only the present text is known, and only since the edit.
    """
    history = _history(row.get("edit_history"))
    if not history and row.get("last_edit_time") is not None:
        return [Version(read_moment(row["last_edit_time"], "last_edit_time"), content, topic)]
    if history is None:
        raise FieldError("edit_history does not read, and there is no last_edit_time")
    newest_first: list[Version] = []
    for moment, entry in history:
        before = _before(entry, "prev_content", content), _before(entry, "prev_topic", topic, legacy="prev_subject")
        together = bool(newest_first) and newest_first[-1].since.at == moment.at
        if before != (content, topic) and not together:
            newest_first.append(Version(moment, content, topic))
        content, topic = before
    return [Version(sent, content, topic), *reversed(newest_first)]


def _history(value: object) -> list[tuple[Moment, Mapping[str, object]]] | None:
    """The entries of an edit_history, newest first; None if it cannot be read."""
    if isinstance(value, str) and value:
        try:
            value = json.loads(value)
        except ValueError:
            return None
    if not value:
        return []
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        return None
    try:
        dated = [(read_moment(entry.get("timestamp"), "timestamp"), entry) for entry in value]
    except FieldError:
        return None
    return sorted(dated, key=lambda pair: pair[0].at, reverse=True)


def _before(entry: Mapping[str, object], field: str, after: str, legacy: str = "") -> str:
    value = entry.get(field, entry.get(legacy))
    return clean(value) if isinstance(value, str) else after
