"""Content as Confluence's REST interface answers with it: pages, blog posts and comments, alone or in lists.

Versions 1 (`/rest/api/content`) and 2 (`/api/v2/pages`) are read, with bodies in storage format, as documents (ADF), or
as they are shown. Links to pages name titles, so that is what they refer to. Restrictions are known as far as answers
were asked to tell them (`expand=restrictions.read.restrictions.user,ancestors`). Follows FORMATS section 14.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, TypedDict
from urllib.parse import urlsplit

from treering.importers.confluence_drafts import UNKNOWN_SPACE, Content, bound_by
from treering.importers.confluence_inline import PageText
from treering.importers.confluence_storage import read_storage
from treering.importers.document_dates import UNDATED
from treering.importers.jira_text import adf_text
from treering.importers.json_fields import Json, number_at, record_at, records_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct, identity, urls
from treering.importers.roster import NOBODY, Roster
from treering.importers.tracker import fingerprint
from treering.model.drafts import ActorKind, Attachment, RecordKind

__all__ = ["JsonContents", "contents_in", "host_of", "reason_to_skip"]

DEPTH_MAX = 6  # of lists within answers

_KINDS: Final = frozenset({"page", "blogpost", "comment"})
_AT_END: Final = re.compile(r"/(?:content|space)/([^/?]+)$")


class Version(TypedDict):
    """Who made a version and when, narrowed."""

    number: str
    at: object
    by: Json
    account: str  # in version 2 only the id is told


def contents_in(value: object, depth: int = DEPTH_MAX) -> Iterator[Json]:
    """The pages, posts and comments of one answer, those that others carry included."""
    if not isinstance(value, dict) or depth == 0:
        return
    if is_content(value):
        yield value
        for kind in ("comment", "page"):
            yield from contents_in(record_at(record_at(value, "children"), kind), depth - 1)
        return
    for item in records_at(value, "results"):
        yield from contents_in(item if is_content(item) else record_at(item, "content"), depth - 1)


def is_content(value: Json) -> bool:
    """Whether an object is content of Confluence's."""
    told = any(isinstance(value.get(key), dict) for key in ("version", "_expandable", "body"))
    if identity(value.get("id")) is None or not told:
        return False
    return text_at(value, "type") in _KINDS or ("spaceId" in value and "title" in value) or "pageId" in value


def reason_to_skip(raw: Json) -> str:
    """Why nothing is made of some content; "" if something is."""
    status = text_at(raw, "status")
    if status in ("draft", "trashed"):
        return "page in the trash" if status == "trashed" else "draft of a page"
    return "" if record_at(raw, "body").keys() & {"storage", "atlas_doc_format", "view", "export_view"} else "no body"


def host_of(value: object) -> str:
    """The host that an answer came from; "" if it does not say."""
    for raw in contents_in(value):
        links = record_at(raw, "_links")
        for address in (text_at(links, "base"), text_at(links, "self")):
            try:
                if host := urlsplit(address).hostname:
                    return host
            except ValueError:
                continue
    return ""


