"""What the log gives back: records with their place, and the actors and channels they name."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from treering.model.drafts import ActorKind, Attachment, Change, ChannelKind, RecordKind
from treering.model.ids import ActorId, ChannelId, LeafId, RecordId

__all__ = ["Actor", "Channel", "Record", "instant", "micros"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """Microseconds since 1970, exact.

    >>> micros(datetime(2024, 3, 4, 10, 0, 0, 5, tzinfo=UTC))
    1709546400000005
    """
    if moment.tzinfo is None:
        raise ValueError(f"a time without a zone reached the log: {moment.isoformat()}")
    return (moment - _EPOCH) // _MICROSECOND


def instant(micros_since_1970: int) -> datetime:
    """The moment, aware, UTC; the inverse of `micros`."""
    return _EPOCH + timedelta(microseconds=micros_since_1970)


@dataclass(frozen=True, slots=True)
class Actor:
    """A participant, with every name it has had."""

    id: ActorId
    source: str
    native: str
    kind: ActorKind
    name: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Channel:
    """A place where records appear, with every name it has had."""

    id: ChannelId
    source: str
    native: str
    kind: ChannelKind
    name: str
    members: frozenset[ActorId] | None  # None: not known, so visible to the owner alone unless public
    barred: frozenset[ActorId] = frozenset()  # whom the operator keeps out, whatever a source says


@dataclass(frozen=True, slots=True)
class Record:
    """One version of one record, whole and verbatim, as the log holds it."""

    id: RecordId
    source: str
    source_id: str
    leaf: LeafId
    lineage: str
    change: Change
    version: int  # 1, 2, 3 ... by time within the lineage
    kind: RecordKind
    channel: ChannelId
    author: ActorId
    author_name: str  # as the source gave it when the record was logged
    valid_from: datetime
    valid_from_raw: str
    created_at: datetime
    logged_at: datetime
    order_hint: int
    reply_to: str | None
    thread: str | None
    title: str
    text: str
    event: str | None
    hash: bytes
    chain: bytes
    refs: tuple[str, ...] = ()
    mentions: tuple[ActorId, ...] = ()
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = field(default=())
    quoted: tuple[tuple[int, int], ...] = ()  # ranges of `text` that repeat others: shown, never matched
