"""The records around an identifier: who carries it, replies to those, and what lies between them in a thread.

Clustering starts from here. Which identifiers are due again is noted as the trees grow, so that a batch costs what it
touches: an identifier is due when a leaf that carries it, answers a carrier, or lies near one in a thread has changed.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import View, natural_key
from treering.forest.names import Names
from treering.forest.relations import REPLY
from treering.forest.staging import PLACING

__all__ = ["Components", "note_due", "note_due_near", "note_due_of_channels", "note_due_of_old"]

MENTIONS_MIN: Final = 2  # ours: what is named once is not yet followed by anyone
MENTIONS_MAX: Final = 2_000  # ours: a name that everybody carries is a place, not a deliverable
BETWEEN_MICROS_MAX: Final = 3_600_000_000  # ours: an hour; two mentions further apart do not hold what lies between
THREADS_HELD_MAX: Final = 256

_OF_REPLIES: Final = f"""
INSERT OR IGNORE INTO component_due
SELECT i.value FROM dirty d JOIN link k ON k.leaf = d.leaf AND k.kind = '{REPLY}'
JOIN leaf t ON t.source = k.target_source AND t.key = k.target_key JOIN identifier i ON i.leaf = t.id
UNION SELECT i.value FROM dirty d JOIN leaf l ON l.id = d.leaf
JOIN link k ON k.target_source = l.source AND k.target_key = l.key AND k.kind = '{REPLY}'
JOIN identifier i ON i.leaf = k.leaf
UNION SELECT i.value FROM dirty d JOIN identifier i ON i.leaf = d.leaf
"""

_THREADS: Final = f"""
SELECT l.id, n.source, n.native, l.key, r.thread FROM json_each(?) j CROSS JOIN leaf l ON l.id = j.value
CROSS JOIN channel n ON n.id = l.channel CROSS JOIN record r ON r.id = {PLACING}
"""


def note_due(connection: sqlite3.Connection) -> None:
    """Identifiers that staged leaves carry, or that their reply targets and repliers carry, are due."""
    connection.execute(_OF_REPLIES)


def note_due_of_old(connection: sqlite3.Connection, known: NDArray[np.int32]) -> None:
    """The same for what the staged leaves were before: call it while `identifier` and `link` still say so."""
    if not known.size:
        return
    note_due(connection)
    due = [
        (value,)
        for value, blob in connection.execute("SELECT value, leaves FROM component")
        if np.isin(np.frombuffer(blob, dtype="<i4"), known).any()
    ]
    connection.executemany("INSERT OR IGNORE INTO component_due VALUES (?)", due)


def note_due_near(connection: sqlite3.Connection, leaves: NDArray[np.int32], incoming: NDArray[np.int32]) -> None:
    """In a thread, identifiers of the leaves within reach of those that came are due."""
    times = _times(connection, leaves)
    came = np.sort(times[np.isin(leaves, incoming)])
    if not came.size:
        return
    after = np.searchsorted(came, times)
    gap = np.minimum(
        np.abs(times - came[np.minimum(after, came.size - 1)]), np.abs(times - came[np.maximum(after - 1, 0)])
    )
    near = leaves[gap <= BETWEEN_MICROS_MAX].tolist()
    connection.execute(
        "INSERT OR IGNORE INTO component_due"
        " SELECT i.value FROM json_each(?) j CROSS JOIN identifier i ON i.leaf = j.value",
        (json.dumps(near),),
    )


def note_due_of_channels(connection: sqlite3.Connection, channels: Iterable[int]) -> None:
    """All identifiers of channels that were opened or closed are due: their artifacts change scope."""
    connection.executemany(
        "INSERT OR IGNORE INTO component_due SELECT i.value FROM leaf l JOIN identifier i ON i.leaf = l.id"
        " WHERE l.channel = ?",
        [(channel,) for channel in sorted(channels)],
    )


class Components:
    """Looks up components within the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection, names: Names) -> None:
        self._db = connection
        self._names = names
        self._threads: dict[str, tuple[NDArray[np.int32], NDArray[np.int64]]] = {}

    def of(self, value: str) -> dict[int, NDArray[np.int32]]:
        """The component of an identifier in each scope that has one: leaves in their order."""
        rows = self._db.execute(
            "SELECT i.leaf, l.channel FROM identifier i JOIN leaf l ON l.id = i.leaf WHERE i.value = ? LIMIT ?",
            (value, MENTIONS_MAX + 1),
        ).fetchall()
        if not MENTIONS_MIN <= len(rows) <= MENTIONS_MAX:
            return {}
        by_scope: dict[int, list[int]] = defaultdict(list)
        for leaf, channel in rows:
            by_scope[self._scope(value, channel)].append(leaf)
        return {
            scope: self._around(value, scope, mentions)
            for scope, mentions in sorted(by_scope.items())
            if len(mentions) >= MENTIONS_MIN
        }

    def _scope(self, value: str, channel: int) -> int:
        """0 for all public channels together, else the channel; a bare number means nothing outside its channel."""
        return 0 if self._names.channel(channel).open and not value.startswith("#") else channel

    def _around(self, value: str, scope: int, mentions: list[int]) -> NDArray[np.int32]:
        members = {*mentions, *self._answered(mentions), *self._between(mentions)}
        rows = self._db.execute(
            "SELECT l.id, l.channel FROM json_each(?) j CROSS JOIN leaf l ON l.id = j.value WHERE NOT l.event"
            " ORDER BY l.first_at, l.order_hint, l.source, l.key",
            (json.dumps(sorted(members)),),
        ).fetchall()
        return np.array([leaf for leaf, channel in rows if self._scope(value, channel) == scope], dtype=np.int32)

    def _answered(self, mentions: list[int]) -> set[int]:
        """The leaves that carriers reply to, and the replies to carriers."""
        rows = self._db.execute(
            "SELECT t.id FROM json_each(?1) j CROSS JOIN link k ON k.leaf = j.value AND k.kind = ?2"
            " CROSS JOIN leaf t ON t.source = k.target_source AND t.key = k.target_key"
            " UNION SELECT k.leaf FROM json_each(?1) j CROSS JOIN leaf l ON l.id = j.value"
            " CROSS JOIN link k ON k.target_source = l.source AND k.target_key = l.key AND k.kind = ?2",
            (json.dumps(mentions), REPLY),
        )
        return {row[0] for row in rows}

    def _between(self, mentions: list[int]) -> set[int]:
        """The leaves between two carriers of one thread that are close in time."""
        by_thread: dict[str, list[int]] = defaultdict(list)
        for leaf, source, native, key, thread in self._db.execute(_THREADS, (json.dumps(mentions),)):
            for name in {key, thread or key}:  # the root of a thread goes by its own key
                by_thread[natural_key(source, native, name)].append(leaf)
        found: set[int] = set()
        for key, carriers in by_thread.items():
            if len(carriers) > 1:
                leaves, times = self._thread(key)
                places = np.flatnonzero(np.isin(leaves, carriers))
                for a, b in zip(places[:-1].tolist(), places[1:].tolist(), strict=True):
                    if b - a > 1 and times[b] - times[a] <= BETWEEN_MICROS_MAX:
                        found.update(leaves[a + 1 : b].tolist())
        return found

    def _thread(self, key: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        if key not in self._threads:
            if len(self._threads) >= THREADS_HELD_MAX:
                del self._threads[next(iter(self._threads))]
            row = self._db.execute(
                "SELECT b.leaves FROM tree t JOIN branch b ON b.tree = t.id WHERE t.view = ? AND t.key = ?",
                (View.THREAD, key),
            ).fetchone()
            leaves = np.frombuffer(row[0] if row else b"", dtype="<i4")
            self._threads[key] = leaves, _times(self._db, leaves)
        return self._threads[key]


def _times(connection: sqlite3.Connection, leaves: NDArray[np.int32]) -> NDArray[np.int64]:
    rows = connection.execute(
        "SELECT l.first_at FROM json_each(?) j CROSS JOIN leaf l ON l.id = j.value ORDER BY j.key",
        (json.dumps(leaves.tolist()),),
    )
    return np.fromiter((row[0] for row in rows), dtype=np.int64)
