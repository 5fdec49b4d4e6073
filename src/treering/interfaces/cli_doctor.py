"""The command `treering doctor`: is this machine fit, and is this memory whole. `register` adds it."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from treering.interfaces import printing
from treering.interfaces.machine import machine
from treering.memory.examining import examine
from treering.model.finding import Finding, Verdict

__all__ = ["register"]


def register(app: typer.Typer, cache: Callable[[], Path]) -> None:
    """Add the command to the application; `cache` tells where weights are kept."""

    @app.command()
    def doctor(
        memory: Annotated[
            Path | None, typer.Argument(metavar="[MEMORY]", help="Look at this memory, too; reads, never writes.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
    ) -> None:
        """Look for what is wrong, with this machine and with a memory, and say what to do now; 1 if something fails."""
        found: list[Finding] = []
        for finding in _looked_at(memory, cache()):
            found.append(finding)
            if not as_json:
                _print(finding)
        failures = sum(finding.verdict is Verdict.FAILURE for finding in found)
        if as_json:
            printing.print_json({"ok": not failures, "findings": [asdict(finding) for finding in found]})
        else:
            warnings = sum(finding.verdict is Verdict.WARNING for finding in found)
            printing.note(f"{len(found)} looked at; failures: {failures}, warnings: {warnings}")
        if failures:
            raise typer.Exit(1)


def _looked_at(memory: Path | None, cache: Path) -> Iterator[Finding]:
    yield from machine(cache)
    if memory is not None:
        yield from examine(memory, cache)


def _print(finding: Finding) -> None:
    lines = [f"{finding.verdict.value:<7}  {finding.about}: {finding.found}"]
    if finding.advice:
        lines.append(f"         → {finding.advice}")
    printing.print_lines(lines)
