"""The importer of Slack exports: standard, corporate and Enterprise Grid, and those that slackdump writes as files.

Here files are told apart and read in order; people, channels and messages have their own modules. Day files are named
after days of an unstated zone, so nothing but a message's own time stamp is believed. slackdump's databases and chunks
are read in `slackdump_archive`. Follows FORMATS sections 1.1 and 1.2.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from treering.importers.json_stream import Broken, stream_items
from treering.importers.narrowing import kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.slack_channels import LISTS, Channels
from treering.importers.slack_json import Json, micros_of, records_at, stripped, text_at
from treering.importers.slack_messages import Place
from treering.importers.slack_people import People
from treering.importers.slack_reading import read_message
from treering.importers.slack_text import Names
from treering.importers.slack_uploads import Uploads, is_uploaded
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["SlackExport"]

USER_LISTS = ("org_users.json", "users.json")
LOOKED_AT_MAX = 20  # files, before a tree without lists is held to be of another format

_NAMED_SKIPS = {
    "integration_logs.json": "list of integrations",
    "canvases.json": "list of canvases",
    "content_flags.json": "list of content flags",
    "lists.json": "list of lists",
    "huddle_transcripts.json": "list of huddle transcripts",
    "file_conversations.json": "list of file conversations",
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
_DUMP = re.compile(r"([CDG][A-Z0-9]{2,})(-\d+\.\d+)?\.json")
_LISTED_ID = re.compile(r"[A-Z][A-Z0-9]+")


class SlackExport:
    """Reads a Slack export, whichever tool wrote it."""

    name = "slack"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there is a list of Slack's, or a file whose first elements are messages of Slack's."""
        names = [name for name in tree.names() if name.endswith(".json") and not is_uploaded(name)]
        lists = [name for name in names if _leaf(name) in (*USER_LISTS, *LISTS)]
        if any(_LISTED_ID.fullmatch(text_at(item, "id")) for name in lists for item in _first(tree, name)):
            return True
        others = [name for name in names if name not in lists and _leaf(name) not in _NAMED_SKIPS]
        return any(_holds_messages(tree, name) for name in others[:LOOKED_AT_MAX])

    def source(self, tree: FileTree) -> str:
        """`slack:` and the id of the organization or workspace, if the lists of users tell it."""
        people = People()
        for _ in _read_users(tree, people):
            pass
        return f"slack:{people.team}" if people.team else "slack"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """People, channels, then messages in the order of their files; what `options` say, Slack's lists say better."""
        people, channels = People(), Channels()
        yield from _read_users(tree, people)
        yield from _read_channels(tree, people, channels)
        told = dict(channels.by_id)
        names = Names(people.names, channels.public_names)
        uploads = Uploads(tree)
        last = ""
        for name in tree.names():
            if is_uploaded(name) or _leaf(name) in (*USER_LISTS, *LISTS):
                continue
            if reason := _reason_to_skip(tree, name):
                yield Drafted(name, Skipped(reason))
                continue
            last = name
            channel = channels.of_folder(_folder_of(tree, name))
            if channel.id not in told:
                told[channel.id] = channel
                yield Drafted(name, channel)
            for raw, drafted in _read_messages(tree, name, Place(channel.id, people, names), uploads):
                yield drafted
                if text_at(raw, "subtype") in ("channel_name", "group_name"):
                    channels.rename(channel.id, text_at(raw, "old_name"), text_at(raw, "name"))
        yield from (Drafted(last, channel) for id_, channel in channels.by_id.items() if channel != told[id_])
        yield from (Drafted(last, actor) for actor in people.corrections())
        yield from uploads.leftovers()


def _read_users(tree: FileTree, people: People) -> Iterator[Drafted]:
    """Take in the lists of users, the organization's before those of its workspaces; then yield who is in them."""
    files: dict[str, str] = {}
    for list_name in USER_LISTS:
        for name in _named(tree, [list_name]):
            for position, user in _entries(tree, name, "user"):
                if isinstance(user, Drafted):
                    yield user
                elif people.list_user(user):
                    files.setdefault(text_at(user, "id"), name)
                else:
                    yield kept_aside(name, position, "a user without an id", stripped(json.dumps(user)))
    yield from (Drafted(files[id_], actor) for id_, actor in people.listed.items())


