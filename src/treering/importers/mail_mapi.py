"""An item of an Outlook archive as a mail: its MAPI properties as header fields, its bodies and files as parts.

Where the archive kept the header that came with the mail, that is taken, and properties fill the gaps; a mail that was
sent from Outlook has properties only. Addresses may be X.500 names, which serve as ids like any other. Mails embedded
in a mail are listed among its files and not read. Follows MS-OXPROPS and FORMATS section 13.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Protocol

from treering.importers.attached_text import BYTES_MAX
from treering.importers.mail_body import PartText, part_text
from treering.importers.mail_headers import Headers
from treering.importers.mail_parts import AttachedFile, Parts
from treering.importers.narrowing import clean
from treering.model.drafts import Attachment

__all__ = ["ITEMS_TOLD", "ITEM_BREAKS", "Item", "Thing", "headers_of_item", "is_mail", "number_of", "parts_of_item"]

ITEM_BREAKS = (OSError, OverflowError, ValueError, TypeError, MemoryError)  # what the library raises on damage

CLASS, SUBJECT, MESSAGE_ID, IN_REPLY_TO, REFERENCES, CODEPAGE = 0x001A, 0x0037, 0x1035, 0x1042, 0x1039, 0x3FDE
SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
NAME, ADDRESS, SMTP, RECEIVER_KIND = 0x3001, 0x3003, 0x39FE, 0x0C15
FILE_NAME, FILE_LONG_NAME, FILE_TYPE, FILE_METHOD = 0x3704, 0x3707, 0x370E, 0x3705
ITEMS_TOLD = 0x3602  # of a folder: how many items it holds
EMBEDDED = 5  # the value of FILE_METHOD for a mail within a mail
RECEIVERS = {1: "to", 2: "cc"}  # 3, a blind copy, is not read


class Entry(Protocol):
    """One property, as libpff gives it."""

    @property
    def entry_type(self) -> int | None:
        """Its number."""

    @property
    def data(self) -> bytes | None:
        """Its bytes."""

    @property
    def data_as_string(self) -> str | None:
        """Its text, if it is one."""


class EntrySet(Protocol):
    """The properties of one thing."""

    @property
    def entries(self) -> Iterable[Entry]:
        """All of them."""


class Thing(Protocol):
    """Anything that has properties; receivers of a mail are one thing with several sets."""

    @property
    def record_sets(self) -> Iterable[EntrySet]:
        """The sets."""


class File(Thing, Protocol):
    """A file that a mail carries."""

    @property
    def size(self) -> int:
        """Bytes."""

    def read_buffer(self, size: int, /) -> bytes:
        """Its content."""


class Item(Thing, Protocol):
    """A mail; what is no mail lacks some of this."""

    subject: str | None
    sender_name: str | None
    transport_headers: str | None
    client_submit_time: datetime | None  # UTC, naive
    delivery_time: datetime | None
    plain_text_body: bytes | None
    html_body: bytes | None
    rtf_body: bytes | None
    number_of_attachments: int

    @property
    def recipients(self) -> Thing | None:
        """Who got it."""

    def get_attachment(self, number: int, /) -> File:
        """One of the files."""


Properties = Mapping[int, Entry]


def is_mail(item: Thing) -> bool:
    """Whether an item is a mail, and no appointment, contact or setting."""
    kind = _text(_properties(item), CLASS).upper()
    return kind.startswith(("IPM.NOTE", "REPORT.IPM.NOTE")) or (not kind and hasattr(item, "subject"))


def number_of(thing: Thing, number: int) -> int:
    """A whole number among the properties of a thing; 0 where there is none of that number."""
    return _number(_properties(thing), number)


def headers_of_item(item: Item) -> Headers:
    """The header of a mail."""
    sent_with = str(item.transport_headers or "")
    given = Headers.parse(sent_with.encode("utf-8", "replace"))
    fields = [(name, value) for name, value in _fields(item) if value and not given.has(name)]
    return Headers.of([*given.fields, *((name, clean(value).encode("utf-8", "replace")) for name, value in fields)])


def parts_of_item(item: Item) -> Parts:
    """The text of a mail, in the plainest form that it was kept in, and its files."""
    found = Parts()
    read = next((text for text in _bodies(item) if text.text), None)
    if read is not None:
        found.texts.append(read.text)
        found.links += read.links
    for number in range(item.number_of_attachments):
        try:
            _attach(item.get_attachment(number), found)
        except ITEM_BREAKS:
            found.attachments.append(Attachment(f"attachment {number + 1}", state="damaged in the archive"))
    return found


def _fields(item: Item) -> Iterator[tuple[str, str]]:
    properties = _properties(item)
    address = _text(properties, SENDER_SMTP) or _text(properties, SENDER_ADDRESS)
    yield "from", _mailbox(str(item.sender_name or "") or _text(properties, SENDER_NAME), address)
    for kind, people in _receivers(item).items():
        yield kind, ", ".join(people)
    yield "subject", str(item.subject or "")
    yield "message-id", _text(properties, MESSAGE_ID)
    yield "in-reply-to", _text(properties, IN_REPLY_TO)
    yield "references", _text(properties, REFERENCES)
    sent = item.client_submit_time or item.delivery_time
    yield "date", format_datetime(sent.replace(tzinfo=UTC)) if isinstance(sent, datetime) else ""


def _receivers(item: Item) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {kind: [] for kind in RECEIVERS.values()}
    for properties in _sets(item.recipients):
        kind = RECEIVERS.get(_number(properties, RECEIVER_KIND))
        if kind:
            address = _text(properties, SMTP) or _text(properties, ADDRESS)
            found[kind].append(_mailbox(_text(properties, NAME), address))
    return found


def _bodies(item: Item) -> Iterator[PartText]:
    charset = f"cp{_number(_properties(item), CODEPAGE)}".replace("cp65001", "utf-8").replace("cp0", "")
    for content, kind in (
        (item.plain_text_body, "text/plain"),
        (item.html_body, "text/html"),
        (item.rtf_body, "application/rtf"),
    ):
        if content:
            yield part_text(bytes(content), kind, charset if kind == "text/html" else "")


def _attach(attachment: File, found: Parts) -> None:
    properties = next(_sets(attachment), {})
    name = _text(properties, FILE_LONG_NAME) or _text(properties, FILE_NAME) or _text(properties, NAME) or "unnamed"
    kind = _text(properties, FILE_TYPE)
    if _number(properties, FILE_METHOD) == EMBEDDED:
        found.attachments.append(Attachment(name, kind or "message/rfc822", state="mail in a mail, not read"))
        return
    size = int(attachment.size)
    found.attachments.append(Attachment(name, kind, size))
    if 0 < size <= BYTES_MAX:
        found.files.append(AttachedFile(name, kind, bytes(attachment.read_buffer(size))))


def _mailbox(name: str, address: str) -> str:
    name = name.replace('"', "'").replace("<", "(").replace(">", ")")
    return f'"{name}" <{address}>' if address else f'"{name}"' if name else ""


def _sets(thing: Thing | None) -> Iterator[Properties]:
    """The properties of a thing, by their numbers; of receivers there are as many sets."""
    for each in thing.record_sets if thing is not None else ():
        yield {entry.entry_type: entry for entry in each.entries if entry.entry_type is not None}


def _properties(thing: Thing) -> Properties:
    return next(_sets(thing), {})


def _text(properties: Properties, number: int) -> str:
    entry = properties.get(number)
    if entry is None:
        return ""
    try:
        return str(entry.data_as_string or "").strip("\0 ")
    except ITEM_BREAKS:
        return ""


def _number(properties: Properties, number: int) -> int:
    entry = properties.get(number)
    content = bytes(entry.data or b"") if entry is not None else b""
    return int.from_bytes(content[:4], "little")
