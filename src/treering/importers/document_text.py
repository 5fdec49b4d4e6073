"""Which files are text documents, and their bytes as text: UTF-8, UTF-16 with a mark, else what Windows wrote.

Line ends become those of Unix, as git and mail change them on the way; all else stays as it is written. Nothing is
replaced in silence: what was not UTF-8 says so.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass

from treering.importers.narrowing import clean

__all__ = ["BARE_NAMES", "ENDINGS", "DocumentText", "decode", "is_document", "without_ending"]

# In order of precedence, where two files differ in nothing else.
ENDINGS = (
    *(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".rst", ".rest"),
    *(".adoc", ".asciidoc", ".org", ".txt", ".text"),
)
BARE_NAMES = (
    *("README", "CHANGELOG", "CHANGES", "NEWS", "HISTORY", "CONTRIBUTING", "GOVERNANCE", "CHARTER", "SECURITY"),
    *("SUPPORT", "MAINTAINERS", "AUTHORS", "CONTRIBUTORS", "INSTALL", "NOTICE", "LICENSE", "COPYING", "TODO"),
)
BINARY_HEAD_BYTES = 8_000  # git calls a file binary, too, when there is a NUL in these


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document, and what had to be assumed to read it, to be told as tags: "read as cp1252"."""

    text: str
    notes: tuple[str, ...] = ()


def is_document(name: str) -> bool:
    """Whether a file of this name holds a text meant to be read.

    >>> is_document("docs/Plan.MD"), is_document("README"), is_document("plan.pdf")
    (True, True, False)
    """
    base = name.rpartition("/")[2]
    return base.lower().endswith(ENDINGS) or base.upper() in BARE_NAMES


def without_ending(name: str) -> str:
    """A file's name without the ending that tells how it is written.

    >>> without_ending("adr/0007-queue.md"), without_ending("v1.2/README")
    ('adr/0007-queue', 'v1.2/README')
    """
    ending = next((ending for ending in ENDINGS if name.lower().endswith(ending)), "")
    stem = name[: len(name) - len(ending)]
    return stem if stem.rpartition("/")[2] else name


def decode(content: bytes) -> DocumentText | None:
    r"""The text that the bytes of a document spell; None where they spell none, because the file is binary.

    Raises:
        UnicodeDecodeError: it says to be UTF-16, and is not.

    >>> decode(b"caf\xe9\r\n")
    DocumentText(text='café\n', notes=('read as cp1252',))
    """
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _document(content, "utf-16")
    if b"\0" in content[:BINARY_HEAD_BYTES]:
        return None
    try:
        return _document(content, "utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return _document(content, "cp1252", "read as cp1252")
    except UnicodeDecodeError:  # five bytes mean nothing there; in Latin-1 every byte means something
        return _document(content, "latin-1", "read as latin-1")


def _document(content: bytes, encoding: str, *notes: str) -> DocumentText:
    return DocumentText(clean(content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")), notes)
