"""Accounts of one person: links that the operator stated, and the groups that they make.

Nothing is ever linked by a guess: equal names and addresses are listed as possible duplicates elsewhere, and stay apart
until somebody says that they are one. A link gives rights (who may read as one account reads as the other), so it is
stated between ids, never between names, and taken back by the same words.
"""

import sqlite3
from collections.abc import Iterable, Mapping

from treering.log.schema import has_table
from treering.model.ids import ActorId

__all__ = ["Groups", "groups", "link", "links", "representative", "representatives", "unlink"]

Groups = Mapping[int, frozenset[ActorId]]  # of each linked account: all accounts of its person


def link(connection: sqlite3.Connection, pairs: Iterable[tuple[int, int]], stated_at: int) -> int:
    """State that the accounts of each pair are one person's; returns how many links are new."""
    before = connection.total_changes
    connection.executemany(
        "INSERT OR IGNORE INTO alias (one, other, stated_at) VALUES (?, ?, ?)",
        [(min(pair), max(pair), stated_at) for pair in pairs if pair[0] != pair[1]],
    )
    return connection.total_changes - before


def unlink(connection: sqlite3.Connection, pairs: Iterable[tuple[int, int]]) -> int:
    """Take links back; returns how many there were."""
    before = connection.total_changes
    connection.executemany("DELETE FROM alias WHERE one = ? AND other = ?", [(min(pair), max(pair)) for pair in pairs])
    return connection.total_changes - before


def links(connection: sqlite3.Connection) -> list[tuple[ActorId, ActorId, int]]:
    """Every link: two accounts, and when it was stated (microseconds)."""
    if not has_table(connection, "alias"):
        return []
    rows = connection.execute("SELECT one, other, stated_at FROM alias ORDER BY one, other")
    return [(ActorId(one), ActorId(other), at) for one, other, at in rows]


def groups(connection: sqlite3.Connection) -> Groups:
    """The accounts that links join, directly or through others; an account that nothing joins is not in it."""
    joined: dict[int, set[ActorId]] = {}
    for one, other, _ in links(connection):
        together = joined.get(one, {one}) | joined.get(other, {other})
        for account in together:
            joined[account] = together
    return {account: frozenset(together) for account, together in joined.items()}


def representative(connection: sqlite3.Connection, accounts: Iterable[int]) -> int | None:
    """The account that stands for several: the first in natural order if all are one person's, else None."""
    wanted = set(accounts)
    group = groups(connection).get(min(wanted), frozenset())
    if not wanted <= group:
        return None
    ids = ",".join(map(str, sorted(wanted)))
    row = connection.execute(f"SELECT id FROM actor WHERE id IN ({ids}) ORDER BY source, native LIMIT 1").fetchone()
    return int(row[0])


def representatives(connection: sqlite3.Connection) -> dict[int, ActorId]:
    """Of each linked account the one that stands for its person: the first in natural order."""
    persons = groups(connection)
    some = ",".join(map(str, sorted(persons)))
    found: dict[int, ActorId] = {}
    for (account,) in connection.execute(f"SELECT id FROM actor WHERE id IN ({some}) ORDER BY source, native"):
        for other in persons[account]:
            found.setdefault(other, ActorId(account))
    return found
