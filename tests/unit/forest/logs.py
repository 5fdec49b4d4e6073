"""A small memory on disk for tests: a real database, the real log, and a clock that ticks once a batch."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from treering.forest.extractive import Extractive
from treering.forest.grow import GrowReport, grow
from treering.forest.schema import TABLES as FOREST_TABLES
from treering.forest.summaries import Summarizer
from treering.forest.view import ForestView
from treering.log.schema import TABLES as LOG_TABLES
from treering.log.writer import LogWriter
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind, RecordDraft
from treering.store.database import Database

START = datetime(2025, 12, 1, 9, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def message(source_id: str, minutes: float, text: str = "hello", channel: str = "ops", author: str = "ann", **more):
    return RecordDraft(source_id, channel, author, at(minutes), text, **more)


@dataclass
class Memory:
    """A log and the forests over it."""

    database: Database
    grown: int = 0
    told: int = 0

    @property
    def connection(self) -> sqlite3.Connection:
        return self.database.connection

    def name_channel(self, native: str, name: str, kind: ChannelKind = ChannelKind.PUBLIC) -> None:
        self.told += 1  # each telling is newer than the one before
        with self.database.writing() as connection:
            writer(connection).registry.put_channel("test", ChannelDraft(native, name, kind), self.told)

    def name_actor(self, native: str, name: str) -> None:
        with self.database.writing() as connection:
            writer(connection).registry.put_actor("test", ActorDraft(native, name, ActorKind.HUMAN))

    def log(self, drafts: Sequence[RecordDraft]) -> int:
        with self.database.writing() as connection:
            log = writer(connection)
            for channel in dict.fromkeys(draft.channel for draft in drafts):
                if not connection.execute("SELECT 1 FROM channel WHERE native = ?", (channel,)).fetchone():
                    log.registry.put_channel("test", ChannelDraft(channel, channel, ChannelKind.PUBLIC))
            for draft in drafts:
                log.append("test", draft)
            return log.last

    def grow(self, summarizer: Summarizer | None = None) -> GrowReport:
        last = int(self.connection.execute("SELECT coalesce(max(id), 0) FROM record").fetchone()[0])
        with self.database.writing() as connection:
            report = grow(connection, self.grown, last, summarizer=summarizer or Extractive())
        self.grown = last
        return report

    def add(self, drafts: Sequence[RecordDraft]) -> GrowReport:
        self.log(drafts)
        return self.grow()

    def view(self) -> ForestView:
        with self.database.reading() as connection:
            return ForestView.load(connection)

    def leaf(self, key: str) -> int:
        return int(self.connection.execute("SELECT id FROM leaf WHERE key = ?", (key,)).fetchone()[0])

    def keys(self, leaves: Iterable[int]) -> list[str]:
        return [self.connection.execute("SELECT key FROM leaf WHERE id = ?", (int(i),)).fetchone()[0] for i in leaves]

    def shape(self) -> dict[tuple[str, str, str], tuple[list[str], bytes]]:
        """Every branch by its natural names: the keys of its leaves and the ids of its nodes."""
        rows = self.connection.execute(
            "SELECT t.view, t.key, b.path, b.id FROM tree t JOIN branch b ON b.tree = t.id"
        ).fetchall()
        view = self.view()
        found = {}
        for (tree_view, key, path, _), branch in zip(sorted(rows), range(len(rows)), strict=True):
            leaves = view.leaves[view.branch_first[branch] : view.branch_first[branch + 1]]
            blob = self.connection.execute(
                "SELECT b.nodes FROM tree t JOIN branch b ON b.tree = t.id WHERE view = ? AND key = ? AND path = ?",
                (tree_view, key, path),
            ).fetchone()[0]
            found[tree_view, key, path] = (self.keys(leaves), blob)
        return found

    def summaries(self) -> dict[bytes, str]:
        """The texts of all summaries that nodes point to, by node id."""
        view = self.view()
        texts = view.summary_texts(self.connection, range(len(view.node_tree)))
        return {view.node_id[node].tobytes(): text for node, text in texts.items()}


def writer(connection: sqlite3.Connection) -> LogWriter:
    return LogWriter(connection, lambda: datetime(2026, 1, 1, tzinfo=UTC), bytes)


def new_memory(folder: Path) -> Memory:
    database = Database(folder / "memory.db", for_writing=True)
    database.connection.execute("PRAGMA synchronous = OFF")
    database.connection.executescript(LOG_TABLES + FOREST_TABLES)
    return Memory(database)
