"""Reading the log: records by id, and the columns that bounds and ranking need, as arrays.

Every read happens inside the caller's transaction, so that one question sees one state of the memory.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.errors import UnknownName
from treering.model.drafts import Attachment, Change, RecordKind
from treering.model.ids import ActorId, ChannelId, LeafId, RecordId
from treering.model.records import Record, instant

__all__ = ["Columns", "LogReader"]

_FIELDS = (
    "id, source, source_id, leaf, lineage, change, kind, channel, author, author_name, valid_from, valid_from_raw,"
    " created_at, logged_at, order_hint, reply_to, thread, title, text, event, extra, hash, chain"
)
_ROW_BLOCK = 20_000
NEVER = np.iinfo(np.int64).max
Known = NDArray[np.bool_] | None  # row = record id - 1: which records somebody may know of; None: all


@dataclass(frozen=True, slots=True)
class Columns:
    """One row a record (row = id - 1), one a leaf (row = leaf id), one a passage: what bounds are computed from."""

    record_leaf: NDArray[np.int32]
    record_channel: NDArray[np.int32]  # where this version stood
    record_valid_from: NDArray[np.int64]
    record_logged_at: NDArray[np.int64]
    record_document: NDArray[np.bool_]
    record_author: NDArray[np.int32]
    record_shown: NDArray[np.bool_]  # has text to show: no event, no deletion
    later_pairs: NDArray[np.int32]  # (n, 2) rows: a version, and what hides it: a later one, or its message's deletion
    leaf_channel: NDArray[np.int32]  # row 0 is no leaf
    leaf_author: NDArray[np.int32]
    leaf_first_at: NDArray[np.int64]
    leaf_last_at: NDArray[np.int64]  # latest valid_from of its versions
    leaf_last_logged: NDArray[np.int64]
    leaf_head: NDArray[np.int32]  # row of its newest version; -1: deleted
    passage_record: NDArray[np.int32]  # row of the record
    passage_keys: NDArray[np.void]  # V16

    @property
    def records(self) -> int:
        """How many records the log holds."""
        return len(self.record_leaf)


class LogReader:
    """Reads within the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def last(self) -> int:
        """The id of the last record; 0 when the log is empty."""
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM record").fetchone()[0])

    def record(self, record: int) -> Record:
        """One record by its id."""
        for found in self.records([record]):
            return found
        raise UnknownName(f"no record {record} here; ids run from 1 to {self.last()}")

    def records(self, ids: Sequence[int], known: Known = None) -> list[Record]:
        """Records by id, in the order asked for; unknown ids are left out.

        `version` counts the versions that are `known`: one that somebody may not see has no number either.
        """
        found: dict[int, Record] = {}
        for start in range(0, len(ids), 500):
            some = ",".join(str(int(i)) for i in ids[start : start + 500])
            rows = self._db.execute(f"SELECT {_FIELDS} FROM record WHERE id IN ({some})").fetchall()
            versions = self._versions({(row[1], row[4]) for row in rows}, known)
            for row in rows:
                found[row[0]] = _record(row, versions[row[0]])
        return [found[i] for i in ids if i in found]

    def find(self, name: str, known: Known = None) -> list[Record]:
        """What an id means: a record's number here, or an id of a source, alone or as SOURCE/ID.

        A number is the number here, as citations give it, where a record has it; SOURCE/ID is always the source's.
        Of each thing the newest version that is `known`; several things where several sources know the id.
        """
        if re.fullmatch("[0-9]{1,18}", name) and _is_known(int(name), known):
            numbered = self.records([int(name)], known)
            if numbered:
                return numbered
        rows = self._db.execute(
            "SELECT id, source, lineage FROM record WHERE source_id = ?1 OR lineage = ?1"
            " OR (instr(?1, source || '/') = 1 AND source_id = substr(?1, length(source) + 2))"
            " ORDER BY source, lineage, change = 'delete', valid_from, id",
            (name,),
        ).fetchall()
        newest = {(source, lineage): record for record, source, lineage in rows if _is_known(record, known)}
        return self.records(list(newest.values()), known)

    def versions_of(self, leaf: int) -> list[Record]:
        """Every version under a leaf, oldest first."""
        rows = self._db.execute(
            "SELECT id FROM record WHERE leaf = ? ORDER BY change = 'delete', valid_from, id", (leaf,)
        ).fetchall()
        return self.records([row[0] for row in rows])

    def lineage(self, source: str, lineage: str, known: Known = None) -> list[Record]:
        """Every version of one thing, oldest first."""
        rows = self._db.execute(
            "SELECT id FROM record WHERE source = ? AND lineage = ? ORDER BY change = 'delete', valid_from, id",
            (source, lineage),
        ).fetchall()
        return self.records([row[0] for row in rows], known)

    def hashes(self) -> Iterator[bytes]:
        """The content hash of every record, ascending."""
        for (digest,) in self._db.execute("SELECT hash FROM record ORDER BY hash"):
            yield digest

    def columns(self, last: int) -> Columns:
        """The columns of the records up to `last`, the log position that the reader is pinned to."""
        records = self._table(
            "SELECT leaf, valid_from, logged_at, event IS NULL AND change != 'delete', channel, author,"
            " kind = 'document' FROM record WHERE id <= ? ORDER BY id",
            (last,),
            7,
        )
        leaves = self._table("SELECT id, channel, author, first_at, head FROM leaf ORDER BY id", (), 5)
        size = int(leaves[-1, 0]) + 1 if len(leaves) else 1
        by_leaf = np.zeros((size, 4), dtype=np.int64)
        by_leaf[leaves[:, 0]] = leaves[:, 1:]
        record_leaf = records[:, 0].astype(np.int32)
        last_at = np.full(size, np.iinfo(np.int64).min)
        last_logged = last_at.copy()
        np.maximum.at(last_at, record_leaf, records[:, 1])
        np.maximum.at(last_logged, record_leaf, records[:, 2])
        passage_record, passage_keys = self._passages(last)
        return Columns(
            record_leaf=record_leaf,
            record_channel=records[:, 4].astype(np.int32),
            record_valid_from=records[:, 1].copy(),
            record_logged_at=records[:, 2].copy(),
            record_document=records[:, 6].astype(np.bool_),
            record_author=records[:, 5].astype(np.int32),
            record_shown=records[:, 3].astype(np.bool_),
            later_pairs=self._later_pairs(last),
            leaf_channel=by_leaf[:, 0].astype(np.int32),
            leaf_author=by_leaf[:, 1].astype(np.int32),
            leaf_first_at=by_leaf[:, 2].copy(),
            leaf_last_at=last_at,
            leaf_last_logged=last_logged,
            leaf_head=(by_leaf[:, 3] - 1).astype(np.int32),
            passage_record=passage_record,
            passage_keys=passage_keys,
        )

    def _table(self, sql: str, bound: tuple[int, ...], width: int) -> NDArray[np.int64]:
        """The rows of a query of integers, read in blocks."""
        cursor = self._db.execute(sql, bound)
        blocks = [np.empty((0, width), dtype=np.int64)]
        while rows := cursor.fetchmany(_ROW_BLOCK):
            blocks.append(np.array(rows, dtype=np.int64))
        return np.concatenate(blocks)

    def _passages(self, last: int) -> tuple[NDArray[np.int32], NDArray[np.void]]:
        cursor = self._db.execute("SELECT record - 1, key FROM passage WHERE record <= ? ORDER BY id", (last,))
        records: list[int] = []
        keys = bytearray()
        while rows := cursor.fetchmany(_ROW_BLOCK):
            records.extend(row[0] for row in rows)
            keys.extend(b"".join(row[1] for row in rows))
        return np.array(records, dtype=np.int32), np.frombuffer(bytes(keys), dtype="V16")

    def _later_pairs(self, last: int) -> NDArray[np.int32]:
        """Pairs (version, what hides it): within the lineages of messages the later version hides the earlier.

        The deletion of a message hides the documents attached to it as well.
        """
        pairs = self._db.execute(
            "SELECT a.id - 1, b.id - 1 FROM record b JOIN record a ON a.leaf = b.leaf AND a.id != b.id"
            " WHERE b.id <= ?1 AND a.id <= ?1 "
            " AND (a.change = 'delete', a.valid_from, a.id) < (b.change = 'delete', b.valid_from, b.id)"
            " AND b.leaf IN (SELECT leaf FROM record WHERE change IN ('edit', 'delete'))"
            " UNION ALL SELECT a.id - 1, b.id - 1 FROM record a JOIN record b ON b.source = a.source"
            " AND b.lineage = a.reply_to AND b.change = 'delete' AND b.kind = 'message'"
            " WHERE a.kind = 'document' AND a.id <= ?1 AND b.id <= ?1",
            (last,),
        ).fetchall()
        return np.array(pairs, dtype=np.int32).reshape(-1, 2)

    def _versions(self, lineages: Iterable[tuple[str, str]], known: Known) -> dict[int, int]:
        """The place of each record among the known versions of its lineage, from 1."""
        by_source: dict[str, list[str]] = {}
        for source, lineage in lineages:
            by_source.setdefault(source, []).append(lineage)
        places: dict[int, int] = {}
        for source, some in by_source.items():
            rows = self._db.execute(
                f"SELECT id, lineage FROM record WHERE source = ? AND lineage IN ({','.join('?' * len(some))})"
                " ORDER BY change = 'delete', valid_from, id",
                (source, *some),
            )
            counted: Counter[str] = Counter()
            for record, lineage in rows:
                counted[lineage] += _is_known(record, known)
                places[record] = max(counted[lineage], 1)
        return places


