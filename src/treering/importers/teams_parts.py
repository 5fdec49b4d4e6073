"""The parts of which the record of a Teams message is put together: quotations, forwards, cards, files, events.

Shared by the messages of Graph and by those of Skype, which differ in how they spell them. Follows FORMATS section 2.
"""

import json
from dataclasses import dataclass

from treering.importers.json_fields import Json, camel, record_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, clean, distinct, identity
from treering.importers.teams_html import Quotation, read_html
from treering.model.drafts import Attachment

__all__ = ["Parts", "attach", "event_of", "later", "quoted"]

CARD_DEPTH_MAX = 20

_SAID = ("title", "subtitle", "text", "value", "altText", "label", "name", "summary", "codeSnippet")


@dataclass(slots=True)
class Parts:
    """The text of a message as it is put together, with what it points to."""

    lines: list[str]
    quotations: list[Quotation]
    forwards: list[str]  # lineages, "" where it is not told
    files: list[Attachment]


def attach(attachment: Json, said: Parts) -> None:
    """Take in a file, a card, or another message that is quoted or passed on."""
    kind, content = text_at(attachment, "contentType"), _parsed(text_at(attachment, "content"))
    if kind == "messageReference":
        sender = record_at(record_at(content, "messageSender"), "user")
        said.quotations.append(
            Quotation(
                identity(content.get("messageId")) or identity(attachment.get("id")) or "",
                text_at(content, "messagePreview").strip(),
                text_at(sender, "displayName"),
            )
        )
    elif kind == "forwardedMessageReference":
        sender = record_at(record_at(content, "originalMessageSender"), "user")
        words = read_html(text_at(content, "originalMessageContent")).text
        said.lines.append(quoted(Quotation("", words, text_at(sender, "displayName"))))
        channel, id_ = text_at(content, "originalConversationId"), identity(content.get("originalMessageId"))
        said.forwards.append(f"{channel}/{id_}" if channel and id_ else "")
    elif kind.startswith("application/vnd.microsoft"):
        said.lines += distinct(_words(content, CARD_DEPTH_MAX))
    elif name := text_at(attachment, "name").strip():
        said.files.append(Attachment(name, "" if kind == "reference" else kind))


def quoted(quotation: Quotation) -> str:
    """The words of somebody else, marked as such line by line."""
    author = f"{quotation.author.strip()}: " if quotation.author.strip() else ""
    return "\n".join(f"> {line}" for line in f"{author}{quotation.text}".split("\n"))


def _parsed(content: str) -> Json:
    try:
        value = camel(json.loads(content)) if content else {}
    except (ValueError, RecursionError):
        return {"text": content}
    return value if isinstance(value, dict) else {"text": content}


def _words(value: object, depth: int) -> list[str]:
    """What a card shows, wherever it stands in it."""
    if depth == 0:
        return []
    if isinstance(value, list):
        return [word for item in value for word in _words(item, depth - 1)]
    if not isinstance(value, dict):
        return []
    said = [clean(text).strip() for key in _SAID if isinstance(text := value.get(key), str)]
    inner = [word for item in value.values() for word in _words(item, depth - 1)]
    return [read_html(word).text if "<" in word else word for word in said if word] + inner


def event_of(detail: Json) -> tuple[str, str]:
    """What happened, and with whom or what: "membersAdded", "Ana, Ben"."""
    kind = text_at(detail, "@odata.type").rpartition(".")[2].removesuffix("EventMessageDetail")
    if not kind:
        happened = [key for key, value in detail.items() if value and key not in ("initiator", "eventType")]
        kind = text_at(detail, "eventType") or next(iter(happened), "system")
    names = [name for key, value in detail.items() if key != "initiator" for name in _names({key: value}, 5)]
    return kind, ", ".join(distinct(names))


def _names(value: object, depth: int) -> list[str]:
    """What an event names, of people and of places, at any depth."""
    if depth == 0:
        return []
    if isinstance(value, list):
        return [name for item in value for name in _names(item, depth - 1)]
    if not isinstance(value, dict):
        return []
    own = [clean(text) for key, text in value.items() if isinstance(text, str) and key.lower().endswith("displayname")]
    return [name for name in own if name.strip()] or [
        name for item in value.values() for name in _names(item, depth - 1)
    ]


def later(value: object, sent: Moment) -> Moment | None:
    """The time of an edit or a deletion, if there was one; damaged ones count as happening at once."""
    if not value:
        return None
    try:
        moment = read_moment(value)
    except FieldError:
        return Moment(sent.at, str(value)[:40])
    return moment if moment.at >= sent.at else Moment(sent.at, moment.raw)
