"""Tables of messages: JSON lines and CSV in the schema of the benchmarks, the way in for whatever has no importer.

A row is `id, sent_at, author, channel, thread, reply_to, refs, mentions, text` and optionally `channel_kind, members,
title, order_hint, edited_at, deleted_at, tags, links, kind, attachments`; other fields are left alone. Rows without an
id, a time, a channel or a text field are quarantined with their line. Times without a zone are UTC (`moments`), unless
the operator names their zone or the order of their days and months. Tables of documents are not read here. Follows
FORMATS section 14.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import BinaryIO

from treering.errors import UnreadableInput
from treering.importers.csv_rows import csv_header, csv_rows
from treering.importers.json_lines import json_rows
from treering.importers.json_stream import Broken
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.table_fields import REQUIRED, Fields
from treering.importers.table_rows import RowReader
from treering.importers.tree import FileTree
from treering.importers.written_dates import WrittenDates
from treering.model.drafts import Drafted, Skipped

__all__ = ["CsvTable", "JsonLines"]

HEAD_BYTES = 1 << 16
FILES_TRIED = 20  # files that may hold something else before a tree counts as no tables of messages
ROWS_TRIED = 20  # rows that may be broken before a file counts as no table of messages

Rows = Iterator[tuple[str, object]]


class JsonLines:
    """Messages as JSON lines, or as one JSON array of objects."""

    name = "jsonl"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first rows has the fields of a message."""
        return any(self._holds_messages(tree, name) for name in self._files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: a table does not say which organization it is of; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every row of the tree's `.jsonl`, `.ndjson` and `.json` files; if there are none, of all its files."""
        fields = Fields(options.fields)
        return _extract(tree, options, self._files(tree), lambda file, head: _picked(json_rows(file, head), fields))

    def _files(self, tree: FileTree) -> list[str]:
        return _ending(tree, ".jsonl", ".ndjson", ".json")

    def _holds_messages(self, tree: FileTree, name: str) -> bool:
        try:
            with tree.open(name) as file:
                rows = json_rows(file, _head(tree, name))
                return any(isinstance(row, dict) and row.keys() >= set(REQUIRED) for _, row in islice(rows, ROWS_TRIED))
        except UnreadableInput:
            return False


class CsvTable:
    """Messages as CSV, with any of the usual delimiters and encodings."""

    name = "csv"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether the header names the fields of a message."""
        return any(self._holds_messages(tree, name) for name in self._files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: a table does not say which organization it is of; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every row of the tree's `.csv` and `.tsv` files; if there are none, of all its files."""
        fields = Fields(options.fields)
        return _extract(tree, options, self._files(tree), lambda file, head: csv_rows(file, head, fields))

    def _files(self, tree: FileTree) -> list[str]:
        return _ending(tree, ".csv", ".tsv")

    def _holds_messages(self, tree: FileTree, name: str) -> bool:
        try:
            return csv_header(_head(tree, name), Fields({})) >= set(REQUIRED)
        except UnreadableInput:
            return False


def _extract(
    tree: FileTree, options: ImportOptions, files: list[str], rows_of: Callable[[BinaryIO, bytes], Rows]
) -> Iterator[Drafted]:
    for name in tree.names():
        if name not in files:
            yield Drafted(name, Skipped("not a table of messages", name))
            continue
        is_told = options.zone or options.date_order
        dates = WrittenDates(options.zone, options.date_order) if is_told else None
        reader = RowReader(options.visibility, dates)
        position = "the beginning"
        try:
            with tree.open(name) as file:
                for position, row in rows_of(file, _head(tree, name)):
                    yield from _drafted(name, position, row, reader)
        except UnreadableInput as error:
            yield kept_aside(name, f"after {position}", str(error))
        if reader.has_assumed:
            yield Drafted(name, Skipped(UTC_ASSUMED))


def _drafted(name: str, position: str, row: object, reader: RowReader) -> Iterator[Drafted]:
    if isinstance(row, Broken):
        yield kept_aside(name, position, row.reason, row)
    elif not isinstance(row, Mapping):
        yield kept_aside(name, position, "not an object", row)
    else:
        try:
            for draft in reader.drafts(row):
                yield Drafted(name, draft)
        except FieldError as error:
            yield kept_aside(name, position, str(error), row)


def _picked(rows: Rows, fields: Fields) -> Rows:
    return ((position, fields.pick(row) if isinstance(row, dict) else row) for position, row in rows)


def _head(tree: FileTree, name: str) -> bytes:
    with tree.open(name) as file:
        return file.read(HEAD_BYTES)


def _ending(tree: FileTree, *endings: str) -> list[str]:
    names = tree.names()
    return [name for name in names if name.lower().endswith(endings)] or names
