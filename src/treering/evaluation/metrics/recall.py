"""Recall of evidence: how much of what a question needs is among the first k.

Source: the usual recall at k (Manning et al. 2008, section 8.3) with one addition of our annotation guide: where one
piece is needed, any that states the same (`supporting`) counts as it.
"""

from collections.abc import Sequence

from treering.evaluation.benchmark import Question

__all__ = ["all_evidence", "any_evidence", "found", "recall"]


def found(question: Question, ids: Sequence[str]) -> int:
    """How many of the needed pieces the ids hold."""
    have = set(ids)
    if len(question.evidence) == 1 and have & question.supporting:
        return 1
    return len(question.evidence & have)


def recall(question: Question, ids: Sequence[str]) -> float:
    """The share of the needed pieces among the ids.

    >>> recall(Question("q", "?", "multi", evidence=frozenset("ab")), ["x", "b"])
    0.5
    """
    return found(question, ids) / len(question.evidence)


def all_evidence(question: Question, ids: Sequence[str]) -> float:
    """1 when every needed piece is there, else 0."""
    return float(found(question, ids) == len(question.evidence))


def any_evidence(question: Question, ids: Sequence[str]) -> float:
    """1 when at least one needed piece is there, else 0 (also called hit rate, or success)."""
    return float(found(question, ids) > 0)
