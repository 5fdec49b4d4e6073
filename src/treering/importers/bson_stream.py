"""Reads the documents of a BSON file one at a time, as `mongodump` writes them, and goes on behind one that is damaged.

A reader of our own: a dump needs a dozen of the types, each document states its length, and a library that stops at
the first bad byte would lose the rest. Dates become aware datetimes, object ids hexadecimal text; regular expressions,
code and binary values have nothing to say here and become None. Source: bsonspec.org, version 1.1.
"""

import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

from treering.errors import UnreadableInput
from treering.importers.json_stream import Broken
from treering.importers.narrowing import clean

__all__ = ["stream_documents"]

CHUNK_BYTES = 1 << 18
DOCUMENT_BYTES_MAX = 64 << 20  # a server takes no more than 16 MiB
DEPTH_MAX = 100  # as the server's own limit

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_FIELDS = (b"\x02_id\x00", b"\x07_id\x00")  # what every document of a collection begins with
_INT32, _INT64, _DOUBLE = struct.Struct("<i"), struct.Struct("<q"), struct.Struct("<d")
_FIXED_BYTES = {0x06: 0, 0x0A: 0, 0x7F: 0, 0xFF: 0, 0x11: 8, 0x13: 16}  # undefined, null, min, max, stamp, decimal


def stream_documents(file: BinaryIO, unwanted: frozenset[str] = frozenset()) -> Iterator[tuple[int, object]]:
    """The documents with their places, counted from 0; a `Broken` where one does not read.

    Args:
        file: the stream, at its beginning.
        unwanted: fields of the documents that are stepped over and never decoded: secrets, and what is long.
    """
    window = Window(file)
    index = 0
    try:
        while window.holds(1):
            size = window.document_bytes()
            if size:
                yield index, _decoded(window.take(size), unwanted)
            else:
                yield index, Broken(f"{window.skip_to_document():,} bytes that are no document")
            index += 1
    except UnreadableInput as error:
        yield index, Broken(str(error))


def _decoded(raw: bytes, unwanted: frozenset[str]) -> object:
    try:
        return _Reader(raw, unwanted).document()
    except (ValueError, IndexError, struct.error) as error:
        return Broken(f"not BSON: {error}")


