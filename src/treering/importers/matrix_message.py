"""What each event of a Matrix room becomes: a message, a version of one, its deletion, an event, or a named skip."""

from collections.abc import Iterator
from dataclasses import replace

from treering.importers.json_fields import Json, record_at, text_at
from treering.importers.matrix_event import (
    Event,
    attachments_of,
    links_of,
    mentions_of,
    refs_of,
    relation_of,
    text_of,
)
from treering.importers.matrix_room import Room
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError
from treering.model.drafts import Change, RecordDraft, Skipped

__all__ = ["Conversion"]

_MESSAGES = frozenset(
    {"m.room.message", "m.sticker", "m.message", "m.poll.start", "org.matrix.msc3381.poll.start", "m.emote", "m.file"}
)
_SKIPPED = {
    "m.room.encrypted": "encrypted message",
    "m.reaction": "reaction",
    "m.poll.response": "vote in a poll",
    "org.matrix.msc3381.poll.response": "vote in a poll",
    "m.poll.end": "end of a poll",
    "org.matrix.msc3381.poll.end": "end of a poll",
}
_ANY_REPLY: Json = {"m.in_reply_to": {}}  # a new text repeats what the old one answered, and does not say so
_MEMBERSHIPS = {"join": "join", "invite": "invite", "ban": "ban", "knock": "knock"}


class Conversion:
    """Turns the events of one room into drafts, in the order of the file."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._edited = set(room.edits.values())
        self._originals: dict[str, RecordDraft] = {}  # of messages that are edited
        self._no_messages: set[str] = set()  # events that are redacted, and were no messages

    def drafts(self, event: Event) -> Iterator[RecordDraft | Skipped]:
        """The drafts of an event: one, or two of a message whose edit the server joined on."""
        kind, content = event["type"], event["content"]
        if kind not in _MESSAGES and event["id"] in self._room.redacted:
            self._no_messages.add(event["id"])
        relation, target, _ = relation_of(content)
        if kind in _SKIPPED or text_at(content, "msgtype") == "m.bad.encrypted":
            yield Skipped(_SKIPPED.get(kind, "encrypted message"))
        elif kind == "m.room.redaction":
            yield self._redaction(event)
        elif kind not in _MESSAGES:
            yield _happened(event)
        elif event["is_redacted"] or not content:
            yield _deletion(event)
        elif relation == "m.replace" and target:
            yield self._edit(event, target)
        else:
            if event["id"] in self._edited:
                self._originals[event["id"]] = _record(event, content)
            yield from self._message(event)

    def _message(self, event: Event) -> Iterator[RecordDraft]:
        """A message, as it was first said and as an edit has it; an edit that stands in the file itself is no matter.

        Some exports show a message with its present text and say in passing that it was replaced: of these the present
        text is all there is, and it holds since the edit.
        """
        edit = event["edit"]
        edit_id = text_at(edit, "event_id")
        if not edit_id or edit_id in self._room.edits:
            yield _record(event, event["content"])
            return
        try:
            since = read_moment(edit.get("origin_server_ts"), "origin_server_ts")
        except FieldError:
            since = event["at"]
        text = record_at(record_at(edit, "content"), "m.new_content") or event["content"]
        if text_of(text) != text_of(event["content"]):
            yield _record(event, event["content"])
        relation = {"m.relates_to": record_at(event["content"], "m.relates_to")}
        yield _version(_record(event, {**event["content"], **text, **relation}), edit_id, since)

    def _edit(self, event: Event, target: str) -> RecordDraft | Skipped:
        """A new text for a message; a server takes one from anybody, and clients show the sender's own only."""
        original = self._originals.get(target)
        if original is not None and original.author != event["sender"]:
            return Skipped("edit of somebody else's message")
        text = record_at(event["content"], "m.new_content") or event["content"]
        record = replace(_record(event, {**text, "m.relates_to": _ANY_REPLY}), lineage=target)
        if original is not None:
            record = replace(record, thread=original.thread, reply_to=original.reply_to)
        return _version(record, event["id"], event["at"])

    def _redaction(self, event: Event) -> RecordDraft | Skipped:
        if not event["redacts"]:
            return Skipped("redaction of nothing")
        if event["redacts"] in self._no_messages:
            return Skipped("redaction of no message")
        return _deleted(event["redacts"], event["id"], event["room"], event["sender"], event["at"])


def _record(event: Event, content: Json) -> RecordDraft:
    relation, related, answered = relation_of(content)
    root = related if relation == "m.thread" and related else None
    text = text_of(content)
    return RecordDraft(
        source_id=event["id"],
        lineage=event["id"],
        channel=event["room"],
        author=event["sender"],
        valid_from=event["at"].at,
        valid_from_raw=event["at"].raw,
        text=text,
        thread=root,
        reply_to=answered or root,
        refs=refs_of(content),
        mentions=mentions_of(content),
        links=links_of(text),
        attachments=attachments_of(content),
    )


def _version(record: RecordDraft, edit: str, since: Moment) -> RecordDraft:
    """The record as a version; when the message was first said is left to the message, which may be in another file."""
    return replace(record, source_id=edit, change=Change.EDIT, valid_from=since.at, valid_from_raw=since.raw)


def _deletion(event: Event) -> RecordDraft:
    """What a message that was emptied tells, in the same words as the redaction itself, so that both are one."""
    redaction = event["redaction"]
    try:
        at = read_moment(redaction.get("origin_server_ts"), "origin_server_ts")
    except FieldError:
        at = event["at"]
    id_, sender = text_at(redaction, "event_id"), text_at(redaction, "sender")
    return _deleted(event["id"], id_ or f"{event['id']}#deleted", event["room"], sender or event["sender"], at)


def _deleted(lineage: str, id_: str, room: str, author: str, at: Moment) -> RecordDraft:
    return RecordDraft(
        source_id=id_,
        lineage=lineage,
        change=Change.DELETE,
        channel=room,
        author=author,
        valid_from=at.at,
        valid_from_raw=at.raw,
        text="",
    )


def _happened(event: Event) -> RecordDraft | Skipped:
    """A change of the room, a call, or a message of a type of its own, if it has a text."""
    kind, content = event["type"], event["content"]
    name, text = kind.removeprefix("m.").removeprefix("room."), text_at(content, "body")
    if event["subject"] is None and not kind.startswith("m.call."):
        return _record(event, content) if text else Skipped("event of an unknown type")
    if kind == "m.room.member":
        name, text = _membership(event), text_at(content, "reason")
    elif not text:
        text = text_at(content, name)  # the topic of a topic, the name of a name
    others = (event["subject"],) if kind == "m.room.member" and event["subject"] not in (None, event["sender"]) else ()
    return RecordDraft(
        source_id=event["id"],
        channel=event["room"],
        author=event["sender"],
        valid_from=event["at"].at,
        valid_from_raw=event["at"].raw,
        text=text,
        mentions=tuple(filter(None, others)),
        event=name,
    )


def _membership(event: Event) -> str:
    """What happened to a member: who joins twice changed a name or a picture."""
    now, before = text_at(event["content"], "membership"), text_at(event["before"], "membership")
    if now == before == "join":
        names = [text_at(content, "displayname") for content in (event["before"], event["content"])]
        return "rename" if names[0] != names[1] else "profile"
    if now == "leave" and event["subject"] != event["sender"]:
        return "unban" if before == "ban" else "kick"
    return _MEMBERSHIPS.get(now, "leave")
