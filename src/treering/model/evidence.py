"""What a question gets back: verbatim evidence, the headers beside it, and the trace of how it was found."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from treering.model.ids import RecordId

__all__ = ["Evidence", "EvidenceSet", "Fact", "Header", "Stage", "StageTrace"]


class Stage(StrEnum):
    """Which step of retrieval found a piece of evidence."""

    RANK = "rank"  # a plain ranking: the baselines have no stages
    S1 = "S1"
    S2 = "S2"
    S3 = "S3"
    S4 = "S4"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of the log, fit to be shown: what was said, by whom, where and when."""

    record: RecordId
    source: str
    source_id: str
    version: int
    kind: str
    channel: str
    thread: str | None
    author: str
    valid_from: datetime  # aware, UTC
    text: str  # verbatim
    spans: tuple[tuple[int, int], ...]  # half-open character ranges of `text` that matched
    tokens: int  # of `text`, by the counter of the budget
    state: str  # as of the bounds of the question
    stage: Stage
    score: float  # falls strictly with rank within one evidence set; not comparable between questions
    why: str
    title: str = ""

    @property
    def citation(self) -> str:
        """Where to find it: channel, author, time and the source's own id."""
        return f"[{self.channel}, {self.author}, {self.valid_from:%Y-%m-%d %H:%M} UTC, {self.source}/{self.source_id}]"


@dataclass(frozen=True, slots=True)
class Header:
    """Generated navigation, told apart from evidence: the summary of a node above some of it."""

    tree: str  # "channel #ops"
    level: int  # 1 is the node just above the leaves
    text: str
    tokens: int
    records: tuple[RecordId, ...]  # the evidence below it


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple that a record states: subject, relation, object; with the date and the source of that record."""

    subject: str
    relation: str
    object: str
    record: RecordId
    source: str
    source_id: str
    valid_from: datetime  # aware, UTC; of the record
    extractor: str  # "rules", or a model with the hash of its prompt
    tokens: int

    def __str__(self) -> str:
        return f"{self.subject} {self.relation} {self.object}".rstrip()


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What one stage saw, kept and dropped."""

    stage: Stage
    seen: int
    kept: tuple[str, ...]  # source ids, or trees
    dropped: dict[str, int] = field(default_factory=dict)  # reason -> how many
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceSet:
    """The answer to a question: evidence in rank order, within a token budget."""

    question: str
    profile: str
    bounds: dict[str, str | None]
    items: tuple[Evidence, ...]
    headers: tuple[Header, ...]
    tokens: int
    trace: tuple[StageTrace, ...]
    notes: tuple[str, ...] = ()  # what the reader must know: a leg that was missing, a name that was not
    facts: tuple[Fact, ...] = ()  # Memg++: triples beside the evidence, told apart from it

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __bool__(self) -> bool:
        return bool(self.items)
