"""A baseline after RAPTOR: messages and summaries of groups of them in one collapsed ranking.

RAPTOR clusters chunks by their vectors, summarizes each cluster by a model, and does so again over the summaries;
collapsed, it ranks all levels together. Here a thread (of documents: the versions of one) is the cluster, sixteen at a
time, and summaries are extractive. Summaries lie in a memory of their own beside the pool's, so both are bounded by the
question's date and scored by the same encoder. Where a summary is met, its records are shown, best first.
Source: Sarthi et al. 2024 (collapsed tree retrieval); what differs is ours.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from treering.evaluation.benchmark import DocumentRow, MessageRow, Pool, Question
from treering.evaluation.memories import require_vectors
from treering.evaluation.ranking import Ranked, ranked
from treering.evaluation.systems import Asker, Place
from treering.memory import Memory
from treering.text.analysis import analyze
from treering.text.sentences import sentences

__all__ = ["Cluster", "Raptor", "clusters", "gist"]

BRANCHING = 16
SENTENCES = 5
LEAVES_RANKED = 1_000  # how deep messages are ranked to know which of a summary's come first
LEAVES_SHOWN = 16  # of one summary


@dataclass(frozen=True, slots=True)
class Cluster:
    """A summarized group of records."""

    id: str
    channel: str
    thread: str
    last_at: str
    text: str
    members: tuple[str, ...]  # source ids of all records below, in order of time


@dataclass(frozen=True, slots=True)
class Raptor:
    """The collapsed tree over threads; `leg` is the profile that scores both levels."""

    leg: str = "dense"
    whole: bool = False

    @property
    def name(self) -> str:
        """`raptor`; with another leg than RAPTOR's own, that as well."""
        return "raptor" if self.leg == "dense" else f"raptor:{self.leg}"

    @property
    def settings(self) -> str:
        """The shape of the tree."""
        return f"{self.leg} {BRANCHING} {SENTENCES} {LEAVES_RANKED} {LEAVES_SHOWN}"

    def depths(self, cuts: Sequence[int]) -> dict[int, int]:
        """A shorter ranking is the beginning of a longer one."""
        return dict.fromkeys(cuts, max(cuts))

    def check(self, memory: Memory) -> None:
        """The leg is a profile, and has its vectors."""
        memory.check_profile(self.leg)
        if self.leg != "bm25":
            require_vectors(memory, self.name)

    @contextmanager
    def ready(self, place: Place) -> Iterator[Asker]:
        """Made ready: the clusters are summarized, and have their memory."""
        found = {cluster.id: cluster for cluster in clusters(place.pool)}
        rows: list[MessageRow] = [
            {
                "id": cluster.id,
                "sent_at": cluster.last_at,
                "author": "summary",
                "channel": cluster.channel,
                "thread": cluster.thread,
                "text": cluster.text,
            }
            for cluster in found.values()
        ]
        with place.beside(Pool(f"{place.pool.key}-raptor", (), rows)) as summaries:

            def collapsed(question: Question, depth: int) -> tuple[Ranked, ...]:
                leaves = self._ranked(place.memory, question, LEAVES_RANKED)
                nodes = self._ranked(summaries, question, depth)
                return _merged(leaves, nodes, found)[:depth]

            yield collapsed

    def _ranked(self, memory: Memory, question: Question, depth: int) -> tuple[Ranked, ...]:
        return ranked(memory.rank(question.text, profile=self.leg, asker=question.asker, as_of=question.bound, k=depth))


def _merged(leaves: Sequence[Ranked], nodes: Sequence[Ranked], found: dict[str, Cluster]) -> tuple[Ranked, ...]:
    """Leaves where their scores put them, and at each summary its best records; nothing twice."""
    by_id = {leaf.source_id: leaf for leaf in leaves}
    rank = {leaf.source_id: place for place, leaf in enumerate(leaves)}
    chosen: dict[str, Ranked] = {}
    for item in sorted((*leaves, *nodes), key=lambda item: (-item.score, item.source_id)):
        if item.source_id not in found:
            chosen.setdefault(item.source_id, item)
            continue
        members = [name for name in found[item.source_id].members if name in rank]
        for name in sorted(members, key=rank.__getitem__)[:LEAVES_SHOWN]:
            chosen.setdefault(name, by_id[name])
    return tuple(chosen.values())


def clusters(pool: Pool) -> list[Cluster]:
    """Every inner node: the records of a thread in order of time, sixteen by sixteen, until one is left."""
    threads: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for row in pool.rows():
        at, channel, thread = _place(row)
        threads.setdefault((channel, thread), []).append((at, str(row["id"]), row["text"]))
    made: list[Cluster] = []
    for (channel, thread), records in sorted(threads.items()):
        level = [Cluster(name, channel, thread, at, text, (name,)) for at, name, text in sorted(records)]
        while len(level) > 1:
            groups = [level[start : start + BRANCHING] for start in range(0, len(level), BRANCHING)]
            parents = {place: _parent(group) for place, group in enumerate(groups) if len(group) > 1}
            made += parents.values()
            level = [parents.get(place, group[0]) for place, group in enumerate(groups)]
    return made


def _place(row: MessageRow | DocumentRow) -> tuple[str, str, str]:
    at = str(row.get("sent_at") or row.get("dated") or "1970-01-01")
    return at, str(row.get("channel") or row.get("org") or "all"), str(row.get("thread") or row.get("doc") or "")


def _parent(group: Sequence[Cluster]) -> Cluster:
    members = tuple(name for child in group for name in child.members)
    name = hashlib.sha256("\0".join(members).encode()).hexdigest()[:24]
    first = group[0]
    label = ", ".join(part for part in (first.channel, first.thread) if part)
    text = f"{label}: {gist([child.text for child in group])}"
    return Cluster(f"summary:{name}", first.channel, first.thread, max(child.last_at for child in group), text, members)


def gist(texts: Sequence[str]) -> str:
    """The sentences whose words the others share most, in their own order.

    >>> gist(["Lunch?", "The release is late.", "Who knows why the release is late?"] + ["So the release waits."] * 3)
    'The release is late. Who knows why the release is late? So the release waits.'
    """
    pieces = list(dict.fromkeys(piece.strip() for text in texts for piece in sentences(text) if piece.strip()))
    terms = [set(analyze(piece)) for piece in pieces]
    shared = Counter(term for held in terms for term in held)
    worth = [sum(shared[term] - 1 for term in held) / (len(held) + 3) for held in terms]  # + 3: short ones say little
    best = sorted(range(len(pieces)), key=lambda place: (-worth[place], place))[:SENTENCES]
    return " ".join(pieces[place] for place in sorted(best) if worth[place] > 0)