class JsonContents:
    """Makes content of objects; who is met is noted in the roster.

    A page is bound by the restrictions of the pages above it, and a comment by those of its page: all that answers say
    of them has to be taken in by `learn` before the first is made.
    """

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._above: dict[str, tuple[str, ...]] = {}
        self._readers: dict[str, frozenset[str] | None] = {}

    def learn(self, raw: Json) -> None:
        """Take in which pages lie above a page, and who may read it; groups are not taken apart."""
        id_ = identity(raw.get("id")) or ""
        if above := tuple(identity(page.get("id")) or "" for page in records_at(raw, "ancestors")):
            self._above[id_] = above
        read = record_at(record_at(record_at(raw, "restrictions"), "read"), "restrictions")
        users = [self._person(user) for user in records_at(record_at(read, "user"), "results")]
        groups = records_at(record_at(read, "group"), "results")
        if users or groups:
            self._readers[id_] = None if groups else frozenset(users)

    def content(self, raw: Json) -> Content:
        """The version of a page or comment that an object describes.

        Raises:
            FieldError: it has a date that cannot be read.
        """
        version, id_ = _version(raw), identity(raw.get("id")) or ""
        is_comment = text_at(raw, "type") == "comment" or "pageId" in raw
        page = _page_of(raw) if is_comment else ""
        if is_comment and not page:
            raise FieldError("a comment that does not say on which page")
        says = _body(raw)
        restriction, readers = bound_by(
            (id_, *self._above.get(id_, ()), page, *self._above.get(page, ())), self._readers
        )
        answered = records_at(raw, "ancestors") if is_comment else []
        first = record_at(raw, "history").get("createdDate") if is_comment and version["number"] != "1" else None
        return Content(
            id=id_,
            version=version["number"] or fingerprint(says.text),
            space=_space(raw),
            title=text_at(raw, "title"),
            author=self._person(version["by"]) or version["account"] or NOBODY,
            at=read_moment(version["at"], "the date of the version") if version["at"] else Moment(UNDATED, "undated"),
            says=says,
            kind=RecordKind.MESSAGE if is_comment else RecordKind.DOCUMENT,
            created=read_moment(first, "the date of creation") if first else None,
            page=page,
            reply_to=identity(answered[-1].get("id")) or "" if answered else text_at(raw, "parentCommentId"),
            tags=_labels(raw),
            attachments=tuple(_attachments(raw)),
            refs=distinct([*says.ids, *(f"{key}:{title}" if key else title for key, title in says.pages)]),
            restricted_to=readers,
            restriction=restriction,
        )

    def _person(self, person: Json) -> str:
        """The id of a person, "" for nobody: of an account in the Cloud, a user name or key on a server."""
        name = text_at(person, "displayName") or text_at(person, "publicName")
        id_ = text_at(person, "accountId") or text_at(person, "username") or text_at(person, "userKey")
        if not id_:
            return ""
        kind = ActorKind.BOT if text_at(person, "accountType") == "app" else ActorKind.HUMAN
        mail = text_at(person, "email")
        return self._roster.add(id_, name, kind, [mail] if mail else [])


def _version(raw: Json) -> Version:
    version, history = record_at(raw, "version"), record_at(raw, "history")
    return Version(
        number=identity(version.get("number")) or "",
        at=version.get("when") or version.get("createdAt") or history.get("createdDate") or raw.get("createdAt"),
        by=record_at(version, "by") or record_at(history, "createdBy"),
        account=text_at(version, "authorId") or text_at(raw, "authorId"),
    )


def _space(raw: Json) -> str:
    """The key of the space or, where only that is told, its id."""
    place = text_at(record_at(raw, "_expandable"), "space") or text_at(record_at(raw, "_expandable"), "container")
    found = _AT_END.search(place) if "/space/" in place else None
    by_id = identity(raw.get("spaceId"))
    return text_at(record_at(raw, "space"), "key") or (found[1] if found else "") or by_id or UNKNOWN_SPACE


def _page_of(raw: Json) -> str:
    """The id of the page that a comment is on."""
    found = _AT_END.search(text_at(record_at(raw, "_expandable"), "container"))
    told = identity(record_at(raw, "container").get("id")) or identity(raw.get("pageId"))
    return told or identity(raw.get("blogPostId")) or (found[1] if found else "")


def _body(raw: Json) -> PageText:
    body = record_at(raw, "body")
    document = text_at(record_at(body, "atlas_doc_format"), "value")
    for name in ("storage", "view", "export_view"):
        if name in body and (name == "storage" or not document):
            return read_storage(text_at(record_at(body, name), "value"))
    try:
        value = json.loads(document or "{}")
    except (ValueError, RecursionError) as error:
        raise FieldError("the body is no document") from error
    text, mentions = adf_text(value if isinstance(value, dict) else {})
    return PageText(text, dict.fromkeys(urls(text)), dict.fromkeys(mentions))


def _labels(raw: Json) -> tuple[str, ...]:
    labels = record_at(record_at(raw, "metadata"), "labels") or record_at(raw, "labels")
    return distinct([text_at(label, "name") for label in records_at(labels, "results") if text_at(label, "name")])


def _attachments(raw: Json) -> Iterator[Attachment]:
    for file in records_at(record_at(record_at(raw, "children"), "attachment"), "results"):
        extensions = record_at(file, "extensions")
        yield Attachment(text_at(file, "title"), text_at(extensions, "mediaType"), number_at(extensions, "fileSize"))
