"""The importer of Google Chat as Google Takeout exports it: one folder a space, with its messages and its files.

Dates are written out in the language of the account. One that cannot be read leaves a message where it stands, with the
time of the message before it; `valid_from_raw` says so. Of deleted messages there is a stub. Vault exports are mail and
XML, and are not read here. Follows FORMATS section 7.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.googlechat_files import Files
from treering.importers.googlechat_message import Message, message_of, record_of, space_of
from treering.importers.googlechat_spaces import GROUP_INFO, USER_INFO, Spaces, folder_of
from treering.importers.json_fields import raw_of
from treering.importers.json_stream import Broken, stream_items
from treering.importers.local_times import UTC_ASSUMED, LocalTimes
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.prose_dates import read_prose
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Change, Drafted, Skipped

__all__ = ["GoogleChat"]

MESSAGES = "messages.json"
LOOKED_AT_MAX = 20  # files, before a tree is held to be of another format

_MARKS = {"creator", "created_date", "message_state", "message_id"}


class GoogleChat:
    """A folder `Google Chat` of a Takeout, any part of it, or one file of messages."""

    name = "googlechat"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there is a file of messages that have topics."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        names.sort(key=lambda name: name.rpartition("/")[2] != MESSAGES)
        return any(_holds_messages(tree, name) for name in names[:LOOKED_AT_MAX])

    def source(self, tree: FileTree) -> str:
        """A constant: spaces and messages have ids that are unique everywhere."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """The people, and then each space with its messages in the order of the file."""
        spaces = Spaces()
        spaces.read(tree)
        yield from spaces.faults
        last = ""
        files = Files(tree)
        for name in tree.names():
            leaf = name.rpartition("/")[2]
            if leaf == MESSAGES or (leaf.endswith(".json") and _holds_messages(tree, name)):
                last = name
                yield from _Space(tree, name, spaces, files, LocalTimes(options.zone)).drafted()
            elif leaf not in (GROUP_INFO, USER_INFO):
                files.leave(name)
        yield from files.leftovers()
        yield from (Drafted(last, actor) for actor in spaces.people.corrections())


class _Space:
    """The messages of one space, in their order."""

    def __init__(self, tree: FileTree, name: str, spaces: Spaces, files: Files, local: LocalTimes) -> None:
        self._tree = tree
        self._name = name
        self._spaces = spaces
        self._files = files
        self._local = local
        self._before: Moment | None = None  # the last time that could be read
        self._undated: list[tuple[int, Message, object]] = []  # messages before the first that has a time
        self._repeats: Counter[str] = Counter()
        self._channel = ""

    def drafted(self) -> Iterator[Drafted]:
        with self._tree.open(self._name) as file:
            for index, value in stream_items(file, "messages"):
                try:
                    if isinstance(value, Broken):
                        raise FieldError(value.reason)
                    message = message_of(value)
                except FieldError as error:
                    yield kept_aside(self._name, f"message {index + 1}", str(error), raw_of(value))
                    continue
                yield from self._place(index, message, value)
        for index, _, value in self._undated:
            yield kept_aside(self._name, f"message {index + 1}", "no date in the whole file can be read", raw_of(value))
        if self._local.assumed:
            yield Drafted(self._name, Skipped(UTC_ASSUMED))

    def _place(self, index: int, message: Message, value: object) -> Iterator[Drafted]:
        """Find the message's time; those that wait for one take it from the first that has one."""
        stated = message["deleted"] or message["created"] if message["is_deleted"] else message["created"]
        created = self._moment(stated)
        if created is None:
            if self._before is None:
                self._undated.append((index, message, value))
                return
            created = Moment(self._before.at, f"{stated or 'no date'} (not read; the time of the message before)")
        elif not message["is_deleted"]:
            self._before = created
        waiting, self._undated = self._undated, []
        for earlier, undated, _ in waiting:
            raw = f"{undated['created'] or 'no date'} (not read; the time of the next message)"
            yield from self._record(earlier, undated, Moment(created.at, raw))
        yield from self._record(index, message, created)

    def _record(self, index: int, message: Message, created: Moment) -> Iterator[Drafted]:
        if not self._channel:
            folder = folder_of(self._name)
            channel = self._spaces.channel(folder, folder.rpartition("/")[2] or self._tree.label, space_of(message))
            self._channel = channel.id
            yield from (Drafted(self._name, actor) for actor in self._spaces.people.news())
            yield Drafted(self._name, channel)
        edited = None if message["is_deleted"] else self._moment(message["updated"])
        since = edited if edited and edited.at > created.at else created
        record = record_of(message, self._channel, self._spaces.people, since, created, index)
        self._repeats[record.lineage] += 1
        if not message["id"] and (nth := self._repeats[record.lineage]) > 1:
            record = replace(record, lineage=f"{record.lineage}.{nth}", source_id=f"{record.source_id}.{nth}")
        yield from (Drafted(self._name, actor) for actor in self._spaces.people.news())
        yield Drafted(self._name, record)
        if record.change is not Change.DELETE:
            yield from self._files.documents(folder_of(self._name), message, record)

    def _moment(self, written: str) -> Moment | None:
        try:
            return read_prose(written, self._local) if written else None
        except FieldError:
            return None


def _holds_messages(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            items = [item for _, item in islice(stream_items(file, "messages"), 3)]
    except UnreadableInput:
        return False
    return any(isinstance(item, dict) and "topic_id" in item and _MARKS & item.keys() for item in items)
