import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.errors import UnreadableInput
from treering.evaluation.loaders import reading
from treering.evaluation.loaders.reading import existing, json_items, json_lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(rows=st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=3), max_size=6), chunk=st.integers(1, 40))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_array_read_in_pieces_is_the_array_whatever_the_size_of_the_pieces(rows, chunk, tmp_path_factory):
    path = tmp_path_factory.mktemp("array") / "a.json"
    path.write_text(json.dumps(rows, indent=chunk % 3 or None, ensure_ascii=False), encoding="utf-8")
    before = reading.CHUNK_CHARACTERS
    reading.CHUNK_CHARACTERS = chunk
    try:
        assert [row for _, row in json_items(path)] == rows
    finally:
        reading.CHUNK_CHARACTERS = before


def test_an_array_that_breaks_off_is_named_with_the_item(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1}, {"b": ', encoding="utf-8")

    with pytest.raises(UnreadableInput, match=r"a\.json, item 2"):
        list(json_items(path))


def test_a_broken_line_is_named_with_its_number(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n[2]\n', encoding="utf-8")

    with pytest.raises(UnreadableInput, match=r"a\.jsonl, line 3: an object is expected, not list"):
        list(json_lines(path))


def test_a_damaged_gzip_is_unreadable_input_and_nothing_else(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 2000)[:-20])

    with pytest.raises(UnreadableInput, match="cannot be read"):
        list(json_lines(path))


def test_a_plain_file_goes_before_its_gzipped_twin(tmp_path: Path):
    (tmp_path / "a.jsonl").touch()
    (tmp_path / "a.jsonl.gz").touch()

    assert existing(tmp_path, "b.jsonl", "a.jsonl") == tmp_path / "a.jsonl"
    assert existing(tmp_path, "c.jsonl") is None
