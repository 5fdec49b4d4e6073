"""The loaders on the data as published: run with TREERING_DATA naming the folder that holds one folder a benchmark."""

import os
from pathlib import Path

import pytest

from treering.evaluation.loaders import load

DATA = os.environ.get("TREERING_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="TREERING_DATA names no folder of benchmarks")

EXPECTED = {  # benchmark: folder, pools, records, questions, with evidence
    "ncar": ("ncar", 1, 6_703, 60, 57),
    "bytecode": ("bytecode", 1, 47_852, 59, 56),
    "orgdocs": ("orgdocs", 1, 1_294, 40, 39),
    "locomo": ("locomo", 10, 5_882, 1_986, 1_981),
    "locomo-published": ("locomo", 10, 5_882, 1_986, 1_982),
    "qmsum": ("qmsum", 35, 20_123, 237, 237),
    "memora": ("memora", 10, 1_551, 150, 150),
    "longmemeval-s": ("loaders/longmemeval", 1, 550, 1, 1),
    "longmemeval-s-sessions": ("loaders/longmemeval", 1, 53, 1, 1),
    "orgmembench": ("orgmembench_small", 1, 42, 11, 11),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_published_data_load_whole(name):
    folder, pools, records, questions, labelled = EXPECTED[name]
    path = Path(DATA or "") / folder
    if not path.is_dir():
        pytest.skip(f"{path} is not here")

    loaded = list(load(name, path).pools)
    asked = [question for pool in loaded for question in pool.questions]

    assert (len(loaded), sum(1 for pool in loaded for _ in pool.rows())) == (pools, records)
    assert (len(asked), sum(bool(question.evidence) for question in asked)) == (questions, labelled)
    assert len({question.id for question in asked}) == questions
    for pool in loaded:
        ids = {str(row["id"]) for row in pool.rows()}
        assert len(ids) == sum(1 for _ in pool.rows())
        for question in pool.questions:
            assert question.evidence | question.supporting | question.stale <= ids


def test_the_papers_1540_questions_of_locomo_are_those_not_aside():
    benchmark = load("locomo", Path(DATA or "") / "locomo")
    asked = [question for pool in benchmark.pools for question in pool.questions]

    assert sum(question.category not in benchmark.aside for question in asked) == 1_540
