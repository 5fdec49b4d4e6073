import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from tests.unit.evaluation import written
from treering.errors import UsageError
from treering.interfaces.cli_eval import register
from treering.interfaces.evaluate import Wanted, systems_named
from treering.memory import Memory


def called(*arguments: str | Path | int) -> Result:
    app = typer.Typer()

    @app.callback()
    def root() -> None:
        """More than one command, so that `eval` has its name."""

    register(app, lambda path, progress: Memory.open(path))
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written.chats(tmp_path / "data")


def test_one_command_prints_a_table_and_writes_it_beside_its_json(data, tmp_path):
    result = called(
        "evidence",
        "--data",
        data,
        "--work",
        tmp_path / "work",
        "--system",
        "bm25",
        "--baseline",
        "bm25",
        "--no-embed",
        "--cut",
        3,
    )

    assert result.exit_code == 0, result.output
    assert "| `bm25` | 100.0 |" in result.stdout
    assert (tmp_path / "work/results/evidence.md").read_text() == result.stdout
    written_json = json.loads((tmp_path / "work/results/evidence.json").read_text())
    assert written_json["systems"]["bm25"]["overall"]["recall@3"] == {"value": 1.0, "questions": 3}


def test_a_second_call_writes_the_same_bytes(data, tmp_path):
    def files() -> list[bytes]:
        call = (
            "evidence",
            "--data",
            data,
            "--work",
            tmp_path / "work",
            "--system",
            "bm25",
            "--baseline",
            "",
            "--no-embed",
        )
        assert called(*call, "--system", "full-context", "--out", tmp_path / "out", "--name", "mine").exit_code == 0
        return [(tmp_path / "out" / name).read_bytes() for name in ("mine.md", "mine.json")]

    assert files() == files()


def test_json_is_one_document_on_standard_output(data, tmp_path):
    call = (
        "evidence",
        "--data",
        data,
        "--work",
        tmp_path / "work",
        "--system",
        "bm25",
        "--baseline",
        "bm25",
        "--no-embed",
    )

    assert json.loads(called(*call, "--json").stdout)["benchmark"] == "evidence"


def test_misses_of_a_system_are_written_beside_the_table(data, tmp_path):
    call = ("evidence", "--data", data, "--work", tmp_path / "work", "--system", "bm25", "--baseline", "", "--no-embed")

    assert called(*call, "--cut", 1, "--misses", "bm25").exit_code == 0
    assert "evidence: q2" in (tmp_path / "work/results/evidence-misses.md").read_text()
    refused = called(*call, "--misses", "hybrid")
    assert isinstance(refused.exception, UsageError)
    assert "hybrid" in str(refused.exception)


def test_an_ablation_adds_its_systems_each_once_and_the_baseline_comes_first():
    wanted = Wanted(systems=("bm25",), ablations=("views", "stages"))

    assert [system.name for system in systems_named(wanted)] == [
        "hybrid",
        "bm25",
        "egcforest:channel",
        "egcforest:channel+actor",
        "egcforest:channel+artifact",
        "egcforest",
        "egcforest:S1",
        "egcforest:S1+S2",
        "egcforest:S1+S2+S3",
    ]


def test_baselines_of_our_own_have_names():
    wanted = Wanted(systems=("raptor", "raptor:bm25", "full-context"), baseline="", context_tokens=77)
    raptor, by_words, everything = systems_named(wanted)

    assert (raptor.name, by_words.name) == ("raptor", "raptor:bm25")
    assert everything.settings == "tokens_max=77"


def test_an_ablation_nobody_knows_is_refused():
    with pytest.raises(UsageError, match="no ablation is called colours; there are views, stages, legs"):
        systems_named(Wanted(ablations=("colours",)))


def test_plots_without_matplotlib_are_refused_before_the_run(data, tmp_path, monkeypatch):
    monkeypatch.setattr("treering.evaluation.figures.find_spec", lambda name: None)
    result = called(
        "evidence", "--data", data, "--work", tmp_path / "work", "--no-embed", "--figures", tmp_path / "figures"
    )

    assert isinstance(result.exception, UsageError)
    assert "figures need matplotlib" in str(result.exception)
    assert not (tmp_path / "work").exists()


def test_plots_are_written_where_they_are_wanted(data, tmp_path):
    pytest.importorskip("matplotlib")
    call = (
        "evidence",
        "--data",
        data,
        "--work",
        tmp_path / "work",
        "--system",
        "bm25",
        "--baseline",
        "bm25",
        "--no-embed",
    )

    assert called(*call, "--figures", tmp_path / "figures").exit_code == 0
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["evidence-recall.svg"]


def test_a_half_nobody_knows_is_refused(data, tmp_path):
    result = called("evidence", "--data", data, "--work", tmp_path / "work", "--half", "third", "--no-embed")

    assert isinstance(result.exception, UsageError)
