"""slackdump's SQLite archive."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.unit.importers.exports import message, write_folder, write_zip
from tests.unit.importers.outcome import Outcome, mutations
from tests.unit.importers.slackdump_files import BOS, INA, OPS, Database
from treering.errors import UnreadableInput
from treering.importers.slack import SlackExport
from treering.importers.slackdump_archive import SlackdumpArchive
from treering.importers.tree import open_tree
from treering.model.drafts import Change, ChannelKind

FIRST = "1709546400.000100"


def archive(tmp_path: Path) -> Database:
    database = Database(tmp_path / "archive" / "slackdump.sqlite")
    database.workspace("T0ORG", "U0INA")
    database.users(INA, BOS)
    database.channels(OPS)
    return database


def read(path: Path) -> Outcome:
    return Outcome(SlackdumpArchive(), path)


def test_an_archive_gives_the_same_records_as_the_export_of_the_same_messages(tmp_path: Path):
    said = [message(), message("1709546500.000000", thread_ts=FIRST, user="U0BOS", text="<@U0INA> yes")]
    database = archive(tmp_path)
    database.messages("C0OPS", *said)
    database.members("C0OPS", "U0INA", "U0BOS")
    listed = OPS | {"members": ["U0BOS", "U0INA"]}
    files = {"users.json": [INA, BOS], "channels.json": [listed], "ops/2024-03-04.json": said}
    export = Outcome(SlackExport(), write_folder(tmp_path / "export", files))
    found = read(tmp_path / "archive")
    assert found.recognized
    assert found.records == export.records
    assert (found.actors, found.channels, found.source) == (export.actors, export.channels, export.source)


def test_b12_of_a_message_in_many_chunks_the_newest_counts_and_the_others_are_named_copies(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", message(blocks=[{"type": "x", "block_id": "aa"}]))
    database.run()
    database.messages("C0OPS", message(blocks=[{"type": "x", "block_id": "bb"}], text="hello there"))
    found = read(tmp_path / "archive")
    assert found.only.text == "hello there"
    assert found.skipped == {"copy of a message, from another run": 1}


def test_a_text_that_was_edited_between_two_runs_is_an_earlier_version(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", message(text="out on Monday"))
    database.run()
    database.messages("C0OPS", message(text="out on Friday", edited={"user": "U0INA", "ts": "1709550000.000000"}))
    newer, older = read(tmp_path / "archive").records
    assert (newer.text, newer.change) == ("out on Friday", Change.EDIT)
    assert (older.text, older.change) == ("out on Monday", Change.NEW)
    assert newer.lineage == older.lineage


def test_equal_stamps_in_two_channels_are_two_messages(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", message())
    database.messages("C0DEV", message())
    found = read(tmp_path / "archive")
    assert {record.lineage for record in found.records} == {f"C0OPS/{FIRST}", f"C0DEV/{FIRST}"}
    assert not found.skipped


def test_members_are_those_of_the_last_run_that_asked_for_them(tmp_path: Path):
    database = archive(tmp_path)
    database.channels({"id": "G0SEC", "name": "sec", "is_private": True})
    database.members("G0SEC", "U0INA", "U0BOS")
    database.run()
    database.members("G0SEC", "U0BOS")
    assert read(tmp_path / "archive").channels["G0SEC"].members == ("U0BOS",)


def test_a_channel_is_public_only_where_its_description_says_so(tmp_path: Path):
    database = archive(tmp_path)
    database.channels(
        {"id": "C0X", "name": "bare"},
        {"id": "D0A", "user": "U0BOS", "is_im": True},
        {"id": "G0M", "name": "mpdm-ina.r--bo-1", "is_mpim": True, "is_channel": True},
    )
    database.messages("C0GONE", message())
    kinds = {id_: (channel.kind, channel.members) for id_, channel in read(tmp_path / "archive").channels.items()}
    assert kinds == {
        "C0OPS": (ChannelKind.PUBLIC, None),
        "C0X": (ChannelKind.PRIVATE, None),
        "D0A": (ChannelKind.DIRECT, ("U0INA", "U0BOS")),  # whoever archived it, and the other
        "G0M": (ChannelKind.GROUP, None),
        "C0GONE": (ChannelKind.PRIVATE, None),
    }


def test_an_older_description_of_a_channel_gives_an_alias_and_of_a_person_a_former_name(tmp_path: Path):
    database = archive(tmp_path)
    database.run()
    database.channels(OPS | {"name": "operations"})
    database.users(INA | {"profile": {"display_name": "Ina Reis-Mora"}})
    found = read(tmp_path / "archive")
    assert (found.channels["C0OPS"].name, found.channels["C0OPS"].aliases) == ("operations", ("ops",))
    assert found.actors["U0INA"].name == "Ina Reis-Mora"
    assert "Ina" in found.actors["U0INA"].aliases
    assert found.skipped == {"older description": 2}


def test_what_was_not_checkpointed_is_read_from_the_log_beside_the_file_and_nothing_is_written(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", message())
    with closing(sqlite3.connect(database.path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO CHUNK VALUES (999, 1, 0)")
        late = '{"type": "message", "user": "U0BOS", "ts": "1709546401.000000", "text": "late"}'
        connection.execute("INSERT INTO MESSAGE VALUES (1709546401000000, 999, 'C0OPS', '', '', ?)", (late.encode(),))
        connection.commit()
        before = {path.name: path.read_bytes() for path in database.path.parent.iterdir()}
        found = read(tmp_path / "archive")
        after = {path.name: path.read_bytes() for path in database.path.parent.iterdir()}
    assert "slackdump.sqlite-wal" in before
    assert found.texts == ["hello", "late"]
    assert not found.skipped
    assert before == after


def test_an_archive_within_a_zip_under_any_name_is_read(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", message())
    zipped = write_zip(tmp_path / "a.zip", {"x/backup.bin": database.path.read_bytes(), "x/readme.txt": b"hi"})
    found = read(zipped)
    assert found.recognized
    assert found.texts == ["hello"]
    assert found.skipped == {"not a part of the archive": 1}


def test_one_row_that_does_not_read_is_kept_aside_and_the_rest_goes_in(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", message(), b"{not json", message("x"), b"[1]", message("1709546402.000000", text="end"))
    found = read(tmp_path / "archive")
    assert sorted(found.texts) == ["end", "hello"]
    assert len(found.quarantined) == 3
    assert {bad.file for bad in found.quarantined} == {"slackdump.sqlite"}


def test_results_of_searches_are_named_skips(tmp_path: Path):
    database = archive(tmp_path)
    database.execute("INSERT INTO SEARCH_MESSAGE VALUES (1, 1, x'7b7d')")
    assert read(tmp_path / "archive").skipped == {"result of a search": 1}


def test_without_people_the_workspace_names_the_source(tmp_path: Path):
    database = Database(tmp_path / "slackdump.sqlite")
    database.workspace("T0ORG", "U0INA")
    assert read(tmp_path / "slackdump.sqlite").source == "slack:T0ORG"


def test_a_database_with_other_tables_is_not_recognized(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection:
        connection.execute("CREATE TABLE MESSAGE (ID INTEGER)")
    with open_tree(tmp_path / "x.sqlite") as tree:
        assert not SlackdumpArchive().recognizes(tree)


def test_a_view_in_the_place_of_a_table_is_refused(tmp_path: Path):
    database = archive(tmp_path)
    database.execute("DROP TABLE MESSAGE")
    loop = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)"
    database.execute(f"CREATE VIEW MESSAGE AS {loop} SELECT i ID, 1 CHUNK_ID, '' CHANNEL_ID, '' TS, '' DATA FROM n")
    with pytest.raises(UnreadableInput, match="lacks what an archive of slackdump's has: MESSAGE"):
        read(tmp_path / "archive")


def test_a_damaged_archive_ends_in_drafts_or_in_our_own_error(tmp_path: Path):
    database = archive(tmp_path)
    database.messages("C0OPS", *[message(f"17095464{number:02d}.000000", text="x" * 300) for number in range(40)])
    database.members("C0OPS", "U0INA", "U0BOS")
    whole = database.path.read_bytes()
    outcomes = 0
    for damaged in mutations(whole, count=200, seed=12):
        database.path.write_bytes(damaged)
        try:
            outcomes += len(read(database.path).drafts)
        except UnreadableInput:
            continue
    assert outcomes > 1_000  # damage to one page leaves the others


def test_an_archive_is_found_beside_a_folder_full_of_pictures(tmp_path: Path):
    database = archive(tmp_path)
    write_folder(database.path.parent, {f"__avatars/U0{number}/a.png": b"\x89PNG" for number in range(300)})
    found = read(database.path.parent)
    assert found.recognized
    assert found.skipped == {"not a part of the archive": 300}
