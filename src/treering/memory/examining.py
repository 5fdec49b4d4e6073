"""Looking at a memory part by part, for whoever has to find out what is wrong with it. `treering doctor` prints this.

Nothing is written and nothing repaired: where a command repairs, the finding names it. One damaged part does not
keep the others from being looked at, unless they cannot be read without it. What it stands on (machine, models) is no
matter of this module; `verify` asks a part of the same questions and answers with faults alone.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from treering.errors import MemoryBusy, MemoryDamaged, MemoryMissing, UsageError
from treering.index.postings import Segment, SegmentInfo, adjacent
from treering.index.sparse_store import SparseStore
from treering.index.vectors import VectorStore
from treering.log.reader import LogReader
from treering.log.registry import Registry
from treering.log.schema import FORMAT
from treering.log.verify import faults_in_log
from treering.memory.embedding import missing_vectors
from treering.memory.encoders import NONE, Choice, Encoders
from treering.memory.files import Layout
from treering.memory.indexing import segments_of
from treering.memory.loading import Loader
from treering.memory.premises import room, writable, writer
from treering.memory.quarantine import entries
from treering.model.drafts import ChannelKind
from treering.model.finding import Finding, Verdict, failure, fine, warning
from treering.models.catalog import known_model
from treering.models.manifest import folder_name, is_converted
from treering.store.database import Database

__all__ = ["examine"]

SHOWN = 3  # faults or names told in a line; the commands that are named list all


def examine(path: Path, cache: Path) -> Iterator[Finding]:
    """Look at the memory at `path`, whose encoders' weights are kept in `cache`: one finding a part, in order."""
    layout = Layout(path)
    try:
        layout.require()
        yield fine("memory", f"{path}, format {FORMAT}")
        yield writable("rights", path, [path, layout.database, layout.segments])
        yield room("room", path, _size(path))  # a rebuild writes as much before it removes the old
        yield writer(layout.lock)
    except MemoryMissing as error:
        yield failure("memory", str(error), "see that the path is right")
        return
    except MemoryDamaged as error:
        yield failure("memory", str(error), "docs/file-format.md tells what each file is, and what if it is lost")
        return
    except OSError as error:
        yield failure("memory", f"{error.filename}: {error.strerror}", "look as the user who may read all of it")
        return
    try:
        with _reading(layout.database) as connection:
            yield from _parts(connection, layout, cache)
    except (MemoryDamaged, MemoryBusy, sqlite3.DatabaseError) as error:
        yield failure("database", str(error), f"restore {layout.database} from a copy if it stays so")


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """One snapshot, as every reader has; but SQLite's last reader moves what a killed writer left into the database.

    Strictly read-only it does not. It would leave two files behind where there were none, so this is for that case.
    """
    left = path.with_name(f"{path.name}-wal")
    if left.exists() and left.stat().st_size:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            yield connection
    else:
        with closing(Database(path, for_writing=False)) as database, database.reading() as connection:
            yield connection


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def _parts(connection: sqlite3.Connection, layout: Layout, cache: Path) -> Iterator[Finding]:
    faults = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
    if faults != ["ok"]:
        yield failure("database", _some(faults), f"restore {layout.database} from a copy")
        return
    yield fine("database", "SQLite's quick check finds nothing")
    log = _log(connection)
    yield log
    loader = Loader(layout, Encoders(cache, lambda what, done, total: None, None))
    yield _positions(connection, loader, layout)
    segments = list(_segments(connection, layout))
    yield from segments
    if all(finding.verdict is Verdict.OK for finding in (log, *segments)):  # else loading may fail, and says no more
        yield _words_and_trees(connection, loader, layout)
    choice = Choice.read(connection)
    yield _vectors(connection, layout, choice)
    yield _learned_terms(connection, layout, choice)
    yield from _weights(choice, cache)
    yield _quarantine(connection, layout)
    yield _places(connection, layout)


def _log(connection: sqlite3.Connection) -> Finding:
    try:
        faults = faults_in_log(connection)
    except ValueError as error:
        faults = [f"a record does not read: {error}"]
    if faults:
        return failure("log", _some(faults), "restore memory.db from a copy: no command repairs what is true")
    return fine("log", f"{LogReader(connection).last():,} records, each as it was logged; the chain holds")


def _positions(connection: sqlite3.Connection, loader: Loader, layout: Layout) -> Finding:
    behind = loader.behind(connection)
    if not behind:
        return fine("derived parts", "words, trees and statements are as far as the log")
    last = LogReader(connection).last()
    at = dict(connection.execute("SELECT part, record FROM position").fetchall())
    told = ", ".join(f"{part} at record {at.get(part, 0):,} of {last:,}" for part in behind)
    return warning(
        "derived parts",
        f"behind the log: {told}",
        f"an import was interrupted: the next `treering add {layout.root} ...` or `treering rebuild {layout.root}`"
        " goes on",
    )


def _segments(connection: sqlite3.Connection, layout: Layout) -> Iterator[Finding]:
    for (part,) in connection.execute("SELECT DISTINCT part FROM segment ORDER BY part").fetchall():
        infos = segments_of(connection, part)
        faults = []
        opened = []
        for info in infos:
            try:
                opened.append(_whole(layout.segments / info.name, info))
            except MemoryDamaged as error:
                faults.append(str(error))
        if not faults:
            try:
                adjacent(opened)
            except MemoryDamaged as error:
                faults.append(str(error))
        about = f"segments, {part.partition(' ')[0]}"
        if faults:
            yield failure(about, _some(faults), f"`treering rebuild {layout.root}` writes them anew from the log")
        else:
            passages = sum(info.count for info in infos)
            yield fine(about, f"{len(infos)}, whole, of {passages:,} passages")


