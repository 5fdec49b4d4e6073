"""Each way in which a memory can be wrong, made for real, and what its examination says."""

import fcntl
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.workspaces import LINES, SECRET, line, written
from treering import Memory
from treering.log.grants import Decision
from treering.memory.examining import examine
from treering.model.finding import Finding, Verdict

CLOSED = line(80, "the offer is 40,000", at="2025-11-06T10:00:00Z", channel="board", channel_kind="private")


def built(folder: Path, *lines: dict[str, object]) -> Path:
    path = folder / "m.treering"
    with Memory.open(path) as memory:
        memory.add(written(folder / "all.jsonl", lines or [*LINES, *SECRET]), encoder="none")
    return path


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return built(tmp_path)


def found(memory: Path, cache: Path | None = None) -> dict[str, Finding]:
    return {finding.about: finding for finding in examine(memory, cache or memory.parent / "no cache")}


def changed(memory: Path, *statements: str) -> None:
    with closing(sqlite3.connect(memory / "memory.db")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def contents(memory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(memory.rglob("*")) if path.is_file()}


def test_a_whole_memory_has_nothing_but_good_findings_and_is_left_as_it_was(memory: Path) -> None:
    before = contents(memory)
    findings = found(memory)
    assert {finding.verdict for finding in findings.values()} == {Verdict.OK}, findings
    assert not any(finding.advice for finding in findings.values())
    assert findings["log"].found.startswith("13 records")
    assert contents(memory) == before


def test_nothing_at_the_path_is_a_failure(tmp_path: Path) -> None:
    (finding,) = examine(tmp_path / "none", tmp_path)
    assert finding.verdict is Verdict.FAILURE
    assert "no memory at" in finding.found


def test_a_memory_of_a_later_version_is_not_read(memory: Path) -> None:
    (memory / "treering.json").write_text('{"treering": 99}')
    finding = found(memory)["memory"]
    assert finding.verdict is Verdict.FAILURE
    assert "format 99" in finding.found


def test_a_database_that_is_gone_is_told_with_what_to_do(memory: Path) -> None:
    (memory / "memory.db").unlink()
    finding = found(memory)["memory"]
    assert (finding.verdict, "restore it from a copy" in finding.found) == (Verdict.FAILURE, True)


def test_a_database_that_is_cut_off_is_a_failure(memory: Path) -> None:
    database = memory / "memory.db"
    os.truncate(database, database.stat().st_size // 2)
    finding = found(memory)["database"]
    assert finding.verdict is Verdict.FAILURE
    assert str(database) in finding.advice


def test_a_database_of_other_bytes_is_a_failure(memory: Path) -> None:
    (memory / "memory.db").write_bytes(b"not a database" * 400)
    finding = found(memory)["database"]
    assert finding.verdict is Verdict.FAILURE
    assert "file is not a database" in finding.found


def test_one_byte_of_a_logged_text_is_noticed(memory: Path) -> None:
    database = memory / "memory.db"
    content = bytearray(database.read_bytes())
    at = content.index(b"customers are charged twice")  # what SQLite itself cannot notice
    content[at] ^= 0x01
    database.write_bytes(content)
    findings = found(memory)
    assert findings["database"].verdict is Verdict.OK
    assert findings["log"].verdict is Verdict.FAILURE
    assert "record 1 (jsonl/1) no longer has the content that was logged" in findings["log"].found
    assert "restore memory.db from a copy" in findings["log"].advice
    assert findings["places"].verdict is Verdict.OK  # the rest was looked at as well


def test_fields_of_a_record_that_do_not_read_are_a_failure_and_no_crash(memory: Path) -> None:
    changed(memory, "UPDATE record SET extra = '{' WHERE id = 3")
    assert "does not read" in found(memory)["log"].found


def test_a_record_that_is_missing_is_noticed(memory: Path) -> None:
    changed(memory, "DELETE FROM record WHERE id = 4")
    assert "records 4 to 4 are missing" in found(memory)["log"].found


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "cannot be opened"),
        (lambda path: os.truncate(path, path.stat().st_size - 4), "bytes of"),
        (lambda path: path.write_bytes(b"\0" * path.stat().st_size), "no readable header"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\x55"), "not as it was written"),
    ],
    ids=["gone", "cut off", "overwritten", "one byte"],
)
def test_a_damaged_segment_is_told_with_the_command_that_makes_it_anew(memory: Path, damage, said: str) -> None:
    (segment,) = (memory / "segments").glob("lexical-*.seg")
    damage(segment)
    finding = found(memory)["segments, lexical"]
    assert finding.verdict is Verdict.FAILURE
    assert said in finding.found
    assert f"treering rebuild {memory}" in finding.advice
    with Memory.open(memory) as opened:
        opened.rebuild()
    assert found(memory)["segments, lexical"].verdict is Verdict.OK  # the advice is right


def test_segments_that_do_not_meet_are_a_failure(memory: Path) -> None:
    changed(memory, "UPDATE segment SET base = 5")
    finding = found(memory)["segments, lexical"]
    assert (finding.verdict, "other passages" in finding.found) == (Verdict.FAILURE, True)


