"""One question from bounds to evidence: the legs, then the stages that the profile asks for, in the paper's order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treering.access.bounds import Bounds, admissible
from treering.errors import ModelUnavailable
from treering.index.sparse import TermWeights
from treering.model.evidence import Evidence, Fact, Header, Stage, StageTrace
from treering.models.protocol import Reranker
from treering.retrieval.facts import facts_for
from treering.retrieval.fusion import Ranking, fuse, top
from treering.retrieval.lift import rank_lifted
from treering.retrieval.mempp import rank_mempp
from treering.retrieval.profiles import ForestSettings, Leg, Profile
from treering.retrieval.query import QuerySpec
from treering.retrieval.rerank import reranked
from treering.retrieval.s1_anchor import Anchored, anchor
from treering.retrieval.s2_supplement import Supplemented, supplement
from treering.retrieval.s3_complete import complete
from treering.retrieval.s4_assemble import Candidate, assemble_headers, render
from treering.retrieval.searchable import Asking, Searchable
from treering.text.analysis import analyze_query

__all__ = ["Encoded", "Retrieved", "ask", "retrieve"]

NO_VECTORS = "no vectors here yet: ranked by words alone (BM25)"


@dataclass(frozen=True, slots=True)
class Encoded:
    """The question as its encoders see it; None where a leg is not wanted or the memory has no such index."""

    dense: NDArray[np.float32] | None = None
    sparse: TermWeights | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Evidence in rank order, its headers, the facts beside it, and how it came about."""

    evidence: tuple[Evidence, ...]
    headers: tuple[Header, ...]
    trace: tuple[StageTrace, ...]
    notes: tuple[str, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def tokens(self) -> int:
        """Of everything shown, by the counter of the budget."""
        shown = (self.evidence, self.headers, self.facts)
        return sum(part.tokens for parts in shown for part in parts)


def ask(memory: Searchable, spec: QuerySpec, bounds: Bounds, profile: Profile, encoded: Encoded) -> Asking:
    """Score every admissible record with the legs of the profile."""
    masks = admissible(memory.columns, memory.channels, bounds)
    rankings: list[Ranking] = []
    weights: list[float] = []
    notes: list[str] = []
    lexical = np.zeros(memory.columns.records, dtype=np.float32)
    if profile.lift is None and (Leg.LEXICAL in profile.legs or encoded.dense is None):
        lexical = _by_record(memory, memory.lexical.scores(analyze_query(spec.matched), masks.passages))
        rankings.append(top(lexical, profile.pool, memory.record_ties))
        weights.append(1.0)
    similar: NDArray[np.float32] | None = None
    passages_similar: NDArray[np.float32] | None = None
    if Leg.DENSE in profile.legs:
        if memory.dense is None or encoded.dense is None:
            if profile.legs == (Leg.DENSE,):
                raise ModelUnavailable("this memory has no vectors: run `treering rebuild` without --no-embed first")
            notes.append(NO_VECTORS)
        else:
            passages_similar = memory.dense.similarities(encoded.dense, masks.passages)
            similar = _by_record(memory, passages_similar, missing=-1.0)
            rankings.append(top(similar, profile.pool, memory.record_ties, above=-1.0))
            weights.append(profile.lambda_dense)
    asking = Asking(
        spec=spec,
        bounds=bounds,
        admissible=masks,
        query_vector=encoded.dense,
        query_terms=encoded.sparse,
        lexical=lexical,
        similar=similar,
        passages_similar=passages_similar,
        relevant=_relevant(lexical, similar, masks.records),
        fused=rankings[0] if len(rankings) == 1 else fuse(rankings, weights, profile.eta, memory.record_ties),
        trees=memory.trees_within(masks) if profile.forest is not None else np.empty(0, dtype=np.bool_),
        node_similar=np.empty(0, dtype=np.float32),
        notes=tuple(notes),
    )
    return replace(asking, node_similar=_node_similar(memory, asking)) if profile.forest is not None else asking


def retrieve(
    memory: Searchable,
    asking: Asking,
    profile: Profile,
    k: int,
    budget: int | None,
    reranker: Reranker | None = None,
) -> Retrieved:
    """At most `k` pieces of evidence within `budget` tokens (None: no limit)."""
    if profile.forest is not None:
        return _through_stages(memory, asking, profile.forest, k, budget)
    if profile.mempp is not None:
        candidates, trace = rank_mempp(memory, asking, profile.mempp, k)
        facts = facts_for(memory, asking, [one.row for one in candidates], profile.mempp.triples)
    elif profile.lift is not None:
        candidates, trace = rank_lifted(memory, asking, profile.lift, max(k, profile.lift.rerank_pool * bool(reranker)))
        if reranker is not None:
            candidates = reranked(memory, asking, profile.lift, candidates, reranker)[:k]
            trace = replace(trace, notes=(*trace.notes, f"read once more by {reranker.name}"))
        facts = ()
    else:
        candidates, trace = _fused_alone(asking, profile, k)
        facts = ()
    if budget is not None:
        budget -= sum(fact.tokens for fact in facts)
    evidence, unfit = render(memory, asking, candidates, budget)
    trace = replace(
        trace,
        kept=tuple(item.source_id for item in evidence),
        dropped={**trace.dropped, "over the budget": unfit},
    )
    return Retrieved(evidence, (), (trace,), asking.notes, facts)


def _fused_alone(asking: Asking, profile: Profile, k: int) -> tuple[list[Candidate], StageTrace]:
    candidates = [
        Candidate(row, Stage.RANK, score, f"{profile.name} rank {rank}")
        for rank, (row, score) in enumerate(_pairs(asking.fused)[:k], 1)
    ]
    return candidates, StageTrace(Stage.RANK, len(asking.fused), (), {"past k": max(len(asking.fused) - k, 0)})


def _through_stages(
    memory: Searchable, asking: Asking, settings: ForestSettings, k: int, budget: int | None
) -> Retrieved:
    scale = k / settings.messages
    stages = settings.stages
    expansion = round(settings.quota_expansion * scale) if stages & {Stage.S2, Stage.S3} else 0
    anchored = anchor(memory, asking, settings, max(k - expansion, 1))
    first = list(anchored.rows)
    supplemented: Supplemented | None = None
    second: list[int] = []
    if Stage.S2 in stages:
        supplemented = supplement(memory, asking, settings, anchored.trees, set(first))
        second = list(supplemented.rows)
    reserved = min(round(settings.reserve_s3 * scale), expansion) if Stage.S3 in stages else 0
    third: list[int] = []
    how: dict[int, str] = {}
    traces = [anchored.trace, *([supplemented.trace] if supplemented else [])]
    if Stage.S3 in stages:
        bridges_max = max(round(settings.bridge_messages * scale), 1)
        sure = [*first, *second[: expansion - reserved]]
        completed = complete(memory, asking, settings, sure, bridges_max)
        third = list(completed.rows[: expansion if Stage.S2 not in stages else reserved])
        how = completed.how
        traces.append(completed.trace)
    second = [row for row in second if row not in set(third)][: expansion - len(third)]
    chosen = {*first, *second, *third}
    rest = [row for row in anchored.overflow if row not in chosen][: max(k - len(chosen), 0)]
    candidates = _candidates(memory, asking, anchored, supplemented, how, (first, second, third, rest))
    assembling = Stage.S4 in stages
    evidence, unfit = render(memory, asking, candidates[:k], budget if assembling else None)
    headers: tuple[Header, ...] = ()
    if assembling and budget is not None and supplemented is not None:
        left = budget - sum(item.tokens for item in evidence)
        left = min(left, int(budget * settings.header_share))
        headers = assemble_headers(memory, asking, evidence, supplemented.nodes, left)
    traces = [
        replace(trace, kept=tuple(item.source_id for item in evidence if item.stage is trace.stage)) for trace in traces
    ]
    if assembling:
        kept = tuple(item.source_id for item in evidence)
        traces.append(StageTrace(Stage.S4, len(candidates), kept, {"over the budget": unfit}))
    return Retrieved(evidence, headers, tuple(traces), asking.notes)


def _candidates(
    memory: Searchable,
    asking: Asking,
    anchored: Anchored,
    supplemented: Supplemented | None,
    how: dict[int, str],
    groups: tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]],
) -> list[Candidate]:
    """Rows in stage order; scores are only there to fall with rank, since stages cannot be compared."""
    first, second, third, rest = groups
    fused = dict(_pairs(asking.fused))
    rank = {row: place for place, row in enumerate(asking.fused.rows.tolist(), 1)}
    nodes = supplemented.nodes if supplemented else {}
    floor = min((fused[row] for row in first), default=1.0)
    candidates = [Candidate(row, Stage.S1, fused[row], f"anchor, rank {rank[row]} of both legs") for row in first]
    for row in second:
        node = nodes[row]
        tree = memory.title(int(memory.forest.node_tree[node]))
        floor *= 0.99
        candidates.append(
            Candidate(row, Stage.S2, floor, f"below a summary of {tree}, level {memory.forest.node_level[node]}")
        )
    for row in third:
        floor *= 0.99
        candidates.append(Candidate(row, Stage.S3, floor, how[row]))
    for row in rest:
        floor = min(floor * 0.99, fused[row])
        candidates.append(Candidate(row, Stage.S1, floor, f"anchor, rank {rank[row]} of both legs"))
    return candidates


