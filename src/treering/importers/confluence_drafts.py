"""Pages and comments of Confluence as drafts, from whichever export they came.

A page is a document known by its id, each version by id and number; a comment is a message in the thread of its page.
What only some may read lies in a channel of its own, so that a space that all may read does not open it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from treering.importers.confluence_inline import PageText
from treering.importers.moments import Moment
from treering.importers.narrowing import distinct
from treering.importers.roster import Roster
from treering.model.drafts import Attachment, Change, ChannelDraft, ChannelKind, Draft, RecordDraft, RecordKind

__all__ = ["UNKNOWN_SPACE", "Content", "Spaces", "bound_by", "drafts_of"]

UNKNOWN_SPACE = "unknown space"


@dataclass(frozen=True, slots=True)
class Content:
    """One version of a page, blog post or comment."""

    id: str
    version: str
    space: str  # its key
    title: str
    author: str
    at: Moment
    says: PageText
    kind: RecordKind = RecordKind.DOCUMENT
    created: Moment | None = None  # of a comment that was edited: when it was first written
    page: str = ""  # of a comment: the page that it is on
    reply_to: str = ""  # of a comment: the comment that it answers
    tags: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    refs: tuple[str, ...] = ()  # pages that it links to: by id or, where only that is known, by title
    restricted_to: tuple[str, ...] | None = ()  # (): whoever reads the space; None: some, who are not known
    restriction: str = ""  # what the channel of those is called; "" where there is none


class Spaces:
    """Drafts spaces, and the channels of restricted pages, when they are first met.

    Args:
        visibility: who may read spaces, as exports do not say.
    """

    def __init__(self, visibility: ChannelKind) -> None:
        self._visibility = visibility
        self._names: dict[str, str] = {}
        self._met: dict[str, ChannelDraft] = {}

    def name(self, key: str, name: str) -> None:
        """Note what a space is called."""
        self._names[key] = name

    def of(self, content: Content) -> Iterator[ChannelDraft]:
        """The channel of a page or comment, if it is new."""
        name = self._names.get(content.space, content.space)
        if content.restriction:
            members = content.restricted_to
            label = f"{name} ({content.restriction})"
            draft = ChannelDraft(channel_of(content), label, ChannelKind.PRIVATE, members)
        else:
            kind = ChannelKind.PRIVATE if content.space == UNKNOWN_SPACE else self._visibility
            draft = ChannelDraft(content.space, name, kind, stated=False)
        if self._met.get(draft.id) != draft:
            self._met[draft.id] = draft
            yield draft


def bound_by(places: Iterable[str], readers: Mapping[str, frozenset[str] | None]) -> tuple[str, tuple[str, ...] | None]:
    """Which restricted pages among some bind what lies below them, as one word; and who meets them all.

    Args:
        places: a page and all those above it, by id.
        readers: the restricted pages, and who may read each; None: not known.
    """
    binding = [place for place in dict.fromkeys(places) if place in readers]
    if not binding:
        return "", ()
    word = "restricted " + " ".join(sorted(binding, key=lambda id_: (len(id_), id_)))
    met = frozenset[str]()
    for number, place in enumerate(binding):
        listed = readers[place]
        if listed is None:
            return word, None
        met = listed if number == 0 else met & listed
    return word, tuple(sorted(met))


def channel_of(content: Content) -> str:
    """The channel that a page or comment lies in."""
    return f"{content.space}/{content.restriction}" if content.restriction else content.space


def drafts_of(content: Content, roster: Roster, spaces: Spaces) -> list[Draft]:
    """The drafts of one version: whoever and whatever is new with it, and the record."""
    says, known = content.says, {attachment.name: attachment for attachment in content.attachments}
    for person in (content.author, *says.mentions, *(content.restricted_to or ())):
        roster.add(person)
    record = RecordDraft(
        source_id=f"{content.id}@{content.version}",
        lineage=content.id,
        channel=channel_of(content),
        author=content.author,
        valid_from=content.at.at,
        valid_from_raw=content.at.raw,
        title=content.title,
        text=says.text,
        kind=content.kind,
        change=Change.EDIT if content.created else Change.NEW,
        created_at=content.created.at if content.created else None,
        thread=content.page or None,
        reply_to=content.reply_to or content.page or None,
        refs=content.refs,
        mentions=tuple(says.mentions),
        tags=content.tags,
        links=tuple(says.links),
        attachments=tuple(known.get(name, Attachment(name)) for name in distinct([*says.attachments, *known])),
    )
    return [*roster.news(), *spaces.of(content), record]
