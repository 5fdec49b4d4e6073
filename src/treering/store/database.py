"""SQLite as Treering uses it: write-ahead log, explicit transactions, one row of meta facts.

What the tables mean is not known here; each layer brings its own `CREATE TABLE` statements. Readers hold a read
transaction and so see one state of the whole memory, whatever the writer does meanwhile (DESIGN section 10).
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treering.errors import MemoryBusy, MemoryDamaged

__all__ = ["Database"]

BUSY_WAIT_MS = 30_000  # a checkpoint or another process's commit may hold the file for a moment
CACHE_KIB = 65_536


class Database:
    """A connection to the memory's database; `for_writing` decides which transactions it may begin."""

    def __init__(self, path: Path, *, for_writing: bool) -> None:
        mode = "rwc" if for_writing else "rw"  # a reader of a write-ahead log must be able to map its shared memory
        try:
            self.connection = sqlite3.connect(
                f"file:{_quoted(path)}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
            )
            self.connection.execute(f"PRAGMA busy_timeout = {BUSY_WAIT_MS}")
            self.connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            if for_writing:
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = FULL")  # a receipt means durable
            else:
                self.connection.execute("PRAGMA query_only = ON")
        except sqlite3.DatabaseError as error:
            raise _translated(error, path) from error
        self.path = path

    def close(self) -> None:
        """Release the files; open transactions are rolled back."""
        self.connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is durable when the block ends, or none of it is."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One snapshot: every query in the block sees the same state."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        try:
            self.connection.execute(begin)
            try:
                yield self.connection
            except BaseException:
                self.connection.rollback()
                raise
            self.connection.commit()
        except sqlite3.DatabaseError as error:
            raise _translated(error, self.path) from error

    def make(self, tables: str) -> None:
        """Run `CREATE ... IF NOT EXISTS` statements, outside any transaction."""
        try:
            self.connection.executescript(tables)
        except sqlite3.DatabaseError as error:
            raise _translated(error, self.path) from error

    def check(self) -> list[str]:
        """What SQLite's own integrity check finds wrong; empty when all is well."""
        try:
            found = [str(row[0]) for row in self.connection.execute("PRAGMA integrity_check(20)")]
        except sqlite3.DatabaseError as error:
            return [str(error)]
        return [] if found == ["ok"] else found


def _translated(error: sqlite3.DatabaseError, path: Path) -> Exception:
    """What a caller can act on; an error in our own SQL stays what it is."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
    ours = code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE)
    if ours and "no such table" not in str(error):
        return error
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL):
        return MemoryDamaged(
            f"{path}: {error}. Readers must be able to write where a memory lies too; check its rights"
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return MemoryBusy(f"{path}: the database stayed locked for {BUSY_WAIT_MS // 1000} s ({error}); try again")
    return MemoryDamaged(f"{path}: {error}. Restore it from a copy; the file was not changed")


def _quoted(path: Path) -> str:
    """A path as the part of a `file:` URI that SQLite reads."""
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
