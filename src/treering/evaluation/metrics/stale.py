"""Stale rate: how often a version that no longer holds is met before any that does.

Source: our annotation guide. Asked of questions that list stale pieces; a mean over those alone. A ranking that holds
no right piece within the cut, but a stale one, counts as stale; one that holds neither does not.
"""

from collections.abc import Sequence

from treering.evaluation.benchmark import Question

__all__ = ["stale"]


def stale(question: Question, ids: Sequence[str]) -> float | None:
    """1 when a stale piece stands above every right one, 0 when not; None for a question that lists none.

    >>> asked = Question("q", "?", "update", evidence=frozenset({"new"}), stale=frozenset({"old"}))
    >>> stale(asked, ["x", "old", "new"]), stale(asked, ["new", "old"]), stale(asked, ["x"])
    (1.0, 0.0, 0.0)
    """
    if not question.stale or not question.evidence:
        return None
    right = question.evidence | question.supporting
    first = next((name for name in ids if name in right or name in question.stale), None)
    return float(first is not None and first not in right)
