"""One benchmark, several systems: every pool becomes a memory, every system is asked every question, all is measured.

Rankings are kept as they come, so that an interrupted run goes on where it stopped. Nothing is printed here and no
table is made: `summary` reads the results.
"""

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from treering.errors import MemoryMissing, UsageError
from treering.evaluation.benchmark import Benchmark, Pool, Question, half_of
from treering.evaluation.cuts import CUTS, headline
from treering.evaluation.fingerprint import code_digest
from treering.evaluation.memories import Building, Opener, build, described, lacking
from treering.evaluation.metrics import measure
from treering.evaluation.misses import Miss, misses_of
from treering.evaluation.ranking import Kept, Ranked, RankingFile, question_digest
from treering.evaluation.systems import Asker, Place, System
from treering.memory import Memory

__all__ = ["Results", "Selection", "Settings", "run"]

Progress = Callable[[str, int, int], None]  # what, done, of how many


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of a benchmark is asked; everything without it."""

    categories: frozenset[str] = frozenset()
    half: int | None = None  # 0 or 1
    pools_max: int | None = None
    questions_max: int | None = None  # of each pool

    def of(self, questions: Sequence[Question], seen: Counter[str]) -> tuple[Question, ...]:
        """The questions chosen from a pool; `seen` goes from pool to pool."""
        chosen = tuple(questions) if self.half is None else half_of(questions, self.half, seen)
        chosen = tuple(question for question in chosen if not self.categories or question.category in self.categories)
        return chosen[: self.questions_max]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a benchmark is run."""

    work: Path  # memories and rankings are kept here
    cuts: tuple[int, ...] = CUTS
    building: Building = field(default_factory=Building)
    memory: Path | None = None  # a memory that exists already, for a benchmark of one pool
    selection: Selection = field(default_factory=Selection)
    fresh: bool = False  # ask again what was asked before
    rebuild: bool = False  # derive the memories anew
    misses: str = ""  # the system whose misses are kept; empty: of none


@dataclass(slots=True)
class Results:
    """What came of it; `measured[name]` follows `questions`."""

    benchmark: Benchmark
    cuts: tuple[int, ...]
    questions: list[Question] = field(default_factory=list)
    measured: dict[str, list[dict[str, float | None]]] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()  # systems that give a set without order
    pools: int = 0
    records: int = 0
    encoders: str = ""
    notes: list[str] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)  # of the system that the settings name, at the headline cut


def run(
    benchmark: Benchmark,
    systems: Sequence[System],
    settings: Settings,
    open_memory: Opener,
    progress: Progress = lambda what, done, total: None,
) -> Results:
    """Ask every system every question of every pool.

    Raises:
        UsageError: a system is unknown or named twice, there is no cut, or a memory is given for several pools.
        UnreadableInput: the benchmark's data are not as they should be.
        ModelUnavailable: a system needs vectors that cannot be had.
    """
    _check(systems, settings, open_memory)
    return _Run(benchmark, systems, settings, open_memory, progress).results()


def _check(systems: Sequence[System], settings: Settings, open_memory: Opener) -> None:
    """Find a wrong call before an hour of embedding does."""
    names = Counter(system.name for system in systems)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise UsageError(f"{', '.join(twice)} is named more than once")
    if settings.misses and settings.misses not in names:
        raise UsageError(f"misses of {settings.misses} are wanted, which is not among {', '.join(names)}")
    if not settings.cuts or min(settings.cuts) < 1:
        raise UsageError("a cut is 1 or more, and there must be one")
    with open_memory(settings.memory or settings.work / "none.treering") as memory:
        for system in systems:
            with suppress(MemoryMissing):  # it is yet to be built: the names are looked at first
                system.check(memory)


