"""`treering mcp`: the memory as tools of an agent, over standard input and output or over HTTP.

The SDK is an extra, loaded when the command runs: without it every other command works.
"""

import socket
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treering.errors import UsageError
from treering.interfaces import printing
from treering.interfaces.cli_answers import generator_from
from treering.interfaces.progress import ProgressLine
from treering.memory import Memory

if TYPE_CHECKING:
    from treering.interfaces.verbs import Verbs

__all__ = ["register"]

Opener = Callable[[Path, ProgressLine | None], Memory]
PORT = 8481


def register(app: typer.Typer, open_memory: Opener) -> None:
    """Add the command to the application; `open_memory` opens a memory as its other commands do."""

    @app.command()
    def mcp(
        memory: Annotated[Path, typer.Argument(metavar="MEMORY", help="The memory's directory.")],
        viewer: Annotated[
            str | None, typer.Option(help="Through whose eyes; without it the owner's, who sees all.")
        ] = None,
        http: Annotated[bool, typer.Option("--http", help="Over HTTP instead of standard input and output.")] = False,
        host: Annotated[str, typer.Option(help="Address to listen on; beyond this machine only with tokens.")] = (
            "127.0.0.1"
        ),
        port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = PORT,
        token_file: Annotated[
            Path | None,
            typer.Option("--token-file", metavar="FILE", help="Lines `TOKEN VIEWER`; see `token`. Over HTTP only."),
        ] = None,
        model: Annotated[
            str | None, typer.Option("--model", help="As for `ask`: http://HOST/v1#MODEL writes answers.")
        ] = None,
    ) -> None:
        """Serve the memory to an agent by the Model Context Protocol."""
        if find_spec("mcp") is None:
            raise UsageError("the MCP server needs an extra: pip install 'treering[mcp]'")
        if not http and (token_file is not None or port != PORT):
            raise UsageError("--port and --token-file go with --http: over standard input the process is the viewer's")
        if token_file is not None and viewer is not None:
            raise UsageError("--viewer and --token-file exclude each other: a token says who looks")
        from treering.interfaces.verbs import Verbs

        with open_memory(memory, None) as opened:  # a wrong path or name is told now, not at the first call
            opened.check_profile("treering")
            if viewer is not None:
                opened.actor(viewer)
        with Verbs(lambda progress: open_memory(memory, None), generator_from(model)) as verbs:
            if http:
                _over_http(verbs, viewer, host, port, token_file)
            else:
                _over_stdio(verbs, viewer)


def _over_stdio(verbs: "Verbs", viewer: str | None) -> None:
    import anyio

    from treering.interfaces.mcp.server import serve_stdio

    anyio.run(serve_stdio, verbs, viewer)


def _over_http(verbs: "Verbs", viewer: str | None, host: str, port: int, token_file: Path | None) -> None:
    from treering.interfaces.mcp.http import PATH, ProcessViewer, make_app, require_loopback, serve_http
    from treering.interfaces.rest.callers import TokenFile

    if token_file is None:
        require_loopback(host)
        app = make_app(verbs, ProcessViewer(viewer), loopback=True)
    else:
        app = make_app(verbs, TokenFile.read(token_file), loopback=False)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        shown = f"[{host}]" if ":" in host else host
        printing.note(f"MCP at http://{shown}:{listening.getsockname()[1]}{PATH} (Ctrl-C stops it)")
        serve_http(app, listening)
