import json
from pathlib import Path

import pytest

from treering.evaluation.benchmark import Benchmark, Question
from treering.evaluation.cuts import headline
from treering.evaluation.figures import ablation_bars, recall_against_k
from treering.evaluation.report import markdown
from treering.evaluation.run import Results
from treering.evaluation.summary import Difference, Mean, Summary, summarize


def results() -> Results:
    """Two systems, five questions: one without evidence, one of a category that stands aside."""
    questions = [
        Question(f"q{number}", "?", category, evidence=frozenset({"a"} if category != "abstain" else ()))
        for number, category in enumerate(["single", "single", "multi", "trap", "abstain"])
    ]
    benchmark = Benchmark("bakery", (), "nowhere", "CC0", aside=frozenset({"trap"}))
    made = Results(benchmark, (5, 20), questions, pools=1, records=1234, encoders="e5-small, none", notes=["beware"])
    for name, found in (("hybrid", [0, 1, 0, 1]), ("treering", [1, 1, 0.5, 0])):
        values: list[dict[str, float | None]] = [
            {"tokens@5": 10.0, "recall@5": r, "tokens@20": 1800.0, "recall@20": r, "all@20": float(r == 1), "mrr": r}
            for r in found
        ]
        made.measured[name] = [*values, {"tokens@5": 10.0, "tokens@20": 1800.0}]
    made.measured["full-context"] = [{**values, "mrr": None} for values in made.measured["hybrid"]]
    made.whole = frozenset({"full-context"})
    return made


@pytest.fixture
def summary() -> Summary:
    return summarize(results(), "hybrid")


def test_overall_figures_leave_out_what_is_aside_or_has_no_evidence(summary):
    assert (summary.questions, summary.answerable) == (5, 3)
    assert summary.systems["hybrid"].overall["recall@20"] == Mean(round(1 / 3, 6), 3)
    assert summary.systems["hybrid"].categories["trap"]["recall@20"] == Mean(1.0, 1)
    assert summary.systems["hybrid"].overall["tokens@20"] == Mean(1800.0, 4)


def test_differences_are_paired_and_the_baseline_has_none(summary):
    found = summary.systems["treering"].differences["recall@20"]

    assert (found.value, found.questions) == (0.5, 3)
    assert found.low <= found.value <= found.high
    assert summary.systems["hybrid"].differences == {}
    assert summary.systems["full-context"].differences["recall@20"] == Difference(0.0, 0.0, 0.0, 3)
    assert "mrr" not in summary.systems["full-context"].differences


def test_without_a_baseline_in_the_run_there_are_no_differences():
    summary = summarize(results(), "bm25")

    assert summary.baseline is None
    assert all(not system.differences for system in summary.systems.values())
    assert "to bm25" not in markdown(summary)


def test_the_page_says_what_a_reader_must_know(summary):
    page = markdown(summary)

    assert "5 questions, 3 of them with labelled evidence; 1 pool, 1,234 records; encoders e5-small, none." in page
    assert "| system | R@5 | R@20 | all@20 | MRR | tokens@20 | R@5 to hybrid (95%) | R@20 to hybrid (95%) |" in page
    assert "| `hybrid` | 33.3 | 33.3 | 33.3 | 33.3 | 1,800 | – | – |" in page
    assert "| `full-context`* | 33.3 | 33.3 | 33.3 | – | 1,800 | +0.0 (+0.0 to +0.0) | +0.0 (+0.0 to +0.0) |" in page
    assert "| system | multi (1) | single (2) | trap (1) aside |" in page
    assert "| `treering` | 50.0 | 100.0 | 0.0 |" in page
    assert "- beware" in page
    assert page.endswith("\n")


def test_a_benchmark_without_labels_says_that_only_answers_can_be_scored():
    made = results()
    made.questions = [Question("q", "?", "single")]
    made.measured = {"bm25": [{"tokens@20": 9.0}]}

    assert "only answers can be scored" in markdown(summarize(made, None))


def test_the_json_and_the_page_are_the_same_every_time():
    first, second = summarize(results(), "hybrid"), summarize(results(), "hybrid")

    assert json.dumps(first.as_json()) == json.dumps(second.as_json())
    assert markdown(first) == markdown(second)


def test_the_headline_is_the_papers_twenty_where_it_was_asked():
    assert (headline((5, 20, 50)), headline((5, 10))) == (20, 10)


def test_plots_are_the_same_bytes_every_time(summary, tmp_path: Path):
    pytest.importorskip("matplotlib")
    rows = {"whole": "treering", "gone": "egcforest"}
    lines = [recall_against_k(summary, {"treering"}, tmp_path / name).read_bytes() for name in ("a.svg", "b.svg")]
    bars = [ablation_bars(summary, rows, tmp_path / name).read_bytes() for name in ("c.svg", "d.svg")]

    assert lines[0] == lines[1]
    assert bars[0] == bars[1]
    assert b">treering<" in lines[0]
    assert b">hybrid<" not in lines[0]
    assert b">whole<" in bars[0]
    assert b">gone<" not in bars[0]
