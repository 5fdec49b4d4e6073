"""Completions kept on disk."""

from pathlib import Path

import pytest

from tests.scripted import Scripted
from treering.errors import ModelUnavailable
from treering.models.generator import Message
from treering.models.generator_cache import GeneratorCache

ASKED: list[Message] = [{"role": "user", "content": "Who owns the importer?"}]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "completions"


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


def test_what_was_asked_once_is_not_asked_again_even_by_another_process(folder):
    model = Scripted("Bob.", "Ana.")
    first = GeneratorCache(model, folder)
    made = first.complete(ASKED, max_tokens=9)
    assert first.complete(ASKED, max_tokens=9) == made
    assert GeneratorCache(model, folder).complete(ASKED, max_tokens=9) == made
    assert (len(model.asked), first.hits, first.misses) == (1, 1, 1)


@pytest.mark.parametrize("change", [{"max_tokens": 8}, {"temperature": 0.5}, {"seed": 1}])
def test_other_parameters_are_another_request(folder, change):
    cache = GeneratorCache(Scripted("Bob.", "Ana."), folder)
    cache.complete(ASKED, max_tokens=9)
    assert cache.complete(ASKED, **({"max_tokens": 9} | change)).text == "Ana."


def test_another_model_is_another_request(folder):
    GeneratorCache(Scripted("Bob.", name="one"), folder).complete(ASKED, max_tokens=9)
    assert GeneratorCache(Scripted("Ana.", name="two"), folder).complete(ASKED, max_tokens=9).text == "Ana."


@pytest.mark.parametrize("content", ["", "{", "[]", '{"text": "Bob."}', "null", b"\xff"])
def test_a_file_that_is_not_whole_is_asked_for_again_and_mended(folder, content):
    cache = GeneratorCache(Scripted("Bob.", "Ana."), folder)
    cache.complete(ASKED, max_tokens=9)
    (path,) = files(folder)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert cache.complete(ASKED, max_tokens=9).text == "Ana."
    assert cache.complete(ASKED, max_tokens=9).text == "Ana."


def test_what_was_asked_is_not_stored(folder):
    GeneratorCache(Scripted("Bob."), folder).complete(ASKED, max_tokens=9)
    (path,) = files(folder)
    assert "importer" not in path.read_text()
    assert list(folder.rglob("*.part")) == []


def test_a_stream_is_kept_once_it_is_whole_and_comes_back_in_one_piece(folder):
    model = Scripted("Bob owns it.")
    cache = GeneratorCache(model, folder)
    assert list(cache.stream(ASKED, max_tokens=9)) == ["Bob ", "owns ", "it."]
    assert list(cache.stream(ASKED, max_tokens=9)) == ["Bob owns it."]
    assert cache.complete(ASKED, max_tokens=9).text == "Bob owns it."
    assert len(model.asked) == 1


def test_a_stream_that_nobody_reads_to_its_end_is_not_kept(folder):
    cache = GeneratorCache(Scripted("Bob owns it."), folder)
    pieces = cache.stream(ASKED, max_tokens=9)
    next(pieces)
    del pieces
    assert files(folder) == []


def test_a_failure_is_not_kept(folder):
    cache = GeneratorCache(Scripted(ModelUnavailable("no server"), "Bob."), folder)
    with pytest.raises(ModelUnavailable):
        cache.complete(ASKED, max_tokens=9)
    assert cache.complete(ASKED, max_tokens=9).text == "Bob."


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelUnavailable, match="cannot keep completions in"):
        GeneratorCache(Scripted("Bob."), tmp_path / "file").complete(ASKED, max_tokens=9)
