"""The baseline without retrieval: everything that the bound admits, oldest left out first, cut at a token budget.

Reads the corpus itself and not the memory: it is what one would paste into a prompt. What it gives is a set, newest
first; its recall is that of the set.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from treering.errors import BadDate
from treering.evaluation.benchmark import DocumentRow, MessageRow, Question
from treering.evaluation.ranking import Ranked
from treering.evaluation.systems import Asker, Place
from treering.memory import Memory
from treering.text.dates import parse_bound
from treering.text.tokens import estimate_tokens

__all__ = ["CONTEXT_TOKENS", "FullContext"]

CONTEXT_TOKENS = 120_000  # what models with 128k tokens of context leave for evidence


@dataclass(frozen=True, slots=True)
class FullContext:
    """All admissible records that fit."""

    tokens_max: int = CONTEXT_TOKENS
    name: str = "full-context"
    whole: bool = True

    @property
    def settings(self) -> str:
        """The budget."""
        return f"tokens_max={self.tokens_max}"

    def depths(self, cuts: Sequence[int]) -> dict[int, int]:
        """One set for all cuts."""
        return dict.fromkeys(cuts, max(cuts))

    def check(self, memory: Memory) -> None:
        """The memory is not read."""

    @contextmanager
    def ready(self, place: Place) -> Iterator[Asker]:
        """Made ready: the corpus in order of time, each record with its tokens."""
        rows = sorted(map(_dated, place.pool.rows()), key=lambda dated: dated[0], reverse=True)

        def fitting(question: Question, _depth: int) -> tuple[Ranked, ...]:
            bound = parse_bound(question.bound) if question.bound else datetime.max.replace(tzinfo=UTC)
            left, kept = self.tokens_max, []
            for at, item in rows:
                if at > bound:
                    continue
                if item.tokens > left:
                    break
                left -= item.tokens
                kept.append(item)
            return tuple(kept)

        yield fitting


def _dated(row: MessageRow | DocumentRow) -> tuple[datetime, Ranked]:
    """The moment from which a record holds, and the record; an undated one has always held."""
    written = str(row.get("sent_at") or row.get("dated") or "")
    try:
        at = parse_bound(written)
    except BadDate:
        at = datetime.min.replace(tzinfo=UTC)
    place = str(row.get("channel") or row.get("org") or "")
    return at, Ranked(str(row["id"]), str(row.get("author") or ""), place, estimate_tokens(row["text"]), 0.0)
