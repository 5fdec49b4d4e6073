"""The bounds of a question: as_of, known_at and viewer, turned into masks before anything is ranked.

Follows DESIGN laws 2 and 5. Membership is judged now, not at `as_of`; a channel whose members are not known is visible
to the owner alone; no viewer means the owner, who sees all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from treering.log.reader import Columns
from treering.model.drafts import ChannelKind
from treering.model.ids import ActorId
from treering.model.records import Channel, micros

__all__ = ["Admissible", "Bounds", "admissible", "may_read"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a question may see: event time, recorded time, and through whose eyes."""

    as_of: datetime | None = None  # aware; valid_from must not be later
    known_at: datetime | None = None  # aware; logged_at must not be later
    viewer: ActorId | None = None  # None: the owner of the directory


@dataclass(frozen=True, slots=True)
class Admissible:
    """The masks of one question. A leaf is `whole` when nothing about it lies outside the bounds."""

    records: NDArray[np.bool_]  # row = record id - 1: the version of each thing that holds within the bounds
    known: NDArray[np.bool_]  # row = record id - 1: all that may be known, events and replaced versions too
    leaves: NDArray[np.bool_]  # row = leaf id: some version of it is admissible
    whole: NDArray[np.bool_]  # row = leaf id: every version of it is within the bounds
    leaf_record: NDArray[np.int32]  # row = leaf id: the admissible version, -1 where there is none
    passages: NDArray[np.bool_] | None  # None: all of them


def may_read(viewer: ActorId | None, channel: Channel) -> bool:
    """Whether the viewer may read the channel as membership stands now.

    Grants, revocations and linked accounts are in the channel's `members` and `barred` already: nothing else decides.
    """
    if viewer is None:
        return True
    if viewer in channel.barred:
        return False
    return channel.kind is ChannelKind.PUBLIC or (channel.members is not None and viewer in channel.members)


def admissible(columns: Columns, channels: Sequence[Channel], bounds: Bounds) -> Admissible:
    """The masks that the bounds make over a log."""
    as_of = micros(bounds.as_of) if bounds.as_of else np.iinfo(np.int64).max
    known_at = micros(bounds.known_at) if bounds.known_at else np.iinfo(np.int64).max
    readable = np.zeros(max((int(c.id) for c in channels), default=0) + 1, dtype=np.bool_)
    for channel in channels:
        readable[channel.id] = may_read(bounds.viewer, channel)
    # A thing is read by whoever may read where it stands now; of versions that began together and stand apart, arrival
    # would decide which place that is, so all of them must be readable. An old version needs its own place as well.
    leaf_readable = readable[columns.leaf_channel]
    own = readable[columns.record_channel]
    newest = columns.record_valid_from == columns.leaf_last_at[columns.record_leaf]
    leaf_readable[columns.record_leaf[newest & ~own]] = False
    in_time = (columns.record_valid_from <= as_of) & (columns.record_logged_at <= known_at)
    known = in_time & own & leaf_readable[columns.record_leaf]
    records = known & columns.record_shown
    hidden, by = columns.later_pairs[in_time[columns.later_pairs[:, 1]]].T
    records[hidden] = False
    rows = np.flatnonzero(records)
    leaf_record = np.full(len(columns.leaf_channel), -1, dtype=np.int32)
    leaf_record[columns.record_leaf[rows]] = rows
    leaves = leaf_record >= 0
    whole = leaf_readable.copy()
    whole[columns.record_leaf[~own]] = False
    # The summaries above an attachment were written with its text; nothing new hangs there when its message is deleted.
    attached = columns.record_leaf[hidden] != columns.record_leaf[by]
    whole[columns.record_leaf[hidden[attached]]] = False
    whole &= (columns.leaf_last_at <= as_of) & (columns.leaf_last_logged <= known_at)
    passages = records[columns.passage_record]
    return Admissible(records, known, leaves, whole, leaf_record, None if bool(passages.all()) else passages)
