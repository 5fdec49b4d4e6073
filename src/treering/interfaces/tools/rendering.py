"""The replies of the verbs as headings and texts; what frames them is `framing`, and no mark is set here.

A lead is made of our own words and numbers alone: every name, title, id and text goes into a block.
"""

from collections.abc import Iterator

from treering.interfaces.schema import (
    ActorsReply,
    AskReply,
    ChannelsReply,
    EvidenceEntry,
    HistoryReply,
    NodeEntry,
    RecordReply,
    SearchReply,
    StatusReply,
    TimelineReply,
    TreeReply,
    TreesReply,
)
from treering.interfaces.tools.framing import Block
from treering.text.inert import inert

__all__ = [
    "Page",
    "answered",
    "channels_page",
    "evidence_blocks",
    "history_blocks",
    "people_page",
    "record_block",
    "status_block",
    "timeline_blocks",
    "tree_blocks",
    "trees_page",
]

Page = tuple[str, list[Block]]  # our lead, and the blocks under it

NOTHING = "Nothing found within these bounds. Ask in other words, or without `as_of`."
_READ_ON = "`record` with its id shows all of it."


def evidence_blocks(found: SearchReply) -> Page:
    """Evidence first, then what programs noted beside it."""
    blocks = [_evidence(f"record {item.id}", item) for item in found.evidence]
    blocks += [
        Block(
            f"fact stated by record {fact.record}, {fact.valid_from:%Y-%m-%d}",
            f"{fact.subject} {fact.relation} {fact.object}".rstrip(),
        )
        for fact in found.facts
    ]
    blocks += [
        Block(f"generated summary, no record | {one.tree}, level {one.level}", one.text) for one in found.headers
    ]
    if found.notes:
        blocks.append(Block("notes on the search", "\n".join(found.notes)))
    if not found.evidence:
        return NOTHING, blocks
    return f"{len(found.evidence)} pieces of evidence, the best first. Cite them as [record NUMBER].", blocks


def answered(reply: AskReply) -> Page:
    """The answer, then the evidence that its numbers mean."""
    lead = "An answer made by a program from the records below it; [1] means the record marked [1]."
    if not reply.supported:
        lead = "The records do not answer this. What was searched:"
    blocks = [Block(f"answer by {reply.model}, no record", reply.text)]
    blocks += [
        _evidence(f"[{cited.number}] record {cited.record}", reply.evidence.evidence[cited.number - 1])
        for cited in reply.citations
    ]
    if reply.notes:
        blocks.append(Block("notes on the answer", "\n".join(reply.notes)))
    return lead, blocks


def record_block(record: RecordReply, start: int = 0) -> Block:
    """A record from a character of its text on; characters are counted as they are shown."""
    text = inert(record.text)
    cut = f" | from character {start} of {len(text)}" if start else ""
    rest = f"Read on with `start`: {start} plus that." if start else "Read on with that as `start`."
    return Block(_heading(record) + cut, text[start:] or f"({record.event or record.change})", rest)


def history_blocks(history: HistoryReply) -> Page:
    """Each version with what it changed."""
    blocks = [
        Block(f"version {one.record.version} | {_heading(one.record)}", one.diff or one.record.text, _READ_ON)
        for one in history.versions
    ]
    return f"Versions, oldest first: {len(blocks)}; each with what it changed.", blocks


def trees_page(found: TreesReply) -> Page:
    """The trees of a forest, a line each."""
    blocks = [
        Block(f"{one.view} tree | key {one.key} | {one.label} | {_count(one.leaves)} | {one.first:%Y-%m-%d} to"
              f" {one.last:%Y-%m-%d}")
        for one in found.trees
    ]  # fmt: skip
    return f"{len(blocks)} of {found.total} trees.", [*blocks, *_next(found.next)]


def tree_blocks(found: TreeReply) -> Page:
    """A part of a tree: its nodes with their summaries, and the records just above which it ends."""
    blocks = [Block(f"{found.view} tree | key {found.key} | {found.label}"), *_nodes(found.node)]
    return "Summaries are generated; records are verbatim. `node` opens the node of that path.", blocks


def timeline_blocks(found: TimelineReply) -> Page:
    """Records in order of time."""
    blocks = [record_block(record) for record in found.records]
    beside = [Block(found.label)] if blocks else []
    for cursor, where in ((found.before, "before"), (found.after, "after")):
        if cursor:
            beside.append(Block(f"what came {where} these: cursor {cursor}"))
    return f"{len(blocks)} of {found.total} records, oldest first.", [*beside, *blocks]


def people_page(found: ActorsReply) -> Page:
    """Participants, a line each."""
    blocks = [
        Block(f"{one.name} | {one.kind} | id {one.id} | {_count(one.records)}{_span(one.first, one.last)}")
        for one in found.actors
    ]
    return f"{len(blocks)} of {found.total} people.", [*blocks, *_next(found.next)]


def channels_page(found: ChannelsReply) -> Page:
    """Channels, a line each."""
    blocks = [
        Block(f"{one.name} | {one.kind} | id {one.id} | {_count(one.records)}{_span(one.first, one.last)}")
        for one in found.channels
    ]
    return f"{len(blocks)} of {found.total} channels.", [*blocks, *_next(found.next)]


def status_block(status: StatusReply) -> Page:
    """What there is, counted."""
    lines = [f"records: {status.records}", f"channels: {status.channels}", f"people: {status.actors}"]
    if status.first and status.last:
        lines.append(f"from {status.first:%Y-%m-%d} to {status.last:%Y-%m-%d}")
    lines.append(f"seen by: {status.viewer or 'the owner'}")
    lines.append(f"answers by: {status.answers}")
    return "What the memory holds, as far as you may see it.", [Block("status", "\n".join(lines))]


def _evidence(label: str, item: EvidenceEntry) -> Block:
    parts = [label, f"{item.kind} in {item.channel} by {item.author or 'nobody named'}", _when(item)]
    parts += [f"{item.source}/{item.source_id}"]
    parts += [item.state] if item.state not in ("", "current") else []
    parts += [f"titled {item.title}"] if item.title else []
    parts += [f"thread {item.thread}"] if item.thread else []
    return Block(" | ".join(parts), item.text, _READ_ON)


def _heading(record: RecordReply) -> str:
    parts = [f"record {record.id}", f"{record.kind} in {record.channel} by {record.author or 'nobody named'}"]
    parts += [_when(record), f"{record.source}/{record.source_id}"]
    parts += [record.state] if record.state not in ("", "current") else []
    parts += [f"titled {record.title}"] if record.title else []
    parts += [f"thread {record.thread}"] if record.thread else []
    parts += [f"replies to record {record.reply_to_record}"] if record.reply_to_record else []
    return " | ".join(parts)


def _nodes(node: NodeEntry) -> Iterator[Block]:
    dates = f" | {node.first:%Y-%m-%d} to {node.last:%Y-%m-%d}" if node.first and node.last else ""
    yield Block(f"node {node.path or 'root'} | {node.label} | {_count(node.leaves)}{dates}", node.summary)
    for child in node.children:
        yield from _nodes(child)
    for record in node.records:
        yield record_block(record)


def _next(cursor: str | None) -> list[Block]:
    return [Block(f"more with cursor {cursor}")] if cursor else []


def _when(item: EvidenceEntry | RecordReply) -> str:
    return f"{item.valid_from:%A %Y-%m-%d %H:%M} UTC"


def _span(first: object, last: object) -> str:
    return f" | {first:%Y-%m-%d} to {last:%Y-%m-%d}" if first and last else ""


def _count(number: int) -> str:
    return "1 record" if number == 1 else f"{number} records"
