"""Documents that broke other tools, and imports that are large, interrupted or out of order: B42 to B46, B51."""

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from tests.generated import slack_export
from tests.unit.importers.exports import BOS, INA, OPS, Imported, message, write_folder
from tests.unit.importers.outcome import Outcome
from treering import Memory
from treering.errors import UnreadableInput
from treering.importers import archives
from treering.importers.confluence import ConfluenceStorage
from treering.importers.document_folder import DocumentFolder
from treering.importers.json_stream import stream_items
from treering.importers.tree import open_tree

DAY = "ops/2024-03-04.json"
BASIC: dict[str, object] = {"users.json": [INA, BOS], "channels.json": [OPS]}


def test_b42_a_title_with_a_colon_is_whole_and_a_value_stays_what_is_written(tmp_path: Path):
    head = "---\ntitle: ADR-0007: Keep the queue #2\ndate: 2024-03-04\nversion: 1.10\ntags: [no, ops]\n---\n"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(head + "We keep it.\n")
    (record,) = Outcome(DocumentFolder(), tmp_path / "docs").records
    assert record.title == "ADR-0007: Keep the queue #2"
    assert record.text == head + "We keep it.\n"
    assert "no" in record.tags
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(tmp_path / "docs", embed=False)
        for question in ("ADR-0007", "keep the queue"):
            assert [item.title for item in memory.search(question, profile="bm25")] == [record.title]


def test_b43_code_of_a_page_is_kept_to_the_letter_and_people_are_their_accounts(tmp_path: Path):
    code = "if a &lt; b:\n    return True"
    page = (
        "<p>Run&nbsp;this:</p>"
        '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">python</ac:parameter>'
        f"<ac:plain-text-body><![CDATA[{code}]]></ac:plain-text-body></ac:structured-macro>"
        '<p><ac:link><ri:user ri:account-id="712020:aa"/></ac:link> owns it</p>'
    )
    path = tmp_path / "page.xml"
    path.write_text(page)
    (record,) = Outcome(ConfluenceStorage(), path).records
    assert f"```python\n{code}\n```" in record.text
    assert "True" in record.text
    assert "pythontrue" not in record.text.casefold()
    assert record.mentions == ("712020:aa",)


class Endless(io.RawIOBase):
    """A day file that is made while it is read."""

    def __init__(self, count: int) -> None:
        self._left, self._ready = count, b"["
        self._one = json.dumps(message(text="word " * 40)).encode() + b","

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while len(self._ready) < size and self._left:
            self._ready += self._one
            self._left -= 1
        given, self._ready = self._ready[:size], self._ready[size:]
        return given


def test_b45_an_array_of_any_length_is_read_in_the_same_memory():
    def peak(count: int) -> int:
        tracemalloc.start()
        elements = cast(BinaryIO, Endless(count))
        assert sum(1 for _ in stream_items(elements)) >= count
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    assert peak(20_000) < 1.5 * peak(5_000)  # the whole process is measured in tests/soak/test_size


def test_b45_a_file_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archives, "RATIO_FREE_BYTES", 1 << 20)  # a real bomb would take its time
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b" " * (8 << 20), 9))
    with open_tree(path) as tree, tree.open("bomb.json") as file, pytest.raises(UnreadableInput):
        file.read()


class Interrupted(Exception):
    """Ends an import from within, as a person would who loses patience."""


def test_b46_an_import_that_breaks_off_goes_on_and_ends_as_if_it_had_not(tmp_path: Path):
    export = slack_export(tmp_path / "export.zip", 2_500)

    def impatient(what: str, done: int, total: int) -> None:
        if what.startswith("reading"):
            raise Interrupted

    with Memory.open(tmp_path / "whole.treering") as memory:
        assert memory.add(export, embed=False).total.kept == 2_500
        hashes = memory.hashes()
    with Memory.open(tmp_path / "broken.treering", progress=impatient) as memory, pytest.raises(Interrupted):
        memory.add(export, embed=False)
    with Memory.open(tmp_path / "broken.treering") as memory:
        total = memory.add(export, embed=False).total
        assert total.unchanged > 0  # what was committed stayed
        assert total.kept + total.unchanged == 2_500
        again = memory.hashes()
        assert (again["root"], again["forest"]) == (hashes["root"], hashes["forest"])
        assert memory.add(export, embed=False).total.kept == 0


def test_b46_an_export_that_overlaps_an_earlier_one_adds_what_is_new(tmp_path: Path):
    said = [message(f"{1_709_546_400 + n}.000000", text=f"word {n}") for n in range(6)]
    early = write_folder(tmp_path / "early", BASIC | {DAY: said[:4]})
    late = write_folder(tmp_path / "late", BASIC | {DAY: said[2:]})
    whole = write_folder(tmp_path / "whole", BASIC | {DAY: said})
    roots = []
    for number, paths in enumerate(([early, late], [late, early], [whole])):
        with Memory.open(tmp_path / f"{number}.treering") as memory:
            assert sum(memory.add(path, embed=False).total.kept for path in paths) == 6
            roots.append(memory.hashes()["root"])
    assert len(set(roots)) == 1


def test_b51_messages_of_one_second_keep_the_order_of_their_source_and_their_own_time(tmp_path: Path):
    lines = [
        {"id": f"{ident}", "sent_at": "2024-03-04T10:00:00Z", "author": "Ana", "channel": "ops", "text": text}
        for ident, text in (("zz", "question?"), ("mm", "answer"), ("aa", "thanks"))
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(one | {"channel_kind": "public"}) + "\n" for one in lines))
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(path, embed=False)
        records = [memory.record(ident) for ident in ("zz", "mm", "aa")]
        assert len({record.valid_from for record in records}) == 1
        assert [record.order_hint for record in records] == sorted(record.order_hint for record in records)
        outline = str(memory.tree("channel:ops", depth=9))
    said = Imported(write_folder(tmp_path / "slack", BASIC | {DAY: [message(text=text) for text in ("one", "two")]}))
    assert {record.valid_from_raw for record in said.records} == {"1709546400.000100"}
    assert "question" in outline
