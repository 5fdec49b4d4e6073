"""Vectors in files, addressed by the text they stand for.

One folder for each encoder: `vectors.f16` holds a row for each distinct text, `keys.bin` the hash of that text at the
same place, `shape.json` the length of a row. Rows are only ever appended, so equal texts are encoded once, and a
rebuild finds every vector again. No encoder here, and no search: that is `dense`.
"""

import json
import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from treering.errors import MemoryDamaged
from treering.index.postings import published
from treering.text.keys import KEY_BYTES

__all__ = ["VectorStore"]

_SCALAR: Final = np.dtype("<f2")
# Compared as strings of fixed length, which numpy can sort; two keys that differ only in trailing zeros still differ.
_SORTABLE: Final = np.dtype(f"S{KEY_BYTES}")


class VectorStore:
    """The vectors of one encoder, by the keys of their texts (dtype V16). One writer; readers see what was there.

    A row counts when its key is on the disk, and vectors go to the disk before keys: a writer cuts off what a crash
    left half written, a reader passes over it.

    Raises:
        MemoryDamaged: the folder holds vectors of another length.
    """

    def __init__(self, folder: Path, dimensions: int, *, writable: bool = False) -> None:
        self.dimensions = dimensions
        self._vectors_path, self._keys_path = folder / "vectors.f16", folder / "keys.bin"
        self._row_bytes = dimensions * _SCALAR.itemsize
        self._writable = writable
        if writable:
            self._prepare(folder)
        self._check_shape(folder / "shape.json")
        keys = _read(self._keys_path)
        count = min(len(keys) // KEY_BYTES, _size(self._vectors_path) // self._row_bytes)
        if writable:
            os.truncate(self._keys_path, count * KEY_BYTES)
            os.truncate(self._vectors_path, count * self._row_bytes)
        stored = np.frombuffer(keys, _SORTABLE, count)
        self._rows = np.argsort(stored, kind="stable")  # of the keys in order
        self._keys = stored[self._rows]
        self._matrix = self._map(count)

    def __len__(self) -> int:
        return len(self._keys)

    def rows(self, keys: NDArray[np.void]) -> NDArray[np.int64]:
        """The row of each key, -1 where there is none; shape (keys,)."""
        sought = np.ascontiguousarray(keys).view(_SORTABLE)
        if not len(self._keys):
            return np.full(len(sought), -1, np.int64)
        at = np.minimum(np.searchsorted(self._keys, sought), len(self._keys) - 1)
        return np.where(self._keys[at] == sought, self._rows[at], -1)

    def missing(self, keys: NDArray[np.void]) -> NDArray[np.int64]:
        """The places of the keys that have no vector yet, ascending; of equal keys the first alone."""
        absent = np.flatnonzero(self.rows(keys) < 0)
        _, firsts = np.unique(np.ascontiguousarray(keys).view(_SORTABLE)[absent], return_index=True)
        return np.sort(absent[firsts])

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The unit vectors of rows, shape (rows, dimensions)."""
        vectors: NDArray[np.float32] = self._matrix[rows].astype(np.float32)
        # Half precision leaves lengths off by up to one in a thousand.
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def append(self, keys: NDArray[np.void], vectors: NDArray[np.float32]) -> None:
        """Store the unit vectors of new keys, durable on return; keys that are there already are left alone."""
        assert self._writable, "this store was opened for reading"
        assert vectors.shape == (len(keys), self.dimensions), f"{vectors.shape} for {len(keys)} x {self.dimensions}"
        assert np.isfinite(vectors).all(), "a vector has a part that is not a number"
        new = self.missing(keys)
        if not len(new):
            return
        added = np.ascontiguousarray(keys)[new].view(_SORTABLE)
        _append(self._vectors_path, vectors[new].astype(_SCALAR).tobytes())
        _append(self._keys_path, added.tobytes())
        count = len(self) + len(new)
        order = np.argsort(added)
        at = np.searchsorted(self._keys, added[order])
        self._keys = np.insert(self._keys, at, added[order])
        self._rows = np.insert(self._rows, at, order + len(self._rows))
        self._matrix = self._map(count)

    def _prepare(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for path in (self._vectors_path, self._keys_path):
            path.touch()
        shape = folder / "shape.json"
        if not shape.exists():
            with published(shape) as file:
                file.write(json.dumps({"format": 1, "dimensions": self.dimensions}).encode())

    def _check_shape(self, path: Path) -> None:
        if not path.exists():  # nobody has written here yet
            return
        try:
            shape = json.loads(path.read_bytes())
        except ValueError as error:
            raise MemoryDamaged(f"{path} is not JSON ({error}); remove its folder and embed again") from error
        if shape != {"format": 1, "dimensions": self.dimensions}:
            raise MemoryDamaged(f"{path} says {shape}, the encoder has {self.dimensions} dimensions in format 1")

    def _map(self, count: int) -> NDArray[np.float16]:
        if not count:
            return np.empty((0, self.dimensions), _SCALAR)
        return np.asarray(np.memmap(self._vectors_path, _SCALAR, "r", shape=(count, self.dimensions)))


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