class _Run:
    def __init__(
        self,
        benchmark: Benchmark,
        systems: Sequence[System],
        settings: Settings,
        open_memory: Opener,
        progress: Progress,
    ) -> None:
        self._benchmark = benchmark
        self._systems = systems
        self._settings = settings
        self._open = open_memory
        self._progress = progress
        self._work = settings.work / benchmark.name
        self._code = code_digest()
        self._files = {system.name: RankingFile(self._work / f"{_slug(system.name)}.jsonl") for system in systems}

    def results(self) -> Results:
        settings = self._settings
        results = Results(self._benchmark, tuple(sorted(set(settings.cuts))))
        results.whole = frozenset(system.name for system in self._systems if system.whole)
        results.measured = {system.name: [] for system in self._systems}
        results.notes += self._benchmark.notes
        seen: Counter[str] = Counter()
        for pool in self._benchmark.pools:
            if results.pools == settings.selection.pools_max:
                break
            if settings.memory and results.pools:
                raise UsageError("--memory stands for the one pool of a benchmark; this one has several")
            questions = settings.selection.of(pool.questions, seen)
            if not questions:
                continue
            self._ask_pool(replace(pool, questions=questions), results)
        for file in self._files.values():
            file.tidy()
        if not results.questions:
            raise UsageError(
                f"no question of {self._benchmark.name} is left to ask: see the categories and limits given"
            )
        return results

    def _ask_pool(self, pool: Pool, results: Results) -> None:
        path = self._settings.memory or self._built(pool)
        with self._open(path) as memory:
            lost = lacking(memory, (name for question in pool.questions for name in question.evidence))
            if lost:
                results.notes.append(f"{pool.key}: {len(lost)} needed records are not in the memory: {_some(lost)}")
            status = memory.status()
            results.encoders = described(status)
            state = json.dumps([status, self._code], default=str)  # the status holds the roots of log and forests
            said = pool.said_by()
            for system in self._systems:
                system.check(memory)
            for system in self._systems:
                beside, copied = partial(self._beside, str(status["encoder"])), partial(self._copied, path)
                place = Place(pool, memory, beside, copied)
                answers = list(self._answers(system, place, state))
                for question, rankings in answers:
                    results.measured[system.name].append(measure(question, rankings, said, whole=system.whole))
                if system.name == self._settings.misses:
                    results.misses += misses_of(
                        pool, [rankings for _, rankings in answers], headline(results.cuts), whole=system.whole
                    )
        results.questions += pool.questions
        results.notes += pool.notes
        results.pools += 1
        results.records += len(said)

    def _answers(
        self, system: System, place: Place, memory_state: str
    ) -> Iterator[tuple[Question, dict[int, Sequence[Ranked]]]]:
        """Each question with its ranking at every cut."""
        state = hashlib.sha256(f"{memory_state} {system.settings}".encode()).hexdigest()[:16]
        depths = system.depths(self._settings.cuts)
        with system.ready(place) as asker:
            for number, question in enumerate(place.pool.questions, 1):
                asked = {
                    depth: self._asked(system, asker, place.pool.key, question, depth, state)
                    for depth in sorted(set(depths.values()))
                }
                self._progress(f"asking {system.name}", number, len(place.pool.questions))
                yield question, {cut: asked[depths[cut]].ranking for cut in sorted(depths)}

    def _asked(self, system: System, asker: Asker, pool: str, question: Question, depth: int, state: str) -> Kept:
        file = self._files[system.name]
        known = None if self._settings.fresh else file.find(state, pool, question, depth)
        if known is not None:
            return known
        started = time.perf_counter()
        ranking = asker(question, depth)
        ms = round((time.perf_counter() - started) * 1000, 3)
        asked = Kept(state, pool, question.id, question_digest(question), depth, ms, ranking)
        file.add(asked)
        return asked

    def _built(self, pool: Pool, building: Building | None = None) -> Path:
        self._progress(f"building {pool.key}", 0, 0)
        chosen = building or self._settings.building
        return build(pool, self._work / "memories", chosen, self._open, rebuild=self._settings.rebuild)

    @contextmanager
    def _beside(self, encoder: str, pool: Pool) -> Iterator[Memory]:
        """A further memory by the same encoder as the pool's own, so that similarities compare."""
        building = Building(encoder, "none", embed=self._settings.building.embed)
        with self._open(self._built(pool, building)) as memory:
            yield memory

    @contextmanager
    def _copied(self, path: Path) -> Iterator[Memory]:
        """A copy of a memory, to change; the one kept for the next run stays as it was built."""
        with TemporaryDirectory(prefix="treering-eval-") as folder:
            copy = Path(folder) / path.name
            self._progress(f"copying {path.name}", 0, 0)
            shutil.copytree(path, copy)
            with self._open(copy) as memory:
                yield memory


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-+" else "_" for letter in name)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" ..." if len(names) > 3 else "")
