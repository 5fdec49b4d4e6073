"""Drafts that all importers of documents make alike: who and what is met first, and facts that are not the text.

A retirement or a supersession is a dated event beside the document, so that a question about an earlier day is answered
as of that day.
"""

from collections.abc import Iterator
from dataclasses import replace

from treering.importers.moments import Moment
from treering.model.drafts import ActorDraft, ChannelDraft, ChannelKind, Draft, RecordDraft

__all__ = ["UNKNOWN", "Introductions", "retired", "superseded"]

UNKNOWN = "unknown"  # the author of documents that name none


class Introductions:
    """Drafts the people and the places of documents when they are first met.

    Args:
        visibility: the kind of the places, as files do not say who may read them.
    """

    def __init__(self, visibility: ChannelKind) -> None:
        self._visibility = visibility
        self._actors: set[tuple[str, tuple[str, ...]]] = set()
        self._channels: set[str] = set()

    def before(self, record: RecordDraft, aliases: tuple[str, ...] = ()) -> Iterator[Draft]:
        """What has to be drafted before a record; the aliases are its author's."""
        people = [(record.author, aliases), *((name, ()) for name in record.mentions)]
        for actor in dict.fromkeys(people):
            if actor not in self._actors:
                self._actors.add(actor)
                yield ActorDraft(actor[0], actor[0], aliases=actor[1])
        if record.channel not in self._channels:
            self._channels.add(record.channel)
            yield ChannelDraft(record.channel, record.channel, self._visibility, stated=False)


def retired(version: RecordDraft, when: Moment) -> RecordDraft:
    """The event that the document of this version holds no longer."""
    return _event(version, f"{version.source_id}#retired", "retired", (version.lineage,), when)


def superseded(written: str, old: str, version: RecordDraft) -> RecordDraft:
    """The event that a version took the place of another document, dated as the version is.

    Args:
        written: what is replaced, as the version names it.
        old: the lineage of that, or the same again where it is not known.
        version: the version that says so.
    """
    name = f"{written}#superseded-by:{version.source_id}"
    when = Moment(version.valid_from, version.valid_from_raw)
    return _event(version, name, "superseded", (old, version.lineage), when)


def _event(version: RecordDraft, name: str, event: str, refs: tuple[str, ...], when: Moment) -> RecordDraft:
    return replace(
        version,
        source_id=name,
        lineage=name,
        event=event,
        refs=refs,
        valid_from=when.at,
        valid_from_raw=when.raw,
        text="",
        tags=(),
        links=(),
        mentions=(),
    )
