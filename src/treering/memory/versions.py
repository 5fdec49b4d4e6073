"""The versions of a record with their states and differences."""

from collections.abc import Sequence

from treering.access.bounds import Admissible
from treering.model.drafts import Change, RecordKind
from treering.model.records import Record
from treering.model.versions import Version
from treering.temporal.supersession import Supersession
from treering.text.differences import readable_diff

__all__ = ["state_of", "versions_of"]


def versions_of(records: Sequence[Record], supersession: Supersession, admissible: Admissible) -> list[Version]:
    """Versions oldest first, each compared with the one before it."""
    versions = []
    for before, record in zip((None, *records), records, strict=False):
        diff = readable_diff(before.text, record.text) if before is not None else ""
        versions.append(Version(record, state_of(record, supersession, admissible), diff))
    return versions


def state_of(record: Record, supersession: Supersession, admissible: Admissible) -> str:
    """What a version counts as within the bounds."""
    row = record.id - 1
    if record.change is Change.DELETE:
        return "deleted"
    if record.kind is RecordKind.MESSAGE and record.event is None and not admissible.records[row]:
        return "edited"
    return record.event or supersession.state(row, admissible)
