"""What could not be read is listed, tried again, and leaves quarantine only when it reads."""

import json
from pathlib import Path

import pytest

from tests.builders import TickingClock
from tests.workspaces import LINES, line, written
from treering import Memory, UnreadableInput

BROKEN = '{"id": 3, broken\n'
GOOD = json.dumps(line(3, "now it reads", at="2025-11-03T09:00:00Z", channel_kind="public")) + "\n"


def broken_at(path: Path) -> Path:
    written(path, LINES[:2])
    path.write_text(path.read_text() + BROKEN + "[1]\n")
    return path


def test_what_does_not_read_is_listed_with_its_place_reason_and_original(tmp_path: Path) -> None:
    clock = TickingClock()
    with Memory.open(tmp_path / "m.treering", clock=clock) as memory:
        memory.add(broken_at(tmp_path / "a.jsonl"), embed=False)
        first, second = memory.quarantined()
        assert (first.file, first.position, first.raw.strip()) == ("a.jsonl", "line 3", BROKEN.strip())
        assert (second.position, second.raw.strip()) == ("line 4", "[1]")
        assert first.reason
        assert first.first_seen == clock.now
        memory.add(tmp_path / "a.jsonl", embed=False)
        assert [entry.first_seen for entry in memory.quarantined()] == [first.first_seen, second.first_seen]


def test_a_retry_takes_in_what_reads_now_and_keeps_the_rest(tmp_path: Path) -> None:
    path = broken_at(tmp_path / "a.jsonl")
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as memory:
        memory.add(path, embed=False)
        report = memory.retry(embed=False)
        assert (report.total.kept, report.total.quarantined, report.cleared) == (0, 2, 0)
        path.write_text(path.read_text().replace(BROKEN, GOOD))
        report = memory.retry(embed=False)
        assert (report.total.kept, report.total.unchanged, report.cleared) == (1, 2, 1)
        assert [entry.position for entry in memory.quarantined()] == ["line 4"]
        assert [item.source_id for item in memory.search("reads", profile="bm25")] == ["3"]


def test_a_corrected_copy_elsewhere_clears_what_it_reads(tmp_path: Path) -> None:
    path = broken_at(tmp_path / "a.jsonl")
    (tmp_path / "corrected").mkdir()
    copy = tmp_path / "corrected" / "a.jsonl"
    copy.write_text(path.read_text().replace(BROKEN, GOOD).replace("[1]\n", ""))
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as memory:
        memory.add(path, embed=False)
        assert memory.add(copy, embed=False).cleared == 0
        assert len(memory.quarantined()) == 2, "an import clears nothing by itself"
        assert memory.retry(copy, embed=False).cleared == 2
        assert memory.quarantined() == []


def test_another_file_or_another_source_clears_nothing(tmp_path: Path) -> None:
    path = broken_at(tmp_path / "a.jsonl")
    other = written(tmp_path / "b.jsonl", LINES[:2])
    (tmp_path / "elsewhere").mkdir()
    namesake = written(tmp_path / "elsewhere" / "a.jsonl", LINES[:2])
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as memory:
        memory.add(path, source="one", embed=False)
        assert memory.retry(other, namesake, embed=False).cleared == 0
        assert len(memory.quarantined()) == 2


def test_a_retry_reads_as_the_first_import_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("key,at,author,channel,text\n1,soon,Ana,ops,hi\n")
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as memory:
        memory.add(path, format="csv", fields={"id": "key", "sent_at": "at"}, source="desk", embed=False)
        assert len(memory.quarantined()) == 1
        path.write_text(path.read_text().replace("soon", "2025-01-01T10:00:00Z"))
        assert memory.retry(embed=False).cleared == 1
        assert memory.record("desk/1").text == "hi"


def test_what_is_gone_stays_in_quarantine_and_what_was_asked_for_must_be_there(tmp_path: Path) -> None:
    path = broken_at(tmp_path / "a.jsonl")
    notes: list[str] = []
    with Memory.open(tmp_path / "m.treering", clock=TickingClock(), note=notes.append) as memory:
        memory.add(path, embed=False)
        path.unlink()
        assert memory.retry(embed=False).total.read == 0
        assert len(memory.quarantined()) == 2
        assert any("a.jsonl is not there any more" in note for note in notes)
        with pytest.raises(UnreadableInput):
            memory.retry(path, embed=False)
