"""What only all mails together tell: who is called what since when.

It is read from the headers, in a first pass. Nothing here depends on the order of files, so that the same mails give
the same drafts however they are split.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from treering.importers.mail_addresses import Address, addresses, is_automatic
from treering.importers.mail_dates import mail_moment
from treering.importers.mail_headers import Headers
from treering.importers.mail_letters import author_of
from treering.importers.mail_lists import list_of
from treering.model.drafts import ActorDraft, ActorKind

__all__ = ["Survey"]


@dataclass(slots=True)
class _Person:
    """An address, and what is said of whoever has it."""

    names: dict[str, datetime] = field(default_factory=dict)  # name -> the earliest mail that gives it
    wrote: bool = False
    is_automatic: bool = False

    def in_order(self) -> list[tuple[datetime, str]]:
        return sorted((since, name) for name, since in self.names.items())


class Survey:
    """Headers go in one by one; then it is asked."""

    def __init__(self) -> None:
        self._people: dict[str, _Person] = {}
        self._phrases: dict[str, set[str]] = {}

    def add(self, headers: Headers, envelope: str = "") -> None:
        """Take in the header of one mail."""
        sent_at = mail_moment(headers, envelope).at
        author, others = author_of(headers)
        automatic = headers.text("auto-submitted").casefold() not in ("", "no")
        for address in (author, *others):
            person = self._person(address, sent_at)
            person.wrote = True
            person.is_automatic |= automatic or is_automatic(address)
        for name in ("to", "cc"):
            for address in addresses(headers.raw(name)):
                self._person(address, sent_at)
        where = list_of(headers)
        if where and where.phrase:
            self._phrases.setdefault(where.id, set()).add(where.phrase)

    def actors(self) -> Iterator[ActorDraft]:
        """Everybody who wrote or was written to, by id; each name once, with the time since when it is used."""
        for id_, person in sorted(self._people.items()):
            kind = ActorKind.UNKNOWN
            if person.wrote and "@" in id_:
                kind = ActorKind.BOT if person.is_automatic else ActorKind.HUMAN
            named = person.in_order()
            if kind is ActorKind.UNKNOWN:  # of these the first name told stays, so there is but one
                latest = named[-1][1] if named else id_
                yield ActorDraft(id_, latest, kind, tuple(name for _, name in named[:-1]))
            else:
                yield from (ActorDraft(id_, name, kind, since=since) for since, name in named)
                if not named:
                    yield ActorDraft(id_, id_, kind)

    def names(self) -> dict[str, str]:
        """The latest name of everybody who has one."""
        return {id_: person.in_order()[-1][1] for id_, person in self._people.items() if person.names}

    def phrases(self) -> dict[str, tuple[str, ...]]:
        """What lists call themselves, by their ids."""
        return {id_: tuple(sorted(phrases)) for id_, phrases in self._phrases.items()}

    def _person(self, address: Address, at: datetime) -> _Person:
        person = self._people.setdefault(address.id, _Person())
        if address.name:
            person.names[address.name] = min(at, person.names.get(address.name, at))
        return person
