"""The people of one import, as its files bring them up: those listed, those met in passing, and ids that nobody names.

An actor is given out when first met, and once more at the end if more has been learned. Names are labels: nobody is
merged by name. Which name is the best does not depend on the order in which the files come.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from treering.model.drafts import ActorDraft, ActorKind

__all__ = ["NOBODY", "Roster"]

NOBODY = "unknown"  # the author of what names none

_KINDS = (ActorKind.UNKNOWN, ActorKind.HUMAN, ActorKind.EXTERNAL, ActorKind.BOT, ActorKind.SYSTEM)
_EVER = datetime(1900, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Entry:
    kind: ActorKind = ActorKind.UNKNOWN
    names: dict[str, tuple[bool, datetime]] = field(default_factory=dict)  # name -> (from a list, when it last held)
    aliases: set[str] = field(default_factory=set)


class Roster:
    """Actors by id."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._fresh: dict[str, None] = {}
        self._told: dict[str, ActorDraft] = {}

    def add(
        self,
        actor: str,
        name: str = "",
        kind: ActorKind = ActorKind.UNKNOWN,
        aliases: Iterable[str] = (),
        *,
        listed: bool = False,
        at: datetime = _EVER,
    ) -> str:
        """Take in what a file says of an id, and return that; of several names a listed one, then the latest counts."""
        entry = self._entries.get(actor)
        if entry is None:
            entry = self._entries[actor] = _Entry()
            self._fresh[actor] = None
        if kind is not entry.kind:
            entry.kind = max(entry.kind, kind, key=_KINDS.index)
        if name and name != actor:
            place = (listed, at)
            entry.names[name] = max(place, entry.names.get(name, place))
        entry.aliases.update(aliases)
        return actor

    def name_of(self, actor: str) -> str:
        """The best name so far; the id itself for want of one."""
        entry = self._entries.get(actor)
        return _draft(actor, entry).name if entry else actor

    def news(self) -> Iterator[ActorDraft]:
        """The actors that are new since the last call."""
        if self._fresh:
            for actor in self._fresh:
                self._told[actor] = _draft(actor, self._entries[actor])
                yield self._told[actor]
            self._fresh.clear()

    def corrections(self) -> Iterator[ActorDraft]:
        """The actors of whom more has been learned since they were given out."""
        for actor, entry in self._entries.items():
            draft = _draft(actor, entry)
            if draft != self._told.get(actor):
                self._told[actor] = draft
                yield draft


def _draft(actor: str, entry: _Entry) -> ActorDraft:
    name, *others = sorted(sorted(entry.names), key=entry.names.__getitem__, reverse=True) or [actor]
    return ActorDraft(actor, name, entry.kind, tuple(sorted({*others, *entry.aliases} - {"", name, actor})))
