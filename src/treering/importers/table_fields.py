"""The fields that a row of a message table may have, and where they stand in a row that names them otherwise.

`--map TARGET=FIELD` says that our TARGET is their FIELD; in JSON a FIELD may lead into objects ("user.id").
"""

from collections.abc import Mapping

from treering.errors import UsageError

__all__ = ["FIELDS", "LISTS", "REQUIRED", "Fields"]

REQUIRED = ("id", "sent_at", "text")
LISTS = frozenset({"refs", "mentions", "members", "tags", "links", "attachments"})
FIELDS = (
    *REQUIRED,
    *("channel", "author", "thread", "reply_to", "refs", "mentions"),
    *(
        "channel_kind",
        "members",
        "title",
        "order_hint",
        "edited_at",
        "deleted_at",
        "tags",
        "links",
        "kind",
        "attachments",
    ),
)


class Fields:
    """The mapping from our fields to those of one source.

    Raises:
        UsageError: a field is renamed that we do not have.

    >>> Fields({"author": "user.id"}).pick({"id": 1, "user": {"id": "u7"}})
    {'id': 1, 'author': 'u7'}
    """

    def __init__(self, renames: Mapping[str, str]) -> None:
        unknown = [target for target in renames if target not in FIELDS]
        if unknown:
            raise UsageError(f"there is no field {', '.join(unknown)} to map to; the fields are {', '.join(FIELDS)}.")
        self._theirs = {field: renames.get(field, field) for field in FIELDS}
        self._renamed = bool(renames)

    def pick(self, row: Mapping[str, object]) -> Mapping[str, object]:
        """A JSON object under our names; a field that the object does not have is absent."""
        if not self._renamed:
            return row
        found = ((field, _reach(row, theirs)) for field, theirs in self._theirs.items())
        return {field: value[0] for field, value in found if value}

    def columns(self, header: list[str]) -> list[tuple[str, list[int]]]:
        """Our fields in the header of a table, each with the places of its columns; upper and lower case are one."""
        names = [name.strip().casefold() for name in header]
        places = (
            (field, [at for at, name in enumerate(names) if name == theirs.casefold()])
            for field, theirs in self._theirs.items()
        )
        return [(field, at) for field, at in places if at]


def _reach(row: Mapping[str, object], path: str) -> tuple[object, ...]:
    """What stands at a path, in a tuple; an empty tuple where the path leads nowhere. A key with dots comes first."""
    if path in row:
        return (row[path],)
    head, dot, rest = path.partition(".")
    inner = row.get(head)
    return _reach(inner, rest) if dot and isinstance(inner, Mapping) else ()
