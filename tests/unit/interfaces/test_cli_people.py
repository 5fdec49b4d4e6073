"""The operator's commands: what they print where, and their exit codes."""

import json
from pathlib import Path

import pytest

from tests.workspaces import LINES, SECRET, line, written
from treering.interfaces.cli import main


@pytest.fixture
def memory(tmp_path: Path) -> str:
    path = str(tmp_path / "m.treering")
    with pytest.raises(SystemExit):
        main(["add", path, str(written(tmp_path / "all.jsonl", [*LINES, *SECRET])), "--no-embed", "--json"])
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return int(stopped.value.code or 0), captured.out, captured.err


def test_actors_are_listed_linked_and_unlinked(capsys: pytest.CaptureFixture[str], memory: str, tmp_path: Path) -> None:
    other = written(tmp_path / "b.jsonl", [line(1, "hello", at="2025-11-03T09:00:00Z", author="Gus")])
    run(capsys, "add", memory, str(other), "--source", "mail", "--no-embed", "--json")
    code, out, _ = run(capsys, "actors", memory, "--json")
    listed = {account["id"]: account for account in json.loads(out)}
    assert code == 0
    assert set(listed["jsonl/Gus"]) == {"id", "name", "kind", "names", "records", "linked"}
    assert (listed["jsonl/Gus"]["records"], listed["mail/Gus"]["records"]) == (3, 1)
    _, out, _ = run(capsys, "actors", memory, "--possible-duplicates", "--json")
    assert json.loads(out) == [{"shared": "id", "value": "gus", "accounts": ["jsonl/Gus", "mail/Gus"]}]
    (tmp_path / "links.txt").write_text("jsonl/Gus = mail/Gus\n")
    _, out, err = run(capsys, "actors", memory, "--link", str(tmp_path / "links.txt"))
    assert (out, "1 links are new" in err) == ("jsonl/Gus = mail/Gus\n", True)
    assert "= mail/Gus" in run(capsys, "actors", memory)[1]
    assert run(capsys, "actors", memory, "--possible-duplicates", "--json")[1] == "[]\n"
    _, out, err = run(capsys, "actors", memory, "--unlink", str(tmp_path / "links.txt"), "--json")
    assert (json.loads(out), "1 links taken back" in err) == ([], True)


def test_grants_are_stated_listed_and_taken_back(capsys: pytest.CaptureFixture[str], memory: str) -> None:
    code, out, _ = run(capsys, "grant", memory, "sec-incident", "Ben", "--json")
    assert (code, json.loads(out)["readers"]) == (0, ["jsonl/Ben", "jsonl/Dora", "jsonl/Gus"])
    assert run(capsys, "grant", memory, "sec-incident", "Dora", "--revoke")[0] == 0
    _, out, _ = run(capsys, "grant", memory, "sec-incident", "--list")
    assert "kept out: jsonl/Dora" in out
    assert "read by jsonl/Ben, jsonl/Gus" in out
    run(capsys, "grant", memory, "sec-incident", "Dora", "--as-imported")
    _, out, _ = run(capsys, "grant", memory, "sec-incident", "--list", "--json")
    access = json.loads(out)
    assert (access["kept_out"], [one["decision"] for one in access["decisions"]]) == (
        [], ["grant", "revoke", "as imported"],
    )  # fmt: skip


def test_quarantine_lists_and_tries_again(capsys: pytest.CaptureFixture[str], memory: str, tmp_path: Path) -> None:
    path = written(tmp_path / "bad.jsonl", LINES[:1])
    good = path.read_text()
    path.write_text(good + "{broken\n")
    run(capsys, "add", memory, str(path), "--no-embed", "--json")
    code, out, _ = run(capsys, "quarantine", memory, "--json")
    (entry,) = json.loads(out)
    assert (code, entry["file"], entry["position"]) == (0, "bad.jsonl", "line 2")
    path.write_text(good)
    _, out, err = run(capsys, "quarantine", memory, "--retry", "--no-embed", "--json")
    assert json.loads(out) == []
    assert "1 left quarantine" in err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["grant", "{memory}", "ops"], 2, "PERSON"),
        (["grant", "{memory}", "ops", "Ben", "--everybody"], 2, "PERSON"),
        (["grant", "{memory}", "ops", "Ben", "--revoke", "--as-imported"], 2, "PERSON"),
        (["grant", "{memory}", "nowhere", "Ben"], 1, "nowhere"),
        (["grant", "{memory}", "ops", "Nobody"], 1, "Nobody"),
        (["grant", "{missing}", "ops", "Ben"], 1, "no memory"),
        (["actors", "{missing}"], 1, "no memory"),
        (["actors", "{memory}", "--link", "{missing}"], 1, "cannot be read"),
        (["actors", "{memory}", "--link", "{text}"], 2, "line 1"),
        (["quarantine", "{missing}"], 1, "no memory"),
        (["quarantine", "{memory}", "{text}"], 2, "--retry"),
        (["quarantine", "{memory}", "--retry", "{missing}"], 1, "does not exist"),
    ],
)
def test_what_went_wrong_is_said_with_the_right_code(
    capsys: pytest.CaptureFixture[str], memory: str, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    places = {"memory": memory, "missing": tmp_path / "none", "text": tmp_path / "notes.txt"}
    got, out, err = run(capsys, *(argument.format(**places) for argument in arguments))
    assert (got, out) == (code, "")
    assert said in err
