"""Sparse vectors in files, addressed by the text they stand for: what `vectors` is for dense ones.

One folder for each encoder: `keys.bin` holds, for each distinct text, the hash of the text (16 bytes) and how many
terms it has (4 bytes); `terms.u32` and `weights.f16` hold the terms and weights of all texts, one after the other. Rows
are only ever appended, so equal texts are encoded once, and a rebuild encodes nothing again.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.index.sparse import TermWeights
from treering.text.keys import KEY_BYTES

__all__ = ["SparseStore", "StoredVector"]

_ROW: Final = np.dtype([("key", f"S{KEY_BYTES}"), ("terms", "<u4")])


class StoredVector:
    """A sparse vector as the store gives it back: ascending terms, their weights in single precision."""

    __slots__ = ("terms", "weights")

    def __init__(self, terms: NDArray[np.int32], weights: NDArray[np.float32]) -> None:
        self.terms = terms
        self.weights = weights


class SparseStore:
    """The sparse vectors of one encoder, by the keys of their texts (dtype V16). One writer.

    A row counts when its key is on the disk, and terms and weights go there before keys: a writer cuts off what a crash
    left half written, a reader passes over it.
    """

    def __init__(self, folder: Path, *, writable: bool = False) -> None:
        self._keys_path, self._terms_path = folder / "keys.bin", folder / "terms.u32"
        self._weights_path = folder / "weights.f16"
        self._writable = writable
        if writable:
            folder.mkdir(parents=True, exist_ok=True)
            for path in (self._keys_path, self._terms_path, self._weights_path):
                path.touch()
        rows = np.frombuffer(_read(self._keys_path, _ROW.itemsize), _ROW)
        ends = np.cumsum(rows["terms"], dtype=np.int64)
        whole = min(_size(self._terms_path) // 4, _size(self._weights_path) // 2)
        count = int(np.searchsorted(ends, whole, side="right"))
        rows, ends = rows[:count], ends[:count]
        if writable:
            os.truncate(self._keys_path, count * _ROW.itemsize)
            os.truncate(self._terms_path, int(ends[-1]) * 4 if count else 0)
            os.truncate(self._weights_path, int(ends[-1]) * 2 if count else 0)
        self._places = {key: place for place, key in enumerate(_padded(rows["key"]))}
        self._ends = ends
        self._map()

    def __len__(self) -> int:
        return len(self._ends)

    def missing(self, keys: NDArray[np.void]) -> list[int]:
        """The places of the keys that have no vector yet, ascending; of equal keys the first alone."""
        absent: dict[bytes, int] = {}
        for place, key in enumerate(keys.tolist()):
            if key not in self._places:
                absent.setdefault(key, place)
        return list(absent.values())

    def vectors(self, keys: NDArray[np.void]) -> Iterator[StoredVector]:
        """The vector of each key; every key must be there."""
        for key in keys.tolist():
            place = self._places[key]
            start, stop = int(self._ends[place - 1]) if place else 0, int(self._ends[place])
            yield StoredVector(self._terms[start:stop].astype(np.int32), self._weights[start:stop].astype(np.float32))

    def append(self, keys: NDArray[np.void], vectors: Sequence[TermWeights]) -> None:
        """Store the vectors of new, distinct keys, durable on return."""
        assert self._writable, "this store was opened for reading"
        assert len(keys) == len(vectors), f"{len(vectors)} vectors for {len(keys)} keys"
        if not vectors:
            return
        lengths = np.array([len(vector.terms) for vector in vectors], dtype=np.uint32)
        _append(self._terms_path, np.concatenate([v.terms for v in vectors]).astype("<u4").tobytes())
        _append(self._weights_path, np.concatenate([v.weights for v in vectors]).astype("<f2").tobytes())
        rows = np.zeros(len(keys), _ROW)
        rows["key"] = np.ascontiguousarray(keys).view(f"S{KEY_BYTES}")
        rows["terms"] = lengths
        _append(self._keys_path, rows.tobytes())
        first = len(self)
        self._places.update((key, first + place) for place, key in enumerate(keys.tolist()))
        before = int(self._ends[-1]) if first else 0
        self._ends = np.concatenate([self._ends, before + np.cumsum(lengths, dtype=np.int64)])
        self._map()

    def _map(self) -> None:
        count = int(self._ends[-1]) if len(self._ends) else 0
        if count:
            self._terms = np.asarray(np.memmap(self._terms_path, "<u4", "r", shape=(count,)))
            self._weights = np.asarray(np.memmap(self._weights_path, "<f2", "r", shape=(count,)))
        else:
            self._terms, self._weights = np.empty(0, "<u4"), np.empty(0, "<f2")


def _padded(keys: NDArray[np.bytes_]) -> list[bytes]:
    """Keys as bytes of full length: numpy strips zeros at the end of strings."""
    return [key.ljust(KEY_BYTES, b"\0") for key in keys.tolist()]


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path, row_bytes: int) -> bytes:
    content = path.read_bytes() if path.exists() else b""
    return content[: len(content) // row_bytes * row_bytes]


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
