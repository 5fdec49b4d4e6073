"""What an importer yields: foreign events in our words, before the log has given them a place.

Ids are those of the source, as strings; names are labels and never keys. Times are aware. Source: DESIGN section 3 and
the common model of the export formats.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

__all__ = [
    "ActorDraft",
    "ActorKind",
    "Attachment",
    "Change",
    "ChannelDraft",
    "ChannelKind",
    "Draft",
    "Drafted",
    "Quarantined",
    "RecordDraft",
    "RecordKind",
    "Shared",
    "Skipped",
]


class ActorKind(StrEnum):
    """What kind of participant an actor is."""

    HUMAN = "human"
    BOT = "bot"
    EXTERNAL = "external"
    SYSTEM = "system"
    UNKNOWN = "unknown"


class ChannelKind(StrEnum):
    """Who may join a channel; everything but `public` is visible to its members alone."""

    PUBLIC = "public"
    PRIVATE = "private"
    DIRECT = "direct"
    GROUP = "group"


class RecordKind(StrEnum):
    """A chat message, or a whole document."""

    MESSAGE = "message"
    DOCUMENT = "document"


class Change(StrEnum):
    """How a version relates to the one before it in its lineage."""

    NEW = "new"
    EDIT = "edit"
    NEXT_VERSION = "next_version"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a record carries or points to; its content is not here."""

    name: str
    type: str = ""
    size: int | None = None  # bytes
    state: str = ""  # why the content is out of reach: deleted, hidden_by_limit ...
    title: str = ""  # where it differs from the name


@dataclass(frozen=True, slots=True)
class ActorDraft:
    """A participant as a source describes it."""

    id: str
    name: str
    kind: ActorKind = ActorKind.UNKNOWN
    aliases: tuple[str, ...] = ()  # other names it goes by: user name, full name, e-mail
    since: datetime | None = None  # when this name began to hold, where the source says


@dataclass(frozen=True, slots=True)
class ChannelDraft:
    """A place where records appear: channel, stream, direct conversation, folder."""

    id: str
    name: str
    kind: ChannelKind
    members: tuple[str, ...] | None = None  # actor ids; None: the source does not say
    aliases: tuple[str, ...] = ()
    since: datetime | None = None
    stated: bool = True  # False: the source says nothing of who may read; the operator's word stands in


@dataclass(frozen=True, slots=True)
class Shared:
    """An id that other things may bear as well, as Message-IDs are, and what tells this one from them."""

    id: str
    mark: str  # follows from the thing alone


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """One version of one record, as its source spells it.

    `lineage` joins the versions of one thing: `source_id` of its first version, as a rule. `valid_from` is when this
    version began to hold; `created_at` when the thing itself was first said (the same, unless this is an edit).
    """

    source_id: str
    channel: str  # a ChannelDraft's id
    author: str  # an ActorDraft's id
    valid_from: datetime  # aware
    text: str
    lineage: str = ""  # empty: source_id
    change: Change = Change.NEW
    kind: RecordKind = RecordKind.MESSAGE
    valid_from_raw: str = ""  # the source's own string
    created_at: datetime | None = None  # None: valid_from
    order_hint: int = 0  # breaks ties of equal times; never depends on how files were split
    reply_to: str | None = None  # lineage of the record replied to; may be absent from the memory
    refs: tuple[str, ...] = ()  # lineages it links to or quotes
    thread: str | None = None  # a topic's name, or the lineage of the thread's root
    title: str = ""
    mentions: tuple[str, ...] = ()  # actor ids, from explicit mention tokens only
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()  # URLs
    attachments: tuple[Attachment, ...] = ()
    quoted: tuple[tuple[int, int], ...] = ()  # half-open ranges of `text` that repeat others: shown, never matched
    event: str | None = None  # joins, renames ...: logged, kept out of search and of the trees
    shared: Shared | None = None  # of what bears or is carried under such an id; None: ids are unique
    id_is_final: bool = False  # the source never gives this source_id to another text: a new rendering is no version


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something left out on purpose, for a reason that has a name; counted in the report."""

    reason: str  # a short constant phrase: "not a message", "copied metadata file"
    position: str = ""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record that could not be read: kept aside and counted, never lost in silence."""

    file: str
    position: str  # "line 12", "message 3"
    reason: str
    raw: str = ""  # the record as found, secrets stripped, at most 2,000 characters


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft with the file it came from, so that the report can say where."""

    file: str
    draft: "ActorDraft | ChannelDraft | RecordDraft | Skipped | Quarantined"


Draft = ActorDraft | ChannelDraft | RecordDraft | Skipped | Quarantined
