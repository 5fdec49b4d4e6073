"""`treering doctor`: lines for people, one document for programs, and an exit code."""

import json
from pathlib import Path

import pytest

from tests.workspaces import LINES, written
from treering import Memory
from treering.interfaces.cli import main


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "m.treering"
    with Memory.open(path) as opened:
        opened.add(written(tmp_path / "all.jsonl", LINES), encoder="none")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["doctor", *arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def test_a_fit_machine_is_a_line_for_each_thing_and_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert code == 0
    assert any(line.startswith("ok       SQLite: ") for line in out.splitlines())
    assert "failures: 0" in err
    assert "memory" not in {line[9:].partition(":")[0] for line in out.splitlines()}


def test_a_failure_is_told_with_what_to_do_and_exit_code_1(capsys: pytest.CaptureFixture[str], memory: Path) -> None:
    for segment in (memory / "segments").iterdir():
        segment.unlink()
    code, out, err = run(capsys, str(memory))
    assert code == 1
    told = out.splitlines()
    at = next(i for i, line in enumerate(told) if line.startswith("failure  segments, lexical: "))
    assert told[at + 1] == f"         → `treering rebuild {memory}` writes them anew from the log"
    assert "failures: 1" in err


def test_json_is_one_document_with_every_finding(capsys: pytest.CaptureFixture[str], memory: Path) -> None:
    code, out, err = run(capsys, str(memory), "--json")
    document = json.loads(out)
    assert (code, document["ok"], err) == (0, True, "")
    assert {"about", "verdict", "found", "advice"} == set(document["findings"][0])
    assert {"Python", "log", "quarantine"} <= {finding["about"] for finding in document["findings"]}


def test_a_memory_that_is_not_there_is_a_failure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, str(tmp_path / "none"))
    assert code == 1
    assert "failure  memory: no memory at" in out
