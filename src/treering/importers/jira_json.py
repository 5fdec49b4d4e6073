"""An issue of Jira's REST interface: `/search`, `/issue/KEY`, with `expand=changelog` its whole history.

With a changelog, earlier summaries and descriptions are versions and every change of status, assignee or links is a
dated note. Comments and issues that only some may read stand in channels of their own, of which nobody is known to be
a member. Texts are wiki markup in version 2 of the interface and documents (ADF) in version 3. Follows FORMATS 14.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypedDict, TypeVar
from urllib.parse import urlsplit

from treering.importers.jira_csv import TELLER
from treering.importers.jira_fields import refs_of, state_of, words_of
from treering.importers.jira_text import adf_text, mentioned
from treering.importers.json_fields import Json, number_at, raw_of, record_at, records_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, clean, identity
from treering.importers.roster import NOBODY, Roster
from treering.importers.tracker import Issue, Note, Revision
from treering.model.drafts import ActorKind, Attachment

__all__ = ["JsonIssues", "host_of", "issues_in"]

Item = TypeVar("Item")
Found = TypeVar("Found")

_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+")
_TEXTS: Final = frozenset({"summary", "description"})  # of which the changelog makes versions


class Said(TypedDict):
    """What comments, worklogs and attachments have alike, narrowed."""

    id: str
    author: Json
    created: object
    updated: object
    body: object  # wiki markup, or a document
    restricted_to: str  # the role or group that may read it


def said_from(raw: Json) -> Said:
    """Narrow one comment or worklog."""
    visibility = record_at(raw, "visibility")
    return Said(
        id=identity(raw.get("id")) or "",
        author=record_at(raw, "author"),
        created=raw.get("created") or raw.get("started"),
        updated=raw.get("updated"),
        body=raw.get("body") if raw.get("body") is not None else raw.get("comment"),
        restricted_to=text_at(visibility, "value") or text_at(visibility, "identifier"),
    )


def issues_in(value: object) -> Iterator[tuple[Json, Mapping[str, object]]]:
    """The issues of one answer, each with the names of its custom fields; nothing if it is no answer of Jira's."""
    if not isinstance(value, dict):
        return
    if _KEY.fullmatch(text_at(value, "key")) and isinstance(value.get("fields"), dict):
        yield value, record_at(value, "names")
    for issue in records_at(value, "issues"):
        yield issue, record_at(issue, "names") or record_at(value, "names")


def host_of(issue: Json) -> str:
    """The host that an issue came from; "" if it does not say."""
    try:
        return urlsplit(text_at(issue, "self")).hostname or ""
    except ValueError:
        return ""


_History = tuple[Moment, str, Json]  # when, its id, and what was changed


