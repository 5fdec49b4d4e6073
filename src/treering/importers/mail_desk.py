"""From mails that were found, wherever they lay, to drafts: the passes that all importers of mail make.

The first pass reads headers: who is called what. The second drafts. A source of mails can therefore be gone through
twice.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from treering.importers.mail_drafts import drafts_of
from treering.importers.mail_headers import Headers
from treering.importers.mail_letters import Letter
from treering.importers.mail_places import Places
from treering.importers.mail_survey import Survey
from treering.importers.narrowing import FieldError, kept_aside
from treering.model.drafts import ActorDraft, ChannelKind, Draft, Drafted, Skipped

__all__ = ["Find", "Found", "drafts_of_all"]

_FOLDER_DATA = re.compile(r"DON'T DELETE THIS MESSAGE|FOLDER INTERNAL DATA")


@dataclass(frozen=True, slots=True)
class Found:
    """A mail that was found, and not yet read."""

    file: str
    position: str
    headers: Headers
    read: Callable[[], Letter]  # raises FieldError
    envelope: str = ""
    original: str = ""  # how it begins, to be shown if it cannot be read


Find = Callable[[], Iterator[Found | Drafted]]  # every pass calls it; what is drafted already goes out with the last


def drafts_of_all(find: Find, visibility: ChannelKind) -> Iterator[Drafted]:
    """People first, then every mail, each with its channel where that is new, and with what it carries."""
    survey, file = Survey(), ""
    for found in find():
        if isinstance(found, Drafted):
            continue
        file = file or found.file
        survey.add(found.headers, found.envelope)
    places = Places(visibility, survey.names(), survey.phrases())
    desk = _Desk(places)
    yield from (Drafted(file, actor) for actor in desk.known(survey))
    for found_or_drafted in find():
        if isinstance(found_or_drafted, Drafted):
            yield found_or_drafted
        else:
            yield from desk.drafts(found_or_drafted)


class _Desk:
    """Turns mails into drafts; whoever and whatever was drafted once is not drafted again."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._given: set[bytes] = set()
        self._actors: set[str] = set()
        self._channels: set[str] = set()

    def known(self, survey: Survey) -> Iterator[ActorDraft]:
        """The people of the survey."""
        for actor in survey.actors():
            self._actors.add(actor.id)
            yield actor

    def drafts(self, found: Found) -> Iterator[Drafted]:
        """All that a mail gives, or what is said in its place."""
        try:
            letter = found.read()
        except FieldError as error:
            yield kept_aside(found.file, found.position, str(error), found.original)
            return
        for draft in self._drafts(letter, found.position):
            yield Drafted(found.file, draft)

    def _drafts(self, letter: Letter, position: str) -> Iterator[Draft]:
        if _FOLDER_DATA.search(letter.subject):
            yield Skipped("notes of a mail program about its folder", position)
            return
        channel = self._places.channel(letter)
        mail, *carried = drafts_of(letter, channel.id)
        said = repr(replace(mail, tags=(), links=(), valid_from_raw="")).encode("utf-8", "replace")
        digest = hashlib.sha256(said).digest()[:16]
        if digest in self._given:
            yield Skipped("another copy of a mail", position)
            return
        self._given.add(digest)
        yield from self._new_actors(letter)
        if channel.id not in self._channels:
            self._channels.add(channel.id)
            yield channel
        yield mail
        yield from carried

    def _new_actors(self, letter: Letter) -> Iterator[ActorDraft]:
        """Those whom the survey did not meet: who wrote a mail that lies within another."""
        if letter.author.id not in self._actors:
            self._actors.add(letter.author.id)
            yield ActorDraft(letter.author.id, letter.author.name or letter.author.id)
        for carried in letter.letters:
            yield from self._new_actors(carried)
