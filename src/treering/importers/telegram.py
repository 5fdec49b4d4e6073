"""The importer of Telegram Desktop's `result.json`: one chat, or all chats of an account.

A file is read twice: what a chat is, and whose the export is, may be said anywhere in it. HTML exports are not read,
nor the contacts, sessions and pictures of an account. Follows FORMATS section 8.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treering.importers.chat_files import ChatFiles
from treering.importers.json_fields import Json, raw_of, text_at
from treering.importers.json_stream import Broken
from treering.importers.json_walk import Path, walk, with_odd_escapes
from treering.importers.local_times import UTC_ASSUMED, LocalTimes
from treering.importers.narrowing import FieldError, identity, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.telegram_chats import Chat, channel_of, chat_path, enters, is_type, message_path
from treering.importers.telegram_message import Place, message_from, record_of
from treering.importers.tree import FileTree
from treering.model.drafts import ActorKind, ChannelDraft, Draft, Drafted, Skipped

__all__ = ["TelegramExport"]

FILES_TRIED = 20
VALUES_TRIED = 60  # before the first message
HEAD_BYTES = 64

_TYPES = frozenset({"message", "service"})


class TelegramExport:
    """Chats as Telegram Desktop writes them."""

    name = "telegram"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a JSON file holds messages with the types and dates of Telegram."""
        return any(_is_export(tree, name) for name in _json_files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: Telegram's ids are unique, and chats of two are told apart by their accounts."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every message of every chat."""
        LocalTimes(options.zone)  # a zone that does not exist is said before anything is read
        files = [name for name in _json_files(tree) if _is_export(tree, name)]
        reading = _Reading(options, ChatFiles(tree, files))
        for name in files:
            yield from _read_file(tree, name, reading)
        yield from reading.files.leftovers()
        corrections: list[Draft] = [*reading.roster.corrections(), *reading.corrections()]
        yield from (Drafted(files[-1], draft) for draft in corrections)


class _Reading:
    """What is known while the files are read."""

    def __init__(self, options: ImportOptions, files: ChatFiles) -> None:
        self.roster = Roster()
        self.files = files
        self.options = options
        self._told: dict[str, ChannelDraft] = {}
        self._titles: dict[str, set[str]] = {}

    def meet(self, channel: ChannelDraft) -> Iterator[Draft]:
        """The people and the channel that were not met before."""
        known = self._told.get(channel.id)
        if known is None:
            self._told[channel.id] = channel
            for member in channel.members or ():
                self.roster.add(member)
        yield from self.roster.news()
        if known is None:
            yield channel

    def title(self, channel: str, title: str) -> None:
        """Note a title that a chat has had."""
        self._titles.setdefault(channel, set()).add(title)

    def corrections(self) -> Iterator[ChannelDraft]:
        """The channels that have had other names."""
        for id_, titles in self._titles.items():
            known = self._told[id_]
            others = tuple(sorted({*known.aliases, *titles} - {known.name}))
            if others != known.aliases:
                yield replace(known, aliases=others)


def _read_file(tree: FileTree, name: str, reading: _Reading) -> Iterator[Drafted]:
    chats, account = _chats(tree, name, reading.roster)
    zone = reading.options.zone
    place, channel, at = Place("", zone, LocalTimes(zone)), ChannelDraft("", "", reading.options.visibility), None
    assumed = False
    for path, value in _walk(tree, name):
        if isinstance(value, Broken):
            yield kept_aside(name, _position(path), value.reason, value)
        elif message_path(path):
            if at != chat_path(path):
                at = chat_path(path)
                channel = channel_of(chats[at], account, reading.options.visibility)
                place = Place(channel.id, zone, LocalTimes(zone))
            yield from _drafts(name, _position(path), value, channel, place, reading)
            assumed = assumed or place.times.assumed
    if assumed and zone is None:
        yield Drafted(name, Skipped(UTC_ASSUMED))


def _drafts(
    name: str, position: str, value: object, channel: ChannelDraft, place: Place, reading: _Reading
) -> Iterator[Drafted]:
    try:
        if not isinstance(value, dict):
            raise FieldError("not an object")
        kind = text_at(value, "type")
        if kind == "unsupported":
            yield Drafted(name, Skipped("message that Telegram Desktop cannot export", position))
            return
        record = record_of(message_from(value), place, reading.roster)
    except FieldError as error:
        yield kept_aside(name, position, str(error), raw_of(value))
        return
    yield from (Drafted(name, draft) for draft in reading.meet(channel))
    yield Drafted(name, record)
    yield from reading.files.documents(record, [text_at(value, "file")], name)
    if record.event in ("create_group", "create_channel", "edit_group_title", "migrate_from_group"):
        title = text_at(value, "title").strip()
        if title:
            reading.title(channel.id, title)


def _chats(tree: FileTree, name: str, roster: Roster) -> tuple[dict[Path, Chat], str]:
    """What the chats of a file are, by their paths, and the id of the account whose export it is, if that is told."""
    chats: dict[Path, Chat] = {}
    account = ""
    for path, value in _walk(tree, name):
        where = chat_path(path)
        if path == ("personal_information",) and isinstance(value, dict):
            account = _account(value, roster)
        elif message_path(path):
            chat = chats.setdefault(where, Chat())
            if isinstance(value, dict) and len(chat.writers) < 3:
                message = message_from(value)
                if message["sender"].startswith("user") and not message["is_service"]:
                    chat.writers.add(message["sender"])
        elif len(path) == len(where) + 1 and not isinstance(value, Broken):
            chats.setdefault(where, Chat()).head[str(path[-1])] = value
    for chat in chats.values():
        if chat.is_direct and (peer := identity(chat.head.get("id"))):
            is_bot = text_at(chat.head, "type") == "bot_chat"
            roster.add(f"user{peer}", text_at(chat.head, "name").strip(), ActorKind.BOT if is_bot else ActorKind.HUMAN)
    return chats, account


def _account(value: Json, roster: Roster) -> str:
    user = identity(value.get("user_id"))
    if user is None:
        return ""
    name = f"{text_at(value, 'first_name')} {text_at(value, 'last_name')}".strip()
    return roster.add(f"user{user}", name, ActorKind.HUMAN, [text_at(value, "username").strip()])


def _position(path: Path) -> str:
    """Which message it is, of which chat; counted from 1."""
    where = chat_path(path)
    chat = f"chat {where[2] + 1}, " if len(where) == 3 and isinstance(where[2], int) else ""
    if message_path(path) and isinstance(path[-1], int):
        return f"{chat}message {path[-1] + 1}"
    return f"{chat}the end"


def _walk(tree: FileTree, name: str) -> Iterator[tuple[Path, object]]:
    with tree.open(name) as file:
        yield from walk(with_odd_escapes(file), enters)


def _is_export(tree: FileTree, name: str) -> bool:
    with tree.open(name) as file:
        if file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
            return False
    for path, value in islice(_walk(tree, name), VALUES_TRIED):
        if path == ("type",) and is_type(value):
            return True
        if isinstance(value, dict) and message_path(path) and text_at(value, "type") != "unsupported":
            return text_at(value, "type") in _TYPES and not value.keys().isdisjoint({"date", "date_unixtime"})
    return False


def _json_files(tree: FileTree) -> list[str]:
    return [name for name in tree.names() if name.lower().endswith(".json")]
