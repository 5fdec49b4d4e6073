"""The one schema of the verbs, for every door: what is asked and what is answered, validated where foreign data enters.

Nothing here says through whose eyes a memory is read: a door knows that from who calls, never from what is asked.
Names and fields are those of the command line's JSON.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from treering.retrieval.profiles import DEFAULT

__all__ = [
    "ActorEntry",
    "ActorsReply",
    "AskReply",
    "AskRequest",
    "AttachmentEntry",
    "AudienceEntry",
    "ChannelEntry",
    "ChannelsReply",
    "CitationEntry",
    "ContextReply",
    "EvidenceEntry",
    "FactEntry",
    "HeaderEntry",
    "HistoryReply",
    "ImportOptionsRequest",
    "JobReply",
    "JobsReply",
    "LinkedEntry",
    "ListRequest",
    "MonthEntry",
    "NodeEntry",
    "PlaceEntry",
    "ProgressEntry",
    "QuotationEntry",
    "RecordReply",
    "SearchReply",
    "SearchRequest",
    "StatusReply",
    "TimelineReply",
    "TimelineRequest",
    "TraceEntry",
    "TreeEntry",
    "TreeReply",
    "TreeRequest",
    "TreesReply",
    "TreesRequest",
    "VersionEntry",
    "ViewName",
]

NAME_MAX = 500  # characters of a name, an id or a date
QUESTION_MAX = 8_000
CURSOR_MAX = 4_000  # it holds a name
PAGE_MAX = 200

Name = Annotated[str, Field(max_length=NAME_MAX)]
Cursor = Annotated[str, Field(max_length=CURSOR_MAX)]
ViewName = Literal["channel", "actor", "artifact", "thread"]


class _Reply(BaseModel):
    """Made from our own values only."""

    model_config = ConfigDict(from_attributes=True)


# Asking


class SearchRequest(BaseModel):
    """A question and its bounds."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"question": "has DOC-042 been released?", "asker": "Bob", "as_of": "2025-12-02", "k": 5}]
        },
    )

    question: str = Field(min_length=1, max_length=QUESTION_MAX, description="In any language.")
    profile: Name = Field(DEFAULT, description="treering, mempp, memgpp, egcforest, hybrid, dense or bm25.")
    asker: Name | None = Field(None, description="Who asks: shapes relevance, grants nothing.")
    as_of: Name | None = Field(None, description="Only what held then; a date alone is the end of that day.")
    known_at: Name | None = Field(None, description="Only what had been logged then.")
    asked_at: Name | None = Field(None, description='What "last week" counts from; else as_of, else now.')
    zone: Name = Field("UTC", description="Time zone of the asker, as Europe/Berlin.")
    k: int = Field(20, ge=1, le=PAGE_MAX, description="Pieces of evidence at most.")
    budget: int = Field(3000, ge=1, le=200_000, description="Tokens at most.")
    explain: bool = Field(False, description="Add what each stage saw, kept and dropped.")


class EvidenceEntry(_Reply):
    """A piece of evidence: verbatim, dated, attributed."""

    id: int
    source_id: str
    source: str
    version: int
    kind: str
    channel: str
    thread: str | None
    title: str
    author: str
    valid_from: datetime
    text: str
    spans: list[tuple[int, int]] = Field(description="Character ranges of text that matched.")
    tokens: int
    state: str = Field(description="As of the bounds: current, superseded by ID on DATE ...")
    stage: str
    score: float
    why: str
    citation: str


class HeaderEntry(_Reply):
    """Generated navigation beside the evidence: the summary of a node above some of it."""

    tree: str
    level: int
    text: str
    tokens: int
    records: list[int]


class FactEntry(_Reply):
    """A triple that a record states."""

    subject: str
    relation: str
    object: str
    record: int
    source: str
    source_id: str
    valid_from: datetime
    extractor: str
    tokens: int


class TraceEntry(_Reply):
    """What one stage of retrieval saw, kept and dropped."""

    stage: str
    seen: int
    kept: list[str]
    dropped: dict[str, int]
    notes: list[str]


class SearchReply(_Reply):
    """Evidence in rank order, within the budget."""

    question: str
    profile: str
    bounds: dict[str, str | None]
    evidence: list[EvidenceEntry]
    headers: list[HeaderEntry]
    facts: list[FactEntry]
    tokens: int
    notes: list[str]
    trace: list[TraceEntry] | None = None


class AskRequest(SearchRequest):
    """A question to be answered in words, from evidence alone."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "who approved the release and when?", "as_of": "2025-12-02"}]}
    )


class CitationEntry(_Reply):
    """`[number]` in the answer's text means this piece of evidence."""

    number: int
    record: int
    source: str
    source_id: str
    text: str


class QuotationEntry(_Reply):
    """Words that the answer gives as somebody's own."""

    text: str
    number: int | None
    verified: bool


