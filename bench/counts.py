"""Does every message of every export arrive? `python -m bench.counts EXPORTS`, a folder of exports of any kind.

Each export in it (what a person would drop: a file, or a folder whose files belong together) is imported into one
memory, and its messages are counted by another route (`bench.counting`). Then everything is imported once more, which
must add nothing. `differs` marks counts that do not agree; the command fails if there are any, or if anything is added.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.counting import COUNTERS, files_of
from treering.clock import system_clock, system_entropy
from treering.errors import TreeringError
from treering.importers.protocol import ImportOptions
from treering.log.schema import TABLES
from treering.log.writer import LogWriter
from treering.memory.importing import import_paths
from treering.model.report import ImportReport
from treering.store.database import Database

# What makes a folder one export: files of these names belong to those beside them.
TOGETHER = (
    *("realm.json", "messages-000001.json", "rocketchat_message.bson", "teams/teamsList.json", "channels.json"),
    *("Groups/*/messages.json", "messages/*/messages.*", "#*/????-??-??.log", "*.md", "cur/*"),
)


def exports(path: Path) -> Iterator[Path]:
    """The exports below a folder, each as a person would drop it."""
    if path.is_file() or any(True for together in TOGETHER for _ in path.glob(together)):
        yield path
        return
    for inner in sorted(path.iterdir()):
        yield from exports(inner)


class Log:
    """A log to import into, and what each import added to it."""

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder / "memory.db", for_writing=True)
        self._database.make(TABLES)

    def add(self, path: Path) -> tuple[ImportReport, int]:
        """The report, and how many of what was added are documents: pages, or files that came with messages."""
        before = self._last()
        report = import_paths(
            self._database,
            lambda: LogWriter(self._database.connection, system_clock, system_entropy),
            [path],
            "auto",
            ImportOptions(),
            lambda what, done, total: None,
        )
        return report, self._one("SELECT count(*) FROM record WHERE id > ? AND kind = 'document'", before)

    def _last(self) -> int:
        return self._one("SELECT coalesce(max(id), 0) FROM record")

    def _one(self, query: str, *values: int) -> int:
        return int(self._database.connection.execute(query, values).fetchone()[0])


def agrees(counted: int | None, report: ImportReport, attached: int) -> bool:
    """Whether each counted entry became something; versions may come from inside an entry, or be entries themselves."""
    total = report.total
    return counted is None or total.read - attached - total.versions <= counted <= total.read - attached


def row(name: str, path: Path, log: Log) -> tuple[str, bool]:
    """One line of the table, and whether the counts agree."""
    try:
        report, documents = log.add(path)
    except TreeringError as error:
        return f"| {name} | refused | | | | | | | {str(error).replace('|', '/')} |", True
    formats = sorted({file.format for file in report.files.values()})
    counter = COUNTERS.get(formats[0]) if len(formats) == 1 else None
    counted = counter(files_of(path)) if counter else None
    about_documents = bool(formats) and formats[0].startswith(("documents", "confluence", "git"))
    fine = agrees(counted, report, 0 if about_documents else documents)
    total = report.total
    notes = [f"{count} {reason}" for reason, count in sorted(total.skipped.items())]
    notes += [
        f"quarantined {bad.file} {bad.position}: {bad.reason}"
        for file in report.files.values()
        for bad in file.quarantined[:3]
    ]
    cells = (
        ", ".join(formats), "-" if counted is None else counted, total.kept, total.versions, total.unchanged,
        documents, total.quarantined, "; ".join(notes).replace("|", "/").replace("\n", " "),
    )  # fmt: skip
    return f"| {name} | {' | '.join(map(str, cells))}{'' if fine else ' **differs**'} |", fine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exports", type=Path)
    root: Path = parser.parse_args().exports
    paths = [path for inner in sorted(root.iterdir()) if inner.is_dir() for path in exports(inner)]
    found: Counter[str] = Counter()
    print("| export | format | counted | kept | versions | known already | documents | quarantined | left out, why |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder))
        for path in paths:
            line, fine = row(path.relative_to(root).as_posix(), path, log)
            found["refused"] += "| refused |" in line
            found["differ"] += not fine
            print(line)
        for path in paths:
            try:
                report, _ = log.add(path)
            except TreeringError:
                continue
            if added := report.total.kept + report.total.versions:
                found["added by the second import"] += added
                print(f"\nthe second import of {path.relative_to(root)} added {added}")
    print(f"\n{len(paths)} exports, {found['refused']} refused, {found['differ']} whose counts differ")
    print(f"added by the second import: {found['added by the second import']}")
    if found["differ"] or found["added by the second import"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
