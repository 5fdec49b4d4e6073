"""One version in the life of a record, as `treering history` shows it."""

from dataclasses import dataclass

from treering.model.records import Record

__all__ = ["Version"]


@dataclass(frozen=True, slots=True)
class Version:
    """A record, what it counts as within the bounds, and what it changed."""

    record: Record
    state: str  # current, superseded by ID on DATE, retired on DATE, edited, deleted
    diff: str  # readable, against the version before; empty for the first
