"""What one Slack message says in our words: its versions, its thread, its text, and what it refers to.

Reactions, reply counts and the state of files are not versions of a message and are passed over. Follows FORMATS
section 1.1 and, for edits and deletions of corporate exports, the shapes of Slack's Events API.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from treering.importers.narrowing import FieldError
from treering.importers.slack_blocks import attachment_text, blocks_text
from treering.importers.slack_json import (
    Json,
    Message,
    message_from,
    micros_of,
    moment_of,
    record_at,
    stamp_of,
    stripped,
    text_at,
)
from treering.importers.slack_people import People
from treering.importers.slack_text import Found, Names, mrkdwn
from treering.model.drafts import Attachment, Change, RecordDraft, Skipped

__all__ = ["Place", "versions_of"]

_KINDS_OF_EVENT = {
    "channel": "join leave topic purpose name archive unarchive convert_to_private convert_to_public "
    "posting_permissions canvas_updated",
    "group": "join leave topic purpose name archive unarchive open close",
    "bot": "add remove enable disable",
}
EVENTS = frozenset(
    [f"{place}_{event}" for place, events in _KINDS_OF_EVENT.items() for event in events.split()]
    + ["pinned_item", "unpinned_item", "reminder_add", "huddle_thread", "sh_room_created", "sh_room_shared"]
    + ["app_conversation_join", "tabbed_canvas_updated", "ekm_access_denied", "joiner_notification"]
)
_FILE_STATES = {"tombstone": "deleted", "hidden_by_limit": "hidden_by_limit"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands, and by whom the ids in it are explained."""

    channel: str
    people: People
    names: Names


def versions_of(raw: Json, place: Place) -> Iterator[RecordDraft | Skipped]:
    """The versions that one element of a day file tells of: one, or two for a logged edit or deletion.

    Raises:
        FieldError: it has no time stamp that can be read.
    """
    if raw.get("type", "message") != "message":
        yield Skipped("not a message")
        return
    subtype = text_at(raw, "subtype")
    if subtype == "message_changed":
        yield from _edit(raw, place)
    elif subtype == "message_deleted":
        yield from _deletion(raw, place)
    elif subtype == "message_replied":
        yield Skipped("copy of a thread's root")
    else:
        yield _record(message_from(raw), place)


def _edit(raw: Json, place: Place) -> Iterator[RecordDraft]:
    """The old and the new text of an edit log; the same message twice is what a late link preview leaves."""
    after = message_from(record_at(raw, "message"))
    original = record_at(raw, "previous_message") or record_at(raw, "original")
    before = message_from({**record_at(raw, "message"), "edited": None, **original}) if original else None
    if micros_of(after["edited_ts"]) is None:
        is_same = before is not None and (before["text"], before["blocks"]) == (after["text"], after["blocks"])
        after["edited_ts"] = None if is_same else raw.get("ts")
    newer = _record(after, place)
    older = _record(before, place) if before is not None else newer
    if older.source_id != newer.source_id:
        yield older
    at_micros = micros_of(raw.get("ts"))
    if newer.change is Change.DELETE and at_micros is not None:  # the root of a thread, of which a tombstone stays
        newer = _deleted(newer, at_micros)
    yield newer


def _deletion(raw: Json, place: Place) -> Iterator[RecordDraft]:
    """The text that was deleted, and the deletion."""
    original = record_at(raw, "previous_message") or record_at(raw, "original")
    last = _record(message_from({"ts": raw.get("deleted_ts"), **original}), place)
    at_micros = micros_of(raw.get("ts"))
    if at_micros is None:
        raise FieldError("a deletion without a time stamp that can be read")
    if original:
        yield last
    yield _deleted(last, at_micros)


def _deleted(last: RecordDraft, at_micros: int) -> RecordDraft:
    """The deletion of what was last said."""
    return RecordDraft(
        source_id=f"{last.lineage}@{stamp_of(at_micros)}",
        lineage=last.lineage,
        change=Change.DELETE,
        channel=last.channel,
        author=last.author,
        valid_from=moment_of(at_micros),
        valid_from_raw=stamp_of(at_micros),
        created_at=last.created_at or last.valid_from,
        id_is_final=True,
        thread=last.thread,
        reply_to=last.reply_to,
        text="",
    )


