"""The names that the forest shows, and which of them changed since it last looked.

Headings of summaries carry names of channels and actors. Names are not content: a rename makes no new record, so it is
found here by comparing with the names shown last.
"""

import sqlite3
from dataclasses import dataclass
from typing import Final

from treering.forest.kinds import natural_key
from treering.model.drafts import ChannelKind

__all__ = ["Named", "Names", "Renamed", "note_renames", "note_summarizer"]

_CHANGED: Final = """
    SELECT n.kind, n.id, n.name, n.open, s.name, s.open FROM (
        SELECT 'channel' AS kind, id, name, kind = 'public' AS open FROM channel
        UNION ALL SELECT 'actor', id, name, 1 FROM actor
    ) n LEFT JOIN shown_name s ON s.kind = n.kind AND s.id = n.id
    WHERE s.name IS NOT n.name OR s.open IS NOT n.open
"""


@dataclass(frozen=True, slots=True)
class Named:
    """An actor or a channel: its natural key, its present name, and whether all may read it."""

    key: str
    name: str
    open: bool


@dataclass(frozen=True, slots=True)
class Renamed:
    """Ids of what goes by another name now, and of channels that were opened or closed to the public."""

    channels: frozenset[int]
    actors: frozenset[int]
    reopened: frozenset[int]


class Names:
    """Present names, looked up once each."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._channels: dict[int, Named] = {}
        self._actors: dict[int, Named] = {}

    def channel(self, channel: int) -> Named:
        """The channel with that id."""
        if channel not in self._channels:
            source, native, name, kind = self._db.execute(
                "SELECT source, native, name, kind FROM channel WHERE id = ?", (channel,)
            ).fetchone()
            self._channels[channel] = Named(natural_key(source, native), name, kind == ChannelKind.PUBLIC)
        return self._channels[channel]

    def actor(self, actor: int) -> Named:
        """The actor with that id."""
        if actor not in self._actors:
            source, native, name = self._db.execute(
                "SELECT source, native, name FROM actor WHERE id = ?", (actor,)
            ).fetchone()
            self._actors[actor] = Named(natural_key(source, native), name, open=True)
        return self._actors[actor]


def note_renames(connection: sqlite3.Connection) -> Renamed:
    """What is called differently than at the last call; the present names are then the ones shown last."""
    found: dict[str, set[int]] = {"channel": set(), "actor": set(), "reopened": set()}
    for kind, one, name, is_open, name_before, open_before in connection.execute(_CHANGED).fetchall():
        if name_before is not None and name_before != name:
            found[kind].add(one)
        if open_before is not None and open_before != is_open:
            found["reopened"].add(one)
        connection.execute("INSERT OR REPLACE INTO shown_name VALUES (?, ?, ?, ?)", (kind, one, name, is_open))
    return Renamed(frozenset(found["channel"]), frozenset(found["actor"]), frozenset(found["reopened"]))


def note_summarizer(connection: sqlite3.Connection, name: str) -> bool:
    """Whether the summaries so far are by a summarizer of another name or version; from now on this one counts."""
    row = connection.execute("SELECT name FROM shown_name WHERE kind = 'summarizer'").fetchone()
    connection.execute("INSERT OR REPLACE INTO shown_name VALUES ('summarizer', 0, ?, 1)", (name,))
    return row is not None and row[0] != name
