"""From our own values to the replies of the schema; nothing is decided here."""

from collections.abc import Sequence

from treering.answers.answer import Answer
from treering.interfaces import schema
from treering.interfaces.printing import evidence_set_json
from treering.model.browsing import Context, Node, ShownRecord, Stretch
from treering.model.evidence import EvidenceSet
from treering.model.versions import Version

__all__ = ["answered", "context", "evidence", "history", "node", "record", "stretch"]


def evidence(found: EvidenceSet, *, explain: bool) -> schema.SearchReply:
    """An evidence set, field by field as `treering search --json` prints it."""
    return schema.SearchReply.model_validate(evidence_set_json(found, explain=explain))


def answered(said: Answer, found: schema.SearchReply) -> schema.AskReply:
    """An answer with the evidence that it was made from."""
    return schema.AskReply(
        text=said.text,
        citations=[schema.CitationEntry.model_validate(one) for one in said.citations],
        quotations=[schema.QuotationEntry.model_validate(one) for one in said.quotations],
        supported=said.supported,
        searched=said.searched,
        model=said.model,
        prompt_hash=said.prompt_hash,
        tokens=said.tokens,
        notes=list(said.notes),
        evidence=found,
    )


def record(shown: ShownRecord) -> schema.RecordReply:
    """A record with the names beside it."""
    one = shown.record
    return schema.RecordReply(
        id=one.id,
        source=one.source,
        source_id=one.source_id,
        lineage=one.lineage,
        version=one.version,
        change=one.change.value,
        kind=one.kind.value,
        channel=shown.channel_name,
        author=one.author_name,
        valid_from=one.valid_from,
        valid_from_raw=one.valid_from_raw,
        logged_at=one.logged_at,
        title=one.title,
        text=one.text,
        event=one.event,
        state=shown.state,
        thread=one.thread,
        reply_to=shown.reply_to,
        reply_to_record=shown.reply_to_record,
        refs=list(shown.refs),
        mentions=list(shown.mentions),
        tags=list(one.tags),
        links=list(one.links),
        attachments=[schema.AttachmentEntry.model_validate(file) for file in one.attachments],
        quoted=list(one.quoted),
        transitions=list(shown.transitions),
        hash=one.hash.hex(),
    )


def history(versions: Sequence[Version], shown: Sequence[ShownRecord]) -> schema.HistoryReply:
    """Versions, each with its record as shown."""
    return schema.HistoryReply(
        versions=[
            schema.VersionEntry(record=record(one), state=version.state, diff=version.diff)
            for version, one in zip(versions, shown, strict=True)
        ]
    )


def context(found: Context) -> schema.ContextReply:
    """What surrounds a record."""
    return schema.ContextReply(
        record=record(found.record),
        audience=schema.AudienceEntry.model_validate(found.audience),
        places=[schema.PlaceEntry.model_validate(place) for place in found.places],
        linked=[
            schema.LinkedEntry(kind=one.kind, identifier=one.identifier, record=record(one.record))
            for one in found.linked
        ],
    )


def node(found: Node) -> schema.NodeEntry:
    """A node and all that was asked for below it."""
    return schema.NodeEntry(
        path=found.path,
        label=found.label,
        leaves=found.leaves,
        first=found.first,
        last=found.last,
        summary=found.summary,
        has_children=found.has_children,
        children=[node(child) for child in found.children],
        records=[record(one) for one in found.records],
    )


def stretch(found: Stretch) -> schema.TimelineReply:
    """A stretch of a timeline."""
    return schema.TimelineReply(
        label=found.label,
        total=found.total,
        records=[record(one) for one in found.records],
        before=found.before,
        after=found.after,
        months=[schema.MonthEntry.model_validate(month) for month in found.months],
    )
