"""Which nodes a model has yet to write about, in the order in which it can: leaves first, roots last.

A node is stale when the key of its summary is not the one that the model's would have. Reads only.
"""

import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from treering.forest.branches import Branch, Rows
from treering.forest.grove import Grove
from treering.forest.kinds import KINDS, Kind, View, part_title
from treering.forest.layout import K, level_counts
from treering.forest.leaves import LeafReader
from treering.forest.modelled import ModelSummarizer
from treering.forest.summaries import SummaryStore, summary_key

__all__ = ["PASSES", "Stale", "prompt_for", "stale_nodes"]

_FIXED_PASSES = ("part", "root")
_HEIGHTS_MAX = 8  # a branch of four thousand million leaves
PASSES: tuple[int | str, ...] = (*range(1, _HEIGHTS_MAX + 1), *_FIXED_PASSES)


@dataclass(frozen=True, slots=True)
class Stale:
    """A node whose summary is to be written: where it is stored, what it stands over, and the key wanted."""

    table: str  # "branch" or "tree"
    id: int
    row: int  # in the blobs stored there
    kind: Kind
    title: str
    summary: bytes  # the key of what there is
    wanted: bytes
    leaves: tuple[int, ...]  # of a level-1 node
    children: tuple[bytes, ...]  # keys of the summaries below any other


def stale_nodes(
    connection: sqlite3.Connection, summarizer: ModelSummarizer, at: int | str, views: Collection[View]
) -> Iterator[Stale]:
    """The stale nodes of one pass: a height above the leaves, or the parts or the roots of trees that have such.

    Nodes of a pass stand over those of earlier passes only.
    """
    marks = ", ".join(f"'{view}'" for view in views)
    if isinstance(at, int):
        fewer = K ** (at - 1) if at > 1 else 0  # with so many leaves a branch is not that high
        rows = connection.execute(
            f"SELECT b.id FROM branch b JOIN tree t ON t.id = b.tree WHERE t.view IN ({marks})"
            " AND length(b.leaves) / 4 > ? ORDER BY b.id",
            (fewer,),
        ).fetchall()
        grove = Grove(connection)
        for (branch,) in rows:
            yield from _of_branch(connection, grove, summarizer, branch, at)
        return
    grove = Grove(connection)
    trees = f"SELECT id, view, label FROM tree WHERE view IN ({marks}) AND length(nodes) > 0 ORDER BY id"
    for tree, view, label in connection.execute(trees).fetchall():
        yield from _of_tree(grove, summarizer, tree, KINDS[View(view)], label, at)


def prompt_for(summarizer: ModelSummarizer, one: Stale, reader: LeafReader, store: SummaryStore) -> str:
    """What the model is to be asked for a node; empty where it need not be."""
    if one.leaves:
        reader.fetch(one.leaves)
        return summarizer.prompt_of_leaves(one.kind, one.title, [reader.leaf(leaf) for leaf in one.leaves])
    if len(one.children) < 2:
        return ""
    return summarizer.prompt_of_nodes(one.kind, one.title, [store.get(key) for key in one.children])


def _of_branch(
    connection: sqlite3.Connection, grove: Grove, summarizer: ModelSummarizer, id_: int, height: int
) -> Iterator[Stale]:
    blobs = connection.execute("SELECT leaves, nodes, summaries, texts FROM branch WHERE id = ?", (id_,)).fetchone()
    branch, plot = Branch.from_blobs(*blobs), grove.plot_of(id_)
    counts = level_counts(len(branch.leaves))
    start, below = sum(counts[: height - 1]), sum(counts[: max(height - 2, 0)])
    name = summarizer.name_of(plot.kind, over_leaves=height == 1)
    for place in range(counts[height - 1]):
        row = start + place
        has = branch.rows.summaries[row].tobytes()
        wanted = summary_key(branch.rows.nodes[row].tobytes(), plot.title, name)
        if has == wanted:
            continue
        first, last = place * K, (place + 1) * K
        leaves: tuple[int, ...] = tuple(branch.leaves[first:last].tolist()) if height == 1 else ()
        children = () if leaves else _keys(branch.rows, below + first, min(below + last, start))
        yield Stale("branch", id_, row, plot.kind, plot.title, has, wanted, leaves, children)


def _of_tree(grove: Grove, summarizer: ModelSummarizer, tree: int, kind: Kind, label: str, at: str) -> Iterator[Stale]:
    rows = grove.fixed_rows(tree)
    name = summarizer.name_of(kind, over_leaves=False)
    for row in range(1, len(rows)) if at == "part" else (0,):
        node = rows.nodes[row].tobytes()
        if not any(node):  # a part that this tree does not have
            continue
        title = part_title(label, kind.parts[row - 1]) if row else label
        has, wanted = rows.summaries[row].tobytes(), summary_key(node, title, name)
        if has == wanted:
            continue
        if row:
            roots = grove.roots(tree, kind.parts[row - 1])
            children = _keys(roots, 0, len(roots))
        else:
            children = tuple(key for key in _keys(rows, 1, len(rows)) if any(key))
        yield Stale("tree", tree, row, kind, title, has, wanted, (), children)


def _keys(rows: Rows, start: int, stop: int) -> tuple[bytes, ...]:
    return tuple(rows.summaries[row].tobytes() for row in range(start, stop))
