"""A folder of text documents: Markdown, reStructuredText, AsciiDoc, plain text; wikis, policies, decision records.

A document is known by its path without the ending; two folders in which the same paths mean different things want a
`--source` each. Its date is the one it bears (`document_head`), else the day in its name, else the time at which the
file was changed; a document without any of these, as in an archive, holds since always (`UNDATED`). `valid_from_raw`
says which. A folder keeps no earlier versions: importing it again after changes adds them. Follows FORMATS section 14.
"""

import hashlib
import re
from collections.abc import Iterator

from treering.errors import UnreadableInput
from treering.importers.document_dates import UNDATED, date_in_name
from treering.importers.document_drafts import UNKNOWN, Introductions, retired
from treering.importers.document_reading import read_document
from treering.importers.document_text import ENDINGS, DocumentText, decode, is_document, without_ending
from treering.importers.moments import Moment
from treering.importers.narrowing import distinct, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree
from treering.model.drafts import Draft, Drafted, RecordDraft, RecordKind, Skipped

__all__ = ["DOCUMENT_BYTES_MAX", "DocumentFolder"]

DOCUMENT_BYTES_MAX = 32 << 20
HEAD_BYTES = 8_000
FILES_TRIED = 20  # that may be binary before a tree counts as no folder of documents

_TOOLS = re.compile(r"(?:^|/)(?:\.[^/]+|node_modules|__pycache__|site-packages)/")
_COMPANY = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|ico|pdf|mp4|mov|webm|css|woff2?|ya?ml|toml|drawio)$", re.I)
_ARCHIVE = re.compile(r"(?:\.tar)?\.(?:zip|tgz|tar|gz)$", re.I)


class DocumentFolder:
    """Text documents in folders."""

    name = "documents-folder"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether at least half of the files, pictures and the like aside, are documents, and one reads as text."""
        names = [name for name in tree.names() if not _TOOLS.search(name) and not _COMPANY.search(name)]
        documents = [name for name in names if is_document(name)]
        return 2 * len(documents) >= len(names) and any(_is_text(tree, name) for name in documents[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: a folder does not say which organization it is of; `--source` does."""
        return "folder"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every document of the tree, and its retirement where it states the day."""
        lineages = _lineages(tree)
        introductions = Introductions(options.visibility)
        for name in tree.names():
            if _TOOLS.search(name):
                yield Drafted(name, Skipped("in a folder of tools", name))
            elif name not in lineages:
                yield Drafted(name, Skipped("not a text document", name))
            else:
                yield from _drafted(tree, name, lineages[name], introductions)


def _drafted(tree: FileTree, name: str, lineage: str, introductions: Introductions) -> Iterator[Drafted]:
    try:
        with tree.open(name) as file:
            content = file.read(DOCUMENT_BYTES_MAX + 1)
        document = decode(content)
    except (UnreadableInput, UnicodeDecodeError) as error:
        yield kept_aside(name, "the whole file", str(error))
        return
    if len(content) > DOCUMENT_BYTES_MAX:
        yield kept_aside(name, "the whole file", f"longer than {DOCUMENT_BYTES_MAX:,} bytes")
    elif document is None:
        yield Drafted(name, Skipped("binary file", name))
    elif not document.text.strip():
        yield Drafted(name, Skipped("empty file", name))
    else:
        for draft in _drafts(tree, name, lineage, document, introductions):
            yield Drafted(name, draft)


def _drafts(
    tree: FileTree, name: str, lineage: str, document: DocumentText, introductions: Introductions
) -> Iterator[Draft]:
    """The drafts of one document: whoever and whatever is new with it, the version, and its end."""
    reading = read_document(name, document.text, _place(tree))
    own = reading.dated or _from_name(name)
    dated = own or _from_file(tree, name)
    digest = hashlib.sha256(document.text.encode()).hexdigest()[:8]
    version = RecordDraft(
        source_id=f"{lineage}@{own.at.date()}-{digest}" if own else f"{lineage}@{digest}",
        lineage=lineage,
        channel=_channel(tree, name),
        author=next(iter(reading.authors), UNKNOWN),
        valid_from=dated.at,
        valid_from_raw=dated.raw,
        title=reading.title,
        text=document.text,
        kind=RecordKind.DOCUMENT,
        mentions=distinct([*reading.authors[1:], *reading.deciders]),
        tags=(*reading.tags, *document.notes),
        links=reading.links,
        refs=distinct([path for path in map(without_ending, reading.paths) if path != lineage]),
        id_is_final=True,  # it holds the hash of the text: a copied file of another age is no other version
    )
    yield from introductions.before(version)
    yield version
    if reading.retired:
        yield retired(version, reading.retired)


def _from_name(name: str) -> Moment | None:
    found = date_in_name(name)
    return Moment(found.at, f"{found.raw} (file name)") if found else None


def _from_file(tree: FileTree, name: str) -> Moment:
    changed_at = tree.modified_at(name)
    if changed_at is None:
        return Moment(UNDATED, "undated")
    return Moment(changed_at, f"file modified {changed_at.isoformat(timespec='seconds')}")


def _channel(tree: FileTree, name: str) -> str:
    folder = name.rpartition("/")[0]
    if folder:
        return folder
    return _place(tree) if tree.label != name else "documents"  # a lone file is in no folder


def _place(tree: FileTree) -> str:
    return _ARCHIVE.sub("", tree.label)


def _lineages(tree: FileTree) -> dict[str, str]:
    """The documents of a tree with what each is known by; of two that differ in their ending, one keeps it."""
    names = [name for name in tree.names() if is_document(name) and not _TOOLS.search(name)]
    lineages: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names, key=_precedence):
        stem = without_ending(name)
        lineages[name] = name if stem in taken else stem
        taken.add(stem)
    return lineages


def _precedence(name: str) -> int:
    endings = (place for place, ending in enumerate(ENDINGS) if name.lower().endswith(ending))
    return next(endings, len(ENDINGS))


def _is_text(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            return decode(file.read(HEAD_BYTES)) is not None
    except (UnreadableInput, UnicodeDecodeError):
        return False
