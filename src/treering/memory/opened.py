"""A memory that is open: its files, its connection, and the transactions in which all else reads and writes.

Every read happens in one transaction at one position of the log; every write under the writer's lock.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

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
    ) -> None:
        self._layout = Layout(path)
        self._clock = clock
        self._entropy = entropy
        self._progress = progress or (lambda what, done, total: None)
        self._note = note or (lambda message: None)
        self._loader = Loader(self._layout, Encoders(cache, self._progress, endpoint_key))
        self._database: Database | None = None
        self._turn = threading.RLock()
        self._pinned: Searchable | None = None
        self._pin = ExitStack()

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
    ) -> Self:
        """Open the memory at `path`; the first `add` makes it, everything else needs it to be there.

        Args:
            path: the memory's directory.
            cache: where encoders' weights are kept; `~/.cache/treering` without it.
            clock: tells the time at which records are logged.
            entropy: gives the salt of each record's commitment.
            progress: called with (what, done, of how many).
            note: told what a person should know and no result says, such as a wait for another writer.
            endpoint_key: the key of an embedding endpoint, where one is configured.
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

        A pin that is kept for long keeps SQLite's write-ahead log from being emptied.
        """
        with self._turn:
            self.unpin()
            with ExitStack() as stack:
                self._pinned = stack.enter_context(self._snapshot())
                self._pin = stack.pop_all()

    def unpin(self) -> None:
        """Read at the newest position again."""
        with self._turn:
            self._pinned = None
            self._pin.close()

    def _connected(self) -> Database:
        if self._database is None:
            self._layout.require()
            self._database = Database(self._layout.database, for_writing=False)
        return self._database

    @contextmanager
    def _reading(self) -> Iterator[Searchable]:
        with self._turn:
            if self._pinned is not None:
                yield self._pinned
                return
            with self._snapshot() as memory:
                yield memory

    @contextmanager
    def _snapshot(self) -> Iterator[Searchable]:
        database = self._connected()
        for attempts_left in (1, 0):
            with database.reading():
                try:
                    memory = self._loader.searchable(database.connection)
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
