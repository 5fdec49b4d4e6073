"""A stream of JSON documents, one after the other, as tools write pages of answers: whole arrays, objects, or both.

`gh api --paginate` prints `[...][...]`, `jq` prints objects over several lines each. Arrays at the top, and arrays in
them (`--slurp`), give their elements one by one. What lies on lines of its own is read faster by `json_lines`.
"""

from collections.abc import Iterator
from typing import BinaryIO

from treering.errors import UnreadableInput
from treering.importers.json_stream import SEPARATORS, Broken, Window, element
from treering.importers.tree import FileTree

__all__ = ["json_files", "stream_values"]

END = "\0"  # no document begins with it


def json_files(tree: FileTree) -> list[str]:
    """The files that are named as JSON; all files where none is."""
    names = tree.names()
    return [name for name in names if name.lower().endswith((".json", ".jsonl", ".ndjson"))] or names


def stream_values(file: BinaryIO) -> Iterator[tuple[str, object]]:
    """The values of all documents with their positions ("value 3"); a `Broken` where one does not read.

    A file that ends too soon gives all its whole values and one `Broken` last.
    """
    window = Window(file)
    number, depth = 1, 0
    try:
        while (opening := window.skip(SEPARATORS, at_end=END)) != END or not window.ended:
            if opening in "[]":  # an array is entered and left; where it began does not matter to its elements
                depth += 1 if opening == "[" else -1
                window.at += 1
                continue
            yield f"value {number}", element(window)
            number += 1
        if depth > 0:
            raise UnreadableInput("the file ends before the array does")
    except UnreadableInput as error:
        yield f"value {number}", Broken(str(error), window.rest())
