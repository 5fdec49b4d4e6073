"""`treering eval` without its options: a benchmark's data in, one table and one JSON file out, and plots if wanted.

The command line itself is `cli_eval`; what is asked and how it is measured is `treering.evaluation`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from json import dumps
from pathlib import Path

from treering.errors import UsageError
from treering.evaluation.figures import ablation_bars, recall_against_k, require_plots
from treering.evaluation.full_context import CONTEXT_TOKENS, FullContext
from treering.evaluation.loaders import load
from treering.evaluation.misses import misses_page
from treering.evaluation.raptor import Raptor
from treering.evaluation.report import markdown
from treering.evaluation.run import Settings, run
from treering.evaluation.summary import Summary, summarize
from treering.evaluation.systems import ABLATIONS, System, profile_system
from treering.memory import Memory

__all__ = ["SYSTEMS", "Wanted", "evaluate", "systems_named"]

SYSTEMS = ("bm25", "dense", "hybrid", "egcforest", "mempp", "treering")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to compare, and where the results go."""

    systems: tuple[str, ...] = SYSTEMS
    ablations: tuple[str, ...] = ()  # views, stages, legs: their systems are added
    baseline: str = "hybrid"
    context_tokens: int = CONTEXT_TOKENS
    out: Path | None = None  # None: beside the work
    figures: Path | None = None  # None: no plots
    called: str = field(default="")  # of the files; empty: the benchmark's name


def evaluate(
    benchmark: str,
    data: Path,
    wanted: Wanted,
    settings: Settings,
    open_memory: Callable[[Path], Memory],
    progress: Progress,
) -> Summary:
    """Run a benchmark and write `NAME.md`, `NAME.json`, and where they are wanted `NAME-misses.md` and the plots.

    Raises:
        UsageError: a name is unknown, or plots are wanted without matplotlib.
        UnreadableInput: the data are not there; the message says where they come from and how they must lie.
        ModelUnavailable: a system ranks by vectors that are not there.
    """
    systems = systems_named(wanted)
    if wanted.figures is not None:
        require_plots()
    results = run(load(benchmark, data), systems, settings, open_memory, progress)
    summary = summarize(results, wanted.baseline)
    name = wanted.called or benchmark
    folder = wanted.out or settings.work / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(markdown(summary), encoding="utf-8")
    as_json = dumps(summary.as_json(), ensure_ascii=False, indent=1)
    (folder / f"{name}.json").write_text(as_json + "\n", encoding="utf-8")
    if settings.misses:
        (folder / f"{name}-misses.md").write_text(misses_page(settings.misses, results.misses), encoding="utf-8")
    if wanted.figures is not None:
        recall_against_k(summary, {*wanted.systems, wanted.baseline}, wanted.figures / f"{name}-recall.svg")
        for ablation in wanted.ablations:
            ablation_bars(summary, ABLATIONS[ablation], wanted.figures / f"{name}-{ablation}.svg")
    return summary


def systems_named(wanted: Wanted) -> list[System]:
    """The systems that names and ablations mean, each once, the baseline among them.

    Raises:
        UsageError: there is no such ablation.
    """
    unknown = [name for name in wanted.ablations if name not in ABLATIONS]
    if unknown:
        raise UsageError(f"no ablation is called {', '.join(unknown)}; there are {', '.join(ABLATIONS)}")
    names: Sequence[str] = [*wanted.systems, *(one for name in wanted.ablations for one in ABLATIONS[name].values())]
    if wanted.baseline and wanted.baseline not in names:
        names = [wanted.baseline, *names]
    return [_system(name, wanted.context_tokens) for name in dict.fromkeys(names)]


def _system(name: str, context_tokens: int) -> System:
    if name == "full-context":
        return FullContext(context_tokens)
    base, _, leg = name.partition(":")
    return Raptor(leg or "dense") if base == "raptor" else profile_system(name)
