"""Which version of a document holds, as of the bounds of a question: chains of versions and explicit marks.

A chain gives order and state and never excludes: most questions about documents need a version that has a later one. A
mark counts only while the record that states it is the newest of its chain within the bounds, so that a statement taken
back by a later version is taken back here too. Follows DESIGN section 5.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from treering.access.bounds import Admissible
from treering.log.registry import folded
from treering.model.records import instant
from treering.text.supersession import MarkKind

__all__ = ["CURRENT", "Supersession"]

CURRENT = "current"


@dataclass(frozen=True, slots=True)
class _Version:
    chain: int
    place: int  # in the chain
    source_id: str
    day: str


@dataclass(frozen=True, slots=True)
class _Mark:
    row: int  # of the record that states it
    valid_from: int
    retired: bool
    successor: int  # chain, -1 where none is known
    named: str  # the successor as the record names it

    @property
    def day(self) -> str:
        return f"{instant(self.valid_from):%Y-%m-%d}"


class Supersession:
    """The chains and marks of a memory, loaded within the caller's read transaction; rows are record ids less one."""

    def __init__(self, connection: sqlite3.Connection, last: int) -> None:
        self._versions: dict[int, _Version] = {}
        self._chains: list[list[int]] = []
        self._numbers: dict[tuple[str, str], int] = {}
        rows = connection.execute(
            "SELECT id - 1, source, lineage, source_id, valid_from FROM record"
            " WHERE kind = 'document' AND event IS NULL AND change != 'delete' AND id <= ?"
            " ORDER BY source, lineage, valid_from, hash",
            (last,),
        )
        for row, source, lineage, source_id, valid_from in rows:
            number = self._numbers.setdefault((source, lineage), len(self._chains))
            if number == len(self._chains):
                self._chains.append([])
            chain = self._chains[number]
            self._versions[row] = _Version(number, len(chain), source_id, f"{instant(valid_from):%Y-%m-%d}")
            chain.append(row)
        self._marks: dict[int, list[_Mark]] = {}  # by the chain they are about
        if self._chains:
            self._load_marks(connection, last)

    def chain(self, row: int) -> Sequence[int]:
        """The rows of every version of the document, oldest first; of a message, itself."""
        version = self._versions.get(row)
        return (row,) if version is None else self._chains[version.chain]

    def number(self, row: int) -> int:
        """A number shared by the versions of one document and by nothing else; -1 for a message."""
        version = self._versions.get(row)
        return -1 if version is None else version.chain

    def state(self, row: int, admissible: Admissible) -> str:
        """`current`, `superseded by ID on DATE` or `retired on DATE`, as of the bounds; a message is current."""
        version = self._versions.get(row)
        if version is None:
            return CURRENT
        for later in self._later(row, admissible):
            following = self._versions[later]
            return f"superseded by {following.source_id} on {following.day}"
        for mark in self._marks_on(version.chain, admissible):
            if mark.retired:
                return f"retired on {mark.day}"
            newest = self._newest(mark.successor, admissible)
            name = mark.named if newest is None else self._versions[newest].source_id
            return f"superseded by {name} on {mark.day}"
        return CURRENT

    def next_version(self, row: int, admissible: Admissible) -> int | None:
        """The version of the document that came next within the bounds; None for the newest."""
        return next(iter(self._later(row, admissible)), None)

    def replaced_by(self, row: int, admissible: Admissible) -> frozenset[int]:
        """The rows that hold in place of this one, within the bounds: later versions, and what it says replaced it."""
        version = self._versions.get(row)
        if version is None:
            return frozenset()
        rows = set(self._later(row, admissible))
        for mark in self._marks_on(version.chain, admissible):
            if mark.successor >= 0:
                rows.update(one for one in self._chains[mark.successor] if admissible.records[one])
        return frozenset(rows)

    def _later(self, row: int, admissible: Admissible) -> list[int]:
        version = self._versions[row]
        later = self._chains[version.chain][version.place + 1 :]
        return [o for o in later if admissible.records[o] and self._versions[o].source_id != version.source_id]

    def _newest(self, chain: int, admissible: Admissible) -> int | None:
        if chain < 0:
            return None
        return next((one for one in reversed(self._chains[chain]) if admissible.records[one]), None)

    def _marks_on(self, chain: int, admissible: Admissible) -> list[_Mark]:
        """The marks on a chain that count within the bounds, newest first."""
        found = [mark for mark in self._marks.get(chain, ()) if self._counts(mark, admissible)]
        return sorted(found, key=lambda mark: (-mark.valid_from, mark.named))

    def _counts(self, mark: _Mark, admissible: Admissible) -> bool:
        version = self._versions.get(mark.row)
        if version is None:  # an event, which has no later version
            return bool(admissible.known[mark.row])
        return self._newest(version.chain, admissible) == mark.row

    def _load_marks(self, connection: sqlite3.Connection, last: int) -> None:
        named: dict[tuple[str, str], set[int]] = {}
        for name, source, lineage in connection.execute("SELECT folded, source, lineage FROM document_name"):
            if (source, lineage) in self._numbers:
                named.setdefault((source, name), set()).add(self._numbers[source, lineage])
        rows = connection.execute(
            "SELECT m.record - 1, m.kind, m.target, m.subject, r.source, r.lineage, r.valid_from"
            " FROM mark m JOIN record r ON r.id = m.record WHERE m.record <= ? ORDER BY 1, 2, 3, 4",
            (last,),
        )
        for row, kind, target, subject, source, lineage, valid_from in rows:
            own = self._numbers.get((source, subject or lineage), -1)
            candidates = named.get((source, folded(target)), set()) - {own}
            other = next(iter(candidates)) if len(candidates) == 1 else -1  # a name of several documents is none
            about, successor = (other, own) if kind == MarkKind.SUPERSEDES else (own, other)
            if about >= 0:
                mark = _Mark(row, valid_from, kind == MarkKind.RETIRED, successor, target)
                self._marks.setdefault(about, []).append(mark)
