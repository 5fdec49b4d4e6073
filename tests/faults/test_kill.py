"""kill -9 while a memory is being written: it opens, verifies and goes on to the same root and the same trees."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.generated import slack_export
from treering import Memory

MESSAGES = 4_000


def add(memory: Path, export: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "treering", "add", str(memory), str(export), "--no-embed", "--json"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_and_resume(folder: Path, export: Path, expected: dict[str, str], share: float, seconds: float) -> None:
    """Kill an import after a share of the time it takes, then verify, resume and compare."""
    memory = folder / "killed.treering"
    writing = add(memory, export)
    time.sleep(seconds * share)  # when the process is killed does not matter to what must hold after
    writing.send_signal(signal.SIGKILL)
    writing.wait()
    if (memory / "memory.db").exists():
        looked = subprocess.run(
            [sys.executable, "-m", "treering", "verify", str(memory)], capture_output=True, text=True, check=False
        )
        assert "Traceback" not in looked.stderr
        assert "no longer has the content" not in looked.stdout
    assert add(memory, export).wait() == 0
    with Memory.open(memory) as opened:
        assert opened.verify() == []
        hashes = opened.hashes()
    assert {name: hashes[name] for name in expected} == expected


def undisturbed(folder: Path, export: Path) -> tuple[dict[str, str], float]:
    started = time.monotonic()
    assert add(folder / "whole.treering", export).wait() == 0
    seconds = time.monotonic() - started
    with Memory.open(folder / "whole.treering") as memory:
        hashes = memory.hashes()
    return {name: hashes[name] for name in ("root", "forest")}, seconds


@pytest.mark.parametrize("share", [0.55, 0.75, 0.95])
def test_a_killed_import_resumes_to_the_same_memory(tmp_path: Path, share: float) -> None:
    export = slack_export(tmp_path / "export.zip", 800)
    expected, seconds = undisturbed(tmp_path, export)
    kill_and_resume(tmp_path, export, expected, share, seconds)


@pytest.mark.soak
def test_twenty_kills_at_random_points_leave_the_same_memory(tmp_path: Path) -> None:
    export = slack_export(tmp_path / "export.zip", MESSAGES)
    expected, seconds = undisturbed(tmp_path, export)
    chance = random.Random(os.environ.get("TREERING_SEED", "1"))
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        kill_and_resume(folder, export, expected, chance.uniform(0.1, 1.0), seconds)
