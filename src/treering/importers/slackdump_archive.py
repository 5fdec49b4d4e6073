"""The importer of slackdump's archives: its SQLite database, and the chunk files of earlier versions.

Both hold Slack's own objects, so people, channels and messages are read by the modules of the Slack exports and give
the same ids: an archive and an export of one workspace are one source. What an archive has more than once, as each run
that is resumed asks again, counts once; a text that was edited between two runs counts as the version that it is.
Follows FORMATS section 1.2.
"""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from treering.errors import UnreadableInput
from treering.importers.json_stream import Broken
from treering.importers.narrowing import kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.slack_channels import Channels
from treering.importers.slack_json import Json, stripped, text_at
from treering.importers.slack_messages import Place
from treering.importers.slack_people import People
from treering.importers.slack_reading import read_message
from treering.importers.slack_text import Names
from treering.importers.slack_uploads import Uploads, is_uploaded
from treering.importers.slackdump_chunks import SlackdumpChunks, is_chunk_file
from treering.importers.slackdump_database import is_database, open_database
from treering.importers.slackdump_entries import Archive, Entry
from treering.importers.tree import FileTree
from treering.model.drafts import Change, ChannelKind, Draft, Drafted, Quarantined, RecordDraft, Skipped

__all__ = ["SlackdumpArchive"]

COPY = "copy of a message, from another run"
OLDER = "older description"
LOOKED_AT_MAX = 200  # files, before a tree is held to be of another format


class SlackdumpArchive:
    """Reads what `slackdump archive` writes."""

    name = "slack-archive"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there is a database with slackdump's tables, or a file of its chunks."""
        names = [name for name in tree.names() if not is_uploaded(name)]
        names.sort(key=lambda name: name.count("/"))  # pictures of people may lie in folders before it
        return any(is_database(tree, name) or is_chunk_file(tree, name) for name in names[:LOOKED_AT_MAX])

    def source(self, tree: FileTree) -> str:
        """`slack:` and the id of the organization or workspace, as for an export."""
        people, team = People(), ""
        with closing(_archives(tree, _parts_of(tree))) as archives:
            for archive in archives:
                team = team or _workspace(archive)[0]
                for entry in archive.users():
                    if isinstance(entry.value, dict):
                        people.list_user(entry.value)
        team = people.team or team
        return f"slack:{team}" if team else "slack"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """People, channels, then messages with the texts of their files; then what is none of these."""
        uploads, parts = Uploads(tree), _parts_of(tree)
        with closing(_archives(tree, parts)) as archives:
            for archive in archives:
                yield from _drafts(archive, uploads)
        beside = {f"{name}{ending}" for name in parts.databases for ending in ("-wal", "-shm", "-journal")}
        for name in tree.names():
            if name not in beside.union(parts.databases, parts.chunks) and not is_uploaded(name):
                yield Drafted(name, Skipped("not a part of the archive"))
        yield from uploads.leftovers()


@dataclass(frozen=True, slots=True)
class _Parts:
    """Which files of a tree hold what."""

    databases: list[str]
    chunks: list[str]


def _parts_of(tree: FileTree) -> _Parts:
    names = [name for name in tree.names() if not is_uploaded(name)]
    databases = [name for name in names if is_database(tree, name)]
    chunks = [name for name in names if name.endswith((".json", ".jsonl"))]
    if not any(is_chunk_file(tree, name) for name in chunks):
        return _Parts(databases, [])
    return _Parts(databases, chunks)  # beside chunks, a file that begins with damage is more of them


def _archives(tree: FileTree, parts: _Parts) -> Generator[Archive, None, None]:
    """The archives of the tree, one after the other: at most one database is open."""
    for name in parts.databases:
        with open_database(tree, name) as database:
            yield database
    if parts.chunks:
        yield SlackdumpChunks(tree, parts.chunks)


