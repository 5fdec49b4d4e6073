"""The command `treering eval`: its options, and nothing else. `register` adds it to the application."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from treering.errors import UsageError
from treering.evaluation.cuts import CUTS
from treering.evaluation.full_context import CONTEXT_TOKENS
from treering.evaluation.loaders import LOADERS
from treering.evaluation.memories import Building
from treering.evaluation.report import markdown
from treering.evaluation.run import Selection, Settings
from treering.interfaces import printing
from treering.interfaces.evaluate import SYSTEMS, Wanted, evaluate
from treering.interfaces.progress import ProgressLine
from treering.memory import Memory

__all__ = ["register"]

HALVES = {"first": 0, "second": 1}
Opener = Callable[[Path, ProgressLine | None], Memory]


def register(app: typer.Typer, open_memory: Opener) -> None:
    """Add `eval` to the application; `open_memory` opens a memory as its other commands do."""

    @app.command("eval")
    def eval_command(
        benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help=f"{', '.join(LOADERS)}.")],
        data: Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder with its data, as published.")],
        work: Annotated[Path, typer.Option(help="Memories and rankings are kept here.")] = Path("eval-work"),
        memory: Annotated[
            Path | None, typer.Option(help="A memory of the corpus that exists already; for one pool only.")
        ] = None,
        system: Annotated[
            list[str] | None,
            typer.Option(help=f"A profile, raptor or full-context; may be repeated. Without: {', '.join(SYSTEMS)}."),
        ] = None,
        ablation: Annotated[list[str] | None, typer.Option(help="views, stages or legs; may be repeated.")] = None,
        baseline: Annotated[str, typer.Option(help="Differences are taken to this system.")] = "hybrid",
        cut: Annotated[
            list[int] | None, typer.Option(min=1, max=1000, help="May be repeated. Without: 5 10 20 50.")
        ] = None,
        category: Annotated[list[str] | None, typer.Option(help="Only these categories; may be repeated.")] = None,
        half: Annotated[str | None, typer.Option(help="first or second half of each category.")] = None,
        pools: Annotated[int | None, typer.Option(min=1, help="Only so many pools.")] = None,
        questions: Annotated[int | None, typer.Option(min=1, help="Only so many questions of each pool.")] = None,
        encoder: Annotated[str | None, typer.Option(help="As for `treering add`.")] = None,
        sparse: Annotated[str | None, typer.Option(help="As for `treering add`.")] = None,
        no_embed: Annotated[
            bool, typer.Option("--no-embed", help="No vectors: systems that need them refuse.")
        ] = False,
        fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what was asked before.")] = False,
        rebuild: Annotated[bool, typer.Option("--rebuild", help="Derive the memories anew; vectors stay.")] = False,
        context_tokens: Annotated[int, typer.Option(min=1, help="Budget of full-context.")] = CONTEXT_TOKENS,
        out: Annotated[
            Path | None, typer.Option(help="Folder of NAME.md and NAME.json. Without: WORK/results.")
        ] = None,
        figures: Annotated[Path | None, typer.Option(help="Folder of plots (needs matplotlib).")] = None,
        misses: Annotated[
            str,
            typer.Option(metavar="SYSTEM", help="Also write NAME-misses.md: what it does not find, with the texts."),
        ] = "",
        name: Annotated[str, typer.Option(help="Of the files, if not the benchmark's.")] = "",
        as_json: Annotated[bool, typer.Option("--json", help="JSON instead of the table.")] = False,
    ) -> None:
        """Measure systems on a benchmark: recall of labelled evidence and more, with intervals, as one table."""
        settings = Settings(
            work=work,
            cuts=tuple(cut or CUTS),
            building=Building(encoder, sparse, not no_embed),
            memory=memory,
            selection=Selection(frozenset(category or ()), _half(half), pools, questions),
            fresh=fresh,
            rebuild=rebuild,
            misses=misses,
        )
        wanted = Wanted(
            systems=tuple(system or SYSTEMS),
            ablations=tuple(ablation or ()),
            baseline=baseline,
            context_tokens=context_tokens,
            out=out,
            figures=figures,
            called=name,
        )
        with ProgressLine(sys.stderr) as progress:
            summary = evaluate(benchmark, data, wanted, settings, lambda path: open_memory(path, progress), progress)
        if as_json:
            printing.print_json(summary.as_json())
        else:
            sys.stdout.write(markdown(summary))


def _half(name: str | None) -> int | None:
    if name is not None and name not in HALVES:
        raise UsageError(f"--half takes first or second; got {name!r}")
    return None if name is None else HALVES[name]
