"""What slackdump's two kinds of archive have in common, and so what an importer needs to know of either."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from treering.model.drafts import Drafted

__all__ = ["Archive", "Entry"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of Slack's API as the archive keeps it, and where."""

    file: str
    position: str
    id: str  # of the user or channel; of a message, of its channel
    value: object  # `Broken` where it does not read


class Archive(Protocol):
    """An archive, each of whose parts can be read again; copies of one thing come the newest first."""

    @property
    def file(self) -> str:
        """The file to name when no other can be."""

    def workspace(self) -> tuple[str, str]:
        """The ids of the workspace and of whoever archived it; empty where they are not told."""

    def users(self) -> Iterator[Entry]:
        """People."""

    def channels(self) -> Iterator[Entry]:
        """Conversations."""

    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The members of those conversations of which they are told."""

    def messages(self) -> Iterator[Iterable[Entry]]:
        """Messages, in groups: all copies of one message lie within one."""

    def skipped(self) -> Iterator[Drafted]:
        """What no draft is made of, each with the reason."""
