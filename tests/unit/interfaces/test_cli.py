"""The command line: what it prints where, and its exit codes."""

import json
from pathlib import Path

import pytest

from tests.workspaces import LINES, SECRET, written
from treering.interfaces.cli import main


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("cli")
    path = str(folder / "m.treering")
    with pytest.raises(SystemExit):
        main(["add", path, str(written(folder / "all.jsonl", [*LINES, *SECRET])), "--no-embed", "--json"])
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return int(stopped.value.code or 0), captured.out, captured.err


def test_add_reports_in_one_json_document(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", LINES)
    code, out, _ = run(capsys, "add", str(tmp_path / "m.treering"), str(path), "--no-embed", "--json")
    report = json.loads(out)
    assert code == 0
    assert report["total"] == {
        "read": 10, "kept": 10, "unchanged": 0, "versions": 0, "skipped": {}, "quarantined": 0,
    }  # fmt: skip
    assert [file["file"] for file in report["files"]] == ["a.jsonl"]


def test_search_prints_evidence_with_every_field(capsys: pytest.CaptureFixture[str], memory: str) -> None:
    code, out, _ = run(capsys, "search", memory, "PAY-311 refunds", "--asker", "Ana", "--json", "--explain")
    found = json.loads(out)
    assert code == 0
    assert set(found) == {"question", "profile", "bounds", "evidence", "headers", "facts", "tokens", "notes", "trace"}
    assert set(found["evidence"][0]) == {
        "id", "source", "source_id", "version", "kind", "channel", "thread", "author", "valid_from", "text", "spans",
        "tokens", "state", "stage", "score", "why", "citation", "title",
    }  # fmt: skip


def test_no_hit_is_no_failure(capsys: pytest.CaptureFixture[str], memory: str) -> None:
    code, out, _ = run(capsys, "search", memory, "zebra", "--profile", "bm25", "--json")
    assert (code, json.loads(out)["evidence"]) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["search", "{memory}", "x", "--viewer", "Nobody"], 1, "Nobody"),
        (["search", "{missing}", "x"], 1, "no memory"),
        (["search", "{memory}", "x", "--as-of", "soon"], 2, "soon"),
        (["search", "{memory}", "x", "--profile", "magic"], 2, "magic"),
        (["search", "{memory}"], 2, "QUESTION"),
        (["add", "{new}", "{missing}"], 1, "does not exist"),
        (["add", "{new}", "{binary}"], 1, "no format"),
        (["add", "{new}", "{text}", "--map", "id"], 2, "TARGET=FIELD"),
        (["add", "{new}", "{text}", "--visibility", "secret"], 2, "secret"),
        (["add", "{new}", "{text}", "--format", "morse"], 2, "morse"),
        (["show", "{memory}", "77777"], 1, "77777"),
        (["tree", "{memory}", "ops"], 2, "channel:NAME"),
        (["tree", "{memory}", "channel:nowhere"], 1, "nowhere"),
        (["run", "{memory}", "{missing}"], 1, "cannot be read"),
        (["run", "{memory}", "{text}"], 2, "line 1"),
        (["status", "{missing}"], 1, "no memory"),
        (["verify", "{missing}"], 1, "no memory"),
        (["models", "pull", "gpt"], 2, "gpt"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_what_went_wrong_is_said_with_the_right_code(
    capsys: pytest.CaptureFixture[str], memory: str, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    (tmp_path / "tune.bin").write_bytes(b"\x00\x01\x02" * 99)
    places = {
        "memory": memory,
        "missing": tmp_path / "none",
        "new": tmp_path / "new.treering",
        "text": tmp_path / "notes.txt",
        "binary": tmp_path / "tune.bin",
    }
    got, out, err = run(capsys, *(argument.format(**places) for argument in arguments))
    assert (got, out) == (code, "")
    assert said in err


def test_quarantined_records_fail_only_a_strict_import(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", LINES[:1])
    path.write_text(path.read_text() + "{broken\n")
    code, _, err = run(capsys, "add", str(tmp_path / "m.treering"), str(path), "--no-embed")
    assert code == 0
    assert "line 2" in err
    code, _, err = run(capsys, "add", str(tmp_path / "m.treering"), str(path), "--no-embed", "--strict")
    assert code == 1
    assert "1 records were quarantined" in err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"key": 1, "at": "2025-01-01T10:00:00Z", "author": "Ana", "channel": "ops", "text": "hi"}\n'),
        ("a.csv", "key,at,author,channel,text\n1,2025-01-01T10:00:00Z,Ana,ops,hi\n"),
    ],
)
def test_fields_of_a_table_can_be_renamed_without_naming_its_format(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    renames = ["--map", "id=key", "--map", "sent_at=at"]
    code, out, _ = run(
        capsys, "add", str(tmp_path / "m.treering"), str(tmp_path / name), *renames, "--no-embed", "--json"
    )
    assert (code, json.loads(out)["total"]["kept"]) == (0, 1)


def test_a_run_has_one_line_a_question_as_deep_as_asked(
    capsys: pytest.CaptureFixture[str], memory: str, tmp_path: Path
) -> None:
    questions = tmp_path / "questions.jsonl"
    asked = [
        {"id": "q1", "question": "PAY-311", "asker": "Ana", "asked_at": "2025-11-04T00:00:00Z", "as_of": None},
        {"id": "q2", "question": "ship Friday", "asker": "Zoe", "asked_at": "2025-12-01T00:00:00Z"},
    ]
    questions.write_text("\n".join(map(json.dumps, asked)))
    code, out, err = run(capsys, "run", memory, str(questions), "-k", "100")
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert "Zoe" in err
    assert set(first) == {"id", "profile", "ranking", "ms"}
    assert {entry["source_id"] for entry in first["ranking"]} <= {"1", "2", "3", "4", "90"}
    assert second["ranking"][0]["source_id"] == "7"
    scores = [entry["score"] for entry in second["ranking"]]
    assert scores == sorted(set(scores), reverse=True)


def test_show_prints_the_whole_record_and_its_versions(capsys: pytest.CaptureFixture[str], memory: str) -> None:
    code, out, _ = run(capsys, "show", memory, "1", "--json")
    assert (code, json.loads(out)["text"]) == (0, LINES[0]["text"])
    assert run(capsys, "show", memory, "jsonl/1", "--versions")[0] == 0


def test_a_tree_and_the_facts_are_printed(capsys: pytest.CaptureFixture[str], memory: str) -> None:
    assert "PAY-311" in run(capsys, "tree", memory, "channel:ops")[1]
    assert "records" in run(capsys, "status", memory)[1]
    code, out, _ = run(capsys, "verify", memory, "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--version")
    assert (code, out.split()[0]) == (0, "treering")
