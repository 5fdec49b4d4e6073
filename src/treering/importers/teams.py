"""The importer of Microsoft Teams messages as JSON: exports of a whole tenant, and pages fetched from Microsoft Graph.

Files are told apart by what their first entries are. Lists of people and places are read before messages, and a chat's
members are known when all folders are read. Mail archives of eDiscovery are not read here. Follows FORMATS section 2.1.
"""

import re
from collections.abc import Iterator
from itertools import islice

from treering.importers.json_fields import Json, camel, raw_of
from treering.importers.json_stream import Broken, stream_items
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.teams_lists import Lists, kind_of_list
from treering.importers.teams_message import message_from, versions_of
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, Draft, Drafted, Skipped

__all__ = ["TeamsExport"]

FILES_TRIED = 40  # lists come first in an export
HEAD_BYTES = 64
SAMPLE = 3  # entries by which a file is judged

_GUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_OWNER = re.compile(rf"({_GUID})(?:/[^/]*|\.json)\Z")


class TeamsExport:
    """Messages, and what is known of people, teams and channels."""

    name = "teams"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether the first entries of a file are messages of Teams."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        # In a whole tenant's export, files of messages are easier found from the end: lists have shorter paths.
        return any(_kind_of_file(tree, name) == "message" for name in [*names[:FILES_TRIED], *names[-FILES_TRIED:]])

    def source(self, tree: FileTree) -> str:
        """A constant: the ids of Teams are unique across tenants."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """The people and channels of the lists, then every message of every file."""
        kinds = {name: _kind_of_file(tree, name) for name in tree.names()}
        reading = _Reading()
        for name, kind in kinds.items():
            if kind and kind != "message":
                yield from _read_list(tree, name, kind, reading)
        last = next((name for name, kind in kinds.items() if kind == "channel"), "")
        for id_ in reading.lists.ids():
            yield from (Drafted(last, channel) for channel in reading.meet(id_, ""))
        for name, kind in kinds.items():
            if not kind:
                yield Drafted(name, Skipped("not a file of messages"))
            elif kind == "message":
                last = name
                yield from _read_messages(tree, name, reading)
        corrections: list[Draft] = [*reading.roster.corrections(), *reading.corrections()]
        yield from (Drafted(last, draft) for draft in corrections)


class _Reading:
    """What is known while the messages are read."""

    def __init__(self) -> None:
        self.roster = Roster()
        self.lists = Lists(self.roster)
        self._teams: dict[str, str] = {}  # channel -> team, of the channels met
        self._told: dict[str, ChannelDraft] = {}

    def meet(self, channel: str, team: str) -> Iterator[ChannelDraft]:
        """The channel, if it was not met before."""
        if channel not in self._told:
            self._teams[channel] = team
            self._told[channel] = self.lists.channel(channel, team)
            yield self._told[channel]

    def corrections(self) -> Iterator[ChannelDraft]:
        """The channels of which more has been learned since they were given out."""
        for id_, before in self._told.items():
            channel = self.lists.channel(id_, self._teams[id_])
            if channel != before:
                yield channel


def _read_list(tree: FileTree, name: str, kind: str, reading: _Reading) -> Iterator[Drafted]:
    for position, entry in _entries(tree, name):
        if isinstance(entry, Broken):
            yield kept_aside(name, position, entry.reason, entry)
            continue
        try:
            reading.lists.take(entry, kind_of_list(entry) or kind, _owner(name))
        except FieldError as error:
            yield kept_aside(name, position, str(error), raw_of(entry))
    yield from (Drafted(name, actor) for actor in reading.roster.news())


def _read_messages(tree: FileTree, name: str, reading: _Reading) -> Iterator[Drafted]:
    for position, entry in _entries(tree, name):
        if isinstance(entry, Broken):
            yield kept_aside(name, position, entry.reason, entry)
            continue
        try:
            message = message_from(entry)
            if not message["team"] and _owner(name):
                reading.lists.hold(message["channel"], _owner(name))
            records = list(versions_of(message, reading.roster))
        except FieldError as error:
            yield kept_aside(name, position, str(error), raw_of(entry))
            continue
        for record in records:
            if record.event in ("chatRenamed", "channelRenamed") and record.text:
                reading.lists.rename(record.channel, record.text, record.valid_from)
        channels = list(reading.meet(message["channel"], message["team"]))
        drafts: list[Draft] = [*reading.roster.news(), *channels, *records]
        yield from (Drafted(name, draft) for draft in drafts)


def _kind_of_file(tree: FileTree, name: str) -> str:
    """What a file holds: "message", a kind of list, or "" for anything else."""
    if not name.lower().endswith(".json"):
        return ""
    for _, entry in islice(_entries(tree, name), SAMPLE):
        if isinstance(entry, Broken):
            continue
        if "id" in entry and "createdDateTime" in entry and ("body" in entry or "messageType" in entry):
            return "message"
        if kind := kind_of_list(entry):
            return kind
    return ""


def _entries(tree: FileTree, name: str) -> Iterator[tuple[str, Json | Broken]]:
    """The objects of a file that is an array, or a page of Graph with the array as its value; keys in camel case."""
    with tree.open(name) as file:
        opening = file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    with tree.open(name) as file:
        for index, item in stream_items(file, "value" if opening == b"{" else None):
            entry = item if isinstance(item, Broken) else camel(item)
            if not isinstance(entry, dict | Broken):
                entry = Broken("not an object", raw_of(item))
            yield f"entry {index + 1}", entry


def _owner(name: str) -> str:
    """The id of the team or user that a file is about, as its folder or its own name says it."""
    match = _OWNER.search(name)
    return match[1] if match else ""
