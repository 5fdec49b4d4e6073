"""Imports that a server does beside answering: one after another, each to be followed by its number.

Each runs in a process of its own (`apart`); one thread here starts them and listens to what they tell. Jobs are not
kept over a restart and need not be: an import that was cut short is given again and adds what is missing.
"""

import queue
import shutil
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from treering.clock import Clock
from treering.errors import MemoryBusy, TreeringError, UnknownName
from treering.interfaces.apart import Import, OpenMemory, Upload
from treering.interfaces.schema import ImportOptionsRequest, JobReply, ProgressEntry

__all__ = ["Jobs"]

WAITING_MAX = 16  # imports that wait; more are refused until some are done
KEPT_MAX = 100  # finished ones that can still be looked at


class Jobs:
    """The imports of one server."""

    def __init__(
        self, open_memory: OpenMemory, clock: Clock, around: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """`around` each import; what it logged is searchable when that is left, and only then is its end told."""
        self._open_memory = open_memory
        self._around = around
        self._clock = clock
        self._jobs: dict[str, JobReply] = {}
        self._waiting: queue.Queue[tuple[str, Upload] | None] = queue.Queue(WAITING_MAX)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._running: Import | None = None
        self._closing = threading.Event()
        self._made = 0

    def add(self, folder: Path, names: Sequence[str], options: ImportOptionsRequest) -> JobReply:
        """Import the named files of a folder, which is the job's own: it is removed when the job is done.

        Raises:
            MemoryBusy: too many wait already.
        """
        with self._lock:
            self._made += 1
            job = JobReply(
                id=str(self._made),
                state="waiting",
                files=list(names),
                created_at=self._clock(),
                finished_at=None,
                progress=[],
                report=None,
                error=None,
            )
            try:
                self._waiting.put_nowait((job.id, Upload(folder, tuple(names), options)))
            except queue.Full as error:
                raise MemoryBusy(f"{WAITING_MAX} imports are waiting; try again when some are done") from error
            self._jobs[job.id] = job
            for old in list(self._jobs)[: -KEPT_MAX - WAITING_MAX]:
                del self._jobs[old]
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="imports", daemon=True)
                self._thread.start()
            return job

    def all(self) -> list[JobReply]:
        """Every job that is remembered, newest first."""
        with self._lock:
            return list(self._jobs.values())[::-1]

    def one(self, name: str) -> JobReply:
        """A job by its number.

        Raises:
            UnknownName: there is none.
        """
        with self._lock:
            if name not in self._jobs:
                raise UnknownName(f"no import has the number {name!r} since the server started")
            return self._jobs[name]

    def close(self) -> None:
        """Stop the import that runs at its next safe point; those that wait are dropped."""
        self._closing.set()
        with self._lock:
            thread, self._thread = self._thread, None
            running = self._running
        if thread is None:
            return
        while True:
            try:
                dropped = self._waiting.get_nowait()
            except queue.Empty:
                break
            if dropped is not None:
                shutil.rmtree(dropped[1].folder, ignore_errors=True)
        self._waiting.put(None)
        if running is not None:
            running.stop()
        thread.join()

    def _work(self) -> None:
        while (one := self._waiting.get()) is not None:
            job, upload = one
            self._change(job, state="running")
            try:
                report = self._run(job, upload)
            except TreeringError as error:
                self._change(job, state="failed", error=upload.named(str(error)), finished_at=self._clock())
            except Exception as error:  # noqa: BLE001  # the outermost frame of this thread
                self._change(
                    job, state="failed", error=f"internal error: {type(error).__name__}", finished_at=self._clock()
                )
            else:
                self._change(job, state="done", report=report, finished_at=self._clock())
            finally:
                shutil.rmtree(upload.folder, ignore_errors=True)

    def _run(self, job: str, upload: Upload) -> dict[str, object]:
        steps: dict[str, ProgressEntry] = {}

        def progress(what: str, done: int, total: int) -> None:
            steps[what] = ProgressEntry(what=what, done=done, total=total)
            self._change(job, progress=list(steps.values()))

        running = Import(self._open_memory, upload)
        with self._lock:
            self._running = running
        if self._closing.is_set():
            running.stop()
        try:
            with self._around():
                return running.report(progress)
        finally:
            with self._lock:
                self._running = None

    def _change(self, job: str, **fields: object) -> None:
        with self._lock:
            self._jobs[job] = self._jobs[job].model_copy(update=fields)