def _drafts(archive: Archive, uploads: Uploads) -> Iterator[Drafted]:
    people, channels = People(), Channels()
    yield from _read_users(archive, people)
    yield from _read_channels(archive, people, channels)
    told = dict(channels.by_id)
    names = Names(people.names, channels.public_names)
    last = ""
    for copies in archive.messages():
        given: set[tuple[str, bool]] = set()  # the versions that a newer copy has told already
        for entry in copies:
            last = entry.file
            if not isinstance(entry.value, dict):
                yield _unread(entry, "message")
                continue
            channel = channels.by_id.get(entry.id) or channels.of_folder(entry.id or "unknown")
            if channel.id not in told:
                told[channel.id] = channel
                yield Drafted(entry.file, channel)
            place = Place(channel.id, people, names)
            drafted = list(read_message(entry.value, place, uploads, entry.file, entry.position))
            yield from _fresh(drafted, given, entry)
            if text_at(entry.value, "subtype") in ("channel_name", "group_name"):
                channels.rename(channel.id, text_at(entry.value, "old_name"), text_at(entry.value, "name"))
    yield from archive.skipped()
    yield from (Drafted(last, channel) for id_, channel in channels.by_id.items() if channel != told[id_])
    yield from (Drafted(last, actor) for actor in people.corrections())


def _fresh(drafted: Iterable[Drafted], given: set[tuple[str, bool]], entry: Entry) -> Iterator[Drafted]:
    """The drafts of one copy without the versions that were given; of nothing but such, the skip of a copy."""
    records = 0
    for one in drafted:
        draft: Draft = one.draft
        if isinstance(draft, RecordDraft):
            version = draft.source_id, draft.change is Change.DELETE
            if version in given:
                continue
            given.add(version)
        records += isinstance(draft, RecordDraft | Skipped | Quarantined)
        yield one
    if not records:
        yield Drafted(entry.file, Skipped(COPY, entry.position))


def _read_users(archive: Archive, people: People) -> Iterator[Drafted]:
    files: dict[str, str] = {}
    for entry in archive.users():
        if not isinstance(entry.value, dict) or not people.list_user(entry.value):
            yield _unread(entry, "user")
        elif text_at(entry.value, "id") in files:
            yield Drafted(entry.file, Skipped(OLDER))
        else:
            files[text_at(entry.value, "id")] = entry.file
    yield from (Drafted(files[id_], actor) for id_, actor in people.listed.items())


def _read_channels(archive: Archive, people: People, channels: Channels) -> Iterator[Drafted]:
    files: dict[str, str] = {}
    members: Mapping[str, tuple[str, ...]] = {}
    try:
        members = archive.members()
    except UnreadableInput as error:
        yield kept_aside(archive.file, "members of channels", str(error))
    archivist = _workspace(archive)[1]
    for entry in archive.channels():
        channel = entry.value if isinstance(entry.value, dict) else {}
        id_, name = text_at(channel, "id"), text_at(channel, "name")
        if id_ in files:
            channels.rename(id_, name)
            yield Drafted(entry.file, Skipped(OLDER))
            continue
        told = members.get(id_)
        if told is None and (other := text_at(channel, "user")) and archivist:
            told = (archivist, other)  # the two of a direct conversation are known without being listed
        listed = {**channel, "members": list(told)} if told is not None else channel
        if channels.list_channel(listed, _kind(channel), "", people):
            files[id_] = entry.file
        else:
            yield _unread(entry, "channel")
    yield from (Drafted(next(iter(files.values())), actor) for actor in people.news())
    yield from (Drafted(files[id_], channel) for id_, channel in channels.by_id.items())


def _workspace(archive: Archive) -> tuple[str, str]:
    try:
        return archive.workspace()
    except UnreadableInput:  # of a damaged database only this may be lost; the rest is said where it is read
        return "", ""


def _kind(channel: Json) -> ChannelKind:
    """Public is only what says so: `list_channel` closes further what its other flags call closed."""
    if channel.get("is_channel") is True and channel.get("is_private") is not True:
        return ChannelKind.PUBLIC
    return ChannelKind.PRIVATE


def _unread(entry: Entry, what: str) -> Drafted:
    if isinstance(entry.value, Broken):
        return kept_aside(entry.file, entry.position, entry.value.reason, stripped(entry.value.raw))
    return kept_aside(entry.file, entry.position, f"not a {what} with an id", stripped(json.dumps(entry.value)))
