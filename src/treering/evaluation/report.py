"""A summary as a Markdown page: one table of systems, one of categories, and what a reader must know."""

from collections.abc import Sequence

from treering.evaluation.cuts import HEADLINE, headline
from treering.evaluation.summary import Mean, Summary, SystemSummary

__all__ = ["markdown"]

COMPARED = (5, 10, HEADLINE)  # cuts whose difference to the baseline has a column
NONE = "–"


def markdown(summary: Summary) -> str:
    """The page. Figures are percent; `tokens` counts, by the estimate of budgets."""
    lines = [f"## {summary.benchmark}", "", _facts(summary), ""]
    if not summary.answerable:
        lines += ["No question has labelled evidence: only answers can be scored.", ""]
    lines += [*_table(summary), "", *_legend(summary)]
    if len(summary.categories) > 1 and summary.answerable:
        lines += ["", *_categories(summary)]
    lines += [f"- {note}" for note in summary.notes]
    return "\n".join(lines).rstrip() + "\n"


def _facts(summary: Summary) -> str:
    pools = f"{summary.pools:,} pool{'s' * (summary.pools != 1)}"
    return (
        f"{summary.questions:,} questions, {summary.answerable:,} of them with labelled evidence; {pools},"
        f" {summary.records:,} records; encoders {summary.encoders}."
        f" Origin: {summary.origin}. Licence: {summary.licence}."
    )


def _table(summary: Summary) -> list[str]:
    cut = headline(summary.cuts)
    columns = [(f"R@{k}", f"recall@{k}") for k in summary.cuts]
    columns += [
        (f"all@{cut}", f"all@{cut}"),
        (f"any@{cut}", f"any@{cut}"),
        (f"P@{cut}", f"precision@{cut}"),
        (f"nDCG@{cut}", f"ndcg@{cut}"),
        ("MRR", "mrr"),
        (f"stale@{cut}", f"stale@{cut}"),
        (f"attr@{cut}", f"attribution@{cut}"),
        (f"sources@{cut}", f"sources@{cut}"),
        (f"tokens@{cut}", f"tokens@{cut}"),
    ]
    columns = [column for column in columns if any(column[1] in one.overall for one in summary.systems.values())]
    compared = [k for k in dict.fromkeys((*COMPARED, cut)) if k in summary.cuts and summary.baseline]
    heads = [name for name, _ in columns] + [f"R@{k} to {summary.baseline} (95%)" for k in compared]
    rows = []
    for name, system in summary.systems.items():
        cells = [_cell(system.overall.get(metric), metric) for _, metric in columns]
        cells += [_difference(system, f"recall@{k}") for k in compared]
        rows.append([f"`{name}`{'*' * system.whole}", *cells])
    return _rows(["system", *heads], rows)


def _categories(summary: Summary) -> list[str]:
    metric = f"recall@{headline(summary.cuts)}"
    names = [name for name, count in summary.categories.items() if count]
    heads = [f"{name} ({summary.categories[name]}){' aside' * (name in summary.aside)}" for name in names]
    rows = [
        [f"`{name}`", *(_cell(system.categories.get(category, {}).get(metric), metric) for category in names)]
        for name, system in summary.systems.items()
    ]
    return [f"R@{headline(summary.cuts)} by category (answerable questions):", "", *_rows(["system", *heads], rows), ""]


def _legend(summary: Summary) -> list[str]:
    lines = []
    if any(system.whole for system in summary.systems.values()):
        lines.append("- * gives a set without order: its recall and tokens are those of the whole set at every cut")
    if summary.aside:
        lines.append(f"- aside, and in no overall figure: {', '.join(summary.aside)}")
    if summary.baseline:
        lines.append("- differences: points, with paired bootstrap intervals over questions (10,000 resamples, seeded)")
    return lines


def _cell(mean: Mean | None, metric: str) -> str:
    if mean is None:
        return NONE
    return f"{mean.value:,.0f}" if metric.startswith("tokens") else f"{100 * mean.value:.1f}"


def _difference(system: SystemSummary, metric: str) -> str:
    found = system.differences.get(metric)
    if found is None:
        return NONE
    return f"{100 * found.value:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


def _rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows)]
