"""Parts of a tree, stretches of a timeline, and what surrounds one record, within the bounds of a `Browser`.

A timeline is the visible leaves of a tree in order of time. A cursor is the place of a leaf in that order, told by its
time and number, so that what is logged meanwhile neither repeats nor hides a record.
"""

import re
from datetime import datetime
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.errors import UnknownName, UsageError
from treering.forest.kinds import View, part_title
from treering.memory.browsing import Browser
from treering.model.browsing import Context, Linked, Month, Node, Place, Stretch
from treering.model.records import micros

__all__ = ["branch", "context", "timeline"]

_AFTER: Final = "a"
_BEFORE: Final = "b"
_CURSOR: Final = re.compile(r"([ab])(-?[0-9]{1,18})\.([0-9]{1,18})")
_PATH: Final = re.compile(r"(?:[0-9]{1,6}(?:/[0-9]{1,6}){0,30})?")

Leaves = NDArray[np.int32]


def branch(browser: Browser, tree: int, path: str, depth: int) -> Node:
    """The node at `path` in a tree and what is visible `depth` levels below it; records hang below the last level.

    Raises:
        UnknownName: the path leads nowhere that is visible.
        UsageError: it is no path.
    """
    if not _PATH.fullmatch(path):
        raise UsageError(f"{path!r} is no path of a node; it looks like 0/2, counted from the root")
    forest = browser.memory.forest
    node, label = int(forest.tree_root[tree]), forest.trees[tree].label
    for step in path.split("/") if path else ():
        children = _children(browser, node)
        if int(step) >= len(children):
            raise UnknownName(f"the tree has no node {path!r} here")
        node, label = children[int(step)]
    return _node(browser, node, label, path, depth)


def timeline(
    browser: Browser, of: str, *, at: datetime | None, cursor: str | None, limit: int, newest: bool
) -> Stretch:
    """At most `limit` records of a place in order of time.

    Args:
        browser: the memory and the bounds.
        of: `channel:NAME`, `actor:NAME`, `artifact:ID`, `thread:KEY`, `record:ID` or nothing for all there is.
        at: where to begin; of a record, around it.
        cursor: `before` or `after` of another stretch; goes before `at`.
        limit: records at most.
        newest: the last stretch, where neither cursor nor time says where.

    Raises:
        UnknownName: there is no such place, or nothing of it is visible.
        UsageError: `of` or the cursor is of another form.
    """
    columns = browser.memory.columns
    label, leaves, centre = _line(browser, of)
    leaves = leaves[browser.masks.leaves[leaves]]
    leaves = leaves[np.argsort(columns.leaf_first_at[leaves], kind="stable")]
    times = columns.leaf_first_at[leaves]
    first, last = _window(leaves, times, cursor, at, centre, limit, newest=newest)
    return Stretch(
        label=label,
        total=len(leaves),
        records=browser.of_leaves(leaves[first:last]),
        before=f"{_BEFORE}{times[first]}.{leaves[first]}" if 0 < first < last else None,
        after=f"{_AFTER}{times[last - 1]}.{leaves[last - 1]}" if first < last < len(leaves) else None,
        months=_months(times),
    )


def context(browser: Browser, name: str) -> Context:
    """Who may see a record, where it hangs, and what bridges lead to.

    Raises:
        UnknownName: there is no such record, or the viewer may not see it.
    """
    record = browser.find(name)
    inside = browser.masks.whole & browser.masks.leaves
    places: tuple[Place, ...] = ()
    linked: list[Linked] = []
    if record.event is None and inside[record.leaf]:
        places = _places(browser, int(record.leaf))
        bridges = browser.memory.bridges.of(int(record.leaf), inside)
        others = browser.of_leaves([bridge.other for bridge in bridges])
        linked = [Linked(bridge.kind, bridge.identifier, other) for bridge, other in zip(bridges, others, strict=True)]
    return Context(browser.shown([record])[0], browser.audience(record), places, tuple(linked))


