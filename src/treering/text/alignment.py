"""Where two sequences of strings go together: what both have, in order, and which changed ones belong to each other.

difflib alone takes minutes on long texts that repeat themselves. Here it only fills the small gaps between items that
occur once on each side, or in large gaps equally often; a large gap without any such item counts as replaced whole.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

__all__ = ["Stretch", "likeness", "paired", "stretches"]

GAP_CELLS_MAX: Final = 10_000  # items before times items after that difflib is given
OFTEN_MAX: Final = 1_000  # occurrences of an item that may still be told apart by counting them
PAIRED_CELLS_MAX: Final = 2_500  # the same, of changed items that are compared each with each


@dataclass(frozen=True, slots=True)
class Stretch:
    """Half-open ranges of two sequences that are the same, or that stand in each other's place."""

    same: bool
    before: slice
    after: slice


def stretches(before: Sequence[str], after: Sequence[str]) -> list[Stretch]:
    """The two sequences cut into stretches, the same and the changed in turns.

    >>> before, after = "abc", "axc"
    >>> [(before[stretch.before], after[stretch.after]) for stretch in stretches(before, after)]
    [('a', 'a'), ('b', 'x'), ('c', 'c')]
    """
    cut: list[Stretch] = []
    i = j = 0
    for start_before, start_after, length in _runs(before, after):
        if start_before > i or start_after > j:
            cut.append(Stretch(False, slice(i, start_before), slice(j, start_after)))
        i, j = start_before + length, start_after + length
        if length:
            cut.append(Stretch(True, slice(start_before, i), slice(start_after, j)))
    return cut


def paired(before: Sequence[Counter[str]], after: Sequence[Counter[str]], least: float) -> list[tuple[int, int]]:
    """Which bags of words belong together, in order: pairs at least so alike, the sum of likeness the greatest.

    Sequences too long to be compared each with each have no pairs.
    """
    if len(before) * len(after) > PAIRED_CELLS_MAX:
        return []
    likes = [[likeness(one, other) for other in after] for one in before]
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i in range(len(before) - 1, -1, -1):
        for j in range(len(after) - 1, -1, -1):
            together = likes[i][j] + best[i + 1][j + 1] if likes[i][j] >= least else 0.0
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(before) and j < len(after):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """The share of words that two bags have in common, 0 to 1 (Dice); two empty bags are alike.

    >>> likeness(Counter("abcd"), Counter("abx"))
    0.5714285714285714
    """
    sizes = one.total() + other.total()
    if not sizes:
        return 1.0
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return 2 * sum(min(count, large[word]) for word, count in small.items() if word in large) / sizes


def _runs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int]]:
    """Runs of equal items in order: where in the one, where in the other, how many. An empty one ends both."""
    found = [*_between(before, after, often=1), (len(before), len(after), 0)]
    joined: list[tuple[int, int, int]] = []
    for i, j, length in found:
        if joined and length and (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]) == (i, j):
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + length)
        else:
            joined.append((i, j, length))
    return joined


def _between(before: Sequence[str], after: Sequence[str], often: int) -> Iterator[tuple[int, int, int]]:
    """The runs between anchors, and the anchors."""
    edges = [(-1, -1), *_anchors(before, after, often), (len(before), len(after))]
    for (i, j), (end_before, end_after) in pairwise(edges):
        yield from _in_gap(before, after, slice(i + 1, end_before), slice(j + 1, end_after), often)
        if end_before < len(before):
            yield end_before, end_after, 1


def _anchors(before: Sequence[str], after: Sequence[str], often: int) -> list[tuple[int, int]]:
    """Places of items that occur equally often on both sides, at most so often: the first with the first and so on.

    Of those that cross, the most that do not (patience).
    """
    numbered_before, numbered_after = _numbered(before), _numbered(after)
    count_before, count_after = Counter(before), Counter(after)
    place = {item: j for j, item in enumerate(numbered_after) if count_after[item[0]] == count_before[item[0]] <= often}
    tops: list[int] = []  # the smallest end, in `after`, of an increasing run of each length
    chain: list[tuple[int, int]] = []
    at: list[int] = []  # index in `chain` of the run's end, by length
    back: list[int] = []
    for i, item in enumerate(numbered_before):
        if item not in place:
            continue
        j = place[item]
        length = bisect_left(tops, j)
        tops[length : length + 1] = [j]
        at[length : length + 1] = [len(chain)]
        back.append(at[length - 1] if length else -1)
        chain.append((i, j))
    anchors = []
    link = at[-1] if at else -1
    while link >= 0:
        anchors.append(chain[link])
        link = back[link]
    return anchors[::-1]


def _numbered(items: Sequence[str]) -> list[tuple[str, int]]:
    seen: Counter[str] = Counter()
    numbered = []
    for item in items:
        numbered.append((item, seen[item]))
        seen[item] += 1
    return numbered


def _in_gap(
    before: Sequence[str], after: Sequence[str], old: slice, new: slice, often: int
) -> list[tuple[int, int, int]]:
    i, j, end_before, end_after = old.start, new.start, old.stop, new.stop
    head = 0
    while i + head < end_before and j + head < end_after and before[i + head] == after[j + head]:
        head += 1
    tail = 0
    while i + head < end_before - tail and j + head < end_after - tail:
        if before[end_before - tail - 1] != after[end_after - tail - 1]:
            break
        tail += 1
    runs = [(i, j, head)] if head else []
    rest_before, rest_after = before[i + head : end_before - tail], after[j + head : end_after - tail]
    if 0 < len(rest_before) * len(rest_after) <= GAP_CELLS_MAX:
        blocks = SequenceMatcher(None, rest_before, rest_after, autojunk=False).get_matching_blocks()
        runs += [(i + head + block.a, j + head + block.b, block.size) for block in blocks if block.size]
    elif often == 1 and rest_before and rest_after:
        inner = _between(rest_before, rest_after, often=OFTEN_MAX)
        runs += [(i + head + a, j + head + b, length) for a, b, length in inner]
    if tail:
        runs.append((end_before - tail, end_after - tail, tail))
    return runs