def test_a_leaf_that_hangs_nowhere_is_a_failure(memory: Path) -> None:
    changed(memory, "UPDATE leaf SET event = 1 WHERE id = 2")
    finding = found(memory)["words and trees"]
    assert finding.verdict is Verdict.FAILURE
    assert "13 leaves hang in channel trees, 12 should" in finding.found
    assert "treering rebuild" in finding.advice


def test_an_interrupted_import_is_a_warning_with_how_far_it_is(memory: Path) -> None:
    changed(memory, "UPDATE position SET record = 5 WHERE part = 'forest'")
    finding = found(memory)["derived parts"]
    assert finding.verdict is Verdict.WARNING
    assert "forest at record 5 of 13" in finding.found


def test_a_writer_that_was_killed_is_a_warning(memory: Path) -> None:
    (memory / "writer.lock").write_text("process 4711 on heron")
    finding = found(memory)["writer"]
    assert finding.verdict is Verdict.WARNING
    assert "process 4711 on heron ended while it was writing" in finding.found


def test_a_writer_at_work_is_no_fault(memory: Path) -> None:
    with (memory / "writer.lock").open("a+") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        file.write("process 4711 on heron")
        file.flush()
        finding = found(memory)["writer"]
    assert finding.verdict is Verdict.OK
    assert "process 4711 on heron is writing now" in finding.found


def test_what_a_killed_writer_left_is_read_and_stays_where_it_is(memory: Path) -> None:
    killed = memory.with_name("killed.treering")
    with closing(sqlite3.connect(memory / "memory.db")) as connection:
        connection.execute("UPDATE position SET record = 5 WHERE part = 'forest'")
        connection.commit()
        shutil.copytree(memory, killed)  # as the disk is when a process ends here
    before = contents(killed)
    assert before[str(killed / "memory.db-wal")]
    assert "forest at record 5" in found(killed)["derived parts"].found
    after = contents(killed)
    index = str(killed / "memory.db-shm")  # of the write-ahead log; readers share it
    assert before.keys() == after.keys()
    assert {name for name in after if after[name] != before[name]} <= {index}


def test_records_in_quarantine_are_a_warning_that_names_the_file_and_the_command(tmp_path: Path) -> None:
    path = written(tmp_path / "all.jsonl", LINES)
    path.write_text(path.read_text() + "{broken\n")
    memory = tmp_path / "m.treering"
    with Memory.open(memory) as opened:
        opened.add(path, encoder="none")
    finding = found(memory)["quarantine"]
    assert finding.verdict is Verdict.WARNING
    assert "1 records could not be read, in all.jsonl" in finding.found
    assert f"treering quarantine {memory}" in finding.advice


def test_a_closed_place_without_known_members_is_a_warning_until_somebody_is_let_in(tmp_path: Path) -> None:
    memory = built(tmp_path, *LINES, CLOSED)
    finding = found(memory)["places"]
    assert finding.verdict is Verdict.WARNING
    assert "1 of 1 closed ones have no known members: board" in finding.found
    with Memory.open(memory) as opened:
        opened.people.decide("board", "Ana", Decision.GRANT)
    assert found(memory)["places"].verdict is Verdict.OK


def test_vectors_that_were_left_for_later_are_a_warning(tmp_path: Path) -> None:
    memory = tmp_path / "m.treering"
    with Memory.open(memory) as opened:
        opened.add(written(tmp_path / "all.jsonl", LINES), embed=False)
    findings = found(memory)
    assert "none were made yet" in findings["vectors"].found
    assert "none were made yet" in findings["learned terms"].found
    assert "splade-tiny, which questions need, is not in" in findings["encoder"].found
    assert "treering models pull splade-tiny" in findings["encoder"].advice


@pytest.mark.model
def test_vectors_are_counted_and_those_cut_off_are_missed(tmp_path: Path) -> None:
    memory = tmp_path / "m.treering"
    with Memory.open(memory) as opened:
        opened.add(written(tmp_path / "all.jsonl", LINES), encoder="static", sparse="none")
    assert "10 of 10 passages, 23 of 23 summaries have one, by static" in found(memory)["vectors"].found
    (vectors,) = memory.rglob("vectors.f16")
    os.truncate(vectors, vectors.stat().st_size // 4)
    cut = found(memory)["vectors"]
    assert cut.verdict is Verdict.WARNING
    assert "8 of 10 passages, 0 of 23 summaries have one" in cut.found
    (vectors.parent / "shape.json").write_text('{"format": 1, "dimensions": 7}')
    odd = found(memory)["vectors"]
    assert odd.verdict is Verdict.FAILURE
    assert f"remove the folder {vectors.parent}" in odd.advice


@pytest.mark.model
def test_vectors_of_other_weights_than_these_are_a_warning(tmp_path: Path) -> None:
    memory = tmp_path / "m.treering"
    with Memory.open(memory) as opened:
        opened.add(written(tmp_path / "all.jsonl", LINES), encoder="static", sparse="none")
    changed(memory, "UPDATE meta SET value = 'static-000000000000-v1' WHERE key = 'encoder_name'")
    assert "static-000000000000-v1 made what is stored" in found(memory)["encoder"].found
