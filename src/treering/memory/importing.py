"""From paths to the log: every draft is logged, skipped or quarantined, and counted as exactly one of these.

A batch is one transaction. Whatever ends the process, the batches committed stay, and the next run finds them
unchanged; there is no checkpoint to lose.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from treering.importers.detect import detect, extract
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.log.writer import LogWriter
from treering.model.drafts import (
    ActorDraft,
    ChannelDraft,
    Drafted,
    Quarantined,
    RecordDraft,
    Skipped,
)
from treering.model.report import SHOWN_MAX, FileReport, ImportReport
from treering.store.database import Database

__all__ = ["Progress", "import_paths"]

BATCH = 2_000  # drafts a transaction
Progress = Callable[[str, int, int], None]  # what, done, of how many (0: not known)


def import_paths(
    database: Database,
    make_writer: Callable[[], LogWriter],
    paths: Sequence[Path],
    wanted: str,
    options: ImportOptions,
    progress: Progress,
) -> ImportReport:
    """Log everything that the paths hold.

    Raises:
        UnreadableInput: a path does not read, or is of no known format; what came before it stays logged.
    """
    report = ImportReport()
    writer: LogWriter | None = None
    done = 0
    for path in paths:
        with open_tree(path) as tree:
            importer = detect(tree, wanted, renamed=bool(options.fields))
            source = options.source or importer.source(tree)
            for batch in _batches(extract(tree, importer, options)):
                with database.writing():
                    writer = writer or make_writer()
                    writer.begin_batch()
                    for drafted in batch:
                        _log(writer, source, drafted, _file(report, str(path), drafted.file, importer.name, source))
                        if isinstance(drafted.draft, ChannelDraft) and not drafted.draft.stated:
                            report.visibility = options.visibility.value
                done += len(batch)
                progress(f"reading {tree.label}", done, 0)
    return report


def _batches(drafts: Iterator[Drafted]) -> Iterator[list[Drafted]]:
    while batch := list(itertools.islice(drafts, BATCH)):
        yield batch


def _file(report: ImportReport, path: str, file: str, format_name: str, source: str) -> FileReport:
    found = report.files.get((path, file))
    if found is None:
        found = report.files[path, file] = FileReport(path, file, format_name, source)
    return found


def _log(writer: LogWriter, source: str, drafted: Drafted, file: FileReport) -> None:
    counts = file.counts
    match drafted.draft:
        case RecordDraft() as draft:
            counts.read += 1
            appended = writer.append(source, draft)
            if appended.unchanged:
                counts.unchanged += 1
            elif appended.first:
                counts.kept += 1
            else:
                counts.versions += 1
        case ActorDraft() as draft:
            writer.registry.put_actor(source, draft)
        case ChannelDraft() as draft:
            writer.registry.put_channel(source, draft)
        case Skipped(reason, position):
            counts.read += bool(position)
            counts.skipped[reason] += 1
        case Quarantined() as bad:
            counts.read += 1
            counts.quarantined += 1
            writer.quarantine(bad)
            if len(file.quarantined) < SHOWN_MAX:
                file.quarantined.append(bad)
