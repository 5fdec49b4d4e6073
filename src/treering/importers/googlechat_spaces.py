"""The spaces of a Google Chat export: what `group_info.json` and `user_info.json` say of them, and who is in them.

A folder's name says what kind of space it holds ("DM xxx", "Group Chat xxx", "Space xxx"); the exporter's own list of
spaces says it again, for folders that were renamed. Members are those at the time of the export.
"""

import json
from dataclasses import dataclass, field

from treering.errors import UnreadableInput
from treering.importers.googlechat_message import actor_of
from treering.importers.json_fields import Json, record_at, records_at, text_at
from treering.importers.narrowing import kept_aside
from treering.importers.roster import Roster
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, ChannelKind, Drafted

__all__ = ["GROUP_INFO", "USER_INFO", "Spaces", "folder_of"]

GROUP_INFO, USER_INFO = "group_info.json", "user_info.json"
BYTES_MAX = 64 << 20  # a space of 100,000 members has 12 MB

_KINDS = {"DM": ChannelKind.DIRECT, "Group Chat": ChannelKind.GROUP, "Space": ChannelKind.PRIVATE}


@dataclass(slots=True)
class Spaces:
    """What an export knows of its spaces beside their messages."""

    people: Roster = field(default_factory=Roster)
    faults: list[Drafted] = field(default_factory=list)
    _groups: dict[str, Json] = field(default_factory=dict)  # folder -> its group_info
    _kinds: dict[str, ChannelKind] = field(default_factory=dict)  # id of a space -> its kind, as the exporter lists it

    def read(self, tree: FileTree) -> None:
        """Read all files that tell of spaces."""
        for name in tree.names():
            leaf = name.rpartition("/")[2]
            if leaf == GROUP_INFO:
                self._groups[folder_of(name)] = self._load(tree, name)
            elif leaf == USER_INFO:
                info = self._load(tree, name)
                actor_of(record_at(info, "user"), self.people)
                for space in records_at(info, "membership_info"):
                    kind, id_ = _split(text_at(space, "group_id"))
                    if kind is not None:
                        self._kinds[id_] = kind
        for group in self._groups.values():
            for member in records_at(group, "members"):
                actor_of(member, self.people)

    def channel(self, folder: str, label: str, space: str) -> ChannelDraft:
        """The space of a folder with that label; `space` is its id as messages have it, "" where they have none."""
        kind, id_ = _split(label)
        id_ = space or id_
        kind = kind or self._kinds.get(id_)
        group = self._groups.get(folder)
        if group is None:
            return ChannelDraft(id_, id_, kind or ChannelKind.PRIVATE, stated=kind is not None)
        members = [actor_of(member, self.people) for member in records_at(group, "members")]
        name = text_at(group, "name").strip() or ", ".join(map(self.people.name_of, members)) or id_
        if kind is None:
            kind = ChannelKind.PRIVATE if text_at(group, "name") else _of_size(len(members))
        listed = tuple(sorted(set(members))) if isinstance(group.get("members"), list) else None
        return ChannelDraft(id_, name, kind, listed)

    def _load(self, tree: FileTree, name: str) -> Json:
        try:
            with tree.open(name) as file:
                value = json.loads(file.read(BYTES_MAX).decode("utf-8-sig", "replace"), strict=False)
        except (UnreadableInput, ValueError, RecursionError) as error:
            self.faults.append(kept_aside(name, "the whole file", f"not JSON: {error}"))
            return {}
        return value if isinstance(value, dict) else {}


def folder_of(name: str) -> str:
    """The folder of a file, within the tree."""
    return name.rpartition("/")[0]


def _split(label: str) -> tuple[ChannelKind | None, str]:
    """The kind and the id in the name of a folder.

    >>> _split("Group Chat AAAAx")
    (<ChannelKind.GROUP: 'group'>, 'AAAAx')
    """
    word, space, id_ = label.rpartition(" ")
    return (_KINDS[word], id_) if space and word in _KINDS else (None, label)


def _of_size(members: int) -> ChannelKind:
    return ChannelKind.GROUP if members > 2 else ChannelKind.DIRECT
