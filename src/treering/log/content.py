"""What a record says, as bytes: the basis of its hash, of the chain and of the root.

The content holds the source's ids and words only: nothing of when or in what order it arrived, so that equal records
have equal hashes in every memory. Display names, order hints and the source's own spelling of the time stay out: a
renamed author or a re-split file is no new version. So does the mark that sets one of two things with a shared id
apart: which of them has it plain is decided by arrival.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from treering.model.drafts import Change, RecordDraft, Shared
from treering.model.records import micros

__all__ = ["Content", "apart", "chained", "commitment", "content_of", "digest_of", "plain", "root_of"]

GENESIS = bytes(32)

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Content(NamedTuple):
    """The parts of a record that its hash covers; their order is part of the file format."""

    source: str
    source_id: str
    lineage: str
    kind: str
    deleted: bool
    channel: str
    author: str
    valid_from: int  # microseconds
    created_at: int  # microseconds
    reply_to: str | None
    thread: str | None  # None also where the thread is the record's own
    title: str
    text: str
    event: str | None
    refs: tuple[str, ...]
    mentions: tuple[str, ...]
    attachments: tuple[str, ...]

    def encoded(self) -> bytes:
        """One JSON array: field order and separators are part of the file format."""
        return _encode(self).encode()


def content_of(draft: RecordDraft, source: str) -> Content:
    """The content of a draft as `source` tells it."""
    lineage = draft.lineage or draft.source_id
    return Content(
        source=source,
        source_id=draft.source_id,
        lineage=lineage,
        kind=draft.kind.value,
        deleted=draft.change is Change.DELETE,
        channel=draft.channel,
        author=draft.author,
        valid_from=micros(draft.valid_from),
        created_at=micros(draft.created_at or draft.valid_from),
        reply_to=draft.reply_to,
        thread=None if draft.thread == lineage else draft.thread,
        title=draft.title,
        text=draft.text,
        event=draft.event,
        refs=draft.refs,
        mentions=draft.mentions,
        attachments=tuple(attachment.name for attachment in draft.attachments),
    )


def apart(draft: RecordDraft, shared: Shared) -> RecordDraft:
    """The draft under an id that is its alone: what it is carried by and what it carries are set apart with it."""

    def marked(id_: str) -> str:
        is_of_it = id_ == shared.id or id_.startswith(f"{shared.id}#")
        return f"{shared.id}#{shared.mark}{id_[len(shared.id) :]}" if is_of_it else id_

    reply_to = marked(draft.reply_to) if draft.reply_to else draft.reply_to
    return replace(draft, source_id=marked(draft.source_id), lineage=marked(draft.lineage), reply_to=reply_to)


def plain(id_: str, mark: str | None) -> str:
    """An id as its source spells it, without the mark that may have set it apart.

    >>> plain("a@k.example#1f2e3d4c#0011", "1f2e3d4c"), plain("a@k.example", None)
    ('a@k.example#0011', 'a@k.example')
    """
    return id_.replace(f"#{mark}", "", 1) if mark else id_


def digest_of(encoded: bytes) -> bytes:
    """The hash of a record, given its content as bytes."""
    return hashlib.sha256(encoded).digest()


def commitment(salt: bytes, encoded: bytes) -> bytes:
    """What the chain holds of a record: without the salt it says nothing about the text."""
    return hashlib.sha256(salt + encoded).digest()


def chained(before: bytes, committed: bytes, logged_at: int) -> bytes:
    """The chain's next link: it fixes the content, the time of arrival and all that came before."""
    return hashlib.sha256(before + committed + logged_at.to_bytes(8, "big", signed=True)).digest()


def root_of(hashes: Iterable[bytes]) -> bytes:
    """The root of a set of records, given their hashes in ascending order."""
    digest = hashlib.sha256()
    for one in hashes:
        digest.update(one)
    return digest.digest()