class AskReply(_Reply):
    """An answer, its citations, and the evidence that it was made from."""

    text: str
    citations: list[CitationEntry]
    quotations: list[QuotationEntry]
    supported: bool
    searched: str
    model: str = Field(description="Address and model, or extractive-1: no model was asked.")
    prompt_hash: str
    tokens: int
    notes: list[str]
    evidence: SearchReply


# Records


class AttachmentEntry(_Reply):
    """A file that a record carries; its content is not here."""

    name: str
    type: str
    size: int | None
    state: str


class RecordReply(_Reply):
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
    hash: str


class VersionEntry(_Reply):
    """A version in the life of a record and what it changed."""

    record: RecordReply
    state: str
    diff: str


class HistoryReply(_Reply):
    """Every version that the viewer may see, oldest first."""

    versions: list[VersionEntry]


class AudienceEntry(_Reply):
    """Who may see a record, as membership stands now."""

    everyone: bool
    known: bool = Field(description="False: the source tells no members, so that the owner alone sees it.")
    members: list[str]


class PlaceEntry(_Reply):
    """Where a record hangs in one tree."""

    view: str
    key: str
    label: str
    path: list[str] = Field(description="Labels of the nodes from the root down.")


class LinkedEntry(_Reply):
    """Another record: a reply, a reference, or one that shares an identifier."""

    kind: str
    identifier: str | None
    record: RecordReply


class ContextReply(_Reply):
    """What surrounds a record; its thread is `timeline` with of=record:ID."""

    record: RecordReply
    audience: AudienceEntry
    places: list[PlaceEntry]
    linked: list[LinkedEntry]


# Looking around


class _Bounds(BaseModel):
    as_of: Name | None = Field(None, description="Only what held then; a date alone is the end of that day.")
    known_at: Name | None = Field(None, description="Only what had been logged then.")


class ListRequest(_Bounds):
    """One page of a list."""

    q: Name = Field("", description="Only names that hold these letters, in any case.")
    cursor: Cursor | None = Field(None, description="`next` of the page before.")
    limit: int = Field(50, ge=1, le=PAGE_MAX)


class ChannelEntry(_Reply):
    """A channel that the viewer may read."""

    id: str
    name: str
    kind: str
    members: list[str] | None = Field(description="Names; null where everybody may read, or nobody knows.")
    records: int
    first: datetime | None
    last: datetime | None


class ChannelsReply(_Reply):
    """A page of channels."""

    channels: list[ChannelEntry]
    total: int
    next: str | None


class ActorEntry(_Reply):
    """A participant that the viewer may know of."""

    id: str
    name: str
    kind: str
    records: int
    first: datetime | None
    last: datetime | None


class ActorsReply(_Reply):
    """A page of participants."""

    actors: list[ActorEntry]
    total: int
    next: str | None


class TreesRequest(ListRequest):
    """One page of the trees of a forest, or of all."""

    view: ViewName | None = None


class TreeEntry(_Reply):
    """A tree with something in it that the viewer may see."""

    view: str
    key: str
    label: str
    leaves: int
    first: datetime
    last: datetime


class TreesReply(_Reply):
    """A page of trees."""

    trees: list[TreeEntry]
    total: int
    next: str | None


class TreeRequest(_Bounds):
    """Which part of a tree."""

    node: str = Field("", max_length=NAME_MAX, description='`path` of a node, as "0/2"; empty: the root.')
    depth: int = Field(1, ge=0, le=4, description="Levels below it.")


class NodeEntry(_Reply):
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


class TreeReply(_Reply):
    """A part of a tree."""

    view: str
    key: str
    label: str
    node: NodeEntry


class TimelineRequest(_Bounds):
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


class MonthEntry(_Reply):
    """How much falls into a month."""

    month: str
    records: int


class TimelineReply(_Reply):
    """Records in order of time, oldest first."""

    label: str
    total: int
    records: list[RecordReply]
    before: str | None
    after: str | None
    months: list[MonthEntry]


# The memory itself


class StatusReply(_Reply):
    """What the viewer may see of the memory, counted; `memory` tells the owner about its derived parts."""

    records: int
    channels: int
    actors: int
    first: datetime | None
    last: datetime | None
    viewer: str | None = Field(description="Through whose eyes; null: the owner's, who sees all.")
    answers: str = Field(description="The model that writes answers, or extractive-1.")
    memory: dict[str, object] | None = None


class ImportOptionsRequest(BaseModel):
    """How an upload is to be read."""

    format: Name = "auto"
    source: Name | None = None
    visibility: Literal["public", "private"] = "private"
    zone: Name | None = None
    date_order: Literal["dmy", "mdy", "ymd"] | None = None
    embed: bool = True


class ProgressEntry(_Reply):
    """How far one step of an import is; total 0: not known."""

    what: str
    done: int
    total: int


class JobReply(_Reply):
    """An import: waiting, running, done or failed."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    files: list[str]
    created_at: datetime
    finished_at: datetime | None
    progress: list[ProgressEntry]
    report: dict[str, object] | None = Field(description="As `treering add --json` prints it.")
    error: str | None


class JobsReply(_Reply):
    """The imports since the server started, newest first."""

    jobs: list[JobReply]
