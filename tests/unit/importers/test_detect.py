import json
from pathlib import Path

import pytest

from tests.unit.importers.exports import INA, OPS, message, write_folder, write_zip
from treering.errors import UnknownFormat, UnreadableInput
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


def test_a_folder_of_archives_is_several_exports_and_says_so(tmp_path: Path):
    for name in ("slack.zip", "chat.zip"):
        write_zip(tmp_path / name, SLACK)
    with open_tree(tmp_path) as tree, pytest.raises(UnknownFormat, match="give each by itself"):
        detect(tree)


def test_files_left_out_of_the_tree_are_named_skips(tmp_path: Path):
    with open_tree(write_zip(tmp_path / "a.zip", SLACK | {"__MACOSX/._x": b"x", "../x": b"x"})) as tree:
        drafted = list(extract(tree, detect(tree), ImportOptions()))
    skips = {(item.file, item.draft.reason) for item in drafted if isinstance(item.draft, Skipped)}
    assert skips == {("__MACOSX/._x", "copied metadata file"), ("../x", "name leads outside the archive")}
    assert sum(isinstance(item.draft, RecordDraft) for item in drafted) == 1


ORDINARY = {
    "page.html": b"<p>Good morning</p>\n<ul>\n<li><b>10:00</b> stand-up</li>\n</ul>\n",
    "fragment.html": b"<p>26.06.2014, 14:41, Bo &lt;bo@k.example&gt; wrote:</p><blockquote>Hi</blockquote>\n",
    "catalog.xml": b'<?xml version="1.0"?>\n<catalog><system id="a" uri="b"/></catalog>\n',
    "package.json": b'{"name": "heron", "version": "1.0.0", "scripts": {"test": "x"}, "author": "Ina"}',
    "hooks.json": b'{"hooks": [{"event": {"type": "push"}, "number": 3, "title": {"text": "x"}}]}',
    "rows.jsonl": b'{"level": "info", "message": "started", "when": 1}\n{"level": "warn", "message": "slow"}\n',
    "prices.csv": b"sku,price\n1,2.50\n2,3.50\n",
    "server.log": b"2024-03-04 10:00:00 INFO started\n2024-03-04 10:00:01 WARN slow\n",
    "access.log": b'10.0.0.1 - - [04/Mar/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 5\n',
    "main.py": b'"""From here on."""\n\nFrom: str = "x"\n\nprint("a")\n',
    "settings.ini": b"[mail]\nFrom: a@k.example\nTo: b@k.example\n",
    "agenda.yaml": b"Subject: x\nDate: 2024-03-04\nitems:\n  - 10:00 stand-up\n",
    "words.po": b'msgid "From"\nmsgstr "Von"\n',
    "nothing.txt": b"",
    "zeros.bin": bytes(300),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_files_are_no_export(tmp_path: Path, name: str):
    with open_tree(write_folder(tmp_path, {name: ORDINARY[name]})) as tree:
        assert {importer.name for importer in IMPORTERS if importer.recognizes(tree)} <= {"documents-folder"}


def test_what_lies_in_json_at_the_place_of_a_word_may_be_anything(tmp_path: Path):
    odd: tuple[object, ...] = ({}, [], {"a": []}, None, 1.5, True, "")
    names = ("event", "type", "title", "number", "body", "id", "kind", "state", "ts", "messages", "channel", "version")
    files = {f"{n}.json": [dict.fromkeys(names, value), {"nodes": [{name: value} for name in names]}]
             for n, value in enumerate(odd)}  # fmt: skip
    with open_tree(write_folder(tmp_path, files)) as tree:
        assert not [importer.name for importer in IMPORTERS if importer.recognizes(tree)]


def test_a_file_that_is_damaged_from_its_beginning_on_is_said_to_be_and_not_to_be_of_no_format(tmp_path: Path):
    path = write_zip(tmp_path / "a.zip", {"talk.txt": "[04.03.24, 10:00:05] Ina: hi\n" * 500, "x.jpg": "x"})
    content = bytearray(path.read_bytes())
    content[42] ^= 0xFF  # of what is compressed
    path.write_bytes(content)
    with open_tree(path) as tree, pytest.raises(UnreadableInput, match=r"talk\.txt cannot be read beyond byte 0"):
        detect(tree)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_json_as_powershell_writes_it_is_read_like_any_other(tmp_path: Path, encoding: str):
    row = {
        "id": "1",
        "sent_at": "2024-03-04T10:00:00Z",
        "author": "ina",
        "channel": "ops",
        "text": "caf\u00e9 \U0001f525",
    }
    text = "".join(f"{json.dumps(row | {'id': str(n)}, ensure_ascii=False)}\r\n" for n in range(3_000))
    with open_tree(write_folder(tmp_path, {"a.jsonl": f"\ufeff{text}".encode(encoding)})) as tree:
        drafted = list(extract(tree, detect(tree), ImportOptions()))
    records = [item.draft for item in drafted if isinstance(item.draft, RecordDraft)]
    assert len(records) == 3_000
    assert {record.text for record in records} == {"caf\u00e9 \U0001f525"}
