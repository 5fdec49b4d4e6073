"""Encoding what has no vector yet: passages first, then the summaries of nodes; resumable at any text."""

import sqlite3
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from treering.forest.kinds import View
from treering.index.vectors import VectorStore
from treering.log.passages import passage_texts
from treering.models.protocol import DenseEncoder

__all__ = ["embed_passages", "embed_summaries", "leaf_vectors", "missing_vectors"]

BATCH = 256  # texts encoded between two writes; what a crash can cost
Progress = Callable[[str, int, int], None]


def embed_passages(
    connection: sqlite3.Connection, store: VectorStore, encoder: DenseEncoder, progress: Progress
) -> int:
    """Encode every passage whose text has no vector; returns how many texts were encoded."""
    keys = _passage_keys(connection)
    first = int(store.missing(keys).min(initial=len(keys)))
    texts = ((passage.key, passage.text) for passage in passage_texts(connection, first))
    return _embed(texts, keys, store, encoder, "embedding messages", progress)


def embed_summaries(
    connection: sqlite3.Connection, store: VectorStore, encoder: DenseEncoder, progress: Progress
) -> int:
    """Encode every node's summary that has no vector; returns how many were encoded."""
    texts = connection.execute("SELECT text_key, text FROM summary ORDER BY key")
    return _embed(texts, _summary_keys(connection), store, encoder, "embedding summaries", progress)


def missing_vectors(connection: sqlite3.Connection, store: VectorStore | None) -> dict[str, tuple[int, int]]:
    """How many texts have a vector, of how many, for passages and for summaries."""
    found = {}
    for name, all_keys in (("passages", _passage_keys(connection)), ("summaries", _summary_keys(connection))):
        keys = np.unique(all_keys)
        have = 0 if store is None else len(keys) - len(store.missing(keys))
        found[name] = (have, len(keys))
    return found


def leaf_vectors(connection: sqlite3.Connection, store: VectorStore) -> Callable[[list[int]], NDArray[np.float32]]:
    """A look-up of leaves' vectors: the centroid of the head version's passages; rows of NaN where there is none."""

    def look_up(leaves: list[int]) -> NDArray[np.float32]:
        vectors = np.full((len(leaves), store.dimensions), np.nan, dtype=np.float32)
        place = {leaf: at for at, leaf in enumerate(leaves)}
        for start in range(0, len(leaves), 500):
            some = ",".join(str(int(leaf)) for leaf in leaves[start : start + 500])
            rows = connection.execute(
                f"SELECT l.id, p.key FROM leaf l JOIN passage p ON p.record = l.head WHERE l.id IN ({some})"
            ).fetchall()
            if not rows:
                continue
            found = store.rows(np.frombuffer(b"".join(key for _, key in rows), dtype="V16"))
            by_leaf: dict[int, list[int]] = {}
            for (leaf, _), row in zip(rows, found.tolist(), strict=True):
                if row >= 0:
                    by_leaf.setdefault(leaf, []).append(row)
            for leaf, of_leaf in by_leaf.items():
                centroid = store.vectors(np.array(of_leaf, dtype=np.int64)).mean(axis=0)
                vectors[place[leaf]] = centroid / max(float(np.linalg.norm(centroid)), 1e-9)
        return vectors

    return look_up


def _embed(
    texts: Iterator[tuple[bytes, str]],
    keys: NDArray[np.void],
    store: VectorStore,
    encoder: DenseEncoder,
    what: str,
    progress: Progress,
) -> int:
    wanted = {keys[place].tobytes() for place in store.missing(keys)}
    total, done = len(wanted), 0
    batch: list[tuple[bytes, str]] = []
    for key, text in texts:
        if key in wanted:
            wanted.discard(key)
            batch.append((key, text))
        if len(batch) == BATCH or (batch and not wanted):
            vectors = encoder.encode_passages([text for _, text in batch])
            store.append(np.frombuffer(b"".join(key for key, _ in batch), dtype="V16"), vectors)
            done += len(batch)
            batch = []
            progress(what, done, total)
        if not wanted:
            break
    return done


def _passage_keys(connection: sqlite3.Connection) -> NDArray[np.void]:
    rows = connection.execute("SELECT key FROM passage ORDER BY id").fetchall()
    return np.frombuffer(b"".join(row[0] for row in rows), dtype="V16")


def _summary_keys(connection: sqlite3.Connection) -> NDArray[np.void]:
    """The keys of the summaries that a profile compares with questions: no profile so far looks at threads."""
    rows = connection.execute(
        "SELECT texts FROM tree WHERE view != ?1"
        " UNION ALL SELECT b.texts FROM branch b JOIN tree t ON t.id = b.tree WHERE t.view != ?1",
        (View.THREAD,),
    ).fetchall()
    keys: NDArray[np.void] = np.frombuffer(b"".join(row[0] for row in rows), dtype="V16")
    not_yet_made = np.zeros(1, dtype="V16")
    return np.delete(keys, np.flatnonzero(keys == not_yet_made))
