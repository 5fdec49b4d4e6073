"""Actors and channels: ids with dated names, and who is a member where.

Names are never keys: a name leads to candidates, an id to one. A new list of members replaces the one before, because
membership is judged as it is now.
"""

import sqlite3
import unicodedata
from collections.abc import Iterable

from treering.errors import AmbiguousName, UnknownName
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind
from treering.model.ids import ActorId, ChannelId
from treering.model.records import Actor, Channel, micros

__all__ = ["Registry", "folded"]


def folded(name: str) -> str:
    """A name as it is looked up: case, width and surrounding marks do not count.

    >>> folded(" @Ana Lobo ") == folded("ANA LOBO")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().strip().lstrip("@#").split())


class Registry:
    """The actors and channels of a memory; writing needs a write transaction around it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._actors: dict[tuple[str, str], tuple[ActorId, str]] = {}
        self._channels: dict[tuple[str, str], ChannelId] = {}

    # Writing

    def put_actor(self, source: str, draft: ActorDraft) -> ActorId:
        """Make the actor known, or take over what is new about it."""
        known = self._find_actor(source, draft.id)
        since = micros(draft.since) if draft.since else None
        if known is None:
            cursor = self._db.execute(
                "INSERT INTO actor (source, native, kind, name) VALUES (?, ?, ?, ?)",
                (source, draft.id, draft.kind.value, draft.name),
            )
            actor = ActorId(int(cursor.lastrowid or 0))
        else:
            actor, name = known
            # A source that only met the id in passing must not undo what a list of people said.
            kind = draft.kind.value if draft.kind is not ActorKind.UNKNOWN else None
            name = draft.name if kind is not None or name == draft.id else name
            self._db.execute("UPDATE actor SET kind = coalesce(?, kind), name = ? WHERE id = ?", (kind, name, actor))
            draft = ActorDraft(draft.id, name, draft.kind, (*draft.aliases, draft.name), draft.since)
        self._actors[source, draft.id] = (actor, draft.name)
        for name in (draft.name, *draft.aliases, draft.id):
            if folded(name):
                self._db.execute(
                    "INSERT OR IGNORE INTO actor_name (folded, actor, name, since) VALUES (?, ?, ?, ?)",
                    (folded(name), actor, name, since),
                )
        return actor

    def actor(self, source: str, native: str) -> tuple[ActorId, str]:
        """The id and display name of a source's actor; one never described before gets a placeholder."""
        known = self._find_actor(source, native)
        if known is None:
            self.put_actor(source, ActorDraft(native, native))
            known = self._actors[source, native]
        return known

    def put_channel(self, source: str, draft: ChannelDraft) -> ChannelId:
        """Make the channel known, or take over its present name, kind and members.

        What is merely assumed changes nothing that a source said of who may read; an id is no better name than a name.
        """
        channel = self._find_channel(source, draft.id)
        known = draft.members is not None
        kind = draft.kind.value
        if channel is None:
            cursor = self._db.execute(
                "INSERT INTO channel (source, native, kind, name, members_known, stated) VALUES (?, ?, ?, ?, ?, ?)",
                (source, draft.id, kind, draft.name, known, draft.stated),
            )
            channel = ChannelId(int(cursor.lastrowid or 0))
        else:
            self._db.execute(
                "UPDATE channel SET name = CASE WHEN ?1 = native THEN name ELSE ?1 END,"
                " members_known = max(members_known, ?2),"
                " kind = CASE WHEN stated AND NOT ?4 THEN kind ELSE ?3 END, stated = max(stated, ?4) WHERE id = ?5",
                (draft.name, known, kind, draft.stated, channel),
            )
        self._channels[source, draft.id] = channel
        since = micros(draft.since) if draft.since else None
        for name in (draft.name, *draft.aliases, draft.id):
            if folded(name):
                self._db.execute(
                    "INSERT OR IGNORE INTO channel_name (folded, channel, name, since) VALUES (?, ?, ?, ?)",
                    (folded(name), channel, name, since),
                )
        if draft.members is not None:
            actors = {self.actor(source, native)[0] for native in draft.members}
            self._db.execute("DELETE FROM member WHERE channel = ?", (channel,))
            self._db.executemany(
                "INSERT INTO member (channel, actor, since) VALUES (?, ?, ?)", [(channel, a, since) for a in actors]
            )
        return channel

    def channel(self, source: str, native: str) -> ChannelId:
        """The id of a source's channel; one never described is private, its members unknown."""
        found = self._find_channel(source, native)
        if found is None:
            return self.put_channel(source, ChannelDraft(native, native, ChannelKind.PRIVATE, stated=False))
        return found

    def _find_actor(self, source: str, native: str) -> tuple[ActorId, str] | None:
        known = self._actors.get((source, native))
        if known is None:
            row = self._db.execute(
                "SELECT id, name FROM actor WHERE source = ? AND native = ?", (source, native)
            ).fetchone()
            if row is None:
                return None
            known = self._actors[source, native] = (ActorId(row[0]), row[1])
        return known

    def _find_channel(self, source: str, native: str) -> ChannelId | None:
        known = self._channels.get((source, native))
        if known is None:
            row = self._db.execute(
                "SELECT id FROM channel WHERE source = ? AND native = ?", (source, native)
            ).fetchone()
            if row is None:
                return None
            known = self._channels[source, native] = ChannelId(row[0])
        return known

    # Reading

    def actors(self, ids: Iterable[int] | None = None) -> list[Actor]:
        """Actors by id, with their names; all of them without ids."""
        names: dict[int, list[str]] = {}
        some = "" if ids is None else f"IN ({','.join(str(int(actor)) for actor in ids)})"
        where_actor, where_id = (f" WHERE actor {some}", f" WHERE id {some}") if some else ("", "")
        for actor, name in self._db.execute(f"SELECT actor, name FROM actor_name{where_actor} ORDER BY name"):
            names.setdefault(actor, []).append(name)
        rows = self._db.execute(f"SELECT id, source, native, kind, name FROM actor{where_id} ORDER BY source, native")
        return [Actor(ActorId(i), s, n, ActorKind(k), name, tuple(names.get(i, ()))) for i, s, n, k, name in rows]

    def channels(self) -> list[Channel]:
        """Every channel, in natural order, with its members where they are known."""
        members: dict[int, set[ActorId]] = {}
        for channel, actor in self._db.execute("SELECT channel, actor FROM member"):
            members.setdefault(channel, set()).add(ActorId(actor))
        rows = self._db.execute(
            "SELECT id, source, native, kind, name, members_known FROM channel ORDER BY source, native"
        )
        return [
            Channel(ChannelId(i), s, n, ChannelKind(k), name, frozenset(members.get(i, ())) if known else None)
            for i, s, n, k, name, known in rows
        ]

    def find_actor(self, name: str) -> ActorId:
        """The one actor that an id or a name means.

        Raises:
            AmbiguousName: several actors go by it; the message lists them.
            UnknownName: nobody does.
        """
        return ActorId(self._find("actor", name))

    def find_channel(self, name: str) -> ChannelId:
        """The one channel that an id or a name means; errors as for actors."""
        return ChannelId(self._find("channel", name))

    def _find(self, table: str, name: str) -> int:
        by_id = self._db.execute(
            f"SELECT id FROM {table} WHERE native = ? OR source || '/' || native = ?", (name, name)
        ).fetchall()
        by_name = self._db.execute(
            f"SELECT DISTINCT {table} FROM {table}_name WHERE folded = ?", (folded(name),)
        ).fetchall()
        found = by_id if len(by_id) == 1 else by_name or by_id
        if len(found) == 1:
            return int(found[0][0])
        if not found:
            raise UnknownName(f"no {table} is called {name!r} here; `treering status` counts what there is")
        ids = ",".join(str(row[0]) for row in found)
        rows = self._db.execute(f"SELECT source, native, name FROM {table} WHERE id IN ({ids}) ORDER BY source, native")
        candidates = ", ".join(f"{source}/{native} ({label})" for source, native, label in rows)
        raise AmbiguousName(f"{len(found)} {table}s are called {name!r}: {candidates}. Give one of these ids")
