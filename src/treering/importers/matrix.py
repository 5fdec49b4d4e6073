"""The importer of Matrix rooms: the JSON that Element exports, and arrays of events as servers give them.

An edit is a version of the message that it replaces, whichever way the export tells of it; a redaction is a deletion.
What could not be decrypted is left out. Media lie beside the events, or not in the export at all: they are named, not
read. Follows FORMATS section 10.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.json_fields import raw_of
from treering.importers.json_stream import Broken
from treering.importers.json_walk import Path, walk
from treering.importers.matrix_event import Event, event_of
from treering.importers.matrix_message import Conversion
from treering.importers.matrix_room import Room
from treering.importers.narrowing import FieldError, clean, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["MatrixExport"]

LOOKED_AT_MAX = 20  # files, before a tree is held to be of another format
HEAD_ITEMS_MAX = 10  # keys before the events, and events before one that reads

_MARKS = frozenset({"event_id", "origin_server_ts", "type", "sender"})


class MatrixExport:
    """Files of events, one a room or several."""

    name = "matrix"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a file holds events of Matrix."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        return any(_holds_events(tree, name) for name in names[:LOOKED_AT_MAX])

    def source(self, tree: FileTree) -> str:
        """A constant: rooms, people and events of Matrix have ids that are unique everywhere."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """For each file the people and rooms, and then what happened, in the order of the file."""
        for name in tree.names():
            if name.lower().endswith(".json") and _holds_events(tree, name):
                yield from _drafted(tree, name, options)
            else:
                yield Drafted(name, Skipped("not a room of events"))


def _drafted(tree: FileTree, name: str, options: ImportOptions) -> Iterator[Drafted]:
    rooms: dict[str, Room] = {}
    label = _label(tree, name)
    for _, event in _events(tree, name, label):
        if not isinstance(event, Drafted):
            rooms.setdefault(event["room"], Room(event["room"], label)).take(event)
    for room in rooms.values():
        yield from (Drafted(name, actor) for actor in room.actors())
        yield from (Drafted(name, channel) for channel in room.channels(options))
    conversions = {id_: Conversion(room) for id_, room in rooms.items()}
    for position, event in _events(tree, name, label):
        if isinstance(event, Drafted):
            yield event
            continue
        for draft in conversions[event["room"]].drafts(event):
            yield Drafted(name, replace(draft, position=position) if isinstance(draft, Skipped) else draft)


def _events(tree: FileTree, name: str, label: str) -> Iterator[tuple[str, Event | Drafted]]:
    """The events of a file with their positions; drafts stand for what is none."""
    with tree.open(name) as file:
        for path, value in walk(file, _enters):
            index = path[-1] if path else "all"
            position = f"event {index + 1}" if isinstance(index, int) else f"at {index}"
            if isinstance(value, Broken):
                yield position, kept_aside(name, position, value.reason, value)
            elif isinstance(index, int):
                try:
                    event = event_of(value)
                except FieldError as error:
                    yield position, kept_aside(name, position, str(error), raw_of(value))
                else:
                    event["room"] = event["room"] or f"room {label or 'unnamed'}"
                    yield position, event


def _enters(path: Path) -> bool:
    return path in ((), ("messages",))


def _label(tree: FileTree, name: str) -> str:
    """The name of the room in the head of the export."""
    with tree.open(name) as file:
        for path, value in islice(walk(file, _enters), HEAD_ITEMS_MAX):
            if path == ("room_name",) and isinstance(value, str):
                return clean(value).strip()
    return ""


def _holds_events(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            values = islice(walk(file, _enters), HEAD_ITEMS_MAX)
            return any(isinstance(value, dict) and value.keys() >= _MARKS for _, value in values)
    except UnreadableInput:
        return False
