"""Of what several imports tell about an actor or a channel, the newest holds, in whatever order they came.

How new a telling is, is a date that the caller gives: that of the newest record that came with it, as a rule, because
exports do not say when they were made. Of two tellings of one date neither is newer, and arrival must not decide: the
more closed kind holds, only members on both lists are members, and names are taken in the order of letters. What no
date is known of is older than anything dated.
"""

import json
import sqlite3

from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind

__all__ = ["UNDATED", "tell_actor", "tell_kind", "tell_members", "tell_name"]

UNDATED = -(2**63)
_CLOSED = (ChannelKind.PUBLIC, ChannelKind.PRIVATE, ChannelKind.GROUP, ChannelKind.DIRECT)  # the later the more


def tell_name(connection: sqlite3.Connection, channel: int, draft: ChannelDraft, at: int, *, at_once: bool) -> None:
    """Take over a channel's name; an id is no better name than a name. `at_once`: for now, whatever is known."""
    if draft.name == draft.id:
        return
    before = _at(connection, "channel name", channel)
    (held,) = connection.execute("SELECT name FROM channel WHERE id = ?", (channel,)).fetchone()
    if at_once or held == draft.id or (at, draft.name) > (before, held):
        connection.execute("UPDATE channel SET name = ? WHERE id = ?", (draft.name, channel))
        _date(connection, "channel name", channel, at)


def tell_kind(connection: sqlite3.Connection, channel: int, draft: ChannelDraft, at: int, *, at_once: bool) -> None:
    """Take over a channel's kind; what is merely assumed changes nothing that a source stated.

    An assumption is the operator's word for this import, and no part of what was exported: the last one holds.
    """
    held, stated = connection.execute("SELECT kind, stated FROM channel WHERE id = ?", (channel,)).fetchone()
    kind = draft.kind
    if not draft.stated:
        if not stated:
            connection.execute("UPDATE channel SET kind = ? WHERE id = ?", (kind.value, channel))
        return
    before = _at(connection, "channel kind", channel)
    if stated and not at_once:
        if at < before:
            return
        if at == before:
            kind = max(kind, ChannelKind(held), key=_CLOSED.index)
    connection.execute("UPDATE channel SET kind = ?, stated = 1 WHERE id = ?", (kind.value, channel))
    _date(connection, "channel kind", channel, at)


def tell_members(connection: sqlite3.Connection, channel: int, members: set[int], at: int, *, at_once: bool) -> None:
    """Take over a list of members."""
    before = _at(connection, "members", channel)
    (known,) = connection.execute("SELECT members_known FROM channel WHERE id = ?", (channel,)).fetchone()
    if known and not at_once:
        if at < before:
            return
        if at == before:
            rows = connection.execute("SELECT actor FROM member WHERE channel = ?", (channel,))
            members = members & {row[0] for row in rows}
    connection.execute("DELETE FROM member WHERE channel = ?", (channel,))
    connection.executemany(
        "INSERT INTO member (channel, actor, since) VALUES (?, ?, ?)",
        [(channel, actor, None if at == UNDATED else at) for actor in sorted(members)],
    )
    connection.execute("UPDATE channel SET members_known = 1 WHERE id = ?", (channel,))
    _date(connection, "members", channel, at)


def tell_actor(connection: sqlite3.Connection, actor: int, draft: ActorDraft, at: int) -> str:
    """Take over an actor's name and kind, and return the name it now goes by.

    A source that only met the id in passing tells nothing; one that knows no kind yields to one that does.
    """
    known = draft.kind is not ActorKind.UNKNOWN
    row = connection.execute("SELECT at, value FROM told WHERE part = 'actor' AND id = ?", (actor,)).fetchone()
    held = (bool((value := json.loads(row[1]))["known"]), row[0], value["name"], value["kind"]) if row else None
    told = (known, at, draft.name, draft.kind.value)
    if (known or draft.name != draft.id) and (held is None or told > held):
        held = told
        fields = {"known": known, "name": draft.name, "kind": draft.kind.value}
        _date(connection, "actor", actor, at, json.dumps(fields, ensure_ascii=False))
    if held is not None:
        kind = held[3] if held[0] else None
        connection.execute("UPDATE actor SET kind = coalesce(?, kind), name = ? WHERE id = ?", (kind, held[2], actor))
    return str(connection.execute("SELECT name FROM actor WHERE id = ?", (actor,)).fetchone()[0])


def _at(connection: sqlite3.Connection, part: str, subject: int) -> int:
    row = connection.execute("SELECT at FROM told WHERE part = ? AND id = ?", (part, subject)).fetchone()
    return int(row[0]) if row else UNDATED


def _date(connection: sqlite3.Connection, part: str, subject: int, at: int, value: str = "") -> None:
    if at != UNDATED or value:
        connection.execute(
            "INSERT OR REPLACE INTO told (part, id, at, value) VALUES (?, ?, ?, ?)", (part, subject, at, value)
        )
