"""The files that lie beside an exported chat, and the documents that their texts make.

A chat names its files by paths within the export. Where there is a file and a text can be had of it, that is a document
in answer to the message; all other files are named skips. A file named by several messages is a document of each, so
that it is seen by those who see its message.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from treering.errors import UnreadableInput
from treering.importers.attached_text import BYTES_MAX, AttachedText, may_have_text, text_of
from treering.importers.tree import FileTree
from treering.model.drafts import Change, Drafted, RecordDraft, RecordKind, Skipped

__all__ = ["ChatFiles"]

REASON = "uploaded file"


class ChatFiles:
    """The files of one export; `own` are those of the export itself, which are no attachments."""

    def __init__(self, tree: FileTree, own: Iterable[str]) -> None:
        self._tree = tree
        own_files = frozenset(own)
        self._left = {name: REASON for name in tree.names() if name not in own_files}  # file -> why it is no document
        self._lying = frozenset(self._left)

    def documents(self, record: RecordDraft, paths: Iterable[str], beside: str, folder: str = "") -> Iterator[Drafted]:
        """The texts of the files of a message.

        Args:
            record: the message; of a deletion or an event there are none.
            paths: where the message says that its files lie.
            beside: the name of the chat's file, to whose folder paths are relative.
            folder: a folder there that holds all files ("data/").
        """
        if not self._lying or record.change is Change.DELETE or record.event is not None:
            return
        around = beside.rpartition("/")[0] + "/" if "/" in beside else ""
        titles: Counter[str] = Counter()
        for path in dict.fromkeys(paths):
            path = path.replace("\\", "/")
            name = next((name for name in (f"{around}{path}", f"{around}{folder}{path}") if name in self._lying), None)
            found = self._text(name) if name else None
            if name and found:
                title = name.rpartition("/")[2]
                titles[title] += 1
                yield Drafted(name, _document(record, title, titles[title], found.text))

    def leftovers(self) -> Iterator[Drafted]:
        """The files of which no document was made, each with the reason."""
        yield from (Drafted(name, Skipped(reason)) for name, reason in self._left.items())

    def _text(self, name: str) -> AttachedText | None:
        """The text of a file; None, and a reason noted, where there is none."""
        if not may_have_text(name):
            return None
        try:
            with self._tree.open(name) as stream:
                found = text_of(name, "", stream.read(BYTES_MAX + 1))
        except UnreadableInput:
            found = AttachedText("", "uploaded file that cannot be read")
        if found is None or found.reason:
            self._left[name] = found.reason if found else REASON
            return None
        self._left.pop(name, None)
        return found


def _document(record: RecordDraft, title: str, number: int, text: str) -> RecordDraft:
    source_id = f"{record.lineage}#{title}" + (f"-{number}" if number > 1 else "")
    return RecordDraft(
        source_id=source_id,
        lineage=source_id,
        channel=record.channel,
        author=record.author,
        valid_from=record.created_at or record.valid_from,
        valid_from_raw=record.valid_from_raw,
        text=text,
        kind=RecordKind.DOCUMENT,
        title=title,
        reply_to=record.lineage,
        thread=record.thread,
        id_is_final=True,
    )
