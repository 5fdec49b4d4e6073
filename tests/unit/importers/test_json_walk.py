"""Walking long arrays that lie within objects."""

import io
import json

import pytest

from treering.importers import json_stream
from treering.importers.json_stream import Broken
from treering.importers.json_walk import Path, walk

CHATS = {"id": 1, "list": [{"name": "a", "messages": [1, {"x": [2]}]}, {"name": "b", "messages": []}], "end": None}


def enters(path: Path) -> bool:
    return len(path) in (0, 2) or path == ("list",) or path[2:] == ("messages",)


def walked(text: str) -> list[tuple[Path, object]]:
    return list(walk(io.BytesIO(text.encode()), enters))


def test_containers_that_are_entered_give_their_values_and_others_are_one(tmp_path):
    assert walked(json.dumps(CHATS)) == [
        (("id",), 1),
        (("list", 0, "name"), "a"),
        (("list", 0, "messages", 0), 1),
        (("list", 0, "messages", 1), {"x": [2]}),
        (("list", 1, "name"), "b"),
        (("end",), None),
    ]


@pytest.mark.parametrize("chunk", [1, 3, 7])
def test_where_chunks_end_makes_no_difference(monkeypatch: pytest.MonkeyPatch, chunk: int):
    whole = walked(json.dumps(CHATS))
    monkeypatch.setattr(json_stream, "CHUNK_BYTES", chunk)
    assert walked(json.dumps(CHATS)) == whole


def test_a_value_that_does_not_read_stands_for_itself_and_the_rest_goes_on():
    values = walked('{"list": [{"messages": [{"a": ?}, 2]}], "end": 3}')
    assert [path for path, value in values if isinstance(value, Broken)] == [("list", 0, "messages", 0)]
    assert values[-2:] == [(("list", 0, "messages", 1), 2), (("end",), 3)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"list": [{"messages": [1, {"a"', ("list", 0, "messages")),
        ('{"list": [{"name" 5', ("list", 0)),
        ('{"id": 1', ()),
        ("", ()),
    ],
)
def test_a_document_that_ends_too_soon_says_where(text: str, place: Path):
    path, value = walked(text)[-1]
    assert isinstance(value, Broken)
    assert path == place


def test_a_document_that_is_no_container_is_one_value():
    assert walked("7 ") == [((), 7)]
