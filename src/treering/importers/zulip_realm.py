"""The tables of a Zulip export that say who is who and who reads what: realm.json, and attachment.json for file sizes.

Only the fields named here are looked at: the tables also hold API keys and password hashes, and those go nowhere.
Zulip's guests, who see but the public streams they joined, have no counterpart in our channels: public is public.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from treering.importers.json_stream import Broken, stream_items
from treering.importers.moments import read_moment
from treering.importers.narrowing import FieldError, clean, identity, kept_aside
from treering.importers.tree import FileTree
from treering.model.drafts import ActorDraft, ActorKind, Attachment, ChannelDraft, ChannelKind, Drafted

__all__ = ["Realm", "by_number", "read_realm", "realm_string_id"]

PERSONAL, STREAM = "1", "2"  # values of zerver_recipient.type; 3 is a group of people


@dataclass(slots=True)
class Realm:
    """What an export knows beside its messages; all of it may be missing, and the messages are read nevertheless."""

    actors: dict[str, ActorDraft] = field(default_factory=dict)  # by user id
    channels: dict[str, ChannelDraft] = field(default_factory=dict)  # by recipient id: streams and groups
    receivers: dict[str, str] = field(default_factory=dict)  # recipient id of a person -> user id
    files: dict[str, Attachment] = field(default_factory=dict)  # by path below user_uploads
    namesakes: Counter[str] = field(default_factory=Counter)  # how many users have a full name
    ids_by_name: dict[str, str] = field(default_factory=dict)
    faults: list[Drafted] = field(default_factory=list)  # rows that could not be read

    def identify(self, name: str, user_id: str) -> tuple[str | None, str]:
        """The user whom a mention means, and the name to show; a name alone means somebody if only one bears it."""
        if user_id:
            known = self.actors.get(user_id)
            return user_id, name or (known.name if known else f"user {user_id}")
        return (self.ids_by_name[name] if self.namesakes[name] == 1 else None), name


def realm_string_id(tree: FileTree, folder: str) -> str:
    """The organization's own id ("kestrel"); empty if there is no realm.json, or on a server's root domain."""
    rows = (_text(row, "string_id") for _, row in _rows(tree, f"{folder}realm.json", "zerver_realm", []))
    return next(rows, "")


def read_realm(tree: FileTree, folder: str) -> Realm:
    """Read the tables below a folder of the tree ("" or "name/"); a few of realm.json's many, one pass for each."""
    realm = Realm()
    path = f"{folder}realm.json"
    for table, kind in (
        ("zerver_userprofile", ActorKind.HUMAN),
        ("zerver_userprofile_mirrordummy", ActorKind.EXTERNAL),
        ("zerver_userprofile_crossrealm", ActorKind.BOT),
    ):
        for user_id, row in _rows(tree, path, table, realm.faults):
            actor = _actor(user_id, row, kind)
            realm.actors[user_id] = actor
            realm.namesakes[actor.name] += 1
            realm.ids_by_name[actor.name] = user_id
    subscribers: defaultdict[str, list[str]] = defaultdict(list)
    for _, row in _rows(tree, path, "zerver_subscription", realm.faults):
        user, recipient = identity(row.get("user_profile")), identity(row.get("recipient"))
        if user and recipient and row.get("active") is not False:
            subscribers[recipient].append(user)
    streams = dict(_rows(tree, path, "zerver_stream", realm.faults))
    for recipient, row in _rows(tree, path, "zerver_recipient", realm.faults):
        kind_of_recipient, subject = identity(row.get("type")), identity(row.get("type_id")) or ""
        members = tuple(sorted(set(subscribers[recipient]), key=by_number))
        if kind_of_recipient == PERSONAL:
            realm.receivers[recipient] = subject
        elif kind_of_recipient == STREAM:
            realm.channels[recipient] = _stream(subject, streams.get(subject), members)
        else:
            realm.channels[recipient] = ChannelDraft(f"group:{subject}", "", ChannelKind.GROUP, members)
    for _, row in _rows(tree, f"{folder}attachment.json", "zerver_attachment", realm.faults):
        size = row.get("size")
        realm.files[_text(row, "path_id")] = Attachment(
            _text(row, "file_name"), _text(row, "content_type"), size if isinstance(size, int) else None
        )
    return realm


def by_number(user_id: str) -> tuple[int, str]:
    """Sorting key of ids, so that "9" comes before "10"."""
    return len(user_id), user_id


def _actor(user_id: str, row: Mapping[str, object], kind: ActorKind) -> ActorDraft:
    """A user; system bots of other realms come with an address and no name."""
    address = _text(row, "delivery_email") or _text(row, "email")
    name = _text(row, "full_name") or address.partition("@")[0].replace("-", " ").title() or f"user {user_id}"
    if row.get("is_bot") is True:
        kind = ActorKind.BOT
    return ActorDraft(user_id, name, kind, aliases=(address,) if address else ())


def _stream(stream_id: str, row: Mapping[str, object] | None, members: tuple[str, ...]) -> ChannelDraft:
    """A stream; one without a row may have been private, and counts as such.

    Streams with protected history, too, are shown whole to those subscribed now: access is by channel here.
    """
    if row is None:
        return ChannelDraft(stream_id, f"stream {stream_id}", ChannelKind.PRIVATE, members)
    kind = ChannelKind.PUBLIC if row.get("invite_only") is False else ChannelKind.PRIVATE
    return ChannelDraft(stream_id, _text(row, "name") or f"stream {stream_id}", kind, members, since=_since(row))


def _since(row: Mapping[str, object]) -> datetime | None:
    try:
        return read_moment(row.get("date_created")).at
    except FieldError:
        return None


def _text(row: Mapping[str, object], field: str) -> str:
    value = row.get(field)
    return clean(value) if isinstance(value, str) else ""


def _rows(tree: FileTree, path: str, table: str, faults: list[Drafted]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The rows of a table with their ids; no file is no rows."""
    if not tree.has(path):
        return
    with tree.open(path) as file:
        for index, row in stream_items(file, table):
            row_id = identity(row.get("id")) if isinstance(row, dict) else None
            if isinstance(row, dict) and row_id is not None:
                yield row_id, row
            else:
                reason = row.reason if isinstance(row, Broken) else "not an object with an id"
                faults.append(kept_aside(path, f"{table} {index + 1}", reason))
