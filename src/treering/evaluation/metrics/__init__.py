"""What a ranking is worth to a question, by every metric at every cut. Each has its module and its definition."""

from collections.abc import Mapping, Sequence

from treering.evaluation.benchmark import Question
from treering.evaluation.metrics.attribution import attribution, sources
from treering.evaluation.metrics.ndcg import ndcg
from treering.evaluation.metrics.precision import precision
from treering.evaluation.metrics.recall import all_evidence, any_evidence, recall
from treering.evaluation.metrics.reciprocal_rank import reciprocal_rank
from treering.evaluation.metrics.stale import stale
from treering.evaluation.ranking import Ranked

__all__ = ["WHOLE", "measure"]

WHOLE = ("mrr",)  # of the deepest ranking asked for; all others are at cuts

Said = Mapping[str, tuple[str | None, str | None]]


def measure(
    question: Question, rankings: Mapping[int, Sequence[Ranked]], said: Said, *, whole: bool = False
) -> dict[str, float | None]:
    """Every metric of one question, by names such as `recall@20`; None where a metric says nothing of this question.

    Args:
        question: with its evidence.
        rankings: for each cut, what the system gave when asked for that many.
        said: the author and channel that the corpus gives for each source id.
        whole: the system gives a set and no order: its recall is that of the set at every cut, and what presupposes
            an order is None.
    """
    values: dict[str, float | None] = {}
    for k, ranking in rankings.items():
        shown = ranking if whole else ranking[:k]
        ids = [item.source_id for item in shown]
        values[f"tokens@{k}"] = float(sum(item.tokens for item in shown))
        if not question.evidence:
            continue
        values |= {
            f"recall@{k}": recall(question, ids),
            f"all@{k}": all_evidence(question, ids),
            f"any@{k}": any_evidence(question, ids),
            f"precision@{k}": precision(question, ids, max(len(ids), 1) if whole else k),
            f"ndcg@{k}": None if whole else ndcg(question, ids, k),
            f"stale@{k}": None if whole else stale(question, ids),
            f"attribution@{k}": attribution(question, shown, said),
            f"sources@{k}": sources(question, shown, said),
        }
    if question.evidence and rankings:
        deepest = [item.source_id for item in rankings[max(rankings)]]
        values["mrr"] = None if whole else reciprocal_rank(question, deepest)
    return values
