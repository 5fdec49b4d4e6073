"""The text of one part of a mail: plain, flowed, HTML or rich text, and files that were pasted into it uuencoded.

Line ends become line feeds, and empty lines at the edges go; all else stays as written. Which parts of a mail are its
text is not decided here but in `mail_parts`. Follows RFC 3676 for flowed text.
"""

import binascii
import re
from dataclasses import dataclass

from treering.importers.mail_charsets import decoded
from treering.importers.mail_html import html_text
from treering.importers.mail_rtf import rtf_text
from treering.importers.narrowing import clean, urls
from treering.model.drafts import Attachment

__all__ = ["PartText", "part_text"]

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_QUOTES = re.compile(r"(>+) ?")
_UUENCODED = re.compile(r"^begin [0-7]{3,4} ([^\n]{1,200})\n((?:[ -`]{1,80}\n){1,})end[ \t]*$", re.MULTILINE)
_TAGS = re.compile(r"</?[A-Za-z-]{1,30}>")


@dataclass(frozen=True, slots=True)
class PartText:
    """The text of a part."""

    text: str
    links: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()  # files found within the text, and cut out of it
    charset_instead: str = ""  # the charset that it was read in, where what was declared did not hold


def part_text(content: bytes, kind: str, charset: str = "", *, flowed: bool = False, joins: bool = False) -> PartText:
    """Read a part.

    Args:
        content: its bytes, after the transfer encoding was undone.
        kind: its MIME type.
        charset: the charset that was declared, "" where none was.
        flowed: whether lines that end in a blank go on in the next.
        joins: whether that blank goes, too (`delsp=yes`).
    """
    if kind == "text/html" and not charset:
        meta = _META_CHARSET.search(content, 0, 4096)
        charset = meta[1].decode("ascii", "replace") if meta else ""
    read = decoded(content, charset)
    instead = "" if read.as_declared else read.charset
    text = clean(read.text.removeprefix("\ufeff")).replace("\r\n", "\n").replace("\r", "\n")
    if kind == "text/html":
        page = html_text(text)
        return PartText(page.text, page.links, charset_instead=instead)
    if kind in ("text/rtf", "application/rtf", "text/richtext") and text.lstrip().startswith("{\\rtf"):
        text = rtf_text(text)
    elif kind in ("text/enriched", "text/richtext"):
        text = _TAGS.sub("", text.replace("<<", "<"))
    elif flowed:
        text = _unflowed(text, joins=joins)
    files: list[Attachment] = []
    if "\nend" in text:
        text = _UUENCODED.sub(lambda match: _cut_out(match, files), text)
    text = re.sub(r"\A(?:[ \t]*\n)+", "", text).rstrip()
    return PartText(text, urls(text), tuple(files), instead)


def _unflowed(text: str, *, joins: bool) -> str:
    r"""Paragraphs on one line each; a quotation goes on at the same depth only, and not beyond a signature's mark.

    >>> _unflowed("one \ntwo\n> three \n> four\n-- \nAna", joins=False)
    'one two\n> three four\n-- \nAna'
    """
    lines: list[tuple[str, str]] = []  # the marks of quotation, and what they stand before
    is_open = False
    for line in text.split("\n"):
        match = _QUOTES.match(line)
        marks, rest = (match[1], line[match.end() :]) if match else ("", line.removeprefix(" "))
        is_mark = rest == "-- "
        if is_open and lines[-1][0] == marks and not is_mark:
            before = lines[-1][1]
            lines[-1] = (marks, (before[:-1] if joins else before) + rest)
        else:
            lines.append((marks, rest))
        is_open = rest.endswith(" ") and not is_mark
    return "\n".join(f"{marks} {rest}" if marks else rest for marks, rest in lines)


def _cut_out(match: re.Match[str], files: list[Attachment]) -> str:
    size = 0
    for line in match[2].split("\n"):
        if line.strip("` "):
            try:
                size += len(binascii.a2b_uu(line))
            except binascii.Error:
                return match[0]
    files.append(Attachment(match[1].strip(), size=size))
    return f"[{match[1].strip()}]"
