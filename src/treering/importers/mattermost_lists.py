"""Who and where in a Mattermost export: teams, channels, users and bots, as its lines list them.

An open channel is public where everybody may join its team; that of a closed team is open to the team's members. What
no line explains is visible to nobody. Passwords and settings of users are not looked at. Follows FORMATS section 3.
"""

import re
from collections import defaultdict

from treering.importers.json_fields import Json, records_at, text_at
from treering.importers.narrowing import FieldError, distinct, identity
from treering.importers.roster import Roster
from treering.model.drafts import ActorKind, ChannelDraft, ChannelKind

__all__ = ["Lists", "channel_id", "direct_channel", "direct_members", "member_names", "stripped"]

_SECRET = re.compile(r'("(?:password|auth_data|mfa_secret|token)"\s*:\s*")(?:[^"\\]|\\.)*', re.DOTALL)


class Lists:
    """What the lines of an export say of its people and places, before the first post is read."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._open_teams: dict[str, bool] = {}
        self._channels: dict[str, Json] = {}
        self._members: defaultdict[str, list[str]] = defaultdict(list)  # channel id -> user names
        self._team_members: defaultdict[str, list[str]] = defaultdict(list)
        self._direct: dict[str, ChannelDraft] = {}

    def take(self, kind: str, entry: Json) -> None:
        """Take in the line of a team, channel, user, bot or direct channel; lines of other kinds say nothing here.

        Raises:
            FieldError: it does not name what it describes.
        """
        match kind:
            case "team":
                stated = entry.get("allow_open_invite")
                is_open = stated if isinstance(stated, bool) else text_at(entry, "type") == "O"
                self._open_teams[_name(entry, "name")] = is_open
            case "channel":
                self._channels[channel_id(entry)] = entry
            case "user":
                self._take_user(entry)
            case "bot":
                name = _name(entry, "username")
                self._roster.add(name, text_at(entry, "display_name").strip(), ActorKind.BOT, listed=True)
            case "direct_channel":
                channel = direct_channel(direct_members(entry), self._roster)
                self._direct[channel.id] = channel

    def listed(self, channel: str) -> ChannelDraft | None:
        """The channel of an id, if a line describes it."""
        entry = self._channels.get(channel)
        if entry is None:
            return self._direct.get(channel)
        team = text_at(entry, "team")
        members = distinct(self._members[channel])
        kind = ChannelKind.PRIVATE
        if text_at(entry, "type") == "O" and self._open_teams.get(team):
            kind = ChannelKind.PUBLIC
        elif text_at(entry, "type") == "O":
            members = distinct([*self._team_members[team], *members])
        name = text_at(entry, "name")
        return ChannelDraft(
            channel,
            text_at(entry, "display_name").strip() or name,
            kind,
            members if self._team_members or self._members else None,
            aliases=(name,),
        )

    def _take_user(self, entry: Json) -> None:
        name = _name(entry, "username")
        full_name = f"{text_at(entry, 'first_name')} {text_at(entry, 'last_name')}".strip()
        nickname, address = text_at(entry, "nickname").strip(), text_at(entry, "email").strip()
        is_guest = "system_guest" in text_at(entry, "roles").split()
        self._roster.add(
            name,
            nickname or full_name,
            ActorKind.EXTERNAL if is_guest else ActorKind.HUMAN,
            (full_name, address),
            listed=True,
        )
        for team in records_at(entry, "teams"):
            team_name = text_at(team, "name")
            if "team_guest" not in text_at(team, "roles").split():  # guests see but the channels that they are in
                self._team_members[team_name].append(name)
            for channel in records_at(team, "channels"):
                self._members[f"{team_name}/{text_at(channel, 'name')}"].append(name)


def channel_id(entry: Json) -> str:
    """The id of the channel that a channel line describes, or that a post stands in.

    Raises:
        FieldError: it names no channel.
    """
    return f"{identity(entry.get('team')) or '-'}/{_name(entry, 'name' if 'name' in entry else 'channel')}"


def direct_channel(members: list[str], roster: Roster) -> ChannelDraft:
    """The conversation of these people; one person's is with themselves."""
    people = sorted(set(members))
    names = ", ".join(roster.name_of(roster.add(person)) for person in people)
    kind = ChannelKind.DIRECT if len(people) <= 2 else ChannelKind.GROUP
    return ChannelDraft(
        f"{'dm' if kind is ChannelKind.DIRECT else 'gm'}:{','.join(people)}", names, kind, tuple(people)
    )


def stripped(raw: str) -> str:
    """The line without the secrets that lines of users may hold."""
    return _SECRET.sub(r"\1(removed)", raw)


def direct_members(entry: Json) -> list[str]:
    """The user names that the line of a direct channel gives, in its old or its new way.

    Raises:
        FieldError: there are none.
    """
    names = [text_at(person, "username") for person in records_at(entry, "participants")]
    return names or member_names(entry.get("members"))


def member_names(value: object) -> list[str]:
    """The user names of a list.

    Raises:
        FieldError: there are none.
    """
    names = [name for item in value if (name := identity(item))] if isinstance(value, list) else []
    if not names:
        raise FieldError("a direct channel without members")
    return names


def _name(entry: Json, key: str) -> str:
    name = identity(entry.get(key))
    if name is None:
        raise FieldError(f"no {key}")
    return name
