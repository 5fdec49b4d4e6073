"""What a person sees who looks around in a memory: lists, trees and timelines, already within somebody's bounds.

Every count and date here is that of the admissible part; nothing here tells what else there is.
"""

from dataclasses import dataclass
from datetime import datetime

from treering.model.drafts import ActorKind, ChannelKind
from treering.model.records import Record

__all__ = [
    "Audience",
    "Context",
    "Extent",
    "Linked",
    "ListedActor",
    "ListedChannel",
    "ListedTree",
    "Month",
    "Node",
    "Place",
    "ShownRecord",
    "Stretch",
]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a memory is visible."""

    records: int
    channels: int
    actors: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class ListedChannel:
    """A channel that the viewer may read."""

    id: str  # SOURCE/ID
    name: str
    kind: ChannelKind
    members: tuple[str, ...] | None  # names; None: not known, or everybody may join
    records: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class ListedActor:
    """A participant that the viewer may know of: who wrote what they may read, or is a member where they may read."""

    id: str  # SOURCE/ID
    name: str
    kind: ActorKind
    records: int  # that they wrote
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class ListedTree:
    """A tree with at least one leaf that the viewer may see."""

    view: str
    key: str
    label: str
    leaves: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A record and the names beside it, as far as the viewer may know of what it points to."""

    record: Record
    channel_name: str
    state: str
    mentions: tuple[str, ...]
    reply_to: str | None  # the source's id
    reply_to_record: int | None
    refs: tuple[str, ...]  # the source's ids
    transitions: tuple[str, ...]  # steps of a deliverable's life that its words report


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a tree; `path` counts the visible children from the root: "" the root, "0/2" the third of the first."""

    path: str
    label: str
    leaves: int
    first: datetime | None
    last: datetime | None
    summary: str  # generated; empty where the node lies partly outside the bounds
    has_children: bool  # nodes; else records hang below it
    children: tuple["Node", ...] = ()
    records: tuple[ShownRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Month:
    """How much falls into a month of a timeline."""

    month: str  # YYYY-MM
    records: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of a timeline, oldest first; cursors lead to what lies before and after it."""

    label: str
    total: int
    records: tuple[ShownRecord, ...]
    before: str | None
    after: str | None
    months: tuple[Month, ...]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may see a record, as membership stands now."""

    everyone: bool
    known: bool  # False: the source tells no members, so that the owner alone sees it
    members: tuple[str, ...]  # names


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record hangs in one tree: the labels of the nodes from the root down to it."""

    view: str
    key: str
    label: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """Another record that a bridge leads to."""

    kind: str  # reply, ref or identifier
    identifier: str | None
    record: ShownRecord


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a record."""

    record: ShownRecord
    audience: Audience
    places: tuple[Place, ...]
    linked: tuple[Linked, ...]
