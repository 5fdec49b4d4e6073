"""The whole engine with its default encoder, over the sample workspace."""

import os
from pathlib import Path

import numpy as np
import pytest

from tests.workspaces import LINES, written
from treering import Memory
from treering.sample import questions, workspace

pytestmark = pytest.mark.model
CACHE = Path(os.environ.get("TREERING_CACHE") or Path.home() / ".cache" / "treering")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    opened = Memory.open(tmp_path_factory.mktemp("vectors") / "m.treering", cache=CACHE)
    assert opened.add(workspace()).embedded
    return opened


def test_a_japanese_question_finds_its_japanese_evidence_first(memory: Memory) -> None:
    sample = questions()[3]
    found = memory.search(sample.question, asker=sample.asker)
    assert set(sample.evidence) <= {item.source_id for item in found.items[:5]}


def test_an_english_question_finds_japanese_evidence_by_meaning(memory: Memory) -> None:
    found = memory.search("why did the high temperature test fail?", profile="dense")
    assert set(questions()[3].evidence) & {item.source_id for item in found.items[:5]}


def test_what_a_viewer_may_not_see_is_not_found_by_meaning_either(memory: Memory) -> None:
    sample = questions()[4]
    for profile in ("dense", "hybrid", "egcforest"):
        found = memory.search(sample.question, asker=sample.asker, viewer=sample.viewer, profile=profile, k=100)
        assert not set(sample.hidden) & {item.source_id for item in found}
    owner = memory.search(sample.question, asker=sample.asker, k=100)
    assert set(sample.hidden) & {item.source_id for item in owner}


def test_a_decision_that_changed_is_found_with_what_came_before_it(memory: Memory) -> None:
    sample = questions()[2]
    found = {item.source_id for item in memory.search(sample.question, asker=sample.asker)}
    assert len(set(sample.evidence) & found) >= 3


def test_a_rebuild_by_the_same_encoder_gives_the_same_trees_and_the_same_answer(memory: Memory) -> None:
    before, found = memory.hashes(), memory.search("who approved DOC-042?", asker="Ana Ribeiro")
    memory.rebuild()
    assert memory.hashes() == before
    assert memory.search("who approved DOC-042?", asker="Ana Ribeiro") == found


def test_words_are_found_before_the_vectors_are_there_and_the_answer_says_so(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering", cache=CACHE) as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
        found = memory.search("PAY-311 refunds")
        assert found.items[0].source_id == "6"
        assert any("no vectors" in note for note in found.notes)
        memory.add(written(tmp_path / "a.jsonl", LINES))
        assert not memory.search("PAY-311 refunds").notes


def test_another_encoder_embeds_again_without_another_import(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering", cache=CACHE) as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
        memory.rebuild(encoder="static")
        assert memory.status()["encoder"] == "static"
        assert memory.search("double payment", profile="dense")


def test_the_sparse_index_is_filled_when_it_is_asked_for(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering", cache=CACHE) as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), encoder="none", sparse="splade-tiny")
        segments = [path.name for path in (tmp_path / "m.treering" / "segments").iterdir()]
        assert any(name.startswith("sparse") for name in segments)
        assert memory.verify() == []


def test_an_appended_message_is_found_by_meaning_at_once(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering", cache=CACHE) as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES[:6]), encoder="static")
        memory.add(written(tmp_path / "b.jsonl", LINES))
        scores = [item.score for item in memory.search("green build", profile="dense", k=10)]
        assert len(scores) == len(LINES)
        assert np.isfinite(scores).all()
