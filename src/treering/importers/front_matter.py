"""Metadata at the top of a document: between rules, in an HTML comment, or as a block of headers.

Not read as YAML. People write `title: ADR-0007: move to queue #2`, which YAML refuses or cuts short, and dates and
versions that YAML turns into something else. Here a line is a key and the rest of the line, as written; lists of words
and one level of nesting are understood, and a line that is neither costs only itself. Follows CASES B42.
"""

import json
import re
from collections.abc import Iterator, Mapping

__all__ = ["Fields", "field_key", "read_comment", "read_front_matter", "read_headers"]

Fields = Mapping[str, tuple[str, ...]]
"""Values by key, where a key has only letters and digits: `last-updated`, `Last Updated` and `lastUpdated` are one."""

FRONT_MATTER_CHARS_MAX = 1 << 16
HEADERS_MIN = 2  # one line with a colon is prose

_FRONT = re.compile(r"\ufeff?(?P<rule>---|\+\+\+|;;;)[ \t]*\n(?P<inside>.*?)^(?:(?P=rule)|\.\.\.)[ \t]*$", re.M | re.S)
_COMMENT = re.compile(r"\s*<!--(?P<inside>.*?)-->", re.S)
_LINE = re.compile(r"(?P<key>[\"']?[A-Za-z][\w .@-]{0,60}?[\"']?)[ \t]*[:=](?:[ \t]+(?P<rest>.*)|[ \t]*)")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<item>.*\S)[ \t]*")
_ITEM_KEY = re.compile(r"(?:name|title|id)[ \t]*:[ \t]*(?=\S)", re.I)
_PAIR = re.compile(r"(?P<key>[A-Za-z][\w-]*)=(?:\"(?P<quoted>[^\"]*)\"|(?P<word>\S+))")
_PART = re.compile(r"\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^']|'')*)'|(?P<plain>[^,\[\]\s][^,\[\]]*)")
_QUOTED = re.compile(r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^']|'')*)')(?:\s+#.*)?")
_HEADER = re.compile(r"(?P<key>[A-Z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+){0,3}):(?:[ \t]+(?P<rest>.*))?")


def read_front_matter(text: str) -> tuple[Fields, int]:
    r"""The fields between `---` (or `+++`, `;;;`) and its like at the very beginning, and where the text goes on.

    >>> fields, end = read_front_matter("---\ntitle: ADR-0007: queue #2\ntags: [infra, no]\n---\n# Move")
    >>> fields, end
    ({'title': ('ADR-0007: queue #2',), 'tags': ('infra', 'no')}, 51)
    """
    found = _FRONT.match(text, 0, FRONT_MATTER_CHARS_MAX)
    if found is None:
        return {}, 0
    fields = _from_json(found["inside"]) if found["rule"] == ";;;" else _from_lines(found["inside"])
    return (fields, found.end()) if fields else ({}, 0)  # two rules with prose between them are no front matter


def read_comment(text: str, start: int) -> tuple[Fields, int]:
    """The fields in an HTML comment with which the text begins, one a line or as `key=value`, and where it goes on."""
    found = _COMMENT.match(text, start)
    if found is None:
        return {}, start
    fields = dict(_from_lines(found["inside"]))
    for pair in _PAIR.finditer(found["inside"]):
        fields.setdefault(field_key(pair["key"]), (pair["quoted"] or pair["word"] or "",))
    return fields, found.end()


def read_headers(text: str, start: int) -> tuple[Fields, int]:
    r"""A block of `Key: value` lines with which the text begins, as proposals and mails have it, and where it ends.

    >>> read_headers("PEP: 8\nAuthor: Ana Lobo,\n  Ben Okoro\n\nText", 0)
    ({'pep': ('8',), 'author': ('Ana Lobo, Ben Okoro',)}, 37)
    """
    fields: dict[str, tuple[str, ...]] = {}
    last = ""
    place = start
    for line in re.findall(r"[^\n]*\n|[^\n]+", text[start : start + FRONT_MATTER_CHARS_MAX]):
        header = _HEADER.fullmatch(line.rstrip())
        if header:
            last = field_key(header["key"])
            fields.setdefault(last, (header["rest"] or "",))
        elif line[:1] in " \t" and line.strip() and last:
            fields[last] = (f"{fields[last][0]} {line.strip()}".strip(),)
        elif line.strip() or fields:
            break
        place += len(line)
    ends_in_blank = not text[place : place + 1].strip()
    return (fields, place) if len(fields) >= HEADERS_MIN and ends_in_blank else ({}, start)


def field_key(written: str) -> str:
    """A key without what people vary in writing it.

    >>> field_key("Last-Updated"), field_key("last_updated")
    ('lastupdated', 'lastupdated')
    """
    return re.sub(r"[\W_]+", "", written).casefold()


def _from_lines(inside: str) -> Fields:
    fields: dict[str, tuple[str, ...]] = {}
    key = ""
    for line in inside.split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item, indented = _ITEM.fullmatch(line), line[0] in " \t"
        entry = None if item else _LINE.fullmatch(line.strip())
        if item and key:
            fields[key] = (*fields.get(key, ()), _unquoted(_ITEM_KEY.sub("", item["item"], count=1)))
        elif entry and not indented:
            key = field_key(entry["key"])
            fields[key] = tuple(_values(entry["rest"] or ""))
        elif entry and key and not fields.get(key):
            fields[key + field_key(entry["key"])] = tuple(_values(entry["rest"] or ""))
        elif indented and key and fields.get(key):
            fields[key] = (*fields[key][:-1], f"{fields[key][-1]} {line.strip()}")
        elif indented and key:
            fields[key] = (_unquoted(line.strip()),)
    return {key: _flat(values) for key, values in fields.items() if key and values}


def _flat(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values, where a list in brackets went on for several lines."""
    is_list = len(values) == 1 and values[0].startswith("[") and values[0].endswith("]")
    return tuple(_values(values[0])) if is_list else values


def _values(rest: str) -> Iterator[str]:
    """The value on the line of its key; nothing where it stands on the lines below."""
    rest = rest.strip()
    if rest in ("", "|", ">", "|-", ">-", "|+", ">+"):
        return
    if rest.startswith("[") and rest.endswith("]"):
        for part in _PART.finditer(rest, 1, len(rest) - 1):
            yield _unquoted(part[0])
    else:
        yield _unquoted(rest)


def _unquoted(value: str) -> str:
    value = value.strip()
    quoted = _QUOTED.fullmatch(value)
    if quoted is None:
        return value
    return quoted["double"].replace('\\"', '"') if quoted["single"] is None else quoted["single"].replace("''", "'")


def _from_json(inside: str) -> Fields:
    try:
        entries = json.loads(inside)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(entries, dict):
        return {}
    fields = {}
    for key, value in entries.items():
        values = value if isinstance(value, list) else [value]
        fields[field_key(key)] = tuple(str(one) for one in values if isinstance(one, str | int | float))
    return {key: values for key, values in fields.items() if key and values}
