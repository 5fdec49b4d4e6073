"""Parsing and logging a Slack export, without words, trees or vectors: `python -m bench.throughput [MESSAGES]`.

Prints messages a second, the peak memory of the process, and the ratio to reading the same JSON out of the same zip
with the standard library in the same run. The export is made on the spot, a day at a time, and is the same every time.
"""

import argparse
import json
import resource
import tempfile
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from tests.generated import CHANNELS, PEOPLE, messages
from treering.clock import system_clock, system_entropy
from treering.importers.protocol import ImportOptions
from treering.log.schema import TABLES
from treering.log.writer import LogWriter
from treering.memory.importing import import_paths
from treering.store.database import Database


def day_of(message: tuple[str, dict[str, object]]) -> str:
    return datetime.fromtimestamp(float(str(message[1]["ts"])), UTC).date().isoformat()


def day_files(count: int) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Every day file of the export, holding one day in memory."""
    for day, said in groupby(messages(count), key=day_of):
        of_channel: dict[str, list[dict[str, object]]] = {}
        for channel, message in said:
            of_channel.setdefault(channel, []).append(message)
        for channel, content in of_channel.items():
            yield f"{channel}/{day}.json", content


def write_export(path: Path, count: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", json.dumps([{"id": person, "name": person.lower()} for person in PEOPLE]))
        listed = [{"id": f"C0{name.upper()}", "name": name, "members": list(PEOPLE)} for name in CHANNELS]
        archive.writestr("channels.json", json.dumps(listed))
        for name, content in day_files(count):
            archive.writestr(name, json.dumps(content))


def log(export: Path, path: Path) -> int:
    """Parse and log the export as `treering add` does; returns how many messages were kept."""
    database = Database(path, for_writing=True)
    database.make(TABLES)
    report = import_paths(
        database,
        lambda: LogWriter(database.connection, system_clock, system_entropy),
        [export],
        "auto",
        ImportOptions(),
        lambda what, done, total: None,
    )
    database.close()
    return report.total.kept


def read_plainly(export: Path) -> int:
    with zipfile.ZipFile(export) as archive:
        count = 0
        for name in archive.namelist():
            with archive.open(name) as file:
                count += len(json.load(file)) if "/" in name else 0
        return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("messages", type=int, nargs="?", default=1_000_000)
    count = parser.parse_args().messages
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "export.zip"
        write_export(export, count)
        started, started_cpu = time.perf_counter(), time.process_time()
        kept = log(export, Path(folder) / "memory.db")
        seconds, processor = time.perf_counter() - started, time.process_time() - started_cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        started, started_cpu = time.perf_counter(), time.process_time()
        read = read_plainly(export)
        plain, plain_processor = time.perf_counter() - started, time.process_time() - started_cpu
    if not kept == read == count:
        raise SystemExit(f"{count:,} messages made, {kept:,} kept, {read:,} read with the standard library")
    print(f"{count:,} messages\n")
    print("| what | seconds | messages a second | processor seconds | messages a processor second |")
    print("|---|---|---|---|---|")
    for what, wall, cpu in (("parsing and logging", seconds, processor), ("plain JSON", plain, plain_processor)):
        print(f"| {what} | {wall:.1f} | {count / wall:,.0f} | {cpu:.1f} | {count / cpu:,.0f} |")
    print(f"\nratio {processor / plain_processor:.0f} by processor time, {seconds / plain:.0f} by the clock")
    print(f"peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
