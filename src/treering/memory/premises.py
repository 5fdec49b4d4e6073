"""Looking at where a memory, or what it needs, lies: rights, room, and a writer's lock. Nothing is written."""

import fcntl
import os
import shutil
from pathlib import Path

from treering.model.finding import Finding, failure, fine, warning

__all__ = ["room", "writable", "writer"]

MIB = 1024 * 1024
FREE_LEAST = 64 * MIB  # below it an import's next step may find no room


def writable(about: str, place: Path, paths: list[Path]) -> Finding:
    """Whether this user may read and write the paths; those that do not exist count for nothing."""
    shut = [path for path in paths if path.exists() and not _may_write(path)]
    if not shut:
        return fine(about, f"{place} can be read and written")
    return failure(
        about,
        f"user {os.geteuid()} may not write {', '.join(map(str, shut))}",
        f"give it the rights, as in: chown -R {os.geteuid()} {place}; readers must be able to write there too",
    )


def room(about: str, path: Path, wanted: int, *, least: int = FREE_LEAST) -> Finding:
    """Whether there is as much room, in bytes, as may be wanted where `path` lies."""
    free = shutil.disk_usage(path).free
    said = f"{free / MIB:,.0f} MiB are free at {path}"
    if free < least:
        return failure(about, said, "make room: what fills up the disk stops, and says so; what is logged stays whole")
    if free < wanted:
        return warning(about, f"{said}, {wanted / MIB:,.0f} MiB may be needed", "make room, or use another disk")
    return fine(about, said)


def writer(path: Path) -> Finding:
    """Who writes now, or who ended while writing: a writer that ends in order leaves the file empty."""
    if not path.exists():
        return fine("writer", "nobody has written yet, or this is a copy")
    with path.open(encoding="utf-8", errors="replace") as file:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return fine("writer", f"{file.read().strip() or 'a process'} is writing now; what follows may change")
        holder = file.read().strip()
    if holder:
        return warning(
            "writer",
            f"{holder} ended while it was writing; its lock is free",
            "nothing that was committed is lost: give the same `treering add` again, and it goes on from there",
        )
    return fine("writer", "nobody is writing")


def _may_write(path: Path) -> bool:
    wanted = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, wanted, effective_ids=os.access in os.supports_effective_ids)
