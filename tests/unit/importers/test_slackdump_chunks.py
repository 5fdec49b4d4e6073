"""slackdump's chunk files."""

import gzip
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import message, write_folder
from tests.unit.importers.outcome import Outcome, mutations
from tests.unit.importers.slackdump_files import BOS, INA, OPS, write_chunks
from treering.importers.slack import SlackExport
from treering.importers.slackdump_archive import SlackdumpArchive
from treering.model.drafts import ChannelKind

NOW = 1709600000000000000
ROOT = message(thread_ts="1709546400.000100", reply_count=1)
REPLY = message("1709546500.000000", thread_ts="1709546400.000100", user="U0BOS", text="yes")


def chunk(kind: int, **contents: object) -> dict[str, object]:
    return {"t": kind, "ts": NOW, **contents}


def files(*channel: object) -> dict[str, list[object]]:
    return {
        "workspace": [chunk(6, w={"team_id": "T0ORG", "user_id": "U0INA"})],
        "users": [chunk(3, n=2, u=[INA, BOS])],
        "channels": [chunk(4, n=1, ch=[OPS])],
        "C0OPS": list(channel),
    }


def read(path: Path) -> Outcome:
    return Outcome(SlackdumpArchive(), path)


def test_chunks_give_people_channels_members_and_messages(tmp_path: Path):
    found = read(
        write_chunks(
            tmp_path / "a",
            files(
                chunk(5, id="C0OPS", ci=OPS | {"is_private": True}),
                chunk(7, id="C0OPS", n=2, cu=["U0INA"]),
                chunk(7, id="C0OPS", n=2, cu=["U0BOS"]),
                chunk(0, id="C0OPS", n=1, m=[ROOT]),
                chunk(1, id="C0OPS", n=2, r=ROOT["ts"], p=ROOT, m=[ROOT, REPLY]),
            ),
        )
    )
    assert found.recognized
    assert found.source == "slack:T0ORG"
    assert (found.channels["C0OPS"].kind, found.channels["C0OPS"].members) == (ChannelKind.PRIVATE, ("U0BOS", "U0INA"))
    assert found.texts == ["hello", "yes"]
    assert found.records[1].reply_to == found.records[0].lineage
    assert found.skipped == {"copy of a message, from another run": 2, "older description": 1}


def test_a_root_that_only_its_thread_repeats_is_kept(tmp_path: Path):
    found = read(write_chunks(tmp_path / "a", files(chunk(1, id="C0OPS", p=ROOT, m=[REPLY]))))
    assert sorted(found.texts) == ["hello", "yes"]


def test_chunks_of_other_things_are_named_skips_and_lines_that_are_no_chunks_are_kept_aside(tmp_path: Path):
    found = read(
        write_chunks(
            tmp_path / "a",
            files(chunk(0, id="C0OPS", m=[message()]), b'{"t":0,"ts":17', {"t": 77}, chunk(9, b=[{"id": "B"}]),
                  chunk(10, sm=[{"text": "found"}]), chunk(2, f=[{"id": "F0"}], p=ROOT)),
        )
    )  # fmt: skip
    assert found.texts == ["hello"]
    assert found.skipped == {"list of bookmarks": 1, "result of a search": 1, "list of files": 1}
    assert [bad.position for bad in found.quarantined] == ["line 2", "line 3"]


def test_an_export_is_no_archive_and_an_archive_is_no_export(tmp_path: Path):
    export = write_folder(tmp_path / "e", {"users.json": [INA], "ops/2024-03-04.json": [message()]})
    chunks = write_chunks(tmp_path / "c", files(chunk(0, id="C0OPS", m=[message()])))
    assert not read(export).recognized
    assert not Outcome(SlackExport(), chunks).recognized


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.integers(0, 3), min_size=9, max_size=9), order=st.permutations(range(9)))
def test_how_messages_are_split_into_chunks_and_in_what_order_does_not_matter(tmp_path: Path, parts, order):
    said = [message(f"17095464{number:02d}.000000", text=f"<@U0EXT> {number}") for number in range(9)]
    split = [chunk(0, id="C0OPS", m=[said[place] for place in order if parts[place] == part]) for part in range(4)]
    once = read(write_chunks(tmp_path / "a", files(chunk(0, id="C0OPS", m=said))))
    many = read(write_chunks(tmp_path / "b", files(*split)))
    assert set(map(repr, once.drafts)) == set(map(repr, many.drafts))


def test_damaged_chunks_never_crash_and_lose_nothing_of_the_lines_that_are_whole(tmp_path: Path):
    said = [chunk(0, id="C0OPS", m=[message(f"17095464{number:02d}.000000")]) for number in range(30)]
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in said)
    for damaged in mutations(lines, count=200, seed=5):
        path = write_chunks(tmp_path / "a", files())
        (path / "C0OPS.json.gz").write_bytes(gzip.compress(damaged))
        found = read(path)
        whole = set(damaged.split(b"\n")) & set(lines.split(b"\n")) - {b""}
        assert len(found.records) >= len(whole)
