"""The importer of Confluence's XML exports, of a space or a whole site: pages with all their versions, and comments.

Read twice: once for what is said of pages, once for their bodies. Times are those of the server, in the zone that the
export names. Files that come along are read for their texts. Follows FORMATS section 14.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from treering.errors import UnreadableInput
from treering.importers.attached_text import BYTES_MAX, AttachedText, may_have_text, text_of
from treering.importers.confluence_catalog import Catalog
from treering.importers.confluence_drafts import Content, Spaces, drafts_of
from treering.importers.confluence_entities import Entity, entities_in, is_entities, stated_zone
from treering.importers.confluence_inline import PageText
from treering.importers.confluence_storage import read_storage
from treering.importers.json_stream import Broken
from treering.importers.local_times import UTC_ASSUMED, LocalTimes
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, clean, distinct, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import NOBODY, Roster
from treering.importers.tree import FileTree
from treering.model.drafts import ActorKind, Attachment, Drafted, RecordKind, Skipped

__all__ = ["ConfluenceSpace"]

HEAD_BYTES: Final = 4_096
STORAGE: Final = "2"  # the type of a body that is in storage format; earlier ones are wiki markup

_TAG: Final = re.compile(r"</?[a-z][\w:-]*[\s/>]")
_FILE: Final = re.compile(r"(?:^|/)attachments/(?:[^/]+/)*([0-9]+)/([0-9]+)(?:\.[^/]*)?$")


class ConfluenceSpace:
    """Reads `entities.xml` and what lies beside it."""

    name = "confluence-space"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether there is a list of Confluence's objects."""
        return any(_is_ours(tree, name) for name in tree.names() if name.lower().endswith(".xml"))

    def source(self, tree: FileTree) -> str:
        """A constant: the export does not say which site it is of; `--source` does."""
        return "confluence"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Pages, posts and comments, in the order of their bodies, then the texts of attached files."""
        zone = options.zone or stated_zone(tree)  # the operator's word counts more
        files = {found.groups(): name for name in tree.names() if (found := _FILE.search(name))}
        used: set[str] = set()
        for name in tree.names():
            if name in files.values():
                continue
            if not _is_ours(tree, name):
                yield Drafted(name, Skipped("not a list of objects", name))
                continue
            times = LocalTimes(zone)
            reading = _Reading(tree, name, options, times)
            yield from reading.objects()
            yield from reading.bodies()
            yield from reading.attached(files, used)
            if times.assumed and zone is None:
                yield Drafted(name, Skipped(UTC_ASSUMED))
        for name in sorted(set(files.values()) - used):
            yield Drafted(name, Skipped("attached file"))


class _Reading:
    """One list of objects."""

    def __init__(self, tree: FileTree, name: str, options: ImportOptions, times: LocalTimes) -> None:
        self._tree = tree
        self._name = name
        self._times = times
        self._catalog = Catalog()
        self._roster = Roster()
        self._spaces = Spaces(options.visibility)
        self._done: dict[str, Content | None] = {}  # contents that were met with their bodies

    def objects(self) -> Iterator[Drafted]:
        """Take in what is said of contents; objects of other kinds are counted."""
        for number, entity in self._entities():
            if isinstance(entity, Broken):
                yield kept_aside(self._name, f"object {number}", entity.reason, entity)
            elif not self._catalog.add(entity):
                yield Drafted(self._name, Skipped("object of another kind"))
        self._catalog.finish()
        for space in self._catalog.spaces.values():
            self._spaces.name(space.texts.get("key", "") or space.id, space.texts.get("name", ""))
        for person in self._catalog.people.values():
            mail = [person.mail] if person.mail else []
            self._roster.add(person.id, person.name, ActorKind.HUMAN, mail, listed=True)

    def bodies(self) -> Iterator[Drafted]:
        """The drafts of each body, then a named skip for every content that had none."""
        for number, entity in self._entities():
            if isinstance(entity, Broken) or entity.kind != "BodyContent":
                continue
            owner = entity.refs.get("content") or self._catalog.bodies.get(entity.id, "")
            content = self._catalog.contents.get(owner)
            if content is None:
                yield Drafted(self._name, Skipped("body of another kind of content"))
            else:
                yield from self._content(content, entity, f"object {number}")
        for content in self._catalog.contents.values():
            if content.id not in self._done:
                yield Drafted(self._name, Skipped("page without a body", f"content {content.id}"))
        yield from (Drafted(self._name, actor) for actor in self._roster.corrections())

    def attached(self, files: dict[tuple[str, ...], str], used: set[str]) -> Iterator[Drafted]:
        """The texts of the attachments whose files came along."""
        for attachment in self._catalog.attachments.values():
            lineage = self._catalog.lineage(attachment)
            version = attachment.texts.get("version", "") or attachment.texts.get("attachmentVersion", "") or "1"
            file = files.get((lineage, version)) or files.get((attachment.id, version))
            carrier = self._done.get(self._catalog.page_of(attachment))
            if file is None or carrier is None or file in used:
                continue
            used.add(file)
            found = self._text(file, attachment)
            if found is None or found.reason:
                yield Drafted(file, Skipped(found.reason if found else "attached file"))
                continue
            try:
                at = self._moment(attachment, "creationDate", "lastModificationDate")
            except FieldError as error:
                yield kept_aside(file, "the whole file", str(error))
                continue
            document = Content(
                id=lineage, version=version, space=carrier.space, title=_file_name(attachment),
                author=self._author(attachment), at=at, says=PageText(found.text), reply_to=carrier.id,
                restricted_to=carrier.restricted_to, restriction=carrier.restriction,
            )  # fmt: skip
            yield from (Drafted(file, draft) for draft in drafts_of(document, self._roster, self._spaces))

    def _content(self, content: Entity, body: Entity, position: str) -> Iterator[Drafted]:
        if content.id in self._done:
            yield Drafted(self._name, Skipped("second body of a page", position))
            return
        self._done[content.id] = None
        status = content.texts.get("contentStatus", "").strip().lower()
        if status in ("draft", "deleted"):
            reason = "draft of a page" if status == "draft" else "page in the trash"
            yield Drafted(self._name, Skipped(reason, position))
            return
        says = self._says(body)
        if not says.text.strip():
            yield Drafted(self._name, Skipped("page without a text", position))
            return
        try:
            described = self._described(content, says)
        except FieldError as error:
            yield kept_aside(self._name, position, str(error), body.texts.get("body", ""))
            return
        self._done[content.id] = described
        yield from (Drafted(self._name, draft) for draft in drafts_of(described, self._roster, self._spaces))

    def _described(self, content: Entity, says: PageText) -> Content:
        catalog = self._catalog
        space, is_comment = catalog.space(content), content.kind == "Comment"
        restriction, readers = catalog.restriction(content)
        version = content.texts.get("version", "").strip() or "1"
        says.mentions = dict.fromkeys(map(catalog.person, says.mentions))
        linked = (catalog.page_titled(title, key or space) for key, title in says.pages)
        page = catalog.page_of(content) if is_comment else ""
        title = content.texts.get("title", "") or catalog.contents.get(page, content).texts.get("title", "")
        return Content(
            id=catalog.lineage(content),
            version=version,
            space=space,
            title=clean(title),
            author=self._author(content),
            at=self._moment(content, "lastModificationDate", "creationDate"),
            says=says,
            kind=RecordKind.MESSAGE if is_comment else RecordKind.DOCUMENT,
            created=self._moment(content, "creationDate") if is_comment and version != "1" else None,
            page=page,
            reply_to=content.refs.get("parent", "") if is_comment else "",
            tags=catalog.labels(content),
            attachments=tuple(Attachment(name) for name in says.attachments if name),
            refs=distinct([*says.ids, *linked]),
            restricted_to=readers,
            restriction=restriction,
        )

    def _says(self, body: Entity) -> PageText:
        text, kind = body.texts.get("body", ""), body.texts.get("bodyType", "").strip()
        if kind != STORAGE and (kind or not _TAG.search(text)):
            return PageText(clean(text))
        if "<![CDATA[" in text and "]]>" not in text:
            text = text.replace("]] >", "]]>")  # how some versions keep the end of CDATA within CDATA
        return read_storage(text, self._shown)

    def _shown(self, key: str) -> str:
        return self._catalog.people[key].name if key in self._catalog.people else key

    def _author(self, entity: Entity) -> str:
        keys = [entity.refs.get(name, "") for name in ("lastModifier", "creator")]
        keys += [entity.texts.get(name, "").strip() for name in ("lastModifierName", "creatorName")]
        return next((self._catalog.person(key) for key in keys if key), NOBODY)

    def _moment(self, entity: Entity, *names: str) -> Moment:
        raw = next((text for name in names if (text := entity.texts.get(name, "").strip())), "")
        try:
            local = datetime.fromisoformat(raw)
        except ValueError:
            return read_moment(raw, names[0])
        return self._times.moment(local, raw) if local.tzinfo is None else read_moment(raw, names[0])

    def _text(self, file: str, attachment: Entity) -> AttachedText | None:
        name, mime = _file_name(attachment), attachment.texts.get("contentType", "").strip()
        if not may_have_text(name, mime):
            return None
        try:
            with self._tree.open(file) as stream:
                return text_of(name, mime, stream.read(BYTES_MAX + 1))
        except UnreadableInput:
            return AttachedText("", "attached file that cannot be read")

    def _entities(self) -> Iterator[tuple[int, Entity | Broken]]:
        with self._tree.open(self._name) as file:
            yield from entities_in(file)


def _file_name(attachment: Entity) -> str:
    return clean(attachment.texts.get("title", "") or attachment.texts.get("fileName", "") or attachment.id)


def _is_ours(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            return is_entities(file.read(HEAD_BYTES))
    except UnreadableInput:
        return False
