"""BM25: the formula, and exactness under bounds."""

import itertools
from collections.abc import Sequence
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.index.lexical import Bm25, Lexical, write_lexical
from treering.index.postings import Segment

FEW = settings(max_examples=40, deadline=None)  # each writes segments and waits for the disk

PASSAGES = [["kafka", "left", "kafka"], ["left", "early"], [], ["pulsar", "chosen", "over", "kafka"]]


def lexical(folder: Path, passages: Sequence[Sequence[str]], cuts: Sequence[int] = ()) -> Lexical:
    bounds = [0, *cuts, len(passages)]
    segments = []
    for base, stop in itertools.pairwise(bounds):
        write_lexical(folder / f"{base}.post", base, passages[base:stop])
        segments.append(Segment.open(folder / f"{base}.post"))
    return Lexical(segments)


def test_scores_follow_the_formula(tmp_path):
    settings, mean = Bm25(), 9 / 4
    expected = [0.0] * 4
    for passage, count in ((0, 2), (3, 1)):
        idf = log(1 + (4 - 2 + 0.5) / (2 + 0.5))
        norm = settings.k1 * (1 - settings.b + settings.b * len(PASSAGES[passage]) / mean)
        expected[passage] = idf * count / (count + norm)
    assert lexical(tmp_path, PASSAGES).scores(["kafka"]) == pytest.approx(expected, rel=1e-6)


def test_unknown_terms_and_no_terms_score_nothing(tmp_path):
    index = lexical(tmp_path, PASSAGES)
    assert not index.scores(["unheard"]).any()
    assert not index.scores([]).any()
    assert index.passages == 4


def test_an_index_of_nothing_answers_with_no_scores():
    assert Lexical([]).scores(["kafka"]).shape == (0,)
    assert Lexical([]).frequencies(["kafka"]).tolist() == [0]


def test_a_weight_multiplies_its_term(tmp_path):
    index = lexical(tmp_path, PASSAGES)
    both = index.scores(["kafka", "left"], weights=[1.0, 3.0])
    assert both == pytest.approx(index.scores(["kafka"]) + 3 * index.scores(["left"]), rel=1e-6)


def test_frequencies_are_those_of_the_admissible_passages(tmp_path):
    index = lexical(tmp_path, PASSAGES)
    assert index.frequencies(["kafka", "left", "unheard"]).tolist() == [2, 2, 0]
    assert index.frequencies(["kafka", "left"], np.array([True, False, True, False])).tolist() == [1, 1]


def test_nothing_admissible_scores_nothing(tmp_path):
    assert not lexical(tmp_path, PASSAGES).scores(["kafka"], np.zeros(4, bool)).any()


terms = st.sampled_from("abcdefgh")
passages = st.lists(st.lists(terms, max_size=9), min_size=1, max_size=14)


@FEW
@given(passages, st.lists(terms, min_size=1, max_size=8, unique=True), st.data())
def test_scores_under_a_bound_are_those_of_an_index_of_the_admissible_passages_alone(texts, query, data):
    admissible = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))))
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(texts) - 1)), max_size=3)) - {len(texts)})
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        bounded = lexical(Path(one), texts, cuts).scores(query, admissible)
        alone = lexical(Path(other), [text for text, kept in zip(texts, admissible, strict=True) if kept])
        assert bounded[admissible].tolist() == alone.scores(query).tolist()  # to the last bit
    assert not bounded[~admissible].any()


@FEW
@given(passages, st.lists(terms, min_size=1, max_size=8, unique=True), st.data())
def test_segmentation_does_not_move_a_score(texts, query, data):
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(texts) - 1)), max_size=3)) - {len(texts)})
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        whole, parted = lexical(Path(one), texts), lexical(Path(other), texts, cuts)
        assert whole.scores(query).tolist() == parted.scores(query).tolist()


def test_what_comes_after_the_bound_moves_no_score_and_no_order(tmp_path):
    """S14: a private channel that shouts a term must not make it common for those who cannot see it."""
    (tmp_path / "before").mkdir()
    before = lexical(tmp_path / "before", PASSAGES)
    after = lexical(tmp_path, [*PASSAGES, *[["pulsar", "kafka"]] * 50])
    bound = np.arange(after.passages) < len(PASSAGES)
    query = ["kafka", "pulsar", "left"]
    assert after.scores(query, bound)[:4].tolist() == before.scores(query).tolist()
    assert after.scores(query)[:4].tolist() != before.scores(query).tolist()
