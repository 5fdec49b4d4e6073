"""The history of the documents in a git repository: a version for each commit that changed a document's text.

All commits that lead to the present one count, those of merged branches too, each by its author and at the author's
date; a merge only where its text is that of no parent. A version is never dated before the text it was made from: a
rebased commit keeps an old author's date. The committer's date breaks ties, and stands in for an author's date that no
clock has shown. A document is known by the path under which it was first seen (`git_lineages`); that it was deleted is
an event. Code, and the history of other branches, are not read here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from treering.errors import UnreadableInput
from treering.importers.document_dates import UNDATED
from treering.importers.document_drafts import UNKNOWN, Introductions, retired
from treering.importers.document_folder import DOCUMENT_BYTES_MAX
from treering.importers.document_reading import DocumentReading, read_document
from treering.importers.document_text import ENDINGS, DocumentText, decode
from treering.importers.git_lineages import COMMIT_CHARS, Lineages
from treering.importers.git_repository import Blobs, Commit, FileChange, GitRepository
from treering.importers.moments import Moment
from treering.importers.narrowing import clean, distinct, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Drafted, RecordDraft, RecordKind, Skipped

__all__ = ["GitHistory"]

_REGULAR = ("100644", "100755")
_LATEST = 7_226_582_400  # seconds: the year 2199


class GitHistory:
    """A folder or file in a git working tree; taken for its history only when that is asked for."""

    name = "git"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether the tree lies in the working tree of a repository."""
        path = tree.path.resolve() if tree.path else Path()
        return tree.path is not None and any((folder / ".git").exists() for folder in (path, *path.parents))

    def source(self, tree: FileTree) -> str:
        """The repository, by its first commit."""
        return f"git:{_repository(tree).root()[:COMMIT_CHARS]}"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every version of the documents that ever lay at the tree's path, oldest commits first."""
        repository = _repository(tree)
        lineages = Lineages()
        steps = [_Step(commit, change, lineages.follow(commit, change)) for commit, change in repository.changes()]
        wanted = lineages.within(repository.prefix)
        alive = {lineage for path in repository.paths() if (lineage := lineages.get(path))}
        last = {step.lineage: place for place, step in enumerate(steps)}
        with repository.blobs() as blobs:
            reader = _Reader(repository.name, blobs, lineages, Introductions(options.visibility))
            for place, step in enumerate(steps):
                if step.lineage not in wanted:
                    continue
                if step.is_deletion and step.lineage in alive and last[step.lineage] == place:
                    yield step.skipped("deleted on a branch, and kept when it was merged")
                else:
                    yield from reader.drafts(step)


@dataclass(frozen=True, slots=True)
class _Step:
    """A change to a document."""

    commit: Commit
    change: FileChange
    lineage: str

    @property
    def is_deletion(self) -> bool:
        return self.change.status.startswith("D")

    @property
    def position(self) -> str:
        return f"commit {self.commit.id[:COMMIT_CHARS]}"

    def skipped(self, reason: str) -> Drafted:
        return Drafted(self.change.path, Skipped(reason, self.position))


