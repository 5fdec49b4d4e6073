"""Immutable segments of postings: which passages hold a term, and how strongly.

A segment is one file: a header, then five arrays that are used where they lie, memory-mapped. It covers the passages
`base` to `base + count` of the caller's numbering. Keys are 64-bit numbers: a hash of the term, or its number in an
encoder's vocabulary. Which segments make up an index is for the caller to remember; `merging` keeps them few.
"""

import mmap
import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from treering.errors import MemoryDamaged

__all__ = [
    "Entries",
    "Postings",
    "Segment",
    "SegmentInfo",
    "adjacent",
    "gather",
    "published",
    "seal",
    "start",
    "write_segment",
]

_MAGIC: Final = b"TRPOST\r\n"  # a transfer in text mode shows at once
_VERSION: Final = 1
_HEADER: Final = struct.Struct("<8sIIqqqq16s")  # magic, version, checksum, base, count, terms, postings, body's digest


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """A segment as a manifest remembers it."""

    name: str  # of its file
    base: int  # the first passage it covers
    count: int  # how many passages it covers


@dataclass(frozen=True, slots=True)
class Entries:
    """What goes into a segment, in any order: entry i says that passage i holds term i with impact i."""

    keys: NDArray[np.uint64]  # of the terms, distinct
    terms: NDArray[np.int32]  # an entry's place in `keys`
    passages: NDArray[np.int32]  # counted from the segment's base
    impacts: NDArray[np.float32] | None  # None: entries repeat, and the impact is how often


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of some terms. A passage's own come in the order of the terms, whatever the segments."""

    terms: NDArray[np.int32]  # which of the terms asked for
    passages: NDArray[np.int32]
    impacts: NDArray[np.float32]

    def within(self, admissible: NDArray[np.bool_]) -> "Postings":
        """Those in admissible passages."""
        kept = admissible[self.passages]
        return Postings(self.terms[kept], self.passages[kept], self.impacts[kept])


@dataclass(frozen=True, slots=True)
class Segment:
    """An open segment: arrays that lie in its file."""

    path: Path
    base: int
    keys: NDArray[np.uint64]  # ascending
    offsets: NDArray[np.int64]  # term i has the postings offsets[i] to offsets[i + 1]
    lengths: NDArray[np.uint32]  # terms in each passage
    passages: NDArray[np.int32]  # absolute, ascending within a term
    impacts: NDArray[np.float32]

    @property
    def info(self) -> SegmentInfo:
        """What the manifest says of it."""
        return SegmentInfo(self.path.name, self.base, len(self.lengths))

    @classmethod
    def open(cls, path: Path) -> "Segment":
        """Map a segment into memory.

        Raises:
            MemoryDamaged: no such file, or its header and its size do not agree with each other.
        """
        try:
            with path.open("rb") as file:
                body = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: an empty file
            raise MemoryDamaged(f"postings segment {path} cannot be opened ({error}); rebuild the index") from error
        if len(body) < _HEADER.size:
            raise MemoryDamaged(f"postings segment {path} is cut off after {len(body)} bytes; rebuild the index")
        magic, version, checksum, base, count, terms, postings, digest = _HEADER.unpack_from(body)
        sealed = _HEADER.pack(magic, version, 0, base, count, terms, postings, digest)
        if magic != _MAGIC or checksum != crc32(sealed):
            raise MemoryDamaged(f"postings segment {path} has no readable header; rebuild the index")
        if version != _VERSION:
            raise MemoryDamaged(f"postings segment {path} has format {version}, this Treering reads {_VERSION}")
        dtypes: tuple[tuple[str, int], ...] = (
            ("<u8", terms), ("<i8", terms + 1), ("<u4", count), ("<i4", postings), ("<f4", postings),
        )  # fmt: skip
        size = _HEADER.size + sum(np.dtype(dtype).itemsize * length for dtype, length in dtypes)
        if len(body) != size:
            raise MemoryDamaged(f"postings segment {path} has {len(body)} bytes of {size}; rebuild the index")
        arrays: list[NDArray] = []  # type: ignore[type-arg]
        at = _HEADER.size
        for dtype, length in dtypes:
            arrays.append(np.frombuffer(body, dtype, length, at))
            at += arrays[-1].nbytes
        return cls(path, base, *arrays)

    def is_whole(self) -> bool:
        """Whether every byte after the header is as it was written; reads the whole file."""
        with self.path.open("rb") as file:
            digest = _HEADER.unpack(file.read(_HEADER.size))[-1]
            return bool(_digest(file) == digest)


