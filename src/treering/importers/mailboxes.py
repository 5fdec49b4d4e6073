"""Files of mails, taken apart into single mails: mbox in its variants, MMDF, Apple's emlx, one mail, mails in a row.

What is yielded are bytes: a mail as it was sent, without what the file put around or into it. A file is read piece by
piece, and a mail of it must fit into memory. Follows FORMATS section 13 for where an mbox is parted: at a line that
looks like an envelope, after an empty line, before a field; a Content-Length that leads to such a line is believed.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from treering.importers.mail_headers import split_head
from treering.importers.mail_kinds import HEAD_BYTES, Kind, is_envelope, kind_of, names_one_mail
from treering.importers.mail_rows import parted_rows

__all__ = ["RawMail", "read_mails"]

MAIL_BYTES_MAX = 256 << 20
CHUNK_BYTES = 1 << 20
OVERLAP_BYTES = 1 << 13  # longer than any envelope with the name of the field below it
CLAIM_BYTES_MAX = 64 << 20  # of a Content-Length that is looked into

_ENVELOPE = re.compile(rb"From ([^\r\n]{0,1000})\r?\n(?=>?From |[!-9;-~]{1,100}[ \t]*:)")
_ESCAPED = re.compile(rb"^>(?=>*From )", re.MULTILINE)
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_TOO_LONG = f"mail of more than {MAIL_BYTES_MAX >> 20} MiB"


@dataclass(frozen=True, slots=True)
class RawMail:
    """A mail as bytes."""

    content: bytes
    envelope: str = ""  # what follows `From ` in the line before it
    fault: str = ""  # why the content is not all there


def read_mails(file: BinaryIO, name: str = "") -> Iterator[RawMail]:
    """The mails of a file, in order; none if it holds none.

    Raises:
        UnreadableInput: the file ends in damage; what stood before was yielded.
    """
    head = re.sub(rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*", b"", file.read(HEAD_BYTES))
    kind = kind_of(head, name)
    if kind is Kind.MBOX:
        for mail in _rejoined(_envelopes(head, file)):
            yield replace(mail, content=_unescaped(mail.content))
    elif kind is not None:
        content = head + file.read(MAIL_BYTES_MAX)
        if len(content) > MAIL_BYTES_MAX:
            yield RawMail(content[:HEAD_BYTES], fault=_TOO_LONG)
        elif kind is Kind.MARKED:
            yield from _marked(content)
        elif kind is Kind.EMLX:
            count, _, rest = content.partition(b"\n")
            yield RawMail(rest[: int(count)])
        elif names_one_mail(name):
            yield RawMail(content)
        else:
            yield from (RawMail(part) for part in parted_rows(content))


def _envelopes(head: bytes, file: BinaryIO) -> Iterator[RawMail]:
    """An mbox, parted at every line that looks like an envelope."""
    buffer, at = bytearray(head), 1
    is_cut = False  # the mail in the buffer was too long, and its beginning is gone
    is_last = False
    while buffer:
        found = _next_envelope(buffer, at)
        if found is not None:
            yield _enveloped(bytes(buffer[:found]), cut=is_cut)
            del buffer[:found]
            at, is_cut = 1, False
        elif is_last:
            yield _enveloped(bytes(buffer), cut=is_cut)
            return
        else:
            at = max(1, len(buffer) - OVERLAP_BYTES)
            if len(buffer) > MAIL_BYTES_MAX:
                del buffer[HEAD_BYTES:at]
                at, is_cut = HEAD_BYTES, True
            chunk = file.read(CHUNK_BYTES)
            buffer += chunk
            is_last = not chunk


def _next_envelope(buffer: bytearray, at: int) -> int | None:
    while (line := buffer.find(b"\nFrom ", at)) >= 0:
        at = line + 1
        if bytes(buffer[max(0, line - 2) : at]).endswith((b"\n\n", b"\n\r\n", b"\n \n")):
            envelope = _ENVELOPE.match(buffer, at)
            if envelope and is_envelope(envelope[1]):
                return at
    return None


def _enveloped(content: bytes, *, cut: bool) -> RawMail:
    line, _, rest = content.partition(b"\n")
    return RawMail(rest, line[5:].decode("latin-1").strip(), _TOO_LONG if cut else "")


def _rejoined(mails: Iterator[RawMail]) -> Iterator[RawMail]:
    """Put together again what the Content-Length of a mail says to be one, if it leads to the end of another piece."""
    waiting: list[RawMail] = []
    for mail in mails:
        waiting.append(mail)
        while waiting and (joined := _joined(waiting)) is not None:
            yield joined
    while waiting:
        yield _joined(waiting) or waiting.pop(0)


def _joined(waiting: list[RawMail]) -> RawMail | None:
    """Take the first mail off the list, with the pieces that belong to it; None while it may have more of them."""
    first = waiting[0]
    if b"ength:" not in first.content[:HEAD_BYTES]:
        return waiting.pop(0)
    block, body = split_head(first.content)
    claim = _LENGTH.search(block)
    length = int(claim[1]) if claim else 0
    missing = length - len(body.rstrip(b"\r\n"))
    if missing <= 2 or length > CLAIM_BYTES_MAX or first.fault:
        return waiting.pop(0)
    content = first.content
    for number, piece in enumerate(waiting[1:], 2):
        content += f"From {piece.envelope}\n".encode("latin-1", "replace") + piece.content
        missing = length - len(split_head(content)[1])
        if -2 <= missing <= 0 or (missing < 0 and not piece.content[missing:].strip()):
            del waiting[:number]
            return replace(first, content=content)
        if missing < 0:
            return waiting.pop(0)
    return None


def _unescaped(content: bytes) -> bytes:
    r"""Undo the `>` that an mbox puts before lines that begin with `From `; not among lines that are quoted anyway.

    >>> _unescaped(b"a\n>From here\nb\n> c\n>From there\n")
    b'a\nFrom here\nb\n> c\n>From there\n'
    """

    def is_quoted(at: int) -> bool:
        return content.startswith(b">", at) and not _ESCAPED.match(content, at)

    def plain(match: re.Match[bytes]) -> bytes:
        before = content.rfind(b"\n", 0, max(0, match.start() - 1)) + 1
        after = content.find(b"\n", match.end()) + 1
        beside_quotation = (match.start() > 0 and is_quoted(before)) or (after > 0 and is_quoted(after))
        return b">" if beside_quotation else b""

    return _ESCAPED.sub(plain, content)


def _marked(content: bytes) -> Iterator[RawMail]:
    """Mails between lines that are all the same; of MMDF there is one before and one after each mail."""
    mark = content.partition(b"\n")[0].strip()
    piece = io.BytesIO()
    for line in content.splitlines(keepends=True):
        if line.strip() != mark:
            piece.write(line)
            continue
        if piece.getvalue().strip():
            yield RawMail(piece.getvalue())
        piece = io.BytesIO()
    if piece.getvalue().strip():
        yield RawMail(piece.getvalue())
