"""Which encoders a memory uses, and the encoders themselves, loaded once and when first needed."""

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from treering.errors import UsageError
from treering.models.catalog import known_model
from treering.models.load import ModelStatus, list_models, load_dense, load_reranker, load_sparse
from treering.models.protocol import DenseEncoder, Reranker, SparseEncoder, SparseVector
from treering.models.pull import pull

__all__ = [
    "DEFAULT_ENCODER",
    "DEFAULT_SPARSE",
    "NONE",
    "Choice",
    "Encoders",
    "ModelStatus",
    "list_models",
    "pull_weights",
    "require_spec",
]

DEFAULT_ENCODER = "e5-small"
DEFAULT_SPARSE = "splade-tiny"
NONE = "none"
QUESTIONS_KEPT = 256
Progress = Callable[[str, int, int], None]
Encoded = TypeVar("Encoded")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a memory's meta table says: the specs chosen, and what the dense one turned out to be."""

    dense: str  # a spec as `--encoder` takes it, or "none"
    sparse: str
    dense_name: str = ""  # of the weights that made the vectors; empty: none made yet
    dimensions: int = 0
    sparse_name: str = ""  # of the weights that made the sparse vectors

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> "Choice":
        """The memory's choice; the defaults for a new one."""
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        return cls(
            dense=meta.get("encoder", DEFAULT_ENCODER),
            sparse=meta.get("sparse", DEFAULT_SPARSE),
            dense_name=meta.get("encoder_name", ""),
            dimensions=int(meta.get("dimensions", 0)),
            sparse_name=meta.get("sparse_name", ""),
        )

    def write(self, connection: sqlite3.Connection) -> None:
        """Remember the choice; needs a write transaction."""
        values = {
            "encoder": self.dense,
            "sparse": self.sparse,
            "encoder_name": self.dense_name,
            "dimensions": str(self.dimensions),
            "sparse_name": self.sparse_name,
        }
        connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values.items())


class Encoders:
    """Loads by spec and keeps what it loaded; several threads may ask at once."""

    def __init__(self, cache: Path, progress: Progress, endpoint_key: str | None, reranker: str | None = None) -> None:
        self.reranker_spec = reranker
        self._cache = cache
        self._progress = progress
        self._endpoint_key = endpoint_key
        self._loading = threading.Lock()
        self._dense: dict[str, DenseEncoder] = {}
        self._sparse: dict[str, SparseEncoder] = {}
        self._questions: _Recent[NDArray[np.float32]] = _Recent()
        self._question_terms: _Recent[SparseVector] = _Recent()

    def dense(self, spec: str) -> DenseEncoder:
        """The dense encoder of that spec.

        Raises:
            ModelUnavailable: its weights cannot be had.
            UsageError: there is no such spec.
        """
        with self._loading:
            if spec not in self._dense:
                self._dense[spec] = load_dense(spec, self._cache, self._share, key=self._endpoint_key)
            return self._dense[spec]

    def sparse(self, spec: str) -> SparseEncoder:
        """The sparse encoder of that spec; errors as for `dense`."""
        with self._loading:
            if spec not in self._sparse:
                self._sparse[spec] = load_sparse(spec, self._cache, self._share)
            return self._sparse[spec]

    @cached_property
    def reranker(self) -> Reranker | None:
        """The reranker that was configured; None without one. Errors as for `dense`."""
        return load_reranker(self.reranker_spec, key=self._endpoint_key) if self.reranker_spec else None

    def question(self, spec: str, text: str) -> NDArray[np.float32]:
        """A question's vector; the last few are kept, as a question is often asked again with other bounds."""
        return self._questions.get((spec, text), lambda: self.dense(spec).encode_query(text))

    def question_terms(self, spec: str, text: str) -> SparseVector:
        """A question's sparse vector; kept as its dense one is."""
        return self._question_terms.get((spec, text), lambda: self.sparse(spec).encode_query(text))

    def _share(self, what: str, share: float) -> None:
        self._progress(what, int(share * 100), 100)


class _Recent(Generic[Encoded]):
    """The last questions as an encoder saw them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], Encoded] = {}

    def get(self, key: tuple[str, str], encode: Callable[[], Encoded]) -> Encoded:
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        encoded = encode()
        with self._lock:
            if len(self._kept) >= QUESTIONS_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = encoded
        return encoded


def require_spec(dense: str | None, sparse: str | None) -> None:
    """See that specs name encoders of the right kind, without loading any.

    Raises:
        UsageError: one does not.
    """
    elsewhere = ("folder:", "st:", "http://", "https://")
    for spec, wanted in ((dense, ("dense", "static")), (sparse, ("sparse",))):
        if spec in (None, NONE) or str(spec).startswith(elsewhere):
            continue
        if known_model(str(spec)).kind not in wanted:
            raise UsageError(f"{spec} is no {wanted[0]} encoder; `treering models list` tells the kinds")


def pull_weights(name: str, cache: Path, progress: Progress) -> None:
    """Fetch and convert the weights of a model of the catalogue, unless the cache has them.

    Raises:
        UsageError: there is no such model.
        ModelUnavailable: no source gave them.
    """
    pull(known_model(name), cache, lambda what, share: progress(what, int(share * 100), 100))
