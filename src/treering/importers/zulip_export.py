"""Zulip's own export of an organization: realm.json and messages-NNNNNN.json, in a folder, a zip or a tar.gz.

A stream is a channel and its topics are threads. Of edited messages every version is given, with the time when it began
to hold; a moved topic is an edit, too. The channel of all versions is the present one: what was moved to a private
stream is as private as that. Reactions, presence and settings are left out. Follows FORMATS section 4.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from treering.errors import UnreadableInput
from treering.importers.json_stream import Broken, stream_items
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.importers.zulip_markdown import Identify, read_markdown
from treering.importers.zulip_message import Message, read_message
from treering.importers.zulip_realm import Realm, by_number, read_realm, realm_string_id
from treering.model.drafts import (
    ActorDraft,
    Attachment,
    Change,
    ChannelDraft,
    ChannelKind,
    Draft,
    Drafted,
    RecordDraft,
    Skipped,
)

__all__ = ["ZulipExport"]

HEAD_BYTES = 1 << 16

_MESSAGES = re.compile(r"(.*/)?messages-[0-9]+\.json")


class ZulipExport:
    """The export that a Zulip server writes."""

    name = "zulip-export"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there are tables of a Zulip server; messages without realm.json will do."""
        wanted = {
            f"{_folder(tree)}realm.json": b'"zerver_',
            **dict.fromkeys(_message_files(tree)[:1], b'"zerver_message"'),
        }
        return any(tree.has(name) and mark in _head(tree, name) for name, mark in wanted.items())

    def source(self, tree: FileTree) -> str:
        """The word "zulip", with the organization's own id ("zulip:kestrel") as far as the export gives it."""
        string_id = realm_string_id(tree, _folder(tree))
        return f"zulip:{string_id}" if string_id else "zulip"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """All users and streams, then the messages in the order of their files."""
        folder = _folder(tree)
        tables, files = {f"{folder}realm.json", f"{folder}attachment.json"}, _message_files(tree)
        realm = read_realm(tree, folder)
        yield from realm.faults
        conversation = _Conversations(realm)
        for draft in conversation.known():
            yield Drafted(f"{folder}realm.json", draft)
        for name in tree.names():
            if name in files:
                yield from _drafts_of_file(tree, name, conversation)
            elif name not in tables:
                yield Drafted(name, Skipped("not a file of messages", name))


def _drafts_of_file(tree: FileTree, name: str, conversations: "_Conversations") -> Iterator[Drafted]:
    with tree.open(name) as file:
        for index, value in stream_items(file, "zerver_message"):
            position = f"message {index + 1}"
            if isinstance(value, Broken):
                yield kept_aside(name, position, value.reason, value)
                continue
            try:
                message = read_message(value)
            except FieldError as error:
                yield kept_aside(name, position, str(error), value)
                continue
            for draft in conversations.drafts(message):
                yield Drafted(name, draft)


class _Conversations:
    """Who and where, as messages come in: whoever is not in the tables is drafted when first met."""

    def __init__(self, realm: Realm) -> None:
        self._realm = realm
        self._actors = set(realm.actors)
        self._channels: dict[str, ChannelDraft] = {}

    def known(self) -> Iterator[Draft]:
        """The users and streams of the tables; conversations between people follow with their messages."""
        yield from self._realm.actors.values()
        for channel in self._realm.channels.values():
            if channel.kind is not ChannelKind.GROUP:
                yield from self._met(channel, {})

    def drafts(self, message: Message) -> Iterator[Draft]:
        """All versions of a message, after the actors and the channel that were not met before."""
        channel = self._channel(message)
        named: dict[str, str] = {message.sender: f"user {message.sender}"}

        def identify(name: str, user_id: str) -> tuple[str | None, str]:
            user, shown = self._realm.identify(name, user_id)
            if user:
                named.setdefault(user, shown)
            return user, shown

        records = list(_records(message, channel, identify, self._realm.files))
        yield from self._met(channel, named)
        yield from records

    def _met(self, channel: ChannelDraft, named: Mapping[str, str]) -> Iterator[Draft]:
        """The drafts of a channel, its members and other people named, as far as they are new."""
        is_new = self._channels.get(channel.id) != channel
        for user in (*named, *(channel.members or ())) if is_new else named:
            if user not in self._actors:
                self._actors.add(user)
                yield ActorDraft(user, named.get(user, f"user {user}"))
        if is_new:
            self._channels[channel.id] = channel
            yield channel

    def _channel(self, message: Message) -> ChannelDraft:
        channel = self._realm.channels.get(message.recipient)
        receiver = self._realm.receivers.get(message.recipient)
        if receiver:
            members = tuple(sorted({message.sender, receiver}, key=by_number))
            return ChannelDraft(f"dm:{'-'.join(members)}", self._names(members), ChannelKind.DIRECT, members)
        if channel is None:
            recipient = message.recipient
            return ChannelDraft(f"recipient:{recipient}", f"recipient {recipient}", ChannelKind.PRIVATE)
        if channel.kind is not ChannelKind.GROUP:
            return channel
        before = self._channels.get(channel.id, channel)
        members = tuple(sorted({*(before.members or ()), message.sender}, key=by_number))
        return replace(channel, members=members, name=self._names(members))

    def _names(self, members: tuple[str, ...]) -> str:
        actors = self._realm.actors
        return ", ".join(actors[user].name if user in actors else f"user {user}" for user in members)


def _records(
    message: Message, channel: ChannelDraft, identify: Identify, files: Mapping[str, Attachment]
) -> Iterator[RecordDraft]:
    lineage = str(message.number)
    for place, version in enumerate(message.versions):
        reading = read_markdown(version.content, identify, files)
        since = max(version.since.at, message.sent_at)  # edits carry whole seconds, and may seem to come too early
        is_first = place == 0 and version.since.at == message.sent_at
        yield RecordDraft(
            source_id=lineage if is_first else f"{lineage}@{int(version.since.at.timestamp())}",
            channel=channel.id,
            author=message.sender,
            valid_from=since,
            text=reading.text,
            lineage=lineage,
            change=Change.NEW if is_first else Change.EDIT,
            valid_from_raw=version.since.raw,
            created_at=None if is_first else message.sent_at,
            order_hint=message.number,
            reply_to=reading.reply_to,
            refs=reading.refs,
            thread=version.topic or None if channel.kind in (ChannelKind.PUBLIC, ChannelKind.PRIVATE) else None,
            mentions=reading.mentions,
            links=reading.links,
            attachments=reading.attachments,
        )


def _message_files(tree: FileTree) -> list[str]:
    return [name for name in tree.names() if _MESSAGES.fullmatch(name)]


def _folder(tree: FileTree) -> str:
    """Where the export lies within the tree: "" or "name/"."""
    found = [name for name in tree.names() if name.rpartition("/")[2] == "realm.json"] or _message_files(tree)
    folder, slash, _ = min(found, key=len, default="").rpartition("/")
    return folder + slash


def _head(tree: FileTree, name: str) -> bytes:
    try:
        with tree.open(name) as file:
            return file.read(HEAD_BYTES)
    except UnreadableInput:
        return b""
