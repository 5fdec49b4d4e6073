"""S4, budget-aware assembly: candidates in stage order become verbatim evidence, and headers take what is left.

Follows section 3.2.4 of the EGCForest paper: no score is compared across stages; messages come first, headers are told
apart from them and never take more than their share of the budget.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from treering.model.drafts import RecordKind
from treering.model.evidence import Evidence, Header, Stage
from treering.model.ids import RecordId
from treering.model.records import Record
from treering.retrieval.fusion import falling
from treering.retrieval.searchable import Searchable
from treering.text.tokens import estimate_tokens

__all__ = ["Candidate", "assemble_headers", "render"]

LONGEST_SHARE = 0.25  # of the budget, for any one text but the first


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row on its way to become evidence."""

    row: int
    stage: Stage
    score: float
    why: str


def render(memory: Searchable, candidates: Sequence[Candidate], budget: int | None) -> tuple[tuple[Evidence, ...], int]:
    """Candidates as evidence, in order, until the next would pass the budget; and how many did not fit.

    A text longer than its share of the budget is shown as its beginning, the whole is one call away. The first piece
    is always given, shortened if need be: a budget that nothing fits would look like "nothing found".
    """
    records = memory.log.records([candidate.row + 1 for candidate in candidates])
    names = {channel.id: channel.name for channel in memory.channels}
    scores = falling([candidate.score for candidate in candidates])
    evidence: list[Evidence] = []
    spent = 0
    for record, candidate, score in zip(records, candidates, scores, strict=True):
        text, spans = record.text, _spans(memory, record)
        tokens = estimate_tokens(text)
        if budget is not None:
            share = max(int(budget * LONGEST_SHARE), 1) if evidence else budget
            if tokens > share:
                text, spans = _shortened(text, share)
                tokens = estimate_tokens(text)
            if tokens > budget - spent:
                continue
        spent += tokens
        evidence.append(
            Evidence(
                record=record.id,
                source=record.source,
                source_id=record.source_id,
                version=record.version,
                kind=record.kind.value,
                channel=names[record.channel],
                thread=record.thread,
                author=record.author_name,
                valid_from=record.valid_from,
                text=text,
                spans=spans,
                tokens=tokens,
                state="current",
                stage=candidate.stage,
                score=score,
                why=candidate.why,
            )
        )
    return tuple(evidence), len(candidates) - len(evidence)


def _spans(memory: Searchable, record: Record) -> tuple[tuple[int, int], ...]:
    """The passages of a record that matched; a message is one passage."""
    if record.kind is RecordKind.MESSAGE:
        return ((0, len(record.text)),)
    rows = memory.connection.execute(
        "SELECT id, start, stop FROM passage WHERE record = ? ORDER BY id", (record.id,)
    ).fetchall()
    return tuple((start, stop) for _, start, stop in rows[:3])


def _shortened(text: str, tokens_max: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The beginning of a text, verbatim, cut at a space where there is one."""
    cut = len(text)
    while cut > 1 and estimate_tokens(text[:cut]) > tokens_max:
        cut = max(int(cut * 0.9), 1)
    space = text.rfind(" ", 0, cut)
    cut = space if space > cut // 2 else cut
    return text[:cut], ((0, cut),)


def assemble_headers(
    memory: Searchable, evidence: Sequence[Evidence], nodes: dict[int, int], tokens_left: int
) -> tuple[Header, ...]:
    """The chains of summaries above what S2 found, from the node outwards, as far as the tokens reach."""
    forest = memory.forest
    below: dict[int, list[RecordId]] = {}
    for item in evidence:
        node = nodes.get(item.record - 1)
        if node is not None:
            below.setdefault(node, []).append(item.record)
    wanted: dict[int, tuple[RecordId, ...]] = {}
    paths = [(forest.path(node)[::-1], records) for node, records in below.items()]
    for depth in range(max((len(path) for path, _ in paths), default=0)):
        for path, records in paths:
            if depth < len(path):
                wanted[path[depth]] = (*wanted.get(path[depth], ()), *records)
    texts = forest.summary_texts(memory.connection, wanted)
    headers: list[Header] = []
    for node, under in wanted.items():
        text = texts.get(node, "")
        tokens = estimate_tokens(text)
        if text and tokens <= tokens_left:
            tokens_left -= tokens
            tree = int(forest.node_tree[node])
            headers.append(Header(memory.title(tree), int(forest.node_level[node]), text, tokens, under))
    return tuple(headers)
