"""The text of attached files."""

import io
import sys
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from tests.unit.importers.attached_files import docx, paragraph, pdf
from tests.unit.importers.outcome import mutations
from treering.importers import attached_docx, attached_text
from treering.importers.attached_text import AttachedText, text_of

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def reason(name: str, content: bytes) -> str:
    found = text_of(name, "", content)
    assert found is not None
    assert found.text == ""
    return found.reason


def text(name: str, content: bytes, mime: str = "") -> str:
    found = text_of(name, mime, content)
    assert found is not None
    assert found.reason == ""
    return found.text


@pytest.mark.parametrize(
    "content",
    ["Größe".encode(), b"\xef\xbb\xbf" + "Größe".encode(), "Größe".encode("utf-16"), "Größe".encode("cp1252")],
)
def test_plain_text_is_read_in_the_encodings_people_use(content: bytes):
    assert text("notes.txt", content) == "Größe"


def test_markdown_and_code_are_kept_to_the_letter():
    content = "# Plan\r\n\r\n```\n a  b\n```\n"
    assert text("PLAN.MD", content.encode()) == content
    assert text("x", content.encode(), "text/x-python") == content


@pytest.mark.parametrize(("name", "mime"), [("a.png", "image/png"), ("a.html", "text/html"), ("a.xlsx", ""), ("a", "")])
def test_other_kinds_of_files_have_no_text(name: str, mime: str):
    assert text_of(name, mime, b"hello") is None


def test_a_file_that_is_only_named_as_text_says_so():
    assert reason("core.log", bytes(range(32)) * 40) == "file named as text that is none"
    assert reason("empty.txt", b" \n") == "file without text"


def test_a_pdf_gives_the_text_of_its_pages():
    assert text("plan.pdf", pdf("Budget 2024", "Page two")) == "Budget 2024\n\nPage two"
    assert text("download", pdf("Budget"), "application/pdf") == "Budget"


def test_a_pdf_that_is_encrypted_is_refused_and_one_that_is_only_locked_against_changes_is_read():
    for password, expected in (("secret", ""), ("", "Budget")):
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Budget"))))
        writer.encrypt(password, "owner", algorithm="RC4-128")
        out = io.BytesIO()
        writer.write(out)
        found = text_of("plan.pdf", "", out.getvalue())
        assert found == AttachedText(expected, "" if expected else "PDF that is encrypted")


def test_without_the_extra_a_pdf_has_a_named_reason(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert reason("plan.pdf", pdf("Budget")) == "text of PDF needs the extra documents"


def test_limits_hold_for_bytes_pages_and_characters(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attached_text, "PAGES_MAX", 2)
    monkeypatch.setattr(attached_text, "CHARS_MAX", 20)
    assert reason("plan.pdf", pdf("a", "b", "c")) == "PDF of more than 2 pages"
    assert reason("plan.pdf", pdf("x" * 30)) == "text of more than 20 characters"
    assert reason("plan.txt", b"x" * 30) == "text of more than 20 characters"
    assert reason("plan.docx", docx(paragraph("x" * 30))) == "text of more than 20 characters"
    monkeypatch.setattr(attached_text, "BYTES_MAX", 10)
    assert reason("plan.txt", b"x" * 11) == "file of more than 0 MiB"


@pytest.mark.parametrize(("unpacked", "limit"), [(120 << 20, 16 << 20), (2_000, 1_000)])
def test_a_pdf_that_unpacks_like_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch, unpacked: int, limit: int):
    monkeypatch.setattr(attached_text, "DRAWN_BYTES_MAX", limit)
    bomb = pdf("", packed=zlib.compress(b"q Q " * (unpacked // 4), 9))
    assert reason("plan.pdf", bomb) == "PDF that unpacks to more than any document does"


def test_a_docx_gives_headings_paragraphs_lists_tables_and_notes():
    table = (
        f"<w:tbl><w:tr><w:tc>{paragraph('Who')}</w:tc><w:tc>{paragraph('What')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{paragraph('Ina')}{paragraph('Bo')}</w:tc><w:tc>{paragraph('ships')}</w:tc></w:tr></w:tbl>"
    )
    item = "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>"
    run = "<w:p><w:r><w:t>a</w:t><w:tab/><w:t xml:space='preserve'> b</w:t><w:br/><w:t>c</w:t></w:r></w:p>"
    content = docx(
        paragraph("Plan", "Title") + paragraph("Scope", "Heading2") + run + item + table,
        footnotes=paragraph("see RB-12"),
    )
    assert text("plan.docx", content) == "# Plan\n## Scope\na\t b\nc\n- one\nWho | What\nIna Bo | ships\n\nsee RB-12"
    assert text("x", content, DOCX).startswith("# Plan")


def test_what_was_deleted_under_track_changes_and_the_second_copy_of_text_boxes_stay_out():
    box = f"<mc:AlternateContent><mc:Choice>{paragraph('box')}</mc:Choice><mc:Fallback>{paragraph('box')}</mc:Fallback>"
    changed = "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>"
    assert text("plan.docx", docx(f"{changed}{box}</mc:AlternateContent>")) == "new\nbox"


def test_a_docx_that_is_damaged_a_bomb_or_declares_entities_is_refused(monkeypatch: pytest.MonkeyPatch):
    assert reason("plan.docx", b"PK\x03\x04 and no more") == "DOCX that cannot be read"
    assert reason("plan.docx", b"%PDX") == "DOCX that cannot be read"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    assert reason("plan.docx", out.getvalue()) == "DOCX that cannot be read"
    monkeypatch.setattr(attached_docx, "PART_BYTES_MAX", 1_000)
    assert reason("plan.docx", docx(paragraph("x" * 2_000))) == "DOCX that unpacks to more than any document does"


@given(st.binary(max_size=300), st.sampled_from(["a.txt", "a.pdf", "a.docx", "a.png"]))
def test_whatever_a_file_contains_there_is_a_text_a_reason_or_nothing(content: bytes, name: str):
    found = text_of(name, "", content)
    assert found is None or bool(found.text.strip()) != bool(found.reason)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.pdf", pdf("Budget 2024", "two")), ("a.docx", docx(paragraph("Plan", "Title") + paragraph("x" * 500)))],
)
def test_a_damaged_file_never_crashes(name: str, content: bytes):
    for damaged in mutations(content, count=200, seed=3):
        found = text_of(name, "", damaged)
        assert found is not None
