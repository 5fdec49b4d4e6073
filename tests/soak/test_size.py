"""Memory and work at size: minutes long, run by `make soak`; what they print goes into docs/results.md."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.generated import FIRST, messages, slack_export
from treering import Memory

MEGABYTE = 1024  # VmHWM counts kilobytes


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
import sys
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
# Not ru_maxrss: a process begins with that of whoever started it.
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(report.total.kept, status["VmHWM"].split()[0])
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


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_an_appended_record_summarizes_the_right_edge_of_its_trees_alone(tmp_path: Path, count: int) -> None:
    export = slack_export(tmp_path / "export.zip", count)
    last = {"id": 1, "sent_at": "2099-01-01T00:00:00Z", "author": "U0001", "channel": "C0ENG", "text": "last word"}
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(export, embed=False)
        one = tmp_path / "one.jsonl"
        one.write_text(json.dumps(last))
        report = memory.add(one, embed=False, source="slack")
    sys.stderr.write(f"\none record after {count:,}: {report.grown}\n")
    # It stands in its channel's tree (four levels for 25,000 leaves) and in its author's, whose two fixed levels are
    # done again as well.
    assert 0 < report.grown["nodes_summarized"] <= 2 * 4 + 2


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_late_records_redo_only_what_stands_right_of_them(tmp_path: Path, count: int) -> None:
    export = slack_export(tmp_path / "export.zip", count)
    late = tmp_path / "late.jsonl"
    first = FIRST + 37 * count * 9 // 10  # one in a hundred, spread over the last tenth of the time
    with late.open("w", encoding="utf-8") as file:
        for number in range(count // 100):
            at = datetime.fromtimestamp(first + 37 * 10 * number, UTC).isoformat()
            line = {"id": number, "sent_at": at, "author": "U0001", "channel": "C0ENG", "text": "late word"}
            file.write(json.dumps(line) + "\n")
    with Memory.open(tmp_path / "m.treering") as memory:
        whole = memory.add(export, embed=False).grown["nodes_summarized"]
        again = memory.add(export, late, embed=False, format="auto", source="slack")
    sys.stderr.write(f"\n1% late records after {count:,}: {again.grown} of {whole:,} nodes\n")
    assert again.total.kept == count // 100
    # The late ones stand in one of four channels and with one of forty authors: a tenth of these trees.
    assert again.grown["nodes_summarized"] < 0.1 * whole
