"""What an importer is: it recognizes a tree of files by its content, names the source, and yields drafts; no more.

No importer knows the log; what it does not know becomes text or a named, counted skip. Follows DESIGN section 7.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from treering.importers.tree import FileTree
from treering.model.drafts import ChannelKind, Drafted

__all__ = ["ImportOptions", "Importer"]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the operator says about an input that the input does not say itself."""

    fields: Mapping[str, str] = field(default_factory=dict)  # our field -> theirs; JSONL and CSV only
    visibility: ChannelKind = ChannelKind.PRIVATE  # PUBLIC or PRIVATE; of channels whose source knows no membership
    source: str | None = None  # None: the importer's own `source`
    date_order: str | None = None  # "dmy", "mdy" or "ymd", where a file's own dates do not tell
    zone: str | None = None  # IANA name of the zone that local times are of; None: UTC is assumed, and said so


class Importer(Protocol):
    """One export format."""

    @property
    def name(self) -> str:
        """The format's name; its first word, up to a hyphen, is what `--format` takes."""

    def recognizes(self, tree: FileTree) -> bool:
        """Whether the tree is of this format, judged by content and not by file names alone; cheap."""

    def source(self, tree: FileTree) -> str:
        """The id of the source ("slack:T0ORG"); depends neither on paths nor on how files are split."""

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every record of the tree: exactly one of drafts, a named skip, or a quarantined original."""
