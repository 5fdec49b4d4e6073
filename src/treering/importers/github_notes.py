"""GitHub's items as what a tracker knows: issues with their state, and notes about them.

An issue may carry its comments, reviews and timeline with it (`gh`, GraphQL) or not (REST); either way they are the
same notes. Follows FORMATS section 14.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from treering.importers.github_items import Account, Item, account_of, item_from
from treering.importers.github_text import accounts_in, issues_in
from treering.importers.json_fields import Json, raw_of, record_at, records_at, text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError, distinct
from treering.importers.tracker import Issue, Note

__all__ = ["TELLER", "Described", "issue_from", "note_from"]

TELLER: Final = "github"  # the actor that stands for the tracker itself: no login, as it is one, is likely to be met

_VERDICTS: Final = {
    "APPROVED": "Approved.",
    "CHANGES_REQUESTED": "Requested changes.",
    "DISMISSED": "Review dismissed.",
    "PENDING": "",
    "COMMENTED": "",
}


@dataclass(frozen=True, slots=True)
class Described:
    """What one item tells: an issue, or only which one it is about; and notes."""

    issue: Issue
    notes: tuple[Note, ...]
    people: tuple[Account, ...]
    is_whole: bool = False  # whether the issue is the item
    silent: tuple[str, ...] = ()  # kinds of parts that say nothing
    broken: tuple[tuple[str, str], ...] = ()  # parts that could not be read, each after the reason


def issue_from(item: Item) -> Described:
    """An issue or pull request with what it carries.

    Raises:
        FieldError: its date of creation cannot be read.
    """
    raw, key = item["raw"], f"{item['repository']}#{item['number']}"
    created = read_moment(item["created"], "the date of creation")
    nested = [item_from({"issue_url": _address(item), **part}) for part in _parts(raw)]
    notes: list[Note] = []
    broken = []
    for part in nested:
        try:
            notes.extend(_notes(part))
        except FieldError as error:
            broken.append((str(error), raw_of(part["raw"])))
    endings = list(_endings(item, key))
    assignees = [account_of(person) for person in [*records_at(raw, "assignees"), *_nodes(raw, "assignees")]]
    people = distinct([account.id for account in assignees])
    updated = raw.get("updated_at") or raw.get("updatedAt")
    told = [created, *(note.edited or note.at for note in notes), *(note.at for note, _ in endings)]
    latest = max(told, key=lambda moment: moment.at)
    issue = replace(
        _about(item),
        title=item["title"],
        text=item["body"],
        author=item["author"].id,
        created=created,
        state=_state(raw, people),
        stated_at=read_moment(updated, "the date of the last change") if updated else latest,
        people=people,
        tags=_names(raw, "labels"),
        mentions=accounts_in(item["body"]),
        text_refs=_refs(item),
    )
    return Described(
        issue,
        (*notes, *(note for note, _ in endings)),
        (item["author"], *(part["author"] for part in nested), *assignees, *(who for _, who in endings if who)),
        is_whole=True,
        silent=tuple(part["kind"] for part in nested if not _text(part)[0]),
        broken=tuple(broken),
    )


def note_from(item: Item) -> Described:
    """A comment, review or event that came by itself.

    Raises:
        FieldError: its date cannot be read.
    """
    notes = tuple(_notes(item))
    return Described(_about(item), notes, (item["author"],), silent=() if notes else (item["kind"],))


def _about(item: Item) -> Issue:
    """The issue that an item belongs to, as far as an item tells that."""
    unknown = Moment(read_moment("1970-01-01T00:00:00Z").at, "")
    return Issue(
        key=f"{item['repository']}#{item['number']}",
        channel=item["repository"],
        title="",
        text="",
        author=TELLER,
        created=unknown,
        state={},
        stated_at=unknown,
        teller=TELLER,
    )


def _notes(item: Item) -> Iterator[Note]:
    """What an item says; nothing where it has no text, as reviews have none whose comments stand beside the code."""
    text, quoted = _text(item)
    if not text:
        return
    key, at = f"{item['repository']}#{item['number']}", read_moment(item["created"], f"the date of a {item['kind']}")
    answered = item["raw"].get("in_reply_to_id")
    kind, name = item["kind"].replace(" ", "-"), item["id"] or at.at.isoformat()
    if kind == "event":  # several may be told of by the issue as well, which does not know their ids
        kind, name = text_at(item["raw"], "event"), at.at.isoformat()
    yield Note(
        id=f"{key}/{kind}/{name}",
        author=item["author"].id,
        at=at,
        edited=read_moment(item["edited"], "the date of an edit") if item["edited"] else None,
        text=text,
        reply_to=f"{key}/review-comment/{answered}" if isinstance(answered, int) else "",
        mentions=accounts_in(item["body"]),
        refs=_refs(item),
        quoted=quoted,
        order_hint=2,
    )


def _text(item: Item) -> tuple[str, tuple[tuple[int, int], ...]]:
    """What an item says, and which stretches of that are not its own words."""
    raw, text = item["raw"], item["body"]
    if item["kind"] == "event":
        return _event(raw), ()
    if item["kind"] == "review":
        verdict = _VERDICTS.get(text_at(raw, "state").upper(), "")
        return "\n\n".join(part for part in (verdict, text) if part), ()
    return _with_code(raw, text) if item["kind"] == "review comment" else (text, ())


def _parts(raw: Json) -> Iterator[Json]:
    """The comments and reviews that an issue carries."""
    for key in ("comments", "reviews", "latestReviews"):
        yield from records_at(raw, key)
        for node in _nodes(raw, key):
            yield node
            yield from _nodes(node, "comments")


def _nodes(raw: Json, key: str) -> list[Json]:
    return records_at(record_at(raw, key), "nodes")


def _endings(item: Item, key: str) -> Iterator[tuple[Note, Account | None]]:
    """That it was closed or merged, and by whom; the state alone would not date it."""
    raw = item["raw"]
    request = record_at(raw, "pull_request")
    for word, when, who in (
        ("merged", raw.get("merged_at") or raw.get("mergedAt") or request.get("merged_at"), ("merged_by", "mergedBy")),
        ("closed", raw.get("closed_at") or raw.get("closedAt"), ("closed_by",)),
    ):
        if when:
            at = read_moment(when, f"the date {word}")
            account = next((account_of(record_at(raw, name)) for name in who if raw.get(name)), None)
            note = Note(f"{key}/{word}/{at.at.isoformat()}", account.id if account else TELLER, at, word, order_hint=2)
            yield note, account


def _event(raw: Json) -> str:
    """What an event says, in words."""
    word = text_at(raw, "event").replace("_", " ").replace("-", " ")
    renamed = record_at(raw, "rename")
    if renamed:
        return f"renamed from {text_at(renamed, 'from')} to {text_at(renamed, 'to')}"
    details = [
        text_at(record_at(raw, "label"), "name"),
        text_at(record_at(raw, "assignee"), "login"),
        text_at(record_at(raw, "milestone"), "title"),
        text_at(record_at(raw, "requested_reviewer"), "login"),
    ]
    return " ".join(part for part in (word, *details) if part)


def _with_code(raw: Json, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A comment on code under the lines that it is about; they are shown, and not what the comment says."""
    hunk = text_at(raw, "diff_hunk")
    shown = f"{text_at(raw, 'path')}\n"
    if not hunk:
        return shown + text, ()
    code = f"```diff\n{hunk}\n```\n"
    return shown + code + text, ((len(shown), len(shown) + len(code)),)


