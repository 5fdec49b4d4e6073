"""The days that a message speaks of."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.temporal.said_dates import said_dates

SUNDAY = datetime(2023, 5, 7, 12, tzinfo=UTC)
HERE = "2023-05-07T14:00:00+02:00"


def days(text: str, written: str = HERE, at: datetime = SUNDAY) -> list[str]:
    return [str(one).partition(" is ")[2] for one in said_dates(text, at, written)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I went yesterday", "2023-05-06"),
        ("done today, finally", "2023-05-07"),
        ("the day before yesterday it broke", "2023-05-05"),
        ("two weeks ago we agreed", "2023-04-17 to 2023-04-23"),
        ("it rained last month", "2023-04-01 to 2023-04-30"),
        ("we met on 2 May", "2023-05-02"),
        ("the release is on 12 May", "2023-05-12"),  # to come, and no year behind
        ("as on 12 December", "2022-12-12"),
        ("back in May 2020", "2020-05-01 to 2020-05-31"),
    ],
)
def test_a_phrase_is_read_as_of_the_day_on_which_it_was_said(text: str, meant: str) -> None:
    assert days(text) == [meant]


@pytest.mark.parametrize("text", ["since March", "before 2020", "may I ask", "nothing of the kind", ""])
def test_what_names_no_stretch_of_days_is_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2023-05-08T01:30:00+14:00", "2023-05-07"),
        ("Sun, 7 May 2023 00:30:00 -1100", "2023-05-06"),
        ("2023-05-07T08:00:00-0400 (EDT)", "2023-05-06"),
        ("7/5/23, 21:00 (Asia/Tokyo)", "2023-05-06"),
        ("7/5/23, 24:00 (Pacific/Kiritimati)", "2023-05-07"),
        ("7/5/23, 12:00 (UTC assumed)", "2023-05-06 or 2023-05-07"),
        ("7/5/23, 12:00 (Nowhere/Land)", "2023-05-06 or 2023-05-07"),
        ("2023-05-07T12:00:00Z", "2023-05-06 or 2023-05-07"),
        ("2023-05-07T12:00:00+00:00", "2023-05-06 or 2023-05-07"),
        ("1683460800.000100", "2023-05-06 or 2023-05-07"),
        ("2023-05-07", "2023-05-06 or 2023-05-07"),
        ("part +99:00", "2023-05-06 or 2023-05-07"),
    ],  # at noon UTC no clock shows a third day
)
def test_the_day_is_that_on_the_writers_clock_or_any_that_it_may_be_where_it_does_not_say(
    written: str, meant: str
) -> None:
    assert days("I went yesterday", written) == [meant]


@pytest.mark.parametrize("at", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
def test_what_has_no_date_itself_tells_none(at: datetime) -> None:
    assert days("I went yesterday", "undated", at) == []


def test_a_text_is_read_as_far_as_it_costs_little() -> None:
    assert days("x " * 2_500 + "yesterday") == []


def test_of_a_long_text_every_phrase_is_found_at_its_place() -> None:
    filler = "and nothing happened here at all, not a thing, " * 5
    text = f"{filler}yesterday it broke{filler}as on 2 May 2023, {filler}and two weeks ago"
    found = said_dates(text, SUNDAY, HERE)
    assert [one.text for one in found] == ["yesterday", "2 May 2023", "two weeks ago"]
    assert [text[one.start :].startswith(one.text) for one in found] == [True] * 3


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), st.integers(-12, 14))  # noqa: DTZ001
def test_yesterday_is_the_day_before_in_every_zone_and_among_the_days_without_one(at: datetime, hours: int) -> None:
    moment = at.replace(tzinfo=UTC)
    there = (moment + timedelta(hours=hours)).date() - timedelta(days=1)
    span = (there, there + timedelta(days=1))
    if hours:
        (told,) = said_dates("yesterday", moment, f"{at.isoformat()}{hours:+03d}:00")
        assert told.readings == (span,)
    (open_,) = said_dates("yesterday", moment)
    assert span in open_.readings
    assert all(isinstance(day, date) for reading in open_.readings for day in reading)
