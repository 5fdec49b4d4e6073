"""The importer of Rocket.Chat dumps: the collections of its database as `mongodump` or `mongoexport` writes them.

A room is a channel, and so is a discussion. Of edited messages the server keeps the earlier texts if it is set up to:
they are versions, in the order of their edits. Encrypted messages are left out. Files that lie in the database's own
store (GridFS) are named, not read, and archives of `mongodump --archive` have to be unpacked first. Follows FORMATS
section 6.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.json_stream import Broken
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.rocketchat_message import ENCRYPTED, author_of, deletion_of, mentioned, record_of
from treering.importers.rocketchat_rows import Message, message_of, rows_of, shown
from treering.importers.rocketchat_tables import ROOMS, SUBSCRIPTIONS, USERS, Tables, read_tables
from treering.importers.tree import FileTree
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind, Drafted, RecordDraft, Skipped

__all__ = ["RocketChatDump"]

MESSAGES = "rocketchat_message"

_MARKS = {MESSAGES: {"rid", "ts", "u"}, ROOMS: {"t", "ts"}}  # what every row of these tables has


class RocketChatDump:
    """A folder of collections, with or without the folder of the database around it."""

    name = "rocketchat"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there is a table of messages, or one of rooms, that reads as one."""
        files = _files(tree)
        return any(_reads_as(tree, name, marks) for table, marks in _MARKS.items() for name in files.get(table, ()))

    def source(self, tree: FileTree) -> str:
        """A constant: a dump says which server it is of in one of many settings, among passwords; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """All users and rooms, then the messages in the order of the file."""
        files = _files(tree)
        used = {name for names in files.values() for name in names}
        for name in tree.names():
            if name not in used:
                yield Drafted(name, Skipped("not a collection of messages, rooms or users"))
        tables = read_tables(tree, files)
        yield from tables.faults
        yield from (Drafted(files[USERS][0], actor) for actor in tables.people.news())
        yield from (Drafted(tables.files[room], channel) for room, channel in tables.channels.items())
        known = _Known(tables)
        for name in files.get(MESSAGES, ()):
            yield from _read_messages(tree, name, known)
            yield from (Drafted(name, actor) for actor in tables.people.corrections())


def _read_messages(tree: FileTree, name: str, known: "_Known") -> Iterator[Drafted]:
    copies: defaultdict[str, list[tuple[Moment, Message]]] = defaultdict(list)
    for position, row in rows_of(tree, name):
        if not isinstance(row, dict):
            reason = row.reason if isinstance(row, Broken) else "not an object"
            yield kept_aside(name, position, reason)
            continue
        try:
            message = message_of(row)
        except FieldError as error:
            yield kept_aside(name, position, str(error), shown(row))
            continue
        for draft in known.news(message):
            yield Drafted(name, draft)
        if message["type"] in ENCRYPTED:
            yield Drafted(name, Skipped("encrypted message", position))
        elif message["is_hidden"] and message["parent"]:
            copies[message["parent"]].append((message["edited"] or message["sent"], message))
        else:
            for record in _versions(message):
                yield Drafted(name, record)
    for parent in copies:
        for record in _earlier_versions(copies[parent]):
            yield Drafted(name, record)


def _versions(message: Message) -> Iterator[RecordDraft]:
    """What a row tells of: a message, its edited text, or its deletion; what was hidden was deleted, its text kept."""
    gone_at = message["edited"] or message["updated"] or message["sent"]
    if message["type"] == "rm":
        yield deletion_of(message, gone_at)
        return
    edited = message["edited"] if message["edited"] and message["edited"].at > message["sent"].at else None
    if message["is_hidden"]:
        yield record_of(message, edited)
        yield deletion_of(message, message["updated"] or gone_at)
    else:
        yield record_of(message, edited)


def _earlier_versions(copies: list[tuple[Moment, Message]]) -> Iterator[RecordDraft]:
    """The texts of one message before its last edit; each copy says until when it held."""
    since: Moment | None = None
    for until, message in sorted(copies, key=lambda copy: copy[0].at):
        yield record_of(message, since)
        since = until


class _Known:
    """Who and where, as messages come in: whoever is not in the tables is drafted when first met."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._channels = set(tables.channels)

    def news(self, message: Message) -> Iterator[ActorDraft | ChannelDraft]:
        """The actors and the channel of a message that were not met before, and the names that it gives a room."""
        author, room = author_of(message), message["room"]
        if room in self._tables.desks and author.id not in self._tables.users:
            author = replace(author, kind=ActorKind.EXTERNAL)
        for actor in (author, *mentioned(message)):
            self._tables.people.add(actor.id, actor.name, actor.kind, actor.aliases, at=message["sent"].at)
        yield from self._tables.people.news()
        if room not in self._channels:
            self._channels.add(room)
            yield ChannelDraft(room, room, ChannelKind.PRIVATE, stated=False)
        elif message["type"] == "r" and (name := message["text"].strip()) and room in self._tables.channels:
            yield replace(self._tables.channels[room], aliases=(name,), since=message["sent"].at)


def _files(tree: FileTree) -> dict[str, list[str]]:
    """The files of each table; a dump that holds BSON and JSON of one table is read from the BSON."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in tree.names():
        stem, _, ending = name.rpartition("/")[2].lower().rpartition(".")
        if stem in (MESSAGES, ROOMS, SUBSCRIPTIONS, USERS) and ending in ("bson", "json", "jsonl"):
            found[stem].append(name)
    for names in found.values():
        if any(name.lower().endswith(".bson") for name in names):
            names[:] = [name for name in names if name.lower().endswith(".bson")]
    return dict(found)


def _reads_as(tree: FileTree, name: str, marks: set[str]) -> bool:
    try:
        return any(isinstance(row, dict) and row.keys() >= marks for _, row in islice(rows_of(tree, name), 3))
    except UnreadableInput:
        return False
