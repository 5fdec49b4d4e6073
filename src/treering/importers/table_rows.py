"""What a row of a message table means: the drafts of a message, its author and its channel.

Ids are strings as the source gives them; for want of anything better an id is also the name. Rows come in as our fields
(`table_fields`), from JSON lines or from CSV alike.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, clean, identity, texts
from treering.importers.table_fields import REQUIRED
from treering.importers.written_dates import WrittenDates
from treering.model.drafts import (
    ActorDraft,
    Attachment,
    Change,
    ChannelDraft,
    ChannelKind,
    Draft,
    RecordDraft,
    RecordKind,
)

__all__ = ["RowReader"]

UNKNOWN = "unknown"  # the author of rows that name none
MESSAGES = "messages"  # the channel of tables that have none; not their name, as a table may be copied under another

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

_LOCAL = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?[Tt\s]\s*\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?")  # a time without an offset
_LAST_DIGITS = re.compile(r"[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class _Access:
    """Who may see a channel, as far as the rows so far say."""

    kind: ChannelKind
    members: tuple[str, ...] | None
    stated: bool  # by the rows, not by the operator's option


class RowReader:
    """Turns the rows of one file into drafts; an actor or channel is drafted when it is first met.

    Args:
        visibility: the kind of channels of which the rows say neither `channel_kind` nor `members`.
        dates: how times that are texts are to be read; None: as `moments` does.
    """

    def __init__(self, visibility: ChannelKind, dates: WrittenDates | None = None) -> None:
        self._dates = dates
        self._was_local = False
        self._default = _Access(visibility, None, stated=False)
        self._channels: dict[str, _Access] = {}
        self._actors: set[str] = set()
        self._place: tuple[str, datetime] | None = None
        self._count = 0

    def drafts(self, row: Mapping[str, object]) -> Iterator[Draft]:
        """The drafts of one row: at most actors and a channel, a message, and its deletion if `deleted_at` says so.

        Raises:
            FieldError: before anything is yielded.
        """
        record = self._record(row)
        deleted = self._moment(row, "deleted_at")
        access = self._access(row, record.channel)
        for actor in dict.fromkeys((record.author, *record.mentions, *(access.members or ()))):
            if actor not in self._actors:
                self._actors.add(actor)
                yield ActorDraft(actor, actor)
        if self._channels.get(record.channel) != access:
            self._channels[record.channel] = access
            yield ChannelDraft(record.channel, record.channel, access.kind, access.members, stated=access.stated)
        yield record
        if deleted:
            yield replace(
                record,
                change=Change.DELETE,
                text="",
                title="",
                valid_from=deleted.at,
                valid_from_raw=deleted.raw,
                created_at=record.created_at or record.valid_from,
                mentions=(),
                links=(),
                attachments=(),
            )

    @property
    def has_assumed(self) -> bool:
        """Whether a time was read as one of UTC because nothing says its zone."""
        return self._was_local if self._dates is None else self._dates.times.assumed

    def _record(self, row: Mapping[str, object]) -> RecordDraft:
        attachments = _attachments(row.get("attachments"))
        missing = [field for field in REQUIRED if field not in row and not (field == "text" and attachments)]
        if missing:
            raise FieldError(f"no {', no '.join(missing)}")
        source_id, channel = identity(row["id"]), identity(row.get("channel", MESSAGES))
        if source_id is None or channel is None:
            raise FieldError(f"the {'id' if source_id is None else 'channel'} is empty or no id")
        sent = self._read(row["sent_at"], "sent_at")
        edited = self._moment(row, "edited_at")
        if edited and edited.at <= sent.at:  # some tables repeat the first time for want of an edit
            edited = None
        since = edited or sent
        return RecordDraft(
            source_id=source_id,
            channel=channel,
            author=_word(row, "author") or UNKNOWN,
            valid_from=since.at,
            text=_text(row.get("text")),
            change=Change.EDIT if edited else Change.NEW,
            kind=RecordKind.DOCUMENT if row.get("kind") == "document" else RecordKind.MESSAGE,
            valid_from_raw=since.raw,
            created_at=sent.at if edited else None,
            order_hint=self._order_hint(row, source_id, channel, sent.at),
            reply_to=_word(row, "reply_to"),
            refs=texts(row.get("refs"), "refs"),
            thread=_word(row, "thread"),
            title=_text(row.get("title")),
            mentions=texts(row.get("mentions"), "mentions"),
            tags=texts(row.get("tags"), "tags"),
            links=texts(row.get("links"), "links", separators="; \n"),
            attachments=attachments,
        )

    def _moment(self, row: Mapping[str, object], field: str) -> Moment | None:
        value = row.get(field)
        return None if value is None or value == "" else self._read(value, field)

    def _read(self, value: object, field: str) -> Moment:
        if self._dates is not None and isinstance(value, str):
            return self._dates.read(value, field)
        moment = read_moment(value, field)
        if isinstance(value, str) and _LOCAL.fullmatch(moment.raw):
            self._was_local = True
            return Moment(moment.at, f"{moment.raw} (UTC assumed)")
        return moment

    def _order_hint(self, row: Mapping[str, object], source_id: str, channel: str, sent_at: datetime) -> int:
        """The stated place, else the number in the id, else the place among neighbours of the same channel and time."""
        self._count = self._count + 1 if self._place == (channel, sent_at) else 0
        self._place = (channel, sent_at)
        stated = _word(row, "order_hint")
        if stated is not None:
            try:
                number = int(stated[:40])
            except ValueError:
                raise FieldError(f"order_hint is no whole number: {stated[:60]!r}") from None
        else:
            digits = _LAST_DIGITS.search(source_id)
            number = int(digits[0][-40:]) if digits else self._count
        return max(INT64_MIN, min(INT64_MAX, number))

    def _access(self, row: Mapping[str, object], channel: str) -> _Access:
        """What is known of a channel with this row added: members are gathered, and what is not public stays so."""
        before = self._channels.get(channel, self._default)
        kind = _channel_kind(row.get("channel_kind"))
        members = texts(row["members"], "members") if row.get("members") is not None else None
        if kind is None and members is None:
            return before
        if members is None or before.members is None:
            members = members if before.members is None else before.members
        else:
            members = tuple(dict.fromkeys((*before.members, *members)))
        if before.stated and (kind is None or before.kind is not ChannelKind.PUBLIC):
            kind = before.kind
        return _Access(kind or ChannelKind.PRIVATE, members, stated=True)


def _word(row: Mapping[str, object], field: str) -> str | None:
    """An id or name; None where there is none."""
    value = row.get(field)
    if value is None:
        return None
    word = identity(value)
    if word is None and not isinstance(value, str):
        raise FieldError(f"{field} is neither text nor a whole number")
    return word


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | dict):
        raise FieldError("a text is a list or an object")
    return str(value)


def _channel_kind(value: object) -> ChannelKind | None:
    if value is None or value == "":
        return None
    try:
        return ChannelKind(str(value).strip().lower())
    except ValueError:
        kinds = ", ".join(ChannelKind)
        raise FieldError(f"channel_kind {str(value)[:40]!r} is none of {kinds}") from None


def _attachments(value: object) -> tuple[Attachment, ...]:
    """Names, or objects with a `name`, a `type` and a `size`."""
    if value is None:
        return ()
    if not isinstance(value, list):
        return tuple(Attachment(name) for name in texts(value, "attachments"))
    found = []
    for item in value:
        entry = item if isinstance(item, Mapping) else {"name": item}
        name, size = identity(entry.get("name")), entry.get("size")
        if name is None:
            raise FieldError("attachments holds an entry without a name")
        found.append(Attachment(name, _text(entry.get("type")), size if isinstance(size, int) else None))
    return tuple(found)
