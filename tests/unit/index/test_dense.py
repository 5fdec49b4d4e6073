"""Exact cosine search under bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from treering.index.dense import ABSENT, DenseIndex
from treering.index.vectors import VectorStore
from treering.text.keys import text_key

FEW = settings(max_examples=60, deadline=None)


def unit(count: int, seed: int = 0) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = VectorStore(tmp_path_factory.mktemp("store"), 8, writable=True)
    store.append(np.frombuffer(b"".join(text_key(str(n)) for n in range(20)), "V16"), unit(20))
    return store


def test_similarities_are_cosines_and_absent_where_there_is_no_vector(store):
    index = DenseIndex(store, np.array([3, -1, 0]))
    expected = unit(20) @ unit(20)[3]
    assert index.similarities(unit(20)[3]) == pytest.approx([1.0, ABSENT, expected[0]], abs=1e-3)
    assert index.similarities_of(unit(20)[3], np.array([2, 1])) == pytest.approx([expected[0], ABSENT], abs=1e-3)


def test_equal_texts_are_equally_near_and_the_earlier_passage_comes_first(store):
    index = DenseIndex(store, np.array([5, 4, 5, 4, 5]))
    passages, similarities = index.top(unit(20)[4], None, 3)
    assert passages.tolist() == [1, 3, 0]
    assert similarities[0] == similarities[1]


def test_an_index_without_vectors_finds_nothing(store):
    index = DenseIndex(store, np.array([-1, -1]))
    assert index.similarities(unit(1)[0]).tolist() == [ABSENT, ABSENT]
    assert index.top(unit(1)[0], None, 5)[0].tolist() == []
    assert DenseIndex(store, np.empty(0, np.int64)).similarities(unit(1)[0]).shape == (0,)


def test_nothing_admissible_finds_nothing(store):
    index = DenseIndex(store, np.arange(20))
    assert index.top(unit(1)[0], np.zeros(20, bool), 5)[0].tolist() == []


@FEW
@given(st.lists(st.integers(-1, 19), min_size=1, max_size=40), st.integers(0, 45), st.data())
def test_the_top_is_the_head_of_the_full_order_of_what_is_admissible(store, rows, count, data):
    admissible = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    query = unit(1, seed=data.draw(st.integers(0, 9)))[0]
    index = DenseIndex(store, np.array(rows))
    similarities = index.similarities(query, admissible)
    found = [passage for passage, row in enumerate(rows) if row >= 0 and admissible[passage]]
    expected = sorted(found, key=lambda passage: (-similarities[passage], passage))[:count]
    passages, values = index.top(query, admissible, count)
    assert passages.tolist() == expected
    assert values.tolist() == similarities[expected].tolist() if expected else len(values) == 0
    assert (similarities[~admissible] == ABSENT).all()
    np.testing.assert_allclose(index.similarities_of(query, passages), values, atol=2e-6)
