"""Texts of the files that a Slack export carries with it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.unit.importers.attached_files import docx, paragraph, pdf
from tests.unit.importers.exports import INA, OPS, import_messages, message, write_folder, write_zip
from tests.unit.importers.outcome import Outcome
from tests.unit.importers.slackdump_files import Database
from treering.importers.slack import SlackExport
from treering.importers.slackdump_archive import SlackdumpArchive
from treering.model.drafts import Change, RecordDraft, RecordKind

FIRST = "C0OPS/1709546400.000100"
PLAN = {"id": "F0PLAN1", "name": "plan.md", "title": "The plan", "mimetype": "text/plain", "size": 9, "user": "U0BOS"}


def read(root: Path, files: dict[str, object], *messages: object) -> Outcome:
    lists = {"users.json": [INA], "channels.json": [OPS], "ops/2024-03-04.json": list(messages)}
    return Outcome(SlackExport(), write_folder(root, lists | files))


@pytest.mark.parametrize(
    "place", ["__uploads/F0PLAN1/plan.md", "ops/attachments/F0PLAN1-plan.md", "C0OPS123/F0PLAN1-plan.md"]
)
def test_the_text_of_a_file_is_a_document_in_the_place_of_its_message(tmp_path: Path, place: str):
    said = message(text="see the plan", files=[PLAN], thread_ts="1709546000.000000")
    found = read(tmp_path, {place: b"# Plan RB-12"}, said)
    carrier, document = found.records
    assert document == RecordDraft(
        kind=RecordKind.DOCUMENT,
        source_id=f"{FIRST}#F0PLAN1",
        channel="C0OPS",
        author="U0INA",
        valid_from=datetime(2024, 3, 4, 10, 0, 0, 100, tzinfo=UTC),
        valid_from_raw="1709546400.000100",
        text="# Plan RB-12",
        title="The plan",
        reply_to=carrier.lineage,
        thread="C0OPS/1709546000.000000",
        id_is_final=True,
    )
    assert not found.skipped


def test_pdf_and_docx_are_read_and_what_has_no_text_says_why(tmp_path: Path):
    names = {"F0AAAA1": "a.pdf", "F0BBBB1": "b.docx", "F0CCCC1": "c.png", "F0DDDD1": "d.pdf", "F0EEEE1": "e.txt"}
    contents = [pdf("Budget"), docx(paragraph("Scope")), b"\x89PNG", b"%PDF-1.4 broken", b"alone"]
    files: dict[str, object] = {
        f"__uploads/{id_}/{name}": content for (id_, name), content in zip(names.items(), contents, strict=True)
    }
    carried = [{"id": id_, "name": name} for id_, name in names.items() if id_ != "F0EEEE1"]
    found = read(tmp_path, files, message(files=carried))
    assert [record.text for record in found.records if record.kind is RecordKind.DOCUMENT] == ["Budget", "Scope"]
    assert found.skipped == {"uploaded file": 2, "PDF that cannot be read": 1}


def test_a_file_that_was_shared_twice_is_a_document_in_each_place(tmp_path: Path):
    shared = message("1709546500.000000", files=[PLAN], user="U0BOS")
    found = read(tmp_path, {"__uploads/F0PLAN1/plan.md": b"x"}, message(files=[PLAN]), shared)
    documents = [record for record in found.records if record.kind is RecordKind.DOCUMENT]
    assert [(record.lineage or record.source_id, record.author) for record in documents] == [
        (f"{FIRST}#F0PLAN1", "U0INA"),
        ("C0OPS/1709546500.000000#F0PLAN1", "U0BOS"),
    ]


def test_the_text_goes_with_its_message_when_that_is_deleted(tmp_path: Path):
    log = {
        "type": "message",
        "subtype": "message_deleted",
        "ts": "1709560000.000002",
        "deleted_ts": "1709546400.000100",
    }
    found = read(tmp_path, {"__uploads/F0PLAN1/plan.md": b"x"}, log | {"previous_message": message(files=[PLAN])})
    *_, document, deletion = found.records
    assert (document.text, document.change) == ("x", Change.NEW)
    assert (deletion.text, deletion.change, deletion.source_id) == ("", Change.DELETE, document.source_id)
    assert deletion.valid_from == datetime(2024, 3, 4, 13, 46, 40, 2, tzinfo=UTC)


def test_an_edited_message_has_the_same_document_as_before(tmp_path: Path):
    edited = message(files=[PLAN], edited={"user": "U0INA", "ts": "1709550000.000000"})
    files: dict[str, object] = {"__uploads/F0PLAN1/plan.md": b"x"}
    before = read(tmp_path / "a", files, message(files=[PLAN])).records[-1]
    assert read(tmp_path / "b", files, edited).records[-1] == before


def test_a_file_that_the_export_does_not_carry_is_only_named(tmp_path: Path):
    found = import_messages(tmp_path, message(files=[PLAN]))
    (record,) = found.records
    assert [attachment.name for attachment in record.attachments] == ["plan.md"]


def test_tokens_are_stripped_from_attached_texts_too(tmp_path: Path):
    found = read(tmp_path, {"__uploads/F0PLAN1/plan.md": b"key xoxb-12-ab"}, message(files=[PLAN]))
    assert found.records[-1].text == "key [token removed]"


def test_a_damaged_upload_within_a_zip_loses_nothing_but_itself(tmp_path: Path):
    files = {
        "users.json": [INA],
        "ops/2024-03-04.json": [message(files=[PLAN])],
        "__uploads/F0PLAN1/plan.md": b"Q" * 999,
    }
    path = write_zip(tmp_path / "a.zip", files)
    content = bytearray(path.read_bytes())
    place = content.index(b"__uploads/F0PLAN1/plan.md") + len("__uploads/F0PLAN1/plan.md")
    content[place : place + 6] = b"\xff" * 6
    path.write_bytes(content)
    found = Outcome(SlackExport(), path)
    assert found.texts == ["hello"]
    assert found.skipped == {"uploaded file that cannot be read": 1}


def test_an_archive_of_slackdump_gives_the_documents_too(tmp_path: Path):
    database = Database(tmp_path / "a" / "slackdump.sqlite")
    database.messages("C0OPS", message(files=[PLAN]))
    database.run()
    database.messages("C0OPS", message(files=[PLAN]))
    write_folder(tmp_path / "a", {"__uploads/F0PLAN1/plan.md": b"# Plan"})
    found = Outcome(SlackdumpArchive(), tmp_path / "a")
    assert found.texts == ["hello", "# Plan"]
    assert found.skipped == {"copy of a message, from another run": 1}
