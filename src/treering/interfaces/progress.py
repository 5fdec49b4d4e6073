"""One line of progress on a terminal; silence anywhere else."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

__all__ = ["ProgressLine"]

INTERVAL_SECONDS = 0.1


class ProgressLine:
    """Called with (what, done, total); total 0 means that the end is not known, and so no time left is shown."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._console = Console(file=stream)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
            get_time=clock,
        )
        self._tasks: dict[str, tuple[TaskID, float]] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how far something is."""
        if not self._console.is_terminal:
            return
        now = self._clock()
        if what not in self._tasks:
            self._tasks[what] = (self._progress.add_task(what, total=total or None, rate=""), now)
        task, started = self._tasks[what]
        rate = f"{done / (now - started):,.0f}/s" if now - started > INTERVAL_SECONDS else ""
        self._progress.update(task, completed=done, total=total or None, rate=rate)

    def refresh(self) -> None:
        """Show the present state at once, and not a tenth of a second later."""
        if self._console.is_terminal:
            self._progress.refresh()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
