"""Results in figures: means overall and by category, and differences to a baseline with their intervals.

This is what the JSON file holds; the Markdown table and the plots are read from it and from nothing else.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from treering.evaluation.benchmark import Question
from treering.evaluation.bootstrap import paired_intervals
from treering.evaluation.metrics import WHOLE
from treering.evaluation.run import Results

__all__ = ["Difference", "Mean", "Summary", "SystemSummary", "summarize"]

DIGITS = 6  # of what is written: sums of floats differ in the last places between machines

Values = list[dict[str, float | None]]


@dataclass(frozen=True, slots=True)
class Mean:
    """A metric's mean."""

    value: float
    questions: int  # that it is a mean of


@dataclass(frozen=True, slots=True)
class Difference:
    """A metric's mean difference to the baseline, with its 95% interval."""

    value: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """One system; metrics by names such as `recall@20`."""

    overall: dict[str, Mean]
    categories: dict[str, dict[str, Mean]]
    differences: dict[str, Difference]  # empty for the baseline, and without one
    whole: bool  # a set without order


@dataclass(frozen=True, slots=True)
class Summary:
    """All of a run."""

    benchmark: str
    origin: str
    licence: str
    cuts: tuple[int, ...]
    baseline: str | None
    questions: int
    answerable: int  # with labelled evidence, categories aside left out
    categories: dict[str, int]  # answerable questions of each
    aside: tuple[str, ...]
    pools: int
    records: int
    encoders: str  # dense, sparse
    systems: dict[str, SystemSummary]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The summary as it is written."""
        return asdict(self)


def summarize(results: Results, baseline: str | None) -> Summary:
    """The figures of a run. Overall means leave out the categories that the benchmark sets aside.

    Args:
        results: of the run.
        baseline: the system that others are compared with; None, or one that did not run: no differences.
    """
    aside = results.benchmark.aside
    inside = [question.category not in aside for question in results.questions]
    base = results.measured.get(baseline or "")
    names = sorted({question.category for question in results.questions})
    systems = {}
    for name, values in results.measured.items():
        categories = {
            category: _means([one for one, question in _paired(values, results) if question.category == category])
            for category in names
        }
        compared = base is not None and name != baseline
        systems[name] = SystemSummary(
            overall=_means(_where(values, inside)),
            categories=categories,
            differences=_differences(_where(values, inside), _where(base or [], inside)) if compared else {},
            whole=name in results.whole,
        )
    answerable = [question.category for question in results.questions if question.evidence]
    return Summary(
        benchmark=results.benchmark.name,
        origin=results.benchmark.origin,
        licence=results.benchmark.licence,
        cuts=results.cuts,
        baseline=baseline if base is not None else None,
        questions=len(results.questions),
        answerable=sum(category not in aside for category in answerable),
        categories={name: answerable.count(name) for name in names},
        aside=tuple(sorted(aside)),
        pools=results.pools,
        records=results.records,
        encoders=results.encoders,
        systems=systems,
        notes=tuple(results.notes),
    )


def _paired(values: Values, results: Results) -> list[tuple[dict[str, float | None], Question]]:
    return list(zip(values, results.questions, strict=True))


def _where(values: Values, inside: Sequence[bool]) -> Values:
    return [one for one, chosen in zip(values, inside, strict=True) if chosen] if values else []


def _means(values: Values) -> dict[str, Mean]:
    means = {}
    for metric in _metrics(values):
        known = [value for one in values if (value := one.get(metric)) is not None]
        if known:
            means[metric] = Mean(round(float(np.mean(known)), DIGITS), len(known))
    return means


def _differences(values: Values, base: Values) -> dict[str, Difference]:
    """Metrics known of the same questions share their draws; one call for each such group."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for metric in _metrics(values):
        known = [
            place
            for place, (mine, theirs) in enumerate(zip(values, base, strict=True))
            if mine.get(metric) is not None and theirs.get(metric) is not None
        ]
        if known:
            groups.setdefault(tuple(known), []).append(metric)
    found = {}
    for places, metrics in groups.items():
        matrix = np.array([[_gain(values[place], base[place], metric) for metric in metrics] for place in places])
        low, high = paired_intervals(matrix)
        for column, metric in enumerate(metrics):
            figures = (matrix[:, column].mean(), low[column], high[column])
            value, least, most = (round(float(figure), DIGITS) for figure in figures)
            found[metric] = Difference(value, least, most, len(places))
    return {metric: found[metric] for metric in _metrics(values) if metric in found}


def _gain(mine: dict[str, float | None], theirs: dict[str, float | None], metric: str) -> float:
    ours, other = mine[metric], theirs[metric]
    assert ours is not None, metric
    assert other is not None, metric
    return ours - other


def _metrics(values: Values) -> list[str]:
    """The metrics measured, those at cuts in order of first sight, then those of whole rankings."""
    names = dict.fromkeys(metric for one in values for metric in one)
    return [name for name in names if name not in WHOLE] + [name for name in WHOLE if name in names]
