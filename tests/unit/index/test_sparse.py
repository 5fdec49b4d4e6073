"""Sparse vectors: dot products over postings."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from treering.index.postings import Segment
from treering.index.sparse import SparseIndex, write_sparse

FEW = settings(max_examples=40, deadline=None)  # each writes segments and waits for the disk


@dataclass(frozen=True)
class Weights:
    terms: NDArray[np.int32]
    weights: NDArray[np.float32]


def weighted(entries: dict[int, float]) -> Weights:
    return Weights(np.array(list(entries), np.int32), np.array(list(entries.values()), np.float32))


def sparse(folder: Path, vectors: Sequence[dict[int, float]], cut: int = 0) -> SparseIndex:
    bounds = [0, cut, len(vectors)] if cut else [0, len(vectors)]
    segments = []
    for base, stop in itertools.pairwise(bounds):
        write_sparse(folder / f"{base}.post", base, map(weighted, vectors[base:stop]))
        segments.append(Segment.open(folder / f"{base}.post"))
    return SparseIndex(segments)


vectors = st.dictionaries(st.integers(0, 12), st.floats(0.125, 4, width=16), max_size=6)


@FEW
@given(st.lists(vectors, min_size=2, max_size=10), vectors, st.data())
def test_scores_are_dot_products_and_zero_where_not_admissible(stored, query, data):
    admissible = np.array(data.draw(st.lists(st.booleans(), min_size=len(stored), max_size=len(stored))))
    cut = data.draw(st.integers(0, len(stored) - 1))
    expected = np.array([sum(vector.get(term, 0) * weight for term, weight in query.items()) for vector in stored])
    with TemporaryDirectory() as folder:
        index = sparse(Path(folder), stored, cut)
        np.testing.assert_allclose(index.scores(weighted(query)), expected, rtol=1e-6)
        bounded = index.scores(weighted(query), admissible)
    np.testing.assert_allclose(bounded, np.where(admissible, expected, 0), rtol=1e-6)


def test_an_empty_vector_scores_nothing(tmp_path):
    assert sparse(tmp_path, [{1: 1.0}, {}]).scores(weighted({})).tolist() == [0, 0]
    assert SparseIndex([]).scores(weighted({1: 1.0})).shape == (0,)
