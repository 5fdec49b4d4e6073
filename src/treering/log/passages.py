"""The passages of the log in the form that indexes and encoders match.

A chat message is one passage, matched together with its author as the published baselines do. What has a title (a
document, a mail) is cut into several, each matched together with the title and the heading of its section. What is
*shown* is always the record's own text.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from treering.model.drafts import RecordKind
from treering.text.passages import Span, heading_before, passages, without

__all__ = ["PassageText", "match_text", "passage_texts", "spans_of"]


@dataclass(frozen=True, slots=True)
class PassageText:
    """One passage, with the text that is matched in place of it."""

    id: int  # 0, 1, 2 ... in log order
    record: int
    key: bytes  # of `text`
    text: str


def spans_of(kind: RecordKind, title: str, text: str, quoted: tuple[tuple[int, int], ...] = ()) -> list[Span]:
    """Where the passages of a record lie: outside what it only repeats of others, unless that is all there is."""
    if kind is RecordKind.MESSAGE and not title and not quoted:
        return [Span(0, len(text))] if text else []
    own = [
        Span(stretch.start + span.start, stretch.start + span.stop)
        for stretch in without(text, quoted)
        for span in passages(text[stretch.start : stretch.stop])
    ]
    return own or passages(text)


def match_text(kind: RecordKind, author_name: str, title: str, text: str, span: Span) -> str:
    r"""What is matched for a passage.

    >>> match_text(RecordKind.MESSAGE, "Ana", "", "we ship Friday", Span(0, 14))
    'Ana: we ship Friday'
    >>> match_text(RecordKind.DOCUMENT, "Ana", "Leave", "# Sick leave\n\nCall in.", Span(14, 22))
    'Leave: Sick leave: Call in.'
    """
    passage = text[span.start : span.stop]
    if kind is RecordKind.MESSAGE and not title:
        return f"{author_name}: {passage}"
    labels = [title or author_name] if kind is RecordKind.DOCUMENT else [author_name, title]
    heading = heading_before(text, span.start)
    if heading and heading not in labels:
        labels.append(heading)
    return ": ".join([*labels, passage])


def passage_texts(connection: sqlite3.Connection, first: int, last: int | None = None) -> Iterator[PassageText]:
    """The passages from `first` on, in order, up to but not including `last`."""
    rows = connection.execute(
        "SELECT p.id, p.record, p.key, p.start, p.stop, r.kind, r.author_name, r.title, r.text"
        " FROM passage p JOIN record r ON r.id = p.record WHERE p.id >= ? AND p.id < ? ORDER BY p.id",
        (first, last if last is not None else 1 << 62),
    )
    for number, record, key, start, stop, kind, author_name, title, text in rows:
        matched = match_text(RecordKind(kind), author_name, title, text, Span(start, stop))
        yield PassageText(number, record, key, matched)
