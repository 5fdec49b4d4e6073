"""A stream of JSON documents, one after the other, as tools write pages of answers: whole arrays, objects, or both.

`gh api --paginate` prints `[...][...]`, `jq` prints objects over several lines each. Arrays at the top, and arrays in
them (`--slurp`), give their elements one by one. An object that holds a whole page of answers and does not read is gone
through for the objects in it that do. What lies on lines of its own is read faster by `json_lines`.
"""

from collections.abc import Iterator
from typing import BinaryIO

from treering.errors import UnreadableInput
from treering.importers.json_stream import SEPARATORS, Broken, Window, decoded, element
from treering.importers.tree import FileTree

__all__ = ["json_files", "stream_values"]

END = "\0"  # no document begins with it
ATTEMPTS_MAX = 100  # to read an object within a broken one: as many as containers around the damage, and some more


def json_files(tree: FileTree) -> list[str]:
    """The files that are named as JSON; all files where none is."""
    names = tree.names()
    return [name for name in names if name.lower().endswith((".json", ".jsonl", ".ndjson"))] or names


def stream_values(file: BinaryIO, *, parts: bool = False) -> Iterator[tuple[str, object]]:
    """The values of all documents with their positions ("value 3"); a `Broken` where one does not read.

    A file that ends too soon gives all its whole values and one `Broken` last.

    Args:
        file: the stream, at its beginning.
        parts: whether an object is a page of things that are told by their own fields: then the whole objects in one
            that does not read come before its `Broken`, each as it would have come alone ("value 3, part 1").
    """
    window = Window(file)
    number, depth = 1, 0
    try:
        while (opening := window.skip(SEPARATORS, at_end=END)) != END or not window.ended:
            if opening in "[]":  # an array is entered and left; where it began does not matter to its elements
                depth += 1 if opening == "[" else -1
                window.at += 1
                continue
            text, start = window.text, window.at
            value = element(window)
            if isinstance(value, Broken) and parts:
                yield from _parts(window.text, start if window.text is text else 0, window.at, f"value {number}")
            yield f"value {number}", value
            number += 1
        if depth > 0:
            raise UnreadableInput("the file ends before the array does")
    except UnreadableInput as error:
        if parts:
            yield from _parts(window.text, window.at, len(window.text), f"value {number}")
        yield f"value {number}", Broken(str(error), window.rest())


def _parts(text: str, start: int, stop: int, position: str) -> Iterator[tuple[str, object]]:
    """The outermost objects within a broken one that read."""
    place = text.find("{", start + 1, stop) if text.startswith("{", start) else -1
    number = attempts = 0
    while place >= 0 and attempts < ATTEMPTS_MAX:
        value, end = decoded(text, place)
        if isinstance(value, Broken) or end > stop:
            attempts, end = attempts + 1, place + 1
        else:
            number += 1
            yield f"{position}, part {number}", value
        place = text.find("{", end, stop)
