"""JSON lines as people really write them: one value a line, with blank lines, commas after it, or several on one line.

A file that begins with a bracket is one JSON array, read by `json_stream`; one in which the first brace has a line to
itself is a row of objects over several lines each, read by `json_values`. What a row means is not decided here.
"""

import io
import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from typing import BinaryIO

from treering.importers.json_stream import RAW_CHARS_MAX, Broken, sanitized, stream_items
from treering.importers.json_values import stream_values

__all__ = ["json_rows"]

LINE_BYTES_MAX = 64 << 20  # one message; a longer line is given up and the next one read

_decoder = json.JSONDecoder(strict=False)  # control characters within strings are common, and harmless
_BETWEEN = re.compile(r"[\s,]*")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def json_rows(file: BinaryIO, head: bytes) -> Iterator[tuple[str, object]]:
    """The values of a file with their positions ("line 12"); a `Broken` where one does not read.

    Args:
        file: the stream, at its beginning.
        head: some of its first bytes, read before from another stream.
    """
    start = head.removeprefix(BOM_UTF8).lstrip()
    if start[:1] == b"[":
        for index, value in stream_items(file):
            yield f"element {index + 1}", value
    elif start.startswith((b"{\n", b"{\r\n")):
        yield from stream_values(file)
    elif head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        for number, text in enumerate(io.TextIOWrapper(file, "utf-16", "replace", newline="\n"), start=1):
            for value in _values(text):
                yield f"line {number}", value
    else:
        yield from _rows_of_lines(file)


def _rows_of_lines(file: BinaryIO) -> Iterator[tuple[str, object]]:
    number = 0
    while line := file.readline(LINE_BYTES_MAX):
        number += 1
        if len(line) == LINE_BYTES_MAX and not line.endswith(b"\n"):
            yield f"line {number}", Broken(f"longer than {LINE_BYTES_MAX:,} bytes", _shown(line))
            while line and not line.endswith(b"\n"):
                line = file.readline(LINE_BYTES_MAX)
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            yield f"line {number}", Broken("not UTF-8", _shown(line))
            continue
        for value in _values(text):
            yield f"line {number}", value


def _values(text: str) -> Iterator[object]:
    """The JSON values on one line; most lines hold one, blank ones none."""
    text = text.strip()
    if not text:
        return
    try:
        value = _decoder.decode(text)
    except (ValueError, RecursionError):
        yield from _values_one_by_one(text)
        return
    yield sanitized(value) if _SURROGATE_ESCAPE.search(text) else value


def _values_one_by_one(text: str) -> Iterator[object]:
    place = 0
    while place < len(text):
        try:
            value, end = _decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            yield Broken(f"not JSON: {getattr(error, 'msg', error)}", text[place : place + RAW_CHARS_MAX])
            return
        yield sanitized(value)
        between = _BETWEEN.match(text, end)
        assert between is not None  # it matches the empty string
        place = between.end()


def _shown(line: bytes) -> str:
    return line[:RAW_CHARS_MAX].decode("utf-8", "replace")
