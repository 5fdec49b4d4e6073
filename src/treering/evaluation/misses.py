"""What a system does not find, to be read and not counted: each question, its lost evidence and what came first.

The page quotes the corpus. It is for whoever looks for causes, not for publishing beside the figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treering.evaluation.benchmark import DocumentRow, MessageRow, Pool, Question
from treering.evaluation.metrics.recall import recall
from treering.evaluation.ranking import Ranked

__all__ = ["Miss", "Piece", "misses_of", "misses_page"]

AHEAD = 3  # pieces shown of what was ranked first and is not needed
QUOTED_CHARS = 160


@dataclass(frozen=True, slots=True)
class Piece:
    """One record, and its place in the deepest ranking that was asked for."""

    source_id: str
    rank: int | None  # from 1; None: beyond that ranking; at the cut itself where it is shown there
    said: str  # when, who, where, and how it begins


@dataclass(frozen=True, slots=True)
class Miss:
    """A question of which something needed is not among the first `cut`."""

    pool: str
    question: Question
    cut: int
    depth: int  # of the ranking that ranks are told of
    recall: float  # at the cut
    needed: tuple[Piece, ...]
    ahead: tuple[Piece, ...]  # the first that nobody needs


def misses_of(
    pool: Pool, rankings: Sequence[Mapping[int, Sequence[Ranked]]], cut: int, *, whole: bool = False
) -> list[Miss]:
    """The pool's questions that miss something at `cut`; `rankings` follows them and has one for each cut.

    Of a system that gives a `whole` set without an order, everything counts at every cut.
    """
    rows = {str(row["id"]): row for row in pool.rows()}
    found = []
    for question, asked in zip(pool.questions, rankings, strict=True):
        if not question.evidence:
            continue
        share = recall(question, [item.source_id for item in (asked[cut] if whole else asked[cut][:cut])])
        if share < 1:
            found.append(_miss(pool.key, question, asked, cut, share, rows))
    return found


def _miss(
    pool: str,
    question: Question,
    asked: Mapping[int, Sequence[Ranked]],
    cut: int,
    share: float,
    rows: Mapping[str, MessageRow | DocumentRow],
) -> Miss:
    depth = max(asked)
    places = {item.source_id: rank for at in (depth, cut) for rank, item in enumerate(asked[at], 1)}
    helpful = question.evidence | question.supporting
    needed = sorted(question.evidence, key=lambda name: (places.get(name, depth + 1), name))
    ahead = [item.source_id for item in asked[cut] if item.source_id not in helpful][:AHEAD]

    def piece(name: str) -> Piece:
        return Piece(name, places.get(name), _said(rows.get(name)))

    return Miss(pool, question, cut, depth, share, tuple(map(piece, needed)), tuple(map(piece, ahead)))


def _said(row: MessageRow | DocumentRow | None) -> str:
    """A record as one line; a record that the corpus lacks is said to be so."""
    if row is None:
        return "not in the corpus"
    when = str(row.get("sent_at") or row.get("dated") or "undated")[:10]
    where = [str(part) for part in (row.get("channel"), row.get("thread"), row.get("title")) if part]
    text = " ".join(row["text"].split())
    quoted = text if len(text) <= QUOTED_CHARS else f"{text[:QUOTED_CHARS].rstrip()} ..."
    return f"{when}, {row.get('author') or 'unnamed'}, {' > '.join(where) or 'nowhere'}: {quoted}"


def misses_page(system: str, misses: Sequence[Miss]) -> str:
    """The misses of a system as Markdown, the worst first."""
    if not misses:
        return f"## What {system} misses\n\nNothing: no question with labelled evidence lacks any of it.\n"
    cut = misses[0].cut
    lines = [f"## What {system} misses at {cut}", "", f"{len(misses):,} questions miss something.", ""]
    for miss in sorted(misses, key=lambda one: one.recall):
        question = miss.question
        asked = ", ".join(filter(None, (question.category, question.asker, question.bound)))
        lines += [
            f"### {miss.pool}: {question.id}",
            "",
            f"{question.text} ({asked}) Recall {100 * miss.recall:.0f}.",
            "",
        ]
        lines += [f"- needed, {_place(one, miss.depth)}: `{one.source_id}` {one.said}" for one in miss.needed]
        lines += [f"- instead, {_place(one, miss.depth)}: `{one.source_id}` {one.said}" for one in miss.ahead]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _place(piece: Piece, depth: int) -> str:
    return f"beyond {depth}" if piece.rank is None else f"rank {piece.rank}"
