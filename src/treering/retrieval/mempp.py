"""Mem++: whole records within the bounds, three legs, weighted fusion, places kept for what is latest.

Candidates are active records: edited away, deleted or marked by consolidation, all as of the bounds, they are not. A
record that says word for word what its author said again later stands back for the later one; a next version never
hides the one before. Source: Mem++ section 3.3 as its public implementation documents it; DESIGN section 5.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treering.model.evidence import Stage, StageTrace
from treering.retrieval.facts import fact_scores
from treering.retrieval.fusion import Ranking, fuse, top
from treering.retrieval.labels import tag_scores
from treering.retrieval.profiles import Leg, MemppSettings
from treering.retrieval.s4_assemble import Candidate
from treering.retrieval.searchable import Asking, Searchable
from treering.retrieval.timing import held_in
from treering.text.analysis import analyze_query

__all__ = ["active", "rank_mempp"]


@dataclass(frozen=True, slots=True)
class _Fused:
    ranking: Ranking
    places: dict[int, dict[Leg, int]]  # of each row, its rank in each leg that found it


def rank_mempp(
    memory: Searchable, asking: Asking, settings: MemppSettings, k: int
) -> tuple[list[Candidate], StageTrace]:
    """At most `k` candidates, best first; those in the places kept for the latest come last."""
    rows = active(memory, asking, settings)
    later_first = -np.arange(memory.columns.records, dtype=np.int64)
    fused = _fused(memory, asking, settings, rows, later_first)
    order = fused.ranking.rows.tolist()
    scores = dict(zip(order, fused.ranking.scores.tolist(), strict=True))
    reserved = settings.reserve * k // settings.places  # never a larger share than the published one
    first = order[: max(k - reserved, 0)] if len(order) > k else order[:k]
    rest = order[len(first) :]
    dated = memory.columns.record_valid_from
    latest = sorted(rest, key=lambda row: (-int(dated[row]), -row))[: k - len(first)]
    candidates = [Candidate(row, Stage.RANK, scores[row], _why(fused.places[row])) for row in first]
    candidates += [
        Candidate(row, Stage.RANK, scores[row], f"{_why(fused.places[row])}; in a place kept for the latest")
        for row in sorted(latest, key=order.index)
    ]
    trace = StageTrace(
        Stage.RANK,
        seen=int(np.count_nonzero(rows)),
        kept=(),
        dropped={"past k": max(len(order) - k, 0)},
        notes=(f"places kept for the latest: {len(latest)}",),
    )
    return candidates, trace


def active(memory: Searchable, asking: Asking, settings: MemppSettings) -> NDArray[np.bool_]:
    """The mask of candidates: admissible, with words, said last by its author, and not marked by consolidation."""
    records: NDArray[np.bool_] = asking.admissible.records & (memory.text_hash != 0)
    rows = np.flatnonzero(records)
    order = np.lexsort((-rows, -memory.columns.record_valid_from[rows], memory.text_hash[rows]))
    ordered = rows[order]
    again = np.zeros(len(ordered), dtype=np.bool_)
    again[1:] = memory.text_hash[ordered[1:]] == memory.text_hash[ordered[:-1]]
    records[ordered[again]] = False
    if settings.consolidated:
        older, newer = memory.consolidated[:, 0], memory.consolidated[:, 1]
        records[older[asking.admissible.records[newer]]] = False
    return records


def _fused(
    memory: Searchable, asking: Asking, settings: MemppSettings, rows: NDArray[np.bool_], ties: NDArray[np.int64]
) -> _Fused:
    rankings: dict[Leg, Ranking] = {}
    if Leg.LEXICAL in settings.legs:
        lexical = np.where(rows, asking.lexical, 0.0)
        if settings.conjunctive:
            lexical = np.where(_holds_all(memory, asking), lexical, 0.0)
        rankings[Leg.LEXICAL] = top(lexical, settings.pool, ties)
    if Leg.TAG in settings.legs:
        rankings[Leg.TAG] = top(np.where(rows, tag_scores(memory, asking.spec.text), 0.0), settings.pool, ties)
    if Leg.DENSE in settings.legs and asking.similar is not None:
        similar = np.where(rows, asking.similar, -1.0)
        rankings[Leg.DENSE] = top(similar, settings.pool, ties, above=-1.0)
    if Leg.FACT in settings.legs:
        facts = fact_scores(memory, asking.spec)
        rankings[Leg.FACT] = top(np.where(rows, facts, 0.0), settings.pool, ties)
    weights = {
        Leg.LEXICAL: settings.weight_lexical,
        Leg.TAG: settings.weight_tag,
        Leg.DENSE: settings.weight_vector,
        Leg.FACT: settings.weight_fact,
    }
    ranking = fuse(list(rankings.values()), [weights[leg] for leg in rankings], settings.eta, ties, first_rank=0)
    if asking.spec.dates:
        held = held_in(memory, asking, ranking.rows)
        scores = np.where(held, ranking.scores * settings.date_boost, ranking.scores)
        order = np.lexsort((ties[ranking.rows], -scores))
        ranking = replace(ranking, rows=ranking.rows[order], scores=scores[order])
    places: dict[int, dict[Leg, int]] = {}
    for leg, found in rankings.items():
        for place, row in enumerate(found.rows.tolist()):
            places.setdefault(row, {})[leg] = place
    return _Fused(ranking, places)


def _holds_all(memory: Searchable, asking: Asking) -> NDArray[np.bool_]:
    """Which records hold every term of the question, in whatever passages."""
    terms = analyze_query(asking.spec.matched)
    passages = memory.columns.passage_record
    found = np.zeros(memory.columns.records, dtype=np.int32)
    for term in terms:
        holding = np.zeros(memory.columns.records, dtype=np.bool_)
        holding[passages[memory.lexical.scores([term], asking.admissible.passages) > 0]] = True
        found += holding
    all_found: NDArray[np.bool_] = found == len(terms)
    return all_found


def _why(places: dict[Leg, int]) -> str:
    """In which legs a record was found, ranks from 1 as people count."""
    return ", ".join(f"{leg} rank {place + 1}" for leg, place in places.items()) or "matched"
