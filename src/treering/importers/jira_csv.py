"""A row of Jira's CSV export as an issue: "Export > CSV (all fields)", of Cloud and of the servers.

A column is repeated for each of several values (Comment, Labels, Attachment, Sprint, links); cells of comments are
`date;author;text`, of attachments `date;author;name;address`, of work logged `text;date;author;seconds`. People are
called by account id where the export gives one, else by the name that it gives. Follows FORMATS section 14, case B44.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from treering.importers.csv_rows import Columns
from treering.importers.jira_text import mentioned
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, clean, distinct
from treering.importers.roster import Roster
from treering.importers.tracker import Issue, Note, fingerprint
from treering.importers.written_dates import WrittenDates
from treering.model.drafts import ActorKind, Attachment

__all__ = ["KEY", "TELLER", "CsvIssues", "columns_of", "dates_of"]

KEY: Final = "Issue key"
TELLER: Final = "jira"  # the actor that stands for the tracker itself

Row = Mapping[str, list[str]]

_ISSUE_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+")
_LINK: Final = re.compile(r"(?P<way>Inward|Outward) issue link \((?P<kind>.+)\)", re.IGNORECASE)
_CUSTOM: Final = re.compile(r"Custom field \((?P<name>.+)\)", re.IGNORECASE)
_HISTORY: Final = re.compile(r"(status |issue )?(history|transitions?|changes?|changelog)", re.IGNORECASE)
_REFS: Final = ("Parent key", "Parent", "Epic Link", "Custom field (Epic Link)", "Sub-Tasks", "Sub-tasks")
_PEOPLE: Final = ("Reporter", "Creator", "Assignee", "Watchers")
# What is told elsewhere, or says nothing to a reader.
_NOT_STATE: Final = frozenset(
    ["Issue id", "Parent id", "Project description", "Project url", "Last Viewed", "Work Ratio", "Summary", KEY]
    + ["Description", "Created", "Updated", "Comment", "Attachment", "Log Work", "Project key", "Project name"]
    + ["Custom field (Rank)", "Custom field (Development)", "Custom field (Issue color)", "Reporter", "Creator"]
    + [f"{person} Id" for person in _PEOPLE]
)
_DATED: Final = ("Created", "Updated", "Resolved", "Status Category Changed")


def columns_of(header: list[str]) -> Columns:
    """Every column of a Jira export by its name; none if it is no such export."""
    names = [name.strip() for name in header]
    places = {name: [at for at, other in enumerate(names) if other == name] for name in names if name}
    return list(places.items()) if {KEY, "Summary"} <= places.keys() else []


def dates_of(row: Row) -> Iterator[str]:
    """The dates of a row as written, of which the order of day and month is learned."""
    for name in _DATED:
        yield from row.get(name, ())
    for cell in row.get("Comment", ()):
        yield cell.partition(";")[0]


@dataclass(frozen=True, slots=True)
class CsvIssues:
    """Makes issues of rows; who is met is noted in the roster."""

    dates: WrittenDates
    roster: Roster
    broken: list[tuple[str, str]] = field(default_factory=list)  # cells that could not be read, each after the reason

    def issue(self, row: Row) -> Issue:
        """The issue of a row; cells of comments and the like that cannot be read are put with those `broken`.

        Raises:
            FieldError: it has no key, or no date that can be read.
        """
        key = _one(row, KEY)
        if not _ISSUE_KEY.fullmatch(key):
            raise FieldError(f"no key of an issue: {key[:60]!r}" if key else "no issue key")
        text = _one(row, "Description")
        notes = tuple(self._notes(key, row))
        created, stated_at = self._span(row, notes)
        assignee = self._person(row, "Assignee")
        return Issue(
            key=key,
            channel=key.rpartition("-")[0],
            restricted_to=_one(row, "Security Level"),
            title=_one(row, "Summary"),
            text=text,
            author=self._person(row, "Reporter") or self._person(row, "Creator") or self.roster.add("unknown"),
            created=created,
            state=_state(row),
            stated_at=stated_at,
            teller=self.roster.add(TELLER, "Jira", ActorKind.SYSTEM),
            people=(assignee,) if assignee else (),
            refs=_refs(row, key),
            tags=distinct(_all(row, "Labels")),
            mentions=mentioned(text),
            notes=notes,
        )

    def _span(self, row: Row, notes: tuple[Note, ...]) -> tuple[Moment, Moment]:
        """When an issue was opened and when it last changed; for want of either, what else the row tells of."""
        told = {name: self.dates.read(_one(row, name), name) for name in _DATED if _one(row, name)}
        others = sorted([*told.values(), *(note.at for note in notes)], key=lambda moment: moment.at)
        if not others:
            raise FieldError("no Created, nor any other date")
        changed = [told[name] for name in ("Updated", "Resolved") if name in told] if "Updated" in told else others
        return told.get("Created", others[0]), max(changed, key=lambda moment: moment.at)

    def _notes(self, key: str, row: Row) -> Iterator[Note]:
        count: Counter[str] = Counter()
        columns = [name for name in row if name in ("Comment", "Attachment", "Log Work") or _HISTORY.fullmatch(name)]
        cells = [(column, cell) for column in columns for cell in _all(row, column)]
        for place, (column, cell) in enumerate(cells, start=2):
            try:
                note = self._note(key, column, cell, place)
            except FieldError as error:
                self.broken.append((str(error), f"{key}: {column}: {cell}"))
                continue
            count[note.id] += 1
            # Jira's dates are kept to the minute, within which a person may write twice.
            yield note if count[note.id] == 1 else replace(note, id=f"{note.id}/{count[note.id]}")

    def _note(self, key: str, column: str, cell: str, place: int) -> Note:
        """A cell of a column that people add to."""
        attachments: tuple[Attachment, ...] = ()
        if column == "Log Work":
            text, written, author = [*cell.rsplit(";", 3), "", ""][:3]
            text = text or "logged work"
        elif column == "Comment":
            written, author, text = [*cell.split(";", 2), "", ""][:3]
        elif column == "Attachment":
            written, author, name, address = [*cell.split(";", 3), "", "", ""][:4]
            attachments = (Attachment(name),) if name else ()
            text = f"attached {name}" + (f" ({address})" if address else "")
        else:
            written, author, *change = [*cell.split(";", 3), ""]
            text = " → ".join(part.strip() for part in change if part.strip())
        at = self.dates.read(written, f"the date of a cell of {column}")
        author = self.roster.add(author.strip() or "unknown")
        return Note(
            id=f"{key}/{column.lower().replace(' ', '-')}/{at.at:%Y-%m-%dT%H:%M:%S}/{author}",
            author=author,
            at=at,
            text=text,
            version=fingerprint(text),  # nothing says whether it was edited
            mentions=mentioned(text),
            attachments=attachments,
            order_hint=place,
        )

    def _person(self, row: Row, role: str) -> str:
        """The id of whoever has a role, "" for nobody; the export gives a name, and of late an id beside it."""
        name, account = _one(row, role), _one(row, f"{role} Id")
        return self.roster.add(account or name, name, ActorKind.HUMAN) if account or name else ""


def _state(row: Row) -> dict[str, str]:
    state = {}
    for column in row:
        values = distinct(_all(row, column))
        if not values or column in _NOT_STATE or _HISTORY.fullmatch(column):
            continue
        link, custom = _LINK.fullmatch(column), _CUSTOM.fullmatch(column)
        label = f"{link['kind']} ({link['way'].lower()})" if link else custom["name"] if custom else column
        state[label] = ", ".join(values)
    return state


def _refs(row: Row, key: str) -> tuple[str, ...]:
    columns = [column for column in row if column in _REFS or _LINK.fullmatch(column)]
    cells = [part.strip() for column in columns for cell in _all(row, column) for part in cell.split(",")]
    return distinct([cell for cell in cells if _ISSUE_KEY.fullmatch(cell) and cell != key])


def _all(row: Row, column: str) -> list[str]:
    return [clean(cell) for cell in row.get(column, ()) if cell.strip()]


def _one(row: Row, column: str) -> str:
    return next(iter(_all(row, column)), "").strip()
