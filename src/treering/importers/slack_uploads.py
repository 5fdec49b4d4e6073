"""The files that a Slack export carries with it, and the documents that their texts make.

slackdump puts them at `__uploads/<file id>/<name>`, `<channel>/attachments/<file id>-<name>` or, in a dump,
`<channel id>/<file id>-<name>`; Slack's own exports have none. A file that was shared twice is two documents: each is
seen by those who see its message. Follows FORMATS section 1.2.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from treering.errors import UnreadableInput
from treering.importers.attached_text import BYTES_MAX, AttachedText, may_have_text, text_of
from treering.importers.slack_json import Json, record_at, records_at, stripped, text_at
from treering.importers.tree import FileTree
from treering.model.drafts import Change, Drafted, RecordDraft, RecordKind, Skipped

__all__ = ["Uploads", "is_uploaded"]

KEPT_MAX = 16

_UPLOADED = re.compile(
    r"(?:^|/)(?:__uploads/|attachments/(?!\d{4}-\d\d-\d\d\.json$)|[CDG][A-Z0-9]{6,}/(?=F[A-Z0-9]{6,}-))"
)  # a channel may be called "attachments"
_FILE_ID = re.compile(r"(?:__uploads/(F[A-Z0-9]+)/|(?:attachments|[CDG][A-Z0-9]{6,})/(F[A-Z0-9]+)-)[^/]*$")


def is_uploaded(name: str) -> bool:
    """Whether a file of the export is one that people shared, and no part of the export itself."""
    return bool(_UPLOADED.search(name))


class Uploads:
    """The uploaded files of one export, by the id that messages call them by."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._names: dict[str, str] = {}
        self._left: dict[str, str] = {}  # file -> why it became no document; those that did are not here
        self._read: dict[str, AttachedText | None] = {}  # the files read last: archives hold messages in many copies
        for name in tree.names():
            if is_uploaded(name):
                self._left[name] = "uploaded file"
                if found := _FILE_ID.search(name):
                    self._names.setdefault(found[1] or found[2], name)

    def documents(self, raw: Json, records: Iterable[RecordDraft]) -> Iterator[Drafted]:
        """The texts of the files of one message, and their deletion where the message was deleted."""
        if not self._names:
            return
        versions = list(records)
        origin = next((record for record in versions if record.change is not Change.DELETE), None)
        deletion = next((record for record in versions if record.change is Change.DELETE), None)
        if origin is None or origin.event is not None:
            return
        for file in _files(raw):
            name = self._names.get(text_at(file, "id"))
            found = self._text(name, file) if name else None
            if name and found:
                document = _document(file, origin, found.text)
                yield Drafted(name, document)
                if deletion is not None:
                    yield Drafted(name, _deleted(document, deletion))

    def leftovers(self) -> Iterator[Drafted]:
        """The files of which no document was made, each with the reason."""
        yield from (Drafted(name, Skipped(reason)) for name, reason in self._left.items())

    def _text(self, name: str, file: Json) -> AttachedText | None:
        """The text of a file; None, and a reason noted, where there is none."""
        if name not in self._read:
            if len(self._read) == KEPT_MAX:
                self._read.clear()
            self._read[name] = self._open(name, file)
        found = self._read[name]
        if found is None or found.reason:
            self._left[name] = found.reason if found else "uploaded file"
            return None
        self._left.pop(name, None)
        return found

    def _open(self, name: str, file: Json) -> AttachedText | None:
        shown, mime = text_at(file, "name") or name.rpartition("/")[2], text_at(file, "mimetype")
        if not may_have_text(shown, mime):
            return None
        try:
            with self._tree.open(name) as stream:
                return text_of(shown, mime, stream.read(BYTES_MAX + 1))
        except UnreadableInput:
            return AttachedText("", "uploaded file that cannot be read")


def _files(raw: Json) -> list[Json]:
    """The files of a message, or of the one that a log of its deletion or edit contains."""
    for message in (raw, record_at(raw, "message"), record_at(raw, "previous_message"), record_at(raw, "original")):
        if files := records_at(message, "files") or list(filter(None, [record_at(message, "file")])):
            return files
    return []


def _document(file: Json, origin: RecordDraft, text: str) -> RecordDraft:
    return RecordDraft(
        source_id=f"{origin.lineage}#{text_at(file, 'id')}",
        channel=origin.channel,
        author=origin.author,
        valid_from=origin.created_at or origin.valid_from,
        valid_from_raw=origin.lineage.rpartition("/")[2],
        text=stripped(text),
        kind=RecordKind.DOCUMENT,
        title=stripped(text_at(file, "title") or text_at(file, "name") or text_at(file, "id")),
        reply_to=origin.lineage,
        thread=origin.thread,
        id_is_final=True,
    )


def _deleted(document: RecordDraft, deletion: RecordDraft) -> RecordDraft:
    return replace(
        document,
        change=Change.DELETE,
        text="",
        title="",
        valid_from=deletion.valid_from,
        valid_from_raw=deletion.valid_from_raw,
        created_at=document.valid_from,
        id_is_final=False,
    )