def _record(message: Message, place: Place) -> RecordDraft:
    micros = micros_of(message["ts"])
    if micros is None:
        raise FieldError("no time stamp" if message["ts"] is None else f"time stamp {str(message['ts'])[:40]!r}")
    sent_at, lineage = moment_of(micros), f"{place.channel}/{stamp_of(micros)}"
    source_id, change, valid_from, valid_from_raw = lineage, Change.NEW, sent_at, message["ts"]
    edited_micros = micros_of(message["edited_ts"])
    if edited_micros is not None and edited_micros >= micros:
        source_id, change = f"{lineage}@{stamp_of(edited_micros)}", Change.EDIT
        valid_from, valid_from_raw = moment_of(edited_micros), message["edited_ts"]
    if message["subtype"] == "tombstone":
        # When it was deleted is not said; an id of its own keeps it apart from the message that it replaces.
        source_id, change = f"{lineage}@deleted", Change.DELETE
    found = Found()
    text = _text(message, place.names, found) if change is not Change.DELETE else ""
    for user, label in found.mentions.items():
        place.people.mention(user, label, micros)
    for attachment in message["attachments"]:
        _refer(attachment, found)
    found.refs.pop(lineage, None)
    root_micros = micros_of(message["thread_ts"]) or (micros if message["has_replies"] else None)
    root = f"{place.channel}/{stamp_of(root_micros)}" if root_micros else None
    return RecordDraft(
        source_id=source_id,
        lineage=lineage,
        change=change,
        channel=place.channel,
        author=place.people.author_of(message, micros),
        valid_from=valid_from,
        valid_from_raw=str(valid_from_raw),
        created_at=sent_at if change is Change.EDIT else None,
        thread=root,
        reply_to=root if root != lineage else None,
        text=stripped(text),
        refs=tuple(found.refs),
        mentions=tuple(found.mentions),
        links=tuple(found.links),
        attachments=tuple(_attachment(file) for file in message["files"]),
        event=message["subtype"] if message["subtype"] in EVENTS else None,
        id_is_final=True,
    )


def _text(message: Message, names: Names, found: Found) -> str:
    """The first of text, blocks, attachments and titles that says something; of bots, all that differ."""
    text = mrkdwn(message["text"], names, found)
    is_bot = bool(message["bot_id"]) or message["subtype"] == "bot_message"
    if text.strip() and not is_bot:
        return text
    blocks = blocks_text(message["blocks"], names, found) if message["blocks"] else ""
    if blocks and not is_bot:
        return blocks
    attachments = "\n".join(filter(None, (attachment_text(item, names, found) for item in message["attachments"])))
    said = _distinct_parts([text, blocks, attachments])
    return said or "\n".join(text_at(file, "title") or text_at(file, "name") for file in message["files"]).strip()


def _distinct_parts(parts: list[str]) -> str:
    """The parts, without those that another one contains: bots repeat in blocks what they wrote as text."""
    words = [" ".join(part.split()) for part in parts]
    kept = [
        part
        for place, part in enumerate(parts)
        if words[place]
        and not any(
            words[place] in other and (len(other) > len(words[place]) or before < place)
            for before, other in enumerate(words)
            if before != place
        )
    ]
    return "\n".join(kept)


def _refer(attachment: Json, found: Found) -> None:
    """Note the message that an attachment shares or unfolds, and the page that it previews."""
    for key in ("from_url", "original_url"):
        if url := text_at(attachment, key):
            found.add_link(url)
    micros, channel = micros_of(attachment.get("ts")), text_at(attachment, "channel_id")
    if micros and channel and (attachment.get("is_share") or attachment.get("is_msg_unfurl")):
        found.refs[f"{channel}/{stamp_of(micros)}"] = None


def _attachment(file: Json) -> Attachment:
    size = file.get("size")
    return Attachment(
        name=stripped(text_at(file, "name") or text_at(file, "title") or text_at(file, "id")),
        type=text_at(file, "mimetype") or text_at(file, "filetype"),
        size=size if isinstance(size, int) and size >= 0 else None,
        state=_FILE_STATES.get(text_at(file, "mode"), ""),
    )
