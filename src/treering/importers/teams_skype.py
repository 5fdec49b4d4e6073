"""The messages of Skype, whose markup Teams still writes into the exports of a person's account.

Ids are those of the tenant's exports, so that both tell of the same messages. Follows FORMATS section 2.2.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypedDict

from treering.importers.json_fields import Json, camel, record_at, text_at
from treering.importers.moments import read_moment
from treering.importers.narrowing import FieldError, distinct, identity
from treering.importers.roster import NOBODY, Roster
from treering.importers.teams_html import read_html
from treering.importers.teams_parts import later, quoted
from treering.model.drafts import ActorKind, Attachment, Change, RecordDraft

__all__ = ["SkypeMessage", "message_from", "user_of", "versions_of"]

_USER = re.compile(r"(?:.*/)?(?:8:)?(?:orgid:)?(?P<id>[^/]+)")
_TARGET = re.compile(r"<(?:target|id|mri)>([^<]+)</")
_VALUE = re.compile(r"<value>([^<]*)</value>")


class SkypeMessage(TypedDict):
    """The parts of a message that we read; absent ones are empty."""

    id: str
    time: object
    kind: str
    content: str
    sender: str
    name: str
    properties: Json


def message_from(value: object) -> SkypeMessage:
    """Narrow a message.

    Raises:
        FieldError: it has no id.
    """
    row = camel(value)
    id_ = identity(row.get("id")) if isinstance(row, dict) else None
    if not isinstance(row, dict) or id_ is None:
        raise FieldError("not an object" if not isinstance(row, dict) else "no id")
    return SkypeMessage(
        id=id_,
        time=row.get("originalarrivaltime") or row.get("composetime"),
        kind=text_at(row, "messagetype"),
        content=text_at(row, "content"),
        sender=user_of(text_at(row, "from")),
        name=(text_at(row, "displayName") or text_at(row, "imdisplayname")).strip(),
        properties=record_at(row, "properties"),
    )


def versions_of(message: SkypeMessage, channel: str, roster: Roster) -> Iterator[RecordDraft]:
    """The version that the export holds, and its deletion if it was deleted.

    Raises:
        FieldError: it has no time that can be read.
    """
    sent = read_moment(message["time"], "originalarrivaltime")
    lineage = f"{channel}/{message['id']}"
    edited, deleted = (later(message["properties"].get(key), sent) for key in ("edittime", "deletetime"))
    since = edited or sent
    kind = ActorKind.BOT if message["sender"].startswith("28:") else ActorKind.UNKNOWN
    base = RecordDraft(
        source_id=f"{lineage}@{since.at:%Y%m%dT%H%M%S.%f}" if edited else lineage,
        lineage=lineage,
        change=Change.EDIT if edited else Change.NEW,
        channel=channel,
        author=roster.add(message["sender"] or NOBODY, message["name"], kind, at=sent.at),
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=sent.at if edited else None,
        order_hint=int(message["id"]) if re.fullmatch("[0-9]{1,18}", message["id"]) else 0,
        text="",
        id_is_final=True,
    )
    said = _with_text(base, message)
    if deleted is None or said.text:
        yield said
    if deleted is not None:
        source_id = f"{lineage}@{deleted.at:%Y%m%dT%H%M%S.%f}-deleted"
        yield replace(
            base,
            source_id=source_id,
            change=Change.DELETE,
            valid_from=deleted.at,
            valid_from_raw=deleted.raw,
            created_at=sent.at,
        )


def _with_text(base: RecordDraft, message: SkypeMessage) -> RecordDraft:
    family, _, what = message["kind"].partition("/")
    if family in ("ThreadActivity", "Event", "Control"):
        told = [*_TARGET.findall(message["content"]), *_VALUE.findall(message["content"])]
        people = [user_of(item) for item in told if item.strip()]
        return replace(base, event=what or family, text=", ".join(distinct(people)))
    body = read_html(message["content"])
    others = "".join(f"{quoted(quotation)}\n" for quotation in body.quotations if quotation.text)
    refs = [f"{item.channel or base.channel}/{item.message}" for item in body.quotations if item.message]
    files = tuple(Attachment(name) for name in (*body.files, *body.images))
    return replace(
        base,
        text=others + (body.text or "\n".join(file.name for file in files)),
        quoted=((0, len(others)),) if others else (),
        reply_to=next(iter(refs), None),
        refs=distinct(refs),
        mentions=distinct([user_of(user) for user in body.mentions if ":" in user]),
        links=body.links,
        attachments=files,
    )


def user_of(value: str) -> str:
    """The id of a user without the address around it: of a person in a tenant, the id that the tenant knows.

    >>> user_of("https://teams.example/v1/users/ME/contacts/8:orgid:5dbe-1"), user_of("8:live:ana"), user_of("28:bot")
    ('5dbe-1', 'live:ana', '28:bot')
    """
    match = _USER.fullmatch(value)
    return match["id"] if match else value
