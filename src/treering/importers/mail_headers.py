"""The header of a mail or of one of its parts: fields by name, encoded words, parameters; all of it may be broken.

Values stay bytes until they are asked for, as a raw eight-bit value can only be guessed at with the charset of the body
in sight. What a field means is not known here. Follows RFC 5322, 2047 and 2231, and FORMATS section 13.
"""

import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from treering.importers.mail_charsets import decoded
from treering.importers.narrowing import clean

__all__ = ["Headers", "Parameterized", "decoded_words", "parameterized", "split_head"]

HEAD_BYTES_MAX = 1 << 20  # of a header; the longest real ones carry a few hundred addresses

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:(.*)", re.DOTALL)
_BLANK = re.compile(rb"\n[ \t]*\r?\n")
_BLANK_OF_OLD_MACS = re.compile(rb"\r[ \t]*\r")
_RESUMED = re.compile(  # an empty line within a folded field: more of it follows, and other fields
    rb"[ \t]+[^\r\n]*\r?\n(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n){0,50}?){0,20}?(?:subject|message-id|mime-version):",
    re.IGNORECASE,
)
_LEADING = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*")
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_GAP = re.compile(r"(?<=\?=)\s+(?==\?[^?\s]{1,60}\?[bBqQ]\?[^?]*\?=)")
_PARAMETER = re.compile(r";\s*([^\s=;\"]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;]*)", re.DOTALL)
_SECTION = re.compile(r"(.+?)(?:\*(\d{1,3}))?(\*)?")


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of a header, in order, their names in small letters."""

    fields: tuple[tuple[str, bytes], ...]
    hint: str = ""  # the charset of the body, for raw eight-bit values
    by_name: Mapping[str, list[bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Iterable[tuple[str, bytes]]) -> "Headers":
        """Fields as found; folded lines are unfolded."""
        found = tuple((name.casefold(), _unfolded(value)) for name, value in fields)
        by_name: dict[str, list[bytes]] = {}
        for name, value in found:
            by_name.setdefault(name, []).append(value)
        kind = by_name.get("content-type", [b""])[0]
        return cls(found, parameterized(kind.decode("latin-1")).parameters.get("charset", ""), by_name)

    @classmethod
    def parse(cls, block: bytes) -> "Headers":
        """The fields of a header block; lines that are no field are passed over."""
        return cls.of(_fields(block))

    def text(self, name: str) -> str:
        """The first value of a field, decoded, on one line; "" where there is none."""
        return next(self.texts(name), "")

    def texts(self, name: str) -> Iterator[str]:
        """All values of a field, decoded."""
        for value in self.raw(name):
            yield " ".join(decoded_words(value).split())

    def raw(self, name: str) -> Iterator[str]:
        """All values of a field, with encoded words as they are."""
        for value in self.by_name.get(name, ()):
            yield clean(value.decode("ascii") if value.isascii() else decoded(value, hint=self.hint).text)

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        return name in self.by_name


@dataclass(frozen=True, slots=True)
class Parameterized:
    """A value such as `text/plain; charset=utf-8`, taken apart."""

    value: str  # in small letters
    parameters: Mapping[str, str] = field(default_factory=dict)


def split_head(content: bytes) -> tuple[bytes, bytes]:
    """The header block and the body of a mail; blank lines and envelope lines before the header do not count.

    A block ends at a blank line, or where a line is no field and no field follows it.
    """
    start = _LEADING.match(content)
    content = content[start.end() if start else 0 :]
    while content.startswith((b"From ", b">From ")):
        content = content.partition(b"\n")[2]
    blank = _BLANK if b"\n" in content else _BLANK_OF_OLD_MACS
    end = blank.search(content, 0, HEAD_BYTES_MAX)
    while end and content[end.end() : end.end() + 1] in (b" ", b"\t") and _RESUMED.match(content, end.end()):
        end = blank.search(content, end.end(), HEAD_BYTES_MAX)
    block, body = (content[: end.start()], content[end.end() :]) if end else (content, b"")
    stop = _end_of_fields(block)
    return (block, body) if stop is None else (block[:stop], content[stop:])


def decoded_words(value: str) -> str:
    """The value with its encoded words decoded; neighbours in one charset may share a character between them.

    >>> decoded_words("=?utf-8?Q?Caf=C3?= =?utf-8?B?qQ==?= at =?NONE?B?c2l4?=")
    'Café at six'
    """
    if "=?" not in value:
        return value
    value = _GAP.sub("", value)
    parts: list[str] = []
    at, pending, charset = 0, b"", ""
    for word in _WORD.finditer(value):
        content = _word_bytes(word[2], word[3])
        if pending and (word.start() > at or word[1].casefold() != charset):
            parts.append(decoded(pending, charset).text)
            pending = b""
        parts.append(value[at : word.start()])
        pending, charset, at = pending + content, word[1].casefold(), word.end()
    parts.append(decoded(pending, charset).text)
    return clean("".join([*parts, value[at:]]))


def parameterized(value: str) -> Parameterized:
    """Take apart a value with parameters, whether plain, quoted, encoded or continued.

    >>> parameterized("Attachment; filename*0*=utf-8''na%C3%AF; filename*1=ve.txt").parameters["filename"]
    'naïve.txt'
    """
    main, semicolon, rest = value.partition(";")
    found: dict[str, dict[int, tuple[bool, str]]] = {}
    for match in _PARAMETER.finditer(semicolon + rest):
        name, text = match[1].casefold(), match[2].strip()
        if text.startswith('"') and text.endswith('"') and len(text) > 1:
            text = re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        section = _SECTION.fullmatch(name)
        if section:
            found.setdefault(section[1], {}).setdefault(int(section[2] or 0), (bool(section[3]), text))
    joined = {name: _joined([sections[number] for number in sorted(sections)]) for name, sections in found.items()}
    return Parameterized(main.strip().casefold(), joined)


def _joined(sections: list[tuple[bool, str]]) -> str:
    """The sections of one parameter as one text; the first says the charset."""
    if not any(encoded for encoded, _ in sections):
        return decoded_words("".join(text for _, text in sections))
    charset, content = "", b""
    for number, (encoded, text) in enumerate(sections):
        if encoded and number == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        content += unquote_to_bytes(text) if encoded else text.encode("utf-8", "replace")
    return clean(decoded(content, charset).text)


def _fields(block: bytes) -> Iterator[tuple[str, bytes]]:
    name, value = "", b""
    for line in re.split(rb"\r?\n|\r", block):
        if line[:1] in (b" ", b"\t"):
            value += b"\n" + line if name else b""
            continue
        match = _FIELD.fullmatch(line)
        if match is None:
            continue
        if name:
            yield name, value
        name, value = match[1].decode("ascii"), match[2]
    if name:
        yield name, value


def _end_of_fields(block: bytes) -> int | None:
    """Where a block stops being fields; None if it does not before its end."""
    at = 0
    lines = block.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line[:1] not in (b" ", b"\t") and not _FIELD.fullmatch(line):
            after = lines[number + 1] if number + 1 < len(lines) else None
            if after is None or not (_FIELD.fullmatch(after) or after[:1] in (b" ", b"\t")):
                return at if after is not None or number == 0 else None
        at += len(line)
    return None


def _unfolded(value: bytes) -> bytes:
    return (re.sub(rb"[\r\n]+[ \t]*", b" ", value) if b"\n" in value or b"\r" in value else value).strip()


def _word_bytes(kind: str, text: str) -> bytes:
    content = text.encode("utf-8", "replace")
    if kind in "qQ":
        return re.sub(rb"=([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), content.replace(b"_", b" "))
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", content)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
