"""What follows the log, in order: words, trees, vectors, artifacts. Each part knows how far it is and goes on.

A crash between any two lines leaves a part behind the log and never beside it; the next writer brings it up to date.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from treering.errors import ModelUnavailable
from treering.forest.artifacts import grow_artifacts, thresholds_for
from treering.forest.extractive import Extractive
from treering.forest.grow import GrowReport, grow
from treering.forest.modelled import ModelSummarizer
from treering.forest.schema import DERIVED as FOREST_DERIVED
from treering.forest.schema import TABLES as FOREST_TABLES
from treering.forest.writing import Estimate, estimate_summaries, write_summaries
from treering.index.sparse_store import SparseStore
from treering.index.vectors import VectorStore
from treering.log.schema import TABLES as LOG_TABLES
from treering.memory.embedding import embed_passages, embed_summaries, leaf_vectors, missing_vectors
from treering.memory.encoders import NONE, Choice, Encoders, require_spec
from treering.memory.files import Layout
from treering.memory.indexing import index_lexical, index_sparse, remove_strays
from treering.memory.schema import TABLES as MEMORY_TABLES
from treering.models.generator import Generator
from treering.store.database import Database
from treering.temporal.consolidation import consolidate, take_back
from treering.temporal.extracting import extract_triples
from treering.temporal.modelled import judge_by
from treering.temporal.noting import note_statements
from treering.temporal.schema import DERIVED as TEMPORAL_DERIVED
from treering.temporal.schema import TABLES as TEMPORAL_TABLES

__all__ = ["Pipeline", "Progress"]

Progress = Callable[[str, int, int], None]
FOREST_BATCH = 100_000  # records that one transaction grows the trees by


class Pipeline:
    """Derives; needs the writer's lock."""

    def __init__(self, database: Database, layout: Layout, encoders: Encoders, progress: Progress) -> None:
        self._database = database
        self._connection = database.connection
        self._layout = layout
        self._encoders = encoders
        self._progress = progress
        self._summarizer = Extractive()
        self.grown: Counter[str] = Counter()  # what the trees cost: nodes made, summaries written
        database.make(LOG_TABLES + FOREST_TABLES + TEMPORAL_TABLES + MEMORY_TABLES)
        layout.segments.mkdir(exist_ok=True)
        remove_strays(self._connection, layout.segments)

    def configure(self, encoder: str | None, sparse: str | None) -> None:
        """Choose encoders; what is not named stays as it is."""
        require_spec(encoder, sparse)
        before = Choice.read(self._connection)
        choice = before
        if encoder is not None and encoder != before.dense:
            choice = replace(choice, dense=encoder, dense_name="", dimensions=0)
        if encoder in (NONE, "static") and sparse is None and not before.sparse_name:
            sparse = NONE  # whoever chooses speed or no model at all does not want a second, slower one
        if sparse is not None and sparse != before.sparse:
            choice = replace(choice, sparse=sparse, sparse_name="")
        with self._database.writing() as connection:
            choice.write(connection)

    def clear(self) -> None:
        """Forget everything derived but the vectors, which are kept by the text they stand for."""
        with self._database.writing() as connection:
            for table in (*FOREST_DERIVED, *TEMPORAL_DERIVED, "segment", "position"):
                connection.execute(f"DELETE FROM {table}")
        remove_strays(self._connection, self._layout.segments)

    def derive_words_and_trees(self) -> None:
        """Bring words and trees up to the log's last record; no encoder is needed."""
        index_lexical(self._database, self._layout.segments, self._progress)
        last = int(self._connection.execute("SELECT coalesce(max(id), 0) FROM record").fetchone()[0])
        done = self._position("forest")
        behind = True
        while behind:  # once even if no record is new: names and kinds of channels may be
            upto = min(done + FOREST_BATCH, last)
            with self._database.writing() as connection:
                self._count(grow(connection, done, upto, summarizer=self._summarizer))
                self._advance("forest", upto)
            done = upto
            behind = done < last
            self._progress("growing trees", done, last)
        self._note_statements(last)
        self._grow_artifacts()

    def _note_statements(self, last: int) -> None:
        """Note labels, names, marks and triples of the records that have none yet."""
        done = self._position("statements")
        while done < last:
            upto = min(done + FOREST_BATCH, last)
            with self._database.writing() as connection:
                note_statements(connection, done, upto)
                self._advance("statements", upto)
            done = upto

    def derive_vectors(self) -> None:
        """Encode what has no vector yet, cluster artifacts by vectors, and encode the summaries."""
        choice = Choice.read(self._connection)
        if choice.sparse != NONE:
            sparse = self._encoders.sparse(choice.sparse)
            if choice.sparse_name != sparse.name:
                choice = self._remember(replace(choice, sparse_name=sparse.name))
            store = SparseStore(self._layout.sparse(sparse.name), writable=True)
            index_sparse(self._database, self._layout.segments, store, sparse, self._progress)
        if choice.dense == NONE:
            return
        encoder = self._encoders.dense(choice.dense)
        if (choice.dense_name, choice.dimensions) != (encoder.name, encoder.dimensions):
            self._remember(replace(choice, dense_name=encoder.name, dimensions=encoder.dimensions))
        vectors = VectorStore(self._layout.vectors(encoder.name), encoder.dimensions, writable=True)
        embed_passages(self._connection, vectors, encoder, self._progress)
        self._grow_artifacts()
        embed_summaries(self._connection, vectors, encoder, self._progress)
        with self._database.writing():
            self._advance("vectors", self._position("forest"))

    def _remember(self, choice: Choice) -> Choice:
        with self._database.writing() as connection:
            choice.write(connection)
        return choice

    def estimate_summaries(self, generator: Generator) -> Estimate:
        """What it would take to have a model write the summaries."""
        return estimate_summaries(self._database, ModelSummarizer(generator))

    def write_summaries(self, generator: Generator, most: int | None) -> int:
        """Have a model write summaries, and encode what it wrote where the memory has an encoder."""
        summarizer = ModelSummarizer(generator)
        written = write_summaries(self._database, summarizer, most=most, progress=self._progress)
        store = self._store()
        if store is not None and len(store):
            choice = Choice.read(self._connection)
            encoder = self._encoders.dense(choice.dense)
            vectors = VectorStore(self._layout.vectors(encoder.name), encoder.dimensions, writable=True)
            embed_summaries(self._connection, vectors, encoder, self._progress)
        return written

    def extract_triples(self, generator: Generator) -> int:
        """Have a model read triples out of documents."""
        return extract_triples(self._database, generator, self._progress)

    def consolidate(self, generator: Generator | None = None) -> int:
        """Mark near-duplicates; how many pairs are new."""
        store = self._store()
        if store is None or not len(store):
            raise ModelUnavailable("near-duplicates are found by vectors and this memory has none: `treering rebuild`")
        with self._database.writing() as connection:
            judge = partial(judge_by, generator) if generator is not None else None
            return consolidate(connection, leaf_vectors(connection, store), judge)

    def take_back(self) -> int:
        """Remove the marks of near-duplicates."""
        with self._database.writing() as connection:
            return take_back(connection)

    def embedded(self) -> bool:
        """Whether every text has its vector, or none is wanted."""
        choice = Choice.read(self._connection)
        if choice.dense == NONE:
            return True
        return all(have == wanted for have, wanted in missing_vectors(self._connection, self._store()).values())

    def unknown(self) -> tuple[int, int]:
        """Channels whose members nobody told, and actors known by nothing but an id."""
        channels = "SELECT count(*) FROM channel WHERE kind != 'public' AND NOT members_known"
        actors = "SELECT count(*) FROM actor WHERE kind = 'unknown' AND name = native"
        counts = [int(self._connection.execute(sql).fetchone()[0]) for sql in (channels, actors)]
        return counts[0], counts[1]

    def _grow_artifacts(self) -> None:
        """Cluster the identifiers that new records touched, by whatever vectors there are."""
        store = self._store()
        with self._database.writing() as connection:
            if store is None or not len(store):
                grown = grow_artifacts(connection, summarizer=self._summarizer)
            else:
                encoder, vectors = Choice.read(connection).dense_name, leaf_vectors(connection, store)
                grown = grow_artifacts(
                    connection,
                    summarizer=self._summarizer,
                    encoder=encoder,
                    vectors=vectors,
                    thresholds=thresholds_for(connection, encoder, vectors),
                )
        self._count(grown)

    def _count(self, grown: GrowReport) -> None:
        self.grown.update({name: getattr(grown, name) for name in ("leaves", "nodes_new", "nodes_summarized")})

    def _store(self) -> VectorStore | None:
        choice = Choice.read(self._connection)
        if choice.dense == NONE or not choice.dense_name:
            return None
        return VectorStore(self._layout.vectors(choice.dense_name), choice.dimensions)

    def _position(self, part: str) -> int:
        row = self._connection.execute("SELECT record FROM position WHERE part = ?", (part,)).fetchone()
        return int(row[0]) if row else 0

    def _advance(self, part: str, record: int) -> None:
        self._connection.execute("INSERT OR REPLACE INTO position (part, record) VALUES (?, ?)", (part, record))
