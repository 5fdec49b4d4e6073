import os
from pathlib import Path

import numpy as np
import pytest

from treering.models.load import load_dense, load_sparse
from treering.models.protocol import SparseVector

pytestmark = pytest.mark.model

CACHE = Path(os.environ.get("TREERING_CACHE", Path.home() / ".cache" / "treering"))
MEETING = "The release meeting was moved from Monday to Thursday afternoon."
BUDGET = "The marketing budget for next year was cut by a third."


@pytest.fixture(scope="module", params=["e5-small", "minilm", "static"])
def any_dense(request):
    return load_dense(request.param, CACHE)


@pytest.fixture(scope="module")
def e5():
    return load_dense("e5-small", CACHE)


@pytest.fixture(scope="module")
def splade():
    return load_sparse("splade-tiny", CACHE)


def test_a_paraphrase_is_nearer_than_another_matter(any_dense):
    query = any_dense.encode_query("When will we talk about the release?")
    meeting, budget = any_dense.encode_passages([MEETING, BUDGET]) @ query
    assert meeting > budget + 0.02


@pytest.mark.parametrize(
    "translation",
    [
        "Die Besprechung zur Freigabe wurde von Montag auf Donnerstagnachmittag verlegt.",
        "リリース会議は月曜日から木曜日の午後に変更されました。",
        "تم نقل اجتماع الإصدار من يوم الاثنين إلى بعد ظهر الخميس.",
    ],
)
def test_e5_finds_a_text_in_another_language(e5, translation):
    english = e5.encode_query(MEETING)
    same, other = e5.encode_passages([translation, BUDGET]) @ english
    assert same > other + 0.02


def test_e5_puts_its_prefixes_before_questions_and_passages(e5):
    text = "who moved the meeting"
    assert e5._tokens.of_query(text) == [0, *e5._tokens._plain("query: " + text), 2]
    assert e5._tokens.of_passage(text) == [0, *e5._tokens._plain("passage: " + text), 2]
    assert e5.encode_query(text) @ e5.encode_passages([text])[0] < 0.999


def test_e5_reads_at_most_512_tokens_and_of_a_question_the_last(e5):
    filler = "and so the discussion went on about many things " * 400
    assert len(e5._tokens.of_passage(filler)) == 512
    assert e5.encode_query(filler + "Who signed the contract?") @ e5.encode_query("Who signed the contract?") > (
        e5.encode_query(filler) @ e5.encode_query("Who signed the contract?")
    )


def test_e5_encodes_the_same_to_the_bit_alone_together_and_in_another_session(e5):
    texts = [MEETING, BUDGET, "ok", "会議", MEETING * 8]
    together = e5.encode_passages(texts)
    again = load_dense("e5-small", CACHE).encode_passages(texts[::-1])[::-1]
    np.testing.assert_array_equal(again, together)
    np.testing.assert_array_equal(e5.encode_passages(texts[2:3]), together[2:3])


def test_splade_gives_a_text_terms_that_it_implies_and_scores_what_it_means(splade):
    query = splade.encode_query("car accident")
    crash, budget = splade.encode_passages(["Two vehicles collided on the highway.", BUDGET])

    def score(vector: SparseVector) -> float:
        _, left, right = np.intersect1d(query.terms, vector.terms, return_indices=True)
        return float(query.weights[left] @ vector.weights[right])

    assert score(crash) > 4 * score(budget)
    assert 10 < len(crash.terms) < 300
