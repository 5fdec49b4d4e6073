"""From files to a `Searchable`: all that a question reads, at one position of the log, kept until the log moves on."""

import sqlite3
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from treering.access.bounds import may_read
from treering.bridges.bridges import Bridges
from treering.errors import MemoryDamaged
from treering.forest.grow import forest_digest
from treering.forest.kinds import View
from treering.forest.view import ForestView
from treering.index.dense import DenseIndex
from treering.index.lexical import Lexical
from treering.index.postings import Segment
from treering.index.sparse import SparseIndex
from treering.index.vectors import VectorStore
from treering.log.reader import Columns, LogReader
from treering.log.registry import Registry
from treering.memory.embedding import missing_vectors
from treering.memory.encoders import NONE, Choice, Encoders
from treering.memory.files import Layout
from treering.memory.indexing import segments_of
from treering.model.ids import ActorId
from treering.model.records import instant
from treering.retrieval.engine import Encoded
from treering.retrieval.place_names import PlaceNames
from treering.retrieval.profiles import Leg, Profile
from treering.retrieval.query import Names, QuerySpec
from treering.retrieval.searchable import VIEWS, NodeVectors, Searchable
from treering.retrieval.sequences import Sequences
from treering.temporal.consolidation import near_duplicates
from treering.temporal.supersession import Supersession

__all__ = ["Loader"]


