"""What one message of an exported chat says in our words, and the id that is made for it, as the file gives none.

Where times have seconds, an author's messages are told apart by them, so that an edit or a deletion finds the message
that another export showed; where times have but minutes, by their words. Follows FORMATS section 9.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from treering.importers.moments import Moment
from treering.importers.narrowing import distinct, urls
from treering.importers.roster import Roster
from treering.importers.whatsapp_words import (
    MARKS,
    attached_file,
    is_deleted,
    is_left_out,
    plain,
    without_edit_mark,
)
from treering.model.drafts import ActorKind, Attachment, Change, RecordDraft

__all__ = ["Said", "Writer", "author_of"]

APP = "whatsapp"  # the author of lines that name none
EDITING_TIME = timedelta(minutes=15)  # for so long a message can be edited

_NUMBER = re.compile(r"\+[\d\s().\-]{5,24}")
_MENTION = re.compile("@\u2068([^\u2069\n]{1,100})\u2069|(?<![\\w@])@(\\d{7,15})\\b")
_NAME = re.compile('[“"«„]([^“”"«»„\n]{1,100})[”"»“]')
_INVISIBLE = re.compile(f"[{MARKS}]")
_APP_TEXT = re.compile("[\u200e\u200f]")


@dataclass(slots=True)
class Said:
    """A message as it stands in the file, with the lines that continue it."""

    local: datetime  # without a zone
    raw_time: str
    moment: Moment
    author: str | None  # as written; None: the app
    lines: list[str]
    position: str
    bracketed: bool = False  # the style of iPhones, which mark the app's words


@dataclass(slots=True)
class Writer:
    """Makes the records of one chat; counts what is equal, and what came at the same time."""

    channel: str
    name: str  # of the chat
    has_seconds: bool
    names: set[str] = field(default_factory=set)  # other names that the chat has had
    _twins: Counter[str] = field(default_factory=Counter)
    _local: datetime | None = None
    _place: int = 0

    def record(self, said: Said, roster: Roster) -> RecordDraft:
        """The record of a message."""
        if said.local != self._local:
            self._local, self._place = said.local, 0
        else:
            self._place += 1
        text = "\n".join(said.lines)
        author, event = self._who(said, text, roster)
        base = RecordDraft(
            source_id="",
            channel=self.channel,
            author=author,
            valid_from=said.moment.at,
            valid_from_raw=said.moment.raw,
            order_hint=self._place,
            text="",
            event=event,
            id_is_final=True,
        )
        if event:
            self.names.update(match[1].strip() for match in _NAME.finditer(_INVISIBLE.sub("", text)))
            return self._named(replace(base, text=plain(text)))
        if is_deleted(text):
            return self._named(replace(base, change=Change.DELETE))
        edited = without_edit_mark(text)
        draft = self._with_text(base, text if edited is None else edited, said, roster)
        if edited is not None:
            at = said.moment.at + EDITING_TIME
            raw = f"{said.moment.raw}, edited within {EDITING_TIME.seconds // 60} minutes"
            draft = replace(draft, change=Change.EDIT, valid_from=at, valid_from_raw=raw, created_at=said.moment.at)
        return self._named(draft)

    def _who(self, said: Said, text: str, roster: Roster) -> tuple[str, str | None]:
        """The author, and the kind of event if it is one: the app's lines have no author, or the chat's name as one."""
        if said.author is None:
            return roster.add(APP, "WhatsApp", ActorKind.SYSTEM), "system"
        by_app = said.bracketed and bool(_APP_TEXT.match(text))
        if by_app and plain(said.author) == self.name:
            return roster.add(APP, "WhatsApp", ActorKind.SYSTEM), "system"
        actor, name = author_of(said.author)
        roster.add(actor, name)
        # "Missed voice call", "Ana added Ben": but a poll, a place and a file are what the author sent.
        is_event = by_app and len(said.lines) == 1 and "://" not in text and _is_notice(text)
        return actor, "system" if is_event else None

    def _with_text(self, base: RecordDraft, text: str, said: Said, roster: Roster) -> RecordDraft:
        by_app = said.bracketed and bool(_APP_TEXT.match(text))
        if is_left_out(text, by_app=by_app):
            name = plain(text).strip("<>")
            return replace(base, attachments=(Attachment(name, state="not exported"),))
        files: tuple[Attachment, ...] = ()
        if (attached := attached_file(text)) is not None:
            files, text = (Attachment(attached[0]),), attached[1]
        mentions = [author_of(match[1] or f"+{match[2]}") for match in _MENTION.finditer(text)]
        for actor, name in mentions:
            roster.add(actor, name)
        text = plain(text) or "\n".join(file.name for file in files)
        mentioned = distinct([actor for actor, _ in mentions])
        return replace(base, text=text, mentions=mentioned, links=urls(text), attachments=files)

    def _named(self, draft: RecordDraft) -> RecordDraft:
        """The record with its ids."""
        local = self._local
        assert local is not None
        if self.has_seconds:
            key = f"{local:%Y%m%dT%H%M%S}/{_digest(draft.author)}"
        else:
            files = (file.name for file in draft.attachments)
            said = ["deleted" if draft.change is Change.DELETE else draft.text, *files]
            key = f"{local:%Y%m%dT%H%M}/{_digest(draft.author, *said)}"
        count = self._twins[key]
        self._twins[key] += 1
        lineage = f"{self.channel}/{key}" + (f"-{count + 1}" if count else "")
        suffix = ""
        if draft.change is Change.DELETE:
            suffix = "@deleted"
        elif self.has_seconds or draft.change is Change.EDIT:
            suffix = f"@{_digest(draft.text, *(file.name for file in draft.attachments))[:8]}"
        return replace(draft, source_id=lineage + suffix, lineage=lineage)


def author_of(label: str) -> tuple[str, str]:
    """The id and the name of whoever a label stands for: a number, or a name, as there is nothing else.

    >>> author_of("+49 151 234567"), author_of("~ Ana")
    (('+49151234567', '+49 151 234567'), ('~Ana', 'Ana'))
    """
    name = " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", label)).split())
    if _NUMBER.fullmatch(name):
        return "+" + "".join(letter for letter in name if letter.isdigit()), name
    if name.startswith("~"):  # not among the contacts: a name of that person's own choice
        name = name[1:].strip()
        return f"~{name}", name
    return name, name


def _is_notice(text: str) -> bool:
    """Whether the app's words tell of something, rather than stand in a file's or a message's place."""
    return not (is_deleted(text) or is_left_out(text, by_app=True) or attached_file(text))


def _digest(*words: str) -> str:
    return hashlib.sha256("\x1f".join(words).encode()).hexdigest()[:12]
