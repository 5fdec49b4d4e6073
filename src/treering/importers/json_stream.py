"""Reads the elements of a long JSON array one at a time, in constant memory, and goes on wherever one can go on.

The standard decoder, fed piece by piece. `ijson` was tried: no faster here, and it gives up the rest of a file at the
first NaN, byte order mark, lone surrogate or bad escape, all of which exports contain. JSON lines are not read here.
"""

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from treering.errors import UnreadableInput

__all__ = ["SEPARATORS", "SPACE", "Broken", "Window", "decoded", "element", "sanitized", "stream_items"]

CHUNK_BYTES = 1 << 18
ELEMENT_CHARS_MAX = 64 << 20  # a file that holds a longer element is given up at that place
RAW_CHARS_MAX = 2_000  # of a broken element, kept to be shown

# Not strict: control characters stand within strings. NaN and Infinity become null, which everybody has to expect.
_decode = json.JSONDecoder(strict=False, parse_constant=lambda _: None).raw_decode
SPACE = re.compile(r"\s*")
SEPARATORS = re.compile(r"[\s,]*")
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[\]{}]', re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\]++|\\.)*+"|[^\s,\[\]{}"]+|.', re.DOTALL)
_ODD_ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Broken:
    """Stands in the place of an element that does not read."""

    reason: str
    raw: str = ""  # its beginning, as found


def sanitized(value: object) -> object:
    """The value without NUL in its strings, and with U+FFFD for lone surrogates: what every database can store."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value).replace("\0", "")
    if isinstance(value, list):
        return [sanitized(item) for item in value]
    if isinstance(value, dict):
        return {sanitized(key): sanitized(item) for key, item in value.items()}
    return value


def stream_items(file: BinaryIO, key: str | None = None) -> Iterator[tuple[int, object]]:
    """The elements of a JSON array with their places, counted from 0; a `Broken` where one does not read.

    The array is the whole document or, given `key`, the value of that key in the object that is the document. A file
    that ends too soon, or breaks while it is read, gives all its whole elements and one `Broken` last.
    """
    window = Window(file)
    index = 0
    try:
        if not _enter(window, key):
            return
        while window.skip(SEPARATORS) != "]":
            yield index, element(window)
            index += 1
        window.at += 1
        if key is None and window.skip(SPACE, at_end="]") != "]":
            raise UnreadableInput("there is more text after the end of the array")
    except UnreadableInput as error:
        yield index, Broken(str(error), window.rest())


def _enter(window: "Window", key: str | None) -> bool:
    """Move behind the bracket that opens the array; False if the object has no such array."""
    if window.skip(SPACE) != ("[" if key is None else "{"):
        raise UnreadableInput(f"the document is not a JSON {'array' if key is None else 'object'}")
    window.at += 1
    while key is not None:
        if window.skip(SEPARATORS) == "}":
            return False
        found = element(window)
        if window.skip(SPACE) != ":":
            raise UnreadableInput("a key of the object has no value")
        window.at += 1
        if window.skip(SPACE) == "[" and found == key:
            window.at += 1
            return True
        element(window)
    return True


def element(window: "Window") -> object:
    """Decode the element at hand and move behind it."""
    while True:
        start = window.at
        value, end = decoded(window.text, start)
        if isinstance(value, Broken):
            end = _end_of(window.text, start)
            if end:
                window.at = end
                return Broken(value.reason, window.text[start : min(end, start + RAW_CHARS_MAX)])
            window.more()
            continue
        if isinstance(value, int | float) and len(window.text) - end < 3 and not window.ended:
            window.more()  # the number may go on: ".5", "e-5"
            continue
        window.at = end
        return value


def decoded(text: str, start: int) -> tuple[object, int]:
    """The value that begins there, fit to be stored, and where it ends; a `Broken` if none does."""
    try:
        value, end = _decode(text, start)
    except (ValueError, RecursionError) as error:
        return Broken(f"not JSON: {getattr(error, 'msg', error)}"), start
    return sanitized(value) if _ODD_ESCAPE.search(text, start, end) else value, end


def _end_of(text: str, start: int) -> int:
    """Where the element that starts there ends, by its brackets and quotes alone; 0 if not within the text."""
    if text[start] not in "[{":
        scalar = _SCALAR.match(text, start)
        return scalar.end() if scalar and scalar.end() < len(text) and scalar[0] != '"' else 0
    depth = 0
    for match in _BRACKET.finditer(text, start):
        if match[0] == '"':  # a string that does not end
            return 0
        depth += 1 if match[0] in "[{" else -1 if match[0] in "]}" else 0
        if depth == 0:
            return match.end()
    return 0


class Window:
    """The part of a text file that is being looked at: `text` from `at` on is still to be read."""

    def __init__(self, file: BinaryIO) -> None:
        self.text = ""
        self.at = 0
        self.ended = False
        self._file = file
        self._decoder = getincrementaldecoder("utf-8-sig")(errors="replace")

    def more(self) -> None:
        """Let the window grow, by as much as is in it: so that long elements cost no more than twice their length."""
        if self.ended:
            raise UnreadableInput("the file ends before the array does")
        left = len(self.text) - self.at
        if left > ELEMENT_CHARS_MAX:
            raise UnreadableInput(f"an element is longer than {ELEMENT_CHARS_MAX:,} characters")
        chunk = self._file.read(max(CHUNK_BYTES, left))
        self.ended = not chunk
        self.text = self.text[self.at :] + self._decoder.decode(chunk, final=self.ended)
        self.at = 0

    def skip(self, pattern: re.Pattern[str], at_end: str = "") -> str:
        """Move behind what the pattern matches, and return the character there; `at_end`, if given, at the end."""
        while True:
            match = pattern.match(self.text, self.at)
            assert match is not None  # the patterns match the empty string
            self.at = match.end()
            if self.at < len(self.text):
                return self.text[self.at]
            if self.ended and at_end:
                return at_end
            self.more()

    def rest(self) -> str:
        """The beginning of what was not read."""
        return self.text[self.at : self.at + RAW_CHARS_MAX]
