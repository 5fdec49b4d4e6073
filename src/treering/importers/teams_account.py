"""The export that a person requests of their own Teams or Skype account: `messages.json`, conversation by conversation.

The messages are those of Skype, whose markup Teams still writes there; ids and conversations are those of the tenant's
exports, so that both tell of the same messages. Only the account's own conversations are in it. Follows FORMATS 2.2.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.importers.json_fields import raw_of, text_at
from treering.importers.json_stream import Broken
from treering.importers.json_walk import Path, walk
from treering.importers.narrowing import FieldError, distinct, identity, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.teams_lists import pair_of
from treering.importers.teams_skype import message_from, user_of, versions_of
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, ChannelKind, Drafted, Skipped

__all__ = ["TeamsAccountExport"]

FILES_TRIED = 20
VALUES_TRIED = 40


@dataclass(slots=True)
class _Conversation:
    """What stands before the messages of a conversation."""

    id: str = ""
    name: str = ""
    members: tuple[str, ...] | None = None
    told: bool = False


class TeamsAccountExport:
    """One person's conversations."""

    name = "teams-account"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a JSON file begins with conversations that have a list of messages."""
        names = [name for name in tree.names() if name.lower().endswith(".json")]
        return any(_is_export(tree, name) for name in names[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """The same as of a tenant's export, whose ids these are."""
        return "teams"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every message of every conversation."""
        roster = Roster()
        for name in tree.names():
            if name.lower().endswith(".json") and _is_export(tree, name):
                yield from _read_file(tree, name, roster)
            else:
                yield Drafted(name, Skipped("not a file of messages"))
        yield from (Drafted(name, actor) for actor in roster.corrections())


def _read_file(tree: FileTree, name: str, roster: Roster) -> Iterator[Drafted]:
    account, conversation = "", _Conversation()
    place: str | int = -1
    with tree.open(name) as file:
        for path, value in walk(file, _enters):
            if len(path) > 1 and path[0] == "conversations" and path[1] != place:
                place, conversation = path[1], _Conversation()
            if isinstance(value, Broken):
                yield kept_aside(name, _position(path), value.reason, value)
            elif path == ("userId",):
                account = user_of(text_at({"id": value}, "id"))
            elif path[:1] == ("conversations",) and len(path) == 3:
                _describe(conversation, str(path[2]), value)
            elif path[:1] == ("conversations",) and len(path) == 4:
                yield from _drafts(name, _position(path), value, conversation, account, roster)


def _position(path: Path) -> str:
    steps = [f"{step + 1}" if isinstance(step, int) else step.removesuffix("s") for step in path]
    return " ".join(steps).replace("MessageList", "message") or "the document"


def _enters(path: Path) -> bool:
    return len(path) in (0, 2) or path == ("conversations",) or (len(path) == 3 and path[2] == "MessageList")


def _describe(conversation: _Conversation, key: str, value: object) -> None:
    if key == "id":
        conversation.id = identity(value) or ""
    elif key == "displayName":
        conversation.name = text_at({key: value}, key).strip()
    elif key == "threadProperties" and isinstance(value, dict):
        conversation.name = conversation.name or text_at(value, "topic").strip()
        members = value.get("members")
        if isinstance(members, str):  # a list, written as a string
            members = re.findall(r"8:[^\s\",\]]+", members)
        if isinstance(members, list) and members:
            conversation.members = distinct([user_of(item) for item in members if isinstance(item, str)])


def _drafts(
    name: str, position: str, value: object, conversation: _Conversation, account: str, roster: Roster
) -> Iterator[Drafted]:
    try:
        if not conversation.id:
            raise FieldError("a conversation without an id before its messages")
        message = message_from(value)
        records = list(versions_of(message, conversation.id, roster))
    except FieldError as error:
        yield kept_aside(name, position, str(error), raw_of(value))
        return
    if not conversation.told:
        conversation.told = True
        channel = _channel(conversation, account)
        for member in channel.members or ():
            roster.add(member)
        yield from (Drafted(name, actor) for actor in roster.news())
        yield Drafted(name, channel)
    yield from (Drafted(name, actor) for actor in roster.news())
    yield from (Drafted(name, record) for record in records)


def _channel(conversation: _Conversation, account: str) -> ChannelDraft:
    id_, members = conversation.id, conversation.members
    pair = pair_of(id_)
    kind = ChannelKind.DIRECT if pair or not id_.startswith("19:") else ChannelKind.GROUP
    if pair:
        members = pair
    elif kind is ChannelKind.DIRECT and account:
        notes_to_oneself = id_.startswith("48:")
        members = (account,) if notes_to_oneself else distinct(sorted([account, user_of(id_)]))
    elif members is None and account:  # whoever has it in the account takes part in it
        members = (account,)
    return ChannelDraft(id_, conversation.name or id_, kind, members)


def _is_export(tree: FileTree, name: str) -> bool:
    with tree.open(name) as file:
        for number, (path, value) in enumerate(walk(file, _enters)):
            match path:
                case ("conversations", int(), "MessageList", int()):
                    return isinstance(value, dict) and "originalarrivaltime" in value
                case _ if number > VALUES_TRIED or not path:
                    return False
    return False
