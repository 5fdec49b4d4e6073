"""What the operator sees and says of people: their accounts, which of these are one person's, and who may read what.

Nothing here guesses. Possible duplicates are listed and stay apart until a file of links says otherwise; every link and
every grant is taken back by the same words.
"""

import csv
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from treering.clock import Clock
from treering.errors import AmbiguousName, UnknownName, UnreadableInput, UsageError
from treering.log.grants import EVERYBODY, Decision, Grant, decide, decisions
from treering.log.links import groups, link, links, unlink
from treering.log.registry import Registry
from treering.memory.pipeline import Pipeline
from treering.model.drafts import ActorKind, ChannelKind
from treering.model.ids import ActorId
from treering.model.records import instant, micros
from treering.retrieval.searchable import Searchable
from treering.store.database import Database

__all__ = ["Access", "Account", "Decided", "Duplicate", "People", "read_links"]

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
Reading = Callable[[], AbstractContextManager[Searchable]]
Writing = Callable[[], AbstractContextManager[tuple[Database, Pipeline]]]


@dataclass(frozen=True, slots=True)
class Account:
    """One actor of one source."""

    id: str  # SOURCE/ID
    name: str
    kind: ActorKind
    names: tuple[tuple[str, datetime | None], ...]  # every name, and since when where a source says
    records: int  # written by it, versions and deletions too
    linked: tuple[str, ...]  # the same person's other accounts


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Accounts that may be one person's, and what they share."""

    shared: str  # "e-mail", "id" or "name"
    value: str
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of the operator's."""

    person: str  # SOURCE/ID, or "everybody"
    decision: Decision
    at: datetime


@dataclass(frozen=True, slots=True)
class Access:
    """Who may read a channel now, and why."""

    channel: str  # SOURCE/ID
    name: str
    kind: ChannelKind  # as it is judged: opened or closed by a decision about everybody
    listed: tuple[str, ...] | None  # the members that the source lists; None: it does not say
    decisions: tuple[Decided, ...]
    readers: tuple[str, ...] | None  # None: whoever asks, but those kept out
    kept_out: tuple[str, ...]


class People:
    """The people of a memory, as the operator of the memory sees them."""

    def __init__(self, reading: Reading, writing: Writing, require: Callable[[], None], clock: Clock) -> None:
        self._reading = reading
        self._writing = writing
        self._require = require
        self._clock = clock

    def accounts(self) -> list[Account]:
        """Every account, in natural order."""
        with self._reading() as memory:
            connection = memory.connection
            spelt = _spelling(connection)
            persons = groups(connection)
            written = dict(connection.execute("SELECT author, count(*) FROM record GROUP BY author").fetchall())
            names: dict[int, list[tuple[str, datetime | None]]] = {}
            for actor, name, since in connection.execute("SELECT actor, name, since FROM actor_name ORDER BY name"):
                names.setdefault(actor, []).append((name, None if since is None else instant(since)))
            return [
                Account(
                    id=spelt[actor.id],
                    name=actor.name,
                    kind=actor.kind,
                    names=tuple(names.get(actor.id, ())),
                    records=written.get(actor.id, 0),
                    linked=tuple(sorted(spelt[other] for other in persons.get(actor.id, ()) if other != actor.id)),
                )
                for actor in Registry(connection).actors()
            ]

    def possible_duplicates(self) -> list[Duplicate]:
        """Accounts that share an address, an id or a name and are not linked; nothing is joined by this."""
        with self._reading() as memory:
            connection = memory.connection
            spelt = _spelling(connection)
            persons = groups(connection)
            sharing: dict[str, set[int]] = {}
            rows = connection.execute(
                "SELECT folded, n.actor FROM actor_name n JOIN actor a ON a.id = n.actor WHERE a.kind != 'system'"
                " AND folded IN (SELECT folded FROM actor_name GROUP BY folded HAVING count(*) > 1)"
            )
            for value, actor in rows:
                sharing.setdefault(value, set()).add(actor)
            found = []
            for value, actors in sharing.items():
                if len({persons.get(actor, frozenset({ActorId(actor)})) for actor in actors}) > 1:
                    ids = tuple(sorted(spelt[actor] for actor in actors))
                    found.append(Duplicate(_shared(value, ids), value, ids))
            return sorted(found, key=lambda one: (one.shared, one.value))

    def link(self, path: Path) -> int:
        """State the links of a file (`read_links`); all of them or, where an account is unknown, none.

        Returns how many are new.
        """
        stated = read_links(path)
        self._require()
        with self._writing() as (database, _), database.writing() as connection:
            return link(connection, _pairs(connection, stated), micros(self._clock()))

    def unlink(self, path: Path) -> int:
        """Take the links of a file back; returns how many there were."""
        stated = read_links(path)
        self._require()
        with self._writing() as (database, _), database.writing() as connection:
            return unlink(connection, _pairs(connection, stated))

    def links(self) -> list[tuple[str, str, datetime]]:
        """Every link: two accounts, and when it was stated."""
        with self._reading() as memory:
            spelt = _spelling(memory.connection)
            return sorted((spelt[one], spelt[other], instant(at)) for one, other, at in links(memory.connection))

    def decide(self, channel: str, person: str | None, decision: Decision) -> None:
        """Log who may read a channel, from now on and for its whole past; None stands for everybody.

        Raises:
            UnknownName: there is no such channel or person, or (AmbiguousName) several.
        """
        self._require()
        with self._writing() as (database, _), database.writing() as connection:
            registry = Registry(connection)
            actor = EVERYBODY if person is None else registry.find_actor(person)
            decide(connection, Grant(registry.find_channel(channel), actor, decision, micros(self._clock())))

    def access(self, channel: str) -> Access:
        """Who may read a channel, and by whose word."""
        with self._reading() as memory:
            connection = memory.connection
            spelt = {**_spelling(connection), EVERYBODY: "everybody"}
            registry = Registry(connection)
            wanted = registry.find_channel(channel)
            found = next(one for one in registry.channels() if one.id == wanted)
            (known,) = connection.execute("SELECT members_known FROM channel WHERE id = ?", (wanted,)).fetchone()
            listed = connection.execute("SELECT actor FROM member WHERE channel = ?", (wanted,))
            readers = found.members or frozenset()
            return Access(
                channel=f"{found.source}/{found.native}",
                name=found.name,
                kind=found.kind,
                listed=tuple(sorted(spelt[row[0]] for row in listed)) if known else None,
                decisions=tuple(
                    Decided(spelt[one.actor], one.decision, instant(one.stated_at))
                    for one in decisions(connection)
                    if one.channel == wanted
                ),
                readers=None if found.kind is ChannelKind.PUBLIC else tuple(sorted(spelt[actor] for actor in readers)),
                kept_out=tuple(sorted(spelt[actor] for actor in found.barred)),
            )


