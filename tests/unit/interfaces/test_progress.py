"""The line of progress: rate and time left on a terminal, silence elsewhere."""

import io
import re

import pytest

from treering.interfaces.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")


def last_shown(stream: Terminal) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())


def test_a_terminal_is_told_how_fast_it_goes_and_how_long_it_takes() -> None:
    stream, clock = Terminal(), Hand()
    with ProgressLine(stream, clock) as progress:
        progress("embedding", 0, 1000)
        for _ in range(4):
            clock.now += 1
            progress("embedding", int(clock.now - 1000) * 100, 1000)
        progress.refresh()
        shown = last_shown(stream)
    assert "embedding" in shown
    assert "400/1000" in shown
    assert "100/s" in shown
    assert "0:00:06" in shown


def test_without_a_known_end_there_is_a_rate_and_no_time_left() -> None:
    stream, clock = Terminal(), Hand()
    with ProgressLine(stream, clock) as progress:
        progress("reading a.jsonl", 0, 0)
        clock.now += 2
        progress("reading a.jsonl", 5000, 0)
        progress.refresh()
        shown = last_shown(stream)
    assert "5000/?" in shown
    assert "2,500/s" in shown
    assert re.search(r"\d:\d\d:\d\d", shown) is None


def test_what_is_no_terminal_gets_nothing() -> None:
    stream = io.StringIO()
    with ProgressLine(stream, Hand()) as progress:
        progress("embedding", 5, 10)
        progress.refresh()
    assert stream.getvalue() == ""
