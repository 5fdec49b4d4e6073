"""The one class that users of the library meet: it opens a memory, wires the parts together, and decides nothing.

What it can be asked is in `readable`, its files and transactions in `opened`; here is what writes.
"""

from collections.abc import Mapping
from pathlib import Path

from treering.errors import TreeringError, UnreadableInput, UsageError
from treering.forest.writing import Estimate
from treering.importers.protocol import ImportOptions
from treering.log.content import root_of
from treering.log.reader import LogReader
from treering.log.writer import LogWriter
from treering.memory.importing import import_paths
from treering.memory.pipeline import Pipeline
from treering.memory.quarantine import calls
from treering.memory.readable import Readable
from treering.memory.when import zone_named
from treering.model.drafts import ChannelKind
from treering.model.report import ImportReport
from treering.models.generator import Generator
from treering.store.database import Database

__all__ = ["Memory"]


class Memory(Readable):
    """The memory of one organization, in a directory.

    Use `Memory.open`; close it, or use it as a context manager. One instance may be used from several threads: reads
    take turns on its connection.
    """

    def add(
        self,
        *paths: str | Path,
        format: str = "auto",  # noqa: A002  # the word of the command line
        source: str | None = None,
        fields: Mapping[str, str] | None = None,
        visibility: ChannelKind | str = ChannelKind.PRIVATE,
        zone: str | None = None,
        date_order: str | None = None,
        embed: bool = True,
        encoder: str | None = None,
        sparse: str | None = None,
    ) -> ImportReport:
        """Log what the paths hold, and make it searchable; what the log holds already is left alone.

        Raises:
            UnreadableInput: a path does not read or is of no known format; what came before it stays logged.
            MemoryBusy: another process kept writing.
            ModelUnavailable: the encoder's weights cannot be had; the records are logged and found by their words.
        """
        for path in paths:
            if not str(path):
                raise UsageError("a path is empty; give the export's file or folder")
            if not Path(path).exists():
                raise UnreadableInput(f"{path} does not exist; nothing was read")
        self._layout.make()
        if zone is not None:
            zone_named(zone)
        options = ImportOptions(
            fields=dict(fields or {}),
            visibility=ChannelKind(visibility),
            source=source,
            date_order=date_order,
            zone=zone,
        )
        with self._writing() as (database, pipeline):
            pipeline.configure(encoder, sparse)
            try:
                report = import_paths(
                    database,
                    lambda: LogWriter(database.connection, self._clock, self._entropy),
                    [Path(path) for path in paths],
                    format,
                    options,
                    self._progress,
                )
            except TreeringError:
                pipeline.derive_words_and_trees()
                raise
            return self._derived(report, database, pipeline, embed)

    def retry(self, *paths: str | Path, embed: bool = True) -> ImportReport:
        """Import again what put records into quarantine, or the paths given, and clear what reads now.

        A path is read as it was when it was added; one that never was, such as a corrected copy, as `add` reads it.

        Raises:
            UnreadableInput: a path does not read; what came before it stays logged.
        """
        self._layout.require()
        with self._writing() as (database, pipeline):
            report = ImportReport()
            for call in calls(database.connection, map(Path, paths)):
                if not paths and not call.path.exists():
                    self._note(f"{call.path} is not there any more: what it left in quarantine stays")
                    continue
                import_paths(
                    database,
                    lambda: LogWriter(database.connection, self._clock, self._entropy),
                    [call.path],
                    call.format,
                    call.options,
                    self._progress,
                    report=report,
                    retry=True,
                )
            return self._derived(report, database, pipeline, embed)

    def rebuild(
        self, *, encoder: str | None = None, sparse: str | None = None, embed: bool = True
    ) -> dict[str, object]:
        """Derive everything anew from the log; another `encoder` embeds by it. The log itself is only read."""
        self._layout.require()
        with self._writing() as (_, pipeline):
            pipeline.configure(encoder, sparse)
            pipeline.clear()
            pipeline.derive_words_and_trees()
            if embed:
                pipeline.derive_vectors()
        return self.status()

    def consolidate(self, generator: Generator | None = None) -> int:
        """Mark near-duplicates: the older of two that contradict or restate each other; nothing is deleted.

        Returns how many pairs were found that had no mark yet; `consolidation` lists all, `take_back` removes them.

        Args:
            generator: a model that tells contradiction from restatement; rules do without it.

        Raises:
            ModelUnavailable: the memory has no vectors, or the model's server does not answer.
        """
        self._layout.require()
        with self._writing() as (_, pipeline):
            return pipeline.consolidate(generator)

    def extract_triples(self, generator: Generator) -> int:
        """Have a model read triples out of the documents it has not read yet; returns how many it gave."""
        self._layout.require()
        with self._writing() as (_, pipeline):
            return pipeline.extract_triples(generator)

    def estimate_summaries(self, generator: Generator) -> Estimate:
        """What it would take to have a model write every summary that it has not written yet; nobody is asked."""
        self._layout.require()
        with self._writing() as (_, pipeline):
            return pipeline.estimate_summaries(generator)

    def summarize(self, generator: Generator, *, most: int | None = None) -> int:
        """Have a model write summaries of nodes, at most so many; returns how many it wrote. Goes on where it stopped.

        Raises:
            ModelUnavailable: the model's server does not answer; what was written stays.
        """
        self._layout.require()
        with self._writing() as (_, pipeline):
            return pipeline.write_summaries(generator, most)

    def take_back(self) -> int:
        """Remove every mark that `consolidate` made; returns how many there were."""
        self._layout.require()
        with self._writing() as (_, pipeline):
            return pipeline.take_back()

    def _derived(self, report: ImportReport, database: Database, pipeline: Pipeline, embed: bool) -> ImportReport:
        """Derive what follows from an import, and complete its report."""
        pipeline.derive_words_and_trees()
        if embed:
            pipeline.derive_vectors()
        report.embedded = pipeline.embedded()
        report.grown = dict(pipeline.grown)
        report.channels_unknown, report.actors_unknown = pipeline.unknown()
        report.root = root_of(LogReader(database.connection).hashes()).hex()
        return report
