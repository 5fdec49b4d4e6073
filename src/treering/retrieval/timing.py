"""What a date phrase in the question says of a record: a phrase found lifts what held then, and filters nothing."""

import numpy as np
from numpy.typing import NDArray

from treering.model.records import micros
from treering.retrieval.searchable import Asking, Searchable

__all__ = ["held_in"]

_EVER = np.iinfo(np.int64)


def held_in(memory: Searchable, asking: Asking, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows held at a time that the question names: a message when it was said, a version until the next one."""
    since = memory.columns.record_valid_from[rows]
    until = since.copy()
    for at, row in enumerate(rows.tolist()):
        if memory.supersession.number(row) >= 0:
            later = memory.supersession.next_version(row, asking.admissible)
            until[at] = _EVER.max if later is None else memory.columns.record_valid_from[later] - 1
    held = np.zeros(len(rows), dtype=np.bool_)
    for phrase in asking.spec.dates:
        first = micros(phrase.first) if phrase.first else _EVER.min
        last = micros(phrase.last) if phrase.last else _EVER.max
        held |= (since < last) & (until >= first)
    return held
