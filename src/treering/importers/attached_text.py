"""The text of attached files: plain text and Markdown, PDF and DOCX; of anything else there is none to be had.

Whatever a file contains, reading it ends in a text or in a reason, never in a crash: sizes, pages and characters are
bounded, and a container that unpacks to more than any document does is not unpacked. Images are not looked into, so a
scanned PDF has no text. PDF needs `pypdf`, which comes with the extra `documents`; DOCX is read in `attached_docx`.
"""

import codecs
import io
import logging
import re
import struct
import zlib
from dataclasses import dataclass

from treering.importers.attached_docx import NotDocx, docx_text
from treering.importers.narrowing import clean

__all__ = ["BYTES_MAX", "AttachedText", "may_have_text", "text_of"]

BYTES_MAX = 32 << 20  # of a file; handbooks of 500 pages with pictures stay below
CHARS_MAX = 2_000_000  # of a text; the Bible has 4,000,000: what is longer is data
PAGES_MAX = 2_000
DRAWN_BYTES_MAX = 16 << 20  # of what draws the pages; each MiB takes up to a second to be read

NEEDS_EXTRA = "text of PDF needs the extra documents"
TOO_LARGE = "PDF that unpacks to more than any document does"

_TEXT_NAME = re.compile(
    r".+\.(txt|text|md|markdown|mdx|rst|adoc|asciidoc|org|tex|log|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|properties|"
    r"sql|py|js|jsx|ts|tsx|java|kt|go|rs|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|ps1|bat|diff|patch|tf|gradle)",
    re.IGNORECASE,
)
_TEXT_TYPE = re.compile(
    r"text/(?!html|rtf|calendar|vcard)|application/(json|yaml|x-yaml|toml|sql|x-sh)\b", re.IGNORECASE
)
_DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_CONTROLS = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f]")

# All that pypdf was seen to raise on damaged files besides its own errors.
_PDF_BREAKS = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, NotImplementedError, OSError,
    RecursionError, TypeError, ValueError, struct.error, zlib.error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AttachedText:
    """The text of a file, or the reason why it could not be had."""

    text: str
    reason: str = ""  # "" where there is a text


def may_have_text(name: str, mime: str = "") -> bool:
    """Whether a file's name or type promises text; so that pictures need not be opened."""
    return bool(_TEXT_NAME.fullmatch(name) or _TEXT_TYPE.match(mime)) or _is_pdf(name, mime) or _is_docx(name, mime)


def text_of(name: str, mime: str, content: bytes) -> AttachedText | None:
    """The text of a file; None if it is of a kind that has none.

    Args:
        name: the file's name, of which the ending counts.
        mime: its MIME type, "" where it is not known; the content decides between the two.
        content: at most `BYTES_MAX` and one byte more; what is longer is refused.

    >>> text_of("plan.md", "", b"# Plan"), text_of("plan.png", "image/png", b"...")
    (AttachedText(text='# Plan', reason=''), None)
    """
    if not may_have_text(name, mime):
        return None
    if len(content) > BYTES_MAX:
        return AttachedText("", f"file of more than {BYTES_MAX >> 20} MiB")
    if b"%PDF-" in content[:1024]:
        found = _pdf_text(content)
    elif _is_pdf(name, mime):
        return AttachedText("", "PDF that cannot be read")
    elif content.startswith(b"PK\x03\x04") and _is_docx(name, mime):
        found = _docx_text(content)
    elif _is_docx(name, mime):
        return AttachedText("", "DOCX that cannot be read")
    else:
        found = _plain_text(content)
    if len(found.text) > CHARS_MAX:
        return AttachedText("", f"text of more than {CHARS_MAX:,} characters")
    return found if found.reason or found.text.strip() else AttachedText("", "file without text")


def _is_pdf(name: str, mime: str) -> bool:
    return name.lower().endswith(".pdf") or mime.lower() == "application/pdf"


def _is_docx(name: str, mime: str) -> bool:
    return name.lower().endswith(".docx") or mime.lower() == _DOCX_TYPE


def _plain_text(content: bytes) -> AttachedText:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return AttachedText(clean(content.decode(encoding, "replace")))
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if len(_CONTROLS.findall(text[:4096])) * 50 > len(text[:4096]):
        return AttachedText("", "file named as text that is none")
    return AttachedText(clean(text))


def _docx_text(content: bytes) -> AttachedText:
    try:
        return AttachedText(clean(docx_text(content, CHARS_MAX)))
    except NotDocx as error:
        return AttachedText("", str(error))


def _pdf_text(content: bytes) -> AttachedText:
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, DeprecationError, LimitReachedError, PyPdfError
    except ImportError:
        return AttachedText("", NEEDS_EXTRA)
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it remarks on every flaw that it mends
    pages = []
    length = drawn = 0
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):  # many are, and only against being changed
            return AttachedText("", "PDF that is encrypted")
        if len(reader.pages) > PAGES_MAX:
            return AttachedText("", f"PDF of more than {PAGES_MAX:,} pages")
        for page in reader.pages:
            contents = page.get_contents()
            drawn += 0 if contents is None else len(contents.get_data())  # an empty dictionary is false
            if drawn > DRAWN_BYTES_MAX:
                return AttachedText("", TOO_LARGE)
            pages.append(page.extract_text())
            length += len(pages[-1])
            if length > CHARS_MAX:
                break
    except DependencyError:
        return AttachedText("", "PDF that is encrypted")  # with AES, for which pypdf needs another package
    except LimitReachedError:
        return AttachedText("", TOO_LARGE)
    except (PyPdfError, DeprecationError, *_PDF_BREAKS):
        return AttachedText("", "PDF that cannot be read")
    return AttachedText(clean("\n\n".join(page.strip() for page in pages if page.strip())))
