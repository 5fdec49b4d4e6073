"""Memory and work at size: minutes long, run by `make soak`; what they print goes into docs/results.md."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import messages, slack_export
from treering import Memory

MEGABYTE = 1024  # ru_maxrss counts kilobytes


def big_day_file(folder: Path, count: int) -> Path:
    """A Slack export whose one channel has one day file of `count` messages."""
    (folder / "eng").mkdir(parents=True)
    (folder / "users.json").write_text("[]")
    (folder / "channels.json").write_text(json.dumps([{"id": "C0ENG", "name": "eng", "members": []}]))
    with (folder / "eng" / "2024-03-04.json").open("w", encoding="utf-8") as file:
        file.write("[")
        for number, (_, message) in enumerate(messages(count)):
            file.write(("," if number else "") + json.dumps(message))
        file.write("]")
    return folder


LOG_ONLY = """
import resource, sys
from pathlib import Path
from treering.clock import system_clock, system_entropy
from treering.importers.protocol import ImportOptions
from treering.log.schema import TABLES
from treering.log.writer import LogWriter
from treering.memory.importing import import_paths
from treering.store.database import Database
database = Database(Path(sys.argv[2]), for_writing=True)
database.make(TABLES)
report = import_paths(database, lambda: LogWriter(database.connection, system_clock, system_entropy),
                      [Path(sys.argv[1])], "auto", ImportOptions(), lambda what, done, total: None)
print(report.total.kept, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_of_parsing_and_logging(folder: Path, count: int) -> tuple[int, float]:
    """Messages kept, and the peak memory in megabytes of a process that parses and logs `count` messages."""
    export = big_day_file(folder / "export", count)
    done = subprocess.run(
        [sys.executable, "-c", LOG_ONLY, str(export), str(folder / "log.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    kept, peak = done.stdout.split()
    return int(kept), int(peak) / MEGABYTE


def test_parsing_and_logging_a_day_file_keeps_to_its_memory(tmp_path: Path) -> None:
    kept, peak = peak_of_parsing_and_logging(tmp_path, 20_000)
    assert kept == 20_000
    assert peak < 300


@pytest.mark.soak
def test_two_million_messages_in_one_day_file_keep_to_the_same_memory(tmp_path: Path) -> None:
    kept, peak = peak_of_parsing_and_logging(tmp_path, 2_000_000)
    sys.stderr.write(f"\n2,000,000 messages parsed and logged: peak {peak:.0f} MB\n")
    assert kept == 2_000_000
    assert peak < 300


@pytest.mark.soak
def test_appending_to_a_hundred_thousand_records_summarizes_the_right_edge_alone(tmp_path: Path) -> None:
    export = slack_export(tmp_path / "export.zip", 100_000)
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(export, embed=False)
        one = tmp_path / "one.jsonl"
        one.write_text(
            json.dumps(
                {"id": 1, "sent_at": "2026-01-01T00:00:00Z", "author": "U0001", "channel": "C0ENG", "text": "last word"}
            )
        )
        report = memory.add(one, embed=False, source="slack")
    sys.stderr.write(f"\none record after 100,000: {report.grown}\n")
    # A tree of 25,000 leaves has four levels; the record stands in its channel's tree and in its author's, whose two
    # fixed levels are done again as well.
    assert report.grown["nodes_summarized"] <= 2 * 4 + 2
