"""What a question names, found by rules: people, channels, identifiers, a word of order. No model, no guess.

A name of several words counts wherever it stands; a single word counts as a name only when it is written as one (with
`@` or `#`, or with a capital inside the sentence), because "will" and "the one" are names too in some workspaces.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from treering.log.links import representatives
from treering.log.registry import folded
from treering.model.ids import ActorId, ChannelId
from treering.text.identifiers import identifiers
from treering.text.ranges import DatePhrase, date_phrases

__all__ = ["Entity", "EntityKind", "Names", "Order", "QuerySpec", "parse_query"]

_WORD = re.compile(r"[@#]?[\w][\w.\-']*", re.UNICODE)
_AFTER = re.compile(r"\b(after|since|following|once|then|next|later)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(before|prior to|until|ahead of|earlier|first)\b", re.IGNORECASE)
NAME_WORDS_MAX = 5
SHORT_NAME = 3  # letters; a single-word name below this needs its @


class EntityKind(StrEnum):
    """What a question can name."""

    ACTOR = "actor"
    CHANNEL = "channel"
    ARTIFACT = "artifact"


class Order(StrEnum):
    """Whether a question asks for what came before or after something."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Entity:
    """Something a question names that the memory knows, or an identifier."""

    kind: EntityKind
    label: str
    id: int = 0  # of an actor or a channel


@dataclass(frozen=True, slots=True)
class QuerySpec:
    """A question, read."""

    text: str
    asker: ActorId | None
    asker_name: str
    entities: tuple[Entity, ...]
    order: Order | None
    dates: tuple[DatePhrase, ...] = ()  # when, as far as the question says

    @property
    def matched(self) -> str:
        """The asker and the question, as messages are matched with their author."""
        return f"{self.asker_name}: {self.text}" if self.asker_name else self.text


@dataclass(frozen=True, slots=True)
class Names:
    """Folded names and what they mean; a name that means several things means none of them."""

    actors: dict[str, ActorId]
    channels: dict[str, ChannelId]

    @classmethod
    def load(cls, connection: sqlite3.Connection, channels_visible: Collection[int] | None = None) -> "Names":
        """The unambiguous names of a memory; given channels, only those and whoever writes or is a member there."""
        channels = connection.execute("SELECT folded, channel FROM channel_name").fetchall()
        names = connection.execute("SELECT folded, actor FROM actor_name").fetchall()
        if channels_visible is not None:
            some = ",".join(str(int(channel)) for channel in channels_visible)
            seen = connection.execute(
                f"SELECT author FROM leaf WHERE channel IN ({some})"
                f" UNION SELECT actor FROM member WHERE channel IN ({some})"
            )
            known = {row[0] for row in seen}
            names = [(name, actor) for name, actor in names if actor in known]
            channels = [(name, channel) for name, channel in channels if channel in channels_visible]
        one = representatives(connection)  # a name that only linked accounts share means one person
        names = [(name, one.get(actor, actor)) for name, actor in names]
        full = _unambiguous(names)
        first = _unambiguous((name.split()[0], actor) for name, actor in names if " " in name)
        return cls(
            actors={name: ActorId(actor) for name, actor in {**first, **full}.items()},
            channels={name: ChannelId(channel) for name, channel in _unambiguous(channels).items()},
        )


def _unambiguous(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, set[int]] = {}
    for name, meaning in pairs:
        found.setdefault(name, set()).add(meaning)
    return {name: next(iter(meanings)) for name, meanings in found.items() if len(meanings) == 1}


def parse_query(
    text: str,
    asker: ActorId | None,
    asker_name: str,
    names: Names,
    asked_at: datetime | None = None,
    zone: tzinfo = UTC,
) -> QuerySpec:
    """Read a question. Entities come in the order in which it names them.

    Phrases that say when are read as asked at `asked_at` in the asker's zone; without it no phrase is read.
    """
    found: dict[Entity, int] = {}
    words = list(_WORD.finditer(text))
    taken = -1
    for i, word in enumerate(words):
        if i <= taken:
            continue
        for length in range(min(NAME_WORDS_MAX, len(words) - i), 0, -1):
            phrase = text[word.start() : words[i + length - 1].end()]
            entity = _entity(phrase, length, sentence_start=_starts_sentence(text, word.start()), names=names)
            if entity is not None:
                found.setdefault(entity, word.start())
                taken = i + length - 1
                break
    for identifier in identifiers(text):
        place = text.casefold().find(identifier.casefold())  # a canonical form may be spelt otherwise in the text
        found.setdefault(Entity(EntityKind.ARTIFACT, identifier), place if place >= 0 else len(text))
    order = Order.AFTER if _AFTER.search(text) else Order.BEFORE if _BEFORE.search(text) else None
    dates = date_phrases(text, asked_at, zone) if asked_at is not None else ()
    return QuerySpec(text, asker, asker_name, tuple(sorted(found, key=lambda e: (found[e], e.label))), order, dates)


def _entity(phrase: str, words: int, *, sentence_start: bool, names: Names) -> Entity | None:
    name = folded(phrase.removesuffix("'s").rstrip(".'-"))
    if phrase.startswith("#"):
        channel = names.channels.get(name)
        return None if channel is None else Entity(EntityKind.CHANNEL, name, channel)
    capital = phrase[:1].isupper() and not sentence_start and len(name) >= SHORT_NAME
    written_as_name = capital or phrase.startswith("@")
    if name in names.actors and (words > 1 or written_as_name):
        return Entity(EntityKind.ACTOR, name, names.actors[name])
    if name in names.channels and (words > 1 or "-" in name):
        return Entity(EntityKind.CHANNEL, name, names.channels[name])
    return None


def _starts_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip()
    return not before or before[-1] in ".?!:\n"
