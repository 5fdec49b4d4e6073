"""The parts of a mail: which of them are its text, which are files, and which are mails of their own.

Of alternatives the plain one is taken, unless it is empty or only says that one should look at the other. Text parts
that are not named as files are text, one after the other. The standard library's parser finds the parts; names, types
and encodings are read by our own rules, as its accessors stumble over broken ones. Follows FORMATS section 13.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from typing import TypeAlias

from treering.importers.mail_body import PartText, part_text
from treering.importers.mail_charsets import decoded, transfer_decoded
from treering.importers.mail_headers import Headers, Parameterized, parameterized
from treering.importers.narrowing import FieldError, distinct
from treering.model.drafts import Attachment

__all__ = ["AttachedFile", "Part", "Parts", "headers_of", "parsed_part", "read_parts"]

Part: TypeAlias = "Message[str, str]"

DEPTH_MAX = 60  # of parts within parts
STUB_CHARS_MAX = 200  # "Your mail program cannot show this mail" is shorter

_CONTAINERS = (b"PK\x03\x04", b"%PDF-")  # no texts, whatever a mail program called them
_MIME_FIELDS = ("content-type", "content-transfer-encoding", "content-disposition")
_BODY_TYPES = frozenset({"text/plain", "text/html", "text/enriched", "text/richtext", "text/rtf"})
_NO_FILE_TYPES = ("multipart/", "message/rfc822", "message/global")
_STUB = re.compile(r"html|view this|browser|mail program|e-?mail client|cannot be displayed|anzeigen", re.IGNORECASE)
_BOILERPLATE = re.compile(r"MIME|multi-?part", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that a mail carries, with its content."""

    name: str
    type: str
    content: bytes


