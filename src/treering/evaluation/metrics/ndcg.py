"""nDCG: recall that pays less for what comes later.

Source: Järvelin and Kekäläinen 2002, with the discount 1/log2(rank + 1) and gains of 0 and 1, as trec_eval's
`ndcg_cut`. Where one piece is needed, the first that states it has its gain, and further ones have none.
"""

from collections.abc import Sequence
from math import log2

from treering.evaluation.benchmark import Question

__all__ = ["credited", "ndcg"]


def credited(question: Question, ids: Sequence[str]) -> list[int]:
    """The ranks, from 1, at which a needed piece is met for the first time."""
    wanted = set(question.evidence)
    if len(wanted) > 1:
        return [rank for rank, name in enumerate(ids, 1) if name in wanted]
    return [rank for rank, name in enumerate(ids, 1) if name in wanted | question.supporting][:1]


def ndcg(question: Question, ids: Sequence[str], k: int) -> float:
    """The discounted gain of the first k places over that of a perfect order.

    >>> round(ndcg(Question("q", "?", "multi", evidence=frozenset("ab")), ["x", "a", "y"], 10), 4)
    0.3869
    """
    gain = sum(1 / log2(rank + 1) for rank in credited(question, ids[:k]))
    return gain / sum(1 / log2(rank + 1) for rank in range(1, min(k, len(question.evidence)) + 1))
