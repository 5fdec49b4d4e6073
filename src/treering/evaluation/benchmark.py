"""What is measured: questions with labelled evidence, and the corpora that hold it.

A benchmark is a sequence of pools; a pool is one corpus with the questions asked of it, and becomes one memory. Where
the data come from, and in which schema, is the loaders' business; who answers and who judges is not here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

__all__ = ["Benchmark", "DocumentRow", "Facet", "MessageRow", "Pool", "Question", "half_of"]


class MessageRow(TypedDict):
    """One line of a table of messages, as `treering add` reads it; `kind: document` marks a text cut into passages."""

    id: str | int
    sent_at: str
    channel: str
    text: str
    author: NotRequired[str]
    thread: NotRequired[str | None]
    reply_to: NotRequired[str | int | None]
    refs: NotRequired[list[str]]
    mentions: NotRequired[list[str]]
    kind: NotRequired[str]


class DocumentRow(TypedDict):
    """One line of a table of documents, as `treering add` reads it: one version of one document."""

    id: str
    doc: str
    text: str
    dated: NotRequired[str | None]
    version: NotRequired[int | str | None]
    author: NotRequired[str | None]
    title: NotRequired[str | None]
    kind: NotRequired[str | None]
    org: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that an answer is judged by."""

    id: str
    criterion: str
    weight: float  # the share of the question's score
    fails_if: str = ""
    expected: str = "yes"  # what a judge should say; "no": the answer must not do it


@dataclass(frozen=True, slots=True)
class Question:
    """A question, what it takes to answer it, and the answer that the annotators give. Ids are source ids."""

    id: str
    text: str
    category: str
    asker: str | None = None
    asked_at: str | None = None
    bound: str | None = None  # `as_of`, else `asked_at`; None: everything may be used
    evidence: frozenset[str] = frozenset()  # needed, all of it; empty: nothing here answers, or nobody labelled it
    supporting: frozenset[str] = frozenset()  # equally states it
    stale: frozenset[str] = frozenset()  # would give an answer that no longer holds
    answer: str = ""
    abstain: bool = False  # the right answer is that the corpus does not say
    options: tuple[tuple[str, str], ...] = ()  # (letter, text) of a multiple choice
    facets: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class Pool:
    """One corpus, and the questions asked of it."""

    key: str
    questions: tuple[Question, ...]
    messages: Sequence[MessageRow] = ()
    documents: Sequence[DocumentRow] = ()
    notes: tuple[str, ...] = ()  # what a reader of the results must know: references that lead nowhere ...

    def rows(self) -> Iterator[MessageRow | DocumentRow]:
        """Every record of the corpus."""
        yield from self.messages
        yield from self.documents

    def said_by(self) -> dict[str, tuple[str | None, str | None]]:
        """The author and the channel that the corpus itself gives for each source id; None where it gives none.

        A document's place is the importer's choice among several fields, so none is held against it here.
        """
        of_messages = {str(row["id"]): (row.get("author"), row["channel"]) for row in self.messages}
        return of_messages | {row["id"]: (row.get("author"), None) for row in self.documents}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named set of pools."""

    name: str
    pools: Iterable[Pool]  # read once, one at a time: some benchmarks hold hundreds of corpora
    origin: str
    licence: str
    aside: frozenset[str] = field(default=frozenset())  # categories reported by themselves, outside the overall figures
    notes: tuple[str, ...] = ()


def half_of(questions: Sequence[Question], which: int, seen: Counter[str] | None = None) -> tuple[Question, ...]:
    """The first (0) or second (1) half of the questions: every other one of each category, in order of id.

    `seen` counts each category's questions from one pool to the next.

    >>> questions = [Question(str(number), "?", "single") for number in range(5)]
    >>> [question.id for question in half_of(questions, 0)], [question.id for question in half_of(questions, 1)]
    (['0', '2', '4'], ['1', '3'])
    """
    seen = Counter() if seen is None else seen
    chosen = set()
    for question in sorted(questions, key=lambda one: (one.category, one.id)):
        if seen[question.category] % 2 == which:
            chosen.add(question.id)
        seen[question.category] += 1
    return tuple(question for question in questions if question.id in chosen)