class _Reader:
    """Turns the changes, in order, into drafts."""

    def __init__(self, place: str, blobs: Blobs, lineages: Lineages, introductions: Introductions) -> None:
        self._place = place
        self._blobs = blobs
        self._lineages = lineages
        self._introductions = introductions
        self._since: dict[tuple[str, str], datetime] = {}  # lineage, text -> when it began to hold
        self._last: dict[str, RecordDraft] = {}
        self._ends: dict[str, Moment] = {}

    def drafts(self, step: _Step) -> Iterator[Drafted]:
        change, before = step.change, self._last.get(step.lineage)
        if step.is_deletion:
            if before is None:
                yield step.skipped("deletion of a file that held no text")
            else:
                yield from self._introduced(step, self._deletion(step, before))
        elif change.mode not in _REGULAR:
            yield step.skipped("link, or not a regular file")
        elif change.blob in change.before:
            yield step.skipped("renamed, or of other rights, with the same text")
        else:
            yield from self._version(step)

    def _version(self, step: _Step) -> Iterator[Drafted]:
        path = step.change.path
        content = self._blobs.read(step.change.blob, DOCUMENT_BYTES_MAX)
        if content is None:
            reason = f"longer than {DOCUMENT_BYTES_MAX:,} bytes, or not in this clone"
            yield kept_aside(path, step.position, reason)
            return
        try:
            document = decode(content)
        except UnicodeDecodeError as error:
            yield kept_aside(path, step.position, str(error))
            return
        if document is None or not document.text.strip():
            yield step.skipped("binary file" if document is None else "empty file")
            return
        reading = read_document(path, document.text, self._place)
        record = self._record(step, document, reading)
        self._since[step.lineage, step.change.blob] = record.valid_from
        self._last[step.lineage] = record
        yield from self._introduced(step, record)
        if reading.retired and self._ends.get(step.lineage) != reading.retired:  # later versions say so again
            self._ends[step.lineage] = reading.retired
            yield Drafted(path, retired(record, reading.retired))

    def _introduced(self, step: _Step, record: RecordDraft) -> Iterator[Drafted]:
        aliases = (step.commit.email,) if step.commit.email not in ("", record.author) else ()
        for draft in (*self._introductions.before(record, aliases), record):
            yield Drafted(step.change.path, draft)

    def _record(self, step: _Step, document: DocumentText, reading: DocumentReading) -> RecordDraft:
        commit, path = step.commit, step.change.path
        dated = self._moment(step)
        return RecordDraft(
            source_id=f"{step.lineage}@{commit.id[:COMMIT_CHARS]}",
            lineage=step.lineage,
            channel=path.rpartition("/")[0] or self._place,
            author=_author(commit),
            valid_from=dated.at,
            valid_from_raw=dated.raw,
            order_hint=commit.committed_at,
            title=reading.title,
            text=document.text,
            kind=RecordKind.DOCUMENT,
            mentions=distinct([name for person in commit.coauthors if (name := _name(person)) != commit.author]),
            tags=(*reading.tags, *document.notes),
            links=reading.links,
            refs=distinct([ref for ref in map(self._lineage_at, reading.paths) if ref != step.lineage]),
            id_is_final=True,  # a commit is what it is, wherever its repository lies
        )

    def _deletion(self, step: _Step, before: RecordDraft) -> RecordDraft:
        commit = step.commit
        name = f"{step.lineage}@{commit.id[:COMMIT_CHARS]}"
        version = replace(before, source_id=name, author=_author(commit), order_hint=commit.committed_at)
        return retired(version, self._moment(step))

    def _moment(self, step: _Step) -> Moment:
        """The author's date, if a clock can have shown it; never before the text that was changed."""
        commit = step.commit
        at, raw = _clock(commit.authored_at), commit.authored_raw
        if at is None:
            at, raw = _clock(commit.committed_at) or UNDATED, f"{raw}, no date; the commit's is taken"
        before = (self._since.get((step.lineage, blob), UNDATED) for blob in step.change.before)
        return Moment(max((at, *before)), raw)

    def _lineage_at(self, path: str) -> str:
        """The document that a link leads to; people leave the ending out."""
        spelled = (path, *(path + ending for ending in ENDINGS))
        return next((lineage for one in spelled if (lineage := self._lineages.get(one))), path)


def _repository(tree: FileTree) -> GitRepository:
    if tree.path is None or (tree.path.is_file() and not tree.has(tree.path.name)):
        raise UnreadableInput(f"{tree.label} is an archive; a history is read from the working tree of a repository.")
    return GitRepository(tree.path)


def _clock(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < _LATEST else None


def _author(commit: Commit) -> str:
    return clean(commit.author or commit.email) or UNKNOWN


def _name(person: str) -> str:
    """The name in "Ana Lobo <ana@w.example>", or the address where there is no name."""
    name, _, address = person.partition("<")
    return clean(name).strip() or clean(address).strip(" >")
