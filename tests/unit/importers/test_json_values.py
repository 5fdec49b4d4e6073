"""Documents of JSON, one after the other."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.json_stream import Broken
from treering.importers.json_values import stream_values


def read(content: bytes, *, parts: bool = False) -> list[object]:
    return [value for _, value in stream_values(io.BytesIO(content), parts=parts)]


@pytest.mark.parametrize(
    "content",
    [
        b'[1, {"a": 2}, "x"]',
        b'1 {"a": 2}\n"x"',
        b'[1][{"a": 2},\n"x"]',
        b'[[1, {"a": 2}], ["x"]]',
        b'\xef\xbb\xbf1,{"a":2},"x",',
    ],
)
def test_pages_of_arrays_and_objects_side_by_side_give_their_elements(content: bytes):
    assert read(content) == [1, {"a": 2}, "x"]


def test_a_value_that_does_not_read_stands_for_itself_and_the_rest_is_read():
    one, broken, other = read(b'{"a": 1}{"b": }[{"c": 3}]')
    assert (one, other) == ({"a": 1}, {"c": 3})
    assert isinstance(broken, Broken)


@pytest.mark.parametrize("content", [b'[{"a": 1}, {"b": 2', b'[{"a": 1},', b'{"a": 1} "b'])
def test_a_file_that_ends_too_soon_gives_its_whole_values_and_says_so(content: bytes):
    first, last = read(content)
    assert first == {"a": 1}
    assert isinstance(last, Broken)


@pytest.mark.parametrize("content", [b"", b" \n", b"[]", b"[[]]", b"]"])
def test_nothing_gives_nothing(content: bytes):
    assert read(content) == []


@given(st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=3), max_size=5))
def test_what_was_written_is_read(values: list[dict[str, object]]):
    lines = "".join(json.dumps(value, indent=1) for value in values).encode()
    whole = json.dumps(values).encode()
    expected = json.loads(json.dumps(values).replace("\\u0000", ""))
    assert read(lines) == read(whole) == expected


@pytest.mark.parametrize("damage", [b'{"n": 3, "x', b'{"n": 3, "x": }]}', b'{"n": "\xff'])
def test_of_an_object_that_does_not_read_the_whole_ones_within_come_first(damage: bytes):
    content = b'{"of": {"n": 0}, "items": [{"n": 1, "in": {"m": 1}}, {"n": 2, "t": "\\"{"}, ' + damage
    *parts, broken = read(content, parts=True)
    assert parts == [{"n": 0}, {"n": 1, "in": {"m": 1}}, {"n": 2, "t": '"{'}]
    assert isinstance(broken, Broken)


def test_a_row_that_does_not_read_has_no_parts_that_could_be_taken_for_rows():
    (broken,) = read(b'{"id": 1, "text": "a", "answers": [{"id": 2, "text": "b"}], "x": ')
    assert isinstance(broken, Broken)


def test_a_broken_object_costs_no_more_than_some_readings_of_it():
    *parts, broken = read(b'{"a":' * 50_000, parts=True)
    assert parts == []
    assert isinstance(broken, Broken)
