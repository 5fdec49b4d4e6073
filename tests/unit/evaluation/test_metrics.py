import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.evaluation.benchmark import Question, half_of
from treering.evaluation.metrics import measure
from treering.evaluation.metrics.ndcg import ndcg
from treering.evaluation.metrics.precision import precision
from treering.evaluation.metrics.recall import all_evidence, any_evidence, recall
from treering.evaluation.metrics.reciprocal_rank import reciprocal_rank
from treering.evaluation.metrics.stale import stale
from treering.evaluation.ranking import Ranked

IDS = [f"d{number}" for number in range(12)]
unhurried = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
SETS = st.frozensets(st.sampled_from(IDS), max_size=4)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Question, list[str]]:
    evidence = draw(st.frozensets(st.sampled_from(IDS), min_size=1, max_size=4))
    supporting = draw(SETS) - evidence
    old = draw(SETS) - evidence - supporting
    ranking = draw(st.lists(st.sampled_from(IDS), unique=True))
    return Question("q", "?", "c", evidence=evidence, supporting=supporting, stale=old), ranking


def place(name: str, *, author: str = "Ida", channel: str = "shop", tokens: int = 3) -> Ranked:
    return Ranked(name, author, channel, tokens, 1.0)


def test_supporting_evidence_counts_only_where_one_piece_is_needed():
    one = Question("q", "?", "c", evidence=frozenset({"a"}), supporting=frozenset({"b"}))
    two = Question("q", "?", "c", evidence=frozenset({"a", "c"}), supporting=frozenset({"b"}))

    assert (recall(one, ["b"]), all_evidence(one, ["b"]), any_evidence(one, ["b"])) == (1.0, 1.0, 1.0)
    assert (recall(two, ["b"]), all_evidence(two, ["b"]), any_evidence(two, ["b"])) == (0.0, 0.0, 0.0)
    assert (recall(two, ["b", "c"]), all_evidence(two, ["b", "c"]), any_evidence(two, ["b", "c"])) == (0.5, 0.0, 1.0)


def test_the_second_piece_that_states_the_same_gains_nothing():
    one = Question("q", "?", "c", evidence=frozenset({"a"}), supporting=frozenset({"b"}))

    assert ndcg(one, ["b", "a"], 10) == ndcg(one, ["b"], 10) == 1.0
    assert reciprocal_rank(one, ["x", "b", "a"]) == 0.5
    assert precision(one, ["x", "b", "a"], 3) == pytest.approx(2 / 3)


def test_a_ranking_is_stale_when_the_old_version_comes_before_every_right_one():
    question = Question(
        "q", "?", "c", evidence=frozenset({"new"}), supporting=frozenset({"same"}), stale=frozenset({"old"})
    )

    assert stale(question, ["x", "old", "new"]) == 1.0
    assert stale(question, ["same", "old", "new"]) == 0.0
    assert stale(question, ["x", "old"]) == 1.0
    assert stale(question, ["x"]) == 0.0
    assert stale(Question("q", "?", "c", evidence=frozenset({"new"})), ["old"]) is None


@unhurried
@given(asked())
def test_metrics_lie_between_0_and_1_and_more_places_never_cost_recall(given_ranking):
    question, ids = given_ranking
    rankings = {k: [place(name) for name in ids] for k in (1, 5, 10)}

    values = measure(question, rankings, {})

    for name, value in values.items():
        assert name.startswith("tokens") or value is None or -1e-9 <= value <= 1 + 1e-9
    for metric in ("recall", "all", "any"):
        rising = [values[f"{metric}@{k}"] or 0.0 for k in (1, 5, 10)]
        assert rising == sorted(rising)


@unhurried
@given(asked())
def test_a_perfect_order_has_every_gain(given_ranking):
    question, _ = given_ranking
    perfect = sorted(question.evidence)

    assert recall(question, perfect) == reciprocal_rank(question, perfect) == 1.0
    assert ndcg(question, perfect, 10) == pytest.approx(1.0)
    assert stale(question, perfect) in (0.0, None)


@unhurried
@given(st.lists(asked(), min_size=1, max_size=4))
def test_standard_metrics_agree_with_ir_measures_where_nothing_is_supporting(cases):
    ir = pytest.importorskip("ir_measures")
    plain = [(Question("q", "?", "c", evidence=question.evidence), ids) for question, ids in cases]
    qrels = {str(number): dict.fromkeys(question.evidence, 1) for number, (question, _) in enumerate(plain)}
    run = {
        str(number): {name: float(len(ids) - rank) for rank, name in enumerate(ids)}
        for number, (_, ids) in enumerate(plain)
        if ids
    }
    theirs = {
        (str(one.measure), one.query_id): one.value
        for one in ir.iter_calc([ir.R @ 5, ir.Success @ 5, ir.P @ 5, ir.nDCG @ 5, ir.RR], qrels, run)
    }

    for number, (question, ids) in enumerate(plain):
        if not ids:
            continue
        ours = {
            "R@5": recall(question, ids[:5]),
            "Success@5": any_evidence(question, ids[:5]),
            "P@5": precision(question, ids, 5),
            "nDCG@5": ndcg(question, ids, 5),
            "RR": reciprocal_rank(question, ids),
        }
        for name, mine in ours.items():
            assert math.isclose(mine, theirs[name, str(number)], abs_tol=1e-9), (name, question, ids)


def test_attribution_tells_a_wrong_author_and_sources_tell_who_is_heard():
    question = Question("q", "?", "c", evidence=frozenset({"a", "b"}))
    said = {"a": ("Ida", "shop"), "b": ("Joren", "ovens"), "c": ("Joren", "ovens")}
    ranking = [place("a", author="Maeve"), place("b", author="Joren", channel="ovens")]
    others = [place("c", author="Joren", channel="ovens")]

    assert measure(question, {5: ranking}, said)["attribution@5"] == 0.5
    assert measure(question, {5: others}, said)["attribution@5"] is None
    assert measure(question, {5: others}, said)["sources@5"] == 0.5


def test_a_document_s_place_is_not_held_against_a_system():
    question = Question("q", "?", "c", evidence=frozenset({"d"}))

    values = measure(question, {5: [place("d", author="Ida", channel="anywhere")]}, {"d": ("Ida", None)})

    assert (values["attribution@5"], values["sources@5"]) == (1.0, None)


def test_tokens_are_those_of_the_places_within_the_cut():
    question = Question("q", "?", "c")

    values = measure(question, {1: [place("a", tokens=7), place("b", tokens=9)]}, {})

    assert values == {"tokens@1": 7.0}


def test_a_set_without_order_is_measured_whole_at_every_cut():
    question = Question("q", "?", "c", evidence=frozenset({"c"}), stale=frozenset({"a"}))
    ranking = [place(name) for name in "abc"]

    values = measure(question, {1: ranking, 2: ranking}, {}, whole=True)

    assert values["recall@1"] == values["recall@2"] == 1.0
    assert values["tokens@1"] == 9.0
    assert {values[name] for name in ("ndcg@1", "stale@1", "mrr")} == {None}


@unhurried
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 99)), unique=True))
def test_halves_share_nothing_miss_nothing_and_split_every_category_evenly(pairs):
    questions = [Question(f"{category}{number}", "?", category) for category, number in pairs]

    first, second = half_of(questions, 0), half_of(questions, 1)

    assert {one.id for one in first} | {one.id for one in second} == {one.id for one in questions}
    assert len(first) + len(second) == len(questions)
    for category in "ab":
        counts = [sum(one.category == category for one in half) for half in (first, second)]
        assert 0 <= counts[0] - counts[1] <= 1
