"""slackdump's archives, made by the tests that need them: a database with its tables, and chunk files."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

Json = dict[str, object]

SCHEMA = """
CREATE TABLE SESSION (ID INTEGER PRIMARY KEY, MODE TEXT NOT NULL);
CREATE TABLE CHUNK (ID INTEGER PRIMARY KEY, SESSION_ID INTEGER NOT NULL, TYPE_ID SMALLINT NOT NULL);
CREATE TABLE MESSAGE (ID INTEGER NOT NULL, CHUNK_ID INTEGER NOT NULL, CHANNEL_ID TEXT NOT NULL, TS TEXT NOT NULL,
  TXT TEXT, DATA BLOB NOT NULL, PRIMARY KEY (ID, CHUNK_ID));
CREATE TABLE CHANNEL (ID TEXT NOT NULL, CHUNK_ID INTEGER NOT NULL, NAME TEXT, DATA BLOB NOT NULL,
  PRIMARY KEY (ID, CHUNK_ID));
CREATE TABLE WORKSPACE (ID INTEGER PRIMARY KEY, CHUNK_ID INTEGER NOT NULL, TEAM_ID TEXT NOT NULL,
  USER_ID TEXT NOT NULL);
CREATE TABLE S_USER (ID TEXT NOT NULL, CHUNK_ID INTEGER NOT NULL, DATA BLOB NOT NULL, PRIMARY KEY (ID, CHUNK_ID));
CREATE TABLE CHANNEL_USER (USER_ID TEXT NOT NULL, CHUNK_ID INTEGER NOT NULL, CHANNEL_ID TEXT NOT NULL,
  PRIMARY KEY (USER_ID, CHANNEL_ID, CHUNK_ID));
CREATE TABLE SEARCH_MESSAGE (ID INTEGER PRIMARY KEY, CHUNK_ID INTEGER NOT NULL, DATA BLOB NOT NULL);
CREATE TABLE SEARCH_FILE (ID INTEGER PRIMARY KEY, CHUNK_ID INTEGER NOT NULL, DATA BLOB NOT NULL);
"""

INA: Json = {"id": "U0INA", "team_id": "T0ORG", "name": "ina.r", "profile": {"display_name": "Ina"}}
BOS: Json = {"id": "U0BOS", "team_id": "T0ORG", "name": "bo", "profile": {"real_name": "Bo Strand"}}
OPS: Json = {"id": "C0OPS", "name": "ops", "is_channel": True, "is_private": False}


class Database:
    """An archive in the making; a `run` is a session, and each thing put in is a chunk of its own."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.chunk = 0
        self.session = 1
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(SCHEMA)

    def run(self) -> None:
        self.session += 1

    def users(self, *users: Json) -> None:
        for user in users:
            self._put("S_USER (ID, CHUNK_ID, DATA)", user["id"], data=user)

    def channels(self, *channels: Json) -> None:
        for channel in channels:
            self._put("CHANNEL (ID, CHUNK_ID, NAME, DATA)", channel["id"], channel.get("name"), data=channel)

    def members(self, channel: str, *users: str) -> None:
        for user in users:
            self._put("CHANNEL_USER (USER_ID, CHUNK_ID, CHANNEL_ID)", user, channel)

    def workspace(self, team: str, user: str) -> None:
        self._put("WORKSPACE (TEAM_ID, CHUNK_ID, USER_ID)", team, user)

    def messages(self, channel: str, *messages: object) -> None:
        for message in messages:
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            ts = message["ts"] if isinstance(message, dict) else "9.000001"
            number = int(str(ts).replace(".", "")) if str(ts).replace(".", "").isdigit() else 7
            self._put("MESSAGE (ID, CHUNK_ID, CHANNEL_ID, TS, DATA)", number, channel, ts, data=data)

    def execute(self, sql: str, *values: object) -> None:
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(sql, values)
            connection.commit()

    def _put(self, into: str, first: object, *rest: object, data: object = None) -> None:
        self.chunk += 1
        self.execute("INSERT INTO CHUNK VALUES (?, ?, 0)", self.chunk, self.session)
        values = [first, self.chunk, *rest]
        if data is not None:
            values.append(data if isinstance(data, bytes) else json.dumps(data).encode())
        self.execute(f"INSERT INTO {into} VALUES ({', '.join('?' * len(values))})", *values)


def write_chunks(root: Path, files: dict[str, list[object]]) -> Path:
    """Chunk files, zipped one by one as slackdump does."""
    root.mkdir(parents=True, exist_ok=True)
    for name, chunks in files.items():
        lines = b"".join(
            (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode()) + b"\n" for chunk in chunks
        )
        (root / f"{name}.json.gz").write_bytes(gzip.compress(lines))
    return root
