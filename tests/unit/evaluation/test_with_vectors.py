"""A run of everything that needs no model of its own, over six messages and the default encoder."""

import os
from functools import partial
from pathlib import Path

import pytest

from tests.unit.evaluation import written
from treering.evaluation.loaders import load
from treering.evaluation.memories import Building
from treering.evaluation.run import Settings, run
from treering.evaluation.summary import summarize
from treering.interfaces.evaluate import Wanted, systems_named
from treering.memory import Memory

pytestmark = pytest.mark.model
CACHE = Path(os.environ.get("TREERING_CACHE") or Path.home() / ".cache" / "treering")


def test_profiles_ablations_and_our_own_baselines_run_side_by_side(tmp_path: Path) -> None:
    written.chats(tmp_path / "data")
    wanted = Wanted(systems=("bm25", "dense", "raptor", "full-context"), ablations=("views", "stages", "legs"))
    results = run(
        load("evidence", tmp_path / "data"),
        systems_named(wanted),
        Settings(tmp_path / "work", cuts=(2, 6), building=Building("e5-small", "none")),
        partial(Memory.open, cache=CACHE),
    )
    summary = summarize(results, "hybrid")

    assert summary.encoders == "e5-small, none"
    assert {system.overall["recall@6"].value for system in summary.systems.values()} == {1.0}
    assert {system.overall["attribution@6"].value for system in summary.systems.values()} == {1.0}
    assert summary.systems["raptor"].differences["recall@2"].questions == 3
