"""What the places of records are called, as terms: a message is about its channel's and its thread's name as well.

The names are matched together with the words of a record, as if they stood in its text, but are kept apart: a rename
changes no text. A thread that goes by the id of its first message has no name. That is told by the look of it alone:
whether such a message is there must not show in scores, for not everybody may read it.
"""

import re
import sqlite3
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treering.text.analysis import analyze

__all__ = ["PlaceNames"]

# Addresses and the ids of mails; long numbers; what chats make up of 16 letters and digits or more; UUIDs.
_ID = re.compile(
    r"\$\S+|\S*(?:@[^\W\d_]|\d{5})\S*|(?=\S*\d)(?=\S*[^\W\d])[^\W_]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)


@dataclass(frozen=True, slots=True, eq=False)
class PlaceNames:
    """The distinct places of a memory and the terms of their names."""

    record_place: NDArray[np.int32]  # row = record id - 1
    lengths: NDArray[np.float32]  # of each place, in terms
    terms: dict[str, tuple[NDArray[np.int64], NDArray[np.float32]]]  # term -> places, how often in each

    @classmethod
    def load(cls, connection: sqlite3.Connection, last: int) -> "PlaceNames":
        """The places of the records up to `last`."""
        rows = connection.execute(
            "SELECT r.id - 1, r.channel, c.name, r.thread"
            " FROM record r JOIN channel c ON c.id = r.channel WHERE r.id <= ? ORDER BY r.id",
            (last,),
        )
        numbers: dict[tuple[int, str], int] = {}
        names: list[str] = []
        record_place = np.zeros(last, dtype=np.int32)
        for row, channel, name, thread in rows:
            spoken = thread if thread and _is_spoken(thread) else ""
            number = numbers.setdefault((channel, spoken), len(numbers))
            if number == len(names):
                names.append(f"{name} {spoken}")
            record_place[row] = number
        found: dict[str, dict[int, int]] = {}
        lengths = np.zeros(len(names), dtype=np.float32)
        for number, name in enumerate(names):
            terms = analyze(name)
            lengths[number] = len(terms)
            for term in terms:
                of_term = found.setdefault(term, {})
                of_term[number] = of_term.get(number, 0) + 1
        return cls(
            record_place,
            lengths,
            {
                term: (np.array(list(of_term), dtype=np.int64), np.array(list(of_term.values()), dtype=np.float32))
                for term, of_term in found.items()
            },
        )

    def counts(self, term: str) -> NDArray[np.float32] | None:
        """How often the name of each place says the term; None where none does."""
        found = self.terms.get(term)
        if found is None:
            return None
        counts = np.zeros(len(self.lengths), dtype=np.float32)
        counts[found[0]] = found[1]
        return counts


def _is_spoken(thread: str) -> bool:
    """Whether a thread is called something, rather than known by an id.

    >>> [_is_spoken(name) for name in ("budget 2025", "memory64", "PAY-311", "C0/1764857424.22", "m1@kestrel.example")]
    [True, True, True, False, False]
    """
    return any(map(str.isalpha, thread)) and _ID.fullmatch(thread) is None
