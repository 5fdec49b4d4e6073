import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import UnreadableInput
from treering.importers import json_stream
from treering.importers.json_stream import Broken, stream_items

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=5), children, max_size=4),
    max_leaves=10,
)


def items(text: str | bytes, key: str | None = None) -> list[object]:
    raw = text if isinstance(text, bytes) else text.encode()
    found = list(stream_items(io.BytesIO(raw), key))
    assert [index for index, _ in found] == list(range(len(found)))
    return [item for _, item in found]


@pytest.fixture(params=[1, 7, 1 << 18], ids=lambda size: f"{size} bytes at a time")
def chunk_bytes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(json_stream, "CHUNK_BYTES", request.param)
    return int(request.param)


@given(values=st.lists(VALUES, max_size=8), indent=st.sampled_from([None, 4]), chunk=st.sampled_from([1, 5, 64]))
def test_elements_are_those_of_the_whole_document(values: list[object], indent: int | None, chunk: int):
    storable = json.loads(json.dumps(values).replace("\\u0000", ""))
    text = json.dumps(storable, indent=indent, ensure_ascii=len(values) % 2 == 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "CHUNK_BYTES", chunk)
        assert items(text) == storable
        assert items(f'{{"before": {text}, "wanted": {text}, "after": 1}}', "wanted") == storable


@given(values=st.lists(VALUES.filter(lambda value: isinstance(value, dict)), min_size=1, max_size=5), data=st.data())
def test_a_document_cut_anywhere_gives_its_whole_elements_and_one_that_is_broken(
    values: list[object], data: st.DataObject
):
    values = json.loads(json.dumps(values).replace("\\u0000", ""))
    text = json.dumps(values)
    found = items(text[: data.draw(st.integers(0, len(text) - 1))])
    assert isinstance(found[-1], Broken)
    assert "ends before the array does" in found[-1].reason
    assert found[:-1] == values[: len(found) - 1]


def test_a_byte_order_mark_nan_and_infinity_are_read(chunk_bytes: int):
    assert items(b'\xef\xbb\xbf[{"a": NaN}, {"a": -Infinity}, 1.5]') == [{"a": None}, {"a": None}, 1.5]


def test_floats_are_floats():
    (value,) = items("[0.1]")
    assert isinstance(value, float)
    assert math.isclose(value, 0.1)


def test_lone_surrogates_nul_and_invalid_utf8_become_storable(chunk_bytes: int):
    found = items(b'[{"a\\udc00": "x\\ud83dy \\ud83d\\ude00"}, "n\\u0000", "\xff"]')
    assert found == [{"a\ufffd": "x\ufffdy 😀"}, "n", "\ufffd"]
    assert json.dumps(found, ensure_ascii=False).encode("utf-8")


def test_an_element_that_does_not_read_is_named_and_the_rest_is_read(chunk_bytes: int):
    first, second, third, fourth = items('[{"a": "\\x07 } ["}, {"a": 1 "b": [2]}, nul, {"b": 2}]')
    assert first == Broken("not JSON: Invalid \\escape", '{"a": "\\x07 } ["}')
    assert isinstance(second, Broken)
    assert second.raw == '{"a": 1 "b": [2]}'
    assert isinstance(third, Broken)
    assert fourth == {"b": 2}


def test_a_number_of_absurd_length_and_absurd_nesting_break_one_element_only():
    long, deep, last = items("[" + "1" * 5_000 + "," + "[" * 20_000 + "]" * 20_000 + ",3]")
    assert isinstance(long, Broken)
    assert isinstance(deep, Broken)
    assert len(deep.raw) == json_stream.RAW_CHARS_MAX
    assert last == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "ends before"), ('{"a": 1}', "not a JSON array"), ("[1] [2]", "after the end"), ("<html>", "not a JSON")],
)
def test_a_document_that_is_no_array_is_one_broken_element(text: str, reason: str):
    last = items(text)[-1]
    assert isinstance(last, Broken)
    assert reason in last.reason


def test_an_object_without_the_key_has_no_elements(chunk_bytes: int):
    assert items('{"a": [1], "b": {"wanted": [2]}}', "wanted") == []


def test_a_file_that_breaks_while_it_is_read_gives_what_came_before():
    class Breaking(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise UnreadableInput("the disk is gone")
            return super().read(12)

    found = list(stream_items(Breaking(b'[{"a": 1}, {"a": 2}]')))
    assert found[0] == (0, {"a": 1})
    assert found[1] == (1, Broken("the disk is gone", "{"))


def test_an_endless_element_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(json_stream, "CHUNK_BYTES", 100)
    monkeypatch.setattr(json_stream, "ELEMENT_CHARS_MAX", 1_000)
    first, last = items('[1, "' + "x" * 5_000)
    assert first == 1
    assert isinstance(last, Broken)
    assert "longer than 1,000" in last.reason