def read_links(path: Path) -> list[tuple[int, tuple[str, ...]]]:
    """The links that a file states: (line number, accounts of one person), each account as SOURCE/ID.

    A line is `SOURCE/ID = SOURCE/ID`, a row of CSV, or a JSON array of accounts; blank lines and comments (`#`) count
    for nothing.

    Raises:
        UnreadableInput: the file cannot be read.
        UsageError: a line is none of these.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(f"{path} cannot be read as text: {error}") from error
    stated = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        accounts = _accounts(line.strip())
        if len(set(accounts)) < 2 or not all("/" in account for account in accounts):
            raise UsageError(
                f"{path}, line {number}: a link names two accounts or more, each as SOURCE/ID, as in"
                f" slack:T0ORG/U0ANA = mail/ana@example.org; got {line.strip()[:120]!r}"
            )
        stated.append((number, accounts))
    return stated


def _accounts(line: str) -> tuple[str, ...]:
    if line.startswith("["):
        try:
            given = json.loads(line)
        except ValueError:
            return ()
        return tuple(given) if all(isinstance(account, str) for account in given) else ()
    parts = line.split(" = ") if " = " in line else next(csv.reader([line]))
    return tuple(part.strip() for part in parts)


def _pairs(connection: sqlite3.Connection, stated: list[tuple[int, tuple[str, ...]]]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for number, accounts in stated:
        first, *others = (_account(connection, account, number) for account in accounts)
        pairs.extend((first, other) for other in others)
    return pairs


def _account(connection: sqlite3.Connection, account: str, line: int) -> int:
    rows = connection.execute("SELECT id FROM actor WHERE source || '/' || native = ?", (account,)).fetchall()
    if not rows:
        raise UnknownName(
            f"line {line}: no account is {account!r} here; nothing was changed. `treering actors` lists all"
        )
    if len(rows) > 1:
        raise AmbiguousName(f"line {line}: {len(rows)} accounts read {account!r}; nothing was changed")
    return int(rows[0][0])


def _spelling(connection: sqlite3.Connection) -> dict[int, str]:
    return dict(connection.execute("SELECT id, source || '/' || native FROM actor").fetchall())


def _shared(value: str, ids: tuple[str, ...]) -> str:
    if _EMAIL.fullmatch(value):
        return "e-mail"
    return "id" if all(account.casefold().endswith(f"/{value}") for account in ids) else "name"
