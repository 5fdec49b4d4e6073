"""What Jira and GitHub have in common: an issue, its comments and changes, as records of one thread.

An issue is a titled message that holds from the day it was opened. What changes about it without being said (status,
assignee, labels, links) is known only as it was when the export was made or last changed; it is a record of its own,
dated so, and a later export adds its next version. So a question about an earlier day is not answered with today's
status. What people said and did in between are dated records in the issue's thread.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from treering.importers.moments import Moment
from treering.importers.narrowing import urls
from treering.model.drafts import Attachment, Change, ChannelDraft, ChannelKind, RecordDraft

__all__ = ["Issue", "Note", "Places", "Revision", "fingerprint", "issue_drafts", "note_draft", "titled"]


@dataclass(frozen=True, slots=True)
class Revision:
    """An earlier text of an issue, and when the next one took its place."""

    title: str
    text: str
    until: Moment


@dataclass(frozen=True, slots=True)
class Note:
    """A comment, a review, or a change: what one person said or did at one moment, about an issue."""

    id: str  # with the issue's key in front: "KES-1/comment/10101"
    author: str
    at: Moment
    text: str
    edited: Moment | None = None
    version: str = ""  # names this text among those that the note had, where no time of its edit does
    reply_to: str = ""  # the id of another note; "" for the issue itself
    mentions: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    quoted: tuple[tuple[int, int], ...] = ()
    restricted_to: str = ""  # the role or group that alone may read it
    order_hint: int = 0


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue as an export describes it."""

    key: str  # "KES-1", "heron/api#12"
    channel: str  # the project or repository
    title: str
    text: str
    author: str
    created: Moment
    state: Mapping[str, str]  # in the order in which to show it: "Status" -> "Done"
    stated_at: Moment  # since when the state is known to hold
    teller: str  # the actor that stands for the tracker itself
    restricted_to: str = ""  # the level of security that alone may read it
    people: tuple[str, ...] = ()  # whom the state names
    refs: tuple[str, ...] = ()  # issues that it is linked to
    tags: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    text_refs: tuple[str, ...] = ()  # issues that its text names
    revisions: tuple[Revision, ...] = ()  # earlier texts, the first one first
    notes: tuple[Note, ...] = ()


class Places:
    """Drafts projects and repositories when they are first met.

    Args:
        visibility: who may read them, as trackers do not say; what is restricted is private whatever this says.
    """

    def __init__(self, visibility: ChannelKind) -> None:
        self._visibility = visibility
        self._met: set[str] = set()

    def of(self, issue: Issue, name: str = "", *, public: bool = False) -> Iterator[ChannelDraft]:
        """The channels that an issue's records lie in, as far as they are new.

        Args:
            issue: the issue.
            name: what its project is called; "" where only its key is known.
            public: whether the source itself says that everybody may read it.
        """
        for restricted_to in dict.fromkeys([issue.restricted_to, *(note.restricted_to for note in issue.notes)]):
            channel = place_of(issue.channel, restricted_to or issue.restricted_to)
            if channel in self._met:
                continue
            self._met.add(channel)
            if channel != issue.channel:
                label = f"{name or issue.channel} ({restricted_to})"
                yield ChannelDraft(channel, label, ChannelKind.PRIVATE)
            else:
                kind = ChannelKind.PUBLIC if public else self._visibility
                yield ChannelDraft(channel, name or channel, kind, stated=public)


def issue_drafts(issue: Issue) -> Iterator[RecordDraft]:
    """The versions of an issue, its state, and all that was noted."""
    yield from _versions(issue)
    if issue.state:
        yield _state_draft(issue)
    for note in issue.notes:
        channel = place_of(issue.channel, note.restricted_to or issue.restricted_to)
        yield note_draft(note, issue.key, channel, titled(issue.key, issue.title))


def place_of(channel: str, restricted_to: str) -> str:
    """The channel of what only some of its readers may read: one of its own, so that its name tells nothing either."""
    return f"{channel}/{restricted_to}" if restricted_to else channel


def titled(key: str, title: str) -> str:
    """A title by which the issue is found by its key as well."""
    return f"{key}: {title}" if title else key


def _state_draft(issue: Issue) -> RecordDraft:
    """What held of an issue when that was last known."""
    lineage = f"{issue.key}#state"
    return RecordDraft(
        source_id=f"{lineage}@{_stamp(issue.stated_at.at)}",
        lineage=lineage,
        channel=place_of(issue.channel, issue.restricted_to),
        author=issue.teller,
        valid_from=issue.stated_at.at,
        valid_from_raw=issue.stated_at.raw,
        title=titled(issue.key, issue.title),
        text="\n".join(f"{label}: {value}" for label, value in issue.state.items()),
        thread=issue.key,
        reply_to=issue.key,
        refs=issue.refs,
        tags=issue.tags,
        mentions=issue.people,
        order_hint=1,
    )


def note_draft(note: Note, key: str, channel: str, title: str) -> RecordDraft:
    """A note in the thread of its issue; an edited one begins to hold with the edit, as the text before is unknown."""
    edited = note.edited if note.edited and note.edited.at > note.at.at else None
    since = edited or note.at
    version = _stamp(edited.at) if edited else note.version
    return RecordDraft(
        source_id=f"{note.id}@{version}" if version else note.id,
        lineage=note.id,
        change=Change.EDIT if edited else Change.NEW,
        channel=channel,
        author=note.author,
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=note.at.at if edited else None,
        title=title,
        text=note.text,
        thread=key,
        reply_to=note.reply_to or key,
        refs=note.refs,
        mentions=note.mentions,
        links=urls(note.text),
        attachments=note.attachments,
        quoted=note.quoted,
        order_hint=note.order_hint,
    )


def fingerprint(text: str) -> str:
    """A short name for a text, where a source gives none to the versions of one thing."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _versions(issue: Issue) -> Iterator[RecordDraft]:
    newest = RecordDraft(
        source_id=issue.key,
        lineage=issue.key,
        channel=place_of(issue.channel, issue.restricted_to),
        author=issue.author,
        valid_from=issue.created.at,
        valid_from_raw=issue.created.raw,
        title=titled(issue.key, issue.title),
        text=issue.text or issue.title,  # a record without a text is not found
        thread=issue.key,
        mentions=issue.mentions,
        refs=issue.text_refs,
        links=urls(issue.text),
    )
    if not issue.revisions:
        yield newest
        return
    since: Moment | None = None
    for revision in (*issue.revisions, None):
        version = newest
        if revision is not None:
            title, text = titled(issue.key, revision.title), revision.text or revision.title
            version = replace(newest, title=title, text=text, links=urls(revision.text))
        if since is not None:
            version = replace(
                version,
                source_id=f"{issue.key}@{_stamp(since.at)}",
                change=Change.EDIT,
                valid_from=since.at,
                valid_from_raw=since.raw,
                created_at=issue.created.at,
            )
        yield version
        since = revision.until if revision else None


def _stamp(at: datetime) -> str:
    return at.isoformat().removesuffix("+00:00") + "Z"
