"""The command line: it reads arguments and the environment, calls `Memory`, prints; it decides nothing else.

`--json` prints one JSON document to standard output and nothing else there; progress and notes go to standard error.
Exit codes: 0 done, 1 failed, 2 the call itself was wrong. This is the outermost frame, so it alone catches everything.
"""

import io
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

import treering
from treering.errors import RejectedRecords, TreeringError, UsageError
from treering.importers.detect import FORMATS
from treering.interfaces import demo, documents, printing
from treering.interfaces.cli_answers import register as register_answers
from treering.interfaces.cli_doctor import register as register_doctor
from treering.interfaces.cli_eval import register as register_eval
from treering.interfaces.cli_mcp import register as register_mcp
from treering.interfaces.cli_people import register as register_people
from treering.interfaces.cli_serve import register as register_serve
from treering.interfaces.demo_serve import serve_demo
from treering.interfaces.progress import ProgressLine
from treering.memory import Memory
from treering.memory.encoders import pull_weights
from treering.memory.importing import Progress
from treering.model.drafts import ChannelKind
from treering.retrieval.profiles import DEFAULT

__all__ = ["app", "main"]

INTERRUPTED = 130  # the exit code of a command that Ctrl-C stopped

app = typer.Typer(
    name="treering",
    help="The memory of an organization: cited evidence from its chats and documents.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
models_app = typer.Typer(help="The encoders' weights.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(models_app, name="models")

MemoryPath = Annotated[Path, typer.Argument(metavar="MEMORY", help="The memory's directory, such as acme.treering.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else there.")]
ProfileName = Annotated[
    str,
    typer.Option(
        "--profile", help="treering, mempp, memgpp, egcforest, hybrid, dense or bm25; egcforest:S1+S2 keeps only these."
    ),
]
EncoderName = Annotated[
    str | None,
    typer.Option("--encoder", help="e5-small, minilm, static, none, folder:PATH, st:NAME or http(s)://HOST/v1#MODEL."),
]
SparseName = Annotated[str | None, typer.Option("--sparse", help="splade-tiny or none.")]


def _cache() -> Path:
    """Where weights are kept: TREERING_CACHE, else the user's cache folder."""
    return Path(os.environ.get("TREERING_CACHE") or Path.home() / ".cache" / "treering")


def _open(path: Path, progress: Progress | None = None) -> Memory:
    return Memory.open(
        path,
        cache=_cache(),
        progress=progress,
        note=printing.note,
        endpoint_key=os.environ.get("TREERING_API_KEY"),
        reranker=os.environ.get("TREERING_RERANKER"),
    )


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"treering {treering.__version__}")
        raise typer.Exit


@app.command()
def add(
    memory: MemoryPath,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Exports: folders, zips, files, .gz.")],
    format_name: Annotated[str, typer.Option("--format", help=f"auto, {', '.join(FORMATS)}.")] = "auto",
    source: Annotated[str | None, typer.Option("--source", help="Name of the source, to keep two apart.")] = None,
    mapping: Annotated[
        list[str] | None, typer.Option("--map", metavar="TARGET=FIELD", help="Take TARGET from another field.")
    ] = None,
    visibility: Annotated[
        str, typer.Option(help="Of channels whose source knows no members: public or private.")
    ] = "private",
    zone: Annotated[
        str | None, typer.Option(help="Zone of local times in the export, such as Europe/Berlin; UTC without it.")
    ] = None,
    date_order: Annotated[
        str | None, typer.Option(help="dmy, mdy or ymd, where the dates of an export do not tell.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail when a record was quarantined.")] = False,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave the vectors for later.")] = False,
    encoder: EncoderName = None,
    sparse: SparseName = None,
    as_json: AsJson = False,
) -> None:
    """Log what the paths hold; add only what is new. Whatever is reported as kept is durable and searchable."""
    with ProgressLine(sys.stderr) as progress, _open(memory, progress) as opened:
        report = opened.add(
            *paths,
            format=format_name,
            source=source,
            fields=_fields(mapping or []),
            visibility=_visibility(visibility),
            zone=zone,
            date_order=_date_order(date_order),
            embed=not no_embed,
            encoder=encoder,
            sparse=sparse,
        )
    printing.print_report(report, as_json=as_json)
    if strict and report.total.quarantined:
        raise RejectedRecords(
            f"{report.total.quarantined} records were quarantined and --strict was given; the rest is logged"
        )


@app.command()
def search(
    memory: MemoryPath,
    question: Annotated[str, typer.Argument(metavar="QUESTION")],
    profile: ProfileName = DEFAULT,
    asker: Annotated[str | None, typer.Option(help="Who asks: shapes relevance, grants nothing.")] = None,
    viewer: Annotated[
        str | None, typer.Option(help="Through whose eyes; without it the owner's, who sees all.")
    ] = None,
    as_of: Annotated[str | None, typer.Option(help="Only what held then: a date or a time with zone.")] = None,
    known_at: Annotated[str | None, typer.Option(help="Only what had been logged then.")] = None,
    asked_at: Annotated[
        str | None, typer.Option(help='What "last week" in the question counts from; else as-of, else now.')
    ] = None,
    zone: Annotated[str, typer.Option(help="Time zone of the asker, such as Europe/Berlin.")] = "UTC",
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many pieces of evidence at most.")] = 20,
    budget: Annotated[int, typer.Option(min=1, help="Tokens at most.")] = 3000,
    as_json: AsJson = False,
    explain: Annotated[bool, typer.Option("--explain", help="What each stage saw, kept and dropped.")] = False,
) -> None:
    """Evidence for a question: verbatim, dated, cited, within the budget."""
    with _open(memory) as opened:
        found = opened.search(
            question,
            profile=profile,
            asker=asker,
            viewer=viewer,
            as_of=as_of,
            known_at=known_at,
            asked_at=asked_at,
            zone=zone,
            k=k,
            budget=budget,
        )
    printing.print_evidence(found, as_json=as_json, explain=explain)


@app.command()
def run(
    memory: MemoryPath,
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl")],
    profile: ProfileName = DEFAULT,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Depth of each ranking.")] = 20,
    out: Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")] = None,
) -> None:
    """Rank for every question of a file: one JSON line each, bounded by as_of, else by asked_at."""
    asked = documents.read_questions(questions)
    with _open(memory) as opened:
        documents.write_run(opened, asked, profile, k, out)


@app.command()
def show(
    memory: MemoryPath,
    record: Annotated[str, typer.Argument(metavar="ID", help="A record's number here, or its source's id.")],
    versions: Annotated[bool, typer.Option("--versions", help="Every version of it.")] = False,
    viewer: Annotated[str | None, typer.Option(help="Through whose eyes.")] = None,
    as_json: AsJson = False,
) -> None:
    """One record, whole."""
    with _open(memory) as opened:
        found = opened.history(record, viewer=viewer) if versions else [opened.record(record, viewer=viewer)]
        printing.print_records(found, opened, as_json=as_json, as_list=versions)


@app.command()
def history(
    memory: MemoryPath,
    record: Annotated[str, typer.Argument(metavar="ID", help="A record's number here, or its source's id.")],
    viewer: Annotated[str | None, typer.Option(help="Through whose eyes.")] = None,
    as_of: Annotated[str | None, typer.Option(help="Only the versions that had begun to hold then.")] = None,
    as_json: AsJson = False,
) -> None:
    """The life of a record: its versions, what each changed, and which of them holds."""
    with _open(memory) as opened:
        printing.print_history(opened.chain(record, viewer=viewer, as_of=as_of), opened, as_json=as_json)


@app.command()
def tree(
    memory: MemoryPath,
    name: Annotated[str, typer.Argument(metavar="channel:NAME|actor:NAME|artifact:ID")],
    depth: Annotated[int, typer.Option(min=0, help="Levels shown below the root.")] = 2,
    viewer: Annotated[str | None, typer.Option(help="Through whose eyes.")] = None,
    as_json: AsJson = False,
) -> None:
    """One tree of a forest, with the summaries of its nodes."""
    with _open(memory) as opened:
        printing.print_tree(opened.tree(name, depth=depth, viewer=viewer), as_json=as_json)


@app.command()
def status(memory: MemoryPath, as_json: AsJson = False) -> None:
    """What the memory holds and how far its derived parts are."""
    with _open(memory) as opened:
        printing.print_facts(opened.status(), as_json=as_json)


@app.command()
def verify(memory: MemoryPath, as_json: AsJson = False) -> None:
    """Walk the chain and check every part against the log."""
    with _open(memory) as opened:
        faults = opened.verify()
        facts: dict[str, object] = {"ok": not faults, "faults": faults, **opened.hashes()}
    printing.print_facts(facts, as_json=as_json)
    if faults:
        raise typer.Exit(1)


@app.command()
def rebuild(
    memory: MemoryPath,
    encoder: EncoderName = None,
    sparse: SparseName = None,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave the vectors for later.")] = False,
    as_json: AsJson = False,
) -> None:
    """Derive everything anew from the log; with --encoder, embed by another one."""
    with ProgressLine(sys.stderr) as progress, _open(memory, progress) as opened:
        facts = opened.rebuild(encoder=encoder, sparse=sparse, embed=not no_embed)
    printing.print_facts(facts, as_json=as_json)


@models_app.command("pull")
def models_pull(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Without a name: the default.")] = None,
) -> None:
    """Fetch and convert an encoder's weights; the first command that needs one does so too."""
    with ProgressLine(sys.stderr) as progress:
        for name in names or ["e5-small"]:
            pull_weights(name, _cache(), progress)
            printing.note(f"{name} is ready in {_cache()}")


@models_app.command("list")
def models_list(as_json: AsJson = False) -> None:
    """The encoders Treering knows, and which of them are here."""
    printing.print_rows(documents.list_models(_cache()), as_json=as_json)


@app.command("demo")
def demo_command(
    memory: Annotated[Path | None, typer.Option("--memory", help="Keep the demo's memory here.")] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Open the sample in the explorer instead.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --serve: the port.")] = 8480,
    as_json: AsJson = False,
) -> None:
    """Build a memory from the sample workspace and answer five questions, showing what each stage found."""
    if serve:
        serve_demo(memory, _open, port=port)
    else:
        demo.run(memory, lambda path, progress: _open(path, progress), as_json=as_json)


register_answers(app, _open)
register_doctor(app, _cache)
register_eval(app, _open)
register_mcp(app, _open)
register_people(app, _open)
register_serve(app, _open)


def _fields(pairs: list[str]) -> dict[str, str]:
    fields = {}
    for pair in pairs:
        target, equals, field = pair.partition("=")
        if not (target and equals and field):
            raise UsageError(f"--map takes TARGET=FIELD, as in --map sent_at=created; got {pair!r}")
        fields[target] = field
    return fields


def _date_order(name: str | None) -> str | None:
    if name not in (None, "dmy", "mdy", "ymd"):
        raise UsageError(f"--date-order takes dmy, mdy or ymd; got {name!r}")
    return name


def _visibility(name: str) -> ChannelKind:
    if name not in ("public", "private"):
        raise UsageError(f"--visibility takes public or private; got {name!r}")
    return ChannelKind(name)


def _fail(message: str, code: int) -> NoReturn:
    printing.note(f"treering: {message}")
    raise SystemExit(code)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and stop the process; every failure is a message and an exit code, never a traceback."""
    given = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        if any("\ud800" <= letter <= "\udfff" for argument in given for letter in argument):
            raise UsageError("an argument is not valid UTF-8")
        if given[:1] == ["add"] and "" in given:
            raise UsageError("a path is empty; give the export's file or folder")
        app(given)
    except UsageError as error:
        _fail(str(error), 2)
    except TreeringError as error:
        _fail(str(error), 1)
    except OSError as error:
        _fail(f"{error.filename or 'a file'}: {error.strerror or error}", 1)
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            printing.note("treering: stopped; what was committed stays, and the same command goes on from there")
        raise
    except Exception as error:
        if os.environ.get("TREERING_DEBUG"):
            raise
        _fail(f"internal error: {type(error).__name__}: {error}. TREERING_DEBUG=1 shows the traceback; report it", 1)


if __name__ == "__main__":
    main()
