"""The importer of the data package that Discord sends to a person on request: only what that person wrote.

Nothing in it says whom a message answers. Ids are those of the service, so that a message that another export tells of
as well is the same; of the account's file nothing but id and names is looked at. Follows FORMATS section 5.2.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.csv_rows import csv_header, csv_rows
from treering.importers.discord_text import Tokens, file_name, readable, snowflake_time
from treering.importers.json_fields import Json, raw_of, record_at, text_at
from treering.importers.json_stream import Broken, stream_items
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, clean, distinct, identity, kept_aside, urls
from treering.importers.protocol import ImportOptions
from treering.importers.table_fields import Fields
from treering.importers.tree import FileTree
from treering.model.drafts import (
    ActorDraft,
    ActorKind,
    Attachment,
    ChannelDraft,
    ChannelKind,
    Drafted,
    RecordDraft,
    Skipped,
)

__all__ = ["DiscordPackage"]

OWNER = "requester"  # who asked for the package, where its account file is missing
DESCRIPTIONS = ("channel.json", "index.json", "user.json")  # read for the names in them
FILES_TRIED = 40
HEAD_BYTES = 1 << 12
LIST_BYTES_MAX = 64 << 20

_COLUMNS = Fields({"id": "ID", "sent_at": "Timestamp", "text": "Contents", "attachments": "Attachments"})
_FOLDER = re.compile("c?([0-9]+)")
_WRITTEN = {"ID", "Timestamp", "Contents"}
_DIRECT, _GROUP = frozenset({"1", "DM"}), frozenset({"3", "GROUP_DM"})


class DiscordPackage:
    """One person's own messages."""

    name = "discord-package"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a file has rows with an ID, a Timestamp and Contents."""
        names = [name for name in tree.names() if name.lower().endswith((".json", ".csv"))]
        mine = [name for name in names if _leaf(name).startswith("messages.")] or names
        return any(_holds_messages(tree, name) for name in mine[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """The same as of other exports of Discord, whose ids these are."""
        return "discord"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """The person, then every message of every channel."""
        owner = _owner(tree)
        titles = _titles(tree)
        introduced = False
        for name in tree.names():
            if not _holds_messages(tree, name):
                if _leaf(name) not in DESCRIPTIONS:
                    yield Drafted(name, Skipped("not a file of messages"))
                continue
            if not introduced:
                introduced = True
                yield Drafted(name, owner)
            channel = _channel(tree, name, titles, owner.id, options.visibility)
            yield Drafted(name, channel)
            yield from _read_messages(tree, name, channel, owner.id)


def _read_messages(tree: FileTree, name: str, channel: ChannelDraft, owner: str) -> Iterator[Drafted]:
    for position, row in _rows(tree, name):
        try:
            if isinstance(row, Broken):
                raise FieldError(row.reason)
            record = _record(row, channel.id, owner)
        except FieldError as error:
            yield kept_aside(name, position, str(error), raw_of(row))
            continue
        yield Drafted(name, record)


def _record(row: Mapping[str, object], channel: str, owner: str) -> RecordDraft:
    id_, contents, attached = identity(row.get("id")), row.get("text"), row.get("attachments")
    if id_ is None:
        raise FieldError("no ID")
    try:
        sent = read_moment(row.get("sent_at"), "Timestamp")
    except FieldError:
        at = snowflake_time(id_)
        if at is None:
            raise
        sent = Moment(at, f"id {id_}")
    tokens = Tokens()
    text = readable(clean(contents) if isinstance(contents, str) else identity(contents) or "", tokens)
    files = [file_name(url) for url in attached.split()] if isinstance(attached, str) else []
    return RecordDraft(
        source_id=id_,
        lineage=id_,
        channel=channel,
        author=owner,
        valid_from=sent.at,
        valid_from_raw=sent.raw,
        order_hint=int(id_) if re.fullmatch("[0-9]{1,18}|[0-8][0-9]{18}", id_) else 0,
        text=text if text.strip() else "\n".join(files),
        mentions=tuple(tokens.mentions),
        links=urls(text),
        attachments=tuple(Attachment(clean(file)) for file in files),
        id_is_final=True,
    )


def _rows(tree: FileTree, name: str) -> Iterator[tuple[str, Mapping[str, object] | Broken]]:
    """The rows of a file under our names; a `Broken` where one does not read."""
    if name.lower().endswith(".csv"):
        with tree.open(name) as file:
            head = file.read(HEAD_BYTES)
        position = "the beginning"
        try:
            with tree.open(name) as file:
                for position, row in csv_rows(file, head, _COLUMNS):
                    yield position, row
        except UnreadableInput as error:
            yield f"after {position}", Broken(str(error))
        return
    with tree.open(name) as file:
        for index, item in stream_items(file):
            position = f"message {index + 1}"
            if isinstance(item, dict):
                yield position, _COLUMNS.pick(item)
            else:
                yield position, item if isinstance(item, Broken) else Broken("not an object", raw_of(item))


def _holds_messages(tree: FileTree, name: str) -> bool:
    try:
        if name.lower().endswith(".csv"):
            with tree.open(name) as file:
                return csv_header(file.read(HEAD_BYTES), _COLUMNS) >= {"id", "sent_at", "text"}
        if name.lower().endswith(".json"):
            with tree.open(name) as file:
                items = [item for _, item in islice(stream_items(file), 3)]
            return any(isinstance(item, dict) and item.keys() >= _WRITTEN for item in items)
    except UnreadableInput:
        return False
    return False


def _channel(tree: FileTree, name: str, titles: Mapping[str, str], owner: str, visibility: ChannelKind) -> ChannelDraft:
    """The channel that lies beside a file of messages; its folder's name is its id where it is not described."""
    folder = name.rpartition("/")[0]
    described = _object(tree, f"{folder}/channel.json" if folder else "channel.json")
    named = _FOLDER.fullmatch(folder.rpartition("/")[2] or tree.label)
    id_ = identity(described.get("id")) or (named[1] if named else "unnamed")
    kind, recipients = identity(described.get("type")) or "", described.get("recipients")
    guild = text_at(record_at(described, "guild"), "name")
    title = text_at(described, "name") or titles.get(id_, "") or id_
    aliases = (f"{guild} > {title}",) if guild else ()
    if kind not in _DIRECT | _GROUP:
        return ChannelDraft(id_, title, visibility, None, aliases, stated=False)
    people = [person for item in recipients if (person := identity(item))] if isinstance(recipients, list) else []
    known = len(people) > 1 and all(person.isdigit() for person in people)  # deleted users are all "Deleted User"
    members = distinct(sorted([*people, *([] if owner == OWNER else [owner])])) if known else None
    return ChannelDraft(id_, title, ChannelKind.DIRECT if kind in _DIRECT else ChannelKind.GROUP, members, aliases)


def _owner(tree: FileTree) -> ActorDraft:
    """Who asked for the package."""
    account = _object(tree, next((name for name in tree.names() if name.lower().endswith("account/user.json")), ""))
    id_, user_name = identity(account.get("id")) or OWNER, text_at(account, "username").strip()
    shown = text_at(account, "global_name").strip() or user_name or "whoever asked for the package"
    return ActorDraft(id_, shown, ActorKind.HUMAN, (user_name,) if user_name and user_name != shown else ())


def _titles(tree: FileTree) -> Mapping[str, str]:
    index = _object(tree, next((name for name in tree.names() if name.lower().endswith("messages/index.json")), ""))
    return {key: text_at(index, key).strip() for key in index if isinstance(index[key], str)}


def _object(tree: FileTree, name: str) -> Json:
    """A small file that is one object; an empty one if there is none that reads."""
    if not tree.has(name):
        return {}
    try:
        with tree.open(name) as file:
            value = json.loads(file.read(LIST_BYTES_MAX).decode("utf-8-sig", "replace"))
    except (UnreadableInput, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _leaf(name: str) -> str:
    return name.rpartition("/")[2].lower()
