"""Trees and branches in the database: found by natural key, made when first needed, removed when empty."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.forest.branches import Branch, Rows
from treering.forest.kinds import KINDS, Kind, View, actor_path, natural_key, natural_parts, part_title, thread_label
from treering.forest.names import Names

__all__ = ["BranchRow", "Grove", "Plot"]


@dataclass(frozen=True, slots=True)
class Plot:
    """The place of a branch before it has leaves: which tree, which path in it, and under what names."""

    view: View
    key: str  # of the tree
    label: str
    subject: int
    channel: int = 0
    path: str = ""
    title: str = ""
    scope: int = 0

    @property
    def kind(self) -> Kind:
        """The forest that the tree stands in."""
        return KINDS[self.view]

    @property
    def place(self) -> str:
        """View, tree key and path: what node ids are parted by."""
        return f"{self.view} {self.key} {self.path}"


@dataclass(frozen=True, slots=True)
class BranchRow:
    """A branch as stored; id 0 when it is not yet."""

    id: int
    tree: int
    branch: Branch


class Grove:
    """Reads and writes trees and branches within the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self.names = Names(connection)
        self._trees: dict[tuple[View, str], int] = {}

    # Plots, from ids

    def channel_plot(self, channel: int) -> Plot:
        """The one branch of a channel's tree."""
        named = self.names.channel(channel)
        return Plot(View.CHANNEL, named.key, named.name, channel, channel, title=named.name)

    def thread_plot(self, channel: int, thread: str) -> Plot:
        """The one branch of a thread's tree."""
        named = self.names.channel(channel)
        label = thread_label(named.name, thread)
        return Plot(View.THREAD, f"{named.key}/{natural_key(thread)}", label, channel, channel, title=label)

    def actor_plot(self, actor: int, part: str, channel: int) -> Plot:
        """What an actor wrote in a channel, or was mentioned in there."""
        named, where = self.names.actor(actor), self.names.channel(channel)
        title = part_title(named.name, part, where.name)
        return Plot(View.ACTOR, named.key, named.name, actor, channel, actor_path(part, where.key), title)

    def artifact_plot(self, value: str, scope: int, number: int) -> Plot:
        """The one branch of an artifact's tree: of an identifier, within all public channels or one other."""
        where = self.names.channel(scope).key if scope else "public"
        key = f"{where}/{natural_key(value)}" + (f"~{number}" if number > 1 else "")
        return Plot(View.ARTIFACT, key, value, 0, title=value, scope=scope)

    def plot_of(self, branch: int) -> Plot:
        """The plot of a stored branch, under present names."""
        view, key, subject, scope, channel, path = self._db.execute(
            "SELECT t.view, t.key, t.subject, t.scope, b.channel, b.path FROM branch b JOIN tree t ON t.id = b.tree"
            " WHERE b.id = ?",
            (branch,),
        ).fetchone()
        match View(view):
            case View.CHANNEL:
                return self.channel_plot(channel)
            case View.THREAD:
                return self.thread_plot(channel, natural_parts(key)[-1])
            case View.ACTOR:
                return self.actor_plot(subject, path.partition("/")[0], channel)
            case View.ARTIFACT:
                value, _, number = key.rpartition("/")[2].partition("~")
                return self.artifact_plot(natural_parts(value)[0], scope, int(number or 1))

    # Branches

    def branch(self, plot: Plot) -> BranchRow:
        """The branch on a plot; empty, with id 0, where there is none yet. Its tree exists afterwards."""
        tree = self._tree(plot)
        row = self._db.execute(
            "SELECT id, leaves, nodes, summaries, texts FROM branch WHERE tree = ? AND path = ?", (tree, plot.path)
        ).fetchone()
        if row is None:
            return BranchRow(0, tree, Branch.over(np.zeros(0, dtype=np.int32)))
        return BranchRow(row[0], tree, Branch.from_blobs(*row[1:]))

    def save(self, plot: Plot, row: BranchRow) -> None:
        """Store a branch that has leaves."""
        if row.id:
            self._db.execute(
                "UPDATE branch SET leaves = ?, nodes = ?, summaries = ?, texts = ? WHERE id = ?",
                (*row.branch.blobs(), row.id),
            )
        else:
            self._db.execute(
                "INSERT INTO branch (tree, path, channel, leaves, nodes, summaries, texts)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (row.tree, plot.path, plot.channel, *row.branch.blobs()),
            )

    def remove(self, row: BranchRow) -> None:
        """Delete a branch that lost its last leaf; its tree goes with `remove_tree`."""
        self._db.execute("DELETE FROM branch WHERE id = ?", (row.id,))

    def holding(self, leaves: NDArray[np.int32], views: Iterable[View]) -> Iterator[tuple[int, NDArray[np.int32]]]:
        """Branches with any of the leaves (ascending), and which. Reads every branch's leaves: 4 bytes a placement."""
        if not leaves.size:
            return
        marks = ", ".join(f"'{view}'" for view in views)
        for branch, blob in self._db.execute(
            f"SELECT b.id, b.leaves FROM branch b JOIN tree t ON t.id = b.tree WHERE t.view IN ({marks})"
        ):
            held = np.frombuffer(blob, dtype="<i4")
            at = np.minimum(np.searchsorted(leaves, held), leaves.size - 1)
            found = leaves[at] == held
            if found.any():
                yield branch, np.unique(held[found]).astype(np.int32)

    # Trees

    def _tree(self, plot: Plot) -> int:
        known = self._trees.get((plot.view, plot.key))
        if known is not None:
            return known
        row = self._db.execute(
            "SELECT id, label FROM tree WHERE view = ? AND key = ?", (plot.view, plot.key)
        ).fetchone()
        if row is None:
            cursor = self._db.execute(
                "INSERT INTO tree (view, key, label, scope, subject, nodes, summaries, texts)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (plot.view, plot.key, plot.label, plot.scope, plot.subject, b"", b"", b""),
            )
            tree = int(cursor.lastrowid or 0)
        else:
            tree = int(row[0])
            if row[1] != plot.label:
                self._db.execute("UPDATE tree SET label = ? WHERE id = ?", (plot.label, tree))
        if plot.kind.parts:  # an actor's tree is met once for each channel; others once
            self._trees[plot.view, plot.key] = tree
        return tree

    def fixed_rows(self, tree: int) -> Rows:
        """The fixed nodes of a tree: its root, then its parts, a part that is not there as zeros."""
        return Rows.from_blobs(
            *self._db.execute("SELECT nodes, summaries, texts FROM tree WHERE id = ?", (tree,)).fetchone()
        )

    def save_fixed(self, tree: int, rows: Rows) -> None:
        """Store the fixed nodes of a tree."""
        self._db.execute("UPDATE tree SET nodes = ?, summaries = ?, texts = ? WHERE id = ?", (*rows.blobs(), tree))

    def roots(self, tree: int, part: str) -> Rows:
        """The roots of the branches of a part, in order of their paths."""
        rows = self._db.execute(
            "SELECT substr(nodes, -16), substr(summaries, -16), substr(texts, -16) FROM branch"
            " WHERE tree = ? AND path >= ? AND path < ? ORDER BY path",
            (tree, f"{part}/", f"{part}0"),
        ).fetchall()
        return Rows.from_blobs(*(b"".join(column) for column in zip(*rows, strict=True))) if rows else Rows.blank(0)

    def remove_tree(self, tree: int, plot: Plot) -> None:
        """Delete a tree that lost its last branch."""
        self._trees.pop((plot.view, plot.key), None)
        self._db.execute("DELETE FROM tree WHERE id = ?", (tree,))
