"""Reciprocal rank: how far one reads until the first needed piece. Its mean over questions is MRR.

Source: Voorhees 1999 (TREC-8 question answering); trec_eval's `recip_rank`.
"""

from collections.abc import Sequence

from treering.evaluation.benchmark import Question
from treering.evaluation.metrics.ndcg import credited

__all__ = ["reciprocal_rank"]


def reciprocal_rank(question: Question, ids: Sequence[str]) -> float:
    """One over the rank of the first needed piece; 0 where none comes.

    >>> reciprocal_rank(Question("q", "?", "multi", evidence=frozenset("ab")), ["x", "b", "a"])
    0.5
    """
    ranks = credited(question, ids)
    return 1 / ranks[0] if ranks else 0.0
