"""What a row of a table of documents means: a version, its author and its place, and dated facts about the document.

Channels and members are read as those of message tables are, by the same code: a row is put into the words of one. A
`supersedes` that names another version of the same document says nothing that the versions' dates do not say.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from treering.importers.document_dates import UNDATED, document_moment
from treering.importers.document_drafts import retired, superseded
from treering.importers.document_head import read_head
from treering.importers.narrowing import FieldError, distinct, identity, require, texts, urls
from treering.importers.table_rows import RowReader
from treering.model.drafts import ChannelKind, Draft, Drafted, RecordDraft

__all__ = ["DocumentRows"]

LINKS = ("links", "url", "source")  # the last is a place in a repository as often as an address
PLACES = ("channel", "space", "folder", "org")  # the first that a row has is the channel

_FIRST_NUMBER = re.compile(r"[0-9]{1,18}")
_VERSION_TAIL = re.compile(r"[@#:~/ ._-]+v?[0-9][\w.:+-]*")  # what ids of versions add to the id of their document


@dataclass(frozen=True, slots=True)
class _Statement:
    """A version that says it takes the place of something else; of what, is known when all rows are read."""

    file: str
    replaced: str  # the id as written
    version: RecordDraft


class DocumentRows:
    """Turns the rows of a tree of files into drafts; an actor or channel is drafted when it is first met.

    Args:
        visibility: the kind of channels of which the rows say neither `visibility` nor `members`.
    """

    def __init__(self, visibility: ChannelKind) -> None:
        self._rows = RowReader(visibility)
        self._lineages: dict[str, str] = {}  # ids of versions, and of documents -> the document's
        self._statements: list[_Statement] = []

    def drafts(self, row: object, file: str) -> Iterator[Draft]:
        """The drafts of one row: at most actors and a channel, the version, and its retirement if the row says so.

        Raises:
            FieldError: before anything is yielded.
        """
        row = require(row, "id", "doc", "text")
        lineage = identity(row["doc"])
        if lineage is None:
            raise FieldError("the doc is empty or no id")
        dated = document_moment(row.get("dated"), "dated")
        end = document_moment(row.get("retired_at"), "retired_at") if row.get("retired_at") else None
        replaced = texts(row.get("supersedes"), "supersedes")
        for draft in self._rows.drafts(_as_message(row, lineage)):
            if not isinstance(draft, RecordDraft):
                yield draft
                continue
            version = replace(
                draft,
                lineage=lineage,
                title=draft.title or read_head(draft.text).heading,
                valid_from=dated.at if dated else UNDATED,
                valid_from_raw=dated.raw if dated else "undated",
                links=distinct([*draft.links, *urls(draft.text)]),
            )
            self._lineages[version.source_id] = self._lineages[lineage] = lineage
            self._statements += [_Statement(file, other, version) for other in replaced]
            yield version
            if end:
                yield retired(version, end)

    def supersessions(self) -> Iterator[Drafted]:
        """An event for each document that a row of another document says it takes the place of."""
        for statement in self._statements:
            ours, other = statement.version.lineage, statement.replaced
            old = self._lineages.get(other)
            if old is None and other.startswith(ours) and _VERSION_TAIL.fullmatch(other, len(ours)):
                continue  # a version of the same document, in a file that is not here
            if old != ours:
                yield Drafted(statement.file, superseded(other, old or other, statement.version))


def _as_message(row: Mapping[str, object], lineage: str) -> dict[str, object]:
    """The row in the words of a table of messages; its time is put in later, as it may be missing here."""
    place = next((row[name] for name in PLACES if row.get(name) not in (None, "")), None)
    authors = row.get("author")
    authors = authors if isinstance(authors, list) else [authors]
    number = _FIRST_NUMBER.search(str(row.get("version") or "")[:99])
    return {
        "id": row["id"],
        "sent_at": "2000-01-01",
        "channel": _first_part(lineage) if place is None else place,
        "text": row["text"],
        "author": authors[0] if authors else None,
        "mentions": [*texts(row.get("mentions"), "mentions"), *authors[1:]],
        "title": row.get("title"),
        "order_hint": number[0] if number else 0,
        "tags": [*texts(row.get("kind"), "kind"), *texts(row.get("tags"), "tags")],
        "refs": row.get("refs"),
        "links": [link for name in LINKS for link in texts(row.get(name), name, "\n") if "://" in link],
        "kind": "document",
        "channel_kind": row.get("visibility"),
        "members": row.get("members"),
    }


def _first_part(lineage: str) -> str:
    """The place that a document's key begins with: of "hr/leave", "hr"."""
    first, slash, _ = lineage.partition("/")
    return first if slash and first else "documents"