def _read_channels(tree: FileTree, people: People, channels: Channels) -> Iterator[Drafted]:
    """Take in the lists of conversations, then yield them, after the people whom only their members name."""
    files: dict[str, str] = {}
    for name in _named(tree, LISTS):
        scope, kind = name.rpartition("/")[0], LISTS[_leaf(name)]
        for position, entry in _entries(tree, name, "channel"):
            if isinstance(entry, Drafted):
                yield entry
            elif channels.list_channel(entry, kind, scope, people):
                files.setdefault(text_at(entry, "id"), name)
            else:
                yield kept_aside(name, position, "a channel without an id", stripped(json.dumps(entry)))
    yield from (Drafted(next(iter(files.values())), actor) for actor in people.news())
    yield from (Drafted(files[id_], channel) for id_, channel in channels.by_id.items())


def _read_messages(tree: FileTree, name: str, place: Place, uploads: Uploads) -> Iterator[tuple[Json, Drafted]]:
    """Each message as found, with each thing that it becomes."""
    for position, entry in _entries(tree, name, "message", "messages" if _DUMP.fullmatch(name) else None):
        if isinstance(entry, Drafted):
            yield {}, entry
            continue
        # slackdump's dumps hold the replies inside of their roots
        for raw in (entry, *records_at(entry, "slackdump_thread_replies")):
            for drafted in read_message(raw, place, uploads, name, position):
                yield raw, drafted


def _entries(tree: FileTree, name: str, what: str, key: str | None = None) -> Iterator[tuple[str, Json | Drafted]]:
    """The objects of a file with their positions, counted from 1; drafts stand for what is none."""
    with tree.open(name) as file:
        for index, item in stream_items(file, key):
            position = f"{what} {index + 1}"
            if isinstance(item, Broken):
                yield position, kept_aside(name, position, item.reason, stripped(item.raw))
            elif isinstance(item, dict):
                yield position, item
            else:
                yield position, Drafted(name, Skipped(f"not a {what}", position))


def _reason_to_skip(tree: FileTree, name: str) -> str:
    """Why a file is not read as messages; "" if it is."""
    leaf = _leaf(name)
    if leaf in _NAMED_SKIPS:
        return _NAMED_SKIPS[leaf]
    is_day = bool(_DAY.fullmatch(leaf)) and "/" in name
    return "" if is_day or (leaf.endswith(".json") and _holds_messages(tree, name)) else "not a file of messages"


def _holds_messages(tree: FileTree, name: str) -> bool:
    """Whether the first elements of a file look like messages of Slack's."""
    items = _first(tree, name, "messages" if _DUMP.fullmatch(name) else None)
    return any(
        "ts" in item and (text_at(item, "type") == "message" or (micros_of(text_at(item, "ts")) and "text" in item))
        for item in items
    )


def _first(tree: FileTree, name: str, key: str | None = None) -> list[Json]:
    """The objects among the first elements of a file; none if it does not read."""
    with tree.open(name) as file:
        return [item for _, item in islice(stream_items(file, key), 3) if isinstance(item, dict)]


def _named(tree: FileTree, leaves: Iterable[str]) -> list[str]:
    """The files of the export with one of these names, the nearest to its root first."""
    wanted = frozenset(leaves)
    found = [name for name in tree.names() if _leaf(name) in wanted and not is_uploaded(name)]
    return sorted(found, key=lambda name: (name.count("/"), name))


def _folder_of(tree: FileTree, name: str) -> str:
    """The folder that stands for the channel of a file, or what stands for the folder where there is none."""
    if "/" in name:
        return name.rpartition("/")[0]
    if dumped := _DUMP.fullmatch(name):
        return dumped[1]
    if _DAY.fullmatch(name):  # one channel's folder was given, or one of its files
        return tree.label.partition(".")[0] if tree.label != name else "unnamed"
    return name.removesuffix(".json")


def _leaf(name: str) -> str:
    return name.rpartition("/")[2]
