"""An import of a server: it can be killed or stopped, and neither harms the memory."""

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import pytest

from tests.workspaces import LINES, line, written
from treering.clock import system_clock
from treering.interfaces.jobs import Jobs
from treering.interfaces.schema import ImportOptionsRequest, JobReply
from treering.memory import Memory

MANY = [line(1000 + n, f"step {n} of the move is done", at=f"2025-12-01T{n % 24:02}:00:00Z") for n in range(30_000)]
OPTIONS = ImportOptionsRequest(embed=False, source="s")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES[:3]), embed=False)
    return tmp_path / "m.treering"


def begun(jobs: Jobs) -> JobReply:
    """An import that takes a while, and has got through its first step."""
    folder = Path(tempfile.mkdtemp())
    written(folder / "many.jsonl", MANY)
    job = jobs.add(folder, ["many.jsonl"], OPTIONS)
    return until(jobs, job.id, lambda one: bool(one.progress))


def until(jobs: Jobs, job: str, holds: Callable[[JobReply], bool]) -> JobReply:
    for _ in range(6000):
        if holds(found := jobs.one(job)):
            return found
        time.sleep(0.01)  # another process gives no other sign
    raise AssertionError("it never came to that")


def test_an_import_whose_process_is_killed_fails_and_the_memory_stays_whole(path: Path) -> None:
    told: list[str] = []

    @contextmanager
    def around() -> Iterator[None]:
        try:
            yield
        finally:
            told.append("ended")

    jobs = Jobs(partial(Memory.open, path), system_clock, around)
    job = begun(jobs)
    assert jobs._running is not None
    assert jobs._running.pid is not None
    os.kill(jobs._running.pid, signal.SIGKILL)
    failed = until(jobs, job.id, lambda one: one.finished_at is not None)
    jobs.close()
    assert failed.state == "failed"
    assert str(failed.error).startswith("the process of the import ended (signal 9, SIGKILL); what was logged stays")
    assert told == ["ended"]
    with Memory.open(path) as memory:
        assert memory.verify() == []
        memory.add(written(path.parent / "many.jsonl", MANY), source="s", embed=False)
        assert memory.status()["records"] == 3 + len(MANY)
        assert memory.verify() == []


def test_a_server_that_ends_stops_its_import_between_two_steps(path: Path) -> None:
    jobs = Jobs(partial(Memory.open, path), system_clock, nullcontext)
    job = begun(jobs)
    waiting = Path(tempfile.mkdtemp())
    second = jobs.add(waiting, [], OPTIONS)
    jobs.close()
    stopped = jobs.one(job.id)
    assert (stopped.state, stopped.report) == ("failed", None)
    assert str(stopped.error).startswith("the server was stopped; what was logged stays")
    assert jobs.one(second.id).state == "waiting"
    assert not waiting.exists()
    with Memory.open(path) as memory:
        assert 3 < int(json.dumps(memory.status()["records"])) < 3 + len(MANY)
        assert memory.verify() == []
