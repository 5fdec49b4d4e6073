"""What a date phrase in the question says of a record: a phrase found lifts what held then, and filters nothing.

A message is of a time by when it was said, or by a day that it names: "I went yesterday" is of the day before.
"""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, time

import numpy as np
from numpy.typing import NDArray

from treering.model.records import instant, micros
from treering.retrieval.searchable import Asking, Searchable
from treering.temporal.said_dates import SaidDate, said_dates
from treering.text.ranges import DatePhrase

__all__ = ["held_in", "spoken_of"]

READ_MAX = 60  # messages, the best first, of which the words are read: each costs up to half a millisecond
_EVER = np.iinfo(np.int64)


def held_in(memory: Searchable, asking: Asking, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows, best first, are of a time that the question names.

    A message is by when it was said, or by a day that it speaks of; a version of a document until the next one.
    """
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
    others = rows[~held].tolist()
    named = spoken_of(memory, asking, others[:READ_MAX])
    held[~held] = [row in named for row in others]
    return held


def spoken_of(memory: Searchable, asking: Asking, rows: Sequence[int]) -> dict[int, str]:
    """Of each message among the rows that speaks of a day which the question names, the phrase and what it means."""
    if not asking.spec.dates:
        return {}
    messages = [row for row in rows if memory.supersession.number(row) < 0]
    told = memory.connection.execute(
        "SELECT id - 1, text, created_at, valid_from_raw, extra FROM record"
        " WHERE id IN (SELECT value + 1 FROM json_each(?))",
        (json.dumps(messages),),
    )
    found: dict[int, str] = {}
    for row, text, created_at, written, extra in told:
        quoted = json.loads(extra).get("quoted", ()) if '"quoted"' in extra else ()
        for said in said_dates(text, instant(created_at), written):
            if not any(start <= said.start < stop for start, stop in quoted) and _is_within(said, asking.spec.dates):
                found.setdefault(row, str(said))
    return found


def _is_within(said: SaidDate, phrases: Sequence[DatePhrase]) -> bool:
    """Whether most of what is spoken of lies in the time asked about: "last year" says nothing of one of its days."""
    return any(_shared(*reading, phrase) > 0.5 for reading in said.readings for phrase in phrases)


def _shared(first: date, after: date, phrase: DatePhrase) -> float:
    """The share of some days that lies in a phrase: more than half of it for one day, whatever the asker's clocks."""
    start, stop = (micros(datetime.combine(day, time.min, UTC)) for day in (first, after))
    since = max(start, micros(phrase.first)) if phrase.first else start
    until = min(stop, micros(phrase.last)) if phrase.last else stop
    return (until - since) / (stop - start)