def _relevant(
    lexical: NDArray[np.float32], similar: NDArray[np.float32] | None, admissible: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """The sum of the legs, each divided by its range among the admissible records: ranks would need all of them."""
    relevant = lexical / max(float(lexical.max(initial=0.0)), 1e-9)
    if similar is not None and admissible.any():
        least, most = float(similar[admissible].min()), float(similar[admissible].max())
        relevant = relevant + (similar - least) / max(most - least, 1e-9)
    return relevant.astype(np.float32)


def _pairs(ranking: Ranking) -> list[tuple[int, float]]:
    return list(zip(ranking.rows.tolist(), ranking.scores.tolist(), strict=True))


def _by_record(memory: Searchable, passages: NDArray[np.float32], missing: float = 0.0) -> NDArray[np.float32]:
    """Each record's best passage."""
    scores = np.full(memory.columns.records, missing, dtype=np.float32)
    np.maximum.at(scores, memory.columns.passage_record, passages)
    return scores


def _node_similar(memory: Searchable, asking: Asking) -> NDArray[np.float32]:
    """The question's similarity to each node's summary; minus infinity where a node is not wholly admissible.

    Without vectors a node is as near as its leaves are on average, by their words.
    """
    forest = memory.forest
    admissible_nodes = forest.wholly_admissible_nodes(asking.admissible.whole) & asking.trees[forest.node_tree]
    if memory.nodes is not None and asking.query_vector is not None:
        similar = memory.nodes.matrix @ asking.query_vector
        admissible_nodes = admissible_nodes & memory.nodes.present
    else:
        rows = asking.admissible.leaf_record[forest.leaves]
        scores = np.where(rows >= 0, asking.lexical[rows], 0.0)
        sums = np.concatenate([[0.0], np.cumsum(scores, dtype=np.float64)])
        similar = (sums[forest.node_last] - sums[forest.node_first]) / (forest.node_last - forest.node_first)
    return np.where(admissible_nodes, similar, -np.inf).astype(np.float32)
