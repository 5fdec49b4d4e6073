"""The passages of the log in the form that indexes and encoders match.

A passage of a message is matched together with its author, one of a document with the document's title, as the
published baselines do; what is *shown* is always the record's own text.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from treering.model.drafts import RecordKind

__all__ = ["PassageText", "match_text", "passage_texts"]


@dataclass(frozen=True, slots=True)
class PassageText:
    """One passage, with the text that is matched in place of it."""

    id: int  # 0, 1, 2 ... in log order
    record: int
    key: bytes  # of `text`
    text: str


def match_text(kind: RecordKind, author_name: str, title: str, passage: str) -> str:
    """What is matched for a passage.

    >>> match_text(RecordKind.MESSAGE, "Ana", "", "we ship Friday")
    'Ana: we ship Friday'
    """
    label = title if kind is RecordKind.DOCUMENT and title else author_name
    return f"{label}: {passage}"


def passage_texts(connection: sqlite3.Connection, first: int, last: int | None = None) -> Iterator[PassageText]:
    """The passages from `first` on, in order, up to but not including `last`."""
    rows = connection.execute(
        "SELECT p.id, p.record, p.key, p.start, p.stop, r.kind, r.author_name, r.title, r.text"
        " FROM passage p JOIN record r ON r.id = p.record WHERE p.id >= ? AND p.id < ? ORDER BY p.id",
        (first, last if last is not None else 1 << 62),
    )
    for number, record, key, start, stop, kind, author_name, title, text in rows:
        yield PassageText(number, record, key, match_text(RecordKind(kind), author_name, title, text[start:stop]))
