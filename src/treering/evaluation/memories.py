"""Memories to be asked: built once for each corpus and encoder, found again by the hash of both."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from treering.errors import AmbiguousName, ModelUnavailable, UnknownName, UsageError
from treering.evaluation.benchmark import Pool
from treering.memory import Memory

__all__ = ["Building", "build", "described", "lacking", "require_vectors"]

BUILT = "built.json"  # written when everything is logged and derived
MEMORY = "memory.treering"
Opener = Callable[[Path], Memory]


@dataclass(frozen=True, slots=True)
class Building:
    """How a memory is built."""

    encoder: str | None = None  # None: the default of `treering add`
    sparse: str | None = None
    embed: bool = True


def build(pool: Pool, folder: Path, building: Building, open_memory: Opener, *, rebuild: bool = False) -> Path:
    """The directory of the pool's memory below `folder`, built unless it is there already.

    Everything is logged as public: the owner asks, and nothing is hidden from the owner. With `rebuild`, what a memory
    derives is derived anew, by the code as it is now; vectors are kept by their texts.
    """
    files = {
        name: [_line(row) for row in rows]
        for name, rows in (("messages.jsonl", pool.messages), ("documents.jsonl", pool.documents))
        if rows
    }
    if not files:
        raise UsageError(f"the pool {pool.key!r} holds no records")
    place = folder / f"{_slug(pool.key)}-{_digest(files, building)}"
    path = place / MEMORY
    if (place / BUILT).is_file():
        if rebuild:
            with open_memory(path) as memory:
                memory.rebuild(embed=building.embed)
        return path
    place.mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        (place / name).write_text("".join(lines), encoding="utf-8")
    with open_memory(path) as memory:
        report = memory.add(
            *(place / name for name in files),
            visibility="public",
            embed=building.embed,
            encoder=building.encoder,
            sparse=building.sparse,
        )
    total = report.total
    facts = {"pool": pool.key, "records": total.read, "quarantined": total.quarantined, "root": report.root}
    (place / BUILT).write_text(json.dumps({**facts, **asdict(building)}, indent=1) + "\n", encoding="utf-8")
    return path


def lacking(memory: Memory, ids: Iterable[str]) -> list[str]:
    """Those of the ids that no record of the memory has: lost by an importer, or the memory is of another corpus."""
    absent = []
    for name in sorted(set(ids)):
        try:
            memory.record(name)
        except AmbiguousName:
            continue  # several have it, which is no loss
        except UnknownName:
            absent.append(name)
    return absent


def require_vectors(memory: Memory, system: str) -> None:
    """See that a system which ranks by vectors has them: without, it would quietly rank by words.

    Raises:
        ModelUnavailable: some or all are missing.
    """
    status = memory.status()
    if not _complete(status):
        counts = f"{status['vectors'] or 'none'}, encoder {status['encoder']}"
        raise ModelUnavailable(f"{system} ranks by vectors, and this memory has {counts}: build it with them")


def described(status: Mapping[str, object]) -> str:
    """The encoders of a memory in words, from its status: dense, sparse."""
    if not _complete(status):
        return "none (no vectors, or not all)"
    return f"{status['encoder']}, {status['sparse encoder']}"


def _complete(status: Mapping[str, object]) -> bool:
    """Whether every text has its vector, and one was wanted: `0 of 12` and the encoder `none` are not."""
    vectors = status["vectors"]
    counts = [str(count).split(" of ") for count in vectors.values()] if isinstance(vectors, dict) else []
    return status["encoder"] != "none" and bool(counts) and all(have == wanted for have, wanted in counts)


def _line(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n"


def _digest(files: Mapping[str, list[str]], building: Building) -> str:
    digest = hashlib.sha256(json.dumps(asdict(building), sort_keys=True).encode())
    for name, lines in files.items():
        digest.update(name.encode())
        for line in lines:
            digest.update(line.encode())
    return digest.hexdigest()[:12]


def _slug(key: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in key)[:60]
