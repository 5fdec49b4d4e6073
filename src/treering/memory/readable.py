"""What can be asked of a memory: evidence, records, versions, trees, people, facts. Nothing here writes.

The encoders are loaded when the first vector is needed, and never for anything else.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from treering.access.bounds import Admissible, Bounds, admissible, may_read
from treering.errors import AmbiguousName, UnknownName, UsageError
from treering.log.content import root_of
from treering.log.registry import Registry
from treering.log.verify import faults_in_log
from treering.memory.browsing import Browser
from treering.memory.opened import Opened
from treering.memory.outlines import outline
from treering.memory.people import People
from treering.memory.quarantine import Entry, entries
from treering.memory.versions import versions_of
from treering.memory.when import When, moment, phrase_shown, zone_named
from treering.model.evidence import Evidence, EvidenceSet
from treering.model.ids import ActorId
from treering.model.outline import Outline
from treering.model.records import Record
from treering.model.versions import Version
from treering.retrieval.engine import Retrieved, ask, retrieve
from treering.retrieval.profiles import DEFAULT, Profile, profile_named
from treering.retrieval.query import QuerySpec, parse_query
from treering.retrieval.searchable import Searchable
from treering.temporal.consolidation import Mark, marks

__all__ = ["Readable"]


class Readable(Opened):
    """The reading half of `Memory`; see there."""

    def quarantined(self) -> list[Entry]:
        """The originals that could not be read, by file and position."""
        with self._reading() as memory:
            return entries(memory.connection)

    @property
    def people(self) -> People:
        """Accounts, links between them, and who may read what."""
        return People(self._reading, self._writing, self._layout.require, self._clock)

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
            asker: who asks; shapes relevance, never access. One whom the viewer cannot know is matched by name alone.
            viewer: through whose eyes; the owner's without it.
            as_of: only what held at that time; a date alone means the end of that day in the zone.
            known_at: only what had been logged at that time.
            asked_at: what "yesterday" or "last quarter" in the question counts from; else `as_of`, else now.
            zone: of the asker, as "Europe/Berlin"; days begin and end there.
            k: pieces of evidence at most.
            budget: tokens at most; None for no limit.

        Raises:
            UsageError: there is no such profile, or `k` is less than 1.
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
            return self._found(memory, str(name), self._bounds(memory, viewer, None, None))

    def history(self, name: str | int, *, viewer: str | None = None) -> list[Record]:
        """Every version of a record, oldest first."""
        with self._reading() as memory:
            return self._life(memory, str(name), self._bounds(memory, viewer, None, None))

    def chain(self, name: str | int, *, viewer: str | None = None, as_of: When = None) -> list[Version]:
        """The life of a record: every version, oldest first, its state as of the bound, and what it changed."""
        with self._reading() as memory:
            bounds = self._bounds(memory, viewer, as_of, None)
            masks = admissible(memory.columns, memory.channels, bounds)
            versions = self._life(memory, str(name), replace(bounds, as_of=None))
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
            yield self._browser(memory, bounds)

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
                among = None  # what somebody asks for another may not lead to whom they cannot know
                if bounds.viewer is not None:
                    among = self._browser(memory, Bounds(viewer=bounds.viewer)).known_actors
                asker_id = Registry(memory.connection).find_actor(asker, among)
                asker_name = Registry(memory.connection).actors([asker_id])[0].name
            except UnknownName as error:
                if bounds.viewer is None:  # to anyone else it would tell who exists
                    notes.append(f"asker: {error}")
        names = self._loader.names(memory, bounds.viewer)
        return parse_query(question, asker_id, asker_name, names, asked_at, zone), tuple(notes)

    def _retrieved(
        self, memory: Searchable, spec: QuerySpec, profile: Profile, bounds: Bounds, k: int, budget: int | None
    ) -> Retrieved:
        if k < 1:
            raise UsageError(f"k says how many pieces of evidence to give, 1 or more; got {k}")
        asking = ask(memory, spec, bounds, profile, self._loader.encoded(memory, spec, profile))
        reranker = self._loader.encoders.reranker if profile.lift is not None else None
        return retrieve(memory, asking, profile, k, budget, reranker)

    def _bounds(
        self, memory: Searchable, viewer: str | None, as_of: When, known_at: When, zone: tzinfo = UTC
    ) -> Bounds:
        seen_by = Registry(memory.connection).find_actor(viewer) if viewer is not None else None
        return Bounds(as_of=moment(as_of, zone), known_at=moment(known_at, zone), viewer=seen_by)

    def _browser(self, memory: Searchable, bounds: Bounds) -> Browser:
        return Browser(memory, bounds, lambda name: self._found(memory, name, bounds))

    def _found(self, memory: Searchable, name: str, bounds: Bounds) -> Record:
        masks = self._masks(memory, bounds)
        found = memory.log.find(name, None if masks is None else masks.known)
        visible = _allowed(memory, found, bounds, masks)
        if len(visible) == 1:
            return visible[0]
        if not visible:
            raise UnknownName(f"no record has the id {name!r} here")
        ids = ", ".join(f"{record.source}/{record.source_id}" for record in visible)
        raise AmbiguousName(f"{len(visible)} records have the id {name!r}: {ids}. Give one of these")

    def _life(self, memory: Searchable, name: str, bounds: Bounds) -> list[Record]:
        """Every version of what a name means."""
        masks = self._masks(memory, bounds)
        found = self._found(memory, name, bounds)
        versions = memory.log.lineage(found.source, found.lineage, None if masks is None else masks.known)
        return _allowed(memory, versions, bounds, masks)

    def _masks(self, memory: Searchable, bounds: Bounds) -> Admissible | None:
        """What the bounds admit; None where nothing is bounded: the owner sees deletions and joins as well."""
        return None if bounds == Bounds() else admissible(memory.columns, memory.channels, bounds)


def _allowed(memory: Searchable, records: list[Record], bounds: Bounds, masks: Admissible | None) -> list[Record]:
    """Those that the viewer may see."""
    if bounds.viewer is None or masks is None:
        return records
    channels = {channel.id: channel for channel in memory.channels}
    return [
        record for record in records if masks.leaves[record.leaf] and may_read(bounds.viewer, channels[record.channel])
    ]
