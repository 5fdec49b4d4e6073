"""Jira's CSV exports."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.outcome import Outcome, mutations
from treering.errors import UsageError
from treering.importers.jira import JiraCsv
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.narrowing import FieldError
from treering.importers.protocol import ImportOptions
from treering.importers.written_dates import WrittenDates
from treering.model.drafts import ChannelKind

HEADER = "Issue key,Issue id,Summary,Status,Created"


def read(tmp_path: Path, content: str | bytes, **options: object) -> Outcome:
    path = tmp_path / "issues.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Outcome(JiraCsv(), path, ImportOptions(**options))  # type: ignore[arg-type]


def row(header: str, cells: str) -> str:
    return f"{HEADER},{header}\nKES-1,10001,Login fails,Done,04/Mar/24 9:00 AM,{cells}\n"


def test_b44_repeated_columns_are_all_read_and_a_comment_may_contain_semicolons_and_lines(tmp_path: Path):
    content = row(
        "Labels,Labels,Comment,Comment",
        'urgent,security,"04/Mar/24 10:00 AM;ana;Deploy at 9;30; then check","05/Mar/24 9:15 AM;712020:aa;two\nlines"',
    )
    found = read(tmp_path, content)
    assert found.recognized
    first, second = [record for record in found.records if "/comment/" in record.source_id]
    assert (first.text, first.author, first.valid_from) == (
        "Deploy at 9;30; then check",
        "ana",
        datetime(2024, 3, 4, 10, tzinfo=UTC),
    )
    assert (second.text, second.author, second.reply_to) == ("two\nlines", "712020:aa", "KES-1")
    assert found.by_id["KES-1"].title == "KES-1: Login fails"
    assert found.by_id["KES-1#state@2024-03-05T09:15:00Z"].text == "Status: Done\nLabels: urgent, security"


def test_an_issue_holds_from_its_creation_and_its_state_from_its_last_change(tmp_path: Path):
    found = read(tmp_path, row("Updated,Description", '06/Mar/24 9:00 AM,"It [~ana] fails"'))
    issue, state = found.records
    assert (issue.text, issue.mentions, issue.valid_from) == (
        "It [~ana] fails",
        ("ana",),
        datetime(2024, 3, 4, 9, tzinfo=UTC),
    )
    assert (state.text, state.valid_from) == ("Status: Done", datetime(2024, 3, 6, 9, tzinfo=UTC))


def test_people_are_called_by_their_account_where_the_export_gives_one(tmp_path: Path):
    found = read(tmp_path, row("Reporter,Reporter Id,Assignee,Assignee Id", "Ana Lobo,557058:a,Ben Okoro,557058:b"))
    assert found.by_id["KES-1"].author == "557058:a"
    assert found.actors["557058:a"].name == "Ana Lobo"
    state = found.records[1]
    assert (state.mentions, "Assignee: Ben Okoro" in state.text) == (("557058:b",), True)
    assert read(tmp_path, row("Reporter", "ana.l")).by_id["KES-1"].author == "ana.l"


def test_custom_fields_parents_and_links_are_told_and_lead_to_the_other_issues(tmp_path: Path):
    content = row(
        "Custom field (Team),Parent key,Outward issue link (Blocks),Outward issue link (Blocks),Parent",
        "Kestrel,KES-9,KES-2,KES-3,10009",
    )
    state = read(tmp_path, content).records[1]
    assert state.refs == ("KES-9", "KES-2", "KES-3")
    assert state.text == (
        "Status: Done\nTeam: Kestrel\nParent key: KES-9\nBlocks (outward): KES-2, KES-3\nParent: 10009"
    )


def test_attachments_work_logs_and_histories_are_dated_notes(tmp_path: Path):
    content = row(
        "Attachment,Log Work,Status history,Log Work",
        "04/Mar/24 11:00 AM;ana;plan.pdf;https://j.example/plan.pdf,looked; twice;04/Mar/24 12:00 PM;ben;3600,"
        "05/Mar/24 1:00 PM;ben;To Do;Done,;06/Mar/24 1:00 PM;ben;60",
    )
    attached, logged, again, moved = read(tmp_path, content).records[2:]
    assert attached.attachments[0].name == "plan.pdf"
    assert attached.links == ("https://j.example/plan.pdf",)
    assert (logged.text, logged.author) == ("looked; twice", "ben")
    assert (again.text, again.valid_from) == ("logged work", datetime(2024, 3, 6, 13, tzinfo=UTC))
    assert (moved.text, moved.valid_from) == ("To Do → Done", datetime(2024, 3, 5, 13, tzinfo=UTC))


def test_two_comments_of_one_person_in_one_minute_are_two_records(tmp_path: Path):
    cells = "04/Mar/24 10:00 AM;ana;one,04/Mar/24 10:00 AM;ana;two"
    first, second = read(tmp_path, row("Comment,Comment", cells)).records[2:]
    assert (first.lineage, second.lineage) == (
        "KES-1/comment/2024-03-04T10:00:00/ana",
        "KES-1/comment/2024-03-04T10:00:00/ana/2",
    )
    assert first.order_hint < second.order_hint


def test_an_issue_with_a_security_level_lies_in_a_channel_that_nobody_is_known_to_read(tmp_path: Path):
    content = row("Security Level,Project name", "Board only,Kestrel")
    found = read(tmp_path, content, visibility=ChannelKind.PUBLIC)
    assert {record.channel for record in found.records} == {"KES/Board only"}
    (channel,) = found.channels.values()
    assert (channel.kind, channel.members, channel.stated) == (ChannelKind.PRIVATE, None, True)


def test_one_cell_that_does_not_read_is_kept_aside_and_the_issue_goes_in(tmp_path: Path):
    found = read(tmp_path, row("Comment,Comment", "never;ana;lost,04/Mar/24 10:00 AM;ana;kept"))
    assert found.texts[2:] == ["kept"]
    assert found.reasons == ["the date of a cell of Comment cannot be read: 'never'"]
    assert found.quarantined[0].raw == "KES-1: Comment: never;ana;lost"


def test_rows_without_key_or_date_are_kept_aside_with_their_lines(tmp_path: Path):
    content = f"{HEADER}\n,1,x,Done,04/Mar/24\nKES-2,2,y,Done,\nKES-3,3,z,Done,31/Feb/24\nKES-4,4,w,Done,04/Mar/24\n"
    found = read(tmp_path, content)
    assert [bad.position for bad in found.quarantined] == ["line 2", "line 3", "line 4"]
    assert "KES-4" in found.by_id


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("04/Mar/24 1:30 PM", "2024-03-04T13:30:00+00:00"),
        ("4/mars/24 13:30", "2024-03-04T13:30:00+00:00"),
        ("04. März 2024 13:30", "2024-03-04T13:30:00+00:00"),
        ("04/мар/24 13:30", "2024-03-04T13:30:00+00:00"),
        ("Mar 4, 2024, 1:30 PM", "2024-03-04T13:30:00+00:00"),
        ("2024-03-04 13:30", "2024-03-04T13:30:00+00:00"),
        ("2024/03/04 13:30:15", "2024-03-04T13:30:15+00:00"),
        ("2024-03-04T13:30:00.000+0100", "2024-03-04T12:30:00+00:00"),
        ("12/Dec/23 12:05 AM", "2023-12-12T00:05:00+00:00"),
        ("04/Mar/24", "2024-03-04T23:59:59.999999+00:00"),
    ],
)
def test_b44_dates_are_read_in_the_looks_that_users_choose(written: str, expected: str):
    assert WrittenDates().read(written, "Created").at.isoformat() == expected


@pytest.mark.parametrize(
    "written", ["04/Mar/24 13:30 PM", "31/Feb/24 1:00 AM", "04/Foo/24", "", "3/4/24 10:00", "04/Mar/24 9:00 XM"]
)
def test_what_is_no_date_is_not_guessed_at(written: str):
    with pytest.raises(FieldError):
        WrittenDates().read(written, "Created")


def test_times_are_those_of_the_zone_that_the_operator_names(tmp_path: Path):
    issue = read(tmp_path, row("Votes", "0"), zone="Europe/Berlin").by_id["KES-1"]
    assert issue.valid_from == datetime(2024, 3, 4, 8, tzinfo=UTC)
    assert issue.valid_from_raw == "04/Mar/24 9:00 AM (Europe/Berlin)"
    assert read(tmp_path, row("Votes", "0")).skipped == {UTC_ASSUMED: 1}


def test_b28_one_order_of_day_and_month_holds_for_a_file_and_is_asked_for_where_it_is_open(tmp_path: Path):
    rows = "KES-1,1,x,Done,3/4/24 9:00\nKES-2,2,y,Done,{} 9:00\n"
    told = read(tmp_path, f"{HEADER}\n{rows.format('13/4/24')}")
    assert told.by_id["KES-1"].valid_from == datetime(2024, 4, 3, 9, tzinfo=UTC)
    other = read(tmp_path, f"{HEADER}\n{rows.format('4/13/24')}")
    assert other.by_id["KES-1"].valid_from == datetime(2024, 3, 4, 9, tzinfo=UTC)
    open_one = f"{HEADER}\n{rows.format('3/5/24')}"
    with pytest.raises(UsageError, match=r"issues.csv: the dates, such as '3/4/24 9:00', read with"):
        read(tmp_path, open_one)
    assert read(tmp_path, open_one, date_order="mdy").by_id["KES-1"].valid_from == datetime(2024, 3, 4, 9, tzinfo=UTC)


def test_a_stray_date_of_numbers_is_kept_aside_and_asks_for_nothing(tmp_path: Path):
    found = read(tmp_path, row("Comment,Comment", "3/4/24 9:00;ana;x,05/Mar/24 9:00 AM;ana;y"))
    assert found.reasons == ["the date of a cell of Comment cannot be read: '3/4/24 9:00'"]
    assert "y" in found.texts


def test_an_order_that_there_is_not_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no order of dates is called 'ydm'; there are dmy, mdy, ymd"):
        read(tmp_path, row("Votes", "0"), date_order="ydm")


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_and_a_mark_at_the_beginning_are_read(tmp_path: Path, delimiter: str):
    content = "\ufeff" + row("Votes", "0").replace(",", delimiter)
    found = read(tmp_path, content)
    assert found.recognized
    assert "KES-1" in found.by_id


def test_another_table_is_not_recognized(tmp_path: Path):
    assert not read(tmp_path, "id,sent_at,channel,text\n1,2024-03-04,ops,x\n").recognized


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(5)), cut=st.integers(0, 5))
def test_neither_order_nor_split_of_the_rows_changes_the_records(tmp_path: Path, order: list[int], cut: int):
    rows = [f'KES-{n},{n},s{n},Done,0{n + 1}/Mar/24 9:00 AM,"0{n + 2}/Mar/24 9:00 AM;ana;c{n}"' for n in range(5)]
    header = f"{HEADER},Comment"
    once = read(tmp_path, "\n".join([header, *rows]))
    parts = [[rows[place] for place in order[:cut]], [rows[place] for place in order[cut:]]]
    many = [record for part in parts for record in read(tmp_path, "\n".join([header, *part])).records]
    assert set(map(repr, once.records)) == set(map(repr, many))


def test_a_damaged_export_never_crashes_and_loses_nothing_that_is_whole(tmp_path: Path):
    rows = [f'KES-{n},{n},s{n},Done,04/Mar/24 9:00 AM,"05/Mar/24 9:00 AM;ana;c{n}"'.encode() for n in range(30)]
    content = b"\n".join([f"{HEADER},Comment".encode(), *rows])
    for damaged in mutations(content, count=200, seed=6):
        try:
            found = read(tmp_path, damaged)
        except UsageError:
            continue
        lost = 30 - len(set(rows) & set(damaged.split(b"\n")))
        issues = {
            record.source_id for record in found.records if "/" not in record.source_id and "#" not in record.source_id
        }
        assert len(issues) >= 30 - lost or found.quarantined or not found.recognized
