"""The text of Telegram messages: a string, or pieces with their meaning; and what stands in for one, such as a poll.

Source: the JSON writer of Telegram Desktop. Follows FORMATS section 8.
"""

from dataclasses import dataclass, field

from treering.importers.json_fields import Json, number_at, record_at, records_at, text_at
from treering.importers.narrowing import clean, identity, urls
from treering.model.drafts import Attachment

__all__ = ["Text", "attachments_of", "beside_text", "read_text"]

_MISSING = {  # what stands in the place of a file's path -> why
    "(File not included.": "not included",
    "(File exceeds maximum size.": "too large",
    "(File unavailable,": "unavailable",
    "(Photo not included.": "not included",
    "(Photo exceeds maximum size.": "too large",
    "(Photo unavailable,": "unavailable",
}


@dataclass(slots=True)
class Text:
    """What a message says, whom it mentions by id, and where it links to."""

    text: str = ""
    mentions: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def read_text(value: object) -> Text:
    """Read the `text` of a message.

    >>> read_text(["see ", {"type": "text_link", "text": "plan", "href": "https://x.example"}, "."]).text
    'see plan.'
    """
    found = Text()
    pieces = value if isinstance(value, list) else [value]
    found.text = "".join(_piece(piece, found) for piece in pieces)
    found.links += [url for url in urls(found.text) if url not in found.links]
    return found


def beside_text(raw: Json) -> str:
    """What a message shows that is neither text nor file: a poll, a place, a contact, a game, an invoice."""
    lines = []
    if poll := record_at(raw, "poll"):
        lines.append(read_text(poll.get("question")).text)
        lines += [f"- {read_text(answer.get('text')).text}" for answer in records_at(poll, "answers")]
    if contact := record_at(raw, "contact_information"):
        lines.append(" ".join(text_at(contact, key) for key in ("first_name", "last_name", "phone_number")))
    lines += [text_at(raw, key) for key in ("place_name", "address", "game_title", "game_description")]
    if invoice := record_at(raw, "invoice_information"):
        lines += [text_at(invoice, "title"), text_at(invoice, "description")]
    if (place := record_at(raw, "location_information")) and not text_at(raw, "place_name"):
        lines.append(f"location {place.get('latitude')}, {place.get('longitude')}")
    return clean("\n".join(line.strip() for line in lines if line.strip()))


def attachments_of(raw: Json) -> tuple[Attachment, ...]:
    """The photo or file of a message, whether it was exported or not."""
    found = []
    for key, kind in (("photo", "image"), ("file", ""), ("contact_vcard", "text/vcard")):
        path = text_at(raw, key).strip()
        if not path:
            continue
        state = next((state for mark, state in _MISSING.items() if mark in path), "")
        if state and "(" in path:
            path = path.partition("(")[0].strip()  # newer versions keep the name before the reason
        name = text_at(raw, "file_name") if key == "file" else ""
        name = name or path.replace("\\", "/").rpartition("/")[2] or text_at(raw, "sticker_emoji") or key
        if key == "file":
            kind = text_at(raw, "mime_type") or text_at(raw, "media_type")
        size = number_at(raw, "file_size" if key == "file" else f"{key}_file_size")
        found.append(Attachment(name, kind, size, state))
    return tuple(found)


def _piece(piece: object, found: Text) -> str:
    if isinstance(piece, str):
        return clean(piece)
    if not isinstance(piece, dict):
        return ""
    kind, text = text_at(piece, "type"), text_at(piece, "text")
    if kind == "text_link" and (href := text_at(piece, "href")):
        found.links.append(href)
    elif kind == "mention_name" and (user := identity(piece.get("user_id"))):
        found.mentions.append(f"user{user}")  # "@name" stays text: the file does not say whose public name it is
    return text
