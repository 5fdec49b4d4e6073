"""What GitHub's answers contain, told apart and narrowed: issues, pull requests, comments, reviews and events.

The same thing looks different in the REST interface (`created_at`, `user.login`), in GraphQL and in what `gh` prints
(`createdAt`, `author.login`); here it is one. Repository and number are read from addresses, as nothing else is in all
of them. An account is called by its login in lower case: mentions in texts know no other id. Follows FORMATS 14.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypedDict

from treering.importers.json_fields import Json, record_at, text_at
from treering.model.drafts import ActorKind

__all__ = ["Account", "Item", "account_of", "found_in", "item_from"]

DEPTH_MAX = 12  # of objects within an answer of GraphQL

_ADDRESS: Final = re.compile(
    r"https?://(?:api\.)?(?P<host>[^/\s]+)/(?:api/v3/)?(?:repos/)?(?P<repository>[\w.-]+/[\w.-]+)/"
    r"(?:issues|pull|pulls|discussions)/(?P<number>[0-9]{1,9})(?![\w-])"
)
_NUMBER_AT_END: Final = re.compile(r"(?:issuecomment-|discussion_r|pullrequestreview-|/)([0-9]{1,18})$")
_SAID: Final = {"commented": "comment", "reviewed": "review"}
_NO_ISSUE: Final = frozenset({"open_issues", "fields", "space", "version"})  # milestones, and what others call so


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody on GitHub."""

    id: str
    name: str
    kind: ActorKind


class Item(TypedDict):
    """One issue, comment, review or event."""

    kind: str  # "issue", "comment", "review", "review comment", "event"; "" for what is none of these
    host: str
    repository: str
    number: str  # of the issue; "" if it does not say
    id: str  # of the comment, review or event
    author: "Account"
    title: str
    body: str
    created: object
    edited: object
    raw: Json


def found_in(value: object, depth: int = DEPTH_MAX) -> Iterator[Json]:
    """The objects of an answer that may be items: itself, or those in the `nodes` of GraphQL's connections."""
    if not isinstance(value, dict) or depth == 0:
        return
    if _kind(value):
        yield value
        return
    for inner in value.values():
        if isinstance(inner, dict):
            yield from found_in(inner, depth - 1)
        elif isinstance(inner, list):
            for item in inner:
                yield from found_in(item, depth - 1)


def item_from(raw: Json) -> Item:
    """Narrow one object; for a nested comment, `raw` has the address of its issue put in as `issue_url`."""
    place = _place(raw)
    person = record_at(raw, "user") or record_at(raw, "author") or record_at(raw, "actor")
    created = raw.get("created_at") or raw.get("createdAt") or raw.get("submitted_at") or raw.get("submittedAt")
    kind = _kind(raw)
    return Item(
        kind=kind,
        host=place["host"] if place else "",
        repository=place["repository"] if place else "",
        number=place["number"] if place else "",
        id=_id(raw),
        author=account_of(person),
        title=text_at(raw, "title"),
        body=text_at(raw, "body"),
        created=created,
        edited=raw.get("lastEditedAt") or (raw.get("updated_at") if kind in ("comment", "review comment") else None),
        raw=raw,
    )


def account_of(person: Json) -> Account:
    """The account of a person; whoever deleted theirs is nobody, and GitHub calls that "ghost"."""
    login = text_at(person, "login")
    if not login:
        return Account("ghost", "ghost", ActorKind.UNKNOWN)
    is_bot = text_at(person, "type") == "Bot" or person.get("is_bot") is True or login.endswith("[bot]")
    name = text_at(person, "name") or login
    return Account(login.lower(), name, ActorKind.BOT if is_bot else ActorKind.HUMAN)


def _kind(raw: Json) -> str:
    event = raw.get("event")
    if isinstance(event, str) and event in _SAID:  # a timeline repeats what was said
        return _SAID[event]
    if isinstance(event, str) and ("created_at" in raw or "createdAt" in raw) and "actor" in raw:
        return "event"
    if isinstance(raw.get("title"), str) and "number" in raw and not _NO_ISSUE.intersection(raw):
        return "issue"
    if "pull_request_url" in raw and "path" in raw and "body" in raw:
        return "review comment"
    if "state" in raw and "body" in raw and ("submitted_at" in raw or "submittedAt" in raw):
        return "review"
    if "body" in raw and ("issue_url" in raw or _NUMBER_AT_END.search(text_at(raw, "url"))):
        return "comment"
    return ""


def _place(raw: Json) -> re.Match[str] | None:
    """Where an item belongs, by the first of its addresses that leads to an issue."""
    addresses = [text_at(raw, key) for key in ("issue_url", "pull_request_url", "html_url", "url")]
    addresses += [text_at(record_at(raw, "issue"), key) for key in ("html_url", "url")]
    return next((found for address in addresses if (found := _ADDRESS.match(address))), None)


def _id(raw: Json) -> str:
    """The number of a comment, review or event, which its address ends in where `id` is that of GraphQL."""
    for key in ("html_url", "url"):
        if found := _NUMBER_AT_END.search(text_at(raw, key)):
            return found[1]
    id_ = raw.get("id")
    return str(id_) if isinstance(id_, int) and not isinstance(id_, bool) else text_at(raw, "id")
