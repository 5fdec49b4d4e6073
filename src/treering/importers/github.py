"""The importer of GitHub: issues and pull requests with their comments, reviews and events, as its tools print them.

Read are answers of the REST interface (`gh api repos/heron/api/issues?state=all`), of `gh issue list --json ...` and of
GraphQL, as JSON of any number of pages. A channel is a repository, an issue is `heron/api#12`. What an issue becomes is
decided in `tracker`; archives made by GitHub's migrations are not read. Follows FORMATS section 14.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from treering.errors import UnreadableInput
from treering.importers.github_items import Item, found_in, item_from
from treering.importers.github_notes import TELLER, Described, issue_from, note_from
from treering.importers.json_fields import Json, raw_of, record_at
from treering.importers.json_stream import Broken
from treering.importers.json_values import json_files, stream_values
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.tracker import Places, issue_drafts, note_draft
from treering.importers.tree import FileTree
from treering.model.drafts import ActorKind, Draft, Drafted, RecordDraft, Skipped

__all__ = ["GithubJson"]

FILES_TRIED = 20  # files that may hold something else before a tree counts as none of GitHub's
VALUES_TRIED = 5
HEAD_BYTES = 256  # within which an object begins, whatever damage stands before it

# Events that say nothing beside what is told elsewhere.
_NO_NEWS: Final = frozenset((
    "subscribed", "unsubscribed", "mentioned", "committed", "line-commented", "commit-commented", "comment_deleted",
    "referenced", "cross-referenced", "head_ref_deleted", "head_ref_restored", "head_ref_force_pushed",
    "added_to_project", "moved_columns_in_project", "removed_from_project", "added_to_project_v2",
    "removed_from_project_v2", "project_v2_item_status_changed",
))  # fmt: skip


class GithubJson:
    """Reads GitHub's JSON."""

    name = "github"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first values of a file is an issue, or something said about one."""
        return any(_is_ours(tree, name) for name in json_files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """`github`, or `github:` and the host of an installation of one's own."""
        for name in tree.names():
            for _, value in _values(tree, name) if _is_ours(tree, name) else ():
                if host := next((host for raw in found_in(value) if (host := item_from(raw)["host"])), ""):
                    return "github" if host == "github.com" else f"github:{host}"
        return "github"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """What the files hold, in their order; a comment need not come after its issue, or with it."""
        roster, places = Roster(), Places(options.visibility)
        for name in tree.names():
            if not _is_ours(tree, name):
                yield Drafted(name, Skipped("not an answer with issues", name))
                continue
            for position, value in _values(tree, name):
                if isinstance(value, Broken):
                    yield kept_aside(name, position, value.reason, value)
                    continue
                items = [item_from(raw) for raw in found_in(value)]
                if not items:
                    yield Drafted(name, Skipped("not an issue, comment, review or event", position))
                for number, item in enumerate(items, start=1):
                    where = position if len(items) == 1 else f"{position}, item {number}"
                    yield from _drafted(name, where, item, roster, places)
            yield from (Drafted(name, actor) for actor in roster.corrections())


def _drafted(name: str, position: str, item: Item, roster: Roster, places: Places) -> Iterator[Drafted]:
    if item["kind"] == "event" and item["raw"].get("event") in _NO_NEWS:
        yield Drafted(name, Skipped("event that says nothing new", position))
        return
    try:
        described = _described(item)
    except FieldError as error:
        yield kept_aside(name, position, str(error), raw_of(item["raw"]))
        return
    roster.add(TELLER, "GitHub", ActorKind.SYSTEM)
    for account in described.people:
        roster.add(account.id, account.name, account.kind)
    records = list(_records(described))
    for record in records:
        for login in record.mentions:
            roster.add(login)
    public = record_at(item["raw"], "repository").get("private") is False
    drafts: list[Draft] = [*roster.news(), *places.of(described.issue, public=public), *records]
    yield from (Drafted(name, draft) for draft in drafts)
    yield from (Drafted(name, Skipped(f"{kind} without a text", position)) for kind in described.silent)
    yield from (kept_aside(name, position, reason, raw) for reason, raw in described.broken)


def _described(item: Item) -> Described:
    if not item["number"]:
        raise FieldError(
            "no address of an issue: its repository is not known"
            if item["kind"] == "issue"
            else f"{item['kind']} that does not say of which issue"
        )
    return issue_from(item) if item["kind"] == "issue" else note_from(item)


def _records(described: Described) -> Iterator[RecordDraft]:
    """The records of an item; titles of notes are keys alone, as a page of comments does not tell those of issues."""
    issue = described.issue
    if described.is_whole:
        yield from issue_drafts(issue)
    yield from (note_draft(note, issue.key, issue.channel, issue.key) for note in described.notes)


def _is_ours(tree: FileTree, name: str) -> bool:
    try:
        with tree.open(name) as file:
            if b"{" not in file.read(HEAD_BYTES):
                return False
        return any(_has_item(value) for _, value in islice(_values(tree, name), VALUES_TRIED))
    except UnreadableInput:
        return False


def _has_item(value: object) -> bool:
    """Whether one of the objects is of GitHub's making: with an address, or named as `gh` names things."""
    return any(
        item["number"] or (item["kind"] == "issue" and "createdAt" in item["raw"])
        for item in map(item_from, _dicts(value))
    )


def _dicts(value: object) -> Iterator[Json]:
    yield from islice(found_in(value), VALUES_TRIED)


def _values(tree: FileTree, name: str) -> Iterator[tuple[str, object]]:
    with tree.open(name) as file:
        yield from stream_values(file, parts=True)