def _state(raw: Json, assignees: tuple[str, ...]) -> dict[str, str]:
    state = text_at(raw, "state").lower()
    reason = (text_at(raw, "state_reason") or text_at(raw, "stateReason")).lower().replace("_", " ")
    is_request = "pull_request" in raw or "mergedAt" in raw or "merged_at" in raw
    milestone = record_at(raw, "milestone")
    lines = {
        "Type": "pull request" if is_request else "issue",
        "State": f"{state} ({reason})" if reason else state,
        "Labels": ", ".join(_names(raw, "labels")),
        "Assignees": ", ".join(assignees),
        "Milestone": text_at(milestone, "title"),
    }
    return {label: value for label, value in lines.items() if value} if state else {}


def _names(raw: Json, key: str) -> tuple[str, ...]:
    """The names of labels; some tools print them as texts."""
    value = raw.get(key)
    words = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    return distinct([*words, *(text_at(item, "name") for item in [*records_at(raw, key), *_nodes(raw, key)])])


def _refs(item: Item) -> tuple[str, ...]:
    own = f"{item['repository']}#{item['number']}"
    return tuple(ref for ref in issues_in(item["body"], item["repository"]) if ref != own)


def _address(item: Item) -> str:
    return f"https://{item['host']}/{item['repository']}/issues/{item['number']}"
