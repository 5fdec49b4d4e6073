"""Dates as bounds."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.errors import BadDate
from treering.text.dates import parse_bound

UNTIMED = settings(deadline=None)

BERLIN = ZoneInfo("Europe/Berlin")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2025", "2025-12-31T23:59:59.999999"),
        ("2025-02", "2025-02-28T23:59:59.999999"),
        ("2024-02", "2024-02-29T23:59:59.999999"),
        ("2025-12", "2025-12-31T23:59:59.999999"),
        (" 2025-12-02 ", "2025-12-02T23:59:59.999999"),
        ("2025-12-02T10:30", "2025-12-02T10:30:00"),
        ("2025-12-02 10:30:15.5", "2025-12-02T10:30:15.500000"),
        ("2025-12-02T10:30:00Z", "2025-12-02T10:30:00"),
        ("2025-12-02T10:30:00+01:00", "2025-12-02T09:30:00"),
        ("2025-12-02T10:30-0530", "2025-12-02T16:00:00"),
        ("2025-12-02T10:30:00.123456789", "2025-12-02T10:30:00.123456"),
    ],
)
def test_a_bound_is_the_last_instant_of_what_is_written(text, instant):
    assert parse_bound(text) == utc(instant)
    assert parse_bound(text).tzinfo is UTC


def test_a_day_ends_in_the_zone_given():
    assert parse_bound("2024-03-05", timezone(timedelta(hours=2))) == utc("2024-03-05T21:59:59.999999")


@pytest.mark.parametrize(("day", "hours"), [("2025-03-30", 23), ("2025-10-26", 25), ("2025-10-27", 24)])
def test_days_on_which_clocks_change_have_their_true_length(day, hours):
    before = str(datetime.fromisoformat(day).date() - timedelta(days=1))
    assert parse_bound(day, BERLIN) - parse_bound(before, BERLIN) == timedelta(hours=hours)


def test_a_day_whose_midnight_is_skipped_ends_where_the_next_one_starts():
    assert parse_bound("2018-11-03", ZoneInfo("America/Sao_Paulo")) == utc("2018-11-04T02:59:59.999999")


def test_a_time_that_the_clock_showed_twice_is_the_later_one():
    assert parse_bound("2025-10-26T02:30", BERLIN) == utc("2025-10-26T01:30:00")


NO_DATES = """|soon|2025-13|2025-02-30|02.12.2025|2025-1-2|2025-12-02T25:00|2025-12-02T10:30+01:75|0000|9999|9999-12-31
    |0001-01-01T00:00+14:00|2025-12-02T10|２０２５|2025-12-02T10:30+99:00"""


@pytest.mark.parametrize("text", NO_DATES.split("|"))
def test_what_is_no_date_is_refused_with_the_forms_that_are(text):
    with pytest.raises(BadDate, match="2025-12-02T10:30"):
        parse_bound(text)


@UNTIMED
@given(st.dates(date(1970, 1, 2), date(2100, 1, 1)), st.times(), st.sampled_from([UTC, BERLIN]))
def test_a_moment_lies_before_the_bound_of_its_own_day_and_after_that_of_the_day_before(day, time, zone):
    moment = datetime.combine(day, time, zone).astimezone(UTC)
    assert parse_bound(str(day - timedelta(days=1)), zone) < moment <= parse_bound(str(day), zone)
