"""Runs the commands of one page, one after the other, in a folder that holds what they speak of.

`treering` runs in this process, which is quick; what serves runs in one of its own, on a free port, to the page's end.
"""

import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
import pytest

from tests.docs.pages import Command
from treering.interfaces.cli import main

__all__ = ["Shell"]

SERVED = "127.0.0.1:8480"
MODEL = "http://localhost:8080/v1"
PLACEHOLDER = "MEMORY"  # in the pages that write no name
SECONDS_MAX = 60


class Shell:
    """A folder, an environment, and a server once the page has started one."""

    def __init__(
        self, folder: Path, model: str, capture: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._folder = folder
        self._model = model  # the address of a model's server, in place of the one that pages name
        self._capture = capture
        self._environment = monkeypatch
        self._server: subprocess.Popen[bytes] | None = None
        self._address = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def run(self, command: Command) -> None:
        """Run a command; it must succeed, and an import must read something."""
        words = [self._expanded(word) for word in shlex.split(command.text)]
        match words:
            case ["export", setting]:
                self._environment.setenv(*setting.split("=", 1))
            case ["unset", name]:
                self._environment.delenv(name)
            case ["treering", "serve" | "mcp", *_]:
                self._serve(command, words[1:])
            case ["treering", *arguments]:
                self._call(command, arguments)
            case ["curl", *arguments]:
                self._fetch(command, arguments)
            case _:
                pytest.fail(f"{command}\nis neither run nor listed in NOT_RUN with a reason")

    def _expanded(self, word: str) -> str:
        if word == PLACEHOLDER:
            return "acme.treering"
        return str(Path(word).expanduser()) if word.startswith("~") else word.replace(MODEL, self._model)

    def _call(self, command: Command, arguments: list[str]) -> None:
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        said = self._capture.readouterr()
        assert not stopped.value.code, f"{command}\nexit code {stopped.value.code}\n{said.out}{said.err}"
        assert "read 0:" not in said.out, f"{command}\nreads nothing: its input is not what the page means"

    def _serve(self, command: Command, arguments: list[str]) -> None:
        self._stop()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        log = self._folder / "server.log"
        with log.open("wb") as said:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "treering", *arguments, "--port", str(port)], stdout=said, stderr=said
            )
        self._address = f"127.0.0.1:{port}"
        until = time.monotonic() + SECONDS_MAX
        while not self._answers():
            running = self._server.poll() is None and time.monotonic() < until
            assert running, f"{command}\ndoes not serve\n{log.read_text()}"
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            httpx.get(f"http://{self._address}/health", timeout=5)  # an MCP server says 404, and is there
        except httpx.TransportError:
            return False
        return True

    def _fetch(self, command: Command, arguments: list[str]) -> None:
        if shutil.which("curl") is None:
            pytest.skip("there is no curl here")
        assert self._server is not None, f"{command}\nnothing is served on this page yet"
        there = [word.replace(SERVED, self._address) for word in arguments]
        done = subprocess.run(["curl", "--fail-with-body", *there], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert done.stdout, f"{command}\nsays nothing"

    def _stop(self) -> None:
        if self._server is not None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(SECONDS_MAX)
            self._server = None
