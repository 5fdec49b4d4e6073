"""A real server over a memory of the sample workspace, and a real browser before it.

Screenshots go to `TREERING_SCREENSHOTS`, else to a folder of pytest's own, as artefacts.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from treering.memory import Memory
from treering.sample import workspace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"> quicksilver </p></main><script>document.title='owned'</script>"
)
READY_SECONDS_MAX = 120
ACT_MS_MAX = 60_000  # two busy cores are slow; nothing here waits longer than it must
DOCUMENTS = [
    {"id": "rota-1", "doc": "rota", "version": 1, "dated": "2025-11-03", "author": "Ana", "title": "Kitchen rota",
     "text": "The fridge is emptied on Tuesday. Bring nothing that smells."},
    {"id": "rota-2", "doc": "rota", "version": 2, "dated": "2025-12-01", "author": "Ana", "title": "Kitchen rota",
     "text": "The fridge is emptied on Thursday. Bring nothing that smells."},
    {"id": "hostile-1", "doc": "hostile", "version": 1, "dated": "2025-12-03", "author": "<b>Mallory</b>",
     "title": "<script>alert(1)</script>", "text": HOSTILE},
]  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    lacking = _lacking()
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.web)
            if lacking is not None:
                item.add_marker(pytest.mark.skip(reason=lacking))


def _lacking() -> str | None:
    if _browser() is None:
        return "no browser: apt-get install chromium, or set CHROMIUM to one"
    if importlib.util.find_spec("fastapi") is None:
        return "serving needs the extra `server`"
    return None


def _browser() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@dataclass(frozen=True, slots=True)
class Explorer:
    """The server, and what a page of it complained of."""

    address: str
    screenshots: Path
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def sample(tmp_path_factory) -> Path:
    path: Path = tmp_path_factory.mktemp("web") / "sample.treering"
    more = path.with_name("more.jsonl")
    more.write_text("".join(f"{json.dumps(row)}\n" for row in DOCUMENTS), encoding="utf-8")
    with Memory.open(path) as memory:
        memory.add(workspace(), encoder="none", sparse="none")
        memory.add(more, visibility="public")
    return path


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory) -> Path:
    kept = os.environ.get("TREERING_SCREENSHOTS")
    folder = Path(kept) if kept else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_server(memory: Path, log: Path, *options: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server on a port of its own choosing, which its log tells."""
    program = [sys.executable, "-m", "treering", "serve", str(memory), "--port", "0", "--readers", "2", *options]
    with log.open("wb") as out:
        process = subprocess.Popen(program, stdout=out, stderr=out)
    give_up = time.monotonic() + READY_SECONDS_MAX
    while time.monotonic() < give_up and process.poll() is None:
        for word in log.read_text(encoding="utf-8").replace('"', " ").split():
            if word.startswith("http://127.0.0.1:") and not word.endswith(":0"):
                address = word.rstrip("/")
                if httpx.get(f"{address}/health").is_success:
                    return process, address
        time.sleep(0.1)
    process.kill()
    raise AssertionError(f"the server did not start:\n{log.read_text(encoding='utf-8')}")


@pytest.fixture(scope="session")
def server(sample, tmp_path_factory) -> Iterator[str]:
    process, address = start_server(sample, tmp_path_factory.mktemp("server") / "log")
    yield address
    process.terminate()
    process.wait(60)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=ACT_MS_MAX)
    with sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=_browser(), args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture
def explorer(server, screenshots) -> Explorer:
    return Explorer(server, screenshots)


@pytest.fixture
def page(browser, explorer, request) -> Iterator["Page"]:
    """A page that may complain of nothing; an indirect parameter goes to the browser: a theme, a size."""
    options = {"viewport": {"width": 1360, "height": 900}, **getattr(request, "param", {})}
    context = browser.new_context(base_url=explorer.address, reduced_motion="reduce", **options)
    context.set_default_timeout(ACT_MS_MAX)
    opened = context.new_page()
    watch(opened, explorer.complaints)
    yield opened
    context.close()
    assert explorer.complaints == []


def watch(page: "Page", complaints: list[str]) -> None:
    """Note whatever the page logs as wrong, and whatever it asks of another server."""

    def said(message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def asked(request: "Request") -> None:
        if not request.url.startswith("http://127.0.0.1:"):
            complaints.append(f"asked of others: {request.url}")

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", said)
    page.on("request", asked)
