"""The memory that the pages speak of, and the files beside it; made once, copied for every page."""

import os
import shutil
from pathlib import Path

import pytest

from tests.docs.inputs import write_inputs
from treering import Memory
from treering.models.catalog import known_model
from treering.models.pull import pull
from treering.sample import workspace

CACHE = Path(os.environ.get("TREERING_CACHE", Path.home() / ".cache" / "treering"))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample as `acme.treering`, found by words alone, and every input that a page names."""
    folder = tmp_path_factory.mktemp("docs") / "prepared"
    folder.mkdir()
    write_inputs(folder, tmp_path_factory.mktemp("work"))
    static = pull(known_model("static"), CACHE)
    (folder / "cache").mkdir()
    (folder / "cache" / static.name).symlink_to(static)  # alone, for an encoder that is here is loaded by `doctor`
    with Memory.open(folder / "acme.treering") as memory:
        memory.add(workspace(), encoder="none")
    return folder


@pytest.fixture
def scratch(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in which the test is; its `home` is the home of whoever follows the page."""
    folder = tmp_path / "scratch"
    shutil.copytree(prepared, folder, symlinks=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TREERING_CACHE", str(folder / "cache"))
    monkeypatch.setenv("HOME", str(folder / "home"))
    return folder
