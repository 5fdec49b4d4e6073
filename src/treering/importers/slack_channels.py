"""The conversations of a Slack export: what its lists say of them, and which of them a folder of day files belongs to.

Membership is that of the lists, as of the export; a folder that no list explains is visible to nobody. Folders are
named by channel name or by id, in whatever Unicode form the tool that packed them prefers. Follows FORMATS section 1.1.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from treering.importers.slack_json import Json, text_at
from treering.importers.slack_people import People
from treering.model.drafts import ChannelDraft, ChannelKind

__all__ = ["LISTS", "Channels"]

LISTS: Mapping[str, ChannelKind] = {
    "channels.json": ChannelKind.PUBLIC,
    "groups.json": ChannelKind.PRIVATE,
    "mpims.json": ChannelKind.GROUP,
    "dms.json": ChannelKind.DIRECT,
}

_KINDS = (ChannelKind.PUBLIC, ChannelKind.PRIVATE, ChannelKind.GROUP, ChannelKind.DIRECT)  # from open to closed


class Channels:
    """The channels of one export, by id, and by the names of their folders."""

    def __init__(self) -> None:
        self.by_id: dict[str, ChannelDraft] = {}
        self._by_name: dict[tuple[str, str], set[str]] = {}  # (folder that the list lies in, name) -> ids

    @property
    def public_names(self) -> dict[str, str]:
        """Names that may be shown to anybody: those of private channels would tell who may not know of them."""
        return {id_: channel.name for id_, channel in self.by_id.items() if channel.kind is ChannelKind.PUBLIC}

    def list_channel(self, entry: Json, kind: ChannelKind, scope: str, people: People) -> bool:
        """Take in one entry of a list that lies in the folder `scope`; False if it has no id."""
        id_, name = text_at(entry, "id"), text_at(entry, "name")
        if not id_:
            return False
        kind = max(kind, _kind_by_flags(entry), key=_KINDS.index)
        members = _members(entry)
        previous = entry.get("previous_names")
        aliases = tuple(alias for alias in previous if isinstance(alias, str)) if isinstance(previous, list) else ()
        _introduce(members or (), name, people)
        label = name or ", ".join(people.names.get(member, member) for member in members or ()) or id_
        channel = ChannelDraft(id_, label, kind, members, aliases)
        self.by_id[id_] = _joined(self.by_id[id_], channel) if id_ in self.by_id else channel
        for key in {name, id_} - {""}:
            self._by_name.setdefault((scope, _normal(key)), set()).add(id_)
        return True

    def of_folder(self, folder: str) -> ChannelDraft:
        """The channel whose messages lie in a folder of the export.

        The lists beside the folder are asked first, then those above it, then all others; of several channels with one
        name, the most closed is meant, so that a doubt never opens anything.
        """
        scope, _, leaf = folder.rpartition("/")
        name = _normal(leaf)
        scopes = [scope]
        while scope:
            scope = scope.rpartition("/")[0]
            scopes.append(scope)
        scopes.extend(sorted({other for other, _ in self._by_name}.difference(scopes)))
        for near in scopes:
            if ids := self._by_name.get((near, name)):
                return min((self.by_id[id_] for id_ in ids), key=lambda found: (-_KINDS.index(found.kind), found.id))
        kind = ChannelKind.GROUP if name.startswith("mpdm-") else ChannelKind.PRIVATE
        unlisted = ChannelDraft(_normal(folder), name, kind, members=None)
        return self.by_id.setdefault(unlisted.id, unlisted)

    def rename(self, channel: str, *names: str) -> None:
        """Note names that a channel has had."""
        draft = self.by_id[channel]
        self.by_id[channel] = replace(draft, aliases=_aliases(draft.name, [*draft.aliases, *names]))


def _kind_by_flags(entry: Json) -> ChannelKind:
    """The kind that an entry claims for itself: other exporters put all kinds into one list."""
    if entry.get("is_im") is True:
        return ChannelKind.DIRECT
    if entry.get("is_mpim") is True or text_at(entry, "name").startswith("mpdm-"):
        return ChannelKind.GROUP
    return ChannelKind.PRIVATE if entry.get("is_private") is True else ChannelKind.PUBLIC


def _members(entry: Json) -> tuple[str, ...] | None:
    members = entry.get("members")
    if not isinstance(members, list):
        return None
    return tuple(dict.fromkeys(member for member in members if isinstance(member, str) and member))


def _introduce(members: tuple[str, ...], name: str, people: People) -> None:
    """Make placeholders of unknown members; the name of a group spells its members, so it tells a single unknown."""
    unknown = [member for member in members if member not in people.listed]
    label = ""
    if name.startswith("mpdm-") and len(unknown) == 1:
        known = {people.user_names.get(member, "") for member in members}
        left = [part for part in name.removeprefix("mpdm-").rpartition("-")[0].split("--") if part not in known]
        label = left[0] if len(left) == 1 else ""
    for member in unknown:
        people.mention(member, label)


def _joined(one: ChannelDraft, other: ChannelDraft) -> ChannelDraft:
    """What two lists say of one channel: the more closed kind, and all its members."""
    lists = [draft.members for draft in (one, other) if draft.members is not None]
    members = tuple(dict.fromkeys(member for members in lists for member in members)) if lists else None
    kind = max(one.kind, other.kind, key=_KINDS.index)
    return replace(
        one, kind=kind, members=members, aliases=_aliases(one.name, [*one.aliases, other.name, *other.aliases])
    )


def _aliases(name: str, others: list[str]) -> tuple[str, ...]:
    return tuple(sorted({other for other in others if other} - {name}))


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)
