"""The report of an import: each file, each channel, and the two agree."""

import json
import zipfile
from pathlib import Path

from tests.builders import TickingClock
from tests.workspaces import LINES, SECRET, written
from treering import Memory
from treering.model.drafts import Quarantined
from treering.model.report import Counts, FileReport, ImportReport


def test_every_channel_has_its_counts_and_together_they_are_the_total(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [*LINES, *SECRET])
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as memory:
        memory.add(written(tmp_path / "first.jsonl", LINES[:4]), embed=False)
        edited = path.read_text().replace("lunch at 12?", "lunch at 1?") + "{broken\n"
        path.write_text(edited)
        report = memory.add(path, embed=False)
        rows = {row["channel"]: row for row in json.loads(json.dumps(report.as_json()))["channels"]}
        assert {name: row["read"] for name, row in rows.items()} == {None: 1, "eng": 5, "ops": 5, "sec-incident": 3}
        assert (rows["ops"]["unchanged"], rows["ops"]["versions"], rows["ops"]["kept"]) == (2, 1, 2)
        assert (rows[None]["quarantined"], rows["sec-incident"]["kept"]) == (1, 3)
        total = Counts()
        for counts in report.by_channel().values():
            total.add(counts)
        assert total == report.total


def test_what_a_file_of_one_channel_skips_or_quarantines_is_that_channels(tmp_path: Path) -> None:
    export = tmp_path / "export.zip"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("users.json", "[]")
        archive.writestr("channels.json", json.dumps([{"id": "C1", "name": "ops", "members": []}]))
        messages = [{"type": "message", "user": "U1", "text": "hi", "ts": "1709546400.000100"}, {"type": "message"}]
        archive.writestr("ops/2024-03-04.json", json.dumps(messages))
    with Memory.open(tmp_path / "m.treering", clock=TickingClock()) as memory:
        report = memory.add(export, embed=False)
        row = next(row for row in report.as_json()["channels"] if row["channel"] == "C1")  # type: ignore[attr-defined]
        assert (row["name"], row["read"], row["kept"], row["quarantined"]) == ("ops", 2, 1, 1)


def test_a_file_of_several_channels_guesses_nothing() -> None:
    counts = Counts(read=3, kept=2, quarantined=1)
    file = FileReport("a", "a", "jsonl", "jsonl", counts, [Quarantined("a", "line 3", "no id")])
    file.channels = {"ops": Counts(read=1, kept=1), "eng": Counts(read=1, kept=1)}
    report = ImportReport({("a", "a"): file})
    assert report.by_channel()["jsonl", None] == Counts(read=1, quarantined=1)
