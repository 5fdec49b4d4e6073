"""The store of sparse vectors: what was appended comes back, and what a crash left is passed over."""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.index.sparse_store import SparseStore, StoredVector


def keys(*names: bytes) -> np.ndarray:
    return np.frombuffer(b"".join(name.ljust(16, b"\0") for name in names), dtype="V16")


def vector(*terms: int) -> StoredVector:
    return StoredVector(np.array(terms, dtype=np.int32), np.array([term / 8 for term in terms], dtype=np.float32))


def test_vectors_come_back_by_their_keys_in_any_order(tmp_path: Path) -> None:
    store = SparseStore(tmp_path, writable=True)
    store.append(keys(b"a", b"b"), [vector(1, 5), vector()])
    store.append(keys(b"c"), [vector(7)])
    for opened in (store, SparseStore(tmp_path)):
        found = list(opened.vectors(keys(b"c", b"a", b"b", b"a")))
        assert [one.terms.tolist() for one in found] == [[7], [1, 5], [], [1, 5]]
        assert found[1].weights.tolist() == [0.125, 0.625]
        assert len(opened) == 3


def test_missing_keys_are_told_once_each(tmp_path: Path) -> None:
    store = SparseStore(tmp_path, writable=True)
    store.append(keys(b"a"), [vector(1)])
    assert store.missing(keys(b"x", b"a", b"x", b"y")) == [0, 3]


@settings(max_examples=30, deadline=None)
@given(cut=st.integers(0, 60), which=st.sampled_from(["keys.bin", "terms.u32", "weights.f16"]))
def test_a_row_counts_only_when_all_of_it_is_there(tmp_path_factory, cut: int, which: str) -> None:
    folder = tmp_path_factory.mktemp("store")
    store = SparseStore(folder, writable=True)
    store.append(keys(b"a", b"b", b"c"), [vector(1, 2), vector(3), vector(4, 5, 6)])
    content = (folder / which).read_bytes()
    (folder / which).write_bytes(content[: max(len(content) - cut, 0)])
    opened = SparseStore(folder, writable=True)
    whole = [one.terms.tolist() for one in opened.vectors(keys(b"a", b"b", b"c")[: len(opened)])]
    assert whole == [[1, 2], [3], [4, 5, 6]][: len(opened)]
    opened.append(keys(b"d"), [vector(9)])
    assert [one.terms.tolist() for one in SparseStore(folder).vectors(keys(b"d"))] == [[9]]
