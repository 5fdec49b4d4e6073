"""The tables of a Rocket.Chat dump that say who is who and who reads what: users, rooms and subscriptions.

Members of a room are those who subscribe to it; without that table, what users and rooms say of each other; without
that, too, they are unknown. A public channel of a private team is private: the server shows it to the team alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from treering.importers.json_fields import Json, record_at, records_at, text_at
from treering.importers.json_stream import Broken
from treering.importers.narrowing import FieldError, distinct, identity, kept_aside
from treering.importers.rocketchat_rows import moment_at, rows_of
from treering.importers.roster import Roster
from treering.importers.tree import FileTree
from treering.model.drafts import ActorKind, ChannelDraft, ChannelKind, Drafted

__all__ = ["ROOMS", "SUBSCRIPTIONS", "USERS", "Tables", "read_tables"]

USERS, ROOMS, SUBSCRIPTIONS = "users", "rocketchat_room", "rocketchat_subscription"

_KINDS = {"user": ActorKind.HUMAN, "bot": ActorKind.BOT, "app": ActorKind.BOT, "visitor": ActorKind.EXTERNAL}


@dataclass(slots=True)
class Tables:
    """What a dump knows beside its messages; all of it may be missing, and the messages are read nevertheless."""

    people: Roster = field(default_factory=Roster)
    channels: dict[str, ChannelDraft] = field(default_factory=dict)  # by room id
    users: set[str] = field(default_factory=set)  # ids of those listed
    desks: set[str] = field(default_factory=set)  # rooms in which strangers write: livechat
    files: dict[str, str] = field(default_factory=dict)  # id of a room -> the file that told of it
    faults: list[Drafted] = field(default_factory=list)  # rows that could not be read


def read_tables(tree: FileTree, files: Mapping[str, list[str]]) -> Tables:
    """Read the tables, given the files of each."""
    tables = Tables()
    ids, readers = _read_users(tree, files.get(USERS, []), tables)
    rooms = dict(_rows(tree, files.get(ROOMS, []), tables))
    if SUBSCRIPTIONS in files:
        readers = {room: [] for room in rooms} | _read_subscriptions(tree, files[SUBSCRIPTIONS], tables)
    for room_id, row in rooms.items():
        members = _members(row, readers.get(room_id), ids)
        tables.channels[room_id] = _channel(room_id, row, members, tables.people)
        if text_at(row, "t") == "l":
            tables.desks.add(room_id)
    _close_private_teams(rooms, tables.channels)
    return tables


def _read_users(tree: FileTree, files: list[str], tables: Tables) -> tuple[dict[str, str], Mapping[str, list[str]]]:
    """Take in the users; user names and their ids, and the readers of rooms as far as users name their rooms."""
    ids: dict[str, str] = {}
    readers: defaultdict[str, list[str]] = defaultdict(list)
    for user_id, row in _rows(tree, files, tables):
        _add_user(tables.people, user_id, row)
        tables.users.add(user_id)
        ids[text_at(row, "username")] = user_id
        rooms = row.get("__rooms")
        for room in rooms if isinstance(rooms, list) else []:
            if found := identity(room):
                readers[found].append(user_id)
    return ids, readers


def _read_subscriptions(tree: FileTree, files: list[str], tables: Tables) -> dict[str, list[str]]:
    readers: defaultdict[str, list[str]] = defaultdict(list)
    for _, row in _rows(tree, files, tables):
        room, user = text_at(row, "rid"), text_at(record_at(row, "u"), "_id")
        if room and user:
            readers[room].append(user)
    return dict(readers)


def _add_user(people: Roster, user_id: str, row: Json) -> None:
    username = text_at(row, "username").strip()
    kind = _KINDS.get(text_at(row, "type"), ActorKind.UNKNOWN)
    if row.get("federated") is True:
        kind = ActorKind.EXTERNAL
    addresses = [text_at(email, "address").strip() for email in records_at(row, "emails")]
    people.add(user_id, text_at(row, "name").strip() or username, kind, [username, *addresses], listed=True)


def _members(row: Json, readers: list[str] | None, ids: Mapping[str, str]) -> tuple[str, ...] | None:
    """The users who read a room; None if nothing says it."""
    stated = row.get("uids")
    if isinstance(stated, list) and stated:
        return tuple(sorted(set(distinct([found for item in stated if (found := identity(item))]))))
    if readers is not None:
        return tuple(sorted(set(readers)))
    named = row.get("usernames")
    if isinstance(named, list) and named and all(isinstance(name, str) and name in ids for name in named):
        return tuple(sorted({ids[name] for name in named}))
    return None


def _channel(room_id: str, row: Json, members: tuple[str, ...] | None, people: Roster) -> ChannelDraft:
    label, slug = text_at(row, "fname").strip(), text_at(row, "name").strip()
    kind = ChannelKind.PUBLIC if text_at(row, "t") == "c" else ChannelKind.PRIVATE
    if text_at(row, "t") == "d":
        kind = ChannelKind.GROUP if members and len(members) > 2 else ChannelKind.DIRECT
        label = ", ".join(people.name_of(user) for user in members or ())
    try:
        since = moment_at(row, "ts").at
    except FieldError:
        since = None
    name = label or slug or room_id
    return ChannelDraft(room_id, name, kind, members, (slug,) if slug and slug != name else (), since)


def _close_private_teams(rooms: Mapping[str, Json], channels: dict[str, ChannelDraft]) -> None:
    """Show the public channels of private teams to the teams' members only."""
    private = {
        text_at(row, "teamId"): channels[room_id].members
        for room_id, row in rooms.items()
        if row.get("teamMain") is True and channels[room_id].kind is ChannelKind.PRIVATE
    }
    for room_id, row in rooms.items():
        channel, team = channels[room_id], text_at(row, "teamId")
        if channel.kind is ChannelKind.PUBLIC and team in private:
            known = channel.members is not None and private[team] is not None
            members = tuple(sorted({*(channel.members or ()), *(private[team] or ())})) if known else None
            channels[room_id] = replace(channel, kind=ChannelKind.PRIVATE, members=members)


def _rows(tree: FileTree, files: list[str], tables: Tables) -> Iterator[tuple[str, Json]]:
    """The rows with their ids; nothing of a row that does not read is kept to be shown, as it may hold secrets."""
    for name in files:
        for position, row in rows_of(tree, name):
            row_id = text_at(row, "_id") if isinstance(row, dict) else ""
            if isinstance(row, dict) and row_id:
                tables.files[row_id] = name
                yield row_id, row
            else:
                reason = row.reason if isinstance(row, Broken) else "not an object with an _id"
                tables.faults.append(kept_aside(name, position, reason))