class Loader:
    """Loads and keeps; every call happens inside the caller's read transaction."""

    def __init__(self, layout: Layout, encoders: Encoders) -> None:
        self._layout = layout
        self.encoders = encoders
        self._kept: Searchable | None = None
        self._state: tuple[object, ...] = ()
        self._names: dict[tuple[int, ActorId | None], Names] = {}  # by memory, for a moment two are in use

    def forget(self) -> None:
        """Drop what was loaded."""
        self._kept = None
        self._state = ()
        self._names = {}

    def searchable(self, connection: sqlite3.Connection) -> Searchable:
        """The memory as it is now; loaded anew only when something was committed since."""
        state = (id(connection), connection.execute("PRAGMA data_version").fetchone()[0])
        if self._kept is None or state != self._state:
            self.forget()
            self._kept = self.load(connection)
            self._state = state
        return self._kept

    def load(self, connection: sqlite3.Connection) -> Searchable:
        """The memory as it is now, for the caller to keep."""
        memory = self._load(connection)
        self._names = {}  # of memories that may be gone, whose number another may get
        return memory

    def names(self, memory: Searchable, viewer: ActorId | None) -> Names:
        """The names that a question may use, as far as the viewer may know of them."""
        known = self._names
        found = known.get((id(memory), viewer))
        if found is None:
            visible = {int(channel.id) for channel in memory.channels if may_read(viewer, channel)}
            found = Names.load(memory.connection, None if viewer is None else visible)
            known[id(memory), viewer] = found
        return found

    def encoded(self, memory: Searchable, spec: QuerySpec, profile: Profile) -> Encoded:
        """The question as its encoders see it, where the profile wants that and the memory has the vectors."""
        text = spec.matched if profile.names_asker else spec.text
        choice = Choice.read(memory.connection)
        dense = sparse = None
        if Leg.DENSE in profile.legs and memory.dense is not None:
            dense = self.encoders.question(choice.dense, text)
        if Leg.SPARSE in profile.legs and memory.sparse is not None:
            sparse = self.encoders.question_terms(choice.sparse, text)
        return Encoded(dense, sparse)

    def _load(self, connection: sqlite3.Connection) -> Searchable:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'near_duplicate'").fetchone() is None:
            raise MemoryDamaged(
                "this memory was made before documents had states: `treering rebuild` brings it up to date"
            )
        log = LogReader(connection)
        lexical, last = self._lexical(connection)
        columns = log.columns(last)
        forest = ForestView.load(connection)
        store = self._store(connection)
        notes: tuple[str, ...] = ()
        if last < log.last():
            notes = ("records are logged that no index holds yet: the next `treering add` goes on",)
        dense = nodes = None
        if store is not None and len(store):
            rows = store.rows(columns.passage_keys)
            dense = DenseIndex(store, rows)
            if (rows < 0).any():  # how many is for the owner (`status`): they may lie in closed channels
                notes = (
                    *notes,
                    "some passages have no vector yet: those are found by their words",
                )
            nodes = _node_vectors(forest, store)
        view_number = {view.value: number for number, view in enumerate(VIEWS)}
        return Searchable(
            connection=connection,
            log=log,
            last=last,
            columns=columns,
            channels=tuple(Registry(connection).channels()),
            record_ties=_natural_order(connection, columns),
            lexical=lexical,
            dense=dense,
            forest=forest,
            nodes=nodes,
            tree_view=np.array([view_number[tree.view] for tree in forest.trees], dtype=np.int8),
            leaf_transitions=_transitions(connection, len(columns.leaf_channel)),
            bridges=Bridges(connection),
            supersession=Supersession(connection, last),
            text_hash=_text_hash(columns),
            consolidated=near_duplicates(connection, last),
            sequences=Sequences.load(connection, columns.passage_record, last),
            place_names=PlaceNames.load(connection, last),
            sparse=self._sparse(connection, len(columns.passage_record)),
            notes=notes,
        )

    def _lexical(self, connection: sqlite3.Connection) -> tuple[Lexical, int]:
        """The word index, and the last record whose passages are all in it: where the reader is pinned."""
        infos = segments_of(connection, "lexical")
        segments = [Segment.open(self._layout.segments / info.name) for info in infos]
        passages = sum(info.count for info in infos)
        row = connection.execute("SELECT record - 1 FROM passage WHERE id = ?", (passages,)).fetchone()
        last = int(row[0]) if row else LogReader(connection).last()
        inside = int(connection.execute("SELECT count(*) FROM passage WHERE record <= ?", (last,)).fetchone()[0])
        assert inside <= passages, f"{inside} passages up to record {last}, {passages} in the index"
        return Lexical(segments), last

    def _store(self, connection: sqlite3.Connection) -> VectorStore | None:
        choice = Choice.read(connection)
        if choice.dense == NONE or not choice.dense_name:
            return None
        return VectorStore(self._layout.vectors(choice.dense_name), choice.dimensions)

    def _sparse(self, connection: sqlite3.Connection, passages: int) -> SparseIndex | None:
        choice = Choice.read(connection)
        if choice.sparse == NONE or not choice.sparse_name:
            return None
        infos = segments_of(connection, f"sparse {choice.sparse_name}")
        if not infos:
            return None
        return SparseIndex([Segment.open(self._layout.segments / info.name) for info in infos], passages)

    # Facts

    def status(self, memory: Searchable) -> dict[str, object]:
        """Counts, and how far each derived part is."""
        connection = memory.connection
        choice = Choice.read(connection)
        count = _counter(connection)
        positions = dict(connection.execute("SELECT part, record FROM position").fetchall())
        vectors = missing_vectors(connection, self._store(connection))
        first, last = connection.execute(
            "SELECT min(valid_from), max(valid_from) FROM record WHERE event IS NULL"
        ).fetchone()
        return {
            "records": count("record"),
            "lineages": count("leaf"),
            "passages": count("passage"),
            "channels": count("channel"),
            "actors": count("actor"),
            "quarantined": count("quarantine"),
            "first": _shown(first),
            "last": _shown(last),
            "trees": dict(connection.execute("SELECT view, count(*) FROM tree GROUP BY view ORDER BY view").fetchall()),
            "nodes": len(memory.forest.node_tree),
            "derived up to record": positions,
            "encoder": choice.dense,
            "sparse encoder": choice.sparse,
            **({"reranker": self.encoders.reranker_spec} if self.encoders.reranker_spec else {}),
            "vectors": {part: f"{have:,} of {wanted:,}" for part, (have, wanted) in vectors.items()},
            "segments": len(segments_of(connection, "lexical")),
        }

    def behind(self, connection: sqlite3.Connection) -> list[str]:
        """The parts that an interrupted import left behind the log; the next writer brings them up to date."""
        last = LogReader(connection).last()
        positions = dict(connection.execute("SELECT part, record FROM position").fetchall())
        return [part for part in ("lexical", "forest", "statements") if positions.get(part, 0) < last]

    def forest_digest(self, memory: Searchable) -> bytes:
        """The hash of all trees, in natural order."""
        return forest_digest(memory.connection)

    def faults(self, memory: Searchable) -> list[str]:
        """What is wrong with the derived parts."""
        connection = memory.connection
        faults = [
            f"segment {info.name} is damaged: `treering rebuild` makes it anew"
            for info in segments_of(connection, "lexical")
            if not Segment.open(self._layout.segments / info.name).is_whole()
        ]
        if self.behind(connection):
            return faults  # an interrupted import, which is no damage: counts do not agree before it is finished
        if memory.lexical.passages != len(memory.columns.passage_record):
            faults.append(
                f"{memory.lexical.passages} passages are indexed, {len(memory.columns.passage_record)} are logged:"
                " `treering rebuild` indexes them anew"
            )
        hung = int(connection.execute("SELECT count(*) FROM leaf WHERE NOT event").fetchone()[0])
        forest = memory.forest
        placed = sum(int(forest.tree_first[t + 1] - forest.tree_first[t]) for t in forest.find(View.CHANNEL))
        if hung != placed:
            faults.append(f"{placed} leaves hang in channel trees, {hung} should: `treering rebuild` grows them anew")
        return faults


