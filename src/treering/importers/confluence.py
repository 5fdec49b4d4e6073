"""The importers of Confluence pages as files in storage format, and as answers of its REST interface.

What a page says is read in `confluence_storage`; exports of whole spaces as XML are read in `confluence_space`. A file
in storage format is known by the page id in its leading comment or, as the format has nothing else, by its path; it
bears no date but that of the file. Follows FORMATS section 14.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from treering.errors import UnreadableInput
from treering.importers.confluence_drafts import Spaces, drafts_of
from treering.importers.confluence_inline import PageText
from treering.importers.confluence_json import JsonContents, contents_in, host_of, reason_to_skip
from treering.importers.confluence_storage import read_storage
from treering.importers.document_dates import UNDATED
from treering.importers.document_drafts import UNKNOWN, Introductions
from treering.importers.json_fields import raw_of, record_at, text_at
from treering.importers.json_stream import Broken
from treering.importers.json_values import json_files, stream_values
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, distinct, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.tracker import fingerprint
from treering.importers.tree import FileTree
from treering.model.drafts import Attachment, Drafted, RecordDraft, RecordKind, Skipped

__all__ = ["ConfluenceJson", "ConfluenceStorage"]

HEAD_BYTES: Final = 1 << 16
PAGE_BYTES_MAX: Final = 32 << 20
FILES_TRIED: Final = 200  # files, before a tree is held to be of another format
VALUES_TRIED: Final = 3

_PAGE: Final = re.compile(r"\.(?:xml|xhtml|html?|storage|confluence)$", re.IGNORECASE)
_COMPANY: Final = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|pdf|docx?|xlsx?|pptx?|drawio|puml|mmd|css)$", re.IGNORECASE)
_MARK: Final = re.compile(rb"<(?:ac|ri):[a-z-]+[\s/>]")
_STATED: Final = re.compile(r"<!--\s*(?:confluence-)?(page-id|space-key|title):\s*(.+?)\s*-->")
_HEADING: Final = re.compile(r"^# (.+)$", re.MULTILINE)


class ConfluenceStorage:
    """Reads files in storage format, one page each."""

    name = "confluence-storage"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether most files, pictures and the like aside, are pages, and one has macros or links of Confluence's."""
        names = [name for name in tree.names() if not _COMPANY.search(name)]
        pages = [name for name in names if _PAGE.search(name)]
        return 2 * len(pages) > len(names) and any(_is_page(tree, name) for name in pages[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: pages do not say which site they are of; `--source` does."""
        return "confluence"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Every page."""
        introductions = Introductions(options.visibility)
        for name in tree.names():
            if not _PAGE.search(name):
                yield Drafted(name, Skipped("not a page", name))
                continue
            try:
                with tree.open(name) as file:
                    content = file.read(PAGE_BYTES_MAX + 1)
            except UnreadableInput as error:
                yield kept_aside(name, "the whole file", str(error))
                continue
            says = read_storage(content[:PAGE_BYTES_MAX].decode("utf-8-sig", "replace"))
            if len(content) > PAGE_BYTES_MAX:
                yield kept_aside(name, "the whole file", f"longer than {PAGE_BYTES_MAX:,} bytes")
            elif not says.text.strip():
                yield Drafted(name, Skipped("page without a text", name))
            else:
                record = _page(tree, name, content[:HEAD_BYTES].decode("utf-8-sig", "replace"), says)
                yield from (Drafted(name, draft) for draft in (*introductions.before(record), record))


class ConfluenceJson:
    """Reads answers of Confluence's REST interface."""

    name = "confluence-json"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first values of a file is content of Confluence's, or lists some."""
        return any(_is_answer(tree, name) for name in json_files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """`confluence:` and the host that the pages came from, if they say."""
        for name in tree.names():
            for _, value in _values(tree, name) if _is_answer(tree, name) else ():
                if host := host_of(value):
                    return f"confluence:{host}"
        return "confluence"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Pages and comments, in the order of the files."""
        roster, spaces = Roster(), Spaces(options.visibility)
        contents = JsonContents(roster)
        answers = [name for name in tree.names() if _is_answer(tree, name)]
        for name in answers:
            for _, value in _values(tree, name):
                for raw in contents_in(value):
                    contents.learn(raw)
        for name in tree.names():
            if name not in answers:
                yield Drafted(name, Skipped("not an answer with pages", name))
                continue
            for position, value in _values(tree, name):
                if isinstance(value, Broken):
                    yield kept_aside(name, position, value.reason, value)
                elif not any(True for _ in contents_in(value)):
                    yield Drafted(name, Skipped("not a page or comment", position))
                for number, raw in enumerate(contents_in(value), start=1):
                    where = f"{position}, item {number}"
                    if reason := reason_to_skip(raw):
                        yield Drafted(name, Skipped(reason, where))
                        continue
                    space = record_at(raw, "space")
                    spaces.name(text_at(space, "key"), text_at(space, "name"))
                    try:
                        content = contents.content(raw)
                    except FieldError as error:
                        yield kept_aside(name, where, str(error), raw_of(raw))
                        continue
                    if content.says.text.strip():
                        yield from (Drafted(name, draft) for draft in drafts_of(content, roster, spaces))
                    else:
                        yield Drafted(name, Skipped("page without a text", where))
            yield from (Drafted(name, actor) for actor in roster.corrections())


def _page(tree: FileTree, name: str, head: str, says: PageText) -> RecordDraft:
    stated = dict(_STATED.findall(head))
    stem = _PAGE.sub("", name)
    lineage = stated.get("page-id", stem)
    folder = stem.rpartition("/")[0] or (tree.label if tree.label != name else "confluence")
    heading = _HEADING.search(says.text)
    dated = _dated(tree, name)
    return RecordDraft(
        source_id=f"{lineage}@{fingerprint(says.text)}",
        lineage=lineage,
        channel=stated.get("space-key", folder),
        author=UNKNOWN,
        valid_from=dated.at,
        valid_from_raw=dated.raw,
        title=stated.get("title") or (heading[1] if heading else stem.rpartition("/")[2]),
        text=says.text,
        kind=RecordKind.DOCUMENT,
        refs=distinct([*says.ids, *(f"{key}:{title}" if key else title for key, title in says.pages)]),
        mentions=tuple(says.mentions),
        links=tuple(says.links),
        attachments=tuple(Attachment(file) for file in says.attachments if file),
        id_is_final=True,  # it holds the hash of the text: a copied file of another age is no other version
    )


def _dated(tree: FileTree, name: str) -> Moment:
    changed_at = tree.modified_at(name)
    if changed_at is None:
        return Moment(UNDATED, "undated")
    return Moment(changed_at, f"file modified {changed_at.isoformat(timespec='seconds')}")


def _is_page(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            return bool(_MARK.search(file.read(HEAD_BYTES)))
    except UnreadableInput:
        return False


def _is_answer(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            if b"{" not in file.read(256):
                return False
        return any(next(contents_in(value), None) for _, value in islice(_values(tree, name), VALUES_TRIED))
    except UnreadableInput:
        return False


def _values(tree: FileTree, name: str) -> Iterator[tuple[str, object]]:
    with tree.open(name) as file:
        yield from stream_values(file, parts=True)
