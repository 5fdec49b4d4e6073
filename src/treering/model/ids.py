"""The kinds of numbers that must not be mixed up; all are given by the log, from 1, in order of arrival."""

from typing import NewType

__all__ = ["ActorId", "ChannelId", "LeafId", "RecordId"]

ActorId = NewType("ActorId", int)
ChannelId = NewType("ChannelId", int)
LeafId = NewType("LeafId", int)
RecordId = NewType("RecordId", int)
