"""What one message of Telegram Desktop's export says in our words: its version, its text, and what it refers to.

An edit is known by its time alone, and reactions set that time too: of a message with reactions it proves nothing, so
such a message counts as it stands. Local times are read only where there is no other. Follows FORMATS section 8.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict

from treering.importers.json_fields import Json, raw_of, text_at
from treering.importers.local_times import LocalTimes
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct, identity
from treering.importers.roster import NOBODY, Roster
from treering.importers.telegram_text import attachments_of, beside_text, read_text
from treering.model.drafts import Change, RecordDraft

__all__ = ["Message", "Place", "message_from", "record_of"]

DELETED = "Deleted account"

_NAMES = ("title", "new_title", "information_text", "score", "duration_seconds", "discard_reason")


class Message(TypedDict):
    """The parts of a message that we read; absent ones are empty."""

    id: str
    is_service: bool
    action: str
    unixtime: object
    date: str  # local, without a zone
    edited_unixtime: object
    edited: str
    has_reactions: bool
    sender: str  # "user123", "channel1", or a name where a minimal file gives no ids
    name: str
    forwarded_from: str
    reply_to: str
    reply_to_peer: str
    text: object
    raw: Json


@dataclass(slots=True)
class Place:
    """The chat that messages stand in; `twins` counts the equal ones among those without an id."""

    channel: str
    zone: str | None  # of times that come without one
    times: LocalTimes
    twins: dict[str, int] = field(default_factory=dict)


def message_from(raw: Json) -> Message:
    """Narrow a message or service message."""
    is_service = text_at(raw, "type") == "service"
    who = "actor" if is_service else "from"
    name = text_at(raw, who).strip()
    sender = identity(raw.get(f"{who}_id")) or (f"name:{name}" if name else "")
    return Message(
        id=identity(raw.get("id")) or "",
        is_service=is_service,
        action=text_at(raw, "action"),
        unixtime=raw.get("date_unixtime"),
        date=text_at(raw, "date"),
        edited_unixtime=raw.get("edited_unixtime"),
        edited=text_at(raw, "edited"),
        has_reactions=bool(raw.get("reactions")),
        sender=f"user{sender}" if sender.isdecimal() else sender,  # old versions wrote the number alone
        name=name,
        forwarded_from=text_at(raw, "forwarded_from").strip() or ("?" if "forwarded_from" in raw else ""),
        reply_to=identity(raw.get("reply_to_message_id") or raw.get("message_id")) or "",
        reply_to_peer=identity(raw.get("reply_to_peer_id")) or "",
        text=raw.get("text"),
        raw=raw,
    )


def record_of(message: Message, place: Place, roster: Roster) -> RecordDraft:
    """The version of a message that the file holds.

    Raises:
        FieldError: it has no time that can be read.
    """
    sent = _moment(message["unixtime"], message["date"], place.times)
    since, change = sent, Change.NEW
    if (message["edited_unixtime"] or message["edited"]) and not message["has_reactions"]:
        try:
            edited = _moment(message["edited_unixtime"], message["edited"], LocalTimes(place.zone))
        except FieldError:
            edited = sent
        if edited.at > sent.at:
            since, change = edited, Change.EDIT
    lineage = f"{place.channel}/{message['id'] or _made_up_id(message, place)}"
    said = read_text(message["text"])
    attachments = attachments_of(message["raw"])
    lines = [said.text, _event_text(message["raw"]) if message["is_service"] else beside_text(message["raw"])]
    text = "\n".join(line for line in lines if line.strip())
    forwarded = message["forwarded_from"]
    if forwarded and text:
        author = f"{forwarded}: " if forwarded != "?" else ""
        text = "\n".join(f"> {line}" for line in f"{author}{text}".split("\n"))
    if not text.strip():
        text = "\n".join(file.name for file in attachments if not file.state or "." in file.name)
    reply_to = f"{message['reply_to_peer'] or place.channel}/{message['reply_to']}" if message["reply_to"] else None
    for user in said.mentions:
        roster.add(user)
    return RecordDraft(
        source_id=f"{lineage}@{since.at:%Y%m%dT%H%M%S}" if change is Change.EDIT else lineage,
        lineage=lineage,
        change=change,
        channel=place.channel,
        author=_author(message, roster, sent.at),
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=sent.at if change is Change.EDIT else None,
        order_hint=int(message["id"]) if re.fullmatch("[0-9]{1,18}", message["id"]) else 0,
        reply_to=None if message["is_service"] else reply_to,
        refs=(reply_to,) if reply_to and message["is_service"] else (),
        text=text,
        tags=("forwarded",) if forwarded else (),
        mentions=distinct(said.mentions),
        links=distinct(said.links),
        attachments=attachments,
        event=(message["action"] or "service") if message["is_service"] else None,
    )


def _author(message: Message, roster: Roster, at: datetime) -> str:
    """Whoever wrote it; an account that was deleted since has an id and no name."""
    sender, name = message["sender"], message["name"]
    if not sender:
        return roster.add(NOBODY)
    if not name:
        return roster.add(sender, DELETED if sender.startswith("user") else "")
    return roster.add(sender, name, at=at)


def _event_text(raw: Json) -> str:
    """What a service message tells of: titles, members, lengths of calls."""
    members = raw.get("members")
    names = [name for name in members if isinstance(name, str)] if isinstance(members, list) else []
    told = [text for key in _NAMES if (text := identity(raw.get(key)))]
    return ", ".join([*told, *names])


def _moment(unixtime: object, local: str, times: LocalTimes) -> Moment:
    """The time in seconds since 1970 or, in old files that do not give it, the local one.

    Raises:
        FieldError: neither reads.
    """
    if unixtime:
        return read_moment(unixtime, "date_unixtime")
    try:
        when = datetime.fromisoformat(local)
    except ValueError:
        raise FieldError(f"date {local[:40]!r} cannot be read" if local else "no date") from None
    return times.moment(when.replace(tzinfo=None), local) if when.tzinfo is None else read_moment(local, "date")


def _made_up_id(message: Message, place: Place) -> str:
    """For messages of files without ids: what is said, when and by whom, and how many said the same before."""
    words = "\x1f".join([str(message["unixtime"] or message["date"]), message["sender"], raw_of(message["text"])])
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    place.twins[digest] = place.twins.get(digest, -1) + 1
    return digest + (f"-{place.twins[digest]}" if place.twins[digest] else "")
