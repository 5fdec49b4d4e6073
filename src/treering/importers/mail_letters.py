"""One mail, read whole: who wrote it to whom and when, what it says, what it answers and what it carries.

A letter knows nothing of the file it lay in nor of other mails, so that a mail reads the same wherever it is found. Bcc
is not read: the copies that others got do not have it, and it is not for their eyes. Follows FORMATS section 13.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC

from treering.importers.mail_addresses import UNKNOWN, Address, addresses
from treering.importers.mail_dates import mail_moment
from treering.importers.mail_headers import Headers
from treering.importers.mail_lists import MailingList, list_of
from treering.importers.mail_parts import AttachedFile, Part, Parts, headers_of, parsed_part, read_parts
from treering.importers.mail_quotes import is_forward, quoted_ranges
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, distinct
from treering.model.drafts import Attachment

__all__ = ["Letter", "author_of", "letter_from", "message_id", "read_letter"]

NESTING_MAX = 4  # mails attached to mails attached to ...
LINKS_MAX = 200
RECEIVERS_MAX = 100  # that are kept as tags, of each field

_ID = re.compile(r"<([^<>]*)>?")
_LABELS_OF_PROGRAMS = re.compile(
    r"inbox|sent|unread|opened|archived|important|starred|drafts?|trash|spam|chat|category .*|\$.*|\\.*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in our words."""

    message_id: str  # without its brackets; "" where there is none
    author: Address
    others: tuple[Address, ...]  # further people in From
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    sent: Moment
    subject: str
    text: str
    quoted: tuple[tuple[int, int], ...]
    links: tuple[str, ...]
    attachments: tuple[Attachment, ...]
    files: tuple[AttachedFile, ...]
    letters: tuple["Letter", ...]  # mails that it carries
    mailing_list: MailingList | None
    references: tuple[str, ...]  # message ids: the thread's first, and on to the one answered
    answered: str | None
    tags: tuple[str, ...]

    @property
    def is_numbered(self) -> bool:
        """Whether it has an id of its own, by which others may answer it."""
        return bool(self.message_id)

    def digest(self) -> str:
        """What it says, whichever way it came: the same for two copies, and different for two mails.

        Left out are what transport changes: white space, the list's name in the subject, footers of lists.
        """
        own = self.text
        for start, stop in reversed(self.quoted):
            if stop == len(self.text) and self.text.startswith("_" * 20, start):
                own = self.text[:start]
        parts = (
            self.author.id,
            self.sent.at.astimezone(UTC).isoformat(),
            " ".join(re.sub(r"\[[^\]]*\]", " ", self.subject).split()).casefold(),
            " ".join(own.split()),
            *(f"{attachment.name} {attachment.size}" for attachment in self.attachments),
            *(letter.digest() for letter in self.letters),
        )
        return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()


def read_letter(headers: Headers, body: bytes, envelope: str = "") -> Letter:
    """Read a mail.

    Args:
        headers: its header.
        body: what follows the header.
        envelope: what follows `From ` in the line before it, in an mbox.

    Raises:
        FieldError: it has no header, or cannot be taken apart.
    """
    if not headers.fields:
        raise FieldError("no header")
    return letter_from(headers, read_parts(parsed_part(headers, body)), envelope)


def letter_from(headers: Headers, parts: Parts, envelope: str = "", depth: int = 0) -> Letter:
    """Put a letter together from its header and its parts."""
    subject = headers.text("subject")
    text = parts.text
    own_id = message_id(headers)
    answered = [found for found in _ids(headers.raw("in-reply-to")) if found != own_id]
    references = [found for found in _ids(headers.raw("references")) if found != own_id]
    author, others = author_of(headers)
    to = addresses(headers.raw("to"))
    return Letter(
        message_id=own_id,
        author=author,
        others=others,
        to=to,
        cc=tuple(each for each in addresses(headers.raw("cc")) if each not in to),
        sent=mail_moment(headers, envelope),
        subject=subject,
        text=text,
        quoted=quoted_ranges(text, forwards=is_forward(subject)),
        links=distinct(parts.links)[:LINKS_MAX],
        attachments=tuple(parts.attachments),
        files=tuple(parts.files),
        letters=tuple(_carried(parts.mails, depth + 1)) if depth < NESTING_MAX else (),
        mailing_list=list_of(headers),
        references=distinct(references or answered),
        answered=answered[-1] if answered else references[-1] if references else None,
        tags=distinct(list(_tags(headers, parts))),
    )


def message_id(headers: Headers) -> str:
    """The id of a mail, without brackets and the white space of folding; "" where there is none.

    >>> message_id(Headers.parse(b"Message-ID: <a1@k.example> (added)"))
    'a1@k.example'
    """
    return next(_ids(headers.raw("message-id")), "")


def author_of(headers: Headers) -> tuple[Address, tuple[Address, ...]]:
    """Who wrote, and the others in From; where From says nothing, who sent it, and else somebody unknown."""
    for fields in (("x-original-from", "x-google-original-from"), ("from",), ("sender",), ("x-from",)):
        found = addresses(value for field in fields for value in headers.raw(field))
        if found:
            return found[0], found[1:]
    path = [each for each in addresses(headers.raw("return-path")) if "@" in each.id]
    return (path[0] if path else UNKNOWN), ()


def _ids(values: Iterator[str]) -> Iterator[str]:
    """The ids between brackets; if there are no brackets, a value that is one word."""
    for value in values:
        found = [
            re.sub(r"\s+", "", match[1]) for match in _ID.finditer(value) if match[0][-1] == ">" or "@" in match[1]
        ]
        if not found and len(value.split()) == 1:
            found = [value.strip()]
        yield from filter(None, found)


def _carried(mails: list[Part], depth: int) -> Iterator[Letter]:
    for part in mails:
        headers = headers_of(part)
        yield letter_from(headers, read_parts(part), depth=depth)


def _tags(headers: Headers, parts: Parts) -> Iterator[str]:
    """What the header says beside the letter: its receivers, labels that people gave, and marks of programs."""
    for name in ("to", "cc"):
        yield from (f"{name}:{each.id}" for each in addresses(headers.raw(name))[:RECEIVERS_MAX])
    for name in ("keywords", "x-keywords", "x-gmail-labels"):
        for value in headers.texts(name):
            labels = (label.strip(" \"'") for label in value.split(","))
            yield from (label for label in labels if label and not _LABELS_OF_PROGRAMS.fullmatch(label))
    if headers.text("auto-submitted").casefold() not in ("", "no"):
        yield "auto-submitted"
    if headers.text("x-spam-flag").casefold() == "yes":
        yield "spam"
    if headers.text("x-no-archive").casefold() == "yes" or headers.text("x-archive").casefold() == "no":
        yield "no-archive"
    yield from (f"charset:{charset}" for charset in parts.charsets_instead)
