"""How foreign values become ours at the door: ids, texts and lists, and the reasons why one cannot be taken.

Shared by the importers of tables and of Zulip. Times are read in `moments`; nothing here knows a format.
"""

import json
import re

from treering.importers.json_stream import RAW_CHARS_MAX, Broken
from treering.model.drafts import Drafted, Quarantined

__all__ = ["FieldError", "clean", "distinct", "identity", "kept_aside", "require", "serial", "texts", "urls"]

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)


class FieldError(ValueError):
    """A record that cannot be taken as it is; the message is the reason that the report shows."""


def clean(text: str) -> str:
    """The text without NUL, and with U+FFFD for lone surrogates: what every database can store.

    >>> clean("a" + chr(0) + "b")
    'ab'
    """
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub(lambda match: "" if match[0] == "\0" else "\ufffd", text)


def identity(value: object) -> str | None:
    """An id as a string, whole numbers without a fraction; None where the value is no id.

    >>> identity(12345678901234567890), identity(7.0), identity(" a1 "), identity("")
    ('12345678901234567890', '7', 'a1', None)
    """
    if isinstance(value, str):
        return clean(value).strip() or None
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value) if value.bit_length() < 4_096 else None  # Python refuses to print longer ones
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None


def require(row: object, *fields: str) -> dict[str, object]:
    """The row, if it is an object in which all of the fields have values.

    Raises:
        FieldError: it is not; the message names the fields that are missing.
    """
    if not isinstance(row, dict):
        raise FieldError("not an object")
    missing = [field for field in fields if row.get(field) is None]
    if missing:
        raise FieldError(f"no {', no '.join(missing)}")
    return row


def serial(value: object, what: str) -> int:
    """A number that a database counted up, not below zero.

    Raises:
        FieldError: it is none, or none that 64 bits hold.
    """
    found = identity(value)
    if found is None or not re.fullmatch(r"[0-9]{1,18}", found):
        raise FieldError(f"{what} is no number: {str(found)[:60]!r}")
    return int(found)


def texts(value: object, what: str, separators: str = ";,") -> tuple[str, ...]:
    """A list of ids or words; a string is split at the first of the separators that it contains.

    Raises:
        FieldError: the value, or one of its items, is neither a string nor a whole number.

    >>> texts("Lobo, Ana; Okoro, Ben", "members"), texts('["a", "b"]', "members"), texts(None, "members")
    (('Lobo, Ana', 'Okoro, Ben'), ('a', 'b'), ())
    """
    if value is None or value == []:
        return ()
    if isinstance(value, str):
        value = _listed(value, separators)
    elif not isinstance(value, list):
        value = [value]
    found = []
    for item in value:
        name = identity(item)
        if name is not None:
            found.append(name)
        elif item not in (None, ""):
            raise FieldError(f"{what} holds {_kind(item)}; a list of ids is expected")
    return distinct(found)


def distinct(items: list[str]) -> tuple[str, ...]:
    """The items without repeats, in order of first sight."""
    return tuple(dict.fromkeys(items))


def urls(text: str) -> tuple[str, ...]:
    """The web addresses in a text, distinct, without the punctuation that ends a sentence or a bracket.

    >>> urls("see (https://w.example/a_(b)), and https://w.example/c.")
    ('https://w.example/a_(b)', 'https://w.example/c')
    """
    if "://" not in text:
        return ()
    found = []
    for url in _URL.findall(text):
        url = url.rstrip(".,;:!?*")
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1].rstrip(".,;:!?*")
        found.append(url)
    return distinct(found)


def kept_aside(file: str, position: str, reason: str, original: object = "") -> Drafted:
    """A record that could not be read, with its original as found, as far as it is kept to be shown."""
    if isinstance(original, Broken):
        original = original.raw
    raw = original if isinstance(original, str) else json.dumps(original, ensure_ascii=False, default=str)
    return Drafted(file, Quarantined(file, position, reason, clean(raw[:RAW_CHARS_MAX])))


def _listed(text: str, separators: str) -> list[object]:
    if text.lstrip().startswith("["):
        try:
            items = json.loads(text)
        except ValueError:
            pass
        else:
            if isinstance(items, list):
                return items
    separator = next((mark for mark in separators if mark in text), None)
    return [item.strip() for item in text.split(separator)] if separator else [text]


def _kind(value: object) -> str:
    return {dict: "an object", list: "a list", bool: "true or false"}.get(type(value), "a number with a fraction")
