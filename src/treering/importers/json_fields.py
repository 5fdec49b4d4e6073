"""Foreign JSON objects, narrowed field by field at the door: what is missing or of another kind is empty, no error.

Texts come out fit to be stored. What a field means is decided by each importer, and what an object without it is worth.
"""

import json

from treering.importers.json_stream import RAW_CHARS_MAX, Broken
from treering.importers.narrowing import clean

__all__ = ["Json", "camel", "number_at", "raw_of", "record_at", "records_at", "text_at"]

DEPTH_MAX = 40  # of objects within objects; what lies deeper is dropped

Json = dict[str, object]


def text_at(record: Json, key: str) -> str:
    """The string at a key; "" where there is none."""
    value = record.get(key)
    return clean(value) if isinstance(value, str) else ""


def number_at(record: Json, key: str) -> int | None:
    """The whole number at a key that is not below zero, such as a size; None where there is none."""
    value = record.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63 else None


def record_at(record: Json, key: str) -> Json:
    """The object at a key; an empty one where there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def records_at(record: Json, key: str) -> list[Json]:
    """The objects of the list at a key; what is no object is left out."""
    value = record.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def camel(value: object, depth: int = DEPTH_MAX) -> object:
    """The value with all its keys in camel case: one program writes `CreatedDateTime`, another `createdDateTime`.

    >>> camel({"From": {"User": {"Id": "1"}}, "@odata.type": "x"})
    {'from': {'user': {'id': '1'}}, '@odata.type': 'x'}
    """
    if depth == 0:
        return None
    if isinstance(value, dict):
        return {key[:1].lower() + key[1:]: camel(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [camel(item, depth - 1) for item in value]
    return value


def raw_of(value: object) -> str:
    """The beginning of a value as it was found, to be shown."""
    if isinstance(value, Broken):
        return value.raw
    if isinstance(value, str):
        return value[:RAW_CHARS_MAX]
    try:
        return json.dumps(value, ensure_ascii=False, default=str)[:RAW_CHARS_MAX]
    except RecursionError:
        return "(too deeply nested to be shown)"
