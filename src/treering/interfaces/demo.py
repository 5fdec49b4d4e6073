"""`treering demo`: the sample workspace, five questions, and what each stage of retrieval did for them."""

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from treering.interfaces import printing
from treering.interfaces.progress import ProgressLine
from treering.memory import Memory
from treering.sample import questions, workspace

__all__ = ["run"]

STAGED = "egcforest"  # the profile that has stages to show
EVIDENCE_SHOWN = 3  # of each stage; what answers the question is always shown


def run(kept: Path | None, open_memory: Callable[[Path, ProgressLine], Memory], *, as_json: bool) -> None:
    """Build a memory from the sample (in `kept`, or one that is thrown away) and answer its questions."""
    with ExitStack() as stack:
        path = kept or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "demo.treering"
        with ProgressLine(sys.stderr) as progress, open_memory(path, progress) as memory:
            report = memory.add(workspace())
        if not as_json:
            printing.print_report(report, as_json=False)
            printing.note("* marks what answers the question, ~ a header: the summary of a node")
        answers = []
        with ProgressLine(sys.stderr) as progress, open_memory(path, progress) as memory:
            for number, sample in enumerate(questions(), 1):
                found = memory.search(
                    sample.question, profile=STAGED, asker=sample.asker, viewer=sample.viewer, as_of=sample.as_of
                )
                if as_json:
                    answers.append(printing.evidence_set_json(found, explain=True))
                else:
                    printing.print_demo_answer(number, sample, found, EVIDENCE_SHOWN)
        if as_json:
            printing.print_json({"import": report.as_json(), "answers": answers})
        elif kept is not None:
            printing.note(f"the demo's memory is kept in {kept}")
