"""Growing the forests by a batch of records: what changed is merged in, and only what stands above it is done again.

Whatever the order in which records arrive and however they are split into batches, the forests come out the same, node
for node. Artifacts need vectors and grow apart, in `artifacts`.
"""

import hashlib
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.forest.branches import Rows
from treering.forest.components import note_due, note_due_near, note_due_of_channels, note_due_of_old
from treering.forest.gardener import Gardener, Spot
from treering.forest.grove import BranchRow, Grove, Plot
from treering.forest.kinds import View, natural_parts, part_title
from treering.forest.merge import merged
from treering.forest.names import Renamed, note_renames, note_summarizer
from treering.forest.relations import note_relations
from treering.forest.staging import Place, dirty_leaves_known, places, stage
from treering.forest.summaries import Summarizer

__all__ = ["GROWN_VIEWS", "GrowReport", "Grower", "forest_digest", "grow"]

GROWN_VIEWS = (View.CHANNEL, View.ACTOR, View.THREAD)
_NO_LEAVES: NDArray[np.int32] = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class GrowReport:
    """What a batch cost."""

    leaves: int  # that the batch touched
    branches: int  # that were written or removed
    trees: int  # that they belong to
    nodes_new: int
    nodes_summarized: int  # fewer than `nodes_new` where a summary was stored already; more after a rename


def grow(
    connection: sqlite3.Connection,
    since: int,
    upto: int,
    *,
    summarizer: Summarizer,
    views: Collection[View] = GROWN_VIEWS,
) -> GrowReport:
    """Bring the forests from record `since` to record `upto`, within the caller's write transaction."""
    leaves = stage(connection, since, upto)
    known = dirty_leaves_known(connection)
    note_due_of_old(connection, known)
    note_relations(connection)
    renamed = note_renames(connection)
    grower = Grower(connection, summarizer)
    rewritten = _renamed_branches(connection, renamed)
    if note_summarizer(connection, summarizer.name):
        rewritten = {row[0] for row in connection.execute("SELECT id FROM branch")}
    grower.expect(dict(grower.grove.holding(known, views)), rewritten)
    for place, incoming in places(connection, views):
        grower.regrow(_plot(grower.grove, place), incoming)
    grower.finish()
    note_due(connection)
    note_due_of_channels(connection, renamed.reopened)
    return grower.report(leaves)


def forest_digest(connection: sqlite3.Connection) -> bytes:
    """A hash over all trees in natural order: equal forests, equal digests, whatever order their records came in."""
    digest = hashlib.blake2b()
    rows = connection.execute(
        "SELECT t.view, t.key, t.nodes, b.path, b.nodes FROM tree t CROSS JOIN branch b ON b.tree = t.id"
        " ORDER BY t.view, t.key, b.path"
    )
    for view, key, fixed, path, nodes in rows:
        digest.update(f"{view}\n{key}\n{path}\n{len(nodes)}\n".encode())
        digest.update(fixed + nodes)
    return digest.digest()


def _plot(grove: Grove, place: Place) -> Plot:
    channel, part, subject, thread = place
    match part:
        case "channel":
            return grove.channel_plot(channel)
        case "thread":
            return grove.thread_plot(channel, thread)
        case _:
            return grove.actor_plot(subject, part, channel)


def _renamed_branches(connection: sqlite3.Connection, renamed: Renamed) -> set[int]:
    """Branches whose summaries show a name that changed; artifacts show the channels of all that they cover."""
    found: set[int] = set()
    for channel in renamed.channels:
        rows = connection.execute(
            "SELECT id FROM branch WHERE channel = ?1 UNION SELECT b.id FROM branch b JOIN tree t ON t.id = b.tree"
            " WHERE t.view = 'artifact' AND t.scope IN (0, ?1)",
            (channel,),
        )
        found.update(row[0] for row in rows)
    for actor in renamed.actors:
        rows = connection.execute(
            "SELECT b.id FROM tree t JOIN branch b ON b.tree = t.id WHERE t.view = 'actor' AND t.subject = ?", (actor,)
        )
        found.update(row[0] for row in rows)
    return found


