import io
import struct
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.importers.bson_bytes import ObjectId, bson
from treering.importers.bson_stream import stream_documents
from treering.importers.json_stream import Broken

AT = datetime(2024, 3, 4, 10, tzinfo=UTC)


def read(content: bytes, *unwanted: str) -> list[object]:
    return [document for _, document in stream_documents(io.BytesIO(content), frozenset(unwanted))]


def test_documents_come_out_as_they_went_in():
    document = {
        "_id": "a1",
        "owner": ObjectId("54d7876c15522ed4b3dbbefb"),
        "ts": AT,
        "count": 7,
        "large": 1 << 40,
        "ratio": 0.5,
        "open": True,
        "nothing": None,
        "u": {"_id": "u1", "name": "Ína"},
        "list": [1, "two", {"three": 3}],
    }
    assert read(bson(document, {"_id": "a2"})) == [document, {"_id": "a2"}]


def test_fields_that_nobody_wants_are_never_decoded():
    broken_secret = b"\x02services\0" + struct.pack("<i", 3) + b"\xff\xfe\0"
    body = broken_secret + b"\x02_id\0" + struct.pack("<i", 2) + b"a\0"
    content = struct.pack("<i", len(body) + 5) + body + b"\0"
    assert read(content, "services") == [{"_id": "a"}]


def test_one_damaged_document_costs_that_document_alone():
    whole = [bson({"_id": f"a{number}", "rid": "r", "u": {"_id": "u"}}) for number in range(5)]
    damaged = bytearray(whole[2])
    damaged[4] = 0x42  # no such type
    documents = read(b"".join([*whole[:2], bytes(damaged), *whole[3:]]))
    assert [type(document) for document in documents] == [dict, dict, Broken, dict, dict]


def test_a_damaged_length_costs_no_document_behind_it():
    whole = [bson({"_id": f"a{number}", "u": {"_id": "u", "name": "Ina"}, "msg": "x" * 30}) for number in range(5)]
    content = b"".join([whole[0], b"\xff\xff\xff\x7f" + whole[1][4:], *whole[2:]])
    documents = read(content)
    assert [document["_id"] for document in documents if isinstance(document, dict)] == ["a0", "a2", "a3", "a4"]
    (broken,) = [document for document in documents if isinstance(document, Broken)]
    assert broken.reason == f"{len(whole[1])} bytes that are no document"


@pytest.mark.parametrize("missing", [1, 4, 20])
def test_a_file_that_ends_too_soon_keeps_its_whole_documents(missing: int):
    content = bson({"_id": "a1"}, {"_id": "a2", "msg": "the last one"})
    documents = read(content[:-missing])
    assert documents[0] == {"_id": "a1"}
    assert isinstance(documents[1], Broken)
    assert len(documents) == 2


def test_a_date_beyond_the_calendar_is_none():
    body = b"\x09ts\0" + struct.pack("<q", 1 << 62)
    assert read(struct.pack("<i", len(body) + 5) + body + b"\0") == [{"ts": None}]


def test_documents_without_end_are_refused_without_a_crash():
    depth = 500
    content = b"\x05\0\0\0\0"
    for _ in range(depth):
        body = b"\x03a\0" + content
        content = struct.pack("<i", len(body) + 5) + body + b"\0"
    (document,) = read(content)
    assert isinstance(document, Broken)
    assert "deep" in document.reason


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 62), 1 << 62) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.dictionaries(st.sampled_from(["_id", "rid", "msg", "u"]), VALUES), max_size=4))
def test_whatever_is_written_is_read(documents: list[dict[str, object]]):
    content = bson(*documents)
    assert read(content) == documents
