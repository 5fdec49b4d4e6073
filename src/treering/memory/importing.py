"""From paths to the log: every draft is logged, skipped or quarantined, and counted as exactly one of these.

A batch is one transaction. Whatever ends the process, the batches committed stay, and the next run finds them
unchanged; there is no checkpoint to lose. What an import tells of people and channels is as new as its newest record,
so it is settled when the records are in (`log.told`); until then a channel met before stays as it was.
"""

import itertools
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from treering.errors import UnreadableInput
from treering.importers.detect import detect, extract
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.log.told import UNDATED
from treering.log.writer import LogWriter
from treering.memory.quarantine import Retried, remember_call
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, Drafted, Quarantined, RecordDraft, Skipped
from treering.model.records import micros
from treering.model.report import SHOWN_MAX, Counts, FileReport, ImportReport
from treering.store.database import Database

__all__ = ["Progress", "import_paths"]

BATCH = 2_000  # drafts a transaction
Progress = Callable[[str, int, int], None]  # what, done, of how many (0: not known)
T = TypeVar("T")


def import_paths(
    database: Database,
    make_writer: Callable[[], LogWriter],
    paths: Sequence[Path],
    wanted: str,
    options: ImportOptions,
    progress: Progress,
    *,
    report: ImportReport | None = None,
    retry: bool = False,
) -> ImportReport:
    """Log everything that the paths hold.

    Args:
        database: open for writing.
        make_writer: makes the log's writer, inside a transaction.
        paths: what to read.
        wanted: a format, or "auto".
        options: what the operator says about the inputs.
        progress: told how far it is.
        report: goes on in this one.
        retry: clear what lay in quarantine and reads now.

    Raises:
        UnreadableInput: a path does not read, or is of no known format; what came before it stays logged.
    """
    report = report or ImportReport()
    writer: LogWriter | None = None
    done = 0
    for path in paths:
        with open_tree(path) as tree:
            importer = detect(tree, wanted, renamed=bool(options.fields))
            source = options.source or importer.source(tree)
            files = len(tree.names())
            reading = _Reading(report, database.connection, path, importer.name, source, options, wanted)
            try:
                for batch in _batches(extract(tree, importer, options)):
                    with database.writing():
                        writer = writer or make_writer()
                        writer.begin_batch()
                        for drafted in batch:
                            reading.log(writer, drafted)
                    done += len(batch)
                    progress(f"reading {tree.label}", done, 0)
                    if files > 1:
                        progress(f"files of {tree.label}", min(len(reading.files), files), files)
            except UnreadableInput:
                _settle(database, writer, reading)  # whoever was taken off a list must not wait for a whole file
                raise
            _settle(database, writer, reading)
            if retry:
                with database.writing() as connection:
                    report.cleared += reading.retried.clear(connection, reading.files)
    return report


def _batches(some: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(some)
    while batch := list(itertools.islice(rest, BATCH)):
        yield batch


def _settle(database: Database, writer: LogWriter | None, reading: "_Reading") -> None:
    if writer is None:
        return
    registry, at, source = writer.registry, reading.newest, reading.source
    for places in _batches(reading.channels.values()):
        with database.writing():
            for place in places:
                registry.put_channel(source, place, at)
    for people in _batches(reading.actors.values()):
        with database.writing():
            for person in people:
                registry.settle_actor(source, person, at)


class _Reading:
    """One path being read: what has been met so far, and how it was counted."""

    def __init__(
        self,
        report: ImportReport,
        connection: sqlite3.Connection,
        path: Path,
        format_name: str,
        source: str,
        options: ImportOptions,
        wanted: str,
    ) -> None:
        self.source = source
        self.newest = UNDATED  # the latest time that a record bears, but never one that is still to come
        self.actors: dict[str, ActorDraft] = {}
        self.channels: dict[str, ChannelDraft] = {}  # as told last
        self.files: set[str] = set()
        self.retried = Retried(source)
        self._report = report
        self._connection = connection
        self._path = path
        self._format = format_name
        self._options = options
        self._wanted = wanted
        self._made: set[str] = set()  # channels that nothing knew before

    def log(self, writer: LogWriter, drafted: Drafted) -> None:
        """Log one draft and count it."""
        file = self._file(drafted.file)
        counts = file.counts
        self.files.add(drafted.file)
        match drafted.draft:
            case RecordDraft() as draft:
                self._append(writer, draft, file)
            case ActorDraft() as draft:
                self._meet_person(draft)
                writer.registry.put_actor(self.source, draft)
            case ChannelDraft() as draft:
                self._meet(writer, draft)
            case Skipped(reason, position):
                counts.read += bool(position)
                counts.skipped[reason] += 1
            case Quarantined() as bad:
                counts.read += 1
                counts.quarantined += 1
                writer.quarantine(bad)
                self.retried.bad(bad)
                if len(file.quarantined) < SHOWN_MAX:
                    if not file.quarantined:
                        self._remember_call(bad.file)
                    file.quarantined.append(bad)

    def _append(self, writer: LogWriter, draft: RecordDraft, file: FileReport) -> None:
        moment = micros(draft.valid_from)
        if self.newest < moment <= writer.learned_at:
            self.newest = moment
        appended = writer.append(self.source, draft)
        of_channel = file.channels.get(draft.channel)
        if of_channel is None:
            of_channel = file.channels[draft.channel] = Counts()
        for counts in (file.counts, of_channel):
            counts.read += 1
            if appended.unchanged:
                counts.unchanged += 1
            elif appended.first:
                counts.kept += 1
            else:
                counts.versions += 1

    def _meet_person(self, draft: ActorDraft) -> None:
        """Keep what is told last of a person, but nothing that an id met in passing tells."""
        held = self.actors.get(draft.id)
        if draft.kind is not ActorKind.UNKNOWN or (draft.name != draft.id and (not held or held.kind is draft.kind)):
            self.actors[draft.id] = draft

    def _remember_call(self, file: str) -> None:
        remember_call(self._connection, file, self.source, self._path, self._wanted, self._options)

    def _meet(self, writer: LogWriter, draft: ChannelDraft) -> None:
        """Make a new channel what it is told to be; of one that was there before only names are noted for now."""
        registry = writer.registry
        if not registry.knows_channel(self.source, draft.id):
            self._made.add(draft.id)
        if draft.id in self._made:
            registry.put_channel(self.source, draft, at_once=True)
        else:
            registry.note_channel_names(self.source, draft)
        self.channels[draft.id] = draft
        self._report.names[self.source, draft.id] = draft.name
        if not draft.stated:
            self._report.visibility = self._options.visibility.value

    def _file(self, name: str) -> FileReport:
        found = self._report.files.get((str(self._path), name))
        if found is None:
            found = FileReport(str(self._path), name, self._format, self.source)
            self._report.files[str(self._path), name] = found
        return found
