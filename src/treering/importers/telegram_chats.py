"""The chats of a Telegram export: whose they are, and who may read them.

A group that has a public name may be read by everybody; the members of others are not in the file. A chat of two is
known by the other person's id alone, so it is told apart by whose export it is: two people may both write to a third.
"""

import re
from dataclasses import dataclass, field

from treering.importers.json_fields import Json, text_at
from treering.importers.json_walk import Path
from treering.importers.narrowing import identity
from treering.model.drafts import ChannelDraft, ChannelKind

__all__ = ["Chat", "channel_of", "chat_path", "enters", "is_type", "message_path"]

_PREFIXES = {
    "personal_chat": "user",
    "bot_chat": "user",
    "saved_messages": "saved",
    "replies": "replies",
    "private_group": "chat",
    "private_supergroup": "channel",
    "public_supergroup": "channel",
    "private_channel": "channel",
    "public_channel": "channel",
}
_DIRECT = frozenset({"personal_chat", "bot_chat"})


@dataclass(slots=True)
class Chat:
    """What an export says of a chat before, and in, its messages."""

    head: Json = field(default_factory=dict)
    writers: set[str] = field(default_factory=set)  # in a chat of two
    titles: set[str] = field(default_factory=set)

    @property
    def is_direct(self) -> bool:
        """Whether it is a talk between two."""
        return text_at(self.head, "type") in _DIRECT


def enters(path: Path) -> bool:
    """Whether the walk goes into what lies at a path: a chat alone, or the lists of chats of a whole account."""
    if path in ((), ("messages",)):
        return True
    if path[0] not in ("chats", "left_chats"):
        return False
    return len(path) == 1 or (path[1] == "list" and (len(path) < 4 or path[3:] == ("messages",)))


def is_type(value: object) -> bool:
    """Whether this is what Telegram calls a kind of chat."""
    return isinstance(value, str) and value in _PREFIXES


def chat_path(path: Path) -> Path:
    """The path of the chat that a path leads into."""
    return path[:3] if path[:1] in (("chats",), ("left_chats",)) else ()


def message_path(path: Path) -> bool:
    """Whether a message lies at the path."""
    within = path[len(chat_path(path)) :]
    return len(within) == 2 and within[0] == "messages"


def channel_of(chat: Chat, account: str, visibility: ChannelKind) -> ChannelDraft:
    """The channel of a chat; `account` is whose export it is, if that is known."""
    kind, id_ = text_at(chat.head, "type"), identity(chat.head.get("id"))
    name = text_at(chat.head, "name").strip()
    aliases = tuple(sorted(chat.titles - {name}))
    if id_ is None:
        return ChannelDraft(f"name:{name}" if name else "unnamed", name or "unnamed", visibility, stated=False)
    native = f"{_PREFIXES.get(kind, 'peer')}{id_}"
    name = name or ("Saved Messages" if kind == "saved_messages" else native)
    if kind in _DIRECT:
        others = [account] if account else sorted(chat.writers - {native})
        mine = others[0] if len(others) == 1 else ""
        members = tuple(sorted({native, mine})) if mine else None
        return ChannelDraft(f"{native}/{mine}" if mine else native, name, ChannelKind.DIRECT, members)
    if kind in ("saved_messages", "replies"):
        return ChannelDraft(native, name, ChannelKind.DIRECT, (f"user{re.sub('^user', '', id_)}",))
    if kind.startswith("public_"):
        return ChannelDraft(native, name, ChannelKind.PUBLIC, None, aliases)
    if kind.startswith("private_"):
        return ChannelDraft(native, name, ChannelKind.PRIVATE, None, aliases)
    return ChannelDraft(native, name, visibility, None, aliases, stated=False)
