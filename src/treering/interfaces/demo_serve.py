"""`treering demo --serve`: the sample workspace in the explorer, for as long as somebody looks.

What is served, and to whom, is `treering serve`'s work; here the sample memory is only built, and its address told with
a question to begin with.
"""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from treering.interfaces import printing
from treering.interfaces.cli_serve import Opener, serve_memory
from treering.interfaces.progress import ProgressLine
from treering.sample import workspace

__all__ = ["serve_demo"]

HOST: Final = "127.0.0.1"
QUESTION: Final = "who approved the release and when"


def serve_demo(kept: Path | None, open_memory: Opener, *, port: int = 8480, embed: bool = True) -> None:
    """Build a memory from the sample (in `kept`, or one that is thrown away) and serve it until told to stop.

    Args:
        kept: where the memory stays; one that is there already is served as it is, with what the sample adds.
        open_memory: opens a memory as the other commands do.
        port: to listen on, on this machine alone.
        embed: False leaves the vectors out: words alone rank, and no model is fetched.

    Raises:
        UsageError: the extra `server` is missing.
    """
    with ExitStack() as stack:
        folder = kept or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="treering-"))) / "demo.treering"
        with ProgressLine(sys.stderr) as progress, open_memory(folder, progress) as memory:
            printing.print_report(memory.add(workspace(), embed=embed), as_json=False)
        printing.note(f"open http://{HOST}:{port}/?{urlencode({'q': QUESTION})}")
        serve_memory(folder, open_memory, host=HOST, port=port)
