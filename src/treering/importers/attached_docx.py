"""The text of a DOCX file: its paragraphs, headings, lists and tables, then its notes, in the order of the file.

Read by hand with the standard library: a DOCX is a zip of XML, and `python-docx` would bring `lxml` with it for what is
one walk over the elements of three files. Kept out: what was deleted under "track changes", headers, footers, and the
second rendering of text boxes that Word writes for old versions. Document types are refused, and with them every bomb
made of entities.
"""

import io
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from xml.parsers import expat

__all__ = ["NotDocx", "docx_text"]

PART_BYTES_MAX = 64 << 20  # of one XML file, unpacked
PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")

_WORD = re.compile(r"http://(?:schemas\.openxmlformats\.org|purl\.oclc\.org/ooxml)/wordprocessingml/(?:2006/)?main ")
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_HEADING = re.compile(r"(?:heading|berschrift|titre|titolo|encabezado)\s?([1-6])$", re.IGNORECASE)
_BREAKS = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError, KeyError,
)  # fmt: skip


class NotDocx(ValueError):
    """A file that cannot be read as DOCX; the message is the reason that the report shows."""


def docx_text(content: bytes, chars_max: int) -> str:
    """The text, with headings as `#`, list items as `-`, and rows of tables as `a | b`.

    Raises:
        NotDocx: it is damaged, encrypted, or a bomb.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = frozenset(archive.namelist())
            parts = [_part(archive, name) for name in PARTS if name in names]
    except NotDocx:
        raise
    except _BREAKS as error:
        raise NotDocx("DOCX that cannot be read") from error
    if not parts or PARTS[0] not in names:
        raise NotDocx("DOCX that cannot be read")
    return "\n\n".join(text for part in parts if (text := _text(part, chars_max)))


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as file:
        part = file.read(PART_BYTES_MAX + 1)  # what the directory says of its size need not be true
    if len(part) > PART_BYTES_MAX:
        raise NotDocx("DOCX that unpacks to more than any document does")
    return part


def _text(part: bytes, chars_max: int) -> str:
    page = _Page(chars_max)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = page.refuse
    parser.StartElementHandler = page.begin
    parser.EndElementHandler = page.end
    parser.CharacterDataHandler = page.read
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        raise NotDocx("DOCX that cannot be read") from error
    return "\n".join(page.lines).strip()


@dataclass(slots=True)
class _Page:
    """What the elements of one XML file have said so far."""

    chars_max: int
    lines: list[str] = field(default_factory=list)
    _paragraph: list[str] = field(default_factory=list)
    _prefix: str = ""
    _cells: list[list[str]] = field(default_factory=list)  # of the table rows that are open, from the outside in
    _within_text: bool = False
    _hidden: int = 0  # how many elements deep in a fallback
    _length: int = 0

    def refuse(self, *_: object) -> None:
        """A document has no document type; entities are declared in one."""
        raise NotDocx("DOCX that cannot be read")

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Enter an element."""
        if self._hidden or name == _FALLBACK:
            self._hidden += 1
            return
        tag = _WORD.sub("", name)
        if tag == "t":
            self._within_text = True
        elif tag == "p":
            self._prefix = ""
        elif tag == "tab":
            self._paragraph.append("\t")
        elif tag in ("br", "cr"):
            self._paragraph.append("\n")
        elif tag == "noBreakHyphen":
            self._paragraph.append("-")
        elif tag == "pStyle":
            style = next((value for key, value in attributes.items() if key.endswith("val")), "")
            heading = _HEADING.search(style)
            self._prefix = "#" * int(heading[1]) + " " if heading else "# " if style == "Title" else self._prefix
        elif tag == "numPr":
            self._prefix = self._prefix or "- "
        elif tag == "tr":
            self._cells.append([])
        elif tag == "tc" and self._cells:
            self._cells[-1].append("")

    def end(self, name: str) -> None:
        """Leave an element."""
        if self._hidden:
            self._hidden -= 1
            return
        tag = _WORD.sub("", name)
        if tag == "t":
            self._within_text = False
        elif tag == "p":
            text = "".join(self._paragraph).strip()
            self._paragraph.clear()
            self._put(self._prefix + text if text else "")
        elif tag == "tr" and self._cells:
            row = " | ".join(cell.strip() for cell in self._cells.pop())
            self._put(row if row.strip(" |") else "")

    def read(self, text: str) -> None:
        """Take in letters."""
        if self._within_text and not self._hidden:
            self._length += len(text)
            if self._length > self.chars_max:
                raise NotDocx(f"text of more than {self.chars_max:,} characters")
            self._paragraph.append(text)

    def _put(self, line: str) -> None:
        """A line that is whole: into the cell that is open, else onto the page."""
        if self._cells and self._cells[-1]:
            self._cells[-1][-1] = f"{self._cells[-1][-1]} {line}".strip()
        elif line or (self.lines and self.lines[-1]):
            self.lines.append(line)
