"""What an XML export of Confluence says of its pages, comments, people and spaces, before their bodies are read.

Bodies are objects of their own, in any order; all else is small and is kept. Who may read a page is decided by its own
restrictions and by those of all the pages above it. Follows FORMATS section 14.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from treering.importers.confluence_drafts import UNKNOWN_SPACE, bound_by
from treering.importers.confluence_entities import Entity

__all__ = ["CONTENTS", "Catalog", "Person"]

CONTENTS: Final = frozenset({"Page", "BlogPost", "Comment"})


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the export lists."""

    id: str  # the account of the Cloud, else the user name, else the key
    name: str
    mail: str


@dataclass(slots=True)
class Catalog:
    """All objects of an export but its bodies, by id."""

    contents: dict[str, Entity] = field(default_factory=dict)
    spaces: dict[str, Entity] = field(default_factory=dict)
    attachments: dict[str, Entity] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)  # by key, account and user name alike
    bodies: dict[str, str] = field(default_factory=dict)  # id of a body -> id of the content that claims it
    _pages: dict[tuple[str, str], str] = field(default_factory=dict)  # (key of the space, title) -> id
    _labels: dict[str, str] = field(default_factory=dict)
    _labelled: dict[str, list[str]] = field(default_factory=dict)  # content -> labels
    _sets: dict[str, str] = field(default_factory=dict)  # set of those who may read -> the content it is of
    _readers: dict[str, list[str]] = field(default_factory=dict)  # such a set -> keys of people; "" for a group
    _restricted: dict[str, frozenset[str] | None] = field(default_factory=dict)  # page -> who may read it

    def add(self, entity: Entity) -> bool:
        """Take in an object; False if it is of a kind that tells nothing of what is imported."""
        kind = entity.kind
        if kind in CONTENTS:
            self.contents[entity.id] = entity
            self.bodies.update(dict.fromkeys(entity.lists.get("bodyContents", ()), entity.id))
        elif kind == "Space":
            self.spaces[entity.id] = entity
        elif kind == "Attachment":
            self.attachments[entity.id] = entity
        elif kind in ("ConfluenceUserImpl", "ConfluenceUser"):
            self._add_person(entity)
        elif kind == "Label":
            self._labels[entity.id] = entity.texts.get("name", "")
        elif kind == "Labelling":
            self._labelled.setdefault(entity.refs.get("content", ""), []).append(entity.refs.get("label", ""))
        elif kind == "ContentPermissionSet" and entity.texts.get("type", "").lower() == "view":
            self._sets[entity.id] = entity.refs.get("owningContent", "")
        elif kind == "ContentPermission" and entity.texts.get("type", "").lower() == "view":
            person = entity.refs.get("userSubject") or entity.texts.get("userName", "")
            self._readers.setdefault(entity.refs.get("owningSet", ""), []).append(person)
        else:
            return kind == "BodyContent"
        return True

    def finish(self) -> None:
        """Look up what needs all objects: the pages by their titles, and who may read those that are restricted."""
        for page in self.contents.values():
            if page.kind != "Comment" and self.lineage(page) == page.id:
                self._pages[self.space(page), page.texts.get("title", "").casefold()] = page.id
        for set_, owner in self._sets.items():
            listed = self._readers.get(set_, [""])
            self._restricted[owner] = None if "" in listed else frozenset(map(self.person, listed))

    def lineage(self, content: Entity) -> str:
        """The id of the page that an object is a version of: an earlier version names the present one."""
        return content.refs.get("originalVersion") or content.texts.get("originalVersionId", "").strip() or content.id

    def space(self, content: Entity) -> str:
        """The key of the space that a page or comment belongs to."""
        for place in (content, *self._above(content)):
            for one in (place, self.contents.get(self.lineage(place), place)):
                if found := self.spaces.get(one.refs.get("space", "")):
                    return found.texts.get("key", "") or found.id
        return UNKNOWN_SPACE

    def page_of(self, comment: Entity) -> str:
        """The id of the page that a comment is on."""
        return next(
            (comment.refs[name] for name in ("containerContent", "owner", "content") if name in comment.refs), ""
        )

    def page_titled(self, title: str, space: str) -> str:
        """The id of a page by its title; the title itself where no page of the export has it."""
        return self._pages.get((space, title.casefold()), title)

    def person(self, key: str) -> str:
        """The actor that a key, an account or a user name means."""
        return self.people[key].id if key in self.people else key

    def labels(self, content: Entity) -> tuple[str, ...]:
        """The labels of a page, in alphabetical order."""
        found = {self._labels.get(label, "") for label in self._labelled.get(content.id, ())}
        return tuple(sorted(found - {""}))

    def restriction(self, content: Entity) -> tuple[str, tuple[str, ...] | None]:
        """The pages whose restrictions bind a page or comment, as one word, and who meets them all; None: unknown."""
        places = (content, self.contents.get(self.lineage(content), content), *self._above(content))
        return bound_by((place.id for place in places), self._restricted)

    def _above(self, content: Entity) -> Iterable[Entity]:
        """The page of a comment, and the pages above a page, from below; a circle ends where it closes."""
        seen: dict[str, Entity] = {}
        place: Entity | None = self.contents.get(self.lineage(content), content)
        while place is not None and place.id not in seen:
            seen[place.id] = place
            above = self.page_of(place) if place.kind == "Comment" else place.refs.get("parent", "")
            place = self.contents.get(above)
        return list(seen.values())[1:]

    def _add_person(self, entity: Entity) -> None:
        name, mail = entity.texts.get("name", "").strip(), entity.texts.get("email", "").strip()
        account = entity.texts.get("atlassianAccountId", "").strip()
        shown = entity.texts.get("displayName", "").strip() or entity.texts.get("fullName", "").strip() or name
        person = Person(account or name or entity.id, shown or entity.id, mail)
        for key in (entity.id, account, name):
            if key:
                self.people.setdefault(key, person)
