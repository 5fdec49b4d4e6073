import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.models import invented
from treering.errors import ModelUnavailable
from treering.models.weights import read_e5s1, read_safetensors

E5S1, E5S1_ARRAYS = invented.e5s1(invented.bert_arrays(len(invented.PIECES)))
SAFETENSORS = invented.safetensors({"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(3)})


def test_safetensors_give_back_arrays_of_every_type_and_shape(tmp_path):
    arrays: invented.Arrays = {
        "matrix": np.arange(6, dtype=np.float32).reshape(2, 3),
        "halves": np.array([0.5, -2], np.float16),
        "whole": np.array([[[7]]], np.int64),
        "nothing": np.empty((0, 4), np.float32),
    }
    path = tmp_path / "model.safetensors"
    path.write_bytes(invented.safetensors(arrays))
    read = read_safetensors(path)
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype
        np.testing.assert_array_equal(read[name], array)


def test_older_spellings_of_bert_get_their_present_names(tmp_path):
    one = np.ones(1, np.float32)
    path = tmp_path / "model.safetensors"
    path.write_bytes(
        invented.safetensors({"bert.embeddings.LayerNorm.gamma": one, "cls.predictions.transform.LayerNorm.beta": one})
    )
    assert set(read_safetensors(path)) == {
        "embeddings.LayerNorm.weight",
        "cls.predictions.transform.LayerNorm.bias",
    }


def test_e5s1_gives_back_the_arrays_under_the_names_of_bert(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(E5S1)
    bert, _ = read_e5s1(path)
    assert bert.heads == invented.HEADS
    assert bert.epsilon == pytest.approx(1e-12)
    assert bert.arrays.keys() == E5S1_ARRAYS.keys()
    for name, array in E5S1_ARRAYS.items():
        np.testing.assert_array_equal(bert.arrays[name], array, err_msg=name)


def test_e5s1_gives_back_a_tokenizer_that_normalizes_and_frames(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(E5S1)
    _, tokenizer = read_e5s1(path)
    encoded = tokenizer.encode("meeting \n\t on  ｍｏｎｄａｙ")  # runs of space fold, full-width letters are letters
    assert encoded.tokens == ["<s>", "▁meet", "ing", "▁on", "▁monday", "</s>"]
    assert tokenizer.encode("会議 zzz", add_special_tokens=False).tokens[:2] == ["▁", "会議"]


@settings(max_examples=60, deadline=None)
@given(size=st.integers(0, len(E5S1) - 1))
def test_e5s1_cut_short_anywhere_is_refused(tmp_path_factory, size):
    path = tmp_path_factory.mktemp("cut") / "model.bin"
    path.write_bytes(E5S1[:size])
    with pytest.raises(ModelUnavailable, match="E5S1"):
        read_e5s1(path)


@settings(max_examples=60, deadline=None)
@given(size=st.integers(0, len(SAFETENSORS) - 1))
def test_safetensors_cut_short_anywhere_are_refused(tmp_path_factory, size):
    path = tmp_path_factory.mktemp("cut") / "model.safetensors"
    path.write_bytes(SAFETENSORS[:size])
    with pytest.raises(ModelUnavailable, match="safetensors"):
        read_safetensors(path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"<!doctype html><title>Sign in to the network</title>")
    with pytest.raises(ModelUnavailable, match=r"page\.html does not read as safetensors"):
        read_safetensors(path)
    with pytest.raises(ModelUnavailable, match="the first bytes are not E5S1"):
        read_e5s1(path)
