"""What is compared: profiles of the memory under their names, two baselines built here, and the papers' ablations.

A system is made ready for one pool and then answers question after question. Names follow the profiles' own:
`egcforest:S1+S2` keeps parts. Ours are `mempp:-vector`, which leaves one out, and `mempp:+consolidation`, which asks a
copy of the memory whose near-duplicates have been marked.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from treering.errors import UsageError
from treering.evaluation.benchmark import Pool, Question
from treering.evaluation.memories import require_vectors
from treering.evaluation.ranking import Ranked, ranked
from treering.memory import Memory

__all__ = ["ABLATIONS", "Asker", "ConsolidatedSystem", "Place", "ProfileSystem", "System", "profile_system"]

Asker = Callable[[Question, int], tuple[Ranked, ...]]  # a question and a depth -> at most that many, best first

CONSOLIDATED = "mempp:+consolidation"
ABLATIONS: dict[str, dict[str, str]] = {  # table -> what the paper calls a row -> the system
    "views": {
        "V1: channel": "egcforest:channel",
        "V2: V1 and actor": "egcforest:channel+actor",
        "V3: V1 and artifact": "egcforest:channel+artifact",
        "V4: all": "egcforest",
    },
    "stages": {
        "S1": "egcforest:S1",
        "S1 to S2": "egcforest:S1+S2",
        "S1 to S3": "egcforest:S1+S2+S3",
        "S1 to S4": "egcforest",
    },
    "legs": {
        "Mem++": "mempp",
        "without vector": "mempp:-vector",
        "without lexical": "mempp:-lexical",
        "without tag": "mempp:-tag",
        "without reserve": "mempp:-reserve",
        "with consolidation": CONSOLIDATED,
        "with a fact index": "mempp:lexical+tag+vector+reserve+fact",
        "with facts (Memg++)": "memgpp",
    },
}
STABLE = ("bm25", "dense", "hybrid")  # one ranking, whatever its depth: a shorter one is its beginning
MEMPP_PARTS = ("lexical", "tag", "vector", "reserve")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a system works: one pool, its memory, and a way to have a further memory beside it."""

    pool: Pool
    memory: Memory
    beside: Callable[[Pool], AbstractContextManager[Memory]]
    copied: Callable[[], AbstractContextManager[Memory]]  # a copy of the memory, gone afterwards


class System(Protocol):
    """One thing to be compared."""

    @property
    def name(self) -> str:
        """As it stands in tables."""

    @property
    def settings(self) -> str:
        """What shapes its rankings besides code and memory; a change asks everything anew."""

    @property
    def whole(self) -> bool:
        """Whether it gives a set without an order, so that cuts mean nothing to it."""

    def depths(self, cuts: Sequence[int]) -> dict[int, int]:
        """For each cut, the depth to ask for: its own, or the deepest where a shorter ranking is its beginning."""

    def check(self, memory: Memory) -> None:
        """See that the memory can be asked, before anything else is.

        Raises:
            UsageError: there is no such profile.
            MemoryMissing: there is no memory.
            ModelUnavailable: it ranks by vectors that are not there.
        """

    def ready(self, place: Place) -> AbstractContextManager[Asker]:
        """Made ready for one pool."""


@dataclass(frozen=True, slots=True)
class ProfileSystem:
    """A profile of the memory."""

    name: str
    profile: str  # as the memory takes it
    whole: bool = False

    @property
    def settings(self) -> str:
        """The profile's name: its parameters are code."""
        return self.profile

    def depths(self, cuts: Sequence[int]) -> dict[int, int]:
        """Quotas and reserves of staged profiles grow with the number asked for, so each cut is asked by itself."""
        return {cut: max(cuts) if self.profile in STABLE else cut for cut in cuts}

    def check(self, memory: Memory) -> None:
        """The profile exists, and so do the vectors that it needs."""
        memory.check_profile(self.profile)
        if self._needs_vectors():
            require_vectors(memory, self.name)

    @contextmanager
    def ready(self, place: Place) -> Iterator[Asker]:
        """Nothing has to be prepared."""
        yield lambda question, depth: ranked(
            place.memory.rank(question.text, profile=self.profile, asker=question.asker, as_of=question.bound, k=depth)
        )

    def _needs_vectors(self) -> bool:
        base, _, parts = self.profile.partition(":")
        return not (base == "bm25" or (base == "mempp" and parts and "vector" not in parts.split("+")))


@dataclass(frozen=True, slots=True)
class ConsolidatedSystem(ProfileSystem):
    """A profile, asked of a copy of the memory in which rules have marked the older of near-duplicates."""

    @property
    def settings(self) -> str:
        """The rules are code."""
        return f"{self.profile} after consolidation"

    @contextmanager
    def ready(self, place: Place) -> Iterator[Asker]:
        """The memory itself stays as it is."""
        with place.copied() as copy:
            copy.consolidate()
            with ProfileSystem.ready(self, replace(place, memory=copy)) as asker:
                yield asker


def profile_system(name: str) -> ProfileSystem:
    """The profile that a name means; `mempp:-vector` keeps all parts but one.

    Raises:
        UsageError: a part is left out that Mem++ does not have.

    >>> profile_system("mempp:-vector").profile
    'mempp:lexical+tag+reserve'
    """
    base, _, parts = name.partition(":")
    if name == CONSOLIDATED:
        return ConsolidatedSystem(name, base)
    if not parts.startswith("-"):
        return ProfileSystem(name, name)
    left_out = set(parts[1:].split("-"))
    if base != "mempp" or not left_out <= set(MEMPP_PARTS):
        raise UsageError(f"{name!r}: only {', '.join(MEMPP_PARTS)} of mempp can be left out, as in mempp:-vector")
    kept = "+".join(part for part in MEMPP_PARTS if part not in left_out)
    return ProfileSystem(name, f"mempp:{kept}")
