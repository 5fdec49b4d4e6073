"""What one message of a DiscordChatExporter file says in our words: version, thread, text, and what it refers to.

Reactions and pins are no versions. The words of a forwarded message are quoted line by line, as whoever forwards them
is not their author. Follows FORMATS section 5.1.
"""

import re
from dataclasses import dataclass
from typing import TypedDict

from treering.importers.discord_text import Tokens, components_text, embed_text, readable, snowflake_time
from treering.importers.json_fields import Json, number_at, record_at, records_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct, identity, urls
from treering.importers.roster import NOBODY, Roster
from treering.model.drafts import ActorKind, Attachment, Change, RecordDraft

__all__ = ["Message", "Place", "message_from", "record_of"]

EVENTS = frozenset(
    {
        "RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange", "ChannelPinnedMessage",
        "GuildMemberJoin", "ThreadCreated",
    }
)  # fmt: skip
TALK = frozenset({0, 19, 20, 21, 23, 24, 46})  # numbers of kinds that say something; all others tell of an event
STARTER = "21"  # the first message of a thread, which repeats the one that it was started from


class Message(TypedDict):
    """The parts of a message that we read; absent ones are empty."""

    id: str
    kind: str
    time: object
    edited: object
    content: str
    author: Json
    attachments: list[Json]
    embeds: list[Json]
    components: list[Json]
    stickers: list[Json]
    mentions: list[Json]
    reference: Json
    forwarded: Json
    referenced: Json


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file's messages stand: a thread that everybody may read belongs to the channel around it."""

    channel: str
    name: str
    thread: str | None = None
    thread_name: str = ""


def message_from(raw: Json) -> Message:
    """Narrow a message.

    Raises:
        FieldError: it has no id.
    """
    id_ = identity(raw.get("id"))
    if id_ is None:
        raise FieldError("no id")
    return Message(
        id=id_,
        kind=identity(raw.get("type")) or "Default",
        time=raw.get("timestamp"),
        edited=raw.get("timestampEdited"),
        content=text_at(raw, "content"),
        author=record_at(raw, "author"),
        attachments=records_at(raw, "attachments"),
        embeds=records_at(raw, "embeds"),
        components=records_at(raw, "components"),
        stickers=records_at(raw, "stickers"),
        mentions=records_at(raw, "mentions"),
        reference=record_at(raw, "reference"),
        forwarded=record_at(raw, "forwardedMessage"),
        referenced=record_at(raw, "referencedMessage"),
    )


def record_of(message: Message, place: Place, roster: Roster) -> RecordDraft:
    """The version of a message that the file holds.

    Raises:
        FieldError: it has no time that can be read.
    """
    sent, id_ = _sent(message), message["id"]
    since, change = sent, Change.NEW
    if message["edited"]:
        try:
            edited = read_moment(message["edited"], "timestampEdited")
        except FieldError:
            edited = sent
        if edited.at > sent.at:
            since, change = edited, Change.EDIT
    people = {identity(user.get("id")) or "": _name(user) for user in message["mentions"]}
    tokens = Tokens(people, {place.channel: place.name})
    text = _text(message, tokens)
    for user, name in people.items():
        if user:
            tokens.mentions[user] = None
            roster.add(user, name, at=sent.at)
    target = identity(message["reference"].get("messageId"))
    is_forward = text_at(message["reference"], "type") == "Forward" or bool(message["forwarded"])
    is_reply = target is not None and not is_forward and message["kind"] in ("Reply", "19")
    files = [*message["attachments"], *records_at(message["forwarded"], "attachments")]
    return RecordDraft(
        source_id=f"{id_}@{since.at:%Y%m%dT%H%M%S.%f}" if change is Change.EDIT else id_,
        lineage=id_,
        change=change,
        channel=place.channel,
        author=_author(message, roster, sent),
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=sent.at if change is Change.EDIT else None,
        order_hint=int(id_) if re.fullmatch("[0-9]{1,18}|[0-8][0-9]{18}", id_) else 0,
        reply_to=target if is_reply else None,
        refs=(target,) if target else (),
        thread=place.thread if place.thread != id_ else None,
        text=text,
        tags=distinct([*(["forwarded"] if is_forward else []), *([place.thread_name] if place.thread_name else [])]),
        mentions=tuple(tokens.mentions),
        links=distinct([*urls(text), *(url for embed in message["embeds"] if (url := text_at(embed, "url")))]),
        attachments=(
            *(Attachment(text_at(file, "fileName"), size=number_at(file, "fileSizeBytes")) for file in files),
            *(Attachment(text_at(sticker, "name"), "sticker") for sticker in message["stickers"]),
        ),
        event="ThreadStarter" if message["kind"] == STARTER and not text else _event(message["kind"]),
        id_is_final=True,
    )


def _text(message: Message, tokens: Tokens) -> str:
    """The content; of bots, and where there is none, what is shown below it; then what is passed on, quoted."""
    content = readable(message["content"], tokens)
    is_bot = message["author"].get("isBot") is True
    lines = [content] if content.strip() else []
    if is_bot or not lines:
        shown = [embed_text(embed, tokens) for embed in message["embeds"]]
        lines += [line for line in (*shown, components_text(message["components"], tokens)) if line and line != content]
    for other in (message["forwarded"], message["referenced"]):
        if quoted := _other_text(other):
            lines.append("\n".join(f"> {line}" for line in quoted.split("\n")))
    if not lines:
        lines = [text_at(file, "fileName") for file in message["attachments"]]
        lines += [text_at(sticker, "name") for sticker in message["stickers"]]
    return "\n".join(line for line in lines if line.strip())


def _other_text(other: Json) -> str:
    """The words of a message within a message; whom they mention, this one does not."""
    tokens = Tokens()
    content = readable(text_at(other, "content"), tokens).strip()
    shown = [embed_text(embed, tokens) for embed in records_at(other, "embeds")]
    names = [text_at(file, "fileName") for file in records_at(other, "attachments")]
    names += [text_at(sticker, "name") for sticker in records_at(other, "stickers")]
    return content or "\n".join(line for line in shown if line) or "\n".join(name for name in names if name)


def _author(message: Message, roster: Roster, sent: Moment) -> str:
    author = message["author"]
    actor = identity(author.get("id"))
    if actor is None:
        return roster.add(NOBODY)
    is_bot = author.get("isBot")
    kind = ActorKind.BOT if is_bot is True else ActorKind.HUMAN if is_bot is False else ActorKind.UNKNOWN
    return roster.add(actor, _name(author), kind, [text_at(author, "name").strip()], at=sent.at)


def _name(user: Json) -> str:
    return (text_at(user, "nickname") or text_at(user, "name")).strip()


def _event(kind: str) -> str | None:
    if re.fullmatch("[0-9]{1,4}", kind):
        return None if int(kind) in TALK else f"type {kind}"
    return kind if kind in EVENTS else None


def _sent(message: Message) -> Moment:
    """The time stated; where it does not read, that in the id."""
    try:
        return read_moment(message["time"], "timestamp")
    except FieldError:
        at = snowflake_time(message["id"])
        if at is None:
            raise
        return Moment(at, f"id {message['id']}")
