"""Triples as Memg++ uses them: up to a few facts beside the evidence, each with its date and record; or as a leg.

The paper's triples carry no date and pass every bound. Here a triple is known only where its record is admissible, so
as-of, known-at and visibility hold for it as for the record. Best are triples whose both ends the question names, then
those whose record is among the evidence, then the latest.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treering.log.registry import folded
from treering.model.evidence import Fact
from treering.model.ids import RecordId
from treering.model.records import instant
from treering.retrieval.labels import phrases_of
from treering.retrieval.query import QuerySpec
from treering.retrieval.searchable import Asking, Searchable
from treering.text.tokens import estimate_tokens

__all__ = ["fact_scores", "facts_for"]

_COLUMNS = "t.record, t.subject, t.relation, t.object, t.subject_folded, t.object_folded, t.extractor"


def facts_for(memory: Searchable, asking: Asking, rows: Sequence[int], count: int) -> tuple[Fact, ...]:
    """At most `count` triples about what the question names, or stated by the evidence, within the bounds."""
    if count == 0:
        return ()
    named = _named(asking.spec)
    evidence = {row + 1 for row in rows}
    ranked: dict[tuple[str, str, str], tuple[tuple[int, int, int, int], tuple[object, ...]]] = {}
    for found in _candidates(memory, named):
        record, subject, relation, object_, subject_folded, object_folded, _ = found
        if not asking.admissible.records[record - 1]:
            continue
        ends = (subject_folded in named) + (object_folded in named)
        at = int(memory.columns.record_valid_from[record - 1])
        rank = (-ends, -int(record in evidence), -at, record)
        key = (subject, relation, object_)
        if ends and (key not in ranked or rank < ranked[key][0]):
            ranked[key] = (rank, found)
    best = sorted(ranked.values(), key=lambda one: one[0])[:count]
    return tuple(_fact(memory, found) for _, found in best)


def fact_scores(memory: Searchable, spec: QuerySpec) -> NDArray[np.float32]:
    """How many ends of its best triple the question names, for each record; whether it is admissible is not asked."""
    named = _named(spec)
    scores = np.zeros(memory.columns.records, dtype=np.float32)
    for record, _, _, _, subject, object_, _ in _candidates(memory, named):
        scores[record - 1] = max(scores[record - 1], (subject in named) + (object_ in named))
    return scores


def _named(spec: QuerySpec) -> set[str]:
    return {*phrases_of(spec.text), *(folded(entity.label) for entity in spec.entities)}


def _candidates(memory: Searchable, named: set[str]) -> list[tuple]:  # type: ignore[type-arg]
    names = sorted(named - {""})
    found: list[tuple] = []  # type: ignore[type-arg]
    for start in range(0, len(names), 400):
        some = names[start : start + 400]
        marks = ",".join("?" * len(some))
        found += memory.connection.execute(
            f"SELECT {_COLUMNS} FROM triple t WHERE t.subject_folded IN ({marks}) AND t.record <= ?"
            f" UNION SELECT {_COLUMNS} FROM triple t WHERE t.object_folded IN ({marks}) AND t.record <= ?",
            (*some, memory.last, *some, memory.last),
        ).fetchall()
    return found


def _fact(memory: Searchable, found: tuple) -> Fact:  # type: ignore[type-arg]
    record, subject, relation, object_, _, _, extractor = found
    source, source_id, valid_from = memory.connection.execute(
        "SELECT source, source_id, valid_from FROM record WHERE id = ?", (record,)
    ).fetchone()
    return Fact(
        subject, relation, object_, RecordId(record), source, source_id, instant(valid_from), extractor,
        estimate_tokens(f"{subject} {relation} {object_}"),
    )  # fmt: skip