def _children(browser: Browser, node: int) -> list[tuple[int, str]]:
    """The visible nodes below a node, each with what it is called: the place it stands for, else its days."""
    forest = browser.memory.forest
    found = []
    for child in forest.children(node).tolist():
        leaves = forest.leaves_below(child)
        if browser.masks.leaves[leaves].any():
            _, first, last = browser.span(leaves)
            found.append((child, _fixed_label(browser, child) or f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"))
    return found


def _fixed_label(browser: Browser, node: int) -> str:
    """What a node on a fixed level of an actor's tree is called: its part, and below that its channel."""
    forest = browser.memory.forest
    row = int(forest.node_tree[node])
    tree = forest.trees[row]
    depth = len(forest.path(node)) - 1
    if tree.view is not View.ACTOR or depth not in (1, 2):
        return ""
    branches = browser.memory.connection.execute(
        "SELECT path, channel FROM branch WHERE tree = ? ORDER BY path", (tree.id,)
    ).fetchall()
    first = forest.position_branch[forest.tree_first[row]]
    path, channel = branches[forest.position_branch[forest.node_first[node]] - first]
    if depth == 1:
        return part_title(tree.label, path.partition("/")[0])
    return next(one.name for one in browser.memory.channels if one.id == channel)


def _node(browser: Browser, node: int, label: str, path: str, depth: int) -> Node:
    forest = browser.memory.forest
    leaves = forest.leaves_below(node)
    count, first, last = browser.span(leaves)
    below = _children(browser, node)
    is_whole = bool(browser.masks.whole[leaves].all())
    texts = forest.summary_texts(browser.memory.connection, [node] if is_whole else [])
    children: tuple[Node, ...] = ()
    if depth > 0:
        children = tuple(
            _node(browser, child, called, f"{path}/{place}".lstrip("/"), depth - 1)
            for place, (child, called) in enumerate(below)
        )
    records = browser.of_leaves(leaves) if depth > 0 and not below else ()
    return Node(path, label, count, first, last, texts.get(node, ""), bool(below), children, records)


def _line(browser: Browser, of: str) -> tuple[str, Leaves, int | None]:
    """The label and the leaves of a timeline, and the leaf that it is to be shown around."""
    forest = browser.memory.forest
    if not of:
        trees = forest.find(View.CHANNEL)
        return "everything", np.concatenate([np.zeros(0, np.int32), *(_leaves(browser, tree) for tree in trees)]), None
    kind, colon, name = of.partition(":")
    if not colon or kind not in (*(view.value for view in View), "record"):
        raise UsageError(f"{of!r}: name a timeline as channel:NAME, actor:NAME, artifact:ID, thread:KEY or record:ID")
    if kind != "record":
        tree = browser.tree(View(kind), name)
        return f"{kind} {forest.trees[tree].label}", _leaves(browser, tree), None
    leaf = int(browser.find(name).leaf)
    around = {forest.trees[tree].view: tree for tree in forest.trees_of(leaf).tolist()}
    tree_or_none = around.get(View.THREAD, around.get(View.CHANNEL))
    if tree_or_none is None or not browser.masks.leaves[leaf]:
        raise UnknownName(f"record {name!r} stands in no timeline: it is an event, or deleted")
    return f"{forest.trees[tree_or_none].view} {forest.trees[tree_or_none].label}", _leaves(browser, tree_or_none), leaf


def _leaves(browser: Browser, tree: int) -> Leaves:
    """The leaves of a tree, each once: what somebody wrote and is mentioned in hangs in their tree twice."""
    forest = browser.memory.forest
    leaves = forest.leaves[forest.tree_first[tree] : forest.tree_first[tree + 1]]
    _, first = np.unique(leaves, return_index=True)
    return leaves[np.sort(first)]


def _window(
    leaves: Leaves,
    times: NDArray[np.int64],
    cursor: str | None,
    at: datetime | None,
    centre: int | None,
    limit: int,
    *,
    newest: bool,
) -> tuple[int, int]:
    """The range of places to show."""
    if cursor is not None:
        found = _CURSOR.fullmatch(cursor)
        if found is None:
            raise UsageError(f"{cursor!r} is no cursor; give `before` or `after` of a reply, as it was")
        side, time, leaf = found[1], int(found[2]), int(found[3])
        here = np.flatnonzero(leaves == leaf)
        if side == _BEFORE:
            stop = int(here[0]) if len(here) else int(np.searchsorted(times, time, side="left"))
            return max(0, stop - limit), stop
        start = int(here[0]) + 1 if len(here) else int(np.searchsorted(times, time, side="right"))
    elif at is not None:
        start = int(np.searchsorted(times, micros(at), side="left"))
    elif centre is not None:
        start = max(0, min(int(np.flatnonzero(leaves == centre)[0]) - limit // 2, len(leaves) - limit))
    else:
        start = max(0, len(leaves) - limit) if newest else 0
    return start, min(start + limit, len(leaves))


def _months(times: NDArray[np.int64]) -> tuple[Month, ...]:
    months, counts = np.unique(times.astype("datetime64[us]").astype("datetime64[M]"), return_counts=True)
    return tuple(Month(str(month), int(count)) for month, count in zip(months, counts, strict=True))


def _places(browser: Browser, leaf: int) -> tuple[Place, ...]:
    forest = browser.memory.forest
    found = []
    for placement in forest.placements(leaf):
        tree = forest.trees[placement.tree]
        if browser.sees(placement.tree):
            nodes = forest.path(placement.parent)
            below = (dict(_children(browser, above))[node] for above, node in pairwise(nodes))
            found.append(Place(tree.view.value, tree.key, tree.label, (tree.label, *below)))
    return tuple(found)
