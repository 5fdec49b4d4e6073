"""The importers of Jira: its CSV exports, and the answers of its REST interface as JSON.

Here files are told apart; rows are read in `jira_csv`, objects in `jira_json`, and what an issue becomes is decided in
`tracker`. A channel is a project; who may read it, neither format says. Follows FORMATS section 14.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.csv_rows import csv_cells, csv_columns
from treering.importers.jira_csv import KEY, CsvIssues, columns_of, dates_of
from treering.importers.jira_json import JsonIssues, host_of, issues_in
from treering.importers.json_fields import raw_of, record_at, text_at
from treering.importers.json_stream import Broken
from treering.importers.json_values import json_files, stream_values
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.narrowing import FieldError, kept_aside
from treering.importers.protocol import ImportOptions
from treering.importers.roster import Roster
from treering.importers.tracker import Issue, Places, issue_drafts
from treering.importers.tree import FileTree
from treering.importers.written_dates import WrittenDates, order_of
from treering.model.drafts import Draft, Drafted, Skipped

__all__ = ["JiraCsv", "JiraJson"]

HEAD_BYTES = 1 << 18  # a header of all fields has several hundred names
FILES_TRIED = 20  # files that may hold something else before a tree counts as no export of Jira's
VALUES_TRIED = 3
DATES_TRIED = 100_000  # to learn the order of day and month from


class JiraCsv:
    """Reads Jira's CSV exports."""

    name = "jira-csv"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether the header of a file has Jira's columns for the key and the summary of an issue."""
        tables = [name for name in tree.names() if name.lower().endswith((".csv", ".tsv"))] or tree.names()
        return any(_is_csv(tree, name) for name in tables[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """A constant: the export does not say which Jira it is of; `--source` does."""
        return "jira"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Issues with their comments, row by row.

        Raises:
            UsageError: the dates of a file read with the day or the month first, and `options` do not say which.
        """
        roster, places = Roster(), Places(options.visibility)
        for name in tree.names():
            if not _is_csv(tree, name):
                yield Drafted(name, Skipped("not an export of issues", name))
                continue
            dates = (date for _, row in _rows(tree, name) if not isinstance(row, Broken) for date in dates_of(row))
            order = order_of(islice(dates, DATES_TRIED), options.date_order, name)
            written = WrittenDates(options.zone, order)
            issues = CsvIssues(written, roster)
            for position, row in _rows(tree, name):
                if isinstance(row, Broken):
                    yield kept_aside(name, position, row.reason, row)
                    continue
                project = next((cell for cell in row.get("Project name", ()) if cell), "")
                try:
                    drafts = _drafts(issues.issue(row), project, roster, places)
                except FieldError as error:
                    yield kept_aside(name, position, str(error), dict(row))
                else:
                    yield from (Drafted(name, draft) for draft in drafts)
                yield from _broken(name, position, issues.broken)
            if written.times.assumed and options.zone is None:
                yield Drafted(name, Skipped(UTC_ASSUMED))
            yield from (Drafted(name, actor) for actor in roster.corrections())


class JiraJson:
    """Reads answers of Jira's REST interface."""

    name = "jira-json"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether one of the first values of a file is an issue of Jira's, or holds some."""
        return any(_is_json(tree, name) for name in json_files(tree)[:FILES_TRIED])

    def source(self, tree: FileTree) -> str:
        """`jira:` and the host that the issues came from, if they say."""
        for name in tree.names():
            for _, value in _values(tree, name) if _is_json(tree, name) else ():
                if host := next((host for issue, _ in issues_in(value) if (host := host_of(issue))), ""):
                    return f"jira:{host}"
        return "jira"

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """Issues with their comments and changes, in the order of the files."""
        roster, places = Roster(), Places(options.visibility)
        issues = JsonIssues(roster)
        for name in tree.names():
            if not _is_json(tree, name):
                yield Drafted(name, Skipped("not an answer with issues", name))
                continue
            for position, value in _values(tree, name):
                if isinstance(value, Broken):
                    yield kept_aside(name, position, value.reason, value)
                elif not any(True for _ in issues_in(value)):
                    yield Drafted(name, Skipped("not an issue", position))
                for number, (raw, names) in enumerate(issues_in(value), start=1):
                    where = f"{position}, issue {number}"
                    project = text_at(record_at(record_at(raw, "fields"), "project"), "name")
                    try:
                        drafts = _drafts(issues.issue(raw, names), project, roster, places)
                    except FieldError as error:
                        yield kept_aside(name, where, str(error), raw_of(raw))
                    else:
                        yield from (Drafted(name, draft) for draft in drafts)
                    yield from _broken(name, where, issues.broken)
            yield from (Drafted(name, actor) for actor in roster.corrections())


def _drafts(issue: Issue, project: str, roster: Roster, places: Places) -> list[Draft]:
    records = list(issue_drafts(issue))
    for record in records:
        for person in record.mentions:
            roster.add(person)
    return [*roster.news(), *places.of(issue, project), *records]


def _broken(name: str, position: str, broken: list[tuple[str, str]]) -> Iterator[Drafted]:
    """The parts of an issue that could not be read; the list is emptied for the next issue."""
    yield from (kept_aside(name, position, reason, raw) for reason, raw in broken)
    broken.clear()


def _is_csv(tree: FileTree, name: str) -> bool:
    try:
        return KEY in csv_columns(_head(tree, name), columns_of)
    except UnreadableInput:
        return False


def _rows(tree: FileTree, name: str) -> Iterator[tuple[str, Mapping[str, list[str]] | Broken]]:
    position = "the beginning"
    try:
        with tree.open(name) as file:
            for position, row in csv_cells(file, _head(tree, name), columns_of):
                yield position, row
    except UnreadableInput as error:
        yield f"after {position}", Broken(str(error))


def _is_json(tree: FileTree, name: str) -> bool:
    try:
        if b"{" not in _head(tree, name)[:256]:
            return False
        return any(next(issues_in(value), None) is not None for _, value in islice(_values(tree, name), VALUES_TRIED))
    except UnreadableInput:
        return False


def _values(tree: FileTree, name: str) -> Iterator[tuple[str, object]]:
    with tree.open(name) as file:
        yield from stream_values(file, parts=True)


def _head(tree: FileTree, name: str) -> bytes:
    with tree.open(name) as file:
        return file.read(HEAD_BYTES)
