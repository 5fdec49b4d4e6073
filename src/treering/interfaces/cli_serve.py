"""The commands `treering serve` and `treering token`; what they need is imported when they run, for it is an extra."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Protocol

import typer

from treering.errors import UsageError
from treering.interfaces import printing
from treering.interfaces.cli_answers import generator_from
from treering.memory import Memory
from treering.memory.importing import Progress

__all__ = ["Opener", "register", "serve_memory"]

MIB = 1024 * 1024


class Opener(Protocol):
    """Opens a memory; a plain function of a module, for an import opens it again in a process of its own."""

    def __call__(self, path: Path, /, progress: Progress | None) -> Memory:
        """Open the memory at `path`; `progress` is told how far an import is."""


def register(app: typer.Typer, open_memory: Opener) -> None:
    """Add the commands to the application; `open_memory` opens a memory as its other commands do."""

    @app.command()
    def serve(
        memory: Annotated[Path, typer.Argument(metavar="MEMORY", help="The memory's directory.")],
        host: Annotated[str, typer.Option(help="Address to listen on; beyond this machine only with tokens.")] = (
            "127.0.0.1"
        ),
        port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8480,
        token_file: Annotated[
            Path | None, typer.Option(metavar="FILE", help="Lines `TOKEN VIEWER` or `TOKEN owner`; see `token`.")
        ] = None,
        readers: Annotated[
            int | None,
            typer.Option(min=1, max=64, help="Questions computed at once; without it one a processor."),
        ] = None,
        upload_mib: Annotated[int, typer.Option(min=1, help="Size of an upload at most.")] = 4096,
        model: Annotated[
            str | None, typer.Option(help="Model that writes answers, http://HOST/v1#MODEL; else TREERING_MODEL.")
        ] = None,
    ) -> None:
        """Serve a memory over HTTP: the explorer in a browser, and the REST interface under /v1."""
        serve_memory(
            memory,
            open_memory,
            host=host,
            port=port,
            token_file=token_file,
            readers=readers,
            upload_bytes_max=upload_mib * MIB,
            model=model,
        )

    @app.command()
    def token(
        viewer: Annotated[str, typer.Argument(metavar="VIEWER", help="Name or id of a participant, or `owner`.")],
        file: Annotated[
            Path | None, typer.Option("--file", help="Add it to this token file; only its hash is kept there.")
        ] = None,
    ) -> None:
        """Make a token for `serve`: printed once, and kept nowhere."""
        _require_extra()
        from treering.interfaces.rest.callers import new_token, token_line

        if not viewer.strip() or "\n" in viewer:
            raise UsageError("name the participant that the token stands for, or owner")
        made = new_token()
        line = token_line(made, viewer.strip())
        if file is None:
            printing.note(f"line for the token file: {line}")
        else:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as kept:
                kept.write(f"{line}\n")
        typer.echo(made)


def serve_memory(
    memory: Path,
    open_memory: Opener,
    *,
    host: str = "127.0.0.1",
    port: int = 8480,
    token_file: Path | None = None,
    readers: int | None = None,
    upload_bytes_max: int = 4096 * MIB,
    model: str | None = None,
) -> None:
    """Serve a memory until told to stop.

    Raises:
        UsageError: the extra is missing, or the server may not listen there.
        MemoryMissing: there is no memory.
    """
    _require_extra()
    from treering.interfaces.rest.serving import Listening, serve
    from treering.interfaces.verbs import Verbs
    from treering.memory.files import Layout

    listening = Listening(host, port, token_file, upload_bytes_max)
    listening.authenticator()  # refuse before anything is opened
    Layout(memory).require()
    printing.note(f"serving {memory} on http://{f'[{host}]' if ':' in host else host}:{port} (Ctrl-C stops it)")
    serve(Verbs(partial(open_memory, memory), generator_from(model), size=readers), listening)


def _require_extra() -> None:
    try:
        import fastapi  # noqa: F401  # only whether it is there
        import prometheus_client  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(f"serving needs the extra `server` ({error}): pip install 'treering[server]'") from error
