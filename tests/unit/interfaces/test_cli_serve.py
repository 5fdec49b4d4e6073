"""`treering serve` and `treering token` at the command line."""

import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from treering.errors import MemoryMissing, UsageError
from treering.interfaces.cli_serve import register
from treering.interfaces.rest.callers import TokenFile
from treering.memory import Memory


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    register(made, lambda path, progress: Memory.open(path, progress=progress))
    return made


def test_a_token_is_printed_once_and_its_hash_is_kept(app: typer.Typer, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    made = [
        CliRunner().invoke(app, ["token", viewer, "--file", str(file)]).stdout.strip() for viewer in ("owner", "Ana L")
    ]
    kept = TokenFile.read(file)
    callers = [kept.caller(token) for token in made]
    assert [caller.viewer if caller else "nobody" for caller in callers] == [None, "Ana L"]
    assert file.stat().st_mode & 0o077 == 0
    assert not any(token in file.read_text() for token in made)


def test_a_server_without_tokens_does_not_listen_beyond_this_machine(app: typer.Typer, tmp_path: Path) -> None:
    refused = CliRunner().invoke(app, ["serve", str(tmp_path), "--host", "0.0.0.0"])
    assert isinstance(refused.exception, UsageError)
    assert "--token-file" in str(refused.exception)


def test_a_memory_that_is_not_there_is_not_served(app: typer.Typer, tmp_path: Path) -> None:
    refused = CliRunner().invoke(app, ["serve", str(tmp_path / "none")])
    assert isinstance(refused.exception, MemoryMissing)


def test_a_missing_extra_is_named(app: typer.Typer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    refused = CliRunner().invoke(app, ["serve", str(tmp_path)])
    assert "pip install 'treering[server]'" in str(refused.exception)
