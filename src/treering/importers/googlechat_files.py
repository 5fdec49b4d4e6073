"""The files that lie beside the messages of a Google Chat export, and the documents that their texts make.

A file that two messages carry is two documents: each is seen by those who see its message.
"""

from collections.abc import Iterator

from treering.errors import UnreadableInput
from treering.importers.attached_text import BYTES_MAX, AttachedText, may_have_text, text_of
from treering.importers.googlechat_message import Message
from treering.importers.json_fields import text_at
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, RecordDraft, RecordKind, Skipped

__all__ = ["Files"]


class Files:
    """The files of one export that are no part of the export itself."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._left: dict[str, str] = {}  # file -> why it became no document
        self._read: set[str] = set()

    def leave(self, name: str) -> None:
        """Note a file that is there."""
        self._left.setdefault(name, "attached file")

    def leftovers(self) -> Iterator[Drafted]:
        """The files of which no document was made, each with the reason."""
        yield from (Drafted(name, Skipped(why)) for name, why in self._left.items() if name not in self._read)

    def documents(self, folder: str, message: Message, record: RecordDraft) -> Iterator[Drafted]:
        """The texts of the files of one message."""
        for file in message["files"]:
            title, stored = text_at(file, "original_name"), text_at(file, "export_name")
            name = f"{folder}/{stored}" if folder else stored
            if not stored or not self._tree.has(name):
                continue
            found = self._text(name, title or stored)
            if found is None:
                continue
            if found.reason:
                self._left[name] = found.reason
                continue
            self._read.add(name)
            yield Drafted(
                name,
                RecordDraft(
                    source_id=f"{record.lineage}#{stored}",
                    channel=record.channel,
                    author=record.author,
                    valid_from=record.created_at or record.valid_from,
                    valid_from_raw=message["created"],
                    text=found.text,
                    kind=RecordKind.DOCUMENT,
                    title=title or stored,
                    reply_to=record.lineage,
                    thread=record.thread,
                    id_is_final=True,
                ),
            )

    def _text(self, name: str, title: str) -> AttachedText | None:
        if not may_have_text(title):
            return None
        try:
            with self._tree.open(name) as stream:
                return text_of(title, "", stream.read(BYTES_MAX + 1))
        except UnreadableInput:
            return AttachedText("", "attached file that cannot be read")
