"""One event of a Matrix room, narrowed, and what the content of a message says: its text, its files, whom it addresses.

A reply carries the words that it answers, for clients that know no replies: they are taken away, as they are somebody
else's. Follows FORMATS section 10 and the Matrix client-server API, "Rich replies" and "Event relationships".
"""

import re
from collections.abc import Iterator
from typing import TypedDict
from urllib.parse import unquote

from treering.importers.json_fields import Json, number_at, record_at, records_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct, urls
from treering.model.drafts import Attachment

__all__ = ["Event", "attachments_of", "event_of", "links_of", "mentions_of", "refs_of", "relation_of", "text_of"]

UPLOADS = frozenset({"m.image", "m.file", "m.audio", "m.video"})

_FALLBACK = re.compile(r"\A> (?:\* )?<@[^>\n]+>[^\n]*(?:\n>[^\n]*)*(?:\n\n?|\Z)")
_QUOTED_HTML = re.compile(r"<mx-reply>.*?</mx-reply>", re.DOTALL)
_PILL = re.compile(r"https://matrix\.to/#/(@[^\"'?/<>\s]+)")
_PERMALINK = re.compile(r"https://matrix\.to/#/(?:[!#]|%2[13])[^\"'?/<>\s]+/((?:\$|%24)[^\"'?/<>\s)]+)")
_POLLS = ("m.poll", "m.poll.start", "org.matrix.msc3381.poll.start")
_PLAIN_TEXTS = ("body", "m.text", "org.matrix.msc1767.text")


class Event(TypedDict):
    """The parts of an event that we read; absent ones are empty."""

    id: str
    type: str
    room: str
    sender: str
    at: Moment
    content: Json
    subject: str | None  # of a state event its key: of a membership, the member
    redacts: str
    redaction: Json  # the event that emptied this one
    is_redacted: bool
    edit: Json  # the last event that replaces this one, as far as the server joined it on
    before: Json  # of a state event, the content that it changed


def event_of(value: object) -> Event:
    """Narrow an element of an export.

    Raises:
        FieldError: it is no object, or has no id, no type, no sender or no time that can be read.
    """
    if not isinstance(value, dict):
        raise FieldError("not an object")
    missing = [key for key in ("event_id", "type", "sender") if not text_at(value, key)]
    if missing:
        raise FieldError(f"no {', no '.join(missing)}")
    content, unsigned = record_at(value, "content"), record_at(value, "unsigned")
    state_key = value.get("state_key")
    return Event(
        id=text_at(value, "event_id"),
        type=text_at(value, "type"),
        room=text_at(value, "room_id"),
        sender=text_at(value, "sender"),
        at=read_moment(value.get("origin_server_ts"), "origin_server_ts"),
        content=content,
        subject=state_key if isinstance(state_key, str) else None,
        redacts=text_at(value, "redacts") or text_at(content, "redacts"),
        redaction=record_at(unsigned, "redacted_because"),
        is_redacted=bool(unsigned.get("redacted_because") or unsigned.get("redacted_by")),
        edit=record_at(record_at(unsigned, "m.relations"), "m.replace"),
        before=record_at(unsigned, "prev_content") or record_at(value, "prev_content"),
    )


def text_of(content: Json) -> str:
    """What a message says, without the words that it answers; of a file its caption, or else its name."""
    for key in _POLLS:
        if poll := record_at(content, key):
            question = _plain(record_at(poll, "question"))
            return "\n".join(filter(None, [question, *(f"- {_plain(item)}" for item in records_at(poll, "answers"))]))
    is_reply = "m.in_reply_to" in record_at(content, "m.relates_to")
    return _FALLBACK.sub("", _plain(content), count=1) if is_reply else _plain(content)


def attachments_of(content: Json) -> tuple[Attachment, ...]:
    """The file that a message carries."""
    if text_at(content, "msgtype") not in UPLOADS and not text_at(content, "url").startswith("mxc://"):
        return ()
    info = record_at(content, "info")
    name = text_at(content, "filename") or text_at(content, "body")
    return (Attachment(name, text_at(info, "mimetype"), number_at(info, "size")),) if name else ()


def mentions_of(content: Json) -> tuple[str, ...]:
    """The users whom a message addresses: as its client states them or, of old clients, by the links that it made."""
    stated = content.get("m.mentions")
    if isinstance(stated, dict):
        users = stated.get("user_ids")
        return distinct([user for user in users if isinstance(user, str)]) if isinstance(users, list) else ()
    html = _QUOTED_HTML.sub("", text_at(content, "formatted_body"))
    return distinct([unquote(user) for user in _PILL.findall(html)])


def refs_of(content: Json) -> tuple[str, ...]:
    """The messages that a message links to."""
    html = _QUOTED_HTML.sub("", text_at(content, "formatted_body"))
    return distinct([unquote(event) for event in _PERMALINK.findall(f"{text_of(content)}\n{html}")])


def links_of(text: str) -> tuple[str, ...]:
    """The web addresses in a text; links to users, rooms and messages are none."""
    return tuple(url for url in urls(text) if not url.startswith("https://matrix.to/#/"))


def relation_of(content: Json) -> tuple[str, str, str]:
    """The kind of relation, the event that it leads to, and the event that is answered; "" where there is none."""
    relation = record_at(content, "m.relates_to")
    answered = text_at(record_at(relation, "m.in_reply_to"), "event_id")
    if relation.get("is_falling_back") is True:
        answered = ""  # made up for clients that know no threads
    return text_at(relation, "rel_type"), text_at(relation, "event_id"), answered


def _plain(content: Json) -> str:
    return next(_texts(content), "")


def _texts(content: Json) -> Iterator[str]:
    """The forms in which a text may be given, the best first; newer ones are lists of representations."""
    for key in _PLAIN_TEXTS:
        if text := text_at(content, key):
            yield text
        for form in records_at(content, key):
            if text := text_at(form, "body"):
                yield text
