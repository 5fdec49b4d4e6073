"""Precision: how much of what is shown is of use.

Source: precision at k as trec_eval counts it (`P_k`): a ranking shorter than k is not excused. A piece is of use when
it is needed or states the same as what is needed.
"""

from collections.abc import Sequence

from treering.evaluation.benchmark import Question

__all__ = ["precision"]


def precision(question: Question, ids: Sequence[str], k: int) -> float:
    """The share of the first k places that hold a piece of use.

    >>> precision(Question("q", "?", "single", evidence=frozenset("a"), supporting=frozenset("b")), ["b", "a", "x"], 4)
    0.5
    """
    return len(set(ids[:k]) & (question.evidence | question.supporting)) / k