class Grower:
    """Regrows branches one by one, then the fixed nodes above them."""

    def __init__(self, connection: sqlite3.Connection, summarizer: Summarizer) -> None:
        self.grove = Grove(connection)
        self._db = connection
        self._gardener = Gardener(connection, summarizer)
        self._held: dict[int, NDArray[np.int32]] = {}
        self._renamed: set[int] = set()
        self._branches = 0
        self._trees: dict[int, Plot] = {}
        self._renamed_trees: set[int] = set()

    def expect(self, held: dict[int, NDArray[np.int32]], renamed: set[int]) -> None:
        """Announce stored branches that need work even if no leaf comes to them: changed leaves, stale summaries."""
        self._held, self._renamed = held, renamed

    def regrow(self, plot: Plot, incoming: NDArray[np.int32]) -> None:
        """Merge leaves, in order, into the branch of a plot; changed ones that do not come again are taken out."""
        row = self.grove.branch(plot)
        dirty = self._held.pop(row.id, _NO_LEAVES)
        leaves = merged(row.branch.leaves, dirty, incoming, self._gardener.order_key)
        if plot.view is View.THREAD and len(leaves) == 1 and self._is_bare_root(plot, int(leaves[0])):
            leaves = _NO_LEAVES
        elif plot.view is View.THREAD and row.id:
            note_due_near(self._db, leaves, incoming)
        self._put(plot, row, leaves, dirty)

    def replace(self, plot: Plot, leaves: NDArray[np.int32], dirty: NDArray[np.int32]) -> None:
        """Give the branch of a plot these leaves, in order, whatever it had; none removes it."""
        self._put(plot, self.grove.branch(plot), leaves, dirty)

    def finish(self) -> None:
        """Regrow what was announced and not met, then the fixed nodes of every tree that changed."""
        for branch in sorted(self._held.keys() | self._renamed):
            self.regrow(self.grove.plot_of(branch), _NO_LEAVES)
        for tree, plot in self._trees.items():
            if plot.kind.parts:
                self._top(tree, plot)

    def report(self, leaves: int) -> GrowReport:
        """What it all cost."""
        return GrowReport(
            leaves, self._branches, len(self._trees), self._gardener.nodes_new, self._gardener.nodes_summarized
        )

    def _put(self, plot: Plot, row: BranchRow, leaves: NDArray[np.int32], dirty: NDArray[np.int32]) -> None:
        renamed = row.id in self._renamed
        self._renamed.discard(row.id)
        if row.id and not dirty.size and not renamed and np.array_equal(leaves, row.branch.leaves):
            return
        self._branches += 1
        self._trees[row.tree] = plot
        if renamed:
            self._renamed_trees.add(row.tree)
        if leaves.size:
            spot = Spot(plot.kind, plot.place, plot.title, renamed)
            self.grove.save(plot, BranchRow(row.id, row.tree, self._gardener.branch(spot, row.branch, leaves, dirty)))
        else:
            self._gardener.forget(row.branch.rows)
            self.grove.remove(row)
            if not plot.kind.parts:
                self.grove.remove_tree(row.tree, plot)

    def _top(self, tree: int, plot: Plot) -> None:
        """Regrow the root and the parts of a tree with fixed levels."""
        parts = [(part, self.grove.roots(tree, part)) for part in plot.kind.parts]
        before = self.grove.fixed_rows(tree)
        if not any(len(roots) for _, roots in parts):
            self._gardener.forget(before)
            self.grove.remove_tree(tree, plot)
            return
        renamed = tree in self._renamed_trees
        rows = [Rows.blank(1)]
        for slot, (part, roots) in enumerate(parts, start=1):
            spot = Spot(plot.kind, f"{plot.view} {plot.key} {part}", part_title(plot.label, part), renamed)
            rows.append(self._gardener.fixed(spot, roots, before.part(slot, slot + 1)))
        spot = Spot(plot.kind, f"{plot.view} {plot.key} ", plot.label, renamed)
        present = Rows.joined([row for row in rows if row.nodes.any()])
        rows[0] = self._gardener.fixed(spot, present, before.part(0, 1))
        self.grove.save_fixed(tree, Rows.joined(rows))

    def _is_bare_root(self, plot: Plot, leaf: int) -> bool:
        """Whether a leaf is the root of the thread itself: without a reply it makes no thread."""
        source, key = self._db.execute("SELECT source, key FROM leaf WHERE id = ?", (leaf,)).fetchone()
        of_source, _, thread = natural_parts(plot.key)
        return (source, key) == (of_source, thread)
