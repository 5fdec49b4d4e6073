import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.unit.evaluation import written
from treering.errors import ModelUnavailable, UsageError
from treering.evaluation.benchmark import Question
from treering.evaluation.full_context import FullContext
from treering.evaluation.loaders import load
from treering.evaluation.memories import BUILT, Building
from treering.evaluation.ranking import Ranked
from treering.evaluation.raptor import Raptor
from treering.evaluation.run import Results, Selection, Settings, run
from treering.evaluation.systems import Asker, Place, System, profile_system
from treering.memory import Memory


class Counting:
    """BM25, with a count of how often it is asked."""

    name = settings = "bm25"
    whole = False

    def __init__(self) -> None:
        self._system = profile_system("bm25")
        self.asked = 0

    def depths(self, cuts: Sequence[int]) -> dict[int, int]:
        return self._system.depths(cuts)

    def check(self, memory: Memory) -> None:
        self._system.check(memory)

    @contextmanager
    def ready(self, place: Place) -> Iterator[Asker]:
        with self._system.ready(place) as asker:

            def counted(question: Question, depth: int) -> tuple[Ranked, ...]:
                self.asked += 1
                return asker(question, depth)

            yield counted


def go(folder: Path, *systems: System, name: str = "evidence", **settings: Any) -> Results:
    chosen = Settings(folder / "work", cuts=(1, 3), building=Building(embed=False), **settings)
    return run(load(name, folder / "data"), systems or [profile_system("bm25")], chosen, Memory.open)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written.chats(tmp_path / "data")
    return tmp_path


def test_a_benchmark_is_built_asked_and_measured(folder):
    results = go(folder)

    assert (results.pools, results.records, len(results.questions)) == (1, 6, 4)
    assert [values.get("recall@3") for values in results.measured["bm25"]] == [1.0, 1.0, 1.0, None]
    assert [values.get("attribution@3") for values in results.measured["bm25"]] == [1.0, 1.0, 1.0, None]
    assert results.notes == []


def test_what_a_question_s_bound_leaves_out_is_never_ranked(folder):
    go(folder)
    lines = (folder / "work/evidence/bm25.jsonl").read_text().splitlines()
    third = next(json.loads(line) for line in lines if json.loads(line)["question"] == "q3")

    assert "5" not in {place[0] for place in third["ranking"]}  # the stone oven's seal, a day after the bound


def test_a_finished_question_is_not_asked_again(folder):
    first, second = Counting(), Counting()
    go(folder, first)
    go(folder, second)

    assert (first.asked, second.asked) == (4, 0)


def test_fresh_asks_again(folder):
    go(folder)
    again = Counting()
    go(folder, again, fresh=True)

    assert again.asked == 4


def test_a_run_that_was_cut_off_within_a_line_asks_only_what_is_missing(folder):
    go(folder)
    path = folder / "work/evidence/bm25.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:25])
    again = Counting()
    results = go(folder, again)

    assert again.asked == 2
    assert path.read_text().count("\n") == 4
    assert [values.get("recall@3") for values in results.measured["bm25"]] == [1.0, 1.0, 1.0, None]


def test_another_question_under_the_same_id_is_asked(folder):
    go(folder)
    path = folder / "data/questions.jsonl"
    path.write_text(path.read_text().replace("Who paints the shop sign?", "Who mends the shop sign?"))
    again = Counting()
    go(folder, again)

    assert again.asked == 1


def test_another_memory_is_asked_everything(folder):
    go(folder)
    extra = {"id": 7, "sent_at": "2024-06-03T08:00:00Z", "author": "Ida", "channel": "shop", "text": "Closed on Sunday"}
    with (folder / "data/messages.jsonl").open("a") as file:
        file.write(json.dumps(extra) + "\n")
    again = Counting()
    go(folder, again)

    assert again.asked == 4
    assert len(list((folder / "work/evidence/memories").iterdir())) == 2


def test_changed_code_asks_everything(folder, monkeypatch):
    go(folder)
    monkeypatch.setattr("treering.evaluation.run.code_digest", lambda: "other")
    again = Counting()
    go(folder, again)

    assert again.asked == 4


def test_a_memory_is_built_once_and_finished_where_a_build_broke_off(folder):
    go(folder)
    (built,) = (folder / "work/evidence/memories").iterdir()
    before = (built / BUILT).read_text()
    (built / BUILT).unlink()
    go(folder)

    assert list((folder / "work/evidence/memories").iterdir()) == [built]
    assert json.loads((built / BUILT).read_text())["root"] == json.loads(before)["root"]


def test_rebuild_derives_a_memory_anew_and_leaves_its_log_alone(folder):
    go(folder)
    (path,) = (folder / "work/evidence/memories").glob("*/memory.treering")
    with Memory.open(path) as memory:
        before = memory.hashes()
    (path / "segments").rename(path / "gone")  # the index is lost

    results = go(folder, rebuild=True, fresh=True)

    assert [values.get("recall@3") for values in results.measured["bm25"]] == [1.0, 1.0, 1.0, None]
    with Memory.open(path) as memory:
        assert memory.hashes() == before


