"""Tables of documents: JSON lines with a version each, `id, doc, version, dated, author, title, kind, text`.

`id` names the version and `doc` the document that versions share. Optional are `supersedes, retired_at, tags, refs`,
`url`; the place it is kept in as `channel, space, folder` or `org` (the first that is there; else the first part of
`doc`); and who may read it as `visibility` and `members`, which mean what `channel_kind` and `members` mean in a table
of messages. Other fields (`licence`) are left alone. What a row means is decided in `document_rows`. Follows FORMATS
section 14.
"""

from collections.abc import Iterator
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.document_rows import DocumentRows
from treering.importers.json_lines import json_rows
from treering.importers.json_stream import Broken
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["DocumentsJsonl"]

HEAD_BYTES = 1 << 10
FILES_TRIED = 20  # files that may hold something else before a tree counts as no tables of documents
ROWS_TRIED = 20  # rows that may be broken before a file counts as no table of documents

_MARKS = frozenset({"doc", "dated", "text"})
_MARKS_OF_A_MESSAGE = frozenset({"sent_at", "channel"})  # a row that has both is a message that says more


class DocumentsJsonl:
    """Versions of documents as JSON lines, or as one JSON array of objects."""

    name = "documents-jsonl"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first rows has the fields of a document."""
        return any(_holds_documents(tree, name) for name in _files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: a table does not say which organization it is of; `--source` does."""
        return "documents"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every row of the files that hold documents, then what rows say of other documents than their own."""
        files = _files(tree)
        files = [name for name in files if _holds_documents(tree, name)] or files  # damage is to be shown, row by row
        rows = DocumentRows(options.visibility)
        for name in tree.names():
            if name in files:
                yield from _drafted(tree, name, rows)
            else:
                yield Drafted(name, Skipped("not a table of documents", name))
        yield from rows.supersessions()


def _drafted(tree: FileTree, name: str, rows: DocumentRows) -> Iterator[Drafted]:
    position = "the beginning"
    try:
        with tree.open(name) as file:
            for position, row in json_rows(file, _head(tree, name)):
                if isinstance(row, Broken):
                    yield kept_aside(name, position, row.reason, row)
                    continue
                try:
                    for draft in rows.drafts(row, name):
                        yield Drafted(name, draft)
                except FieldError as error:
                    yield kept_aside(name, position, str(error), row)
    except UnreadableInput as error:
        yield kept_aside(name, f"after {position}", str(error))


def _holds_documents(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            rows = json_rows(file, _head(tree, name))
            return any(
                isinstance(row, dict) and row.keys() >= _MARKS and not row.keys() >= _MARKS_OF_A_MESSAGE
                for _, row in islice(rows, ROWS_TRIED)
            )
    except UnreadableInput:
        return False


def _head(tree: FileTree, name: str) -> bytes:
    with tree.open(name) as file:
        return file.read(HEAD_BYTES)


def _files(tree: FileTree) -> list[str]:
    names = tree.names()
    return [name for name in names if name.lower().endswith((".jsonl", ".ndjson", ".json"))] or names
