"""Treering: the memory of an organization.

    from treering import Memory

    memory = Memory.open("acme.treering")
    memory.add("slack-export.zip")
    evidence = memory.search("has DOC-042 been released?", asker="bob", as_of="2025-12-02")

The names below are loaded when they are first used, so that `treering --version` does not wait for an inference engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treering.errors import (
        AmbiguousName,
        BadDate,
        MemoryBusy,
        MemoryDamaged,
        MemoryMissing,
        TreeringError,
        UnknownName,
        UnreadableInput,
    )
    from treering.memory import Memory
    from treering.model.evidence import Evidence, EvidenceSet
    from treering.model.records import Record
    from treering.model.report import ImportReport

__all__ = [
    "AmbiguousName",
    "BadDate",
    "Evidence",
    "EvidenceSet",
    "ImportReport",
    "Memory",
    "MemoryBusy",
    "MemoryDamaged",
    "MemoryMissing",
    "Record",
    "TreeringError",
    "UnknownName",
    "UnreadableInput",
    "__version__",
]

__version__ = "0.1.0"

_ELSEWHERE = {
    "Memory": "treering.memory",
    "Evidence": "treering.model.evidence",
    "EvidenceSet": "treering.model.evidence",
    "Record": "treering.model.records",
    "ImportReport": "treering.model.report",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'treering' has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE.get(name, "treering.errors")), name)
