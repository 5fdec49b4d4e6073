"""The JSON that the public tool zulip-archive keeps of an organization's public streams: one file a topic.

    zulip_json/stream_index.json               {"streams": {name: {"id": 5, "topic_data": {topic: {...}}}}, "time": ...}
    zulip_json/5-ops/release.204.json          [{"id", "sender_full_name", "timestamp", "content"}], content rendered

Of authors there is nothing but the full name, so that it is the id here, in mentions too: namesakes are one actor.
Versions of edited messages are not kept by the tool. When a topic is renamed, the tool leaves the old file where it is;
files that the index knows are read first, and a message that was read is skipped in the others.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from treering.errors import UnreadableInput
from treering.importers.json_stream import Broken, stream_items
from treering.importers.moments import read_moment
from treering.importers.narrowing import FieldError, clean, identity, kept_aside, require, serial
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.importers.zulip_html import read_html
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind, Draft, Drafted, RecordDraft, Skipped

__all__ = ["ZulipArchive"]

INDEX = "stream_index.json"
INDEX_BYTES_MAX = 256 << 20  # an organization of 18,000 topics has 2 MB
SYSTEM_BOTS = frozenset({"Notification Bot", "Welcome Bot", "Email Gateway", "Zulip Feedback Bot"})

_TOPIC_FILE = re.compile(r"(?P<id>[0-9]+)-?(?P<stream>[^/]*)/(?P<topic>[^/]+)\.json")


@dataclass(slots=True)
class _Index:
    """What stream_index.json says, as far as it can be read."""

    names: dict[str, str] = field(default_factory=dict)  # stream id -> name
    topics: set[tuple[str, str]] = field(default_factory=set)  # (stream id, topic)
    fault: str = ""


class ZulipArchive:
    """A folder `zulip_json`, or the repository that holds it."""

    name = "zulip-archive"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there is an index of streams that reads as one."""
        folder = _folder(tree)
        return folder is not None and not _read_index(tree, folder).fault

    def source(self, tree: FileTree) -> str:
        """A constant: the archive does not say of which organization it is; `--source` does."""
        return "zulip"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every message of every topic; all channels are public, as the tool archives no others."""
        folder = _folder(tree) or ""
        index = _read_index(tree, folder)
        if index.fault:
            yield kept_aside(folder + INDEX, "the whole file", index.fault)
        topics: list[tuple[bool, str, re.Match[str]]] = []
        for name in tree.names():
            match = _TOPIC_FILE.fullmatch(name.removeprefix(folder)) if name.startswith(folder) else None
            if match:
                is_stale = (match["id"], _decoded(match["topic"])) not in index.topics
                topics.append((is_stale, name, match))
            elif name != folder + INDEX:
                yield Drafted(name, Skipped("not a topic of the archive", name))
        seen = _Seen()
        for _, name, match in sorted(topics, key=lambda topic: topic[0]):
            channel = ChannelDraft(match["id"], index.names.get(match["id"]) or match["stream"], ChannelKind.PUBLIC)
            with tree.open(name) as file:
                for number, value in stream_items(file):
                    yield from _drafts(name, f"message {number + 1}", value, channel, _decoded(match["topic"]), seen)


@dataclass(slots=True)
class _Seen:
    """What was drafted before."""

    channels: set[str] = field(default_factory=set)
    actors: set[str] = field(default_factory=set)
    messages: set[int] = field(default_factory=set)


def _drafts(
    name: str, position: str, value: object, channel: ChannelDraft, topic: str, seen: _Seen
) -> Iterator[Drafted]:
    if isinstance(value, Broken):
        yield kept_aside(name, position, value.reason, value)
        return
    try:
        record = _record(value, channel.id, topic)
    except FieldError as error:
        yield kept_aside(name, position, str(error), value)
        return
    if record.order_hint in seen.messages:
        yield Drafted(name, Skipped("a copy of a message of another topic", position))
        return
    seen.messages.add(record.order_hint)
    drafts: list[Draft] = []
    for actor in (record.author, *record.mentions):
        if actor not in seen.actors:
            seen.actors.add(actor)
            drafts.append(ActorDraft(actor, actor, ActorKind.BOT if actor in SYSTEM_BOTS else ActorKind.UNKNOWN))
    if channel.id not in seen.channels:
        seen.channels.add(channel.id)
        drafts.append(channel)
    for draft in (*drafts, record):
        yield Drafted(name, draft)


def _record(value: object, channel: str, topic: str) -> RecordDraft:
    """A message of the tool's making.

    Raises:
        FieldError: a field is missing or of another kind.
    """
    row = require(value, "id", "sender_full_name", "timestamp", "content")
    number, author, content = serial(row["id"], "id"), identity(row["sender_full_name"]), row["content"]
    if author is None or not isinstance(content, str):
        raise FieldError(f"{'sender_full_name' if author is None else 'content'} is no text")
    sent = read_moment(row["timestamp"], "timestamp")
    reading = read_html(content)
    return RecordDraft(
        source_id=str(number),
        channel=channel,
        author=author,
        valid_from=sent.at,
        text=reading.text,
        valid_from_raw=sent.raw,
        order_hint=number,
        reply_to=reading.reply_to,
        refs=reading.refs,
        thread=topic or None,
        mentions=reading.mentions,
        links=reading.links,
        attachments=reading.attachments,
    )


def _folder(tree: FileTree) -> str | None:
    """Where the index lies within the tree: "" or "zulip_json/"; None if nowhere."""
    found = [name for name in tree.names() if name.rpartition("/")[2] == INDEX]
    return min(found, key=len).removesuffix(INDEX) if found else None


def _read_index(tree: FileTree, folder: str) -> _Index:
    if not tree.has(folder + INDEX):
        return _Index(fault="there is none")
    try:
        with tree.open(folder + INDEX) as file:
            document = json.loads(file.read(INDEX_BYTES_MAX))
    except (UnreadableInput, ValueError, RecursionError) as error:
        return _Index(fault=f"not JSON: {error}")
    streams = document.get("streams") if isinstance(document, dict) else None
    if not isinstance(streams, dict):
        return _Index(fault="no streams in it")
    index = _Index()
    for name, stream in streams.items():
        stream_id = identity(stream.get("id")) if isinstance(stream, Mapping) else None
        if stream_id is not None:
            index.names[stream_id] = clean(name)
            index.topics.update((stream_id, topic) for topic in stream.get("topic_data") or ())
    return index


def _decoded(file_name: str) -> str:
    """The topic in a file's name, which is the topic in URL quoting with dots for percent signs.

    >>> _decoded(".E2.9C.94.20v1.2E2.20out.3F")
    '✔ v1.2 out?'
    """
    return clean(unquote(file_name.replace(".", "%"), errors="replace"))
