"""slackdump's SQLite archive (`slackdump.sqlite`): its rows in the order in which they are to be believed.

The file is copied before it is opened, with the write-ahead log that may lie beside it: nobody's archive is written
to, what was not checkpointed is read, and one within a zip reads as well. Of the schema only tables are trusted, and
only columns that all of its versions have; what rows mean is in `slackdump_archive`. Follows FORMATS section 1.2.
"""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path

from treering.errors import UnreadableInput
from treering.importers.json_stream import Broken, sanitized
from treering.importers.narrowing import kept_aside
from treering.importers.slackdump_entries import Entry
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, Skipped

__all__ = ["SlackdumpDatabase", "is_database", "open_database"]

MAGIC = b"SQLite format 3\0"
HEAD_BYTES = 4 << 20  # the schema is made first, so it lies at the beginning, of the file or of its log
COPY_BYTES = 1 << 20
RAW_CHARS_MAX = 2_000

_BREAKS = (sqlite3.Error, UnicodeDecodeError)  # the latter where the text of an error is not UTF-8
_MARKS = (b"S_USER", b"CHANNEL_USER", b"SEARCH_MESSAGE")
_TABLES = {
    "MESSAGE": {"ID", "CHUNK_ID", "CHANNEL_ID", "TS", "DATA"},
    "CHUNK": {"ID", "SESSION_ID"},
    "S_USER": {"ID", "CHUNK_ID", "DATA"},
    "CHANNEL": {"ID", "CHUNK_ID", "DATA"},
    "CHANNEL_USER": {"CHUNK_ID", "CHANNEL_ID"},
    "WORKSPACE": {"CHUNK_ID", "TEAM_ID", "USER_ID"},
}
_SKIPPED = ("SEARCH_MESSAGE", "SEARCH_FILE")


def is_database(tree: FileTree, name: str) -> bool:
    """Whether a file is an archive of slackdump's, told by its first bytes and the names in its schema."""
    if name.endswith(("-wal", "-shm", "-journal")):
        return False
    try:
        with tree.open(name) as file:
            head = file.read(len(MAGIC))
            if head != MAGIC:
                return False
            head = file.read(HEAD_BYTES)
        if tree.has(f"{name}-wal"):
            with tree.open(f"{name}-wal") as file:
                head += file.read(HEAD_BYTES)
    except UnreadableInput:
        return False
    return all(mark in head for mark in _MARKS)


@contextmanager
def open_database(tree: FileTree, name: str) -> Iterator["SlackdumpDatabase"]:
    """A copy of the archive, opened; it goes when the context ends.

    Raises:
        UnreadableInput: it cannot be copied, is damaged, or lacks a table.
    """
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        path = Path(folder, "archive.sqlite")
        _copy(tree, name, path)
        if tree.has(f"{name}-wal"):
            _copy(tree, f"{name}-wal", Path(folder, "archive.sqlite-wal"))
        try:
            connection = sqlite3.connect(path, isolation_level=None)
        except _BREAKS as error:
            raise UnreadableInput(f"{name} cannot be opened as a database ({error}). Copy it again.") from error
        with closing(connection):
            try:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA query_only = ON")
                database = SlackdumpDatabase(connection, name)
            except _BREAKS as error:
                raise UnreadableInput(f"{name} cannot be read as a database ({error}). Copy it again.") from error
            yield database


