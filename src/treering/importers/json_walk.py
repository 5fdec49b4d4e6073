"""Walks a JSON document in constant memory, into the containers that the caller names; all else is decoded whole.

For documents whose long array lies within objects, or is described by keys beside it. One long array alone is read by
`json_stream`, whose way of going on after damage this shares.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, cast

from treering.errors import UnreadableInput
from treering.importers.json_stream import SEPARATORS, SPACE, Broken, Window, element

__all__ = ["Path", "walk", "with_odd_escapes"]

Path = tuple[str | int, ...]

_ODD_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|.)", re.DOTALL)


def walk(file: BinaryIO, enters: Callable[[Path], bool]) -> Iterator[tuple[Path, object]]:
    """The values of a document with their paths, in order; a `Broken` where one does not read.

    Args:
        file: the stream, at its beginning.
        enters: whether to go into the object or array at a path, () being the document itself; what is not entered is
            given as one value.

    A file that ends too soon, or breaks while it is read, gives all its whole values and one `Broken` last, at the path
    of the container that was being read.
    """
    window = Window(file)
    place: list[Path] = [()]
    try:
        yield from _values(window, (), enters, place)
    except UnreadableInput as error:
        yield place[0], Broken(str(error), window.rest())


def with_odd_escapes(file: BinaryIO) -> BinaryIO:
    r"""The stream with `\x0B` within strings written as JSON does, `\u000B`; Telegram Desktop writes the former.

    >>> from io import BytesIO
    >>> with_odd_escapes(BytesIO(rb'["bell \x07", "C:\\x07"]')).read(99)
    b'["bell \\u0007", "C:\\\\x07"]'
    """
    return cast(BinaryIO, _OddEscapes(file))


def _values(
    window: Window, path: Path, enters: Callable[[Path], bool], place: list[Path]
) -> Iterator[tuple[Path, object]]:
    opening = window.skip(SPACE)
    if opening not in "[{" or not enters(path):
        yield path, element(window)
        return
    window.at += 1
    index = 0
    while window.skip(SEPARATORS) not in "]}":
        place[0] = path
        key: object = index
        if opening == "{":
            key = element(window)
            if window.skip(SPACE) != ":" or not isinstance(key, str):
                raise UnreadableInput("a key of an object has no value")
            window.at += 1
        yield from _values(window, (*path, cast(str | int, key)), enters, place)
        place[0] = path
        index += 1
    window.at += 1


class _OddEscapes:
    """Reads ahead by the few bytes that an escape may lack at the end of a chunk."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held = b""

    def read(self, size: int = -1) -> bytes:
        while True:
            chunk = self._file.read(size)
            text = self._held + chunk
            cut = len(text) - (_unfinished(text) if chunk else 0)
            text, self._held = text[:cut], text[cut:]
            if text or not chunk:
                return _ODD_ESCAPE.sub(_as_json, text) if b"\\x" in text else text


def _unfinished(text: bytes) -> int:
    """How many bytes at the end may be the beginning of an escape: a backslash that none before it takes away."""
    for ending in (text, text[:-1] if text[-1:] == b"x" else b"", text[:-2] if text[-2:-1] == b"x" else b""):
        if (len(ending) - len(ending.rstrip(b"\\"))) % 2:
            return len(text) - len(ending) + 1
    return 0


def _as_json(match: re.Match[bytes]) -> bytes:
    return rb"\u00" + match[1] if match[1] else match[0]
