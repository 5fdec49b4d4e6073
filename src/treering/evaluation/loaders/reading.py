"""Files of benchmarks as values: JSON, JSON lines and long JSON arrays, plain or gzipped, narrowed at the door.

What is missing or has another shape is an `UnreadableInput` that says where the data come from and how they must lie.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from treering.errors import UnreadableInput

__all__ = ["as_object", "existing", "json_file", "json_items", "json_lines", "missing", "objects", "strings", "word"]

CHUNK_CHARACTERS = 1 << 20
_DAMAGE = (OSError, EOFError, zlib.error, UnicodeDecodeError)


def missing(benchmark: str, folder: Path, wanted: str, layout: str, origin: str) -> UnreadableInput:
    """The error of a benchmark whose data are not at hand."""
    return UnreadableInput(
        f"{folder} does not hold {benchmark}: {wanted} is not there.\nExpected: {layout}\nThe data come from {origin}"
    )


def existing(folder: Path, *names: str) -> Path | None:
    """The first of the names that is a file in the folder, plain or gzipped."""
    paths = (folder / f"{name}{ending}" for name in names for ending in ("", ".gz"))
    return next((path for path in paths if path.is_file()), None)


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig") as file
        ):
            yield file
    except _DAMAGE as error:
        raise UnreadableInput(f"{path} cannot be read: {error}") from error


def json_file(path: Path) -> object:
    """The one value of a JSON file."""
    with _opened(path) as file:
        return _decoded(file.read(), str(path))


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """The objects of a JSONL file, each with its place: "questions.jsonl, line 3"."""
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                where = f"{path.name}, line {number}"
                yield where, as_object(_decoded(line, where), where)


def json_items(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """The objects of a JSON array, each with its place, read in pieces: some files are larger than memory."""
    decoder = json.JSONDecoder()
    with _opened(path) as file:
        text = file.read(CHUNK_CHARACTERS).lstrip()
        if not text.startswith("["):
            raise UnreadableInput(f"{path} is no JSON array; it begins with {text[:20]!r}")
        place, number = 1, 0
        while True:
            while place < len(text) and text[place] in " \t\r\n,":
                place += 1
            if text[place : place + 1] == "]":
                return
            try:
                value, end = decoder.raw_decode(text, place)
            except json.JSONDecodeError as error:
                more = file.read(max(CHUNK_CHARACTERS, len(text) - place))
                if not more:
                    raise UnreadableInput(f"{path}, item {number + 1}: {error}") from error
                text, place = text[place:] + more, 0
                continue
            place, number = end, number + 1
            where = f"{path.name}, item {number}"
            yield where, as_object(value, where)


def as_object(value: object, where: str, *fields: str) -> dict[str, object]:
    """The value as an object that has the fields.

    Raises:
        UnreadableInput: it is none, or a field is missing; the message says where and which.
    """
    if not isinstance(value, dict):
        raise UnreadableInput(f"{where}: an object is expected, not {type(value).__name__}")
    absent = [name for name in fields if name not in value]
    if absent:
        raise UnreadableInput(f"{where}: no field {', '.join(absent)}; there are {', '.join(map(str, value))}")
    return value


def objects(row: dict[str, object], field: str, where: str, *fields: str) -> list[dict[str, object]]:
    """The list of objects in a field; none where the field is absent or null."""
    value = row.get(field) or []
    if not isinstance(value, list):
        raise UnreadableInput(f"{where}: {field} is no list")
    return [as_object(item, f"{where}, {field} {number}", *fields) for number, item in enumerate(value)]


def strings(row: dict[str, object], field: str, where: str) -> list[str]:
    """The ids or words in a field, as strings; none where the field is absent or null."""
    value = row.get(field) or []
    if not isinstance(value, list) or any(isinstance(item, dict | list) or item is None for item in value):
        raise UnreadableInput(f"{where}: {field} is no list of ids")
    return [str(item) for item in value]


def word(row: dict[str, object], field: str) -> str | None:
    """The text or number in a field as a string; None where there is none."""
    value = row.get(field)
    return None if value is None or value == "" else str(value)


def _decoded(text: str, where: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"{where} is not JSON: {error}") from error
