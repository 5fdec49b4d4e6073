"""CSV files as spreadsheets and databases write them, as rows of our own fields.

Encoding, delimiter and header are found out; a row that cannot be read is a `Broken` and the next one is read. Excel's
habits are undone: a first line `sep=;`, and ids wrapped as `="001"`. What a row means is not decided here.
"""

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from treering.importers.json_stream import Broken
from treering.importers.table_fields import LISTS, Fields

__all__ = ["Columns", "csv_cells", "csv_columns", "csv_header", "csv_rows"]

CELL_CHARS_MAX = 4 << 20  # a longer cell means a quote that was never closed
DELIMITERS = ",;\t|"

_SEP = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_EXCEL_TEXT = re.compile(r'^="(.*)"$', re.DOTALL)
_NOT_UTF8 = re.compile("[\udc80-\udcff]")

Columns = list[tuple[str, list[int]]]  # a field, and the places of its columns: headers may repeat
ColumnsOf = Callable[[list[str]], Columns]  # which of its fields a reader finds in a header


def csv_header(head: bytes, fields: Fields) -> set[str]:
    """Which of our fields the header of a file names."""
    return csv_columns(head, fields.columns)


def csv_columns(head: bytes, columns_of: ColumnsOf) -> set[str]:
    """Which of a reader's fields the header of a file names."""
    lines = io.TextIOWrapper(io.BytesIO(head), _encoding(head), "replace", newline="")
    return {field for field, _ in _dialect(_Lines(lines), columns_of)[1]}


def csv_rows(file: BinaryIO, head: bytes, fields: Fields) -> Iterator[tuple[str, Mapping[str, object] | Broken]]:
    """The rows of a file as our fields with their positions ("line 12", where the row begins).

    A field is absent where its column is; an empty cell is None. Columns of the same name are joined in fields that are
    lists, and in others the first that is not empty counts.
    """
    for position, row in csv_cells(file, head, fields.columns):
        yield position, row if isinstance(row, Broken) else {field: _joined(field, row[field]) for field in row}


def csv_cells(
    file: BinaryIO, head: bytes, columns_of: ColumnsOf
) -> Iterator[tuple[str, Mapping[str, list[str]] | Broken]]:
    """The rows of a file as the cells of each field, in the order of its columns, with positions ("line 12")."""
    csv.field_size_limit(CELL_CHARS_MAX)
    encoding = _encoding(head)
    errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"  # the escapes tell which lines are not UTF-8
    lines = _Lines(io.TextIOWrapper(file, encoding, errors, newline=""))
    delimiter, columns, width = _dialect(lines, columns_of)
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        first = lines.begin_row()
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield f"line {first}", Broken(f"not CSV: {error}", lines.give_up_first())
            continue
        if any(cells[width:]):
            yield f"line {first}", Broken(f"{len(cells)} cells under {width} headers", delimiter.join(cells))
        elif any(cells):
            yield f"line {first}", _cells(cells, columns)


class _Lines:
    """Lines of text, counted, without NULs; a line that is not UTF-8 is read as Windows-1252, as Excel writes it."""

    def __init__(self, file: io.TextIOWrapper) -> None:
        self.number = 0
        self._file = file
        self._row: list[str] = []  # the lines of the row at hand
        self._again: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else self._read()
        self.number += 1
        self._row.append(line)
        return line

    def begin_row(self) -> int:
        """Start a row; the number of its first line."""
        self._row.clear()
        return self.number + 1

    def give_up_first(self) -> str:
        """Of a row that broke, give up the first line alone, and return it: an open quote swallows what follows."""
        first, *others = self._row
        self._again.extendleft(reversed(others))
        self.number -= len(others)
        return first

    def _read(self) -> str:
        line = next(self._file).replace("\0", "")
        if _NOT_UTF8.search(line):
            line = line.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
        return line


def _dialect(lines: _Lines, columns_of: ColumnsOf) -> tuple[str, Columns, int]:
    """Read up to the header: the delimiter, the columns of fields, and how many columns there are.

    The delimiter is the one under which the header names most fields. `csv.Sniffer` was tried; it takes letters.
    """
    line = next((line for line in lines if line.strip()), "")
    stated = _SEP.fullmatch(line)
    if stated:
        line = next(lines, "")
    best: tuple[str, Columns, int] = (",", [], 0)
    for delimiter in stated[1] if stated else DELIMITERS:
        try:
            header = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            continue
        columns = columns_of(header)
        if (len(columns), len(header)) > (len(best[1]), best[2]):
            best = delimiter, columns, len(header)
    return best


def _encoding(head: bytes) -> str:
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:512]
    for encoding, half in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if half.count(0) * 2 > len(half):  # Latin text in UTF-16 is half zeros; stray NULs are few
            return encoding
    return "utf-8-sig"


def _cells(cells: list[str], columns: Columns) -> dict[str, list[str]]:
    found = (
        (field, [_EXCEL_TEXT.sub(r"\1", cells[at]) for at in places if at < len(cells)]) for field, places in columns
    )
    return {field: texts for field, texts in found if texts}


def _joined(field: str, cells: list[str]) -> object:
    """What the cells of a field say: all of them in fields that are lists, else the first that is not empty."""
    full = [cell for cell in cells if cell.strip()]
    return full if field in LISTS and len(full) > 1 else next(iter(full), None)
