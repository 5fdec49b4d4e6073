"""One open memory for many threads, pinned to a position of the log so that no reader pays for a writer.

Loading what a question reads takes long compared with the question. So while others write, readers stay where they are
for a moment, and one thread loads the new state beside the old. No more questions are computed at once than there are
processors, and in order of arrival: more at once would make all of them late and none earlier.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from treering.errors import MemoryBusy, TreeringError
from treering.memory import Memory

__all__ = ["Lent", "Pool"]

WAIT_S = 60.0
LOOK_S = 1.0  # between two looks at whether something was written
REST = 19.0  # times as long as loading took, before the next: loading slows questions, one time in twenty at most
STILL_S = 300.0  # between two loadings while an import of our own goes on, which tells when it is done


class Pool:
    """A memory that at most `size` threads read at once, opened when it is first needed."""

    def __init__(self, open_memory: Callable[[], Memory], size: int) -> None:
        self._open_memory = open_memory
        self._turns = _Turns(size)
        self._opened: _Opened | None = None
        self._loading = threading.Lock()
        self._is_still = False
        self._closing = threading.Event()

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The memory, for reading alone.

        Raises:
            MemoryBusy: too many asked before.
        """
        with self._turns.one():
            yield self._pinned()

    def refresh(self) -> None:
        """Whoever asks from now on sees what was written; who is reading ends where they began."""
        with self._loading:
            if self._opened is not None:
                try:
                    self._opened.load()
                except TreeringError:
                    self._opened.is_pinned = False  # whoever reads next tries again, and is told why it fails

    @contextmanager
    def still(self) -> Iterator[None]:
        """Around an import: stay where it began, at most for some minutes, and at its end load what it wrote."""
        self._is_still = True
        try:
            yield
        finally:
            self._is_still = False
            self.refresh()

    def close(self) -> None:
        """Close the memory; nobody may be reading."""
        self._closing.set()
        if self._opened is not None:
            if self._opened.refresher.is_alive():
                self._opened.refresher.join()
            self._opened.memory.close()
            self._opened.watched.close()
            self._opened = None

    def _pinned(self) -> Memory:
        opened = self._opened
        if opened is None or not opened.is_pinned:
            with self._loading:
                opened = self._opened = self._opened or _Opened(self._open_memory, self._keep_fresh)
                if not opened.is_pinned:
                    opened.load()
                if not opened.refresher.is_alive():
                    opened.refresher.start()
        return opened.memory

    def _keep_fresh(self) -> None:
        opened = self._opened
        assert opened is not None
        rest, loaded_at = LOOK_S, time.monotonic()
        while not self._closing.wait(rest):
            rest = LOOK_S
            if self._is_still and time.monotonic() - loaded_at < STILL_S:
                continue
            if opened.is_behind():
                started = time.monotonic()
                self.refresh()
                loaded_at = time.monotonic()
                rest = max(LOOK_S, REST * (loaded_at - started))


class _Opened:
    """The memory, and a second connection to see by whether something was written since it was loaded."""

    def __init__(self, open_memory: Callable[[], Memory], keep_fresh: Callable[[], None]) -> None:
        self.memory = open_memory()
        self.watched = open_memory()
        self.is_pinned = False
        self.refresher = threading.Thread(target=keep_fresh, name="refresher", daemon=True)
        self._seen = 0

    def load(self) -> None:
        seen = self.watched.commits()
        self.memory.pin()
        self._seen, self.is_pinned = seen, True

    def is_behind(self) -> bool:
        return self.watched.commits() != self._seen


class Lent:
    """In place of a pool: a memory that the caller opened and closes, read where it is."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The memory; its own reads take turns."""
        yield self._memory

    @contextmanager
    def still(self) -> Iterator[None]:
        """It reads at the newest position anyway."""
        yield

    def close(self) -> None:
        """Not ours to close."""


class _Turns:
    """Lets so many in at once, in order of arrival."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def one(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._waiting.append(called)
        if not called.wait(WAIT_S):
            with self._lock:
                if not called.is_set():
                    self._waiting.remove(called)
                    raise MemoryBusy(f"others were asking for {WAIT_S:.0f} s; try again")

    def _leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()  # the place goes to them; nobody gets in between
            else:
                self._free += 1
