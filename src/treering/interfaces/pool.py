"""A few open memories for many threads, each pinned to a position of the log so that no reader pays for a writer.

Loading what a question reads takes long compared with the question. So while others write, readers stay where they are
for a moment, and one thread brings one memory after the other up to date; there is one more than are ever needed.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from treering.errors import MemoryBusy, TreeringError
from treering.memory import Memory

__all__ = ["Pool"]

WAIT_S = 60.0
LOOK_S = 1.0  # between two looks at whether something was written
REST = 4.0  # times as long as bringing all up to date took, before it is done again: reloading is not to fill the time


class Pool:
    """`size` memories and one to spare, opened when they are first needed; whoever finds none free waits."""

    def __init__(self, open_memory: Callable[[], Memory], size: int) -> None:
        self._open_memory = open_memory
        self._seats = [_Seat() for _ in range(size + 1)]
        self._idle = list(self._seats)
        self._changed = threading.Condition()
        self._wanted = 1  # the number of the state that seats should be in
        self._closing = threading.Event()
        self._refresher: threading.Thread | None = None
        self._one_at_a_time = threading.Lock()

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """A memory for this thread alone.

        Raises:
            MemoryBusy: none was free for a long time.
        """
        seat = self._taken()
        try:
            if seat.state == 0:
                self._pinned(seat)
            self._watch()
            assert seat.memory is not None
            yield seat.memory
        finally:
            self._given_back(seat)

    def warm(self, ask: Callable[[Memory], object]) -> None:
        """Open every memory and ask each something, so that no caller waits for what is loaded once."""
        for _ in self._seats:
            seat = self._taken(behind=True)
            try:
                if seat.state == 0:
                    self._pinned(seat)
                assert seat.memory is not None
                ask(seat.memory)
            finally:
                self._given_back(seat)

    def refresh(self) -> None:
        """Bring every memory that is open up to date; those in use when they are given back."""
        with self._one_at_a_time:
            with self._changed:
                self._wanted += 1
            while not self._closing.is_set():
                with self._changed:
                    old = [seat for seat in self._seats if 0 < seat.state < self._wanted]
                    seat = next((seat for seat in old if seat in self._idle), None)
                    if not old:
                        return
                    if seat is None:
                        self._changed.wait(LOOK_S)
                        continue
                    self._idle.remove(seat)
                try:
                    self._pinned(seat)
                except TreeringError:
                    seat.state = 0  # whoever takes it next tries again, and tells why it fails
                finally:
                    self._given_back(seat)

    def close(self) -> None:
        """Close every memory; nobody may be using one."""
        self._closing.set()
        if self._refresher is not None:
            self._refresher.join()
        for seat in self._seats:
            if seat.memory is not None:
                seat.memory.close()
                seat.memory, seat.state = None, 0

    def _taken(self, *, behind: bool = False) -> "_Seat":
        """An idle seat: the newest state, and of these the last used; or the one that is furthest `behind`."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._idle, WAIT_S):
                raise MemoryBusy(f"every reader was busy for {WAIT_S:.0f} s; try again")
            idle = self._idle if behind else self._idle[::-1]
            seat = (min if behind else max)(idle, key=lambda one: one.state)
            self._idle.remove(seat)
            return seat

    def _given_back(self, seat: "_Seat") -> None:
        with self._changed:
            self._idle.append(seat)
            self._changed.notify_all()

    def _pinned(self, seat: "_Seat") -> None:
        wanted = self._wanted
        if seat.memory is None:
            seat.memory = self._open_memory()
        seat.memory.pin()
        seat.state = wanted

    def _watch(self) -> None:
        with self._changed:
            if self._refresher is None and not self._closing.is_set():
                self._refresher = threading.Thread(target=self._keep_fresh, name="refresher", daemon=True)
                self._refresher.start()

    def _keep_fresh(self) -> None:
        rest = LOOK_S
        with self._open_memory() as watched:
            seen = watched.commits()
            self.refresh()  # what was written before this began to watch
            while not self._closing.wait(rest):
                rest = LOOK_S
                if (now := watched.commits()) != seen:
                    seen = now
                    started = time.monotonic()
                    self.refresh()
                    rest = max(LOOK_S, REST * (time.monotonic() - started))


class _Seat:
    """A memory and the number of the state that it is pinned to; 0: not open, or not readable."""

    def __init__(self) -> None:
        self.memory: Memory | None = None
        self.state = 0
