"""The drafts of one letter: the mail, the texts of the files that it carries, and the mails that were attached to it.

A file's text is a document that answers the mail. An attached mail is a message that answers it, in the same channel
and under an id of its own: who may read the carrier may read what it carries, and the original may be elsewhere in the
memory, under its Message-ID, to which the attached one refers.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from treering.importers.attached_text import text_of
from treering.importers.document_dates import UNDATED
from treering.importers.mail_copies import lineage_of, shared_id
from treering.importers.mail_letters import Letter
from treering.importers.moments import Moment
from treering.model.drafts import Attachment, RecordDraft, RecordKind

__all__ = ["drafts_of"]


def drafts_of(letter: Letter, channel: str) -> Iterator[RecordDraft]:
    """All records that a mail gives, itself first."""
    lineage, shared = lineage_of(letter, channel), shared_id(letter, channel)
    thread = letter.references[0] if letter.references else lineage
    for record in _drafts(letter, lineage, channel, thread, letter.answered):
        yield replace(record, shared=shared)


def _drafts(letter: Letter, lineage: str, channel: str, thread: str, reply_to: str | None) -> Iterator[RecordDraft]:
    documents, attachments = _documents(letter, lineage, channel, thread)
    yield RecordDraft(
        source_id=lineage,
        channel=channel,
        author=letter.author.id,
        valid_from=letter.sent.at,
        text=letter.text,
        valid_from_raw=letter.sent.raw,
        order_hint=len(letter.references),  # an answer comes after what it answers, even within one second
        reply_to=reply_to,
        thread=thread,
        title=letter.subject,
        tags=letter.tags,
        links=letter.links,
        attachments=attachments,
        quoted=letter.quoted,
    )
    yield from documents
    seen: set[str] = set()
    for carried in letter.letters:
        own_id = f"{lineage}#{carried.digest()[:16]}"
        if own_id in seen:
            continue
        seen.add(own_id)
        if carried.sent.at == UNDATED:
            carried = replace(carried, sent=Moment(letter.sent.at, f"of the mail around it: {letter.sent.raw}"))
        mail, *others = _drafts(carried, own_id, channel, thread, lineage)
        yield replace(mail, refs=(carried.message_id,) if carried.is_numbered else ())
        yield from others


def _documents(
    letter: Letter, lineage: str, channel: str, thread: str
) -> tuple[list[RecordDraft], tuple[Attachment, ...]]:
    """The texts of the files, and the attachments, with the reason where a text could not be had."""
    documents: dict[str, RecordDraft] = {}
    reasons: dict[str, str] = {}
    for file in letter.files:
        found = text_of(file.name, file.type, file.content)
        if found is None:
            continue
        if found.reason:
            reasons[file.name] = found.reason
            continue
        own_id = f"{lineage}#{hashlib.sha256(file.name.encode() + file.content).hexdigest()[:16]}"
        documents[own_id] = RecordDraft(
            source_id=own_id,
            channel=channel,
            author=letter.author.id,
            valid_from=letter.sent.at,
            text=found.text,
            kind=RecordKind.DOCUMENT,
            valid_from_raw=letter.sent.raw,
            order_hint=len(letter.references) + 1,
            reply_to=lineage,
            thread=thread,
            title=file.name,
            id_is_final=True,
        )
    attachments = (replace(each, state=each.state or reasons.get(each.name, "")) for each in letter.attachments)
    return list(documents.values()), tuple(attachments)
