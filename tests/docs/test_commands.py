"""Every command in the documentation is run, or stands here with the reason why it cannot be."""

import re
import shlex
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.docs.pages import PAGES, ROOT, Command, commands, inline, mentions, page_name
from tests.docs.shell import Shell
from tests.unit.models.chat_server import serving
from treering.interfaces.cli import app

# What is not run, by how it begins, and why. Each must be met on some page, so that no reason outlives its command.
NOT_RUN = {
    r"make (demo|test)$": "what .ci/run does, and this test is a part of it",
    r"make soak$": "takes many minutes, and is run by hand",
    r"pip install ": "fetches from a package index; that the extra exists is tested below",
    r"treering models pull e5-small": "fetches 100 MB; `make demo` runs it",
    r"treering demo$": "takes a minute to encode; `make demo` runs it",
    r"treering (add|eval) .*\b(DATA|BUILT)\b": "needs a corpus published elsewhere; its options are tested below",
    r"python -m bench\.\w+": "measures for minutes; that the script exists is tested below",
}
# Options within sentences that are other programs' own.
FOREIGN_OPTIONS = {"--include-threads": "DiscordChatExporter", "--media": "DiscordChatExporter"}

TEXTS = {page_name(path): path.read_text(encoding="utf-8") for path in PAGES}
TREERING: Any = typer.main.get_command(app)


def reason(command: Command) -> str | None:
    return next((why for pattern, why in NOT_RUN.items() if re.match(pattern, command.text)), None)


RUNNABLE = [page for page, text in TEXTS.items() if not all(map(reason, commands(page, text)))]


@pytest.mark.model
@pytest.mark.parametrize("page", RUNNABLE)
def test_every_command_of_a_page_works(
    page: str, scratch: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as model, Shell(scratch, model.url, capsys, monkeypatch) as shell:
        for command in commands(page, TEXTS[page]):
            if reason(command) is None:
                shell.run(command)


def test_every_reason_is_that_of_a_command() -> None:
    listed = [command for page, text in TEXTS.items() for command in commands(page, text)]
    assert [pattern for pattern in NOT_RUN if not any(re.match(pattern, one.text) for one in listed)] == []


def test_a_command_that_is_neither_run_nor_listed_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (command,) = commands("page", "Do this:\n\n```bash\nfrobnicate --all  # now\n```\n")
    assert (reason(command), command.line, command.text) == (None, 4, "frobnicate --all")
    with Shell(tmp_path, "", capsys, monkeypatch) as shell, pytest.raises(pytest.fail.Exception, match="neither run"):
        shell.run(command)


def test_a_command_that_fails_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (command,) = commands("page", "```\ntreering status nowhere.treering\n```\n")
    with Shell(tmp_path, "", capsys, monkeypatch) as shell, pytest.raises(AssertionError, match="no memory at"):
        shell.run(command)


def test_commands_are_found_in_fences_in_indented_blocks_and_in_sentences() -> None:
    page = (
        "Text\n    that goes on.\n\n    treering status A\n    treering verify A\n\n"
        "* Import:\n  `treering add acme.treering\n  a.zip`.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n"
        "```json\n{}\n```\n\n```\nmake a \\\n  b\n```\n"
    )
    assert [(command.line, command.text) for command in commands("page", page)] == [
        (4, "treering status A"), (5, "treering verify A"), (8, "treering add acme.treering a.zip"), (24, "make a b"),
    ]  # fmt: skip


@pytest.mark.parametrize("page", TEXTS)
def test_every_command_and_option_that_a_page_speaks_of_exists(page: str) -> None:
    for command in mentions(page, TEXTS[page]):
        assert unknown(shlex.split(command.text)[1:]) == [], command


@pytest.mark.parametrize("page", TEXTS)
def test_an_option_that_is_named_by_itself_is_one_of_treerings(page: str) -> None:
    known = set(FOREIGN_OPTIONS).union(*map(options, commands_below(TREERING)))
    named = {code.split()[0].split("=")[0] for _, code in inline(TEXTS[page]) if code.startswith("--")}
    assert named <= known


@pytest.mark.parametrize("page", TEXTS)
def test_every_extra_and_script_that_a_page_speaks_of_exists(page: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"(?:treering|\.)\[([\w,]+)\]", TEXTS[page])
    assert {extra for several in named for extra in several.split(",")} <= set(project["optional-dependencies"])
    assert all(find_spec(module) for module in re.findall(r"python -m ([\w.]+)", TEXTS[page]))


def test_every_variable_of_the_environment_is_told() -> None:
    doors = (ROOT / "src" / "treering" / "interfaces").glob("cli*.py")
    sources = "".join(path.read_text(encoding="utf-8") for path in doors)
    table = TEXTS["docs/deploying.md"].partition("## Environment")[2].partition("\n## ")[0]
    assert set(re.findall(r"\bTREERING_[A-Z_]+\b", sources)) == set(re.findall(r"\bTREERING_[A-Z_]+\b", table))


def test_what_treering_does_not_know_is_noticed() -> None:
    assert unknown(["serch", "m"]) == ["serch"]
    assert unknown(["search", "m", "q", "--as-off", "2025-01-01", "-k", "3"]) == ["--as-off"]
    assert unknown(["models", "fetch"]) == ["fetch"]


def unknown(words: list[str]) -> list[str]:
    """The words of a call that Treering does not know: a command, or an option of it."""
    parser = TREERING
    while hasattr(parser, "commands") and words and not words[0].startswith("-"):
        if words[0] not in parser.commands:
            return words[:1]
        parser, words = parser.commands[words[0]], words[1:]
    return [word for word in words if re.match(r"--?[a-z]", word) and word.split("=")[0] not in options(parser)]


def options(parser: Any) -> set[str]:
    """The options of a command."""
    return {"--help", *(option for one in parser.params for option in (*one.opts, *one.secondary_opts))}


def commands_below(parser: Any) -> list[Any]:
    """A command and all that belong to it."""
    return [parser, *(one for child in getattr(parser, "commands", {}).values() for one in commands_below(child))]
