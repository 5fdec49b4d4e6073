"""The objects of Confluence's XML exports (`entities.xml`), one at a time, in constant memory.

The file is one list of objects: each is cut out by its tags, outside of CDATA, and parsed by itself, so that damage
costs what it touches. Also here: the zone that the descriptor beside it names. What objects mean is decided in
`confluence_catalog`. Follows FORMATS section 14.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final
from xml.parsers import expat

from treering.errors import UnreadableInput, UsageError
from treering.importers.json_stream import Broken
from treering.importers.local_times import LocalTimes
from treering.importers.tree import FileTree

__all__ = ["Entity", "entities_in", "is_entities", "stated_zone"]

CHUNK_BYTES = 1 << 20
OBJECT_BYTES_MAX = 64 << 20  # of one object; pages stay below 5 MB
DESCRIPTOR_BYTES_MAX = 1 << 16
RAW_CHARS_MAX = 2_000

_START: Final = re.compile(rb"<object[\s>]")
_ZONE: Final = re.compile(rb"^timezoneId=(.+?)\s*$", re.MULTILINE)
_REFERENCE: Final = re.compile(r"&#(x?)([0-9A-Fa-f]+);")
_NO_XML: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(slots=True)
class Entity:
    """One object: its properties as texts, references to other objects by their ids, and lists of those."""

    kind: str = ""
    id: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)


def is_entities(head: bytes) -> bool:
    """Whether a file that begins so is a list of Confluence's objects."""
    return b"<hibernate-generic" in head


def entities_in(file: BinaryIO) -> Iterator[tuple[int, Entity | Broken]]:
    """The objects of a file with their places, counted from 1; a `Broken` where one does not read."""
    number = 0
    try:
        for number, raw in enumerate(_objects(file), start=1):
            yield number, _parsed(raw)
    except UnreadableInput as error:
        yield number + 1, Broken(str(error))


def stated_zone(tree: FileTree) -> str | None:
    """The zone that the export says its times are of, if it is one that has a name."""
    for name in tree.names():
        if name.rpartition("/")[2] == "exportDescriptor.properties":
            try:
                with tree.open(name) as file:
                    found = _ZONE.search(file.read(DESCRIPTOR_BYTES_MAX))
                zone = found[1].decode("ascii", "replace").replace("\\", "") if found else None
                LocalTimes(zone)
            except (UnreadableInput, UsageError):
                return None
            return zone
    return None


def _objects(file: BinaryIO) -> Iterator[bytes]:
    held = b""
    while chunk := file.read(CHUNK_BYTES):
        held += chunk
        while found := _START.search(held):
            stop = _end_of(held, found.end())
            if not stop:
                held = held[found.start() :]
                break
            yield held[found.start() : stop]
            held = held[stop:]
        else:
            held = held[-len(b"<object ") :]
        if len(held) > OBJECT_BYTES_MAX:
            raise UnreadableInput(f"an object is longer than {OBJECT_BYTES_MAX:,} bytes")
    if _START.match(held):
        yield held


def _end_of(held: bytes, place: int) -> int:
    """Where the object ends that has begun before `place`; 0 if not within what is held."""
    while True:
        stop, text = held.find(b"</object>", place), held.find(b"<![CDATA[", place)
        if stop >= 0 and (text < 0 or stop < text):
            return stop + len(b"</object>")
        place = held.find(b"]]>", text) if text >= 0 else -1
        if place < 0:
            return 0


def _parsed(raw: bytes) -> Entity | Broken:
    text = _REFERENCE.sub(_if_xml, _NO_XML.sub("", raw.decode("utf-8", "replace")))
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.read
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        return Broken(f"not XML: {error}", text[:RAW_CHARS_MAX])
    return reader.entity


def _if_xml(found: re.Match[str]) -> str:
    """A reference to a character, unless XML has none such: a page may contain what its export then chokes on."""
    try:
        character = chr(int(found[2], 16 if found[1] else 10))
    except (ValueError, OverflowError):
        return ""
    return "" if _NO_XML.match(character) or "\ud800" <= character <= "\udfff" else found[0]


class _Reader:
    """What the elements of one object have said so far."""

    def __init__(self) -> None:
        self.entity = Entity()
        self._name = ""  # of the property or list that is open
        self._depth = 0
        self._in_id = False
        self._is_list = False
        self._text: list[str] = []

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """Enter an element."""
        self._depth += 1
        if tag == "object" and self._depth == 1:
            self.entity.kind = attributes.get("class", "")
        elif tag in ("property", "collection") and self._depth == 2:
            self._name, self._is_list = attributes.get("name", ""), tag == "collection"
        self._in_id = tag == "id"
        self._text.clear()

    def end(self, tag: str) -> None:
        """Leave an element."""
        text = "".join(self._text)
        self._text.clear()
        if self._in_id:
            self._identify(text.strip())
        elif tag == "property" and self._depth == 2 and self._name not in self.entity.refs:
            self.entity.texts[self._name] = text
        if self._depth == 2:
            self._name = ""
        self._in_id = False
        self._depth -= 1

    def read(self, text: str) -> None:
        """Take in letters."""
        self._text.append(text)

    def _identify(self, id_: str) -> None:
        if not self._name:
            self.entity.id = self.entity.id or id_
        elif self._is_list:
            self.entity.lists.setdefault(self._name, []).append(id_)
        else:
            self.entity.refs[self._name] = id_