def write_segment(path: Path, base: int, lengths: Sequence[int] | NDArray[np.uint32], entries: Entries) -> SegmentInfo:
    """Write a segment of `len(lengths)` passages; it appears under its name whole and durable, or not at all.

    Takes about 30 bytes of memory an entry while it sorts them.
    """
    count = len(lengths)
    order = np.argsort(entries.keys)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    places = rank[entries.terms] * max(count, 1) + entries.passages
    if entries.impacts is None:
        places.sort()
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        impacts = np.diff(starts, append=len(places)).astype(np.float32)
        places = places[starts]
    else:
        by_place = np.argsort(places)
        places, impacts = places[by_place], entries.impacts[by_place]
    terms, passages = np.divmod(places, max(count, 1))
    offsets = np.searchsorted(terms, np.arange(len(order) + 1))
    with published(path) as file:
        start(file, entries.keys[order], offsets, np.asarray(lengths, np.uint32))
        file.write((passages + base).astype("<i4").data)
        file.write(impacts.astype("<f4").data)
        seal(file, base, count, len(order), len(places))
    return SegmentInfo(path.name, base, count)


def adjacent(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The segments, which must cover the passages from 0 on without gap or overlap."""
    expected = 0
    for segment in segments:
        if segment.base != expected:
            raise MemoryDamaged(f"postings segment {segment.path} starts at passage {segment.base}, not {expected}")
        expected += len(segment.lengths)
    return tuple(segments)


def runs(
    segments: Sequence[Segment], keys: NDArray[np.uint64]
) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.float32]]]:
    """Of each segment and each term in it: the term's place among the keys, its passages, its impacts in them."""
    for segment in segments:
        at = np.searchsorted(segment.keys, keys)
        found = np.flatnonzero(at < len(segment.keys))
        found = found[segment.keys[at[found]] == keys[found]]
        starts, stops = segment.offsets[at[found]], segment.offsets[at[found] + 1]
        for term, start, stop in zip(found.tolist(), starts.tolist(), stops.tolist(), strict=True):
            yield term, segment.passages[start:stop], segment.impacts[start:stop]


def gather(segments: Sequence[Segment], keys: NDArray[np.uint64]) -> Postings:
    """All postings of the terms with these keys."""
    found = list(runs(segments, keys))
    if not found:
        return Postings(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    terms, passages, impacts = zip(*found, strict=True)
    sizes = [len(run) for run in passages]
    return Postings(np.repeat(np.array(terms, np.int32), sizes), np.concatenate(passages), np.concatenate(impacts))


def start(file: BinaryIO, keys: NDArray[np.uint64], offsets: NDArray[np.int64], lengths: NDArray[np.uint32]) -> None:
    """Write everything but the postings: all passages, then all impacts, follow; then `seal`."""
    file.write(bytes(_HEADER.size))
    file.write(keys.astype("<u8").data)
    file.write(offsets.astype("<i8").data)
    file.write(lengths.astype("<u4").data)


def seal(file: BinaryIO, base: int, count: int, terms: int, postings: int) -> None:
    """Write the header of a file whose body is complete."""
    file.seek(_HEADER.size)
    fields = (base, count, terms, postings, _digest(file))
    checksum = crc32(_HEADER.pack(_MAGIC, _VERSION, 0, *fields))
    file.seek(0)
    file.write(_HEADER.pack(_MAGIC, _VERSION, checksum, *fields))


@contextmanager
def published(path: Path) -> Iterator[BinaryIO]:
    """A file to write and read that takes its name only when all of it is on the disk."""
    draft = path.with_name(path.name + ".draft")
    with draft.open("w+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _digest(file: BinaryIO) -> bytes:
    digest = blake2b(digest_size=16)
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.digest()
