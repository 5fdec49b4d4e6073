"""The operator's commands: `actors`, `grant` and `quarantine`. `register` adds them to the application."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from treering.errors import UsageError
from treering.interfaces import printing, printing_people
from treering.interfaces.progress import ProgressLine
from treering.log.grants import Decision
from treering.memory import Memory

__all__ = ["register"]

Opener = Callable[[Path, ProgressLine | None], Memory]

MemoryPath = Annotated[Path, typer.Argument(metavar="MEMORY", help="The memory's directory.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else there.")]


def register(app: typer.Typer, open_memory: Opener) -> None:
    """Add the commands to the application; `open_memory` opens a memory as its other commands do."""

    @app.command()
    def actors(
        memory: MemoryPath,
        possible_duplicates: Annotated[
            bool, typer.Option("--possible-duplicates", help="Accounts that share an address, an id or a name.")
        ] = False,
        link: Annotated[
            Path | None,
            typer.Option("--link", metavar="FILE", help="Accounts of one person, a line each: SOURCE/ID = SOURCE/ID."),
        ] = None,
        unlink: Annotated[
            Path | None, typer.Option("--unlink", metavar="FILE", help="Take the links of a file back.")
        ] = None,
        links: Annotated[bool, typer.Option("--links", help="The links that were stated.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """Who appears in the memory: accounts, their names and kinds; which of them are one person's.

        Accounts are linked by your word alone, never because they look alike. Whoever may read as one of a person's
        accounts may read as all of them.
        """
        with open_memory(memory, None) as opened:
            people = opened.people
            if unlink is not None:
                printing.note(f"{people.unlink(unlink)} links taken back")
            if link is not None:
                printing.note(f"{people.link(link)} links are new")
            if possible_duplicates:
                printing_people.print_duplicates(people.possible_duplicates(), as_json=as_json)
            elif links or link is not None or unlink is not None:
                printing_people.print_links(people.links(), as_json=as_json)
            else:
                printing_people.print_accounts(people.accounts(), as_json=as_json)

    @app.command()
    def grant(
        memory: MemoryPath,
        channel: Annotated[str, typer.Argument(metavar="CHANNEL", help="Its name or id.")],
        person: Annotated[str | None, typer.Argument(metavar="PERSON", help="A name or an id.")] = None,
        everybody: Annotated[bool, typer.Option("--everybody", help="Instead of a person: whoever asks.")] = False,
        revoke: Annotated[
            bool, typer.Option("--revoke", help="Keep the person out, even if a source lists it as a member.")
        ] = False,
        as_imported: Annotated[
            bool, typer.Option("--as-imported", help="Take earlier decisions about the person back.")
        ] = False,
        listed: Annotated[bool, typer.Option("--list", help="Only show who may read the channel, and why.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """Let a person read a channel, or keep it out, from now on and for the channel's whole past.

        This stands above the members that exports list, and later imports change nothing of it.
        """
        chosen = [person is not None, everybody, listed]
        if sum(chosen) != 1 or (revoke and as_imported) or (listed and (revoke or as_imported)):
            raise UsageError("grant takes MEMORY CHANNEL and a PERSON, or --everybody, or --list; see --help")
        decision = Decision.REVOKE if revoke else Decision.AS_IMPORTED if as_imported else Decision.GRANT
        with open_memory(memory, None) as opened:
            if not listed:
                opened.people.decide(channel, person, decision)
            printing_people.print_access(opened.people.access(channel), as_json=as_json)

    @app.command()
    def quarantine(
        memory: MemoryPath,
        paths: Annotated[
            list[Path] | None,
            typer.Argument(metavar="[PATH...]", help="With --retry: what to read; without, what was read before."),
        ] = None,
        retry: Annotated[bool, typer.Option("--retry", help="Import again, and clear what reads now.")] = False,
        no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave the vectors for later.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """The records that could not be read, with file, position, reason and original."""
        if paths and not retry:
            raise UsageError("paths are read again with --retry only")
        with ProgressLine(sys.stderr) as progress, open_memory(memory, progress) as opened:
            if retry:
                report = opened.retry(*(paths or ()), embed=not no_embed)
                total = report.total
                printing.note(
                    f"{report.cleared} left quarantine: {total.kept} records are new, {total.versions} new versions,"
                    f" {total.unchanged} were known; {total.quarantined} still do not read"
                )
            printing_people.print_quarantine(opened.quarantined(), as_json=as_json)
