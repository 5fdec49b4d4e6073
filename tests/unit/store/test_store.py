"""The engine underneath: one writer, many readers, errors in words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from treering.errors import MemoryBusy, MemoryDamaged
from treering.store.database import Database
from treering.store.lock import writer_lock

HOLD = """
import sys
from pathlib import Path
from treering.store.lock import writer_lock
with writer_lock(Path(sys.argv[1]), wait_seconds=0):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "writer.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.communicate()


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path, holder) -> None:
    told: list[str] = []
    with (
        pytest.raises(MemoryBusy, match=f"process {holder.pid}"),
        writer_lock(tmp_path / "writer.lock", wait_seconds=0.2, on_wait=told.append),
    ):
        pass
    assert told == [f"process {holder.pid} on {os.uname().nodename}"]


def test_the_lock_of_a_killed_writer_is_free(tmp_path: Path, holder) -> None:
    holder.kill()
    holder.wait()
    with writer_lock(tmp_path / "writer.lock", wait_seconds=5):
        pass


def test_a_reader_sees_its_snapshot_while_a_writer_commits(tmp_path: Path) -> None:
    writer = Database(tmp_path / "m.db", for_writing=True)
    writer.make("CREATE TABLE t (x)")
    reader = Database(tmp_path / "m.db", for_writing=False)
    with reader.reading() as seen:
        assert seen.execute("SELECT count(*) FROM t").fetchone() == (0,)
        with writer.writing() as connection:
            connection.execute("INSERT INTO t VALUES (1)")
        assert seen.execute("SELECT count(*) FROM t").fetchone() == (0,)
    with reader.reading() as seen:
        assert seen.execute("SELECT count(*) FROM t").fetchone() == (1,)
    reader.close()
    writer.close()


def test_an_interrupted_transaction_leaves_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "m.db", for_writing=True)
    database.make("CREATE TABLE t (x)")

    def interrupted() -> None:
        with database.writing() as connection:
            connection.execute("INSERT INTO t VALUES (1)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with database.reading() as seen:
        assert seen.execute("SELECT count(*) FROM t").fetchone() == (0,)
    database.close()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    Database(tmp_path / "m.db", for_writing=True).close()
    reader = Database(tmp_path / "m.db", for_writing=False)
    with pytest.raises(MemoryDamaged), reader.reading() as connection:
        connection.execute("CREATE TABLE t (x)")
    reader.close()


def test_what_is_no_database_is_said_to_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(MemoryDamaged, match=r"m\.db"):
        Database(tmp_path / "m.db", for_writing=True)


def test_a_mistake_in_our_own_sql_is_not_called_damage(tmp_path: Path) -> None:
    database = Database(tmp_path / "m.db", for_writing=True)
    with pytest.raises(Exception, match="syntax error") as caught, database.reading() as connection:
        connection.execute("SELEKT 1")
    assert not isinstance(caught.value, MemoryDamaged)
    database.close()
