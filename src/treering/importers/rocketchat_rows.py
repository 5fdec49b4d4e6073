"""The rows of a Rocket.Chat dump: documents of BSON files, or the extended JSON that `mongoexport` makes of them.

Fields that hold secrets, or are long and say nothing new, are stepped over here, before anybody can keep them.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import TypedDict

from treering.errors import UnreadableInput
from treering.importers.bson_stream import stream_documents
from treering.importers.json_fields import Json, raw_of, record_at, records_at, text_at
from treering.importers.json_lines import json_rows
from treering.importers.json_stream import Broken
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct
from treering.importers.tree import FileTree

__all__ = ["Message", "message_of", "moment_at", "rows_of", "shown"]

HEAD_BYTES = 1 << 16
DEPTH_MAX = 100

# Password hashes and login tokens; a visitor's token and a room's join code let people in; `md` repeats the text.
UNWANTED = frozenset({"services", "e2e", "token", "joinCode", "inviteToken", "v", "md", "reactions", "lastMessage"})
_SHOWN = ("_id", "rid", "ts", "u", "t", "msg")
_WRAPPED = frozenset({"$oid", "$date", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal"})


class Message(TypedDict):
    """A row of `rocketchat_message`, as far as we know its fields; absent ones are empty."""

    id: str
    room: str
    sent: Moment
    edited: Moment | None
    updated: Moment | None
    type: str  # of what the server reports; "" of what people write
    text: str
    user: Json  # {_id, username, name}
    editor: Json
    alias: str  # the name that an integration posts under
    is_bot: bool
    thread: str  # the id of the thread's root; "" outside of threads
    parent: str  # of a hidden copy: the message whose earlier text it keeps
    is_hidden: bool
    mentions: list[Json]
    attachments: list[Json]
    files: list[Json]
    urls: tuple[str, ...]


def rows_of(tree: FileTree, name: str) -> Iterator[tuple[str, object]]:
    """The rows of one file with their positions; a `Broken` where one does not read."""
    with tree.open(name) as file:
        if name.lower().endswith(".bson"):
            for index, row in stream_documents(file, UNWANTED):
                yield f"document {index + 1}", row
            return
        position = "the beginning"
        try:
            with tree.open(name) as again:
                head = again.read(HEAD_BYTES)
            for position, row in json_rows(file, head):
                yield position, _plain(row)
        except UnreadableInput as error:
            yield f"after {position}", Broken(str(error))


def message_of(row: Json) -> Message:
    """Narrow a row of `rocketchat_message`.

    Raises:
        FieldError: it has no id, no room, or no time that can be read.
    """
    found, room = text_at(row, "_id"), text_at(row, "rid")
    if not found or not room:
        raise FieldError(f"no {'rid' if found else '_id'}")
    file = record_at(row, "file")
    return Message(
        id=found,
        room=room,
        sent=moment_at(row, "ts"),
        edited=moment_at(row, "editedAt") if row.get("editedAt") is not None else None,
        updated=moment_at(row, "_updatedAt") if row.get("_updatedAt") is not None else None,
        type=text_at(row, "t"),
        text=text_at(row, "msg"),
        user=record_at(row, "u"),
        editor=record_at(row, "editedBy"),
        alias=text_at(row, "alias").strip(),
        is_bot=bool(record_at(row, "bot")) or row.get("bot") is True,
        thread=text_at(row, "tmid"),
        parent=text_at(row, "parent"),
        is_hidden=row.get("_hidden") is True,
        mentions=records_at(row, "mentions"),
        attachments=records_at(row, "attachments"),
        files=records_at(row, "files") or ([file] if file else []),
        urls=distinct([url for item in records_at(row, "urls") if (url := text_at(item, "url"))]),
    )


def shown(row: Json) -> str:
    """A row of messages that is kept aside, as far as its fields cannot hold a secret."""
    return raw_of({key: row[key] for key in _SHOWN if key in row})


def moment_at(row: Json, field: str) -> Moment:
    """A time.

    Raises:
        FieldError: there is none that can be read.
    """
    value = row.get(field)
    return read_moment(value.isoformat() if isinstance(value, datetime) else value, field)


def _plain(value: object, depth: int = 0) -> object:
    """The value that extended JSON wraps, so that both kinds of dump give the same rows."""
    if depth > DEPTH_MAX:
        return None
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, inner),) = value.items()
        if key in _WRAPPED:
            return _plain(inner, depth + 1)
    return {key: _plain(item, depth + 1) for key, item in value.items() if depth or key not in UNWANTED}
