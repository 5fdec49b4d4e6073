from pathlib import Path

import pytest

from tests.unit.importers.exports import INA, OPS, message, write_folder, write_zip
from treering.errors import UnknownFormat
from treering.importers.detect import FORMATS, IMPORTERS, detect, extract
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import RecordDraft, Skipped

SLACK = {"users.json": [INA], "channels.json": [OPS], "ops/2024-03-04.json": [message()]}
ZULIP = {
    "realm.json": {"zerver_realm": [{"id": 1, "string_id": "heron"}], "zerver_userprofile": [], "zerver_stream": []},
    "messages-000001.json": {"zerver_message": [], "zerver_usermessage": []},
}
JSONL = {
    "talk.jsonl": b'{"id": "1", "sent_at": "2024-03-04T10:00:00Z", "author": "ina", "channel": "ops", "text": "hi"}\n'
}
CSV = {"talk.csv": b"id,sent_at,author,channel,text\n1,2024-03-04T10:00:00Z,ina,ops,hi\n"}


@pytest.mark.parametrize(
    ("files", "name"),
    [(SLACK, "slack"), (ZULIP, "zulip-export"), (JSONL, "jsonl"), (CSV, "csv")],
    ids=lambda value: value,
)
@pytest.mark.parametrize("is_packed", [False, True], ids=["folder", "zip"])
def test_a_format_is_told_by_its_content(tmp_path: Path, files: dict[str, object], name: str, is_packed: bool):
    path = write_zip(tmp_path / "a.zip", files) if is_packed else write_folder(tmp_path / "a", files)
    with open_tree(path) as tree:
        assert detect(tree).name == name
        assert detect(tree, name.partition("-")[0]).name == name
        assert [importer.name for importer in IMPORTERS if importer.recognizes(tree)] == [name]


def test_a_wrong_format_says_what_it_looks_like(tmp_path: Path):
    expected = r"a\.zip does not read as zulip: it looks like slack"
    with open_tree(write_zip(tmp_path / "a.zip", SLACK)) as tree, pytest.raises(UnknownFormat, match=expected):
        detect(tree, "zulip")


@pytest.mark.parametrize("wanted", ["auto", *FORMATS])
def test_an_unknown_format_says_what_was_found_and_what_is_known(tmp_path: Path, wanted: str):
    folder = write_folder(tmp_path, {"notes.xyz": b"\x00\x01", "b.bin": b"\x02"})
    expected = rf"{', '.join(FORMATS)}.*2 files, such as b\.bin, notes\.xyz"
    with open_tree(folder) as tree, pytest.raises(UnknownFormat, match=expected):
        detect(tree, wanted)


def test_files_left_out_of_the_tree_are_named_skips(tmp_path: Path):
    with open_tree(write_zip(tmp_path / "a.zip", SLACK | {"__MACOSX/._x": b"x", "../x": b"x"})) as tree:
        drafted = list(extract(tree, detect(tree), ImportOptions()))
    skips = {(item.file, item.draft.reason) for item in drafted if isinstance(item.draft, Skipped)}
    assert skips == {("__MACOSX/._x", "copied metadata file"), ("../x", "name leads outside the archive")}
    assert sum(isinstance(item.draft, RecordDraft) for item in drafted) == 1
