"""Who may read what by the operator's word: explicit grants and revocations, on top of the members that sources list.

Decisions are appended, each with its time, and the last one about a person holds; a list of members that comes later
changes none of them. A person is all linked accounts together (`log.links`).
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from treering.log.links import Groups
from treering.log.schema import has_table
from treering.model.drafts import ChannelKind
from treering.model.ids import ActorId, ChannelId

__all__ = ["EVERYBODY", "Decision", "Grant", "Rights", "decide", "decisions", "rights"]

EVERYBODY = ActorId(0)  # no account has this id


class Decision(StrEnum):
    """What the operator decided about a person and a channel."""

    GRANT = "grant"
    REVOKE = "revoke"
    AS_IMPORTED = "as imported"  # earlier decisions no longer count


@dataclass(frozen=True, slots=True)
class Grant:
    """One decision, as it was stated."""

    channel: ChannelId
    actor: ActorId  # EVERYBODY: whoever asks
    decision: Decision
    stated_at: int  # microseconds


@dataclass(slots=True)
class Rights:
    """What the decisions about one channel come to."""

    granted: set[ActorId] = field(default_factory=set)
    barred: set[ActorId] = field(default_factory=set)
    everybody: Decision = Decision.AS_IMPORTED

    def kind(self, imported: ChannelKind) -> ChannelKind:
        """The kind of the channel, opened or closed by a decision about everybody."""
        if self.everybody is Decision.GRANT:
            return ChannelKind.PUBLIC
        if self.everybody is Decision.REVOKE and imported is ChannelKind.PUBLIC:
            return ChannelKind.PRIVATE
        return imported

    def members(self, listed: frozenset[ActorId] | None) -> frozenset[ActorId] | None:
        """Who may read: those listed and those granted, without those barred; None while nobody is known."""
        if listed is None and not self.granted:
            return None
        return ((listed or frozenset()) | self.granted) - self.barred


def decide(connection: sqlite3.Connection, grant: Grant) -> None:
    """Log a decision."""
    connection.execute(
        "INSERT INTO access_grant (channel, actor, decision, stated_at) VALUES (?, ?, ?, ?)",
        (grant.channel, grant.actor, grant.decision.value, grant.stated_at),
    )


def decisions(connection: sqlite3.Connection) -> list[Grant]:
    """Every decision, in the order in which they were stated."""
    if not has_table(connection, "access_grant"):
        return []
    rows = connection.execute("SELECT channel, actor, decision, stated_at FROM access_grant ORDER BY id")
    return [Grant(ChannelId(channel), ActorId(actor), Decision(what), at) for channel, actor, what, at in rows]


def rights(grants: Iterable[Grant], groups: Groups) -> dict[int, Rights]:
    """What decisions come to, channel by channel; the last one about any account of a person holds for all of them."""
    found: dict[int, Rights] = {}
    for grant in grants:
        channel = found.setdefault(grant.channel, Rights())
        if grant.actor == EVERYBODY:
            channel.everybody = grant.decision
            continue
        accounts = groups.get(grant.actor, frozenset({grant.actor}))
        channel.granted -= accounts
        channel.barred -= accounts
        if grant.decision is Decision.GRANT:
            channel.granted |= accounts
        elif grant.decision is Decision.REVOKE:
            channel.barred |= accounts
    return found
