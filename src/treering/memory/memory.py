"""The one class that users of the library meet: it opens a memory, wires the parts together, and decides nothing.

Every read happens in one transaction at one position of the log; every write under the writer's lock. The encoder is
loaded when the first vector is needed, and never for anything else.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import TracebackType
from typing import Self

from treering.access.bounds import Bounds, admissible, may_read
from treering.clock import Clock, Entropy, system_clock, system_entropy
from treering.errors import AmbiguousName, MemoryDamaged, TreeringError, UnknownName, UnreadableInput, UsageError
from treering.forest.writing import Estimate
from treering.importers.protocol import ImportOptions
from treering.log.content import root_of
from treering.log.reader import LogReader
from treering.log.registry import Registry
from treering.log.verify import faults_in_log
from treering.log.writer import LogWriter
from treering.memory.browsing import Browser
from treering.memory.encoders import Encoders
from treering.memory.files import Layout
from treering.memory.importing import import_paths
from treering.memory.loading import Loader
from treering.memory.outlines import outline
from treering.memory.people import People
from treering.memory.pipeline import Pipeline, Progress
from treering.memory.quarantine import Entry, calls, entries
from treering.memory.versions import versions_of
from treering.memory.when import When, moment, phrase_shown, zone_named
from treering.model.drafts import ChannelKind
from treering.model.evidence import Evidence, EvidenceSet
from treering.model.ids import ActorId
from treering.model.outline import Outline
from treering.model.records import Record
from treering.model.report import ImportReport
from treering.model.versions import Version
from treering.models.generator import Generator
from treering.retrieval.engine import Retrieved, ask, retrieve
from treering.retrieval.profiles import DEFAULT, Profile, profile_named
from treering.retrieval.query import QuerySpec, parse_query
from treering.retrieval.searchable import Searchable
from treering.store.database import Database
from treering.store.lock import writer_lock
from treering.temporal.consolidation import Mark, marks

__all__ = ["Memory"]

WRITER_WAIT_SECONDS = 600.0


class Memory:
    """The memory of one organization, in a directory.

    Use `Memory.open`; close it, or use it as a context manager. One instance may be used from several threads: reads
    take turns on its connection.
    """

    def __init__(
        self,
        path: Path,
        *,
        cache: Path,
        clock: Clock,
        entropy: Entropy,
        progress: Progress | None,
        note: Callable[[str], None] | None,
        endpoint_key: str | None,
    ) -> None:
        self._layout = Layout(path)
        self._clock = clock
        self._entropy = entropy
        self._progress = progress or (lambda what, done, total: None)
        self._note = note or (lambda message: None)
        self._loader = Loader(self._layout, Encoders(cache, self._progress, endpoint_key))
        self._database: Database | None = None
        self._turn = threading.RLock()
        self._pinned: Searchable | None = None
        self._pin = ExitStack()

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        cache: Path | None = None,
        clock: Clock = system_clock,
        entropy: Entropy = system_entropy,
        progress: Progress | None = None,
        note: Callable[[str], None] | None = None,
        endpoint_key: str | None = None,
    ) -> Self:
        """Open the memory at `path`; the first `add` makes it, everything else needs it to be there.

        Args:
            path: the memory's directory.
            cache: where encoders' weights are kept; `~/.cache/treering` without it.
            clock: tells the time at which records are logged.
            entropy: gives the salt of each record's commitment.
            progress: called with (what, done, of how many).
            note: told what a person should know and no result says, such as a wait for another writer.
            endpoint_key: the key of an embedding endpoint, where one is configured.
        """
        cache = cache or Path.home() / ".cache" / "treering"
        return cls(
            Path(path),
            cache=cache,
            clock=clock,
            entropy=entropy,
            progress=progress,
            note=note,
            endpoint_key=endpoint_key,
        )

    def close(self) -> None:
        """Release the files."""
        with self._turn:
            self.unpin()
            if self._database is not None:
                self._database.close()
                self._database = None
            self._loader.forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Writing

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

    def quarantined(self) -> list[Entry]:
        """The originals that could not be read, by file and position."""
        with self._reading() as memory:
            return entries(memory.connection)

    @property
    def people(self) -> People:
        """Accounts, links between them, and who may read what."""
        return People(self._reading, self._writing, self._layout.require, self._clock)

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

    # Asking

    def search(
        self,
        question: str,
        *,
        profile: str = DEFAULT,
        asker: str | None = None,
        viewer: str | None = None,
        as_of: When = None,
        known_at: When = None,
        asked_at: When = None,
        zone: str = "UTC",
        k: int = 20,
        budget: int | None = 3000,
    ) -> EvidenceSet:
        """Evidence for a question: at most `k` pieces within `budget` tokens, bounded before anything is ranked.

        Args:
            question: in any language.
            profile: treering, mempp, memgpp, egcforest, hybrid, dense or bm25; after a colon the parts of it to keep.
            asker: who asks; shapes relevance, never access.
            viewer: through whose eyes; the owner's without it.
            as_of: only what held at that time; a date alone means the end of that day in the zone.
            known_at: only what had been logged at that time.
            asked_at: what "yesterday" or "last quarter" in the question counts from; else `as_of`, else now.
            zone: of the asker, as "Europe/Berlin"; days begin and end there.
            k: pieces of evidence at most.
            budget: tokens at most; None for no limit.

        Raises:
            UnknownName: nobody goes by the viewer's name, or (AmbiguousName) several do.
            BadDate: a bound does not read as a date.
        """
        chosen = profile_named(profile)
        place = zone_named(zone)
        with self._reading() as memory:
            bounds = self._bounds(memory, viewer, as_of, known_at, place)
            since = moment(asked_at, place) or bounds.as_of or self._clock()
            spec, notes = self._read_question(memory, question, asker, bounds, since, place)
            found = self._retrieved(memory, spec, chosen, bounds, k, budget)
            shown = {
                "as_of": bounds.as_of.isoformat() if bounds.as_of else None,
                "known_at": bounds.known_at.isoformat() if bounds.known_at else None,
                "viewer": viewer,
                "asker": asker,
                "zone": zone,
                "dates": "; ".join(map(phrase_shown, spec.dates)) or None,
            }
            return EvidenceSet(
                question=question,
                profile=profile,
                bounds=shown,
                items=found.evidence,
                headers=found.headers,
                tokens=found.tokens,
                trace=found.trace,
                notes=(*memory.notes, *notes, *found.notes),
                facts=found.facts,
            )

    def rank(
        self,
        question: str,
        *,
        profile: str = DEFAULT,
        asker: str | None = None,
        as_of: When = None,
        k: int = 100,
    ) -> Sequence[Evidence]:
        """The ranking alone, without a token budget: for measuring. An asker nobody knows is matched by name only."""
        chosen = profile_named(profile)
        with self._reading() as memory:
            bounds = self._bounds(memory, None, as_of, None)
            spec, _ = self._read_question(memory, question, asker, bounds, bounds.as_of or self._clock(), UTC)
            return self._retrieved(memory, spec, chosen, bounds, k, None).evidence

    def check_profile(self, profile: str) -> None:
        """See that the memory can be asked with this profile, before a long run of questions.

        Raises:
            UsageError: there is no such profile.
            MemoryMissing: there is no memory.
        """
        profile_named(profile)
        self._layout.require()

    def record(self, name: str | int, *, viewer: str | None = None) -> Record:
        """One record, whole; `name` is its number here or its source's id (of several versions the newest).

        Raises:
            UnknownName: there is none, or the viewer may not see it: the two cannot be told apart.
        """
        with self._reading() as memory:
            return self._found(memory, str(name), viewer)

    def history(self, name: str | int, *, viewer: str | None = None) -> list[Record]:
        """Every version of a record, oldest first."""
        with self._reading() as memory:
            found = self._found(memory, str(name), viewer)
            return self._allowed(memory, memory.log.lineage(found.source, found.lineage), viewer)

    def chain(self, name: str | int, *, viewer: str | None = None, as_of: When = None) -> list[Version]:
        """The life of a record: every version, oldest first, its state as of the bound, and what it changed."""
        with self._reading() as memory:
            bounds = self._bounds(memory, viewer, as_of, None)
            masks = admissible(memory.columns, memory.channels, bounds)
            found = self._found(memory, str(name), viewer)
            versions = self._allowed(memory, memory.log.lineage(found.source, found.lineage), viewer)
            within = [record for record in versions if masks.known[record.id - 1]]
            return versions_of(within, memory.supersession, masks)

    def consolidation(self) -> list[Mark]:
        """The marks that `consolidate` made, in the order of the log."""
        with self._reading() as memory:
            return marks(memory.connection)

    def tree(self, name: str, *, depth: int = 2, viewer: str | None = None) -> Outline:
        """One tree: `channel:NAME`, `actor:NAME` or `artifact:ID`, with its nodes' summaries `depth` levels down."""
        with self._reading() as memory:
            bounds = self._bounds(memory, viewer, None, None)
            masks = admissible(memory.columns, memory.channels, bounds)
            return outline(memory, name, depth, masks)

    @contextmanager
    def browsing(
        self, *, viewer: str | None = None, as_of: When = None, known_at: When = None, zone: str = "UTC"
    ) -> Iterator[Browser]:
        """Channels, actors, trees and timelines as the viewer may see them, at one position of the log."""
        place = zone_named(zone)
        with self._reading() as memory:
            bounds = self._bounds(memory, viewer, as_of, known_at, place)
            yield Browser(memory, bounds, lambda name: self._found(memory, name, viewer))

    # Facts

    def actor(self, name: str) -> ActorId:
        """The actor that a name or id means.

        Raises:
            UnknownName: nobody goes by it, or (AmbiguousName) several do.
        """
        with self._reading() as memory:
            return Registry(memory.connection).find_actor(name)

    def channel_names(self) -> dict[int, str]:
        """The present name of every channel, by its number here."""
        with self._reading() as memory:
            return {channel.id: channel.name for channel in memory.channels}

    def status(self) -> dict[str, object]:
        """What the memory holds, and how far each derived part is."""
        with self._reading() as memory:
            return {**self._loader.status(memory), **self._hashes(memory)}

    def hashes(self) -> dict[str, str]:
        """`root` (content, whatever order it came in), `chain` (arrival) and `forest` (structure), in hexadecimal."""
        with self._reading() as memory:
            return self._hashes(memory)

    def verify(self) -> list[str]:
        """What is wrong, in words: files, chain, and each derived part against the log. Empty when all is well.

        Parts that an interrupted import left behind are noted and no fault: the next `add` or `rebuild` goes on.
        """
        self._layout.require()
        with self._turn:
            faults = self._connected().check()
            if faults:
                return faults
        with self._reading() as memory:
            for part in self._loader.behind(memory.connection):
                self._note(f"{part} is behind the log: the next `treering add` or `rebuild` goes on")
            return [*faults_in_log(memory.connection), *self._loader.faults(memory)]

    def commits(self) -> int:
        """A number that changes whenever another instance or process has written something."""
        with self._turn:
            return int(self._connected().connection.execute("PRAGMA data_version").fetchone()[0])

    def pin(self) -> None:
        """Read at the present position of the log from now on, whatever is written, until pinned again.

        A pin that is kept for long keeps SQLite's write-ahead log from being emptied.
        """
        with self._turn:
            self.unpin()
            with ExitStack() as stack:
                self._pinned = stack.enter_context(self._snapshot())
                self._pin = stack.pop_all()

    def unpin(self) -> None:
        """Read at the newest position again."""
        with self._turn:
            self._pinned = None
            self._pin.close()

    # Inside

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

    def _hashes(self, memory: Searchable) -> dict[str, str]:
        chain = memory.connection.execute("SELECT chain FROM record ORDER BY id DESC LIMIT 1").fetchone()
        return {
            "root": root_of(memory.log.hashes()).hex(),
            "chain": (chain[0] if chain else b"").hex(),
            "forest": self._loader.forest_digest(memory).hex(),
        }

    def _read_question(
        self,
        memory: Searchable,
        question: str,
        asker: str | None,
        bounds: Bounds,
        asked_at: datetime,
        zone: tzinfo,
    ) -> tuple[QuerySpec, tuple[str, ...]]:
        """What the question names, and what to tell about its asker."""
        notes: list[str] = []
        asker_id: ActorId | None = None
        asker_name = asker or ""
        if asker is not None:
            try:
                asker_id = Registry(memory.connection).find_actor(asker)
                asker_name = Registry(memory.connection).actors([asker_id])[0].name
            except UnknownName as error:
                if bounds.viewer is None:  # to anyone else it would tell who exists
                    notes.append(f"asker: {error}")
        names = self._loader.names(memory, bounds.viewer)
        return parse_query(question, asker_id, asker_name, names, asked_at, zone), tuple(notes)

    def _retrieved(
        self, memory: Searchable, spec: QuerySpec, profile: Profile, bounds: Bounds, k: int, budget: int | None
    ) -> Retrieved:
        asking = ask(memory, spec, bounds, profile, self._loader.encoded(memory, spec, profile))
        return retrieve(memory, asking, profile, k, budget)

    def _bounds(
        self, memory: Searchable, viewer: str | None, as_of: When, known_at: When, zone: tzinfo = UTC
    ) -> Bounds:
        seen_by = Registry(memory.connection).find_actor(viewer) if viewer is not None else None
        return Bounds(as_of=moment(as_of, zone), known_at=moment(known_at, zone), viewer=seen_by)

    def _found(self, memory: Searchable, name: str, viewer: str | None) -> Record:
        visible = self._allowed(memory, memory.log.find(name), viewer)
        if len(visible) == 1:
            return visible[0]
        if not visible:
            raise UnknownName(f"no record has the id {name!r} here")
        ids = ", ".join(f"{record.source}/{record.source_id}" for record in visible)
        raise AmbiguousName(f"{len(visible)} records have the id {name!r}: {ids}. Give one of these")

    def _allowed(self, memory: Searchable, records: list[Record], viewer: str | None) -> list[Record]:
        """Those that the viewer may see; the owner sees deletions and joins as well."""
        if viewer is None:
            return records
        bounds = self._bounds(memory, viewer, None, None)
        masks = admissible(memory.columns, memory.channels, bounds)
        channels = {channel.id: channel for channel in memory.channels}
        return [
            record
            for record in records
            if masks.leaves[record.leaf] and may_read(bounds.viewer, channels[record.channel])
        ]

    def _connected(self) -> Database:
        if self._database is None:
            self._layout.require()
            self._database = Database(self._layout.database, for_writing=False)
        return self._database

    @contextmanager
    def _reading(self) -> Iterator[Searchable]:
        with self._turn:
            if self._pinned is not None:
                yield self._pinned
                return
            with self._snapshot() as memory:
                yield memory

    @contextmanager
    def _snapshot(self) -> Iterator[Searchable]:
        database = self._connected()
        for attempts_left in (1, 0):
            with database.reading():
                try:
                    memory = self._loader.searchable(database.connection)
                except MemoryDamaged:  # or a writer merged a segment away since this transaction began
                    if attempts_left:
                        continue
                    raise
                yield memory
                return

    @contextmanager
    def _writing(self) -> Iterator[tuple[Database, Pipeline]]:
        def waiting(holder: str) -> None:
            self._note(f"waiting: {holder} is writing to {self._layout.root}")

        with (
            self._turn,
            writer_lock(self._layout.lock, wait_seconds=WRITER_WAIT_SECONDS, on_wait=waiting),
            closing(Database(self._layout.database, for_writing=True)) as database,
        ):
            yield database, Pipeline(database, self._layout, self._loader.encoders, self._progress)
