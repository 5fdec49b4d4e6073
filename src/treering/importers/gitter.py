"""The importer of Gitter rooms: one JSON array of messages a room, as the service gave it out until it became Matrix.

A file does not say which room it is of, so its name does; who may read the room is not said at all. The id of a message
holds the second in which it was made: one that was sent at another time bears the id of another message, and is told
apart from it by its own time. Follows FORMATS section 12.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TypedDict

from treering.errors import UnreadableInput
from treering.importers.json_fields import Json, raw_of, record_at, records_at, text_at
from treering.importers.json_stream import Broken, stream_items
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct, kept_aside, urls
from treering.importers.protocol import ImportOptions
from treering.importers.roster import NOBODY, Roster
from treering.importers.tree import FileTree
from treering.model.drafts import ActorKind, Change, ChannelDraft, Drafted, RecordDraft, Skipped

__all__ = ["Gitter"]

LOOKED_AT_MAX = 20  # files, before a tree is held to be of another format

_OBJECT_ID = re.compile(r"[0-9a-f]{24}")
_EARLIEST, _DRIFT = datetime(2011, 1, 1, tzinfo=UTC), timedelta(minutes=10)


class Message(TypedDict):
    """A message, as far as we know its fields; absent ones are empty."""

    id: str
    sent: Moment
    edited: Moment | None
    text: str
    room: str  # some tools add it
    user: Json
    parent: str  # the id of the thread's root
    mentions: list[Json]
    urls: list[Json]


class Gitter:
    """Files of messages, one a room."""

    name = "gitter"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a file is an array of messages as Gitter writes them."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        return any(_holds_messages(tree, name) for name in names[:LOOKED_AT_MAX])

    def source(self, tree: FileTree) -> str:
        """A constant: ids of Gitter are unique everywhere."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every message of every file; rooms are of the kind that the operator says."""
        people, rooms = Roster(), set[str]()
        for name in tree.names():
            if not (name.lower().endswith(".json") and _holds_messages(tree, name)):
                yield Drafted(name, Skipped("not a room of messages"))
                continue
            with tree.open(name) as file:
                for index, value in stream_items(file):
                    position = f"message {index + 1}"
                    try:
                        message = _message(value)
                    except FieldError as error:
                        yield kept_aside(name, position, str(error), raw_of(value))
                        continue
                    room = message["room"] or name.rpartition("/")[2].removesuffix(".json")
                    record = _record(message, room, people)
                    yield from (Drafted(name, actor) for actor in people.news())
                    if room not in rooms:
                        rooms.add(room)
                        yield Drafted(name, ChannelDraft(room, room, options.visibility, stated=False))
                    yield Drafted(name, record)
            yield from (Drafted(name, actor) for actor in people.corrections())


def _message(value: object) -> Message:
    """Narrow an element.

    Raises:
        FieldError: it is no object, or has no id or no time that can be read.
    """
    if isinstance(value, Broken):
        raise FieldError(value.reason)
    if not isinstance(value, dict):
        raise FieldError("not an object")
    if not text_at(value, "id"):
        raise FieldError("no id")
    return Message(
        id=text_at(value, "id"),
        sent=read_moment(value.get("sent"), "sent"),
        edited=read_moment(value["editedAt"], "editedAt") if value.get("editedAt") is not None else None,
        text=text_at(value, "text"),
        room=text_at(value, "room").strip(),
        user=record_at(value, "fromUser"),
        parent=text_at(value, "parentId"),
        mentions=records_at(value, "mentions"),
        urls=records_at(value, "urls"),
    )


def _record(message: Message, room: str, people: Roster) -> RecordDraft:
    sent, edited = message["sent"], message["edited"]
    if edited is not None and edited.at <= sent.at:
        edited = None
    lineage = message["id"] if _is_of(message["id"], sent.at) else f"{message['id']}@{sent.raw}"
    moment = edited or sent
    return RecordDraft(
        source_id=f"{lineage}@{edited.raw}" if edited else lineage,
        lineage=lineage,
        change=Change.EDIT if edited else Change.NEW,
        channel=room,
        author=_actor(message["user"], people, sent.at) or people.add(NOBODY),
        valid_from=moment.at,
        valid_from_raw=moment.raw,
        created_at=sent.at if edited else None,
        text=message["text"],
        thread=message["parent"] or None,
        reply_to=message["parent"] or None,
        mentions=distinct([user for item in message["mentions"] if (user := _mentioned(item, people))]),
        links=distinct([*urls(message["text"]), *filter(None, (text_at(url, "url") for url in message["urls"]))]),
        id_is_final=True,  # a room's file may be renamed, and its messages are still the same
    )


def _is_of(id_: str, sent_at: datetime) -> bool:
    """Whether the time within an id is that of the message; ids of other forms hold none."""
    if not _OBJECT_ID.fullmatch(id_):
        return True
    made_at = datetime.fromtimestamp(int(id_[:8], 16), UTC)
    return made_at < _EARLIEST or abs(made_at - sent_at) < _DRIFT


def _actor(user: Json, people: Roster, at: datetime) -> str:
    """The id of a user of whom a message tells; "" if it tells nothing."""
    id_, username = text_at(user, "id"), text_at(user, "username").strip()
    if not id_ and not username:
        return ""
    kind = ActorKind.HUMAN if id_ else ActorKind.UNKNOWN
    return people.add(id_ or username, text_at(user, "displayName").strip() or username, kind, [username], at=at)


def _mentioned(mention: Json, people: Roster) -> str:
    """The id of a mentioned user; a name that is nobody's (null) or a group's mentions nobody."""
    user = text_at(mention, "userId")
    return people.add(user, text_at(mention, "screenName"), ActorKind.HUMAN) if user else ""


def _holds_messages(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            items = [item for _, item in islice(stream_items(file), 3)]
    except UnreadableInput:
        return False
    return any(
        isinstance(item, dict) and "fromUser" in item and item.keys() >= {"id", "sent", "text"} for item in items
    )
