"""What the best document says since, and said before: places are kept for the chain around a find.

An answer from a version that was replaced needs its successor, and "how long is it now" is often followed by "and what
was it before". Neither repeats the question better than a dozen other documents do, so neither is found by its words.
"""

from collections.abc import Mapping, Sequence

from treering.retrieval.searchable import Asking, Searchable

__all__ = ["first_document", "given_places", "versions_beside"]

SINCE = "what the best document says since"
BEFORE = "what the best document said before"


def first_document(memory: Searchable, found: Sequence[int]) -> int | None:
    """The first row that is a version of a document; None where all are messages."""
    return next((row for row in found if memory.supersession.number(row) >= 0), None)


def versions_beside(memory: Searchable, asking: Asking, row: int, matched: int) -> dict[int, str]:
    """The next and the last version within the bounds that lack the passage matched, and what each is.

    Versions that repeat the passage, whatever their title, say nothing new and are passed over, and so are empty ones.
    """
    chain = [one for one in memory.supersession.chain(row) if one == row or asking.admissible.records[one]]
    at = chain.index(row)
    said = _words_of(memory, row, matched)
    beside = {}
    for direction, why in ((chain[at + 1 :], SINCE), (reversed(chain[:at]), BEFORE)):
        other = next((one for one in direction if _lacks(memory, one, matched, said)), None)
        if other is not None:
            beside[other] = why
    return beside


def given_places(
    found: Sequence[int], beside: Mapping[int, str], k: int, places: int
) -> tuple[list[int], dict[int, str]]:
    """The rows with up to `places` of the first `k` given to those of `beside` that are not among the rest of the `k`.

    >>> given_places([5, 6, 7, 8], {9: "since", 5: "before"}, 3, 1)
    ([5, 6, 9, 7, 8], {9: 'since'})
    """
    coming = [row for row in beside if row not in found[: k - places]][:places]
    others = [row for row in found if row not in coming]
    shown = k - len(coming)
    return [*others[:shown], *coming, *others[shown:]], {row: beside[row] for row in coming}


def _lacks(memory: Searchable, row: int, matched: int, said: str) -> bool:
    """Whether a version has words, but not these."""
    keys = memory.columns.passage_keys
    first, last = memory.columns.passage_record.searchsorted([row, row + 1])
    if first == last or (keys[first:last] == keys[matched]).any():
        return False
    return said not in _text(memory, row)


def _words_of(memory: Searchable, row: int, passage: int) -> str:
    """A passage's own words, without the title and the heading that it is matched with."""
    start, stop = memory.connection.execute("SELECT start, stop FROM passage WHERE id = ?", (passage,)).fetchone()
    return _text(memory, row)[start:stop]


def _text(memory: Searchable, row: int) -> str:
    (text,) = memory.connection.execute("SELECT text FROM record WHERE id = ?", (row + 1,)).fetchone()
    return str(text)
