"""What every encoder promises, asked of each kind over a small invented model or a real local server."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.models import invented
from tests.unit.models.embedding_server import serving
from treering.models.catalog import Kind
from treering.models.load import load_dense, load_sparse
from treering.models.pull import pull

TEXTS = [
    "The meeting moved to Monday",
    "we left kafka because costs rose",
    "who signed",
    "",
    " \n",
    "a b c d e f g h",
    "zzz",
]
WORDS = st.lists(st.sampled_from([*invented.WORDS[4:], "unheard", " "]), max_size=100).map(" ".join)


def converted(kind: Kind, cache: Path, **changes: str) -> str:
    model, files = invented.known(kind, **changes)
    invented.write_wheel(cache / "wheels", files)
    return f"folder:{pull(model, cache)}"


@pytest.fixture(scope="module", params=["dense", "static", "endpoint"])
def dense(request, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    if request.param == "endpoint":
        with serving() as server:
            yield load_dense(f"{server.url}#letters", cache)
    else:
        yield load_dense(converted(request.param, cache), cache)


@pytest.fixture(scope="module")
def sparse(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    return load_sparse(converted("sparse", cache), cache)


def test_vectors_are_unit_rows_of_floats_and_blank_texts_are_zero(dense):
    vectors = dense.encode_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), dense.dimensions)
    assert vectors.dtype == np.float32
    lengths = [1 if text.strip() else 0 for text in TEXTS]
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), lengths, atol=1e-6)


def test_a_query_is_one_unit_vector_and_a_blank_one_is_zero(dense):
    query = dense.encode_query("who signed")
    assert query.shape == (dense.dimensions,)
    assert query.dtype == np.float32
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-6)
    assert not dense.encode_query("\t ").any()


def test_no_texts_give_no_rows(dense):
    assert dense.encode_passages([]).shape == (0, dense.dimensions)


def test_the_name_says_which_weights(dense):
    assert dense.name == dense.name.strip()
    assert len(dense.name) > len("tiny")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(WORDS, max_size=6), chosen=st.data())
def test_a_vector_is_the_same_to_the_bit_whatever_it_is_encoded_with(dense, texts, chosen):
    together = dense.encode_passages(texts)
    order = chosen.draw(st.permutations(range(len(texts))))
    np.testing.assert_array_equal(dense.encode_passages([texts[number] for number in order]), together[order])
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_array_equal(dense.encode_passages([text])[0], vector)


def test_an_over_long_question_keeps_its_end_and_an_over_long_passage_its_beginning(dense):
    filler = "a b c d e f g h " * 2_000
    assert np.array_equal(
        dense.encode_query("who signed " + filler + "kafka"), dense.encode_query("we left " + filler + "kafka")
    )
    assert not np.array_equal(dense.encode_query(filler + "kafka"), dense.encode_query(filler + "monday"))
    first, second, other = dense.encode_passages(
        ["kafka " + filler + "who", "kafka " + filler + "monday", "monday " + filler + "who"]
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_the_prefix_of_an_over_long_question_is_not_what_is_cut(tmp_path):
    filler = "a b c d e f g h " * 20
    with_prefix = load_dense(converted("static", tmp_path / "with"), tmp_path)
    without = load_dense(converted("static", tmp_path / "without", query_prefix=""), tmp_path)
    query = with_prefix.encode_query(filler)
    assert not np.array_equal(query, without.encode_query(filler))
    room = invented.POSITIONS - 2  # the prefix is two tokens
    end = " ".join(filler.split()[-room:])
    np.testing.assert_array_equal(query, with_prefix.encode_query(end))


def test_questions_and_passages_are_told_apart_by_their_prefixes(tmp_path):
    encoder = load_dense(converted("dense", tmp_path), tmp_path)
    assert not np.array_equal(encoder.encode_query("who signed"), encoder.encode_passages(["who signed"])[0])


def test_sparse_vectors_hold_ascending_terms_and_positive_weights(sparse):
    for text, vector in zip(TEXTS, sparse.encode_passages(TEXTS), strict=True):
        assert vector.terms.dtype == np.int32
        assert vector.weights.dtype == np.float32
        assert vector.terms.shape == vector.weights.shape
        assert (np.diff(vector.terms) > 0).all()
        assert (vector.weights > 0).all()
        assert bool(len(vector.terms)) == bool(text.strip())
        assert all(0 <= term < sparse.dimensions for term in vector.terms)


def test_a_sparse_query_is_encoded_like_a_text_of_its_own(sparse):
    query, other = sparse.encode_query("who signed"), sparse.encode_query("we left kafka")
    assert not (np.array_equal(query.terms, other.terms) and np.array_equal(query.weights, other.weights))
    assert len(sparse.encode_query(" ").terms) == 0


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(WORDS, max_size=6))
def test_a_sparse_vector_is_the_same_to_the_bit_whatever_it_is_encoded_with(sparse, texts):
    for text, vector in zip(texts, sparse.encode_passages(texts), strict=True):
        (alone,) = sparse.encode_passages([text])
        np.testing.assert_array_equal(alone.terms, vector.terms)
        np.testing.assert_array_equal(alone.weights, vector.weights)
