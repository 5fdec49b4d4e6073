"""The store of vectors: found by text, appended durably, mended after a crash."""

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from treering.errors import MemoryDamaged
from treering.index.vectors import VectorStore
from treering.text.keys import text_key


def text_keys(texts: Iterable[str]) -> NDArray[np.void]:
    return np.frombuffer(b"".join(map(text_key, texts)), "V16")


def unit(count: int, seed: int = 0, dimensions: int = 8) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@pytest.fixture
def store(tmp_path):
    store = VectorStore(tmp_path, 8, writable=True)
    store.append(text_keys(["one", "two", "three"]), unit(3))
    return store


def test_a_vector_is_found_by_its_text(store):
    rows = store.rows(text_keys(["three", "none", "one"]))
    assert rows.tolist() == [2, -1, 0]
    np.testing.assert_allclose(store.vectors(rows[[0, 2]]), unit(3)[[2, 0]], atol=1e-3)


def test_vectors_come_back_with_length_one(store):
    np.testing.assert_allclose(np.linalg.norm(store.vectors(np.arange(3)), axis=1), 1, atol=1e-6)


def test_a_text_without_direction_stays_a_zero_vector(store):
    store.append(text_keys([""]), np.zeros((1, 8), np.float32))
    assert not store.vectors(store.rows(text_keys([""]))).any()


def test_missing_names_each_absent_text_once(store):
    assert store.missing(text_keys(["four", "one", "five", "four"])).tolist() == [0, 2]


def test_what_is_there_already_is_not_appended_again(store):
    store.append(text_keys(["two", "four", "four"]), unit(3, seed=1))
    assert len(store) == 4
    np.testing.assert_allclose(store.vectors(store.rows(text_keys(["two"]))), unit(3)[[1]], atol=1e-3)
    np.testing.assert_allclose(store.vectors(store.rows(text_keys(["four"]))), unit(3, seed=1)[[1]], atol=1e-3)


def test_many_appends_are_found_after_reopening(tmp_path):
    writer = VectorStore(tmp_path, 8, writable=True)
    texts = [f"text {number}" for number in range(90)]
    for start in range(0, 90, 7):
        writer.append(text_keys(texts[start : start + 7]), unit(90)[start : start + 7])
    assert writer.rows(text_keys(texts)).tolist() == list(range(90))
    assert VectorStore(tmp_path, 8).rows(text_keys(texts)).tolist() == list(range(90))


def test_a_key_that_ends_in_zeros_is_not_mistaken_for_another(tmp_path):
    keys = np.array([b"\1" * 15 + b"\0", b"\1" * 16, b"\1" * 14 + b"\0\0"], "V16")
    store = VectorStore(tmp_path, 8, writable=True)
    store.append(keys, unit(3))
    assert store.rows(keys).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("file", "cut"), [("keys.bin", 1), ("keys.bin", 15), ("vectors.f16", 1), ("vectors.f16", 15)])
def test_a_torn_row_is_passed_over_by_readers_and_cut_off_by_the_writer(tmp_path, store, file, cut):
    path = tmp_path / file
    path.write_bytes(path.read_bytes()[:-cut])
    reader = VectorStore(tmp_path, 8)
    assert reader.rows(text_keys(["one", "two"])).tolist() == [0, 1]
    assert len(reader) < 3
    writer = VectorStore(tmp_path, 8, writable=True)
    writer.append(text_keys(["two", "three"]), unit(3)[1:])
    assert VectorStore(tmp_path, 8).rows(text_keys(["one", "two", "three"])).tolist() == [0, 1, 2]
    np.testing.assert_allclose(writer.vectors(np.arange(3)), unit(3), atol=1e-3)


def test_vectors_whose_keys_never_reached_the_disk_do_not_count(tmp_path, store):
    with (tmp_path / "vectors.f16").open("ab") as file:
        file.write(b"\1" * 40)
    VectorStore(tmp_path, 8, writable=True).append(text_keys(["four"]), unit(1, seed=2))
    again = VectorStore(tmp_path, 8)
    np.testing.assert_allclose(again.vectors(again.rows(text_keys(["four"]))), unit(1, seed=2), atol=1e-3)


def test_vectors_of_another_length_are_refused(tmp_path, store):
    with pytest.raises(MemoryDamaged, match="16 dimensions"):
        VectorStore(tmp_path, 16)


def test_a_store_without_a_folder_is_empty_for_a_reader_and_nothing_is_created(tmp_path):
    reader = VectorStore(tmp_path / "none", 8)
    assert reader.rows(text_keys(["one"])).tolist() == [-1]
    assert not (tmp_path / "none").exists()


def test_vectors_that_are_no_numbers_are_our_own_mistake(store):
    with pytest.raises(AssertionError):
        store.append(text_keys(["bad"]), np.full((1, 8), np.nan, np.float32))
