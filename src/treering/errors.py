"""Everything Treering raises on purpose.

TreeringError                 a caller can act on it; the message says what, how much, what now
├── UsageError                the call itself is wrong (exit code 2)
│   └── BadDate               a date that no rule of `text.dates` reads
├── MemoryMissing             no memory at that path
├── MemoryDamaged             the files are there, and they do not read as a memory
├── MemoryBusy                another process holds the writer's lock
├── UnknownName               a viewer, asker, channel or record that this memory does not know
│   └── AmbiguousName         a name that several actors or channels share
├── UnreadableInput           an export or document that cannot be read at all
│   └── UnknownFormat         readable, but of no format that Treering knows
├── RejectedRecords           `--strict` and at least one record was quarantined
└── ModelUnavailable          an encoder's weights cannot be found or fetched
"""

__all__ = [
    "AmbiguousName",
    "BadDate",
    "MemoryBusy",
    "MemoryDamaged",
    "MemoryMissing",
    "ModelUnavailable",
    "RejectedRecords",
    "TreeringError",
    "UnknownFormat",
    "UnknownName",
    "UnreadableInput",
    "UsageError",
]


class TreeringError(Exception):
    """A failure that a caller can act on; `str(error)` is fit to be shown to a person."""


class UsageError(TreeringError):
    """The call itself is wrong: an option, a value, a combination."""


class BadDate(UsageError):
    """A date or time that cannot be read."""


class MemoryMissing(TreeringError):
    """There is no memory at the path given."""


class MemoryDamaged(TreeringError):
    """The files of a memory do not read as one."""


class MemoryBusy(TreeringError):
    """Another process is writing, and did not finish in the time allowed."""


class UnknownName(TreeringError):
    """A name or id that this memory does not know."""


class AmbiguousName(UnknownName):
    """A name that several actors or channels share; the message lists them."""


class UnreadableInput(TreeringError):
    """An input file that cannot be read at all."""


class UnknownFormat(UnreadableInput):
    """An input that reads, but is of no format that Treering knows."""


class RejectedRecords(TreeringError):
    """Records were quarantined, and the caller asked for none to be."""


class ModelUnavailable(TreeringError):
    """The weights of an encoder cannot be found or fetched."""
