"""What docs/agents.md shows is what happens."""

import contextlib
import io
import json
import re
import warnings
from pathlib import Path

import pytest

from treering.interfaces import cli
from treering.interfaces.tools import TOOLS

DOC = Path(__file__).parents[4] / "docs" / "agents.md"
FENCED = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def blocks(language: str) -> list[str]:
    return [code for found, code in FENCED.findall(DOC.read_text(encoding="utf-8")) if found == language]


def test_every_python_block_runs_and_finds_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations within the frameworks' own modules, while they load
        pytest.importorskip("langchain_core", reason="the extra `langchain` is not installed")
        pytest.importorskip("llama_index.core", reason="the extra `llamaindex` is not installed")
        import treering.interfaces.integrations.llamaindex  # noqa: F401  # its block is run with warnings as errors
    monkeypatch.chdir(tmp_path)
    assert len(blocks("python")) == 3
    for code in blocks("python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "agents.md", "exec"), {})
        assert "DOC-042 rev C is released today" in printed.getvalue()


def test_every_json_block_reads_and_every_tool_is_named() -> None:
    for code in blocks("json"):
        assert "treering" in json.loads(code)["mcpServers"]
    text = DOC.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == [tool.name for tool in TOOLS]


@pytest.mark.parametrize(
    "line", [line for code in blocks("") for line in code.splitlines() if line.startswith("treering")]
)
def test_every_command_is_one_with_these_options(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, command, *rest = line.split("  #")[0].split()
    with pytest.raises(SystemExit) as stopped:
        cli.main([command, "--help"])
    shown = capsys.readouterr().out
    assert not stopped.value.code
    assert all(option in shown for option in rest if option.startswith("--"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "9"], "go with --http"),
        (["--token-file", "x"], "go with --http"),
        (["--http", "--token-file", "x", "--viewer", "Ana"], "exclude each other"),
        (["--http", "--host", "0.0.0.0"], "no memory"),
    ],
)
def test_a_wrong_mcp_command_says_what_is_wrong(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    with pytest.raises(SystemExit) as stopped:
        cli.main(["mcp", str(tmp_path / "none.treering"), *options])
    assert stopped.value.code
    assert said in capsys.readouterr().err
