"""Date phrases in questions: what they mean, what is none, and where the days of a zone begin."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.calendar_periods import CALENDAR_FORMS
from treering.text.ranges import DatePhrase, covers, date_phrases
from treering.text.relative_periods import RELATIVE_FORMS

UNTIMED = settings(deadline=None)
ASKED = datetime(2024, 6, 12, 9, 30, tzinfo=UTC)  # a Wednesday
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [UTC, BERLIN, ZoneInfo("America/St_Johns"), ZoneInfo("Pacific/Kiritimati"), ZoneInfo("America/Sao_Paulo")]


def found(text: str, zone=UTC) -> list[str]:
    """Each phrase as `text: first..last`, the days as they are written; an open end is left empty."""
    return [f"{phrase.text}: {_day(phrase.first)}..{_day(phrase.last)}" for phrase in date_phrases(text, ASKED, zone)]


def _day(moment: datetime | None) -> str:
    return "" if moment is None else moment.strftime("%Y-%m-%d")


def one(text: str, zone=UTC) -> DatePhrase:
    [phrase] = date_phrases(text, ASKED, zone)
    return phrase


def bounds(text: str, zone=UTC) -> tuple[datetime, datetime]:
    phrase = one(text, zone)
    assert phrase.first is not None
    assert phrase.last is not None
    return phrase.first, phrase.last


# Phrase, first day, first day that is out.
RANGES = """
2024-03-04                     2024-03-04 2024-03-05
2024-03                        2024-03-01 2024-04-01
2023-12                        2023-12-01 2024-01-01
2024/03/04                     2024-03-04 2024-03-05
2024-W10                       2024-03-04 2024-03-11
2024-03-04T10:30               2024-03-04 2024-03-05
2024-03-04 10:30:15            2024-03-04 2024-03-05
2024-03-04T23:30:00-05:00      2024-03-05 2024-03-06
04.03.2024                     2024-03-04 2024-03-05
4 March 2024                   2024-03-04 2024-03-05
4th of March 2024              2024-03-04 2024-03-05
March 4th, 2024                2024-03-04 2024-03-05
March 4 2024                   2024-03-04 2024-03-05
March the 4th                  2024-03-04 2024-03-05
Mar. 4, 2024                   2024-03-04 2024-03-05
13-Jun-2000                    2000-06-13 2000-06-14
Monday, 4 March 2024           2024-03-04 2024-03-05
Mon, the 4th of March          2024-03-04 2024-03-05
29 February                    2024-02-29 2024-03-01
5 Mar                          2024-03-05 2024-03-06
Mar 5                          2024-03-05 2024-03-06
12 June                        2024-06-12 2024-06-13
13 June                        2023-06-13 2023-06-14
3-5 March 2024                 2024-03-03 2024-03-06
3 to 5 March                   2024-03-03 2024-03-06
March 3–5, 2024                2024-03-03 2024-03-06
4. März 2024                   2024-03-04 2024-03-05
4 mars 2024                    2024-03-04 2024-03-05
4 de marzo de 2024             2024-03-04 2024-03-05
décembre 2023                  2023-12-01 2024-01-01
March 2024                     2024-03-01 2024-04-01
march 2024                     2024-03-01 2024-04-01
March of 2024                  2024-03-01 2024-04-01
Sept 2023                      2023-09-01 2023-10-01
July                           2023-07-01 2023-08-01
last May                       2024-05-01 2024-06-01
last June                      2023-06-01 2023-07-01
this June                      2024-06-01 2024-07-01
this September                 2024-09-01 2024-10-01
Q3 2021                        2021-07-01 2021-10-01
2021-Q3                        2021-07-01 2021-10-01
Q1/2024                        2024-01-01 2024-04-01
third quarter of 2021          2021-07-01 2021-10-01
last quarter of 2021           2021-10-01 2022-01-01
Q2                             2024-04-01 2024-07-01
Q3                             2023-07-01 2023-10-01
H1 2023                        2023-01-01 2023-07-01
2023H2                         2023-07-01 2024-01-01
first half of 2023             2023-01-01 2023-07-01
second half of March 2024      2024-03-16 2024-04-01
spring 2017                    2017-03-01 2017-06-01
summer of 2020                 2020-06-01 2020-09-01
autumn 2020                    2020-09-01 2020-12-01
Fall 2020                      2020-09-01 2020-12-01
winter 2020                    2020-12-01 2021-03-01
winter 2020/21                 2020-12-01 2021-03-01
last winter                    2023-12-01 2024-03-01
this spring                    2024-03-01 2024-06-01
last summer                    2023-06-01 2023-09-01
early 2024                     2024-01-01 2024-05-01
mid-2024                       2024-05-01 2024-09-01
late 2021                      2021-09-01 2022-01-01
end of 2019                    2019-09-01 2020-01-01
beginning of 2019              2019-01-01 2019-05-01
start of the year 2019         2019-01-01 2019-05-01
mid November 2021              2021-11-11 2021-11-21
late May                       2024-05-21 2024-06-01
early summer 2020              2020-06-01 2020-07-01
end of last year               2023-09-01 2024-01-01
first quarter of last year     2023-01-01 2023-04-01
early last month               2024-05-01 2024-05-11
New Year 2019                  2019-01-01 2019-01-02
New Year's Eve 2019            2019-12-31 2020-01-01
last New Year                  2024-01-01 2024-01-02
week of 2024-03-06             2024-03-04 2024-03-11
week of March 6th              2024-03-04 2024-03-11
first week of March 2024       2024-03-01 2024-03-08
last day of 2023               2023-12-31 2024-01-01
last three months of 2019      2019-10-01 2020-01-01
last 3 days                    2024-06-09 2024-06-13
past two weeks                 2024-05-29 2024-06-13
previous 2 months              2024-04-12 2024-06-13
last 4 quarters                2023-06-12 2024-06-13
the last 2 years               2022-06-12 2024-06-13
last 48 hours                  2024-06-10 2024-06-13
the last few days              2024-06-09 2024-06-13
past month                     2024-05-12 2024-06-13
last week                      2024-06-03 2024-06-10
last month                     2024-05-01 2024-06-01
last quarter                   2024-01-01 2024-04-01
last year                      2023-01-01 2024-01-01
previous month                 2024-05-01 2024-06-01
this week                      2024-06-10 2024-06-17
this month                     2024-06-01 2024-07-01
this quarter                   2024-04-01 2024-07-01
the current year               2024-01-01 2025-01-01
3 days ago                     2024-06-09 2024-06-10
a week ago                     2024-06-03 2024-06-10
two months ago                 2024-04-01 2024-05-01
a couple of years ago          2022-01-01 2023-01-01
yesterday                      2024-06-11 2024-06-12
today                          2024-06-12 2024-06-13
this morning                   2024-06-12 2024-06-13
last night                     2024-06-11 2024-06-13
the day before yesterday       2024-06-10 2024-06-11
last Friday                    2024-06-07 2024-06-08
last Wednesday                 2024-06-05 2024-06-06
this Friday                    2024-06-14 2024-06-15
Monday last week               2024-06-03 2024-06-04
between 2024-03-04 and 2024-03-08   2024-03-04 2024-03-09
between March and May 2024     2024-03-01 2024-06-01
between 2019 and 2021          2019-01-01 2022-01-01
between early 2019 and mid 2020    2019-01-01 2020-09-01
between Monday and yesterday   2024-06-10 2024-06-12
from March to May              2024-03-01 2024-06-01
from November to February      2023-11-01 2024-03-01
from 28 March 2024 until May   2024-03-28 2024-06-01
from 4 March 2024 to 8 March   2024-03-04 2024-03-09
from Q1 through Q3 2023        2023-01-01 2023-10-01
March to May 2024              2024-03-01 2024-06-01
4 March 2024 – 8 March 2024    2024-03-04 2024-03-09
2024-03-01 .. 2024-03-05       2024-03-01 2024-03-06
between 2021 and 2019          2019-01-01 2022-01-01
"""


@pytest.mark.parametrize("line", RANGES.strip().splitlines())
def test_a_phrase_means_the_days_from_the_first_up_to_the_one_after_the_last(line):
    phrase, first, last = (part.strip() for part in line.rsplit(maxsplit=2))
    expected = [f"{phrase}: {first}..{last}"]
    assert found(phrase) == expected
    assert found(f"What was agreed, {phrase}?") == expected
    assert found(f"({phrase}) who said so") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since March 2024", "since March 2024: 2024-03-01.."),
        ("ever since 2019", "ever since 2019: 2019-01-01.."),
        ("since two weeks ago", "since two weeks ago: 2024-05-27.."),
        ("since New Year", "since New Year: 2024-01-01.."),
        ("not before 2023", "not before 2023: 2023-01-01.."),
        ("from 2019 on?", "from 2019 on: 2019-01-01.."),
        ("from 2019 onwards", "2019 onwards: 2019-01-01.."),
        ("4 March 2024 or later", "4 March 2024 or later: 2024-03-04.."),
        ("before March 2024", "before March 2024: ..2024-03-01"),
        ("prior to 2024-03-04", "prior to 2024-03-04: ..2024-03-04"),
        ("before the end of 2019", "before the end of 2019: ..2020-01-01"),
        ("before mid-2024", "before mid-2024: ..2024-05-01"),
        ("in 2019 or earlier", "2019 or earlier: ..2020-01-01"),
        ("after March 2024", "after March 2024: 2024-04-01.."),
        ("after the beginning of 2019", "after the beginning of 2019: 2019-01-01.."),
        ("later than 2024-03-04", "later than 2024-03-04: 2024-03-05.."),
        ("after:2024-03-04", "after:2024-03-04: 2024-03-05.."),
        ("until Monday", "until Monday: ..2024-06-11"),
        ("up until 4 March", "up until 4 March: ..2024-03-05"),
        ("by 2019", "by 2019: ..2020-01-01"),
        ("by the end of May", "by the end of May: ..2024-06-01"),
        ("no later than 2024-03-04", "no later than 2024-03-04: ..2024-03-05"),
        ("As of September 2020", "As of September 2020: ..2020-10-01"),
        ("as of 20 February: which", "as of 20 February: ..2024-02-21"),
    ],
)
def test_words_before_and_after_open_one_end(text, expected):
    assert found(text) == [expected]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("in 2019", "2019"),
        ("In 2019 Ana promised it", "2019"),
        ("what in 2019 changed", "2019"),
        ("during 2019 we", "2019"),
        ("in the year 2019", "2019"),
        ("the plan for 2024", "2024"),
        ("in 2010-2020", "2010-2020"),
        ("in March we met", "March"),
        ("in may or june", "may"),
        ("what about March?", "March"),
        ("the May update", "May"),
        ("before May we shipped", "before May"),
        ("what was said last march?", "last march"),
        ("in mid May", "mid May"),
        ("in Jan", "Jan"),
        ("on Monday", "Monday"),
        ("on Mon", "Mon"),
        ("the notes from thursday", "thursday"),
        ("in Q2 or so", "Q2"),
        ("on:2024-03-05", "2024-03-05"),
        ("over the last year", "the last year"),
        ("last year's settings", "last year"),
        ("yesterday's call", "yesterday"),
    ],
)
def test_some_names_are_dates_only_after_the_right_words(text, phrase):
    assert date_phrases(text, ASKED, UTC)[0].text == phrase


def test_the_last_year_is_that_of_the_calendar_and_over_the_last_year_is_up_to_now():
    assert found("in the last year") == ["the last year: 2023-06-12..2024-06-13"]
    assert found("the last year was hard") == ["the last year: 2023-01-01..2024-01-01"]


NONE = """
|May I ask who owns this?|may we ship|you may 5 times|you MAY not|this may fail|the last may be wrong
|This May Be Wrong|last May be|what may help|before may help|but May I ask|Does Node 16 may fail|Node 16. May we
|March on!|march on Rome|they march 5 miles|the March on Rome|march of time|March|Theresa May said|James March wrote
|Is it with April?|Ask June|April's mail|in Jan's mail|in april's words|for August|an august body|in mar|Mars 2020
|DEC 10|dec 10 is ten|2000 users|in 2000 users|by 2000 users|after 2000 failed requests|from 2000 to 2048 tokens
|within 2000 ms|in 2048 MB|since 2000 active new users|increased by 2000|grew by 2000.|fell by 2000|up to 2000|of 2019
|a total of 2019|around 2000|#2019|v2.2019|2019.1|1,2019|$2019|2019%|2019-|-2019|in 2019-era|in 12019|in 20190|@2019
|in $2000|to 2019|the 2019 charter|2019|2019 was|is 2024 the one|room 2019|port 2019|ES2020|Windows 2000
|in Office 2019|PEP 2026|RFC 2019|pages 2010-2020|lines 1990-2005|CVE-2024-03|2024-03-04-notes.md|2024-03-04.md
|x/2024-03-04|https://x.example/2024/03/04/a|2024-13|2024-02-30|2024-3-4|2024-03-4|March 32|0 March|2023-02-29
|2024-W60|32.01.2024|1.2.3|2024-03-04T25:00|4/3/2024|03/04/24|4/3|10:30|24/7|week 10|the 4th|on the 22nd floor
|20 minutes|12 of 14|every Monday|on Mondays|Monday|the Monday call|Monday to Friday|next Monday|on sun|next March
|every October|each July|coming Q3|Q2: what|q2|Q5|Q2'24x|H1|in H1|h2 heading|spring|in summer|spring boot
|Summer of Code|every spring|happy new year|New Year's resolution|a new year|last one|last years|the last|last day
|last hour|past due|the past|last in|a year later|two years in a row|per year|for 3 days|3 days|a few days
|within a week|days ago|long ago|every third year|nowadays|todays|yesterdays|sooner|as of now|since when|since then
|before lunch|after all|until further notice|by then|between Ana and Ben|between 3 and 5|from here to there
|between 10 and 20 people|first half of the talk|end of the day|the last week of school|early bird|late reply
|mid level|week of testing|decimal|marching|maybe|sunday school|monday.com|Friday's|juneau|augustus|janitor|mayor
|decode|novel|septic|octet|sat down|wed Ana
"""


@pytest.mark.parametrize("text", NONE.replace("\n", "").split("|"))
def test_what_only_looks_like_a_date_is_none(text):
    assert found(text) == []


def test_of_phrases_that_overlap_the_longest_is_taken():
    assert found("on Monday, 4 March 2024, at 10") == ["Monday, 4 March 2024: 2024-03-04..2024-03-05"]
    assert found("the last week of March 2024") == ["last week of March 2024: 2024-03-25..2024-04-01"]
    assert found("between the first half of 2019 and Q3 2020") == [
        "between the first half of 2019 and Q3 2020: 2019-01-01..2020-10-01"
    ]


def test_several_phrases_come_in_order():
    text = "in 2019 and 2021, then since 4 March 2024; not yesterday"
    assert [phrase.text for phrase in date_phrases(text, ASKED, UTC)] == [
        "2019",
        "2021",
        "since 4 March 2024",
        "yesterday",
    ]


def test_a_day_that_does_not_exist_leaves_its_month():
    assert found("30 February 2024") == ["February 2024: 2024-02-01..2024-03-01"]


def test_a_count_after_a_month_is_no_day_of_it():
    assert found("in March 20 people joined") == ["March: 2024-03-01..2024-04-01"]
    assert found("on March 20 people joined") == ["March 20: 2024-03-20..2024-03-21"]


@pytest.mark.parametrize("day", ["2024-03-31", "2024-10-27", "2024-03-30"])
def test_days_on_which_clocks_change_have_their_true_length(day):
    hours = {"2024-03-31": 23, "2024-10-27": 25, "2024-03-30": 24}[day]
    first, last = bounds(f"on {day}", BERLIN)
    assert last - first == timedelta(hours=hours)


def test_a_day_begins_and_ends_at_midnight_of_the_zone_and_every_instant_is_in_one_day():
    east = timezone(timedelta(hours=2))
    fifth, sixth = one("on:2024-03-05", east), one("on:2024-03-06", east)
    assert covers(fifth, datetime(2024, 3, 4, 23, 30, tzinfo=UTC))
    for moment in (datetime(2024, 3, 5, 23, 59, 59, 999999, tzinfo=east), datetime(2024, 3, 6, tzinfo=east)):
        assert covers(fifth, moment) is not covers(sixth, moment)


def test_a_day_whose_midnight_is_skipped_begins_when_the_clock_jumps():
    first, last = bounds("on 2018-11-04", ZoneInfo("America/Sao_Paulo"))
    assert (first.hour, last - first) == (3, timedelta(hours=23))


def test_a_day_that_a_zone_left_out_is_no_phrase():
    assert date_phrases("on 2011-12-30", ASKED, ZoneInfo("Pacific/Apia")) == ()


def test_yesterday_is_told_from_the_day_of_the_asker_not_from_that_of_utc():
    asked_at = datetime(2023, 5, 7, 23, 30, tzinfo=UTC)
    assert date_phrases("yesterday", asked_at, UTC)[0].first == datetime(2023, 5, 6, tzinfo=UTC)
    tokyo = ZoneInfo("Asia/Tokyo")
    assert date_phrases("yesterday", asked_at, tokyo)[0].first == datetime(2023, 5, 7, tzinfo=tokyo)


def test_a_time_of_asking_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="needs a zone"):
        date_phrases("yesterday", datetime(2024, 6, 12), UTC)  # noqa: DTZ001


def test_an_open_end_covers_all_that_lies_beyond():
    assert covers(one("since 2019"), datetime(9999, 1, 1, tzinfo=UTC))
    assert covers(one("before 2019"), datetime(1, 1, 2, tzinfo=UTC))
    assert not covers(one("before 2019"), datetime(2019, 1, 1, tzinfo=UTC))


def test_every_form_is_of_bounded_length_so_that_no_text_costs_more_than_its_length():
    for pattern, _ in (*CALENDAR_FORMS, *RELATIVE_FORMS):
        bare = pattern.pattern.replace(r"\+", "").replace("+-", "")
        assert not set("*+") & set(bare), pattern.pattern
        assert ",}" not in bare, pattern.pattern


@pytest.mark.parametrize(
    "filler",
    [
        "2024-03-",
        "last ",
        "between March and ",
        "\n \t",
        "1 ",
        "on Monday, the 4th of ",
        "early the ",
        "since in the ",
        "a few ",
    ],
)
def test_long_texts_are_read_to_the_end(filler):
    text = filler * (40_000 // len(filler)) + " ; on 2024-03-04"
    assert date_phrases(text, ASKED, UTC)[-1].text == "2024-03-04"


_WORDS = """
    2019 2024-03-04 March may May last since between and to from the of on 4 4th , . ? Q3 H1 week end early Monday
    yesterday ago 3 days month year before by as in 2021 - – : users spring New Year's next first half Feb 29 31
