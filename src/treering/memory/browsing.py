"""Looking around in a memory through somebody's eyes: its channels, participants, trees and timelines.

Every list, count and date is made from the records that the bounds admit, and from nothing else: what a viewer may not
see leaves no trace here (DESIGN law 5). Nothing is ranked.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.access.bounds import Admissible, Bounds, admissible, may_read
from treering.errors import AmbiguousName, UnknownName
from treering.forest.kinds import View
from treering.log.registry import Registry, folded
from treering.memory.versions import state_of
from treering.model.browsing import Audience, Extent, ListedActor, ListedChannel, ListedTree, ShownRecord
from treering.model.drafts import ChannelKind
from treering.model.records import Actor, Channel, Record, instant
from treering.retrieval.searchable import Searchable
from treering.text.lifecycle import transitions

__all__ = ["Browser"]

_NAMED: Final = {View.CHANNEL: "channel", View.ACTOR: "actor"}


class Browser:
    """A memory at one position of its log, within bounds; valid only inside `Memory.browsing`."""

    def __init__(self, memory: Searchable, bounds: Bounds, find: Callable[[str], Record]) -> None:
        self.memory = memory
        self.bounds = bounds
        self.find = find  # the one record within the bounds that a name means; else UnknownName, whatever the reason

    @cached_property
    def masks(self) -> Admissible:
        """What the bounds admit."""
        return admissible(self.memory.columns, self.memory.channels, self.bounds)

    def extent(self) -> Extent:
        """How much is visible in all."""
        times = self.memory.columns.record_valid_from[self.masks.records]
        return Extent(
            records=len(times),
            channels=len(self._readable()),
            actors=len(self.known_actors),
            first=instant(int(times.min())) if len(times) else None,
            last=instant(int(times.max())) if len(times) else None,
        )

    # Channels and participants

    def channels(self) -> list[ListedChannel]:
        """The channels that the viewer may read, in natural order; those without a record within the bounds too."""
        readable = self._readable()
        counted = self._counted(self.memory.columns.record_channel)
        members = {actor for channel in readable for actor in channel.members or ()}
        names = {actor.id: actor.name for actor in Registry(self.memory.connection).actors(members)}
        return [
            ListedChannel(
                f"{one.source}/{one.native}",
                one.name,
                one.kind,
                None if one.members is None or _is_open(one) else tuple(sorted(names[a] for a in one.members)),
                *counted(one.id),
            )
            for one in readable
        ]

    def actors(self) -> list[ListedActor]:
        """Who wrote what the viewer may see, and who is a member where they may read; by name."""
        counted = self._counted(self.memory.columns.record_author)
        found = [
            ListedActor(f"{one.source}/{one.native}", one.name, one.kind, *counted(one.id))
            for one in Registry(self.memory.connection).actors(self.known_actors)
        ]
        return sorted(found, key=lambda one: (one.name.casefold(), one.id))

    @cached_property
    def known_actors(self) -> set[int]:
        """Everybody for the owner; for others the authors of what they see, the members of where they may read."""
        if self._is_owner and self.bounds.as_of is None and self.bounds.known_at is None:
            return {int(one.id) for one in Registry(self.memory.connection).actors()}
        authors = set(np.unique(self.memory.columns.record_author[self.masks.records]).tolist())
        members = {int(actor) for channel in self._readable() for actor in channel.members or ()}
        return authors | members | ({int(self.bounds.viewer)} if self.bounds.viewer is not None else set())

    def audience(self, record: Record) -> Audience:
        """Who may see a record: the readers of where it stands now."""
        place = int(self.memory.columns.leaf_channel[record.leaf])
        channel = next(one for one in self.memory.channels if one.id == place)
        members = Registry(self.memory.connection).actors(channel.members or ())
        names = () if _is_open(channel) else tuple(sorted(one.name for one in members))
        return Audience(_is_open(channel), _is_open(channel) or channel.members is not None, names)

    # Trees

    def trees(self, view: View | None = None) -> list[ListedTree]:
        """The trees with something visible in them, in order of view and key."""
        forest = self.memory.forest
        return [
            ListedTree(tree.view.value, tree.key, tree.label, *self.span(forest.leaves[first:last]))
            for row, tree in enumerate(forest.trees)
            if self._leaves_of_tree[row] and view in (None, tree.view)
            for first, last in [forest.tree_first[row : row + 2].tolist()]
        ]  # fmt: skip

    def tree(self, view: View, name: str) -> int:
        """The row of the one visible tree that a key, a name or an id means.

        Raises:
            UnknownName: there is none, or nothing in it is visible.
        """
        trees = self.memory.forest.trees
        visible = [row for row in np.flatnonzero(self._leaves_of_tree).tolist() if trees[row].view is view]
        found = [row for row in visible if trees[row].key == name]
        if not found and view in _NAMED:
            subjects = self._subjects(_NAMED[view], name)
            found = [row for row in visible if trees[row].subject in subjects]
            if len(found) > 1:
                keys = ", ".join(trees[row].key for row in found)
                raise AmbiguousName(f"{len(found)} {view}s are called {name!r}: {keys}. Give one of these")
        elif not found:
            found = [row for row in visible if folded(trees[row].label) == folded(name)]
        if not found:
            raise UnknownName(f"no {view} tree is called {name!r} here")
        return max(found, key=lambda row: (self._leaves_of_tree[row], -row))

    def sees(self, tree: int) -> bool:
        """Whether something of a tree is visible."""
        return bool(self._leaves_of_tree[tree])

    def span(self, leaves: NDArray[np.int32]) -> tuple[int, datetime, datetime]:
        """How many of the leaves are visible, and the first and last time of those; there must be one."""
        rows = self.masks.leaf_record[leaves]
        times = self.memory.columns.record_valid_from[rows[rows >= 0]]
        return len(times), instant(int(times.min())), instant(int(times.max()))

    # Records

    def shown(self, records: Iterable[Record]) -> tuple[ShownRecord, ...]:
        """The records with the names beside them; what they point to is left out where the viewer may not see it."""
        held = list(records)
        names = {one.id: one.name for one in self.memory.channels}
        mentioned = {actor for record in held for actor in record.mentions}
        known = {one.id: one.name for one in self._actors(mentioned)}
        return tuple(
            ShownRecord(
                record,
                names[record.channel],
                state_of(record, self.memory.supersession, self.masks),
                tuple(known[actor] for actor in record.mentions if actor in known),
                *self._target(record),
                tuple(ref for ref in record.refs if self._points_to(record.source, ref) or self._is_owner),
                transitions(f"{record.title}\n{record.text}"),
            )
            for record in held
        )

    def of_leaves(self, leaves: Sequence[int] | NDArray[np.integer]) -> tuple[ShownRecord, ...]:
        """The admissible version of each leaf, in the order given."""
        rows = self.masks.leaf_record[np.asarray(leaves, dtype=np.int64)]
        return self.shown(self.memory.log.records((rows[rows >= 0] + 1).tolist(), self.masks.known))

    # Inside

    @property
    def _is_owner(self) -> bool:
        return self.bounds.viewer is None

    def _readable(self) -> list[Channel]:
        return [channel for channel in self.memory.channels if may_read(self.bounds.viewer, channel)]

    def _actors(self, ids: Iterable[int]) -> list[Actor]:
        return Registry(self.memory.connection).actors(self.known_actors.intersection(map(int, ids)))

    def _counted(self, column: NDArray[np.int32]) -> Callable[[int], tuple[int, datetime | None, datetime | None]]:
        """For a value of a column of records: how many admissible ones have it, the first and the last time."""
        rows = np.flatnonzero(self.masks.records)
        values = column[rows]
        times = self.memory.columns.record_valid_from[rows]
        size = int(values.max(initial=0)) + 1
        count = np.bincount(values, minlength=size)
        first = np.full(size, np.iinfo(np.int64).max)
        last = np.full(size, np.iinfo(np.int64).min)
        np.minimum.at(first, values, times)
        np.maximum.at(last, values, times)

        def counted(value: int) -> tuple[int, datetime | None, datetime | None]:
            if value >= size or not count[value]:
                return 0, None, None
            return int(count[value]), instant(int(first[value])), instant(int(last[value]))

        return counted

    @cached_property
    def _leaves_of_tree(self) -> NDArray[np.int64]:
        """How many leaves of each tree are visible; none where the tree itself is not there within the bounds."""
        forest = self.memory.forest
        visible = np.concatenate([[0], np.cumsum(self.masks.leaves[forest.leaves])])
        held: NDArray[np.int64] = visible[forest.tree_first[1:]] - visible[forest.tree_first[:-1]]
        held[~self.memory.trees_within(self.masks)] = 0
        for row in forest.find(View.ACTOR):  # who is only mentioned may be known from closed channels alone
            if forest.trees[row].subject not in self.known_actors:
                held[row] = 0
        return held

    def _subjects(self, table: str, name: str) -> set[int]:
        rows = self.memory.connection.execute(
            f"SELECT id FROM {table} WHERE native = ?1 OR source || '/' || native = ?1"
            f" UNION SELECT {table} FROM {table}_name WHERE folded = ?2",
            (name, folded(name)),
        )
        return {row[0] for row in rows}

    def _target(self, record: Record) -> tuple[str | None, int | None]:
        if record.reply_to is None:
            return None, None
        target = self._points_to(record.source, record.reply_to)
        return (record.reply_to if target or self._is_owner else None), target

    def _points_to(self, source: str, lineage: str) -> int | None:
        """The newest admissible record of the thing that a source's id means."""
        rows = self.memory.connection.execute(
            "SELECT id FROM record WHERE source = ? AND lineage = ? AND id <= ? ORDER BY valid_from, id",
            (source, lineage, self.memory.last),
        ).fetchall()
        return next((int(row[0]) for row in reversed(rows) if self.masks.records[row[0] - 1]), None)


def _is_open(channel: Channel) -> bool:
    """Whether everybody may read there."""
    return channel.kind is ChannelKind.PUBLIC
