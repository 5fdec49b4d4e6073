"""Writes BSON, for tests: the types that a dump of Rocket.Chat has."""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ObjectId(str):
    """Twelve bytes as hexadecimal text."""


def bson(*documents: Mapping[str, object]) -> bytes:
    return b"".join(_document(document) for document in documents)


def _document(fields: Mapping[str, object]) -> bytes:
    body = b"".join(_element(name, value) for name, value in fields.items())
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def _element(name: str, value: object) -> bytes:
    kind, content = _value(value)
    return bytes([kind]) + name.encode() + b"\0" + content


def _value(value: object) -> tuple[int, bytes]:
    match value:
        case ObjectId():
            return 0x07, bytes.fromhex(value)
        case str():
            text = value.encode("utf-8", "surrogatepass")
            return 0x02, struct.pack("<i", len(text) + 1) + text + b"\0"
        case bool():
            return 0x08, bytes([value])
        case int() if -(1 << 31) <= value < 1 << 31:
            return 0x10, struct.pack("<i", value)
        case int():
            return 0x12, struct.pack("<q", value)
        case float():
            return 0x01, struct.pack("<d", value)
        case datetime():
            return 0x09, struct.pack("<q", (value - EPOCH) // timedelta(milliseconds=1))
        case bytes():
            return 0x05, struct.pack("<i", len(value)) + b"\0" + value
        case Mapping():
            return 0x03, _document(value)
        case list():
            return 0x04, _document({str(index): item for index, item in enumerate(value)})
        case None:
            return 0x0A, b""
    raise TypeError(type(value))
