"""The commands that may use a language model: `ask`, `summarize`, `consolidate`, `triples`.

Models are named by address and model, as in `http://localhost:8080/v1#qwen3`; keys come from the environment and are
never printed.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from treering.answers.answer import Answer
from treering.answers.answering import answer
from treering.answers.extractive import extractive_answer
from treering.errors import UsageError
from treering.interfaces import printing
from treering.interfaces.progress import ProgressLine
from treering.memory import Memory
from treering.models.generator import Generator, endpoint_named
from treering.retrieval.profiles import DEFAULT

__all__ = ["generator_from", "register"]

Opener = Callable[[Path, ProgressLine | None], Memory]
MODEL = "TREERING_MODEL"
KEY = "TREERING_MODEL_KEY"

MemoryPath = Annotated[Path, typer.Argument(metavar="MEMORY", help="The memory's directory.")]
ModelSpec = Annotated[
    str | None,
    typer.Option("--model", help=f"Address and model, http://HOST/v1#MODEL; else the environment's {MODEL}."),
]


def generator_from(spec: str | None) -> Generator | None:
    """The model that is named or that the environment names; None where neither does."""
    named = spec or os.environ.get(MODEL)
    return endpoint_named(named, key=os.environ.get(KEY)) if named else None


def register(app: typer.Typer, open_memory: Opener) -> None:
    """Add the commands to the application; `open_memory` opens a memory as its other commands do."""

    @app.command()
    def ask(
        memory: MemoryPath,
        question: Annotated[str, typer.Argument(metavar="QUESTION")],
        model: ModelSpec = None,
        profile: Annotated[str, typer.Option(help="As for `search`.")] = DEFAULT,
        asker: Annotated[str | None, typer.Option(help="Who asks.")] = None,
        viewer: Annotated[str | None, typer.Option(help="Through whose eyes.")] = None,
        as_of: Annotated[str | None, typer.Option(help="Only what held then.")] = None,
        known_at: Annotated[str | None, typer.Option(help="Only what had been logged then.")] = None,
        zone: Annotated[str, typer.Option(help="Time zone of the asker.")] = "UTC",
        k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Pieces of evidence at most.")] = 20,
        budget: Annotated[int, typer.Option(min=1, help="Tokens of evidence at most.")] = 3000,
        max_tokens: Annotated[int, typer.Option(min=1, help="Tokens of the answer at most.")] = 1000,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
    ) -> None:
        """An answer from the evidence alone, citations and quotations checked; without a model, the best passages."""
        with open_memory(memory, None) as opened:
            evidence = opened.search(
                question,
                profile=profile,
                asker=asker,
                viewer=viewer,
                as_of=as_of,
                known_at=known_at,
                zone=zone,
                k=k,
                budget=budget,
            )
        generator = generator_from(model)
        if generator is None:
            print_answer(extractive_answer(evidence), as_json=as_json)
        else:
            print_answer(answer(evidence, generator, max_tokens=max_tokens), as_json=as_json)

    @app.command()
    def summarize(
        memory: MemoryPath,
        model: ModelSpec = None,
        estimate: Annotated[bool, typer.Option("--estimate", help="Only say what it would take.")] = False,
        most: Annotated[int | None, typer.Option(min=1, help="Nodes at most.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
    ) -> None:
        """Have a model write the summaries of the trees; goes on where it stopped, and redoes only what changed."""
        generator = generator_from(model)
        if generator is None:
            raise UsageError(f"name a model: --model http://HOST/v1#MODEL, or {MODEL} in the environment")
        with ProgressLine(sys.stderr) as progress, open_memory(memory, progress) as opened:
            cost = opened.estimate_summaries(generator)
            facts: dict[str, object] = {
                name: getattr(cost, name) for name in ("nodes", "calls", "tokens_in", "tokens_out")
            }
            if not estimate:
                facts["written"] = opened.summarize(generator, most=most)
        printing.print_facts(facts, as_json=as_json)

    @app.command()
    def consolidate(
        memory: MemoryPath,
        undo: Annotated[bool, typer.Option("--undo", help="Take every mark back.")] = False,
        listed: Annotated[bool, typer.Option("--list", help="Only list the marks there are.")] = False,
        model: Annotated[
            str | None,
            typer.Option("--model", help="A model that judges pairs, http://HOST/v1#MODEL; rules without it."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
    ) -> None:
        """Mark near-duplicates: of two that contradict or restate each other the older. Nothing is deleted."""
        with ProgressLine(sys.stderr) as progress, open_memory(memory, progress) as opened:
            if undo:
                printing.note(f"{opened.take_back()} marks taken back")
            elif not listed:
                judge = generator_from(model) if model else None
                printing.note(f"{opened.consolidate(judge)} pairs are new")
            printing.print_marks(opened.consolidation(), opened, as_json=as_json)

    @app.command()
    def triples(memory: MemoryPath, model: ModelSpec = None) -> None:
        """Have a model read triples out of documents, for the profile memgpp; rules have read theirs already."""
        generator = generator_from(model)
        if generator is None:
            raise UsageError(f"name a model: --model http://HOST/v1#MODEL, or {MODEL} in the environment")
        with ProgressLine(sys.stderr) as progress, open_memory(memory, progress) as opened:
            printing.note(f"{opened.extract_triples(generator)} triples were read")


def print_answer(found: Answer, *, as_json: bool) -> None:
    """An answer with its sources."""
    if as_json:
        printing.print_json(asdict(found))
        return
    printing.print_lines([found.text, *(f"  [{one.number}] {one.text}" for one in found.citations)])
    for note in found.notes:
        printing.note(note)