@dataclass(slots=True)
class Parts:
    """What was found in a mail."""

    texts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    files: list[AttachedFile] = field(default_factory=list)  # those attachments whose content is here
    mails: list[Part] = field(default_factory=list)  # mails that were attached as such
    charsets_instead: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The texts, one after the other."""
        return "\n\n".join(text for text in self.texts if text)


def parsed_part(headers: Headers, body: bytes) -> Part:
    """A mail as the standard library's parser finds its parts; of its header no more goes there than that takes.

    Raises:
        FieldError: parts lie within parts too deeply to be read.
    """
    fields = [(name, value) for name, value in headers.fields if name in _MIME_FIELDS]
    block = b"".join(name.encode() + b": " + value + b"\n" for name, value in dict(reversed(fields)).items())
    try:
        return message_from_bytes(block + b"\n" + body, policy=compat32)
    except RecursionError:
        raise FieldError("parts within parts, too deep to be read") from None


def read_parts(part: Part) -> Parts:
    """Take a mail apart.

    Raises:
        FieldError: parts lie within parts too deeply to be read.
    """
    found = Parts()
    _walk(part, found, 0)
    return found


def headers_of(part: Part) -> Headers:
    """The header of a part, or of a mail that was attached."""
    return Headers.of((name, str(value).encode("utf-8", "surrogateescape")) for name, value in part.raw_items())


def _walk(part: Part, found: Parts, depth: int) -> None:
    if depth > DEPTH_MAX:
        raise FieldError(f"parts within parts, deeper than {DEPTH_MAX}")
    headers = headers_of(part)
    declared, placed = parameterized(headers.text("content-type")), parameterized(headers.text("content-disposition"))
    kind = part.get_content_type()
    inner = [each for each in _payload(part) if isinstance(each, Message)]
    if kind.startswith(("message/rfc822", "message/global", "message/news")) and inner:
        found.mails += inner
    elif kind == "message/external-body":
        _external(declared, inner, found)
    elif kind.startswith("message/") and inner:
        status = "\n\n".join(_fields_as_text(each) for each in inner).encode("utf-8", "replace")
        _file(found, _name(declared, placed) or kind.rpartition("/")[2], "text/plain", status, len(status))
    elif kind == "multipart/alternative" and inner:
        _alternatives(inner, found, depth)
    elif inner:
        before = len(found.texts)
        for each in inner:
            _walk(each, found, depth + 1)
        if part.preamble and len(found.texts) == before and not _BOILERPLATE.search(part.preamble):
            _take(found, part_text(_bytes(part.preamble), "text/plain"))
        if part.epilogue and part.epilogue.strip():
            _take(found, part_text(_bytes(part.epilogue), "text/plain"))
    else:
        _single(part, headers, declared, placed, found)


def _single(part: Part, headers: Headers, declared: Parameterized, placed: Parameterized, found: Parts) -> None:
    """A part without parts: text, unless it is named as a file."""
    kind, name = part.get_content_type(), _name(declared, placed)
    content = _content(part, headers)
    is_rtf_body = kind == "application/rtf" and name in ("", "rtf-body.rtf")  # as PST converters write it
    is_text = kind in _BODY_TYPES or kind.startswith("multipart/") or is_rtf_body
    is_first = not any(found.texts)
    is_body = placed.value != "attachment" or name == "rtf-body.rtf"
    if is_text and is_body and (not name or is_first or is_rtf_body):
        is_flowed = declared.parameters.get("format", "").casefold() == "flowed"
        joins = declared.parameters.get("delsp", "").casefold() == "yes"
        charset = declared.parameters.get("charset", "")
        _take(found, part_text(content, kind, charset, flowed=is_flowed, joins=joins))
    elif content.strip() or name:
        size = len(content)
        if kind.startswith("text/") and not content.startswith(_CONTAINERS):
            content = decoded(content, declared.parameters.get("charset", "")).text.encode("utf-8", "replace")
        _file(found, name or headers.text("content-description"), kind, content, size)


def _alternatives(parts: list[Part], found: Parts, depth: int) -> None:
    """The best of several renderings of one text; what is no rendering of a text is a file."""
    read: list[tuple[str, Parts]] = []
    for part in parts:
        alternative = Parts()
        _walk(part, alternative, depth + 1)
        read.append((part.get_content_type(), alternative))
    with_text = [(kind, alternative) for kind, alternative in read if alternative.text]
    plain = next((alternative for kind, alternative in with_text if kind == "text/plain"), None)
    richest = max((alternative for _, alternative in with_text), key=lambda each: len(each.text), default=None)
    chosen = richest if plain is None or (richest and _is_stub(plain.text, richest.text)) else plain
    for _, alternative in read:
        if alternative is chosen:
            found.texts += alternative.texts
            found.charsets_instead += alternative.charsets_instead
        found.links += alternative.links
        found.attachments += alternative.attachments
        found.files += alternative.files
        found.mails += alternative.mails


def _is_stub(plain: str, richest: str) -> bool:
    return len(plain) < STUB_CHARS_MAX and len(richest) > 2 * len(plain) and bool(_STUB.search(plain))


def _take(found: Parts, read: PartText) -> None:
    found.texts.append(read.text)
    found.links += read.links
    found.attachments += read.attachments
    if read.charset_instead:
        found.charsets_instead.append(read.charset_instead)


def _file(found: Parts, name: str, kind: str, content: bytes, size: int) -> None:
    state = "TNEF, not unpacked" if kind == "application/ms-tnef" or name.casefold() == "winmail.dat" else ""
    shown = " ".join(name.split()) or kind
    found.attachments.append(Attachment(shown, kind, size, state))
    found.files.append(AttachedFile(shown, kind, content))


def _external(declared: Parameterized, inner: list[Part], found: Parts) -> None:
    """A file that lies elsewhere; the mail only says where."""
    given = declared.parameters
    where = "/".join(filter(None, (given.get("site") or given.get("server", ""), given.get("directory", ""))))
    url = given.get("url", "")
    kind = inner[0].get_content_type() if inner else ""
    name = given.get("name") or url.rpartition("/")[2] or "external body"
    state = f"kept elsewhere: {given.get('access-type', '')} {url or where}".strip()
    found.attachments.append(Attachment(name, kind, state=state))
    if url:
        found.links.append(url)


def _payload(part: Part) -> list[object]:
    payload = part.get_payload() if part.is_multipart() else []  # of a text, it would stumble over its charset
    return list(payload) if isinstance(payload, list) else []


def _content(part: Part, headers: Headers) -> bytes:
    """The bytes of a part, with its transfer encoding undone."""
    del part["content-transfer-encoding"]  # what is left for the library to do is to give them as they are
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    return transfer_decoded(content, headers.text("content-transfer-encoding"))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _name(declared: Parameterized, placed: Parameterized) -> str:
    """The name of a file, without the folders that it lay in."""
    name = placed.parameters.get("filename") or declared.parameters.get("name", "")
    return " ".join(re.split(r"[/\\]", name)[-1].split())


def _fields_as_text(part: Part) -> str:
    headers = headers_of(part)
    fields: Iterator[str] = (f"{name.title()}: {value}" for name in distinct([n for n, _ in headers.fields])
                             for value in headers.texts(name))  # fmt: skip
    rest = decoded(_content(part, headers)).text.strip()
    return "\n".join([*fields, rest] if rest else fields)
