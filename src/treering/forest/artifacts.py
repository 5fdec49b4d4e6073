"""The artifact forest: one tree a deliverable, its leaves pooled across channels.

An identifier's component (see `components`) is parted by vectors (see `clusters`), and a cluster whose leaves report
enough steps of a life becomes a tree. Only identifiers noted as due are worked on, and those that were clustered
without vectors when there are vectors now. Follows DESIGN section 4; source: EGCForest section 3.1.1.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from heapq import nsmallest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.forest.clusters import Thresholds, Vectors, clusters, thresholds_from
from treering.forest.components import Components
from treering.forest.grow import Grower, GrowReport
from treering.forest.judging import Judge, Verdicts
from treering.forest.kinds import View
from treering.forest.summaries import Summarizer

__all__ = ["LeafVectors", "grow_artifacts", "thresholds_for"]

LEAVES_MIN: Final = 3  # source: ours; two messages are a question and its answer
TRANSITIONS_MIN: Final = 2  # source: ours; the paper asks for "sufficient" transitions and gives no number
SAMPLE: Final = 512  # leaves whose pairs tell how an encoder's cosines lie: 130,816 pairs
SAMPLE_MIN: Final = 128  # with fewer, quantiles near 1 mean little

LeafVectors = Callable[[list[int]], Vectors]  # unit length; rows of NaN where a leaf has none
_NO_LEAVES: NDArray[np.int32] = np.zeros(0, dtype=np.int32)


def grow_artifacts(
    connection: sqlite3.Connection,
    *,
    summarizer: Summarizer,
    encoder: str = "",
    vectors: LeafVectors | None = None,
    thresholds: Thresholds | None = None,
    judge: Judge | None = None,
) -> GrowReport:
    """Bring the artifact forest up to what `grow` has noted as due, within the caller's write transaction.

    Args:
        connection: in a write transaction, after `grow`.
        summarizer: as for `grow`.
        encoder: whose vectors these are; components clustered by others, or by none, are clustered again.
        vectors: looks up leaves' vectors; without it, or without thresholds, a component is one cluster.
        thresholds: of the encoder, from `thresholds_for`.
        judge: settles borderline pairs of clusters; without one they stay apart.
    """
    if vectors is None or thresholds is None:
        encoder, vectors = "", None
    else:
        connection.execute(
            "INSERT OR IGNORE INTO component_due SELECT value FROM component WHERE encoder != ?", (encoder,)
        )
    parter = _Parter(connection, encoder, vectors, thresholds, judge)
    grower = Grower(connection, summarizer)
    components = Components(connection, grower.grove.names)
    leaves_looked_at = 0
    for (value,) in connection.execute("SELECT value FROM component_due ORDER BY value").fetchall():
        present = components.of(value)
        before = {row[0] for row in connection.execute("SELECT scope FROM component WHERE value = ?", (value,))}
        for scope in sorted(before | present.keys()):
            leaves = present.get(scope, _NO_LEAVES)
            leaves_looked_at += len(leaves)
            groups, clustered_by = parter.part(value, leaves)
            _put_component(connection, value, scope, clustered_by, leaves)
            _put_trees(connection, grower, value, scope, groups)
    connection.execute("DELETE FROM component_due")
    grower.finish()
    return grower.report(leaves_looked_at)


def thresholds_for(connection: sqlite3.Connection, encoder: str, vectors: LeafVectors) -> Thresholds | None:
    """The thresholds of an encoder in this memory: taken once, from a sample of leaves, and kept from then on.

    None while too few leaves have vectors. Thresholds that moved with every batch would part the same records
    differently each time; so they outlive a rebuild too.
    """
    row = connection.execute(
        "SELECT spread, merged, borderline FROM threshold WHERE encoder = ?", (encoder,)
    ).fetchone()
    if row is not None:
        return Thresholds(*row)
    rows = connection.execute("SELECT id, source, key FROM leaf WHERE head > 0 AND NOT event")
    drawn = nsmallest(SAMPLE, ((_lot(source, key), leaf) for leaf, source, key in rows))
    sample = vectors([leaf for _, leaf in drawn])
    sample = sample[~np.isnan(sample[:, 0])]
    if len(sample) < SAMPLE_MIN:
        return None
    found = thresholds_from(sample)
    connection.execute(
        "INSERT INTO threshold VALUES (?, ?, ?, ?)", (encoder, found.spread, found.merge, found.borderline)
    )
    return found


def _lot(source: str, key: str) -> bytes:
    """Which leaves are drawn for a sample follows from their names, never from their order of arrival."""
    return hashlib.blake2b(f"{source}\n{key}".encode(), digest_size=8).digest()


class _Parter:
    """Parts components into the clusters that are kept."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        encoder: str,
        vectors: LeafVectors | None,
        thresholds: Thresholds | None,
        judge: Judge | None,
    ) -> None:
        self._db = connection
        self._encoder = encoder
        self._vectors = vectors
        self._thresholds = thresholds
        self._verdicts = Verdicts(connection, judge)

    def part(self, value: str, leaves: NDArray[np.int32]) -> tuple[list[NDArray[np.int32]], str]:
        """The clusters to keep, by their first leaf; and whose vectors parted them, empty if any are to come."""
        if not self._is_kept(leaves):
            return [], self._encoder
        if self._vectors is None or self._thresholds is None:
            return [leaves], ""
        found = self._vectors(leaves.tolist())

        def same(one: list[int], other: list[int]) -> bool:
            return self._verdicts.same(value, leaves[one].tolist(), leaves[other].tolist())

        groups = [leaves[rows] for rows in clusters(found, self._thresholds, same)]
        waiting = self._waits(leaves[np.isnan(found[:, 0])])
        return [group for group in groups if self._is_kept(group)], "" if waiting else self._encoder

    def _is_kept(self, leaves: NDArray[np.int32]) -> bool:
        """Whether leaves are enough, and report enough steps, to be the life of something."""
        if len(leaves) < LEAVES_MIN:
            return False
        (steps,) = self._db.execute(
            "SELECT count(DISTINCT name) FROM json_each(?) j CROSS JOIN transition t ON t.leaf = j.value",
            (json.dumps(leaves.tolist()),),
        ).fetchone()
        return bool(steps >= TRANSITIONS_MIN)

    def _waits(self, without: NDArray[np.int32]) -> bool:
        """Whether any of these leaves will have a vector once it is encoded; what has no passage never will."""
        row = self._db.execute(
            "SELECT 1 FROM json_each(?) j CROSS JOIN leaf l ON l.id = j.value"
            " CROSS JOIN passage p ON p.record = l.head LIMIT 1",
            (json.dumps(without.tolist()),),
        ).fetchone()
        return row is not None


