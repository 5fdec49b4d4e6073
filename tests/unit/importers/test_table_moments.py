"""Times as tables give them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.moments import read_moment
from treering.importers.narrowing import FieldError

TEN = datetime(2024, 3, 4, 10, tzinfo=UTC)
END_OF_DAY = datetime(2024, 3, 4, 23, 59, 59, 999999, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-04T10:00:00Z",
        "2024-03-04t10:00:00z",
        "2024-03-04 10:00:00+00:00",
        "2024-03-04 12:00:00 +0200",
        "2024-03-04 10:00 UTC",
        "2024/3/4 10:00:00,0",
        "20240304T100000Z",
        "Mon, 4 Mar 2024 12:00:00 +0200",
        "1709546400",
        "1709546400.0",
        1709546400,
        1709546400.0,
        1709546400000,
        1709546400000000,
        1709546400000000000,
    ],
)
def test_one_moment_is_read_however_it_is_written(written):
    assert read_moment(written).at == TEN


@pytest.mark.parametrize("written", ["2024-03-04T10:00:00", "2024-03-04 10:00", "Mon, 4 Mar 2024 10:00:00"])
def test_a_time_without_a_zone_is_utc_and_its_words_are_kept(written):
    moment = read_moment(written)
    assert (moment.at, moment.raw) == (TEN, written)


@pytest.mark.parametrize("written", ["2024-03-04", "2024/3/4", "20240304", 20240304, "4 Mar 2024", "Mon, 4 Mar 2024"])
def test_a_date_without_a_time_is_the_end_of_that_day(written):
    assert read_moment(written).at == END_OF_DAY


def test_microseconds_of_a_floating_epoch_are_exact():
    assert read_moment(1709546400.123456).at.microsecond == 123456


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("03/04/2024 10:00", "cannot be read"),
        ("yesterday", "cannot be read"),
        ("2024-02-30", "cannot be read"),
        ("2024-02-30 10:00", "cannot be read"),
        ("", "empty"),
        (None, "missing"),
        (0, "cannot be read"),
        (-5, "cannot be read"),
        (float("nan"), "cannot be read"),
        (float("inf"), "cannot be read"),
        (10**400, "cannot be read"),
        (True, "neither text nor a number"),
        (["2024-03-04"], "neither text nor a number"),
        ("0100-06-14T05:41:34Z", "outside the years"),
        ("9999-12-31T23:59:59-01:00", "outside the years"),
    ],
)
def test_what_is_no_time_is_refused_with_a_reason(written, reason):
    with pytest.raises(FieldError, match=reason):
        read_moment(written)


@given(
    seconds=st.floats(1e8, 5e9),
    offset=st.integers(-14 * 60, 14 * 60),
)
def test_every_aware_iso_time_is_read_as_the_same_instant(seconds, offset):
    aware = datetime.fromtimestamp(seconds, timezone(timedelta(minutes=offset)))
    read = read_moment(aware.isoformat()).at
    assert read == aware
    assert read.utcoffset() == timedelta(0)


@given(st.one_of(st.text(max_size=40), st.integers(), st.floats(), st.none(), st.booleans()))
def test_any_value_gives_a_time_within_bounds_or_a_reason(value):
    try:
        moment = read_moment(value)
    except FieldError:
        return
    assert 1900 <= moment.at.year <= 2199
