"""The site builds without a warning and without a network, and its pictures are those of the sample."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.drawing.forests import FIGURES, figures

from tests.docs.pages import ROOT
from treering import Memory

DECISIONS = ROOT / "docs" / "decisions"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_link_leads_somewhere(site: Path) -> None:  # or the build stops
    assert (site / "index.html").exists()
    assert (site / "decisions" / "0001-own-postings.html").exists()


def test_a_page_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:[^"]+)"', page.read_text("utf-8"))
        assert loaded == [], page.name


def test_the_interface_of_python_is_there_from_its_docstrings(site: Path) -> None:
    told = re.sub(r"<[^>]+>", "", (site / "api.html").read_text("utf-8"))
    for promised in (
        "Log what the paths hold",
        "only what held at that time",
        "another process holds the writer's lock",
    ):
        assert promised in told


@pytest.mark.model
def test_the_pictures_are_what_the_sample_grows_into(scratch: Path) -> None:
    with Memory.open("acme.treering") as memory, memory.browsing() as browser:
        for name, content in figures(browser):
            assert (FIGURES / name).read_text("utf-8") == content, "run python docs/drawing/forests.py"


def test_every_decision_is_listed() -> None:
    listed = set(re.findall(r"\((\d{4}-[\w-]+\.md)\)", (DECISIONS / "index.md").read_text("utf-8")))
    assert listed == {path.name for path in DECISIONS.glob("0*.md")} - {"0000-template.md"}
