"""The importer of what DiscordChatExporter writes as JSON: one file a channel or thread, or several parts of one.

The files know no members, so who may read a server's channel is the operator's word; private threads and direct
messages are closed whatever that is. Discord's own data package is read in `discord_package`. Follows FORMATS 5.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from treering.importers.chat_files import ChatFiles
from treering.importers.discord_message import Place, message_from, record_of
from treering.importers.json_fields import Json, raw_of, records_at, text_at
from treering.importers.json_stream import Broken
from treering.importers.json_walk import Path, walk
from treering.importers.narrowing import FieldError, identity, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, ChannelKind, Draft, Drafted, RecordDraft

__all__ = ["DiscordExport"]

FILES_TRIED = 20
HEAD_BYTES = 64

_OPEN_THREADS = frozenset({"GuildPublicThread", "GuildNewsThread", "PublicThread", "NewsThread"})
_CLOSED = {
    "GuildPrivateThread": ChannelKind.PRIVATE,
    "PrivateThread": ChannelKind.PRIVATE,
    "DirectTextChat": ChannelKind.DIRECT,
    "DirectGroupTextChat": ChannelKind.GROUP,
}


class DiscordExport:
    """Channels of servers, threads and direct messages."""

    name = "discord"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a JSON file begins with a guild and a channel."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        return any(_head(tree, name) for name in names[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: Discord's ids are unique across servers."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every message of every file."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        heads = {name: head for name in names if (head := _head(tree, name)) is not None}
        reading = _Reading(options.visibility, ChatFiles(tree, heads))
        last = ""
        for last, head in heads.items():
            yield from _read_file(tree, last, head, reading)
        yield from reading.files.leftovers()
        corrections: list[Draft] = [*reading.roster.corrections(), *reading.corrections()]
        yield from (Drafted(last, draft) for draft in corrections)


@dataclass(slots=True)
class _Reading:
    """What is known while the files are read."""

    visibility: ChannelKind
    files: ChatFiles
    roster: Roster = field(default_factory=Roster)
    _told: dict[str, ChannelDraft] = field(default_factory=dict)
    _writers: dict[str, set[str]] = field(default_factory=dict)  # direct channel -> who wrote in it

    def meet(self, channel: ChannelDraft, record: RecordDraft) -> Iterator[Draft]:
        """The people and the channel that were not met before."""
        yield from self.roster.news()
        if channel.id not in self._told:
            self._told[channel.id] = channel
            yield channel
        if channel.kind is ChannelKind.DIRECT and record.event is None:
            self._writers.setdefault(channel.id, set()).add(record.author)

    def corrections(self) -> Iterator[ChannelDraft]:
        """The direct channels in which both have written: so that both are known."""
        for channel, writers in self._writers.items():
            if len(writers) == 2:
                yield replace(self._told[channel], members=tuple(sorted(writers)))


def _read_file(tree: FileTree, name: str, head: Json, reading: _Reading) -> Iterator[Drafted]:
    channel, place = _place(head, reading.visibility)
    with tree.open(name) as file:
        for path, value in walk(file, _enters):
            if isinstance(value, Broken):
                yield kept_aside(name, _position(path), value.reason, value)
            elif path[:1] == ("messages",) and len(path) == 2:
                try:
                    if not isinstance(value, dict):
                        raise FieldError("not an object")
                    record = record_of(message_from(value), place, reading.roster)
                except FieldError as error:
                    yield kept_aside(name, _position(path), str(error), raw_of(value))
                    continue
                yield from (Drafted(name, draft) for draft in reading.meet(channel, record))
                yield Drafted(name, record)
                paths = [text_at(file, "url") for file in records_at(value, "attachments")]
                yield from reading.files.documents(record, paths, name)


def _place(head: Json, visibility: ChannelKind) -> tuple[ChannelDraft, Place]:
    """The channel of a file, and where its messages stand."""
    guild, channel = head["guild"], head["channel"]
    assert isinstance(guild, dict)
    assert isinstance(channel, dict)
    id_, kind = identity(channel.get("id")) or "", text_at(channel, "type")
    name, guild_name = text_at(channel, "name").strip() or id_, text_at(guild, "name").strip()
    parent, parent_name = identity(channel.get("categoryId")), text_at(channel, "category").strip()
    thread: str | None = None
    thread_name = ""
    if kind in _OPEN_THREADS and parent:
        thread, thread_name, id_, name = id_, name, parent, parent_name or parent
    closed = _CLOSED.get(kind)
    aliases = (
        (f"{guild_name} > {name}",) if guild_name and closed not in (ChannelKind.DIRECT, ChannelKind.GROUP) else ()
    )
    draft = ChannelDraft(id_, name, closed or visibility, None, aliases, stated=closed is not None)
    return draft, Place(id_, name, thread, thread_name)


def _enters(path: Path) -> bool:
    return path in ((), ("messages",))


def _position(path: Path) -> str:
    return f"message {path[1] + 1}" if len(path) == 2 and isinstance(path[1], int) else "the end"


def _head(tree: FileTree, name: str) -> Json | None:
    """What stands before the messages of a file; None if it is no file of the exporter."""
    with tree.open(name) as file:
        if file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
            return None
    head: Json = {}
    with tree.open(name) as file:
        for path, value in walk(file, _enters):
            if len(path) != 1 or isinstance(value, Broken):
                break
            head[str(path[0])] = value
    channel = head.get("channel")
    is_ours = isinstance(head.get("guild"), dict) and isinstance(channel, dict) and "type" in channel
    return head if is_ours and isinstance(channel, dict) and identity(channel.get("id")) else None
