"""Who speaks in an IRC log: nicks are all there is, and who changes a nick stays the same person till leaving.

The id of a person is the nick under which the log first knows them, as networks compare nicks. A nick taken later is a
dated name. Another log may know the same person by another nick: they are not joined by name.
"""

from collections.abc import Iterator
from datetime import datetime

from treering.model.drafts import ActorDraft, ActorKind

__all__ = ["People", "folded"]

_CASES = str.maketrans("[]\\~", "{}|^")  # letters of one key, in the Scandinavian alphabets of the first servers
_BOTS = frozenset({"rrsagent", "zakim", "trackbot", "agendabot", "gitbot", "ghurlbot", "github-bot"})


def folded(nick: str) -> str:
    """A nick as networks compare it.

    >>> folded("Ana[away]") == folded("ana{AWAY}")
    True
    """
    return nick.casefold().translate(_CASES)


class People:
    """The persons behind the nicks of one log, in its order."""

    def __init__(self) -> None:
        self._persons: dict[str, str] = {}  # nick -> id, of those who changed theirs
        self._names: dict[str, str] = {}  # id -> the nick as first written
        self._news: list[ActorDraft] = []
        self._kinds: dict[str, ActorKind] = {}

    def person(self, nick: str, kind: ActorKind = ActorKind.UNKNOWN) -> str:
        """The id of whoever bears a nick now."""
        id_ = self._persons.get(folded(nick), folded(nick))
        if folded(nick) in _BOTS:
            kind = ActorKind.BOT
        is_known = id_ in self._names
        if not is_known or (kind is not ActorKind.UNKNOWN and self._kinds.get(id_) is not kind):
            self._kinds[id_] = kind
            self._news.append(ActorDraft(id_, self._names.setdefault(id_, nick), kind))
        return id_

    def automaton(self, nick: str) -> str:
        """The id of whoever sends notices: services of the network, and bots."""
        return self.person(nick, ActorKind.SYSTEM if folded(nick).endswith("serv") else ActorKind.BOT)

    def rename(self, nick: str, new: str, at: datetime) -> str:
        """Take note that somebody changed a nick; the id of that person."""
        id_ = self.person(nick)
        self._persons.pop(folded(nick), None)
        self._persons[folded(new)] = id_
        self._news.append(ActorDraft(id_, self._names[id_], aliases=(new,), since=at))
        return id_

    def leave(self, nick: str) -> None:
        """Take note that somebody left: whoever bears the nick next may be somebody else."""
        self._persons.pop(folded(nick), None)

    def news(self) -> Iterator[ActorDraft]:
        """What was learned since the last call."""
        news, self._news = self._news, []
        yield from news