class Window:
    """The part of a file that is being looked at."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._bytes = b""
        self._at = 0

    def holds(self, count: int) -> bool:
        """Whether so many bytes are left; reads on as far as needed."""
        while len(self._bytes) - self._at < count:
            chunk = self._file.read(max(CHUNK_BYTES, count))
            if not chunk:
                return False
            self._bytes = self._bytes[self._at :] + chunk
            self._at = 0
        return True

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self._at += count
        return self._bytes[self._at - count : self._at]

    def document_bytes(self) -> int:
        """How long the document at hand is; 0 if there is none, or only its beginning."""
        if not self.holds(5):
            return 0
        (size,) = _INT32.unpack_from(self._bytes, self._at)
        whole = 5 <= size <= DOCUMENT_BYTES_MAX and self.holds(size)
        return size if whole and self._bytes[self._at + size - 1] == 0 else 0

    def skip_to_document(self) -> int:
        """Move to where a document begins that another one, or the end, follows; how many bytes were passed over.

        Documents within documents begin alike: they are told by what follows them.
        """
        skipped = 0
        while True:
            skipped += 1
            self._at += 1
            if not self.holds(9):
                skipped += len(self._bytes) - self._at
                self._at = len(self._bytes)
                return skipped
            found = [self._bytes.find(mark, self._at + 4) for mark in _FIRST_FIELDS]
            place = min((at for at in found if at >= 0), default=len(self._bytes) - 4) - 4
            skipped += place - self._at
            self._at = place
            if self._begins_document() and (size := self.document_bytes()) and self._is_followed(size):
                return skipped

    def _begins_document(self) -> bool:
        return self.holds(9) and self._bytes.startswith(_FIRST_FIELDS, self._at + 4)

    def _is_followed(self, size: int) -> bool:
        if not self.holds(size + 1):
            return True
        if not self.holds(size + 9):
            return False
        return self._bytes.startswith(_FIRST_FIELDS, self._at + size + 4)


class _Reader:
    """Decodes one document."""

    def __init__(self, raw: bytes, unwanted: frozenset[str]) -> None:
        self._raw = raw
        self._at = 0
        self._unwanted = unwanted
        self._depth = 0

    def document(self) -> dict[str, object]:
        """The document at hand; of equal names the last counts."""
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise ValueError(f"documents within documents, more than {DEPTH_MAX} deep")
        end = self._at + self._size(_INT32.unpack_from(self._raw, self._at)[0], at_least=5) - 1
        self._at += 4
        fields = {}
        while self._at < end:
            kind = self._raw[self._at]
            self._at += 1
            name = self._name()
            if self._depth == 1 and name in self._unwanted:
                self._pass_over(kind)
            else:
                fields[name] = self._value(kind)
        if self._at != end:
            raise ValueError("a field reaches beyond its document")
        self._at += 1
        self._depth -= 1
        return fields

    def _value(self, kind: int) -> object:
        decode = _DECODERS.get(kind)
        if decode is not None:
            return decode(self)
        self._pass_over(kind)
        return None

    def _pass_over(self, kind: int) -> None:
        """Step over a value by its length alone."""
        if kind in _FIXED_BYTES:
            self._at += _FIXED_BYTES[kind]
        elif kind in (0x01, 0x09, 0x12):
            self._at += 8
        elif kind in (0x07, 0x08, 0x10):
            self._at += {0x07: 12, 0x08: 1, 0x10: 4}[kind]
        elif kind in (0x02, 0x0D, 0x0E):
            self._at += 4 + self._length()
        elif kind in (0x03, 0x04, 0x0F):
            self._at += self._length()
        elif kind == 0x05:
            self._at += 5 + self._length()
        elif kind == 0x0B:
            self._name()
            self._name()
        elif kind == 0x0C:
            self._at += 16 + self._length()
        else:
            raise ValueError(f"type 0x{kind:02x}")

    def text(self) -> str:
        size = self._length()
        start, self._at = self._at + 4, self._at + 4 + size
        return clean(self._raw[start : self._at - 1].decode("utf-8", "replace"))

    def array(self) -> list[object]:
        return list(self.document().values())

    def date(self) -> datetime | None:
        try:
            return _EPOCH + timedelta(milliseconds=self._number(_INT64))
        except OverflowError:
            return None

    def double(self) -> float:
        (value,) = _DOUBLE.unpack(self._take(8))
        return float(value)

    def int32(self) -> int:
        return self._number(_INT32)

    def int64(self) -> int:
        return self._number(_INT64)

    def boolean(self) -> bool:
        return self._take(1) != b"\0"

    def object_id(self) -> str:
        return self._take(12).hex()

    def _number(self, layout: struct.Struct) -> int:
        return int(layout.unpack(self._take(layout.size))[0])

    def _take(self, count: int) -> bytes:
        self._at += count
        return self._raw[self._at - count : self._at]

    def _name(self) -> str:
        end = self._raw.index(b"\0", self._at)
        name = self._raw[self._at : end].decode("utf-8", "replace")
        self._at = end + 1
        return name

    def _length(self) -> int:
        """The length that the value at hand begins with, whatever it counts."""
        return self._size(_INT32.unpack_from(self._raw, self._at)[0])

    def _size(self, stated: int, at_least: int = 0) -> int:
        if not at_least <= stated <= len(self._raw) - self._at:
            raise ValueError(f"a length of {stated:,} bytes")
        return stated


_DECODERS: dict[int, Callable[[_Reader], object]] = {
    0x01: _Reader.double,
    0x02: _Reader.text,
    0x03: _Reader.document,
    0x04: _Reader.array,
    0x07: _Reader.object_id,
    0x08: _Reader.boolean,
    0x09: _Reader.date,
    0x10: _Reader.int32,
    0x12: _Reader.int64,
}
