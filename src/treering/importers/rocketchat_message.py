"""What one row of `rocketchat_message` says in our words: its version, its thread, its text, and what it refers to.

A quotation is a link that nobody sees before the text, and an attachment with the quoted words: it becomes a reference,
and the words stay with who said them. Reactions, pins and stars are no versions. Follows FORMATS section 6.
"""

import re
from datetime import datetime

from treering.importers.json_fields import Json, number_at, records_at, text_at
from treering.importers.moments import Moment
from treering.importers.narrowing import distinct, urls
from treering.importers.rocketchat_rows import Message
from treering.importers.roster import NOBODY
from treering.model.drafts import ActorDraft, ActorKind, Attachment, Change, RecordDraft

__all__ = ["ENCRYPTED", "author_of", "deletion_of", "mentioned", "record_of"]

ENCRYPTED = frozenset({"e2e", "otr", "otr-ack"})
EVENTS = {  # by the type of a message; of what is not here but below, the type is the event
    "uj": "join",
    "ul": "leave",
    "au": "add",
    "ru": "remove",
    "r": "rename",
    "ut": "thread_join",
    "ujt": "team_join",
    "ult": "team_leave",
}

_EVENT = re.compile(
    r"wm|command|rtc|videoconf|jitsi_call_started|discussion-created|mute_unmute|message_(?:pinned|snippeted).*|"
    r"(?:added|removed)-user-.*|user[-_].*|room[-_].*|subscription-role-.*|livechat[-_].*|omnichannel_.*"
)
_QUOTE = re.compile(r"\[ *\]\((?P<url>[^()\s]*)\)[ \n]?")
_MESSAGE_LINK = re.compile(r"[?&]msg=(?P<id>[A-Za-z0-9]+)")


def record_of(message: Message, since: Moment | None = None) -> RecordDraft:
    """The version that a row gives: the message itself, or what it reads like since it was edited.

    Args:
        message: the row.
        since: since when it holds; None where that is when it was sent.
    """
    quoted = _quoted(message)
    root, lineage = message["thread"] or None, message["parent"] or message["id"]
    event = _event(message)
    text = message["text"] if event else _text(message)
    moment = since or message["sent"]
    return RecordDraft(
        source_id=f"{lineage}@{_millis(moment.at)}" if since else lineage,
        lineage=lineage,
        change=Change.EDIT if since else Change.NEW,
        channel=message["room"],
        author=author_of(message).id,
        valid_from=moment.at,
        valid_from_raw=moment.raw,
        created_at=message["sent"].at if since else None,
        text=text,
        thread=root,
        reply_to=root or next(iter(quoted), None),
        refs=quoted,
        mentions=distinct([user.id for user in mentioned(message)]),
        links=distinct([*urls(text), *message["urls"], *_titled_links(message)]),
        attachments=tuple(_attachments(message)),
        event=event,
        id_is_final=True,
    )


def deletion_of(message: Message, at: Moment) -> RecordDraft:
    """That a message is gone."""
    return RecordDraft(
        source_id=f"{message['id']}#deleted",
        lineage=message["id"],
        change=Change.DELETE,
        channel=message["room"],
        author=text_at(message["editor"], "_id") or author_of(message).id,
        valid_from=at.at,
        valid_from_raw=at.raw,
        created_at=message["sent"].at,
        text="",
        thread=message["thread"] or None,
        reply_to=message["thread"] or None,
        id_is_final=True,
    )


def author_of(message: Message) -> ActorDraft:
    """Who a message says it is from; an integration goes by the name that it posts under."""
    if message["is_bot"] and message["alias"]:
        return ActorDraft(f"bot:{message['alias']}", message["alias"], ActorKind.BOT)
    return _named(message["user"]) or ActorDraft(NOBODY, NOBODY)


def mentioned(message: Message) -> list[ActorDraft]:
    """The people whom a message addresses; of teams and of all there is no list."""
    users = [_named(item) for item in message["mentions"] if text_at(item, "type") != "team"]
    return [user for user in users if user is not None and user.id not in ("all", "here")]


def _event(message: Message) -> str | None:
    """What a message reports; of an unknown type that has a text, the server's own clients show the text."""
    kind = message["type"]
    if kind in EVENTS:
        return EVENTS[kind]
    return kind if kind and (_EVENT.fullmatch(kind) or not message["text"]) else None


def _named(user: Json) -> ActorDraft | None:
    user_id, username = text_at(user, "_id"), text_at(user, "username").strip()
    name = text_at(user, "name").strip() or username or user_id
    aliases = (username,) if username and username != name else ()
    return ActorDraft(user_id, name, aliases=aliases) if user_id else None


def _text(message: Message) -> str:
    """The text without invisible links; where there is none, and of bots also, what stands in the attachments."""
    text = _QUOTE.sub(lambda link: "" if _MESSAGE_LINK.search(link["url"]) else link[0], message["text"])
    if text.strip() and not message["is_bot"]:
        return text
    said = [part for item in message["attachments"] if (part := _attachment_text(item)) and part not in text]
    shown = "\n".join([text, *said] if text.strip() else said)
    return shown or "\n".join(text_at(file, "name") for file in message["files"]).strip()


def _attachment_text(attachment: Json) -> str:
    if text_at(attachment, "message_link"):
        return ""  # a quotation: the words are somebody else's, and in their own message
    fields = [
        ": ".join(filter(None, (text_at(item, "title"), text_at(item, "value"))))
        for item in records_at(attachment, "fields")
    ]
    keys = ("description",) if _is_upload(attachment) else ("pretext", "title", "text", "description")
    parts = [text_at(attachment, key) for key in keys]
    return "\n".join(distinct([part for part in (*parts, *fields) if part.strip()]))


def _quoted(message: Message) -> tuple[str, ...]:
    """The messages that are quoted or linked, in order."""
    links = [message["text"], *(text_at(item, "message_link") for item in message["attachments"])]
    found = [link["id"] for text in links for link in _MESSAGE_LINK.finditer(text)]
    return distinct([item for item in found if item != message["id"]])


def _titled_links(message: Message) -> list[str]:
    links = [text_at(item, "title_link") for item in message["attachments"]]
    return [link for link in links if link.startswith(("http://", "https://"))]


def _attachments(message: Message) -> list[Attachment]:
    """The files: named by the message or, in old ones, by what shows them."""
    if message["files"]:
        return [_file(file) for file in message["files"] if text_at(file, "name") or text_at(file, "_id")]
    shown = [item for item in message["attachments"] if _is_upload(item)]
    return [Attachment(text_at(item, "title"), text_at(item, "image_type") or text_at(item, "type")) for item in shown]


def _is_upload(attachment: Json) -> bool:
    return text_at(attachment, "title_link").startswith("/file-upload/")


def _file(file: Json) -> Attachment:
    return Attachment(text_at(file, "name") or text_at(file, "_id"), text_at(file, "type"), number_at(file, "size"))


def _millis(at: datetime) -> int:
    """Whole milliseconds since 1970, the server's own unit."""
    return round(at.timestamp() * 1000)
