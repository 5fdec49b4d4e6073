"""Plots where a reader would rather look: recall against k, and an ablation as bars. SVG, the same bytes on every run.

matplotlib is a development dependency; without it the call says so, and everything else works.
"""

from collections.abc import Collection, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from treering.errors import UsageError
from treering.evaluation.cuts import headline
from treering.evaluation.summary import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ablation_bars", "recall_against_k", "require_plots"]

INCHES = (6.4, 4.0)
BASELINE_COLOR = "0.55"


def recall_against_k(summary: Summary, names: Collection[str], path: Path) -> Path:
    """One line for each of the systems named; those that give a set without order are level, the baseline is grey.

    Raises:
        UsageError: matplotlib is not installed.
    """
    figure, axes = _drawing()
    for name, system in summary.systems.items():
        if name not in names:
            continue
        points = {k: system.overall[f"recall@{k}"].value for k in summary.cuts if f"recall@{k}" in system.overall}
        style = "--" if system.whole or name == summary.baseline else "-"
        color = BASELINE_COLOR if name == summary.baseline else None
        axes.plot(list(points), [100 * value for value in points.values()], style, marker="o", label=name, color=color)
    axes.set_xlabel("pieces of evidence (k)")
    axes.set_ylabel("evidence recall, percent")
    axes.set_xticks(list(summary.cuts))
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _saved(figure, axes, summary.benchmark, path)


def ablation_bars(summary: Summary, rows: Mapping[str, str], path: Path) -> Path:
    """One bar a row of an ablation: recall at the headline cut; whiskers are the interval of its difference.

    Args:
        summary: of a run that has the systems.
        rows: what a row is called -> the system.
        path: where to write.

    Raises:
        UsageError: matplotlib is not installed.
    """
    metric = f"recall@{headline(summary.cuts)}"
    figure, axes = _drawing()
    shown = {label: summary.systems[name] for label, name in rows.items() if name in summary.systems}
    for place, system in enumerate(shown.values()):
        mean = system.overall.get(metric)
        if mean is None:
            continue
        axes.bar(place, 100 * mean.value, width=0.6, color="C0")
        difference = system.differences.get(metric)
        if difference is not None:
            below, above = difference.value - difference.low, difference.high - difference.value
            spread = [[100 * max(below, 0.0)], [100 * max(above, 0.0)]]
            axes.errorbar(place, 100 * mean.value, yerr=spread, color="black", capsize=4)
    axes.set_xticks(range(len(shown)), list(shown), rotation=20, ha="right")
    base = summary.systems.get(summary.baseline or "")
    if base is not None and metric in base.overall:
        axes.axhline(100 * base.overall[metric].value, color=BASELINE_COLOR, linestyle="--", label=summary.baseline)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_ylabel(f"evidence recall at {headline(summary.cuts)}, percent")
    return _saved(figure, axes, summary.benchmark, path)


def require_plots() -> None:
    """See that plots can be made, before a long run.

    Raises:
        UsageError: matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise UsageError("figures need matplotlib: pip install 'treering[dev]', or leave --figures out")


def _drawing() -> "tuple[Figure, Axes]":
    require_plots()
    from matplotlib.figure import Figure  # without pyplot: no window system, no global state

    figure = Figure(figsize=INCHES, layout="constrained")
    axes: Axes = figure.add_subplot()
    return figure, axes


def _saved(figure: "Figure", axes: "Axes", title: str, path: Path) -> Path:
    from matplotlib import rc_context

    axes.set_title(title)
    axes.grid(visible=True, axis="y", alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.hashsalt": "treering", "svg.fonttype": "none", "font.size": 9}):
        figure.savefig(path, format="svg", metadata={"Date": None})
    return path
