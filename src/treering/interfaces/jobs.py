"""Imports that a server does beside answering: one after another in one thread, each to be followed by its number.

Jobs are not kept over a restart and need not be: an import that was cut short is given again and adds what is missing.
"""

import queue
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from treering.clock import Clock
from treering.errors import MemoryBusy, TreeringError, UnknownName
from treering.interfaces.schema import ImportOptionsRequest, JobReply, ProgressEntry
from treering.memory import Memory
from treering.memory.importing import Progress

__all__ = ["Jobs", "OpenMemory"]

WAITING_MAX = 16  # imports that wait; more are refused until some are done
KEPT_MAX = 100  # finished ones that can still be looked at

OpenMemory = Callable[[Progress | None], Memory]


class Jobs:
    """The imports of one server."""

    def __init__(self, open_memory: OpenMemory, clock: Clock, after: Callable[[], None]) -> None:
        """`after` is called when something was written and before that is told: done means searchable."""
        self._open_memory = open_memory
        self._after = after
        self._clock = clock
        self._jobs: dict[str, JobReply] = {}
        self._waiting: queue.Queue[_Import | None] = queue.Queue(WAITING_MAX)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
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
                self._waiting.put_nowait(_Import(job.id, folder, tuple(names), options))
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
        """Wait for the import that runs; those that wait are dropped."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return
        while True:
            try:
                dropped = self._waiting.get_nowait()
            except queue.Empty:
                break
            if dropped is not None:
                shutil.rmtree(dropped.folder, ignore_errors=True)
        self._waiting.put(None)
        thread.join()

    def _work(self) -> None:
        while (one := self._waiting.get()) is not None:
            self._change(one.job, state="running")
            try:
                report = self._run(one)
            except TreeringError as error:
                self._change(one.job, state="failed", error=one.named(str(error)), finished_at=self._clock())
            except Exception as error:  # noqa: BLE001  # the outermost frame of this thread
                said = f"internal error: {type(error).__name__}"
                self._change(one.job, state="failed", error=said, finished_at=self._clock())
            else:
                self._change(one.job, state="done", report=report, finished_at=self._clock())
            finally:
                shutil.rmtree(one.folder, ignore_errors=True)

    def _run(self, one: "_Import") -> dict[str, object]:
        steps: dict[str, ProgressEntry] = {}

        def progress(what: str, done: int, total: int) -> None:
            steps[what] = ProgressEntry(what=what, done=done, total=total)
            self._change(one.job, progress=list(steps.values()))

        with self._open_memory(progress) as memory:
            report = memory.add(
                *(one.folder / name for name in one.names),
                format=one.options.format,
                source=one.options.source,
                visibility=one.options.visibility,
                zone=one.options.zone,
                date_order=one.options.date_order,
                embed=one.options.embed,
            )
        self._after()
        for file in report.files.values():
            file.path = one.named(file.path)
        return report.as_json()

    def _change(self, job: str, **fields: object) -> None:
        with self._lock:
            self._jobs[job] = self._jobs[job].model_copy(update=fields)


class _Import:
    """What is to be done for a job."""

    def __init__(self, job: str, folder: Path, names: tuple[str, ...], options: ImportOptionsRequest) -> None:
        self.job = job
        self.folder = folder
        self.names = names
        self.options = options

    def named(self, text: str) -> str:
        """The text without the folder that only the server knows."""
        return text.replace(f"{self.folder}/", "").replace(str(self.folder), "the upload")
