"""One writer at a time: an advisory lock on a file, with the holder's name in it.

The operating system frees the lock when its process ends, however it ends, so a killed writer blocks nobody.
"""

import fcntl
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from treering.errors import MemoryBusy

__all__ = ["writer_lock"]

POLL_SECONDS = 0.1


@contextmanager
def writer_lock(path: Path, *, wait_seconds: float, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold the lock at `path` for the block; wait for another holder, and say once who it is.

    Raises:
        MemoryBusy: another process still held it after `wait_seconds`.
    """
    with path.open("a+", encoding="utf-8") as file:
        waited = 0.0
        while not _try_lock(file.fileno()):
            file.seek(0)
            holder = file.read().strip() or "another process"
            if waited == 0.0 and on_wait is not None:
                on_wait(holder)
            if waited >= wait_seconds:
                raise MemoryBusy(
                    f"{path.parent}: {holder} is writing and did not finish in {wait_seconds:.0f} s; try again later"
                )
            time.sleep(POLL_SECONDS)
            waited += POLL_SECONDS
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            file.seek(0)
            file.truncate()
            file.flush()
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
