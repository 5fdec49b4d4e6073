"""Keeping the segments of an index few: which to merge, and merging them.

Every append writes a small segment; without merging, a memory fed one message a day would open thousands of files.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.errors import MemoryDamaged
from treering.index.postings import Segment, SegmentInfo, published, seal, start

__all__ = ["merge_segments", "plan_merge"]

# A segment is at least so many times as large as all after it together. Grows: fewer segments, more rewriting.
_GROWTH: Final = 2
_POSTINGS_AT_ONCE: Final = 1 << 20


def plan_merge(segments: Sequence[SegmentInfo]) -> slice | None:
    """The adjacent segments to merge into one, or None while there are few enough.

    After the merge nothing is left to do, and n passages lie in at most log3(n) + 1 segments.

    >>> plan_merge([SegmentInfo("a", 0, 9), SegmentInfo("b", 9, 2), SegmentInfo("c", 11, 1)])
    >>> plan_merge([SegmentInfo("a", 0, 9), SegmentInfo("b", 9, 1), SegmentInfo("c", 10, 1)])
    slice(1, 3, None)
    """
    after = sum(segment.count for segment in segments)
    for place, segment in enumerate(segments[:-1]):
        after -= segment.count
        if segment.count < _GROWTH * after:
            return slice(place, len(segments))
    return None


def merge_segments(paths: Sequence[Path], merged: Path) -> SegmentInfo:
    """Write adjacent segments as one; the old files stay. Takes memory for the terms and a million postings.

    Raises:
        MemoryDamaged: a segment does not read, or they do not follow one another.
    """
    segments = [Segment.open(path) for path in paths]
    for before, after in pairwise(segments):
        if before.base + len(before.lengths) != after.base:
            raise MemoryDamaged(f"postings segments {before.path} and {after.path} do not follow one another")
    keys = np.unique(np.concatenate([segment.keys for segment in segments]))
    places = [np.searchsorted(keys, segment.keys) for segment in segments]
    sizes = np.zeros(len(keys), np.int64)
    for segment, at in zip(segments, places, strict=True):
        sizes[at] += np.diff(segment.offsets)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    lengths = np.concatenate([segment.lengths for segment in segments])
    total = int(offsets[-1])
    with published(merged) as file:
        start(file, keys, offsets, lengths)
        if total:
            body = file.tell()
            file.truncate(body + 8 * total)
            passages = np.memmap(file, "<i4", "r+", body, total)
            impacts = np.memmap(file, "<f4", "r+", body + 4 * total, total)
            free = offsets[:-1].copy()  # where the next posting of each term goes
            for segment, at in zip(segments, places, strict=True):
                _copy(segment, free[at], passages, impacts)
                free[at] += np.diff(segment.offsets)
            passages.flush()
            impacts.flush()
        seal(file, segments[0].base, len(lengths), len(keys), total)
    return SegmentInfo(merged.name, segments[0].base, len(lengths))


def _copy(
    segment: Segment, firsts: NDArray[np.int64], passages: NDArray[np.int32], impacts: NDArray[np.float32]
) -> None:
    """Copy the postings of a segment, those of its term i to `firsts[i]` and on."""
    offsets = segment.offsets
    steps = np.arange(_POSTINGS_AT_ONCE, offsets[-1], _POSTINGS_AT_ONCE)
    bounds = np.unique([0, *np.searchsorted(offsets, steps).tolist(), len(firsts)]).tolist()
    for first, stop in pairwise(bounds):
        begin, end = int(offsets[first]), int(offsets[stop])
        shifts = np.repeat(firsts[first:stop] - offsets[first:stop], np.diff(offsets[first : stop + 1]))
        to = shifts + np.arange(begin, end)
        passages[to] = segment.passages[begin:end]
        impacts[to] = segment.impacts[begin:end]