"""
WORDS = st.sampled_from(_WORDS.split())


@UNTIMED
@given(st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=60), st.sampled_from(ZONES))
def test_phrases_are_parts_of_the_text_in_order_and_their_ranges_are_not_empty(text, zone):
    stop = 0
    for phrase in date_phrases(text, ASKED, zone):
        assert stop <= phrase.start < phrase.stop <= len(text)
        assert text[phrase.start : phrase.stop] == phrase.text
        assert phrase.text.strip() == phrase.text
        assert phrase.first is not None or phrase.last is not None
        if phrase.first is not None and phrase.last is not None:
            assert phrase.first < phrase.last
        stop = phrase.stop


@UNTIMED
@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(ZONES))
def test_a_day_in_iso_form_is_that_day_in_its_zone(day, zone):
    first, last = bounds(f"on {day.isoformat()}?", zone)
    assert first.astimezone(zone).date() == day
    assert (last - timedelta(microseconds=1)).astimezone(zone).date() == day
    assert bounds(f"on {day.day} {day.strftime('%B')} {day.year}", zone) == (first, last)


@UNTIMED
@given(st.lists(WORDS, max_size=10).map(" ".join), st.integers(-11, 12))
def test_another_zone_shifts_every_range_by_its_offset(text, hours):
    asked_at = datetime(2024, 6, 12, 12, tzinfo=UTC)  # the same day in every zone from -12 to +12
    shift = timedelta(hours=hours)
    for here, there in zip(
        date_phrases(text, asked_at, UTC), date_phrases(text, asked_at, timezone(shift)), strict=True
    ):
        assert (here.text, here.start) == (there.text, there.start)
        for ours, theirs in ((here.first, there.first), (here.last, there.last)):
            assert ours == (theirs and theirs + shift)


@UNTIMED
@given(st.dates(date(1990, 1, 1), date(2080, 1, 1)), st.times(timezones=st.just(UTC)), st.sampled_from(ZONES))
def test_what_is_named_without_its_year_has_begun_by_the_day_of_asking(day, clock, zone):
    asked_at = datetime.combine(day, clock)
    today = asked_at.astimezone(zone).date()
    text = "March? on Monday, last Friday, last May, last week, 3 days ago, yesterday, 29 February, last winter, Q3"
    phrases = date_phrases(f"in {text}", asked_at, zone)
    assert len(phrases) == 10
    for phrase in phrases:
        assert phrase.first is not None
        assert phrase.first.astimezone(zone).date() <= today
