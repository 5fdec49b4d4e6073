"""What the events of one Matrix room say about the room: its names, its members and theirs, and what is edited where.

Read in a first pass over the file, so that the second one knows. Members are known only where the room's first event
is there: of an export that begins later, somebody may have joined before it. Follows FORMATS section 10.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from treering.importers.json_fields import Json, text_at
from treering.importers.matrix_event import Event, relation_of
from treering.importers.moments import Moment
from treering.importers.protocol import ImportOptions
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind

__all__ = ["Room"]

_BRIDGED = re.compile(
    r"@_?(slack|discord|telegram|irc|whatsapp|signal|xmpp|gitter|facebook|googlechat|mattermost|instagram)_",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Room:
    """One room, as far as its events tell."""

    id: str
    label: str = ""  # its name in the head of the export
    edits: dict[str, str] = field(default_factory=dict)  # event that replaces -> the event replaced
    redacted: set[str] = field(default_factory=set)  # events that others redact
    _names: list[tuple[Moment, str]] = field(default_factory=list)
    _people: list[tuple[Moment, str, str]] = field(default_factory=list)  # since when, who, under which name
    _memberships: dict[str, tuple[Moment, str]] = field(default_factory=dict)  # user -> since when, what
    _senders: dict[str, None] = field(default_factory=dict)
    _said: Counter[str] = field(default_factory=Counter)
    _notices: Counter[str] = field(default_factory=Counter)
    _is_whole: bool = False
    _is_public: bool | None = None
    _is_direct: bool = False

    def take(self, event: Event) -> None:
        """Take in one event."""
        content, kind = event["content"], event["type"]
        relation, target, _ = relation_of(content)
        if relation == "m.replace" and target:
            self.edits[event["id"]] = target
        if event["redacts"] and kind == "m.room.redaction":
            self.redacted.add(event["redacts"])
        self._senders[event["sender"]] = None
        if kind == "m.room.message":
            self._said[event["sender"]] += 1
            self._notices[event["sender"]] += text_at(content, "msgtype") == "m.notice"
        if event["subject"] is not None:
            self._take_state(event, kind, content)

    def _take_state(self, event: Event, kind: str, content: Json) -> None:
        if kind == "m.room.create":
            self._is_whole = True
        elif kind == "m.room.name" and (name := text_at(content, "name").strip()):
            self._names.append((event["at"], name))
        elif kind == "m.room.join_rules":
            self._is_public = text_at(content, "join_rule") == "public"
        elif kind == "m.room.history_visibility" and text_at(content, "history_visibility") == "world_readable":
            self._is_public = True
        elif kind == "m.room.member" and event["subject"]:
            self._take_member(event, event["subject"], content)

    def _take_member(self, event: Event, user: str, content: Json) -> None:
        self._is_direct |= content.get("is_direct") is True
        if name := text_at(content, "displayname").strip():
            self._people.append((event["at"], user, name))
        known = self._memberships.get(user)
        if known is None or event["at"].at >= known[0].at:
            self._memberships[user] = (event["at"], text_at(content, "membership"))

    def actors(self) -> Iterator[ActorDraft]:
        """The people of the room: their names in the order in which they bore them, each with its date."""
        named: dict[str, str] = {}
        for since, user, name in sorted(self._people, key=lambda entry: entry[0].at):
            if named.get(user) != name:  # changes of pictures repeat the name
                named[user] = name
                yield ActorDraft(user, name, self._kind(user), since=since.at)
        for user in self._senders:
            if user not in named:
                yield ActorDraft(user, user, self._kind(user, ActorKind.UNKNOWN))

    def channels(self, options: ImportOptions) -> Iterator[ChannelDraft]:
        """The room: under its earlier names, each with its date, and last under the present one."""
        joined = [user for user, (_, membership) in self._memberships.items() if membership == "join"]
        members = tuple(sorted(joined)) if self._is_whole else None
        is_stated = self._is_whole or self._is_public is not None or self._is_direct
        kind = ChannelKind.PRIVATE if is_stated else options.visibility
        if self._is_public:
            kind = ChannelKind.PUBLIC
        elif self._is_direct:
            kind = ChannelKind.DIRECT if len(joined) <= 2 else ChannelKind.GROUP
        for since, name in sorted(self._names, key=lambda entry: entry[0].at):
            yield ChannelDraft(self.id, name, kind, members, since=since.at, stated=is_stated)
        if not self._names:
            yield ChannelDraft(self.id, self.label or self.id, kind, members, stated=is_stated)

    def _kind(self, user: str, otherwise: ActorKind = ActorKind.HUMAN) -> ActorKind:
        """Whoever says nothing but notices is a bot; people of other networks have names that bridges gave them."""
        if self._said[user] and self._said[user] == self._notices[user]:
            return ActorKind.BOT
        return ActorKind.EXTERNAL if _BRIDGED.match(user) else otherwise
