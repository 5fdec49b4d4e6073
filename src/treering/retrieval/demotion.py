"""Order among versions: what was replaced goes below what replaced it, where both answer the same question.

Only order changes, never what is found, and only below a version that is found too and scores about as well: a version
that alone holds the answer stays where it is. A question that names a time wants what held then, so versions of other
times go below it; a question that compares then and now, or asks about the past, has nothing moved for it.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from treering.retrieval.searchable import Asking, Searchable
from treering.retrieval.timing import held_in

__all__ = ["compares", "demoted"]

NEAR: Final = 0.85  # of the old version's score, that its successor must reach to take its place
_COMPARES: Final = re.compile(
    r"\b(?:was|were|had|did|used to|before|previous(?:ly)?|prior|earlier|former(?:ly)?|original(?:ly)?|old(?:er)?|"
    r"first|initial(?:ly)?|histor\w+|chang\w+|replac\w+|supersed\w+|differ\w*|compar\w+|versus|vs|evol\w+|since|until|"
    r"ago|back (?:in|then)|no longer|instead|dropped|became|amend\w*|revis\w+|versions?)\b",
    re.IGNORECASE,
)


def compares(question: str) -> bool:
    """Whether a question is about the past or about change, by its words.

    >>> compares("How long is the notice period?"), compares("What was the notice period before?")
    (False, True)
    """
    return _COMPARES.search(question) is not None


def demoted(
    memory: Searchable, asking: Asking, order: Sequence[int], scores: dict[int, float]
) -> tuple[list[int], dict[int, str]]:
    """The same rows, each replaced version right below the best-placed row that replaced it; and why each moved."""
    preferred = _preferred(memory, asking, order)
    placed = {row: place for place, row in enumerate(order)}
    moved: dict[int, str] = {}
    after: dict[int, list[int]] = {}
    for row in order:
        near = [o for o in preferred.get(row, ()) if o in placed and scores[o] >= NEAR * scores[row]]
        if near and all(placed[other] > placed[row] for other in near):  # none of them stands above it yet
            best = min(near, key=placed.__getitem__)
            after.setdefault(best, []).append(row)
            moved[row] = "below the version that held instead"
    ordered: list[int] = []
    for row in order:
        if row not in moved:
            _emit(row, after, ordered)
    return ordered, moved


def _preferred(memory: Searchable, asking: Asking, order: Sequence[int]) -> dict[int, frozenset[int]]:
    """For each row the rows that the question would rather have in its place."""
    if asking.spec.dates:
        held = held_in(memory, asking, np.array(order, dtype=np.int64))
        then = {row for row, one in zip(order, held.tolist(), strict=True) if one}
        return {
            row: frozenset(memory.supersession.chain(row)) & then
            for row in order
            if row not in then and memory.supersession.number(row) >= 0
        }
    if compares(asking.spec.text):
        return {}
    return {row: memory.supersession.replaced_by(row, asking.admissible) for row in order}


def _emit(row: int, after: dict[int, list[int]], ordered: list[int]) -> None:
    """A row, and below it those that wait for it; a chain of versions comes out newest first."""
    ordered.append(row)
    for waiting in after.get(row, ()):
        _emit(waiting, after, ordered)
