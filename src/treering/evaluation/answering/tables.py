"""Outcomes as a table: a row a category, then the mean over all questions (micro) and over categories (macro)."""

from collections.abc import Sequence
from dataclasses import dataclass

from treering.evaluation.answering.protocols import AnswerProtocol
from treering.evaluation.answering.running import Outcome

__all__ = ["AnswerRow", "AnswerTable", "tabulate"]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """The means of one group of questions, in percent."""

    name: str
    questions: int
    means: dict[str, float]  # measure -> 0 to 100


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """What a run comes to."""

    protocol: str
    measure: str  # the one that the papers report; it comes first
    rows: tuple[AnswerRow, ...]  # categories by name, then "all", then "mean of categories"
    unreadable: int  # verdicts that no judge gave in a form that reads, each counted 0
    verdicts: int
    tokens: float  # that the answering model read and wrote, a question

    def markdown(self) -> str:
        """The table, and below it what a reader must know to believe it."""
        measures = list(self.rows[0].means) if self.rows else [self.measure]
        lines = [f"| {self.protocol} | questions | {' | '.join(measures)} |", f"|---|---:|{'---:|' * len(measures)}"]
        for row in self.rows:
            cells = " | ".join(f"{row.means[name]:.1f}" if name in row.means else "" for name in measures)
            lines.append(f"| {row.name} | {row.questions} | {cells} |")
        lines.append(
            f"\nVerdicts that did not read and count 0: {self.unreadable} of {self.verdicts}."
            f" Tokens a question: {self.tokens:.0f}."
        )
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        """The same as plain values."""
        return {
            "protocol": self.protocol,
            "measure": self.measure,
            "rows": [{"name": row.name, "questions": row.questions, **row.means} for row in self.rows],
            "unreadable": self.unreadable,
            "verdicts": self.verdicts,
            "tokens": self.tokens,
        }


def tabulate(protocol: AnswerProtocol, outcomes: Sequence[Outcome]) -> AnswerTable:
    """The table of a run; a measure that only some questions have is averaged over those."""
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.category, []).append(one)
    measures = list(dict.fromkeys((protocol.measure, *(name for one in outcomes for name in one.scores))))
    rows = [_row(name, groups[name], measures) for name in sorted(groups)]
    if rows:
        macro = {
            name: sum(values) / len(values)
            for name in measures
            if (values := [row.means[name] for row in rows if name in row.means])
        }
        rows = [*rows, _row("all", outcomes, measures), AnswerRow("mean of categories", len(outcomes), macro)]
    return AnswerTable(
        protocol.name,
        protocol.measure,
        tuple(rows),
        sum(one.unreadable for one in outcomes),
        sum(one.verdicts for one in outcomes),
        sum(one.tokens for one in outcomes) / len(outcomes) if outcomes else 0.0,
    )


def _row(name: str, outcomes: Sequence[Outcome], measures: Sequence[str]) -> AnswerRow:
    means = {}
    for measure in measures:
        values = [one.scores[measure] for one in outcomes if measure in one.scores]
        if values:
            means[measure] = 100 * sum(values) / len(values)
    return AnswerRow(name, len(outcomes), means)
