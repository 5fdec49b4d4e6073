"""The importer of Mattermost's bulk exports: JSON lines, alone or in a zip beside the uploaded files.

Lists are read before posts, as they say who may read what; then every line is given in its order. Compliance exports
and database dumps are not read; what was deleted or edited away is not in the file. Follows FORMATS section 3.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.chat_files import ChatFiles
from treering.importers.json_fields import Json, raw_of, record_at
from treering.importers.json_lines import json_rows
from treering.importers.json_stream import Broken
from treering.importers.mattermost_lists import (
    Lists,
    channel_id,
    direct_channel,
    direct_members,
    member_names,
    stripped,
)
from treering.importers.mattermost_posts import Place, lineage_of, post_from, record_of, replies_of
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, ChannelKind, Draft, Drafted, RecordDraft, Skipped

__all__ = ["MattermostExport"]

POSTS = frozenset({"post", "direct_post"})
LISTS = frozenset({"team", "channel", "user", "bot", "direct_channel"})

_MARKS = {  # type of line -> a field without which it is not Mattermost's
    "post": {"channel", "create_at"},
    "direct_post": {"channel_members"},
    "team": {"allow_open_invite", "display_name"},
    "channel": {"team"},
    "user": {"username"},
    "bot": {"username"},
    "direct_channel": {"members", "participants"},
}
FILES_TRIED = ROWS_TRIED = 20
HEAD_BYTES = 1 << 12

_UPLOADED = re.compile(r"(^|/)data/")
_ENDINGS = (".jsonl", ".ndjson", ".json", ".txt")
_WORD = re.compile(r"[a-z_]{1,40}")


class MattermostExport:
    """What `mmctl export` and its forerunners write."""

    name = "mattermost"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first lines of a file is a post, or a list entry, of Mattermost's."""
        return any(_is_export(tree, name) for name in _candidates(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: the export does not say of which server it is; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every line of every file that is such an export."""
        candidates = _candidates(tree)
        files = [name for name in candidates if _is_export(tree, name)]
        reading = _Reading()
        for name in files:
            reading.learn(tree, name)
        uploads = ChatFiles(tree, files)
        for name in files:
            for drafted in _drafts_of_file(tree, name, reading):
                yield drafted
                if isinstance(drafted.draft, RecordDraft) and drafted.draft.attachments:
                    yield from uploads.documents(drafted.draft, reading.paths, name, "data/")
        yield from uploads.leftovers()
        yield from (Drafted(files[-1], channel) for channel in reading.renamed())


class _Reading:
    """What is known while the lines are read."""

    def __init__(self) -> None:
        self.roster = Roster()
        self.paths: list[str] = []  # of the files of the last post
        self._lists = Lists(self.roster)
        self._told: dict[str, ChannelDraft] = {}
        self._names: dict[str, set[str]] = {}  # channel id -> names that it has had

    def learn(self, tree: FileTree, name: str) -> None:
        """Take in the lists of a file; what is wrong with them is said when they come in their order."""
        try:
            for _, kind, entry in _lines(tree, name):
                if kind in LISTS and isinstance(entry, dict):
                    try:
                        self._lists.take(kind, entry)
                    except FieldError:
                        continue
        except UnreadableInput:
            return

    def listed(self, kind: str, entry: Json) -> Iterator[Draft]:
        """The drafts of a list entry.

        Raises:
            FieldError: it does not name what it describes.
        """
        self._lists.take(kind, entry)
        if kind == "channel":
            yield from self._channel(channel_id(entry))
        elif kind == "direct_channel":
            yield from self._channel(self.direct(direct_members(entry)).id)
        elif kind == "team":
            yield Skipped("description of a team")
        yield from self.roster.news()

    def post(self, raw: Json, channel: ChannelDraft | str, root: str | None = None) -> Iterator[Draft]:
        """The drafts of a post, after the people and the channel that were not met before.

        Raises:
            FieldError: before anything is yielded.
        """
        place = channel if isinstance(channel, str) else channel.id
        post = post_from(raw)
        record = record_of(post, Place(place, root), self.roster)
        self.paths = post["paths"]
        yield from self._channel(place, channel if isinstance(channel, ChannelDraft) else None)
        yield from self.roster.news()
        yield record
        if record.event == "displayname_change":
            props = record_at(raw, "props")
            names = [props.get("old_displayname"), props.get("new_displayname")]
            self._names.setdefault(place, set()).update(name for name in names if isinstance(name, str) and name)

    def renamed(self) -> Iterator[ChannelDraft]:
        """The channels that have had other names."""
        for channel, names in self._names.items():
            draft = self._told[channel]
            yield replace(draft, aliases=tuple(sorted({*draft.aliases, *names} - {draft.name})))

    def direct(self, members: list[str]) -> ChannelDraft:
        """The conversation of these people."""
        return direct_channel(members, self.roster)

    def _channel(self, channel: str, otherwise: ChannelDraft | None = None) -> Iterator[Draft]:
        if channel in self._told:
            return
        unlisted = ChannelDraft(channel, channel.rpartition("/")[2], ChannelKind.PRIVATE, stated=False)
        draft = self._lists.listed(channel) or otherwise or unlisted
        self._told[channel] = draft
        for member in draft.members or ():
            self.roster.add(member)
        yield from self.roster.news()
        yield draft


def _drafts_of_file(tree: FileTree, name: str, reading: _Reading) -> Iterator[Drafted]:
    position = "the beginning"
    try:
        for position, kind, entry in _lines(tree, name):
            if isinstance(entry, Broken):
                yield kept_aside(name, position, entry.reason, stripped(entry.raw))
            elif kind in POSTS:
                yield from _thread(name, position, kind, entry, reading)
            elif kind in LISTS and isinstance(entry, dict):
                try:
                    for draft in reading.listed(kind, entry):
                        yield Drafted(name, replace(draft, position=position) if isinstance(draft, Skipped) else draft)
                except FieldError as error:
                    yield kept_aside(name, position, str(error), stripped(raw_of(entry)))
            elif _WORD.fullmatch(kind):
                yield Drafted(name, Skipped(f"line of type {kind}", position))
            else:
                yield kept_aside(name, position, "a line without a type", stripped(raw_of(entry)))
    except UnreadableInput as error:
        yield kept_aside(name, f"after {position}", str(error))


def _thread(name: str, position: str, kind: str, entry: object, reading: _Reading) -> Iterator[Drafted]:
    """A post with its replies; replies are read even where their root cannot be."""
    try:
        if not isinstance(entry, dict):
            raise FieldError(f"a {kind} that is no object")
        channel = channel_id(entry) if kind == "post" else reading.direct(member_names(entry.get("channel_members")))
    except FieldError as error:
        yield kept_aside(name, position, str(error), stripped(raw_of(entry)))
        return
    root = lineage_of(post_from(entry), channel if isinstance(channel, str) else channel.id)
    alone = {key: value for key, value in entry.items() if key != "replies"}
    yield from _one(name, position, alone, channel, None, reading)
    for number, reply in replies_of(entry):
        yield from _one(name, f"{position}, reply {number}", reply, channel, root, reading)


def _one(
    name: str, position: str, raw: object, channel: ChannelDraft | str, root: str | None, reading: _Reading
) -> Iterator[Drafted]:
    try:
        if not isinstance(raw, dict):
            raise FieldError("a reply that is no object")
        drafts = list(reading.post(raw, channel, root))
    except FieldError as error:
        yield kept_aside(name, position, str(error), raw_of(raw))
        return
    for draft in drafts:
        yield Drafted(name, draft)


def _lines(tree: FileTree, name: str) -> Iterator[tuple[str, str, object]]:
    """The lines of a file: position, type, and the entry of that type; a `Broken` is an entry of no type."""
    with tree.open(name) as file:
        head = file.read(HEAD_BYTES)
    with tree.open(name) as file:
        for position, row in json_rows(file, head):
            kind = row.get("type") if isinstance(row, dict) else None
            if isinstance(row, dict) and isinstance(kind, str):
                yield position, kind, row.get(kind)
            else:
                yield position, "", row


def _is_export(tree: FileTree, name: str) -> bool:
    try:
        return any(
            kind in _MARKS and isinstance(entry, dict) and not _MARKS[kind].isdisjoint(entry)
            for _, kind, entry in islice(_lines(tree, name), ROWS_TRIED)
        )
    except UnreadableInput:
        return False


def _candidates(tree: FileTree) -> list[str]:
    names = [name for name in tree.names() if not _UPLOADED.search(name)]
    return [name for name in names if name.lower().endswith(_ENDINGS)] or names
