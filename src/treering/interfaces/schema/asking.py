"""Questions, evidence, answers."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from treering.interfaces.schema.common import PAGE_MAX, QUESTION_MAX, Name, Reply
from treering.retrieval.profiles import DEFAULT

__all__ = [
    "AskReply",
    "AskRequest",
    "CitationEntry",
    "EvidenceEntry",
    "FactEntry",
    "HeaderEntry",
    "QuotationEntry",
    "SearchReply",
    "SearchRequest",
    "TraceEntry",
]


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


class EvidenceEntry(Reply):
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


class HeaderEntry(Reply):
    """Generated navigation beside the evidence: the summary of a node above some of it."""

    tree: str
    level: int
    text: str
    tokens: int
    records: list[int]


class FactEntry(Reply):
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


class TraceEntry(Reply):
    """What one stage of retrieval saw, kept and dropped."""

    stage: str
    seen: int
    kept: list[str]
    dropped: dict[str, int]
    notes: list[str]


class SearchReply(Reply):
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


class CitationEntry(Reply):
    """`[number]` in the answer's text means this piece of evidence."""

    number: int
    record: int
    source: str
    source_id: str
    text: str


class QuotationEntry(Reply):
    """Words that the answer gives as somebody's own."""

    text: str
    number: int | None
    verified: bool


class AskReply(Reply):
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
