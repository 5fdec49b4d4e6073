"""Bridges of a leaf, looked up when asked for and never stored: the tables `link` and `identifier` are enough.

Source: EGCForest section 3.1.2; bridges by reference are ours, because native reply links are rare in real archives. A
link is kept by its target's natural key, so a bridge to a record that arrives later is there as soon as the record is.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.forest.relations import REPLY

__all__ = ["Bridge", "Bridges"]

IDENTIFIER: Final = "identifier"
LINKS_MAX: Final = 4  # the paper's b, which it does not give; ours: more only add what is far in time
REPLIES_MAX: Final = 16  # replies or references to one leaf: the root of a long thread has hundreds
SCANNED_MAX: Final = 2_000  # carriers of one identifier looked at on each side; few are admissible to a narrow viewer

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Bridge:
    """From one leaf to another, and what joins them."""

    leaf: int
    other: int
    kind: str  # reply, ref or identifier
    identifier: str | None = None


class Bridges:
    """Looks up bridges within the caller's read transaction."""

    def __init__(self, connection: sqlite3.Connection, links_max: int = LINKS_MAX) -> None:
        self._db = connection
        self._links_max = links_max

    def of(self, leaf: int, admissible: Mask | None = None) -> list[Bridge]:
        """The bridges of a leaf to admissible others: replies, then references, then shared identifiers.

        Replies and references go both ways, nearest in time first. An identifier leads to the `links_max` carriers
        nearest in time, over all identifiers of the leaf.

        Args:
            leaf: where the bridges begin; one that is not admissible itself has none.
            admissible: by leaf id. Links are those of the newest versions, so this should be the mask of leaves that
                lie wholly within the bounds; None admits all.
        """
        if not _admits(admissible, leaf):
            return []
        at, *_ = self._order(leaf)
        found: dict[int, Bridge] = {}
        linked = [(other, kind) for other, kind in self._linked(leaf) if other != leaf and _admits(admissible, other)]
        distance = self._distances(at, (other for other, _ in linked))
        for other, kind in sorted(linked, key=lambda one: (one[1] != REPLY, distance[one[0]]))[:REPLIES_MAX]:
            found.setdefault(other, Bridge(leaf, other, kind))
        sharing = [(o, v) for o, v in self._sharing(leaf, at, admissible) if o not in found]
        distance = self._distances(at, (other for other, _ in sharing))
        shared: dict[int, Bridge] = {}
        for other, value in sorted(sharing, key=lambda one: (distance[one[0]], one[1])):
            if len(shared) < self._links_max:
                shared.setdefault(other, Bridge(leaf, other, IDENTIFIER, value))
        return [*found.values(), *shared.values()]

    def _linked(self, leaf: int) -> Iterator[tuple[int, str]]:
        """Leaves that this one replies or refers to, and those that reply or refer to it."""
        for source, key, kind in self._db.execute(
            "SELECT target_source, target_key, kind FROM link WHERE leaf = ?", (leaf,)
        ).fetchall():
            yield from ((other, kind) for other in self._leaves_named(source, key))
        source, key = self._db.execute("SELECT source, key FROM leaf WHERE id = ?", (leaf,)).fetchone()
        names = {key, *(row[0] for row in self._db.execute("SELECT lineage FROM record WHERE leaf = ?", (leaf,)))}
        for name in sorted(names):
            yield from self._db.execute(
                "SELECT leaf, kind FROM link WHERE target_source = ? AND target_key = ?", (source, name)
            )

    def _leaves_named(self, source: str, key: str) -> list[int]:
        """The leaf of that key; of a document's lineage, the leaf of every version."""
        row = self._db.execute("SELECT id FROM leaf WHERE source = ? AND key = ?", (source, key)).fetchone()
        if row is not None:
            return [row[0]]
        rows = self._db.execute("SELECT DISTINCT leaf FROM record WHERE source = ? AND lineage = ?", (source, key))
        return [other for (other,) in rows]

    def _sharing(self, leaf: int, at: int, admissible: Mask | None) -> Iterator[tuple[int, str]]:
        """For each identifier of a leaf, at least its nearest admissible carriers on either side."""
        for (value,) in self._db.execute("SELECT value FROM identifier WHERE leaf = ?", (leaf,)).fetchall():
            for side in ("at < ? ORDER BY at DESC", "at >= ? ORDER BY at"):
                rows = self._db.execute(
                    f"SELECT leaf, at FROM identifier WHERE value = ? AND {side} LIMIT ?", (value, at, SCANNED_MAX)
                )
                taken, last = 0, None
                for other, other_at in rows:
                    if other == leaf or not _admits(admissible, other):
                        continue
                    if taken >= self._links_max and other_at != last:  # all of one moment: their order is settled later
                        break
                    taken, last = taken + 1, other_at
                    yield other, value

    def _order(self, leaf: int) -> tuple[int, int, str, str]:
        order: tuple[int, int, str, str] = self._db.execute(
            "SELECT first_at, order_hint, source, key FROM leaf WHERE id = ?", (leaf,)
        ).fetchone()
        return order

    def _distances(self, at: int, leaves: Iterable[int]) -> dict[int, tuple[int, int, int, str, str]]:
        """How far from a moment each leaf is, and then its natural order."""
        rows = self._db.execute(
            "SELECT l.id, abs(l.first_at - ?), l.first_at, l.order_hint, l.source, l.key"
            " FROM json_each(?) j CROSS JOIN leaf l ON l.id = j.value",
            (at, json.dumps(sorted(set(leaves)))),
        )
        return {row[0]: row[1:] for row in rows}


def _admits(mask: Mask | None, leaf: int) -> bool:
    return mask is None or (leaf < len(mask) and bool(mask[leaf]))
