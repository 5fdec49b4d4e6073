"""slackdump's archive as chunks: a folder of `*.json.gz`, each with a JSON object a line, as the API had answered.

A chunk is `{"t": type, "ts": nanoseconds, "id": channel}` with messages in `m`, people in `u`, conversations in `ch` or
`ci`, members in `cu`, the workspace in `w`; thread chunks repeat their root in `p` and often in `m`. Unzipping is done
by the tree of files. Follows FORMATS section 1.2.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.json_lines import json_rows
from treering.importers.json_stream import Broken
from treering.importers.slack_json import Json, record_at, records_at, text_at
from treering.importers.slackdump_entries import Entry
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["SlackdumpChunks", "is_chunk_file"]

MESSAGES, THREAD, FILES, USERS, CHANNELS, CHANNEL, WORKSPACE, MEMBERS, STARRED, BOOKMARKS, FOUND, FOUND_FILES = range(
    12
)
CANVAS, CANVAS_THREAD = 12, 13
LOOKED_AT_MAX = 3  # lines, before a file is held to be none

_OF_MESSAGES = (MESSAGES, THREAD, CANVAS, CANVAS_THREAD)
_SKIPPED = {
    FILES: "list of files",
    STARRED: "list of starred items",
    BOOKMARKS: "list of bookmarks",
    FOUND: "result of a search",
    FOUND_FILES: "result of a search",
}
_TOLD = (USERS, CHANNELS, CHANNEL, WORKSPACE, MEMBERS)
_CONTENTS = frozenset({"m", "u", "ch", "ci", "cu", "w", "f", "p", "st", "b", "sm", "sf", "n", "l"})


def is_chunk_file(tree: FileTree, name: str) -> bool:
    """Whether one of the first lines of a file is a chunk."""
    if not name.endswith((".json", ".jsonl")):
        return False
    try:
        with tree.open(name) as file:
            if file.read(1) != b"{":
                return False
        with tree.open(name) as file:
            return any(_kind(chunk) >= 0 for _, chunk in islice(json_rows(file, b"{"), LOOKED_AT_MAX))
    except UnreadableInput:
        return False


class SlackdumpChunks:
    """The chunks of an archive, from all of its files; those that describe are few, and kept from the first look."""

    def __init__(self, tree: FileTree, files: list[str]) -> None:
        self.file = files[0]
        self._tree = tree
        self._files = files
        self._told: dict[int, list[tuple[str, str, Json]]] = {kind: [] for kind in _TOLD}
        for name in files:
            for position, chunk in self._lines(name):
                if isinstance(chunk, dict) and (kind := _kind(chunk)) in _TOLD:
                    self._told[kind].append((name, position, chunk))
        for chunks in self._told.values():
            chunks.sort(key=lambda found: -_recorded(found[2]))

    def workspace(self) -> tuple[str, str]:
        """The ids of the workspace and of whoever archived it."""
        latest = next((record_at(chunk, "w") for _, _, chunk in self._told[WORKSPACE]), {})
        return text_at(latest, "team_id"), text_at(latest, "user_id")

    def users(self) -> Iterator[Entry]:
        """What was told of people, the latest first."""
        return self._listed(USERS, "u")

    def channels(self) -> Iterator[Entry]:
        """What was told of conversations, the latest first; when one was asked for by itself, more is told."""
        yield from self._listed(CHANNEL, "ci")
        yield from self._listed(CHANNELS, "ch")

    def members(self) -> Mapping[str, tuple[str, ...]]:
        """Who was in which conversation."""
        members: dict[str, set[str]] = {}
        for _, _, chunk in self._told[MEMBERS]:
            listed = chunk.get("cu")
            names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
            members.setdefault(text_at(chunk, "id"), set()).update(names)
        return {channel: tuple(sorted(found)) for channel, found in members.items()}

    def messages(self) -> Iterator[Iterator[Entry]]:
        """The messages of each file: a conversation with its threads has one file of its own."""
        yield from map(self._messages_of, self._files)

    def skipped(self) -> Iterator[Drafted]:
        """Chunks of other things."""
        for name in self._files:
            for position, chunk in self._lines(name):
                if (kind := _kind(chunk)) in _SKIPPED:
                    yield Drafted(name, Skipped(_SKIPPED[kind], position))

    def _messages_of(self, name: str) -> Iterator[Entry]:
        for position, chunk in self._lines(name):
            if isinstance(chunk, Broken):
                yield Entry(name, position, "", chunk)
            elif _kind(chunk) in _OF_MESSAGES and isinstance(chunk, dict):
                root = record_at(chunk, "p")
                items = chunk.get("m")
                for number, item in enumerate(items if isinstance(items, list) else [], start=1):
                    yield Entry(name, f"{position}, message {number}", text_at(chunk, "id"), item)
                if root and _kind(chunk) in (THREAD, CANVAS_THREAD):
                    yield Entry(name, f"{position}, parent", text_at(chunk, "id"), root)
            elif _kind(chunk) < 0:
                yield Entry(name, position, "", Broken("not a chunk of slackdump's", str(chunk)[:200]))

    def _listed(self, kind: int, key: str) -> Iterator[Entry]:
        for name, position, chunk in self._told[kind]:
            for number, item in enumerate(records_at(chunk, key) or [record_at(chunk, key)], start=1):
                yield Entry(name, f"{position}, {key} {number}", text_at(item, "id"), item)

    def _lines(self, name: str) -> Iterator[tuple[str, object]]:
        position = "the beginning"
        try:
            with self._tree.open(name) as file:
                for position, chunk in json_rows(file, b"{"):
                    yield position, chunk
        except UnreadableInput as error:
            yield f"after {position}", Broken(str(error))


def _kind(chunk: object) -> int:
    """The type of a chunk; -1 if it is no chunk."""
    if not isinstance(chunk, dict) or not isinstance(chunk.get("ts"), int) or _CONTENTS.isdisjoint(chunk):
        return -1
    kind = chunk.get("t")
    return kind if isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind <= CANVAS_THREAD else -1


def _recorded(chunk: Json) -> int:
    at = chunk.get("ts")
    return at if isinstance(at, int) else 0