def _put_component(
    connection: sqlite3.Connection, value: str, scope: int, encoder: str, leaves: NDArray[np.int32]
) -> None:
    if leaves.size:
        connection.execute(
            "INSERT OR REPLACE INTO component (value, scope, encoder, leaves) VALUES (?, ?, ?, ?)",
            (value, scope, encoder, leaves.astype("<i4").tobytes()),
        )
    else:
        connection.execute("DELETE FROM component WHERE value = ? AND scope = ?", (value, scope))


def _put_trees(
    connection: sqlite3.Connection, grower: Grower, value: str, scope: int, groups: list[NDArray[np.int32]]
) -> None:
    """Give the artifact's trees these leaves; trees of clusters that are no more go."""
    first = grower.grove.artifact_plot(value, scope, 1)
    (stored,) = connection.execute(
        "SELECT count(*) FROM tree WHERE view = ? AND (key = ? OR key >= ? AND key < ?)",
        (View.ARTIFACT, first.key, f"{first.key}~", f"{first.key}~:"),
    ).fetchone()
    for number in range(1, max(stored, len(groups)) + 1):
        leaves = groups[number - 1] if number <= len(groups) else _NO_LEAVES
        # What these leaves say may have changed since; ids tell, and nodes that are the same keep their summaries.
        grower.replace(grower.grove.artifact_plot(value, scope, number), leaves, leaves)
