"""What is there: records, channels, participants, trees, timelines, counts."""

from datetime import datetime

from pydantic import BaseModel, Field

from treering.interfaces.schema.common import NAME_MAX, PAGE_MAX, Cursor, Name, Reply, ViewName

__all__ = [
    "ActorEntry",
    "ActorsReply",
    "AttachmentEntry",
    "AudienceEntry",
    "BoundsRequest",
    "ChannelEntry",
    "ChannelsReply",
    "ContextReply",
    "HistoryReply",
    "LinkedEntry",
    "ListRequest",
    "MonthEntry",
    "NodeEntry",
    "PlaceEntry",
    "RecordReply",
    "StatusReply",
    "TimelineReply",
    "TimelineRequest",
    "TreeEntry",
    "TreeReply",
    "TreeRequest",
    "TreesReply",
    "TreesRequest",
    "VersionEntry",
]


class AttachmentEntry(Reply):
    """A file that a record carries; its content is not here."""

    name: str
    type: str
    size: int | None
    state: str


class RecordReply(Reply):
    """One version of one record, whole."""

    id: int
    source: str
    source_id: str
    lineage: str
    version: int
    change: str
    kind: str
    channel: str
    author: str
    valid_from: datetime
    valid_from_raw: str
    logged_at: datetime
    title: str
    text: str
    event: str | None
    state: str
    thread: str | None
    reply_to: str | None
    reply_to_record: int | None
    refs: list[str]
    mentions: list[str]
    tags: list[str]
    links: list[str]
    attachments: list[AttachmentEntry]
    quoted: list[tuple[int, int]]
    transitions: list[str] = Field(description="Steps of a deliverable's life that it reports: opened, approved ...")
    hash: str


class VersionEntry(Reply):
    """A version in the life of a record and what it changed."""

    record: RecordReply
    state: str
    diff: str


class HistoryReply(Reply):
    """Every version that the viewer may see, oldest first."""

    versions: list[VersionEntry]


class AudienceEntry(Reply):
    """Who may see a record, as membership stands now."""

    everyone: bool
    known: bool = Field(description="False: the source tells no members, so that the owner alone sees it.")
    members: list[str]


class PlaceEntry(Reply):
    """Where a record hangs in one tree."""

    view: str
    key: str
    label: str
    path: list[str] = Field(description="Labels of the nodes from the root down.")


class LinkedEntry(Reply):
    """Another record: a reply, a reference, or one that shares an identifier."""

    kind: str
    identifier: str | None
    record: RecordReply


class ContextReply(Reply):
    """What surrounds a record; its thread is `timeline` with of=record:ID."""

    record: RecordReply
    audience: AudienceEntry
    places: list[PlaceEntry]
    linked: list[LinkedEntry]


class BoundsRequest(BaseModel):
    """Bounds in time."""

    as_of: Name | None = Field(None, description="Only what held then; a date alone is the end of that day.")
    known_at: Name | None = Field(None, description="Only what had been logged then.")


class ListRequest(BoundsRequest):
    """One page of a list."""

    q: Name = Field("", description="Only names that hold these letters, in any case.")
    cursor: Cursor | None = Field(None, description="`next` of the page before.")
    limit: int = Field(50, ge=1, le=PAGE_MAX)


class ChannelEntry(Reply):
    """A channel that the viewer may read."""

    id: str
    name: str
    kind: str
    members: list[str] | None = Field(description="Names; null where everybody may read, or nobody knows.")
    records: int
    first: datetime | None
    last: datetime | None


class ChannelsReply(Reply):
    """A page of channels."""

    channels: list[ChannelEntry]
    total: int
    next: str | None


class ActorEntry(Reply):
    """A participant that the viewer may know of."""

    id: str
    name: str
    kind: str
    records: int
    first: datetime | None
    last: datetime | None


class ActorsReply(Reply):
    """A page of participants."""

    actors: list[ActorEntry]
    total: int
    next: str | None


class TreesRequest(ListRequest):
    """One page of the trees of a forest, or of all."""

    view: ViewName | None = None


class TreeEntry(Reply):
    """A tree with something in it that the viewer may see."""

    view: str
    key: str
    label: str
    leaves: int
    first: datetime
    last: datetime


class TreesReply(Reply):
    """A page of trees."""

    trees: list[TreeEntry]
    total: int
    next: str | None


class TreeRequest(BoundsRequest):
    """Which part of a tree."""

    node: str = Field("", max_length=NAME_MAX, description='`path` of a node, as "0/2"; empty: the root.')
    depth: int = Field(1, ge=0, le=4, description="Levels below it.")


class NodeEntry(Reply):
    """A node; `summary` is generated, `records` are verbatim."""

    path: str
    label: str
    leaves: int
    first: datetime | None
    last: datetime | None
    summary: str
    has_children: bool
    children: list["NodeEntry"]
    records: list[RecordReply]


class TreeReply(Reply):
    """A part of a tree."""

    view: str
    key: str
    label: str
    node: NodeEntry


class TimelineRequest(BoundsRequest):
    """A stretch of time in one place."""

    of: Name = Field(
        "",
        description="channel:NAME, actor:NAME, artifact:ID, thread:KEY, or record:ID for the thread or channel around"
        " it; empty: everything.",
        examples=["artifact:PAY-311"],
    )
    at: Name | None = Field(None, description="Begin at this date.")
    cursor: Cursor | None = Field(None, description="`before` or `after` of another stretch.")
    limit: int = Field(50, ge=1, le=PAGE_MAX)
    newest: bool = Field(False, description="Without `at`: the last stretch instead of the first.")


class MonthEntry(Reply):
    """How much falls into a month."""

    month: str
    records: int


class TimelineReply(Reply):
    """Records in order of time, oldest first."""

    label: str
    total: int
    records: list[RecordReply]
    before: str | None
    after: str | None
    months: list[MonthEntry]


class StatusReply(Reply):
    """What the viewer may see of the memory, counted; `memory` tells the owner about its derived parts."""

    records: int
    channels: int
    actors: int
    first: datetime | None
    last: datetime | None
    viewer: str | None = Field(description="Through whose eyes; null: the owner's, who sees all.")
    answers: str = Field(description="The model that writes answers, or extractive-1.")
    memory: dict[str, object] | None = None