def _is_known(record: int, known: Known) -> bool:
    return known is None or (0 < record <= len(known) and bool(known[record - 1]))


def _record(row: tuple, version: int) -> Record:  # type: ignore[type-arg]  # a row of _FIELDS
    (
        record, source, source_id, leaf, lineage, change, kind, channel, author, author_name, valid_from,
        valid_from_raw, created_at, logged_at, order_hint, reply_to, thread, title, text, event, extra, digest, chain,
    ) = row  # fmt: skip
    more = json.loads(extra)
    return Record(
        id=RecordId(record),
        source=source,
        source_id=source_id,
        leaf=LeafId(leaf),
        lineage=lineage,
        change=Change(change),
        version=version,
        kind=RecordKind(kind),
        channel=ChannelId(channel),
        author=ActorId(author),
        author_name=author_name,
        valid_from=instant(valid_from),
        valid_from_raw=valid_from_raw,
        created_at=instant(created_at),
        logged_at=instant(logged_at),
        order_hint=order_hint,
        reply_to=reply_to,
        thread=thread,
        title=title,
        text=text,
        event=event,
        hash=digest,
        chain=chain,
        refs=tuple(more.get("refs", ())),
        mentions=tuple(ActorId(actor) for actor in more.get("mentions", ())),
        tags=tuple(more.get("tags", ())),
        links=tuple(more.get("links", ())),
        attachments=tuple(Attachment(*fields) for fields in more.get("attachments", ())),
        quoted=tuple((start, stop) for start, stop in more.get("quoted", ())),
    )
