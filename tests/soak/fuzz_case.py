"""What an input to be damaged is, and how its records are written: five of them, each with a word to know it by."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from treering.importers.protocol import Importer

__all__ = ["OBJECTS", "WORDS", "Case", "encoded", "lines", "row_per_line", "rows"]

WORDS = tuple(f"word{number}word" for number in range(5))
OBJECTS = b"}, {"


@dataclass(frozen=True, slots=True)
class Case:
    """One input: files beside each other, of which one is damaged."""

    importer: Importer
    name: str
    content: bytes
    beside: dict[str, bytes] = field(default_factory=dict)
    separator: bytes = b""  # parts records that stand one after the other
    resumes: bool = False  # at the next separator, whatever stood before it
    place: Callable[[Path, bytes], None] | None = None  # makes the input of the content; None: it is written
    needs: str = ""  # a module or program that may not be there

    @property
    def is_readable(self) -> bool:
        """Whether all is there that it takes to read this input."""
        return not self.needs or find_spec(self.needs) is not None or shutil.which(self.needs) is not None

    def write(self, folder: Path, content: bytes) -> None:
        """Put the content where it is read."""
        if self.place is None:
            (folder / self.name).write_bytes(content)
        else:
            self.place(folder, content)


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


def rows(make: Callable[[int, str], object]) -> list[object]:
    return [make(number, word) for number, word in enumerate(WORDS)]


def lines(make: Callable[[int, str], str]) -> bytes:
    return "".join(make(number, word) + "\n" for number, word in enumerate(WORDS)).encode()


def row_per_line(make: Callable[[int, str], object]) -> bytes:
    return b"".join(encoded(make(number, word)) + b"\n" for number, word in enumerate(WORDS))
