"""The quarantine: records that could not be read, where they stand, and how to try again.

An entry leaves it only by a retry that reads its file anew and does not meet it again. The call of `add` that met a
file is kept beside it, so that a retry reads by the same format, zone and field names.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from treering.importers.protocol import ImportOptions
from treering.log.schema import has_table
from treering.model.drafts import ChannelKind, Quarantined
from treering.model.records import instant

__all__ = ["Call", "Entry", "Retried", "calls", "entries", "remember_call"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One original that could not be read."""

    file: str  # within what was imported
    position: str
    reason: str
    raw: str  # as found, secrets stripped, clipped
    first_seen: datetime


@dataclass(frozen=True, slots=True)
class Call:
    """How a path was imported."""

    path: Path
    format: str
    options: ImportOptions


def entries(connection: sqlite3.Connection) -> list[Entry]:
    """What lies in quarantine, by file and position."""
    rows = connection.execute(
        "SELECT file, position, reason, raw, seen_at FROM quarantine ORDER BY file, length(position), position, reason"
    )
    return [Entry(file, position, reason, raw, instant(seen)) for file, position, reason, raw, seen in rows]


def remember_call(
    connection: sqlite3.Connection, file: str, source: str, path: Path, format_name: str, options: ImportOptions
) -> None:
    """Keep how the path was imported that holds this file."""
    call = {
        "format": format_name,
        "fields": dict(options.fields),
        "visibility": options.visibility.value,
        "source": options.source,
        "date_order": options.date_order,
        "zone": options.zone,
    }
    connection.execute(
        "INSERT OR REPLACE INTO quarantine_call (file, source, path, call) VALUES (?, ?, ?, ?)",
        (file, source, str(path.absolute()), json.dumps(call, ensure_ascii=False)),
    )


def calls(connection: sqlite3.Connection, paths: Iterable[Path] = ()) -> list[Call]:
    """The calls to make again: for the paths, or without any for all that put something into quarantine.

    A path that was never imported, such as a corrected copy, is read as a plain `add` would read it.
    """
    known: dict[str, Call] = {}
    if has_table(connection, "quarantine_call"):
        for path, text in connection.execute("SELECT DISTINCT path, call FROM quarantine_call ORDER BY path, call"):
            given = json.loads(text)
            wanted = str(given.pop("format"))
            options = replace(ImportOptions(**given), visibility=ChannelKind(given["visibility"]))
            known[path] = Call(Path(path), wanted, options)
    wanted_paths = [path.absolute() for path in paths]
    if not wanted_paths:
        return list(known.values())
    return [known.get(str(path), Call(path, "auto", ImportOptions())) for path in wanted_paths]


class Retried:
    """What a retry of one source met that still does not read."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._bad: set[tuple[str, str, str]] = set()

    def bad(self, bad: Quarantined) -> None:
        """A record of it does not read."""
        self._bad.add((bad.file, bad.position, bad.reason))

    def clear(self, connection: sqlite3.Connection, files: Collection[str]) -> int:
        """Remove the entries of the files read that were not met again; returns how many.

        A file of the same name that another source holds is another file, and keeps its entries.
        """
        gone = [
            (entry.file, entry.position, entry.reason)
            for entry in entries(connection)
            if entry.file in files and (entry.file, entry.position, entry.reason) not in self._bad
        ]
        sources: dict[str, set[str]] = {}
        for file, source in connection.execute("SELECT file, source FROM quarantine_call"):
            sources.setdefault(file, set()).add(source)
        gone = [key for key in gone if sources.get(key[0], {self._source}) == {self._source}]
        connection.executemany("DELETE FROM quarantine WHERE file = ? AND position = ? AND reason = ?", gone)
        connection.execute("DELETE FROM quarantine_call WHERE file NOT IN (SELECT file FROM quarantine)")
        return len(gone)
