"""Putting leaves into the ordered array of a branch: once a branch and batch, never by sorting the whole of it."""

from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from treering.forest.leaves import OrderKey

__all__ = ["merged"]


def merged(
    present: NDArray[np.int32],
    dirty: NDArray[np.int32],
    incoming: Sequence[int] | NDArray[np.int32],
    order_key: Callable[[int], OrderKey],
) -> NDArray[np.int32]:
    """A branch's leaves after a batch: the dirty ones taken out, the incoming ones put where they belong.

    Args:
        present: the leaves as they are, in order but for the dirty ones, whose order may have changed.
        dirty: leaves that the batch touched; those that stay are among `incoming` again.
        incoming: leaves to put in, in order; may name present ones that are not dirty, which then stay in place.
        order_key: looks up the order of a leaf; asked about log2(len(present)) times for each leaf that is late.
    """
    kept = present[~np.isin(present, dirty)] if dirty.size and present.size else present
    coming = np.asarray(incoming, dtype=np.int32)
    if not kept.size:
        return coming
    if coming.size:
        coming = coming[~np.isin(coming, kept)]
    if not coming.size:
        return kept
    if order_key(int(coming[0])) > order_key(int(kept[-1])):
        return np.concatenate([kept, coming])
    places: list[int] = []
    place = 0
    for leaf in coming.tolist():
        place = bisect_left(kept, order_key(leaf), lo=place, key=lambda other: order_key(int(other)))
        places.append(place)
    return np.insert(kept, places, coming)
