"""What the protocols need to know of a question, and the question with the evidence that a system found for it.

Any question with these attributes will do; the loaders' has them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from treering.model.evidence import Evidence

__all__ = ["Asked", "Point", "Posed", "evidence_text"]


class Point(Protocol):
    """One thing that an answer is judged by."""

    @property
    def id(self) -> str:
        """Its name within the question."""

    @property
    def criterion(self) -> str:
        """What the answer must do, or a question about it."""

    @property
    def weight(self) -> float:
        """Its share of the question's score."""

    @property
    def fails_if(self) -> str:
        """What makes it fail; may be empty."""

    @property
    def expected(self) -> str:
        """What a judge should say: "yes", or "no" for what the answer must not do."""


class Asked(Protocol):
    """A question of a benchmark, and the answer that its annotators give."""

    @property
    def id(self) -> str:
        """Its name within the benchmark."""

    @property
    def text(self) -> str:
        """The question."""

    @property
    def category(self) -> str:
        """What the benchmark counts it under."""

    @property
    def asker(self) -> str | None:
        """Who asks."""

    @property
    def asked_at(self) -> str | None:
        """When."""

    @property
    def answer(self) -> str:
        """The right answer; of an unanswerable question, why it is none."""

    @property
    def abstain(self) -> bool:
        """Whether the right answer is that the corpus does not say."""

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """Letter and text of a multiple choice; empty for an open question."""

    @property
    def facets(self) -> Sequence[Point]:
        """The rubric, where there is one."""


@dataclass(frozen=True, slots=True)
class Posed:
    """A question with what it is to be answered from."""

    question: Asked
    evidence: tuple[str, ...]  # by rank, each with its date and author


def evidence_text(item: Evidence) -> str:
    """A piece of evidence as an answering model reads it: date, author and place, then its words.

    A system that is measured by other means brings its own.
    """
    title = f"{item.title}: " if item.title else ""
    return f"[{item.valid_from:%Y-%m-%d %H:%M} UTC] {item.author} in {item.channel}: {title}{item.text}"
