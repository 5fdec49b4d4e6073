"""Where things lie in a memory's directory, and how one is made or recognized.

acme.treering/
    memory.db          the log and the trees (SQLite, write-ahead log)
    writer.lock        held by the one writer
    segments/          postings, immutable files named in the table `segment`
    vectors/ENCODER/   vectors by the key of their text, append-only
    sparse/ENCODER/    learned sparse vectors, the same way
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from treering.errors import MemoryDamaged, MemoryMissing
from treering.log.schema import FORMAT

__all__ = ["Layout"]

MARK = "treering.json"


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one memory."""

    root: Path

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.root / "memory.db"

    @property
    def lock(self) -> Path:
        """The writer's lock."""
        return self.root / "writer.lock"

    @property
    def segments(self) -> Path:
        """The folder of postings segments."""
        return self.root / "segments"

    def vectors(self, encoder: str) -> Path:
        """The folder of one encoder's vectors."""
        return self.root / "vectors" / re.sub(r"[^\w.\-]", "_", encoder)

    def sparse(self, encoder: str) -> Path:
        """The folder of one encoder's sparse vectors."""
        return self.root / "sparse" / re.sub(r"[^\w.\-]", "_", encoder)

    def make(self) -> None:
        """Make the directory, if it is not a memory yet.

        Raises:
            MemoryDamaged: there is something else at the path.
        """
        found = self._format()
        if found is not None:
            self._require_readable(found)
            derived = any(self.segments.glob("*")) or any((self.root / "vectors").glob("*"))
            if derived and not (self.database.exists() and self.database.stat().st_size):
                raise MemoryDamaged(f"{self.database} is missing or empty; restore it from a copy")
            return
        if self.root.exists() and not (self.root.is_dir() and _ours_or_empty(self.root)):
            raise MemoryDamaged(f"{self.root} exists and is no memory; choose another path or an empty folder")
        self.segments.mkdir(parents=True, exist_ok=True)
        partial = self.root / f"{MARK}.partial"
        partial.write_text(json.dumps({"treering": FORMAT}) + "\n", encoding="utf-8")
        partial.replace(self.root / MARK)

    def require(self) -> None:
        """See that there is a memory that this version reads.

        Raises:
            MemoryMissing: there is none at the path.
            MemoryDamaged: its mark or its database is gone, or a later version wrote it.
        """
        found = self._format()
        if found is None:
            raise MemoryMissing(f"no memory at {self.root}; `treering add {self.root} PATH` makes one")
        self._require_readable(found)
        if not self.database.exists():
            raise MemoryDamaged(f"{self.database} is missing; restore it from a copy")

    def _require_readable(self, found: int) -> None:
        if found > FORMAT:
            raise MemoryDamaged(f"{self.root} has format {found}, this Treering reads up to {FORMAT}: update it")

    def _format(self) -> int | None:
        try:
            return int(json.loads((self.root / MARK).read_text(encoding="utf-8"))["treering"])
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise MemoryDamaged(f"{self.root / MARK} does not read: {error}") from error


def _ours_or_empty(root: Path) -> bool:
    """Whether a folder holds nothing but what `make` itself leaves behind when it is cut short."""
    return all(path.name in {"segments", f"{MARK}.partial"} for path in root.iterdir())
