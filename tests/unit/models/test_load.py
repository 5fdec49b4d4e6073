from dataclasses import replace
from importlib.util import find_spec

import pytest

from tests.unit.models import invented
from treering.errors import ModelUnavailable, UsageError
from treering.models import load
from treering.models.load import list_models, load_dense, load_sparse
from treering.models.pull import pull


@pytest.fixture
def converted(tmp_path):
    def make(kind):
        model, files = invented.known(kind, kind)
        invented.write_wheel(tmp_path / "cache" / "wheels", files)
        return pull(model, tmp_path / "cache")

    return make


def test_an_unknown_name_lists_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match="no model is called 'e5'; known are e5-small, minilm, static, splade-tiny"):
        load_dense("e5", tmp_path)


@pytest.mark.parametrize(
    ("loader", "spec"), [(load_dense, "splade-tiny"), (load_sparse, "e5-small"), (load_sparse, "static")]
)
def test_a_model_of_the_other_kind_is_refused_before_anything_is_fetched(tmp_path, loader, spec):
    with pytest.raises(UsageError, match=f"{spec} is a .* model, and a .* one is wanted"):
        loader(spec, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_address_without_a_model_is_refused(tmp_path):
    with pytest.raises(UsageError, match="write http://localhost:1/v1#MODEL"):
        load_dense("http://localhost:1/v1", tmp_path)


def test_a_folder_with_a_manifest_is_the_encoder_that_it_was(tmp_path, converted):
    folder = converted("dense")
    assert load_dense(f"folder:{folder}", tmp_path).name == folder.name
    assert load_sparse(f"folder:{converted('sparse')}", tmp_path).dimensions == len(invented.WORDS)


def test_a_folder_without_a_manifest_is_named_by_its_weights(tmp_path, converted):
    folder = converted("dense")
    (folder / "manifest.json").unlink()
    encoder = load_dense(f"folder:{folder}", tmp_path)
    assert encoder.dimensions == invented.HIDDEN
    assert encoder.name.startswith("folder-")
    assert load_dense(f"folder:{folder}", tmp_path).name == encoder.name


def test_a_folder_of_the_other_kind_is_refused(tmp_path, converted):
    with pytest.raises(UsageError, match="a dense one is wanted"):
        load_dense(f"folder:{converted('sparse')}", tmp_path)
    with pytest.raises(UsageError, match="a sparse one is wanted"):
        load_sparse(f"folder:{converted('dense')}", tmp_path)


def test_a_folder_without_a_model_says_what_is_wanted(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"holds no model: wanted are model\.onnx and tokenizer\.json"):
        load_dense(f"folder:{tmp_path}", tmp_path)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_that_lost_a_file_says_which(tmp_path, converted, name):
    folder = converted("dense")
    (folder / name).unlink()
    with pytest.raises(ModelUnavailable, match=name):
        load_dense(f"folder:{folder}", tmp_path)


@pytest.mark.parametrize(("kind", "name"), [("dense", "model.onnx"), ("static", "embeddings.npy")])
def test_a_damaged_file_is_said_so(tmp_path, converted, kind, name):
    folder = converted(kind)
    (folder / name).write_bytes((folder / name).read_bytes()[:100])
    with pytest.raises(ModelUnavailable, match=f"{name} does not load"):
        load_dense(f"folder:{folder}", tmp_path)


def test_the_list_says_what_is_here_and_what_it_weighs(tmp_path, monkeypatch):
    here, files = invented.known("dense", "here")
    elsewhere = replace(here, name="elsewhere")
    monkeypatch.setattr(load, "CATALOG", (here, elsewhere))
    invented.write_wheel(tmp_path / "wheels", files)
    folder = pull(here, tmp_path)
    first, second = list_models(tmp_path)
    assert (first.name, first.cached, second.name, second.cached) == ("here", True, "elsewhere", False)
    assert first.size == sum(path.stat().st_size for path in folder.iterdir())
    assert second.size == elsewhere.wheel.size
    assert (second.source, second.licence) == ("tiny-carrier==1.0", "CC0-1.0")


def test_the_list_of_an_empty_cache_fetches_nothing(tmp_path):
    models = list_models(tmp_path / "none")
    assert [model.name for model in models] == ["e5-small", "minilm", "static", "splade-tiny"]
    assert not any(model.cached for model in models)
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed here")
def test_a_model_that_needs_the_extra_says_how_to_get_it(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"Qwen3-Embedding-0\.6B needs .*: pip install treering\[torch\]"):
        load_dense("st:Qwen/Qwen3-Embedding-0.6B", tmp_path)
