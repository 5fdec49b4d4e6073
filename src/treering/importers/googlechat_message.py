"""One message of a Google Chat export, narrowed, and what it says in our words.

People have no ids there but their addresses; who has none goes by name. A topic is a thread, and its first message is
told by an id whose last two parts are the same. Follows FORMATS section 7.
"""

import hashlib
import json
from typing import TypedDict

from treering.importers.json_fields import Json, record_at, records_at, text_at
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, distinct, urls
from treering.importers.roster import NOBODY, Roster
from treering.model.drafts import ActorKind, Attachment, Change, RecordDraft

__all__ = ["Message", "actor_of", "message_of", "record_of", "space_of"]

_KINDS = {"human": ActorKind.HUMAN, "bot": ActorKind.BOT}
_WRAPPED_URL = "private_do_not_access_or_else_safe_url_wrapped_value"


class Message(TypedDict):
    """The parts of a message that we read; absent ones are empty. Dates are as written."""

    id: str
    topic: str
    creator: Json
    created: str
    updated: str
    deleted: str
    is_deleted: bool
    text: str
    annotations: list[Json]
    files: list[Json]
    quoted: str  # the id of the message that this one quotes


def message_of(value: object) -> Message:
    """Narrow an element of `messages`.

    Raises:
        FieldError: it is no object, or says nothing by which it could be told from others.
    """
    if not isinstance(value, dict):
        raise FieldError("not an object")
    message = Message(
        id=text_at(value, "message_id"),
        topic=text_at(value, "topic_id"),
        creator=record_at(value, "creator"),
        created=text_at(value, "created_date").strip(),
        updated=text_at(value, "updated_date").strip(),
        deleted=text_at(value, "deleted_date").strip(),
        is_deleted=text_at(value, "message_state") == "DELETED",
        text=text_at(value, "text"),
        annotations=records_at(value, "annotations"),
        files=records_at(value, "attached_files"),
        quoted=text_at(record_at(value, "quoted_message_metadata"), "message_id"),
    )
    if not message["id"] and not message["created"]:
        raise FieldError("no message_id and no created_date")
    return message


def space_of(message: Message) -> str:
    """The id of the space; "" where the message has no id of its own, as in exports before 2022."""
    space, slash, _ = message["id"].partition("/")
    return space if slash else ""


def actor_of(user: Json, people: Roster) -> str:
    """The id of whoever an object describes."""
    address, name = text_at(user, "email").strip().lower(), text_at(user, "name").strip()
    if not address and not name:
        return people.add(NOBODY)
    kind = _KINDS.get(text_at(user, "user_type").lower(), ActorKind.UNKNOWN)
    return people.add(address or f"name:{name}", name, kind)


def record_of(
    message: Message, channel: str, people: Roster, since: Moment, created: Moment, place: int
) -> RecordDraft:
    """The version that an element gives: the message, its last text, or its deletion.

    Args:
        message: the element.
        channel: the id of its space.
        people: where its author and those it mentions are taken in.
        since: when this version began to hold.
        created: when the message was sent; the same, unless it was edited.
        place: where it stands in its file, as times are in whole seconds.
    """
    lineage = message["id"] or f"{channel}/{message['topic']}/{_digest(message)}"
    topic = f"{channel}/{message['topic']}/{message['topic']}" if message["topic"] else None
    is_edit = since.at > created.at and not message["is_deleted"]
    source_id = f"{lineage}@{int(since.at.timestamp())}" if is_edit else lineage
    return RecordDraft(
        source_id=f"{lineage}#deleted" if message["is_deleted"] else source_id,
        lineage=lineage,
        change=Change.DELETE if message["is_deleted"] else Change.EDIT if is_edit else Change.NEW,
        channel=channel,
        author=actor_of(message["creator"], people),
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=created.at if is_edit else None,
        order_hint=place,
        text="" if message["is_deleted"] else _text(message),
        thread=topic,
        reply_to=message["quoted"] or (topic if topic != lineage else None),
        refs=(message["quoted"],) if message["quoted"] else (),
        mentions=distinct([actor_of(user, people) for item in message["annotations"] if (user := _mentioned(item))]),
        links=distinct([*urls(message["text"]), *filter(None, map(_link, message["annotations"]))]),
        attachments=tuple(filter(None, [*map(_file, message["files"]), *map(_chip, message["annotations"])])),
        id_is_final=True,
    )


def _text(message: Message) -> str:
    """What a message says, or else the names of its files."""
    names = [text_at(file, "original_name") or text_at(file, "export_name") for file in message["files"]]
    return message["text"] if message["text"].strip() else "\n".join(filter(None, names))


def _digest(message: Message) -> str:
    """What stands for an id where there is none: who said what, and when, as written."""
    said = [message["creator"], message["created"], message["text"], message["files"]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _mentioned(annotation: Json) -> Json:
    """The user of a mention; one of all who are there names nobody."""
    mention = record_at(annotation, "user_mention_metadata")
    user = record_at(mention, "user") or mention
    return user if text_at(user, "email") or text_at(user, "name") else {}


def _link(annotation: Json) -> str:
    url = record_at(annotation, "url_metadata").get("url")
    return text_at(url, _WRAPPED_URL) if isinstance(url, dict) else url if isinstance(url, str) else ""


def _chip(annotation: Json) -> Attachment | None:
    """A file of Drive that a text shows by its title."""
    title = text_at(record_at(annotation, "drive_metadata"), "title")
    return Attachment(title, "drive") if title else None


def _file(file: Json) -> Attachment | None:
    name = text_at(file, "original_name") or text_at(file, "export_name")
    return Attachment(name) if name else None
