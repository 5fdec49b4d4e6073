"""Actors and channels: ids with dated names, and who is a member where.

Names are never keys: a name leads to candidates, an id to one. Of what several imports tell, the newest holds
(`log.told`), because membership is judged as it is now; over it lie the operator's links and grants.
"""

import sqlite3
import unicodedata
from collections.abc import Collection, Iterable

from treering.errors import AmbiguousName, UnknownName
from treering.log.grants import Rights, decisions, rights
from treering.log.links import groups, representative
from treering.log.told import UNDATED, tell_actor, tell_kind, tell_members, tell_name
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
        self._note_names("actor", actor, draft.id, (draft.name, *draft.aliases), since)
        return actor

    def settle_actor(self, source: str, draft: ActorDraft, at: int = UNDATED) -> None:
        """See that the actor goes by the newest name told; `at`: how new this one is, unless the draft is dated."""
        actor, _ = self.actor(source, draft.id)
        at = micros(draft.since) if draft.since else at
        self._actors[source, draft.id] = (actor, tell_actor(self._db, actor, draft, at))

    def actor(self, source: str, native: str) -> tuple[ActorId, str]:
        """The id and display name of a source's actor; one never described before gets a placeholder."""
        known = self._find_actor(source, native)
        if known is None:
            self.put_actor(source, ActorDraft(native, native))
            known = self._actors[source, native]
        return known

    def put_channel(self, source: str, draft: ChannelDraft, at: int = UNDATED, *, at_once: bool = False) -> ChannelId:
        """Make the channel known, or take over its name, kind and members as far as they are newer.

        Args:
            source: who tells.
            draft: what is told.
            at: how new that is (microseconds); a date in the draft counts too.
            at_once: take it over whatever is known; for a channel that the import under way made itself.
        """
        channel = self._find_channel(source, draft.id)
        if channel is None:
            cursor = self._db.execute(
                "INSERT INTO channel (source, native, kind, name, members_known, stated) VALUES (?, ?, ?, ?, 0, 0)",
                (source, draft.id, draft.kind.value, draft.id),
            )
            channel = self._channels[source, draft.id] = ChannelId(int(cursor.lastrowid or 0))
        since = micros(draft.since) if draft.since else None
        at = max(at, since) if since is not None else at
        tell_name(self._db, channel, draft, at, at_once=at_once)
        tell_kind(self._db, channel, draft, at, at_once=at_once)
        if draft.members is not None:
            members: set[int] = {self.actor(source, native)[0] for native in draft.members}
            tell_members(self._db, channel, members, at, at_once=at_once)
        self.note_channel_names(source, draft)
        return channel

    def note_channel_names(self, source: str, draft: ChannelDraft) -> None:
        """Note the names that a channel has had, whichever of them is its name now."""
        channel = self.channel(source, draft.id)
        since = micros(draft.since) if draft.since else None
        self._note_names("channel", channel, draft.id, (draft.name, *draft.aliases), since)

    def knows_channel(self, source: str, native: str) -> bool:
        """Whether the channel has been met before."""
        return self._find_channel(source, native) is not None

    def channel(self, source: str, native: str) -> ChannelId:
        """The id of a source's channel; one never described is private, its members unknown."""
        found = self._find_channel(source, native)
        if found is None:
            return self.put_channel(source, ChannelDraft(native, native, ChannelKind.PRIVATE, stated=False))
        return found

    def _note_names(self, table: str, subject: int, native: str, names: Iterable[str], since: int | None) -> None:
        """Keep names for look-up; of a name told twice the earliest date is kept, and one spelling of it."""
        self._db.executemany(
            f"INSERT INTO {table}_name (folded, {table}, name, since) VALUES (?, ?, ?, ?)"
            f" ON CONFLICT (folded, {table}) DO UPDATE SET name = min(name, excluded.name),"
            " since = coalesce(min(since, excluded.since), since, excluded.since)"
            " WHERE name > excluded.name OR since IS NULL OR since > excluded.since",
            [
                (folded(name), subject, name, at)
                for name, at in (*((name, since) for name in names), (native, None))
                if folded(name)
            ],
        )

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
        """Every channel, in natural order, with those who may read it where they are known.

        Rights belong to people: whoever is a member by one account is so by every account that is linked with it.
        """
        persons = groups(self._db)
        decided = rights(decisions(self._db), persons)
        members: dict[int, set[ActorId]] = {}
        for channel, actor in self._db.execute("SELECT channel, actor FROM member"):
            members.setdefault(channel, set()).update(persons.get(actor, (ActorId(actor),)))
        rows = self._db.execute(
            "SELECT id, source, native, kind, name, members_known FROM channel ORDER BY source, native"
        )
        found = []
        for number, source, native, kind, name, known in rows:
            listed = frozenset(members.get(number, ())) if known else None
            decision = decided.get(number, Rights())
            found.append(
                Channel(
                    ChannelId(number), source, native, decision.kind(ChannelKind(kind)), name,
                    decision.members(listed), frozenset(decision.barred),
                )
            )  # fmt: skip
        return found

    def find_actor(self, name: str, among: Collection[int] | None = None) -> ActorId:
        """The one actor that an id or a name means; of one person's linked accounts the first in natural order.

        Args:
            name: an id, alone or as SOURCE/ID, or a name.
            among: actors that may be meant; None: all.

        Raises:
            AmbiguousName: several people go by it; the message lists their accounts.
            UnknownName: nobody does.
        """
        return ActorId(self._find("actor", name, among))

    def find_channel(self, name: str) -> ChannelId:
        """The one channel that an id or a name means; errors as for actors."""
        return ChannelId(self._find("channel", name))

    def _find(self, table: str, name: str, among: Collection[int] | None = None) -> int:
        by_id = self._db.execute(
            f"SELECT id FROM {table} WHERE native = ? OR source || '/' || native = ?", (name, name)
        ).fetchall()
        by_name = self._db.execute(
            f"SELECT DISTINCT {table} FROM {table}_name WHERE folded = ?", (folded(name),)
        ).fetchall()
        if among is not None:
            by_id, by_name = ([row for row in rows if row[0] in among] for rows in (by_id, by_name))
        found = by_id if len(by_id) == 1 else by_name or by_id
        if len(found) == 1:
            return int(found[0][0])
        if not found:
            raise UnknownName(f"no {table} is called {name!r} here; `treering status` counts what there is")
        if table == "actor":
            one = representative(self._db, (row[0] for row in found))
            if one is not None:
                return one
        ids = ",".join(str(row[0]) for row in found)
        rows = self._db.execute(f"SELECT source, native, name FROM {table} WHERE id IN ({ids}) ORDER BY source, native")
        candidates = ", ".join(f"{source}/{native} ({label})" for source, native, label in rows)
        raise AmbiguousName(f"{len(found)} {table}s are called {name!r}: {candidates}. Give one of these ids")
