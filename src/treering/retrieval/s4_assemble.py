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
from treering.retrieval.excerpts import excerpt, matching_words
from treering.retrieval.fusion import falling
from treering.retrieval.searchable import Asking, Searchable
from treering.text.tokens import estimate_tokens

__all__ = ["Candidate", "assemble_headers", "render"]

LONGEST_SHARE = 0.25  # of the budget, for any one text but the first
SPANS_MAX = 3  # passages of a document that are pointed at


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row on its way to become evidence."""

    row: int
    stage: Stage
    score: float
    why: str


def render(
    memory: Searchable, asking: Asking, candidates: Sequence[Candidate], budget: int | None
) -> tuple[tuple[Evidence, ...], int]:
    """Candidates as evidence, in order, until the next would pass the budget; and how many did not fit.

    Of a text longer than its share of the budget, the stretch nearest the question is shown; the whole is one call
    away. The first piece is always given, shortened if need be: a budget that nothing fits would look like "nothing
    found". `spans` count within the text shown.
    """
    records = memory.log.records([candidate.row + 1 for candidate in candidates], asking.admissible.known)
    names = {channel.id: channel.name for channel in memory.channels}
    scores = falling([candidate.score for candidate in candidates])
    words = matching_words(asking.spec.text)
    evidence: list[Evidence] = []
    spent = 0
    for record, candidate, score in zip(records, candidates, scores, strict=True):
        start, stop = 0, len(record.text)
        if budget is not None:
            share = max(int(budget * LONGEST_SHARE), 1) if evidence else budget
            start, stop = excerpt(record.text, share, words)
        text = record.text[start:stop]
        tokens = estimate_tokens(text)
        if budget is not None and tokens > budget - spent:
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
                spans=_spans(memory, record, words, start, stop),
                tokens=tokens,
                state=memory.supersession.state(candidate.row, asking.admissible),
                stage=candidate.stage,
                score=score,
                why=candidate.why,
                title=record.title,
            )
        )
    return tuple(evidence), len(candidates) - len(evidence)


def _spans(
    memory: Searchable, record: Record, words: frozenset[str], start: int, stop: int
) -> tuple[tuple[int, int], ...]:
    """The passages shown that share most words with the question; a message is one passage."""
    if record.kind is RecordKind.MESSAGE:
        return ((0, stop - start),)
    rows = memory.connection.execute(
        "SELECT max(start, ?2), min(stop, ?3) FROM passage WHERE record = ?1 AND start < ?3 AND stop > ?2 ORDER BY id",
        (record.id, start, stop),
    ).fetchall()
    shared = [len(matching_words(record.text[a:b]) & words) for a, b in rows]
    best = sorted(range(len(rows)), key=lambda place: (-shared[place], place))[:SPANS_MAX]
    return tuple((rows[place][0] - start, rows[place][1] - start) for place in sorted(best))


def assemble_headers(
    memory: Searchable, asking: Asking, evidence: Sequence[Evidence], nodes: dict[int, int], tokens_left: int
) -> tuple[Header, ...]:
    """The chains of summaries above what S2 found, from the node outwards, as far as bounds and tokens reach."""
    forest = memory.forest
    whole = forest.wholly_admissible_nodes(asking.admissible.whole)  # the rest speak of what lies outside the bounds
    below: dict[int, list[RecordId]] = {}
    for item in evidence:
        node = nodes.get(item.record - 1)
        if node is not None:
            below.setdefault(node, []).append(item.record)
    wanted: dict[int, tuple[RecordId, ...]] = {}
    paths = [([one for one in forest.path(node)[::-1] if whole[one]], records) for node, records in below.items()]
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
