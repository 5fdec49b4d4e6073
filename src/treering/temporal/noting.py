"""What records say of themselves and of each other, noted once for each: labels, names, marks of supersession, triples.

Noted per record and not per lineage: an edit takes nothing away from what the version before it said at its time.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from treering.log.registry import folded
from treering.model.drafts import RecordKind
from treering.temporal.triples import Triple, triples_of
from treering.text.identifiers import identifiers
from treering.text.supersession import MarkKind, stated_marks

__all__ = ["Progress", "note_statements"]

Progress = Callable[[str, int, int], None]
RETIRED_EVENT: Final = "retired"
SUPERSEDED_EVENT: Final = "superseded"
LABEL_CHARS_MAX: Final = 200  # nobody types more of an address
_BLOCK: Final = 2_000

_RECORDS: Final = """
SELECT r.id, r.source, r.source_id, r.lineage, r.kind, r.author_name, r.title, r.text, r.event, r.extra,
       r.change = 'delete'
FROM record r WHERE r.id > ? AND r.id <= ? ORDER BY r.id
"""


@dataclass(frozen=True, slots=True)
class Stated:
    """One record, as far as it states something."""

    record: int
    source: str
    source_id: str
    lineage: str
    kind: RecordKind
    author: str
    title: str
    text: str
    event: str | None
    refs: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[str, ...]
    mentions: tuple[int, ...]
    files: tuple[str, ...]  # names of attachments


def note_statements(connection: sqlite3.Connection, since: int, upto: int) -> None:
    """Note what the records in (since, upto] state, within the caller's write transaction."""
    cursor = connection.execute(_RECORDS, (since, upto))
    while rows := cursor.fetchmany(_BLOCK):
        stated = [_stated(row) for row in rows if not row[-1]]
        said = [one for one in stated if one.event is None]
        names = _names_of(connection, {actor for one in said for actor in one.mentions})
        connection.executemany(
            "INSERT OR IGNORE INTO label (folded, record) VALUES (?, ?)",
            ((label, one.record) for one in said for label in _labels(one)),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO document_name (folded, source, lineage) VALUES (?, ?, ?)",
            ((name, one.source, one.lineage) for one in said for name in _document_names(one)),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO mark (record, kind, target, subject) VALUES (?, ?, ?, ?)",
            ((one.record, *mark) for one in stated for mark in _marks(one)),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO triple (record, subject, relation, object, subject_folded, object_folded, extractor)"
            " VALUES (?, ?, ?, ?, ?, ?, 'rules')",
            (_row(one.record, triple) for one in said for triple in _triples(one, names)),
        )


def _stated(row: tuple) -> Stated:  # type: ignore[type-arg]  # a row of _RECORDS
    more = json.loads(row[9])
    record, source, source_id, lineage, kind, author, title, text, event = row[:9]
    return Stated(
        record=record,
        source=source,
        source_id=source_id,
        lineage=lineage,
        kind=RecordKind(kind),
        author=author,
        title=title,
        text=text,
        event=event,
        refs=tuple(more.get("refs", ())),
        tags=tuple(more.get("tags", ())),
        links=tuple(more.get("links", ())),
        mentions=tuple(more.get("mentions", ())),
        files=tuple(str(one[0]) for one in more.get("attachments", ())),
    )


def _names_of(connection: sqlite3.Connection, actors: set[int]) -> dict[int, str]:
    some = ",".join(map(str, sorted(actors)))
    return dict(connection.execute(f"SELECT id, name FROM actor WHERE id IN ({some})").fetchall())


def _labels(one: Stated) -> set[str]:
    """What the tag leg can match: exact, once normalised."""
    said = "\n".join((one.title, one.text, *one.files))
    labels = {folded(name) for name in (one.author, *one.tags, *identifiers(said))}
    return {label for label in labels if 0 < len(label) <= LABEL_CHARS_MAX}


def _document_names(one: Stated) -> set[str]:
    """What other documents may call this one."""
    if one.kind is not RecordKind.DOCUMENT:
        return set()
    file = one.lineage.rpartition("/")[2]
    names = {folded(name) for name in (one.source_id, one.lineage, file, one.title, *identifiers(one.title))}
    return names - {""}


def _marks(one: Stated) -> Iterator[tuple[str, str, str]]:
    """(kind, target, subject) of everything the record states about supersession."""
    if one.event == RETIRED_EVENT:
        for lineage in one.refs:
            yield MarkKind.RETIRED.value, "", lineage
    elif one.event == SUPERSEDED_EVENT and len(one.refs) > 1:
        yield MarkKind.SUPERSEDED_BY.value, one.refs[1], one.refs[0]
    elif one.event is None and one.kind is RecordKind.DOCUMENT:
        for mark in stated_marks(one.text):
            for target in mark.targets or ("",):
                yield mark.kind.value, target, ""


def _triples(one: Stated, names: dict[int, str]) -> Iterator[Triple]:
    marks = [(kind, target) for kind, target, _ in _marks(one)]
    yield from triples_of(
        document=one.kind is RecordKind.DOCUMENT,
        author=one.author,
        title=one.title,
        identifiers=identifiers(f"{one.title}\n{one.text}" if one.title else one.text),
        mentions=[names[actor] for actor in one.mentions if actor in names],
        refs=one.refs,
        marks=marks,
    )


def _row(record: int, triple: Triple) -> tuple[int, str, str, str, str, str]:
    return (record, triple.subject, triple.relation, triple.object, folded(triple.subject), folded(triple.object))
