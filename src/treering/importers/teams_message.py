"""What one Teams message says in our words: its versions, its thread, its text, and what it refers to.

The record is the `chatMessage` of Microsoft Graph, whichever program wrote it and in whichever case its keys are. A
reaction changes `lastModifiedDateTime` and is no version; an edit has a time of its own. Follows FORMATS section 2.1.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TypedDict

from treering.importers.json_fields import Json, camel, record_at, records_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct, identity
from treering.importers.roster import NOBODY, Roster
from treering.importers.teams_html import Html, read_html
from treering.importers.teams_parts import Parts, attach, event_of, later, quoted
from treering.model.drafts import ActorKind, Attachment, Change, RecordDraft

__all__ = ["ChatMessage", "message_from", "versions_of"]

UNPLACED = "unplaced"  # the channel of messages that name none

_EXTERNAL = frozenset(
    {"anonymousGuest", "federatedUser", "personalMicrosoftAccountUser", "skypeUser", "phoneUser", "emailUser"}
)


class ChatMessage(TypedDict):
    """The parts of a message that we read; absent ones are empty."""

    id: str
    html: str
    plain: str  # the body, where it is no HTML
    created: object
    edited: object
    deleted: object
    subject: str
    summary: str
    reply_to: str
    sender: Json
    attachments: list[Json]
    mentions: list[Json]
    is_event: bool
    event: Json
    channel: str
    team: str


def message_from(raw: Json) -> ChatMessage:
    """Narrow a message.

    Raises:
        FieldError: it has no id.
    """
    row = camel(raw)
    id_ = identity(row.get("id")) if isinstance(row, dict) else None
    if id_ is None or not isinstance(row, dict):
        raise FieldError("no id")
    body, place = record_at(row, "body"), record_at(row, "channelIdentity")
    content, is_html = text_at(body, "content"), text_at(body, "contentType") != "text"
    kind = text_at(row, "messageType")
    return ChatMessage(
        id=id_,
        html=content if is_html else "",
        plain="" if is_html else content,
        created=row.get("createdDateTime"),
        edited=row.get("lastEditedDateTime"),
        deleted=row.get("deletedDateTime"),
        subject=text_at(row, "subject").strip(),
        summary=text_at(row, "summary").strip(),
        reply_to=identity(row.get("replyToId")) or "",
        sender=record_at(row, "from"),
        attachments=records_at(row, "attachments"),
        mentions=records_at(row, "mentions"),
        is_event=kind == "systemEventMessage" or "<systemEventMessage" in content,
        event=record_at(row, "eventDetail"),
        channel=identity(place.get("channelId")) or identity(row.get("chatId")) or UNPLACED,
        team=identity(place.get("teamId")) or "",
    )


def versions_of(message: ChatMessage, roster: Roster) -> Iterator[RecordDraft]:
    """The version of a message that the export holds, and its deletion if it was deleted.

    Raises:
        FieldError: it has no time that can be read.
    """
    sent = _sent(message)
    lineage = f"{message['channel']}/{message['id']}"
    edited, deleted = later(message["edited"], sent), later(message["deleted"], sent)
    author = _author(message, roster, sent.at)
    since = edited or sent
    root = f"{message['channel']}/{message['reply_to']}" if message["reply_to"] else None
    root = None if root == lineage else root
    number = int(message["id"]) if re.fullmatch("[0-9]{1,18}", message["id"]) else 0
    base = RecordDraft(
        source_id=f"{lineage}@{since.at:%Y%m%dT%H%M%S.%f}" if edited else lineage,
        lineage=lineage,
        change=Change.EDIT if edited else Change.NEW,
        channel=message["channel"],
        author=author,
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=sent.at if edited else None,
        order_hint=number,
        text="",
        reply_to=root,
        thread=root,
        id_is_final=True,
    )
    said = _with_text(base, message, roster)
    if deleted is None or said.text or said.attachments:
        yield said
    if deleted is not None:
        yield replace(
            base,
            source_id=f"{lineage}@{deleted.at:%Y%m%dT%H%M%S.%f}-deleted",
            change=Change.DELETE,
            valid_from=deleted.at,
            valid_from_raw=deleted.raw,
            created_at=sent.at,
        )


def _with_text(base: RecordDraft, message: ChatMessage, roster: Roster) -> RecordDraft:
    """The record with all that the message says."""
    if message["is_event"] or (message["event"] and not message["sender"]):
        event, names = event_of(message["event"])
        return replace(base, event=event, text=names)
    body = read_html(message["html"]) if message["html"] else Html(message["plain"].strip())
    said = Parts([body.text], list(body.quotations), [], [Attachment(name) for name in body.files])
    said.files += [Attachment(name, "image", None, "not exported") for name in body.images]
    for attachment in message["attachments"]:
        attach(attachment, said)
    others = "".join(f"{quoted(quotation)}\n" for quotation in said.quotations if quotation.text)
    own = "\n".join(line for line in said.lines if line.strip())
    if not own.strip():
        own = message["summary"] or "\n".join(file.name for file in said.files)
    channel = message["channel"]
    refs = [f"{item.channel or channel}/{item.message}" for item in said.quotations if item.message]
    return replace(
        base,
        title=message["subject"],
        text=others + own,
        quoted=((0, len(others)),) if others else (),
        # Chats have no threads: quoting a message is how one replies to it.
        reply_to=base.reply_to or next(iter(refs), None),
        refs=distinct([ref for ref in (*refs, *said.forwards) if ref]),
        tags=("forwarded",) if said.forwards else (),
        mentions=_mentions(message, roster),
        links=body.links,
        attachments=tuple(said.files),
    )


def _mentions(message: ChatMessage, roster: Roster) -> tuple[str, ...]:
    found = []
    for mention in message["mentions"]:
        mentioned = record_at(mention, "mentioned")
        for kind, key in ((ActorKind.UNKNOWN, "user"), (ActorKind.BOT, "application")):
            who = record_at(mentioned, key)
            if actor := identity(who.get("id")):
                found.append(roster.add(actor, text_at(who, "displayName").strip(), kind))
    return distinct(found)


def _author(message: ChatMessage, roster: Roster, at: datetime) -> str:
    sender, kind = message["sender"], ActorKind.UNKNOWN
    if not sender:
        sender = record_at(message["event"], "initiator")
    who = record_at(sender, "user")
    if not who and (application := record_at(sender, "application")):
        who, kind = application, ActorKind.BOT
    who = who or record_at(sender, "device")
    name = text_at(who, "displayName").strip()
    if text_at(who, "userIdentityType") in _EXTERNAL:
        kind = ActorKind.EXTERNAL
    actor = identity(who.get("id")) or (f"name:{name}" if name else "")
    if actor:
        return roster.add(actor, name, kind, at=at)
    if message["is_event"]:
        return roster.add("system", "Teams", ActorKind.SYSTEM)
    return roster.add(NOBODY)


def _sent(message: ChatMessage) -> Moment:
    """The time of creation; the id, which is that time in milliseconds, where it is missing."""
    try:
        return read_moment(message["created"], "createdDateTime")
    except FieldError:
        if not re.fullmatch("[0-9]{13}", message["id"]):
            raise
        moment = read_moment(message["id"], "the id")
        return Moment(moment.at, f"id {moment.raw}")