def _node_vectors(forest: ForestView, store: VectorStore) -> NodeVectors:
    rows = store.rows(forest.node_text_key)
    matrix = np.zeros((len(rows), store.dimensions), dtype=np.float32)
    present = rows >= 0
    matrix[present] = store.vectors(rows[present])
    return NodeVectors(matrix, present)


def _transitions(connection: sqlite3.Connection, leaves: int) -> NDArray[np.int64]:
    """The steps of a life that each leaf reports, as bits."""
    bits = np.zeros(leaves, dtype=np.int64)
    number: dict[str, int] = {}
    for leaf, name in connection.execute("SELECT leaf, name FROM transition"):
        bits[leaf] |= 1 << number.setdefault(name, len(number))
    return bits


def _natural_order(connection: sqlite3.Connection, columns: Columns) -> NDArray[np.int64]:
    """A rank for each record, the later first, and then by content: equal scores never fall by order of arrival.

    Versions of a document share most of their passages, and so their scores; the newest is what a reader expects.
    """
    hashes = connection.execute("SELECT substr(hash, 1, 8) FROM record WHERE id <= ? ORDER BY id", (columns.records,))
    numbers = np.frombuffer(b"".join(row[0] for row in hashes), dtype=">u8")
    ranks = np.empty(columns.records, dtype=np.int64)
    ranks[np.lexsort((numbers, -columns.record_valid_from))] = np.arange(columns.records)
    return ranks


def _text_hash(columns: Columns) -> NDArray[np.uint64]:
    """A number for the words of each record and who said them; 0 where a record has no words."""
    halves = columns.passage_keys.view("<u8").reshape(-1, 2)
    hashes = np.zeros(columns.records, dtype=np.uint64)
    np.add.at(hashes, columns.passage_record, halves[:, 0] ^ (halves[:, 1] << np.uint64(1)))
    worded = hashes != 0
    hashes[worded] += columns.record_author[worded].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return hashes


def _counter(connection: sqlite3.Connection) -> Callable[[str], int]:
    return lambda table: int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _shown(micros: int | None) -> str | None:
    return None if micros is None else instant(micros).isoformat()
