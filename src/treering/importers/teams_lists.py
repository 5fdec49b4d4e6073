"""Who and where in a Teams export: users, teams, channels and members as its lists say, and what ids of chats tell.

A channel of a public team may be read by everybody, that of a private team by the team; private and shared channels
have members that the export does not list, so nobody sees them. A chat is seen by those in whose folders it lies.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from treering.importers.json_fields import Json, text_at
from treering.importers.moments import read_moment
from treering.importers.narrowing import FieldError, distinct, identity
from treering.importers.roster import Roster
from treering.model.drafts import ActorKind, ChannelDraft, ChannelKind

__all__ = ["Lists", "kind_of_list", "pair_of"]

_BETWEEN_TWO = re.compile(r"19:([0-9a-fA-F-]{36})_([0-9a-fA-F-]{36})@unq\.gbl\.spaces")


def kind_of_list(entry: Json) -> str:
    """What an entry of a list describes: "user", "team", "channel", "member"; "" for anything else."""
    if "body" in entry or "messageType" in entry:
        return ""
    if "groupsId" in entry or ("visibility" in entry and "displayName" in entry):
        return "team"
    if "membershipType" in entry or text_at(entry, "id").startswith("19:"):
        return "channel"
    if "userPrincipalName" in entry:
        return "user"
    return "member" if "userId" in entry and ("role" in entry or "roles" in entry or "userName" in entry) else ""


def pair_of(chat: str) -> tuple[str, ...] | None:
    """The two people of a chat whose id names them; None of any other chat."""
    match = _BETWEEN_TWO.fullmatch(chat)
    return tuple(sorted({match[1], match[2]})) if match else None


class Lists:
    """What the lists say, whichever files they stand in."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._team_names: dict[str, str] = {}
        self._open_teams: dict[str, bool] = {}
        self._team_members: defaultdict[str, list[str]] = defaultdict(list)
        self._channels: dict[str, tuple[Json, str]] = {}  # id -> its entry, its team
        self._holders: defaultdict[str, set[str]] = defaultdict(set)  # chat -> users in whose folders it lies
        self._renames: defaultdict[str, dict[datetime, str]] = defaultdict(dict)

    def take(self, entry: Json, kind: str, folder: str) -> None:
        """Take in an entry of a list; `folder` is the id that the file's folder is named by, of a team or a user.

        Raises:
            FieldError: it does not name what it describes.
        """
        match kind:
            case "user":
                self._add_user(_id(entry, "id"), entry, text_at(entry, "userPrincipalName"), text_at(entry, "mail"))
            case "member":
                user, name = _id(entry, "userId"), text_at(entry, "userName") or text_at(entry, "email")
                self._add_user(user, entry, name, "")
                self._team_members[folder].append(user)
            case "team":
                self._take_team(entry)
            case "channel":
                self._channels[_id(entry, "id")] = entry, folder

    def hold(self, chat: str, user: str) -> None:
        """Note that a chat lies in a user's folder: so that user is part of it."""
        self._holders[chat].add(user)

    def rename(self, channel: str, name: str, at: datetime) -> None:
        """Note the name that a channel or chat was given."""
        self._renames[channel][at] = name

    def channel(self, id_: str, team: str) -> ChannelDraft:
        """All that is known of a channel or chat; `team` is what its messages say."""
        names = [name for _, name in sorted(self._renames[id_].items())] if id_ in self._renames else []
        listed = self._channels.get(id_)
        if listed is None and not team:
            return self._chat(id_, names)
        entry, folder = listed or ({}, "")
        team = folder or team
        name = text_at(entry, "displayName").strip() or next(reversed(names), "") or id_
        membership, is_open = text_at(entry, "membershipType"), self._open_teams.get(team)
        kind, members = ChannelKind.PRIVATE, None
        if membership == "standard":
            kind = ChannelKind.PUBLIC if is_open else ChannelKind.PRIVATE
            members = distinct(self._team_members[team]) if team in self._team_members else None
        team_name = self._team_names.get(team, "")
        label = f"{team_name} > {name}" if team_name else name
        aliases = tuple(sorted({name, *names} - {label}))
        return ChannelDraft(id_, label, kind, members, aliases, _since(entry), stated=listed is not None)

    def _chat(self, id_: str, names: list[str]) -> ChannelDraft:
        members = set(self._holders[id_]) if id_ in self._holders else set()
        kind = ChannelKind.GROUP
        if pair := pair_of(id_):
            kind = ChannelKind.DIRECT
            members = set(pair)
        elif id_.startswith(("8:", "28:", "48:")):  # with one account, with a bot, notes to oneself
            kind = ChannelKind.DIRECT
        for member in members:
            self._roster.add(member)
        people = tuple(sorted(members))
        shown = ", ".join(sorted(self._roster.name_of(member) for member in people)) if pair else ""
        label = next(reversed(names), "") or shown or id_
        aliases = tuple(sorted(set(names) - {label}))
        return ChannelDraft(
            id_, label, kind, people or None, aliases, stated=bool(people) or kind is ChannelKind.DIRECT
        )

    def _add_user(self, user: str, entry: Json, address: str, mail: str) -> None:
        name = (text_at(entry, "displayName") or text_at(entry, "name")).strip()
        kind = ActorKind.EXTERNAL if "#EXT#" in address.upper() else ActorKind.HUMAN
        self._roster.add(user, name, kind, (address, mail), listed=True)

    def _take_team(self, entry: Json) -> None:
        team = identity(entry.get("groupsId")) or _id(entry, "id")
        name = (text_at(entry, "displayName") or text_at(entry, "name")).strip()
        if name:
            self._team_names[team] = name
        stated = (text_at(entry, "privacy") or text_at(entry, "visibility")).lower()
        if stated:  # of two lists that differ, the more closed is believed
            self._open_teams[team] = self._open_teams.get(team, True) and stated == "public"

    def ids(self) -> Iterator[str]:
        """The ids of all channels that the lists describe."""
        yield from self._channels


def _since(entry: Json) -> datetime | None:
    try:
        return read_moment(entry.get("createdDateTime")).at
    except FieldError:
        return None


def _id(entry: Json, key: str) -> str:
    found = identity(entry.get(key))
    if found is None:
        raise FieldError(f"no {key}")
    return found