@dataclass(frozen=True, slots=True)
class JsonIssues:
    """Makes issues of objects; who is met is noted in the roster."""

    roster: Roster
    broken: list[tuple[str, str]] = field(default_factory=list)  # parts that could not be read, each after the reason

    def issue(self, raw: Json, names: Mapping[str, object]) -> Issue:
        """The issue that an object describes; comments and the like that cannot be read are put with those `broken`.

        Raises:
            FieldError: it has no key, or no date of creation that can be read.
        """
        key, fields = text_at(raw, "key"), record_at(raw, "fields")
        if not _KEY.fullmatch(key):
            raise FieldError("no issue key")
        created = read_moment(fields.get("created"), "created")
        changed = [read_moment(fields[name], name) for name in ("updated", "resolutiondate") if fields.get(name)]
        told = self._each(records_at(record_at(raw, "changelog"), "histories"), _history)
        histories = sorted(told, key=lambda history: (history[0].at, len(history[1]), history[1]))
        title, (text, mentions) = text_at(fields, "summary"), _text(fields.get("description"))
        assignee = self._person(record_at(fields, "assignee"))
        return Issue(
            key=key,
            channel=text_at(record_at(fields, "project"), "key") or key.rpartition("-")[0],
            title=title,
            text=text,
            author=self._person(record_at(fields, "reporter")) or self._person(record_at(fields, "creator"), NOBODY),
            created=created,
            state=state_of(fields, names),
            stated_at=max([created, *changed], key=lambda moment: moment.at),
            teller=self.roster.add(TELLER, "Jira", ActorKind.SYSTEM),
            restricted_to=text_at(record_at(fields, "security"), "name"),
            people=(assignee,) if assignee else (),
            refs=refs_of(fields, key),
            tags=words_of(fields.get("labels")),
            mentions=mentions,
            revisions=tuple(_revisions(title, text, histories)),
            notes=tuple(self._notes(key, fields, histories)),
        )

    def _notes(self, key: str, fields: Json, histories: list[_History]) -> Iterator[Note]:
        for kind in ("comment", "worklog"):
            said = enumerate(records_at(record_at(fields, kind), f"{kind}s"), start=2)
            yield from self._each(said, partial(self._said, key, kind))
        attached = enumerate(records_at(fields, "attachment"), start=2)
        yield from self._each(attached, partial(self._attached, key, fields))
        for at, id_, history in histories:
            if lines := _changes(history):
                author = self._person(record_at(history, "author"), TELLER)
                yield Note(f"{key}/change/{id_ or at.at.isoformat()}", author, at, "\n".join(lines), order_hint=1)

    def _said(self, key: str, kind: str, item: tuple[int, Json]) -> Note:
        said = said_from(item[1])
        at = read_moment(said["created"], f"created of a {kind}")
        text, mentions = _text(said["body"])
        return Note(
            id=f"{key}/{kind}/{said['id'] or at.at.isoformat()}",
            author=self._person(said["author"], NOBODY),
            at=at,
            edited=read_moment(said["updated"], f"updated of a {kind}") if said["updated"] else None,
            text=text or ("logged work" if kind == "worklog" else ""),
            mentions=mentions,
            restricted_to=said["restricted_to"],
            order_hint=item[0],
        )

    def _attached(self, key: str, fields: Json, item: tuple[int, Json]) -> Note:
        place, raw = item
        name, address = text_at(raw, "filename"), text_at(raw, "content")
        return Note(
            id=f"{key}/attachment/{identity(raw.get('id')) or name}",
            author=self._person(record_at(raw, "author"), NOBODY),
            at=read_moment(raw.get("created") or fields.get("created"), "created of an attachment"),
            text=f"attached {name}" + (f" ({address})" if address else ""),
            attachments=(Attachment(name, text_at(raw, "mimeType"), number_at(raw, "size")),),
            order_hint=place,
        )

    def _each(self, items: Iterable[Item], read: Callable[[Item], Found]) -> Iterator[Found]:
        """What is read of each item that can be read."""
        for item in items:
            try:
                yield read(item)
            except FieldError as error:
                self.broken.append((str(error), raw_of(item)))

    def _person(self, person: Json, nobody: str = "") -> str:
        """The id of a person, or of who stands for none: an account of the Cloud, a user name or key of a server."""
        name = text_at(person, "displayName")
        id_ = text_at(person, "accountId") or text_at(person, "name") or text_at(person, "key") or name
        if not id_:
            return self.roster.add(nobody) if nobody else ""
        kind = ActorKind.BOT if text_at(person, "accountType") == "app" else ActorKind.HUMAN
        mail = text_at(person, "emailAddress")
        return self.roster.add(id_, name, kind, [mail] if mail else [])


def _history(raw: Json) -> _History:
    return read_moment(raw.get("created"), "created of a change"), identity(raw.get("id")) or "", raw


def _changes(history: Json) -> list[str]:
    """What was changed, but for texts, whose changes are versions."""
    items = [item for item in records_at(history, "items") if text_at(item, "field") not in _TEXTS]
    names = ("field", "fromString", "toString")
    return ["{}: {} → {}".format(*(text_at(item, name) or "(none)" for name in names)) for item in items]


def _revisions(title: str, text: str, histories: list[_History]) -> Iterator[Revision]:
    """Earlier texts, walked back to from the present one: each change says what stood there before."""
    found: list[Revision] = []
    for at, _, history in reversed(histories):
        before = {
            text_at(item, "field"): text_at(item, "fromString")
            for item in records_at(history, "items")
            if text_at(item, "field") in _TEXTS
        }
        if before:
            title, text = before.get("summary", title), before.get("description", text)
            found.append(Revision(title, text, until=at))
    yield from reversed(found)


def _text(value: object) -> tuple[str, tuple[str, ...]]:
    if isinstance(value, dict):
        return adf_text(value)
    text = clean(value) if isinstance(value, str) else ""
    return text, mentioned(text)
