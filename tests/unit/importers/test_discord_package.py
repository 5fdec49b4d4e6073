"""The data package that Discord sends to a person."""

from datetime import UTC, datetime
from pathlib import Path

from tests.unit.importers.chats import Chats, damaged, lines, read, survives, written
from tests.unit.importers.exports import write_folder, write_zip
from treering.importers.discord_package import DiscordPackage
from treering.importers.tree import open_tree
from treering.model.drafts import ActorKind, Attachment, ChannelKind

CSV = (
    b"ID,Timestamp,Contents,Attachments\r\n"
    b'1214195123456789013,2024-03-04 10:00:00.123000+00:00,"two\nlines, one comma",\r\n'
)
ROW = {"ID": 1214195123456789012, "Timestamp": "2024-03-04 10:00:00", "Contents": "ship it <@8>", "Attachments": ""}
PACKAGE: dict[str, object] = {
    "account/user.json": {
        "id": "7",
        "username": "ina.r",
        "global_name": "Ina",
        "email": "ina@heron.example",
        "payments": ["secret"],
    },
    "messages/index.json": {"111": "ops in Heron", "222": "Direct Message with bo#0"},
    "messages/c111/channel.json": {
        "id": "111",
        "type": "GUILD_TEXT",
        "name": "ops",
        "guild": {"id": "5", "name": "Heron"},
    },
    "messages/c111/messages.json": [ROW],
    "messages/c222/channel.json": {"id": "222", "type": 1, "recipients": ["7", "8"]},
    "messages/c222/messages.csv": CSV,
}


def imported(folder: Path, **changes: object) -> Chats:
    return read(
        DiscordPackage(),
        write_folder(folder, PACKAGE | {name.replace("__", "/"): rows for name, rows in changes.items()}),
    )


def test_rows_of_json_and_of_csv_are_messages_of_whoever_asked(tmp_path: Path):
    chats = imported(tmp_path)
    new, old = chats.records
    assert (new.lineage, new.text, new.mentions) == (
        "1214195123456789012",
        "ship it @8",
        ("8",),
    )  # beyond 2 to the 53rd
    assert (old.lineage, old.text) == ("1214195123456789013", "two\nlines, one comma")
    assert old.valid_from == datetime(2024, 3, 4, 10, 0, 0, 123000, tzinfo=UTC)
    assert {new.author, old.author} == {"7"}
    assert (chats.actors["7"].name, chats.actors["7"].kind) == ("Ina", ActorKind.HUMAN)
    assert "secret" not in repr(chats.drafts)


def test_channels_are_described_beside_their_messages_or_in_the_index(tmp_path: Path):
    channels = imported(tmp_path).channels
    assert (channels["111"].name, channels["111"].aliases, channels["111"].stated) == ("ops", ("Heron > ops",), False)
    assert (channels["222"].kind, channels["222"].members) == (ChannelKind.DIRECT, ("7", "8"))
    assert channels["222"].name == "Direct Message with bo#0"


def test_recipients_who_were_deleted_make_the_members_unknown(tmp_path: Path):
    described = {"id": "222", "type": "DM", "recipients": ["7", "Deleted User"]}
    assert imported(tmp_path, **{"messages__c222__channel.json": described}).channels["222"].members is None


def test_attached_files_are_known_by_the_names_in_their_links(tmp_path: Path):
    row = ROW | {"Contents": "", "Attachments": "https://cdn.example/1/plan%20B.pdf?ex=1 https://cdn.example/2/b.png"}
    record = imported(tmp_path, **{"messages__c111__messages.json": [row]}).records[0]
    assert record.attachments == (Attachment("plan B.pdf"), Attachment("b.png"))
    assert record.text == "plan B.pdf\nb.png"


def test_an_old_package_without_descriptions_goes_by_its_folders(tmp_path: Path):
    chats = read(
        DiscordPackage(), write_zip(tmp_path / "p.zip", {"messages/333/messages.csv": CSV, "activity/e.json": b"{}"})
    )
    assert (set(chats.channels), set(chats.actors)) == ({"333"}, {"requester"})
    assert chats.skipped == ["not a file of messages"]


def test_one_bad_row_is_kept_aside_and_the_rest_goes_in(tmp_path: Path):
    rows = [ROW | {"ID": None}, ROW | {"ID": "x", "Timestamp": "?"}, "text", ROW]
    chats = imported(tmp_path, **{"messages__c111__messages.json": rows, "messages__c222__messages.csv": CSV + b'"x'})
    assert len(chats.records) == 2
    assert [bad.position for bad in chats.quarantined] == ["message 1", "message 2", "message 3", "line 4"]


def test_another_table_is_not_taken_for_it(tmp_path: Path):
    with open_tree(
        written(tmp_path / "t.jsonl", lines({"id": 1, "sent_at": "2024", "channel": "x", "text": ""}))
    ) as tree:
        assert not DiscordPackage().recognizes(tree)


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    counts = [
        survives(DiscordPackage(), tmp_path / "messages.csv", bad) for bad in damaged(CSV * 2, seed=13, times=100)
    ]
    counts += [survives(DiscordPackage(), tmp_path / "messages.csv", bad) for bad in damaged(CSV, seed=17, times=100)]
    assert sum(counts) > 100