def _whole(path: Path, info: SegmentInfo) -> Segment:
    segment = Segment.open(path)
    if segment.info != info:
        raise MemoryDamaged(f"{path} covers other passages than the database says")
    if not segment.is_whole():
        raise MemoryDamaged(f"{path} is not as it was written")
    return segment


def _words_and_trees(connection: sqlite3.Connection, loader: Loader, layout: Layout) -> Finding:
    advice = f"`treering rebuild {layout.root}` derives them anew from the log"
    try:
        memory = loader.searchable(connection)
        faults = loader.faults(memory)
    except MemoryDamaged as error:
        return failure("words and trees", str(error), advice)
    if faults:
        return failure("words and trees", _some(faults), advice)
    return fine(
        "words and trees", f"{memory.lexical.passages:,} passages, {len(memory.forest.trees):,} trees, none is missing"
    )


def _vectors(connection: sqlite3.Connection, layout: Layout, choice: Choice) -> Finding:
    if choice.dense == NONE:
        return fine("vectors", "this memory is kept without: words rank")
    completing = f"`treering rebuild {layout.root}` encodes them; until then words find these"
    if not choice.dense_name:
        return warning("vectors", "none were made yet (--no-embed)", completing)
    folder = layout.vectors(choice.dense_name)
    try:
        counted = missing_vectors(connection, VectorStore(folder, choice.dimensions))
    except MemoryDamaged as error:
        return failure("vectors", str(error), f"remove the folder {folder}, then `treering rebuild {layout.root}`")
    told = ", ".join(f"{have:,} of {wanted:,} {part}" for part, (have, wanted) in counted.items())
    if any(have < wanted for have, wanted in counted.values()):
        return warning("vectors", f"{told} have one", completing)
    return fine("vectors", f"{told} have one, by {choice.dense_name}")


def _learned_terms(connection: sqlite3.Connection, layout: Layout, choice: Choice) -> Finding:
    if choice.sparse == NONE:
        return fine("learned terms", "this memory is kept without")
    completing = f"`treering rebuild {layout.root}` encodes them; until then the other legs find these"
    if not choice.sparse_name:
        return warning("learned terms", "none were made yet (--no-embed)", completing)
    (passages,) = connection.execute("SELECT count(*) FROM passage").fetchone()
    indexed = sum(info.count for info in segments_of(connection, f"sparse {choice.sparse_name}"))
    kept = len(SparseStore(layout.sparse(choice.sparse_name)))
    if indexed < passages:
        return warning("learned terms", f"{indexed:,} of {passages:,} passages are indexed by them", completing)
    return fine("learned terms", f"of all {passages:,} passages; a rebuild finds {kept:,} texts encoded")


def _weights(choice: Choice, cache: Path) -> Iterator[Finding]:
    """Whether the weights that a question to this memory needs are here, and are those that made its vectors."""
    for spec, made_by in ((choice.dense, choice.dense_name), (choice.sparse, choice.sparse_name)):
        if spec == NONE:
            continue
        try:
            model = known_model(spec)
        except UsageError:
            yield fine("encoder", f"{spec} is not of the catalogue and was not asked")
            continue
        if made_by and made_by != folder_name(model):
            yield warning(
                "encoder", f"{made_by} made what is stored, this Treering has {folder_name(model)}",
                "the next `treering add` or `treering rebuild` encodes anew; until then rankings are not as measured",
            )  # fmt: skip
        elif not is_converted(cache / folder_name(model), model):
            yield warning(
                "encoder", f"{spec}, which questions need, is not in {cache}",
                f"`treering models pull {spec}` fetches it; else the first question does",
            )  # fmt: skip
        else:
            yield fine("encoder", f"{spec} is here")


def _quarantine(connection: sqlite3.Connection, layout: Layout) -> Finding:
    found = entries(connection)
    if not found:
        return fine("quarantine", "empty: every record could be read")
    files = sorted({entry.file for entry in found})
    return warning(
        "quarantine",
        f"{len(found):,} records could not be read, in {_some(files, ', ')}",
        f"`treering quarantine {layout.root}` lists them with reasons, `--retry` reads them again",
    )


def _places(connection: sqlite3.Connection, layout: Layout) -> Finding:
    channels = Registry(connection).channels()
    closed = [one for one in channels if one.kind is not ChannelKind.PUBLIC]
    unknown = [one.name for one in closed if one.members is None]
    if not unknown:
        return fine("places", f"{len(channels):,}, of these {len(closed):,} closed, whose members are known")
    return warning(
        "places",
        f"{len(unknown):,} of {len(closed):,} closed ones have no known members: {_some(unknown, ', ')}",
        f"the owner alone sees them, which may be as wanted; `treering grant {layout.root} CHANNEL PERSON` lets"
        " somebody in",
    )


def _some(told: list[str], between: str = "; ") -> str:
    more = f" and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return between.join(told[:SHOWN]) + more
