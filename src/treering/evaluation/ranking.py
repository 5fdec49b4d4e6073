"""Rankings as they are kept: what a system put where, without the texts; one JSON line for each question asked.

A place of a ranking is an array: source id, author, channel, tokens, score. A line carries the state that it was made
in (memory, code, settings). A run that finds a line of its own state does not ask again, so that an interrupted run
goes on where it stopped, and nothing old passes for new.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from treering.evaluation.benchmark import Question
from treering.model.evidence import Evidence

__all__ = ["Kept", "Ranked", "RankingFile", "question_digest", "ranked"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One place of a ranking."""

    source_id: str
    author: str
    channel: str
    tokens: int  # of the record's text, by the counter of budgets
    score: float


@dataclass(frozen=True, slots=True)
class Kept:
    """One question, asked for `depth` pieces, and what came."""

    state: str
    pool: str
    question: str
    digest: str  # of what was asked: words, asker, bound
    depth: int
    ms: float  # not comparable between machines, and not in any table
    ranking: tuple[Ranked, ...]


def ranked(evidence: Iterable[Evidence]) -> tuple[Ranked, ...]:
    """Evidence as it is kept."""
    return tuple(Ranked(item.source_id, item.author, item.channel, item.tokens, item.score) for item in evidence)


def question_digest(question: Question) -> str:
    """A hash of what a system is asked."""
    asked = json.dumps([question.text, question.asker, question.bound], ensure_ascii=False)
    return hashlib.sha256(asked.encode()).hexdigest()[:16]


class RankingFile:
    """The rankings of one system for one benchmark, in a JSONL file that only grows while a run goes on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: dict[tuple[object, ...], str] = {}  # what was asked, in which state -> the line, newest last
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                key = _key_of(line)
                if key is not None:
                    self._put(key, line)

    def find(self, state: str, pool: str, question: Question, depth: int) -> Kept | None:
        """What was kept for this very question in this very state."""
        line = self._lines.get((state, pool, question.id, question_digest(question), depth))
        return None if line is None else _kept(line)

    def add(self, asked: Kept) -> None:
        """Keep an answer, on disk at once."""
        line = _line(asked)
        self._put(_key(asked), line)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def tidy(self) -> None:
        """Write the newest answer to each question at each depth alone: what older states left behind goes."""
        newest = {(pool, question, depth): line for (_, pool, question, _, depth), line in self._lines.items()}
        partial = self._path.with_name(f"{self._path.name}.partial")
        partial.write_text("".join(f"{line}\n" for line in newest.values()), encoding="utf-8")
        partial.replace(self._path)

    def _put(self, key: tuple[object, ...], line: str) -> None:
        self._lines.pop(key, None)  # so that it comes last
        self._lines[key] = line


def _key(asked: Kept) -> tuple[object, ...]:
    return asked.state, asked.pool, asked.question, asked.digest, asked.depth


def _line(asked: Kept) -> str:
    rows = [[item.source_id, item.author, item.channel, item.tokens, item.score] for item in asked.ranking]
    fields = {name: getattr(asked, name) for name in ("state", "pool", "question", "digest", "depth", "ms")}
    return json.dumps({**fields, "ranking": rows}, ensure_ascii=False)


def _kept(line: str) -> Kept:
    fields = json.loads(line)
    return Kept(**{**fields, "ranking": tuple(Ranked(*item) for item in fields["ranking"])})


def _key_of(line: str) -> tuple[object, ...] | None:
    """What a line answers; None for one that a killed run left half written, or that another version wrote."""
    try:
        return _key(_kept(line))
    except (ValueError, TypeError, KeyError):
        return None
