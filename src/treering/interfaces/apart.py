"""An import in a process of its own: it shares no interpreter with those who ask, and lets them have the processors.

The process is told what to import and tells how far it is. It can be told to stop, and does so between two steps, when
all that it logged is committed; it also stops when nobody is there any more to tell. What ends it otherwise, a signal
or too little memory, harms nothing either: the next import goes on where it was.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, Protocol

from treering.errors import TreeringError
from treering.interfaces.schema import ImportOptionsRequest
from treering.memory import Memory
from treering.memory.importing import Progress

__all__ = ["Import", "OpenMemory", "Upload", "prepare"]

NICE: Final = 10  # grows: an import takes longer while many ask
STOP_S: Final = 30.0  # for the step that is being done, when it is told to stop
STOPPED: Final = "the server was stopped; what was logged stays, give the files again and the rest is added"
_processes = multiprocessing.get_context("forkserver")  # forked from a process without threads, not from the server
_processes.set_forkserver_preload(["treering.interfaces.cli"])  # whatever an import needs


def prepare() -> None:
    """Load now what the first import would load while others ask."""
    forkserver.ensure_running()


class OpenMemory(Protocol):
    """Opens the memory that is served. For an import it must be fit to be pickled, as a `functools.partial` is."""

    def __call__(self, progress: Progress | None) -> Memory:
        """Open it; `progress` is told how far an import is."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Files in a folder of their own, and how they are to be read."""

    folder: Path
    names: tuple[str, ...]
    options: ImportOptionsRequest

    def named(self, text: str) -> str:
        """The text without the folder that only the server knows."""
        return text.replace(f"{self.folder}/", "").replace(str(self.folder), "the upload")


class Import:
    """A process that imports an upload."""

    def __init__(self, open_memory: OpenMemory, upload: Upload) -> None:
        self._connection, theirs = _processes.Pipe()
        self._process = _processes.Process(target=_run, args=(theirs, open_memory, upload), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._process.pid

    def report(self, progress: Callable[[str, int, int], None]) -> dict[str, object]:
        """Wait until it is done, and hand on how far it is meanwhile.

        Raises:
            TreeringError: what the import raised; or the process ended without a word.
        """
        try:
            while True:
                match self._connection.recv():
                    case (str(what), int(done), int(total)):
                        progress(what, done, total)
                    case dict() as report:
                        return report
                    case TreeringError() as error:
                        raise error
        except EOFError:
            self._process.join()
            raise TreeringError(
                f"the process of the import ended ({_ending(self._process.exitcode)}); what was logged stays,"
                " give the files again and the rest is added"
            ) from None
        finally:
            self._process.join()
            self._connection.close()

    def stop(self) -> None:
        """Stop at the next safe point, of which `report` then tells; after a while, at once."""
        try:
            self._connection.send(None)
        except OSError:
            return  # it is done already
        self._process.join(STOP_S)
        self._process.terminate()


class _Stopped(BaseException):
    """Passes through everything, as an interrupt would."""


def _run(connection: Connection, open_memory: OpenMemory, upload: Upload) -> None:
    """What the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches it as well; the server tells it when to stop
    os.nice(NICE)

    def progress(what: str, done: int, total: int) -> None:
        if connection.poll():  # told to stop, or nobody is there
            raise _Stopped
        connection.send((what, done, total))

    said: object
    try:
        said = _imported(open_memory, upload, progress)
    except _Stopped:
        said = TreeringError(STOPPED)
    except TreeringError as error:
        said = error
    except Exception as error:  # noqa: BLE001  # the outermost frame of this process
        said = TreeringError(f"internal error: {type(error).__name__}")
    try:
        connection.send(said)
    except BrokenPipeError:
        return


def _imported(open_memory: OpenMemory, upload: Upload, progress: Progress) -> dict[str, object]:
    options = upload.options
    with open_memory(progress=progress) as memory:
        report = memory.add(
            *(upload.folder / name for name in upload.names),
            format=options.format,
            source=options.source,
            visibility=options.visibility,
            zone=options.zone,
            date_order=options.date_order,
            embed=options.embed,
        )
    for file in report.files.values():
        file.path = upload.named(file.path)
    return report.as_json()


def _ending(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"signal {-exitcode}, {signal.Signals(-exitcode).name}"
    return f"code {exitcode}"
