"""The passages of the log in the form that indexes and encoders match.

A chat message is one passage, matched together with its author as the published baselines do. What has a title (a
document, a mail) is cut into several, each matched together with the title and the heading of its section. What is
*shown* is always the record's own text.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treering.model.drafts import Attachment, RecordKind
from treering.text.passages import Span, heading_before, passages, without

__all__ = ["PassageText", "attached_text", "attachment_fields", "match_text", "passage_texts", "spans_of"]

AttachmentFields = list[str | int | None]  # name, type, size, state, and a title where there is one


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


def attachment_fields(one: Attachment) -> AttachmentFields:
    """An attachment as the log stores it."""
    fields: AttachmentFields = [one.name, one.type, one.size, one.state]
    return [*fields, one.title] if one.title else fields


def attached_text(attachments: Iterable[AttachmentFields]) -> str:
    """What is matched for the files that a record carries, with its first passage; nobody said it, so it is not shown.

    >>> attached_text([["plan.pdf", "application/pdf", 12_000, "", "The plan"]])
    ' [attached: plan.pdf, The plan, application/pdf, 12 kB]'
    """
    return "".join(f" [attached: {', '.join(_told(one))}]" for one in attachments)


def _told(fields: AttachmentFields) -> list[str]:
    name, kind, size, _, *title = fields
    told = [str(part) for part in (name, *title, kind) if part]
    return [*told, f"{int(size) // 1000} kB"] if size and int(size) >= 1000 else told


def match_text(kind: RecordKind, author_name: str, title: str, text: str, span: Span, attached: str = "") -> str:
    r"""What is matched for a passage; `attached` is told of its files with the first passage of a record.

    >>> match_text(RecordKind.MESSAGE, "Ana", "", "we ship Friday", Span(0, 14))
    'Ana: we ship Friday'
    >>> match_text(RecordKind.DOCUMENT, "Ana", "Leave", "# Sick leave\n\nCall in.", Span(14, 22))
    'Leave: Sick leave: Call in.'
    """
    passage = text[span.start : span.stop] + attached
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
        "SELECT p.id, p.record, p.key, p.start, p.stop, r.kind, r.author_name, r.title,"
        " CASE WHEN instr(r.extra, '\"attachments\"') AND NOT EXISTS"
        " (SELECT 1 FROM passage q WHERE q.record = p.record AND q.id < p.id) THEN r.extra END"
        " FROM passage p JOIN record r ON r.id = p.record WHERE p.id >= ? AND p.id < ? ORDER BY p.id",
        (first, last if last is not None else 1 << 62),
    )
    read, text = 0, ""
    for number, record, key, start, stop, kind, author_name, title, carrying in rows:
        if record != read:  # once for all passages of a record: a long document has thousands
            (text,) = connection.execute("SELECT text FROM record WHERE id = ?", (record,)).fetchone()
            read = record
        attached = attached_text(json.loads(carrying)["attachments"]) if carrying else ""
        matched = match_text(RecordKind(kind), author_name, title, text, Span(start, stop), attached)
        yield PassageText(number, record, key, matched)