class SlackdumpDatabase:
    """The rows of one archive; every row that is read comes out, as JSON or as what broke."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self.file = name
        self._db = connection
        self._columns = {table: self._columns_of(table) for table in (*_TABLES, *_SKIPPED)}
        lacking = [table for table, columns in _TABLES.items() if not columns <= self._columns[table]]
        if lacking:
            raise UnreadableInput(f"{name} lacks what an archive of slackdump's has: {', '.join(lacking)}")

    def workspace(self) -> tuple[str, str]:
        """The ids of the workspace and of whoever archived it, as last told; empty where they are not."""
        rows = self._rows("SELECT TEAM_ID, USER_ID FROM WORKSPACE ORDER BY CHUNK_ID DESC LIMIT 1")
        team, user = next(rows, ("", ""))
        return (team if isinstance(team, str) else "", user if isinstance(user, str) else "")

    def users(self) -> Iterator[Entry]:
        """What was told of people, the latest first."""
        query = "SELECT rowid, ID, DATA, CHUNK_ID FROM S_USER ORDER BY CHUNK_ID DESC, ID"
        return (entry for _, entry in self._entries("user", query))

    def channels(self) -> Iterator[Entry]:
        """What was told of conversations, the latest first."""
        query = "SELECT rowid, ID, DATA, CHUNK_ID FROM CHANNEL ORDER BY CHUNK_ID DESC, ID"
        return (entry for _, entry in self._entries("channel", query))

    def members(self) -> Mapping[str, tuple[str, ...]]:
        """Who was in which conversation when it was last asked for: sessions are not to be mixed, as people leave."""
        user = "USER_ID" if "USER_ID" in self._columns["CHANNEL_USER"] else "ID"
        rows = self._rows(
            f"SELECT m.CHANNEL_ID, m.{user}, c.SESSION_ID FROM CHANNEL_USER m JOIN CHUNK c ON c.ID = m.CHUNK_ID"
            f" ORDER BY m.CHANNEL_ID, c.SESSION_ID DESC, m.{user}"
        )
        sessions: dict[str, object] = {}
        members: dict[str, dict[str, None]] = {}
        for channel, member, session in rows:
            if not isinstance(channel, str) or not isinstance(member, str):
                continue
            if sessions.setdefault(channel, session) == session:
                members.setdefault(channel, {})[member] = None
        return {channel: tuple(found) for channel, found in members.items()}

    def messages(self) -> Iterator[list[Entry]]:
        """All messages by time, so that the index gives them in order; of each the newest chunk first."""
        entries = self._entries("message", "SELECT rowid, CHANNEL_ID, DATA, ID FROM MESSAGE ORDER BY ID, CHUNK_ID")
        for _, copies in groupby(entries, key=lambda entry: entry[0]):
            yield [entry for _, entry in copies][::-1]

    def skipped(self) -> Iterator[Drafted]:
        """What searches found: copies of what lies elsewhere, or of conversations that were not archived."""
        for table in (name for name in _SKIPPED if self._columns[name]):
            try:
                for (number,) in self._rows(f"SELECT rowid FROM {table} ORDER BY rowid"):
                    yield Drafted(self.file, Skipped("result of a search", f"{table.lower()} {number}"))
            except UnreadableInput as error:
                yield kept_aside(self.file, table.lower(), str(error))

    def _entries(self, what: str, query: str) -> Iterator[tuple[object, Entry]]:
        """Rows of number, id, data and a key to group them by; a last one stands for damage."""
        position, key = "the beginning", None
        try:
            for number, id_, content, key in self._rows(query):
                position = f"{what} {number}"
                yield key, Entry(self.file, position, id_ if isinstance(id_, str) else "", _parsed(content))
        except UnreadableInput as error:
            yield None, Entry(self.file, f"after {position}", "", Broken(str(error)))

    def _rows(self, query: str) -> Iterator[tuple[object, ...]]:
        try:
            yield from self._db.execute(query)
        except _BREAKS as error:
            raise UnreadableInput(f"{self.file} cannot be read further ({error}). Copy it again.") from error

    def _columns_of(self, table: str) -> set[str]:
        """The columns of a plain table; none of a view or virtual table, which could run whatever it likes."""
        row = self._db.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
        if row is None or not str(row[0]).upper().startswith("CREATE TABLE"):
            return set()
        return {str(column[1]).upper() for column in self._db.execute(f"PRAGMA table_info({table})")}


def _parsed(content: object) -> object:
    """The JSON of a DATA column; `Broken` where it is none."""
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    if not isinstance(text, str):
        return Broken("no data")
    try:
        value = json.loads(text, strict=False, parse_constant=lambda _: None)
        return sanitized(value) if "\\u" in text else value
    except (ValueError, RecursionError) as error:
        return Broken(f"not JSON: {getattr(error, 'msg', error)}", text[:RAW_CHARS_MAX])


def _copy(tree: FileTree, name: str, path: Path) -> None:
    with tree.open(name) as file, path.open("wb") as copy:
        while chunk := file.read(COPY_BYTES):
            copy.write(chunk)