def test_a_memory_that_exists_already_can_be_measured(folder):
    with Memory.open(folder / "mine.treering") as memory:
        memory.add(folder / "data/messages.jsonl", visibility="public", embed=False)
    results = go(folder, memory=folder / "mine.treering")

    assert [values.get("recall@3") for values in results.measured["bm25"]] == [1.0, 1.0, 1.0, None]
    assert not (folder / "work/evidence/memories").exists()


def test_needed_records_that_a_memory_lacks_are_named(folder):
    lines = (folder / "data/messages.jsonl").read_text().splitlines(keepends=True)
    (folder / "part.jsonl").write_text("".join(lines[:4]))
    with Memory.open(folder / "mine.treering") as memory:
        memory.add(folder / "part.jsonl", visibility="public", embed=False)
    results = go(folder, memory=folder / "mine.treering")

    assert results.notes == ["evidence: 1 needed records are not in the memory: 6"]


def test_a_memory_stands_for_one_pool_only(tmp_path):
    written.longmemeval(tmp_path / "data")
    with Memory.open(tmp_path / "mine.treering") as memory:
        written.as_lines(tmp_path / "m.jsonl", [{"id": 1, "sent_at": "2024-01-01", "channel": "c", "text": "hello"}])
        memory.add(tmp_path / "m.jsonl", embed=False)

    with pytest.raises(UsageError, match="this one has several"):
        go(tmp_path, name="longmemeval-s", memory=tmp_path / "mine.treering")


def test_a_system_that_ranks_by_vectors_refuses_a_memory_without(folder):
    for name in ("hybrid", "egcforest:S1", "raptor"):
        system = Raptor() if name == "raptor" else profile_system(name)
        with pytest.raises(ModelUnavailable, match=f"{name} ranks by vectors, and this memory has"):
            go(folder, system)


def test_a_profile_nobody_knows_is_refused_before_anything_is_built(folder):
    with pytest.raises(UsageError, match="no profile is called 'bm52'"):
        go(folder, profile_system("bm25"), profile_system("bm52"))

    assert not (folder / "work").exists()


@pytest.mark.parametrize("cuts", [(), (0, 5)])
def test_cuts_that_cut_nothing_are_refused(folder, cuts):
    with pytest.raises(UsageError, match="a cut is 1 or more"):
        run(load("evidence", folder / "data"), [profile_system("bm25")], Settings(folder, cuts=cuts), Memory.open)


def test_a_name_that_comes_twice_is_refused(folder):
    with pytest.raises(UsageError, match="bm25 is named more than once"):
        go(folder, profile_system("bm25"), profile_system("bm25"))


def test_a_selection_that_leaves_nothing_is_refused(folder):
    with pytest.raises(UsageError, match="no question of evidence is left"):
        go(folder, selection=Selection(categories=frozenset({"gossip"})))


def test_categories_halves_and_limits_choose_questions(folder):
    def ids(**selection: Any) -> list[str]:
        return [question.id for question in go(folder, selection=Selection(**selection)).questions]

    assert ids(categories=frozenset({"multi", "single"})) == ["q2", "q3"]
    assert ids(questions_max=1) == ["q1"]
    assert ids(half=0) == ["q1", "q2", "q3", "q4"]  # one of each category


def test_a_part_of_the_questions_leaves_the_answers_to_the_others_in_place(folder):
    go(folder)
    go(folder, selection=Selection(questions_max=1))
    again = Counting()
    go(folder, again)

    assert again.asked == 0


def test_full_context_holds_what_the_bound_admits_newest_first(folder):
    results = go(folder, FullContext())
    lines = (folder / "work/evidence/full-context.jsonl").read_text().splitlines()
    rankings = {json.loads(line)["question"]: [place[0] for place in json.loads(line)["ranking"]] for line in lines}

    assert rankings["q1"] == ["6", "5", "4", "3", "2", "1"]
    assert rankings["q3"] == ["4", "3", "2", "1"]
    assert results.measured["full-context"][0]["recall@1"] == 1.0
    assert results.whole == {"full-context"}


def test_full_context_leaves_out_the_oldest_when_the_budget_is_spent(folder):
    go(folder, FullContext(tokens_max=20))
    first = json.loads((folder / "work/evidence/full-context.jsonl").read_text().splitlines()[0])

    assert [place[0] for place in first["ranking"]] == ["6", "5"]
    assert sum(place[3] for place in first["ranking"]) <= 20


def test_raptor_shows_a_thread_s_records_where_its_summary_matches(folder):
    results = go(folder, Raptor(leg="bm25"))
    lines = (folder / "work/evidence/raptor_bm25.jsonl").read_text().splitlines()
    first = json.loads(lines[0])

    assert [values.get("recall@3") for values in results.measured["raptor:bm25"]][:2] == [1.0, 1.0]
    assert len({place[0] for place in first["ranking"]}) == len(first["ranking"])
    assert not any(place[0].startswith("summary:") for place in first["ranking"])


def test_several_pools_are_asked_each_its_own_questions(tmp_path):
    written.longmemeval(tmp_path / "data")
    results = go(tmp_path, name="longmemeval-s")

    assert (results.pools, results.records) == (2, 8)
    assert [values.get("recall@3") for values in results.measured["bm25"]] == [1.0, None]
    assert go(tmp_path, name="longmemeval-s", selection=Selection(pools_max=1)).pools == 1
