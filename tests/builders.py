"""Small values for tests: drafts with everything filled in, a clock that ticks, entropy that repeats."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from treering.log.schema import TABLES
from treering.log.writer import LogWriter
from treering.memory import Memory
from treering.model.drafts import Change, ChannelDraft, ChannelKind, RecordDraft, RecordKind
from treering.store.database import Database

START = datetime(2024, 3, 4, 10, 0, tzinfo=UTC)


class TickingClock:
    """A clock that moves one second whenever it is read."""

    def __init__(self, start: datetime = START + timedelta(days=300)) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def same_bytes(count: int) -> bytes:
    """Entropy without surprise."""
    return bytes(count)


def message(
    source_id: str,
    text: str,
    *,
    minute: int = 0,
    author: str = "ana",
    channel: str = "ops",
    reply_to: str | None = None,
    thread: str | None = None,
    mentions: tuple[str, ...] = (),
    refs: tuple[str, ...] = (),
    event: str | None = None,
) -> RecordDraft:
    """A message said `minute` minutes after the start."""
    return RecordDraft(
        source_id=source_id,
        channel=channel,
        author=author,
        valid_from=START + timedelta(minutes=minute),
        text=text,
        reply_to=reply_to,
        thread=thread,
        mentions=mentions,
        refs=refs,
        event=event,
    )


def edit_of(first: RecordDraft, text: str, *, minute: int) -> RecordDraft:
    """A later version of a message."""
    return RecordDraft(
        source_id=f"{first.source_id}@{minute}",
        lineage=first.source_id,
        channel=first.channel,
        author=first.author,
        valid_from=START + timedelta(minutes=minute),
        created_at=first.valid_from,
        text=text,
        change=Change.EDIT,
    )


def deletion_of(first: RecordDraft, *, minute: int) -> RecordDraft:
    """The deletion of a message."""
    return RecordDraft(
        source_id=f"{first.source_id}@{minute}",
        lineage=first.source_id,
        channel=first.channel,
        author=first.author,
        valid_from=START + timedelta(minutes=minute),
        created_at=first.valid_from,
        text="",
        change=Change.DELETE,
    )


def document(
    lineage: str,
    text: str,
    *,
    day: int = 0,
    title: str = "",
    author: str = "ana",
    channel: str = "handbook",
    version: str | None = None,
    tags: tuple[str, ...] = (),
    refs: tuple[str, ...] = (),
) -> RecordDraft:
    """A version of a document, dated `day` days after the start; its id is the document's with the day."""
    return RecordDraft(
        source_id=version or f"{lineage}@{day}",
        lineage=lineage,
        channel=channel,
        author=author,
        valid_from=START + timedelta(days=day),
        text=text,
        title=title,
        kind=RecordKind.DOCUMENT,
        tags=tags,
        refs=refs,
    )


def statement(lineage: str, event: str, *refs: str, day: int) -> RecordDraft:
    """A dated event about documents: `retired`, or `superseded` with the old and the new one as refs."""
    return RecordDraft(
        source_id=f"{lineage}#{event}",
        channel="handbook",
        author="ana",
        valid_from=START + timedelta(days=day),
        text="",
        kind=RecordKind.DOCUMENT,
        event=event,
        refs=refs,
    )


def remember(memory: Memory, *drafts: RecordDraft | ChannelDraft, source: str = "test", embed: bool = False) -> None:
    """Log drafts as an import would, and derive what follows."""
    with memory._writing() as (database, pipeline):
        with database.writing():
            writer = LogWriter(database.connection, TickingClock(), same_bytes)
            for draft in drafts:
                if isinstance(draft, ChannelDraft):
                    writer.registry.put_channel(source, draft)
                else:
                    writer.append(source, draft)
        pipeline.derive_words_and_trees()
        if embed:
            pipeline.derive_vectors()


def public(name: str) -> ChannelDraft:
    """A channel that everybody may read."""
    return ChannelDraft(name, name, ChannelKind.PUBLIC)


def private(name: str, *members: str) -> ChannelDraft:
    """A channel that its members alone may read."""
    return ChannelDraft(name, name, ChannelKind.PRIVATE, members=members)


@contextmanager
def log_at(path: Path, clock: TickingClock | None = None) -> Iterator[tuple[Database, LogWriter]]:
    """A database with the log's tables, and a writer inside an open transaction."""
    database = Database(path, for_writing=True)
    database.make(TABLES)
    with database.writing():
        yield database, LogWriter(database.connection, clock or TickingClock(), same_bytes)
    database.close()
