"""A memory that is open: its files, its connections, and the transactions in which all else reads and writes.

Every read happens in one transaction at one position of the log; every write under the writer's lock. Reads take turns
on one connection; in a pinned memory they need not, for what is loaded never changes and SQLite serializes the rest.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from threadpoolctl import threadpool_limits

from treering.clock import Clock, Entropy, system_clock, system_entropy
from treering.errors import MemoryDamaged
from treering.memory.encoders import Encoders
from treering.memory.files import Layout
from treering.memory.loading import Loader
from treering.memory.pipeline import Pipeline, Progress
from treering.retrieval.searchable import Searchable
from treering.store.database import Database
from treering.store.lock import writer_lock

__all__ = ["Opened"]

WRITER_WAIT_SECONDS = 600.0
SERIALIZED = 3  # of `sqlite3.threadsafety`: threads may share a connection


class Opened:
    """What `Memory` stands on; see there."""

    def __init__(
        self,
        path: Path,
        *,
        cache: Path,
        clock: Clock,
        entropy: Entropy,
        progress: Progress | None,
        note: Callable[[str], None] | None,
        endpoint_key: str | None,
        reranker: str | None,
    ) -> None:
        # The last bit of a product depends on how many threads share it. With one, the same bytes on any number of
        # processors, and none that a second thread spends on waiting (decision 0009).
        threadpool_limits(1, user_api="blas")
        self._layout = Layout(path)
        self._clock = clock
        self._entropy = entropy
        self._progress = progress or (lambda what, done, total: None)
        self._note = note or (lambda message: None)
        self._loader = Loader(self._layout, Encoders(cache, self._progress, endpoint_key, reranker))
        self._database: Database | None = None
        self._turn = threading.RLock()
        self._pin: _Pin | None = None
        self._pinning = threading.Lock()  # who reads at which pin

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        cache: Path | None = None,
        clock: Clock = system_clock,
        entropy: Entropy = system_entropy,
        progress: Progress | None = None,
        note: Callable[[str], None] | None = None,
        endpoint_key: str | None = None,
        reranker: str | None = None,
    ) -> Self:
        """Open the memory at `path`; the first `add` makes it, everything else needs it to be there.

        Args:
            path: the memory's directory.
            cache: where encoders' weights are kept; `~/.cache/treering` without it.
            clock: tells the time at which records are logged.
            entropy: gives the salt of each record's commitment.
            progress: called with (what, done, of how many).
            note: told what a person should know and no result says, such as a wait for another writer.
            endpoint_key: the key of an embedding or reranking endpoint, where one is configured.
            reranker: a cross-encoder that reads the best candidates of the profile `treering` once more, as
                folder:PATH or http://HOST/v1#MODEL; none without it.
        """
        cache = cache or Path.home() / ".cache" / "treering"
        return cls(
            Path(path),
            cache=cache,
            clock=clock,
            entropy=entropy,
            progress=progress,
            note=note,
            endpoint_key=endpoint_key,
            reranker=reranker,
        )

    def close(self) -> None:
        """Release the files."""
        with self._turn:
            self.unpin()
            if self._database is not None:
                self._database.close()
                self._database = None
            self._loader.forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def commits(self) -> int:
        """A number that changes whenever another instance or process has written something."""
        with self._turn:
            return int(self._connected().connection.execute("PRAGMA data_version").fetchone()[0])

    def pin(self) -> None:
        """Read at the present position of the log from now on, whatever is written, until pinned again.

        Any number of threads may then read at once; those that read already end where they began. A pin that is kept
        for long keeps SQLite's write-ahead log from being emptied.
        """
        assert sqlite3.threadsafety == SERIALIZED, "this SQLite is built for one thread at a time"
        self._layout.require()
        with ExitStack() as stack:
            database = stack.enter_context(closing(Database(self._layout.database, for_writing=False)))
            memory = stack.enter_context(self._snapshot(database, self._loader.load))
            self._change_pin(_Pin(memory, stack.pop_all()))

    def unpin(self) -> None:
        """Read at the newest position again."""
        self._change_pin(None)

    def _change_pin(self, fresh: "_Pin | None") -> None:
        with self._pinning:
            old, self._pin = self._pin, fresh
            left = old is not None and old.readers == 0
        if old is not None and left:
            old.close()

    def _connected(self) -> Database:
        if self._database is None:
            self._layout.require()
            self._database = Database(self._layout.database, for_writing=False)
        return self._database

    @contextmanager
    def _reading(self) -> Iterator[Searchable]:
        with self._pinning:
            pin = self._pin
            if pin is not None:
                pin.readers += 1
        if pin is None:
            with self._turn, self._snapshot(self._connected(), self._loader.searchable) as memory:
                yield memory
            return
        try:
            yield pin.memory
        finally:
            with self._pinning:
                pin.readers -= 1
                left = pin.readers == 0 and pin is not self._pin
            if left:
                pin.close()

    @contextmanager
    def _snapshot(self, database: Database, load: Callable[[sqlite3.Connection], Searchable]) -> Iterator[Searchable]:
        for attempts_left in (1, 0):
            with database.reading():
                try:
                    memory = load(database.connection)
                except MemoryDamaged:  # or a writer merged a segment away since this transaction began
                    if attempts_left:
                        continue
                    raise
                yield memory
                return

    @contextmanager
    def _writing(self) -> Iterator[tuple[Database, Pipeline]]:
        def waiting(holder: str) -> None:
            self._note(f"waiting: {holder} is writing to {self._layout.root}")

        with (
            self._turn,
            writer_lock(self._layout.lock, wait_seconds=WRITER_WAIT_SECONDS, on_wait=waiting),
            closing(Database(self._layout.database, for_writing=True)) as database,
        ):
            yield database, Pipeline(database, self._layout, self._loader.encoders, self._progress)


class _Pin:
    """A memory at one position of its log, with the transaction that keeps it there, and how many read it."""

    def __init__(self, memory: Searchable, held: ExitStack) -> None:
        self.memory = memory
        self.readers = 0
        self.close = held.close
