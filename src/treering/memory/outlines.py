"""A tree as a person reads it: from a name to labels, counts and summaries, within a viewer's bounds."""

import numpy as np

from treering.access.bounds import Admissible
from treering.errors import AmbiguousName, UnknownName, UsageError
from treering.forest.kinds import View
from treering.log.registry import folded
from treering.model.outline import Outline
from treering.retrieval.searchable import Searchable

__all__ = ["outline"]

LEAF_CHARS = 160
_TABLES = {View.CHANNEL: "channel", View.ACTOR: "actor"}


def outline(memory: Searchable, name: str, depth: int, masks: Admissible) -> Outline:
    """The tree that `channel:NAME`, `actor:NAME` or `artifact:ID` means, `depth` levels below its root.

    Raises:
        UsageError: the name is of another form.
        UnknownName: there is no such tree, or nothing in it is visible.
    """
    view, colon, wanted = name.partition(":")
    if not colon or view not in (View.CHANNEL, View.ACTOR, View.ARTIFACT):
        raise UsageError(f"{name!r}: name a tree as channel:NAME, actor:NAME or artifact:ID")
    tree = _find(memory, View(view), wanted, masks)
    return _Outliner(memory, masks).node(int(memory.forest.tree_root[tree]), depth, memory.title(tree))


def _find(memory: Searchable, view: View, wanted: str, masks: Admissible) -> int:
    forest = memory.forest
    visible = np.concatenate([[0], np.cumsum(masks.leaves[forest.leaves])])
    held = visible[forest.tree_first[1:]] - visible[forest.tree_first[:-1]]
    trees = [i for i, tree in enumerate(forest.trees) if tree.view == view and held[i] > 0]
    if view is View.ARTIFACT:
        found = [i for i in trees if folded(forest.trees[i].label) == folded(wanted)]
        found = found or [i for i in trees if forest.trees[i].key == wanted]
    else:
        found = [i for i in trees if forest.trees[i].subject in _subjects(memory, view, wanted)]
        if len(found) > 1:
            ids = ", ".join(_spelt(memory, view, forest.trees[i].subject) for i in found)
            raise AmbiguousName(f"{len(found)} {view}s are called {wanted!r}: {ids}. Give one of these ids")
    if not found:
        raise UnknownName(f"no {view} tree is called {wanted!r} here")
    return max(found, key=lambda i: (held[i], -i))


def _subjects(memory: Searchable, view: View, wanted: str) -> set[int]:
    """Every channel or actor that a name or id means; which of them the viewer may know of is not asked here."""
    table = _TABLES[view]
    rows = memory.connection.execute(
        f"SELECT id FROM {table} WHERE native = ?1 OR source || '/' || native = ?1"
        f" UNION SELECT {table} FROM {table}_name WHERE folded = ?2",
        (wanted, folded(wanted)),
    )
    return {row[0] for row in rows}


def _spelt(memory: Searchable, view: View, subject: int) -> str:
    source, native = memory.connection.execute(
        f"SELECT source, native FROM {_TABLES[view]} WHERE id = ?", (subject,)
    ).fetchone()
    return f"{source}/{native}"


class _Outliner:
    def __init__(self, memory: Searchable, masks: Admissible) -> None:
        self._memory = memory
        self._masks = masks
        self._whole = memory.forest.wholly_admissible_nodes(masks.whole)

    def node(self, node: int, depth: int, label: str) -> Outline:
        forest = self._memory.forest
        leaves = forest.leaves_below(node)
        rows = [int(row) for row in self._masks.leaf_record[leaves] if row >= 0]
        texts = forest.summary_texts(self._memory.connection, [node] if self._whole[node] else [])
        children: list[Outline] = []
        if depth > 0 and rows:
            below = forest.children(node)
            if len(below):
                children = [self.node(int(child), depth - 1, self._label(int(child))) for child in below]
            else:
                children = self._leaves(rows)
        return Outline(label, len(rows), texts.get(node, ""), tuple(child for child in children if child.leaves))

    def _label(self, node: int) -> str:
        columns = self._memory.columns
        forest = self._memory.forest
        leaves = forest.leaves_below(node)
        leaves = leaves[self._masks.leaves[leaves]]
        times = columns.leaf_first_at[leaves].astype("datetime64[us]").astype("datetime64[D]")
        if not len(times):
            return ""
        return f"{times.min()} to {times.max()}"

    def _leaves(self, rows: list[int]) -> list[Outline]:
        shown = []
        for record in self._memory.log.records([row + 1 for row in rows]):
            text = " ".join(record.text.split())
            text = text if len(text) <= LEAF_CHARS else f"{text[:LEAF_CHARS]}…"
            shown.append(Outline(f"{record.id} {record.valid_from:%Y-%m-%d %H:%M} {record.author_name}: {text}", 1, ""))
        return shown
