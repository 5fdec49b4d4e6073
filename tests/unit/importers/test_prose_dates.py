from datetime import UTC, date, datetime

import pytest

from treering.importers.local_times import LocalTimes
from treering.importers.narrowing import FieldError
from treering.importers.prose_dates import month_of, read_day, read_prose


@pytest.mark.parametrize(
    "written",
    [
        "Monday, March 4, 2024 at 10:00:05 AM UTC",
        "Monday, March 4, 2024 at 10:00:05\u202fAM UTC",
        "Monday, 4 March 2024 at 10:00:05 UTC",
        "Montag, 4. März 2024 um 10:00:05 UTC",
        "lundi 4 mars 2024 à 10:00:05 UTC",
        "lunes, 4 de marzo de 2024, 10:00:05 a.\u00a0m. UTC",
        "segunda-feira, 4 de março de 2024 10:00:05 UTC",
        "lunedì 4 marzo 2024 10:00:05 UTC",
        "maandag 4 maart 2024 om 10:00:05 UTC",
        "maanantai 4. maaliskuuta 2024 klo 10.00.05 UTC",
        "poniedziałek, 4 marca 2024 10:00:05 UTC",
        "pondělí 4. března 2024 10:00:05 UTC",
        "2024. március 4., hétfő 10:00:05 UTC",
        "4 Mart 2024 Pazartesi 10:00:05 UTC",
        "понедельник, 4 марта 2024 г. в 10:00:05 UTC",
        "Δευτέρα, 4 Μαρτίου 2024 στις 10:00:05 π.μ. UTC",
        "2024年3月4日月曜日 10:00:05 UTC",
        "2024年3月4日星期一 UTC 上午10:00:05",
        "2024년 3월 4일 월요일 오전 10시 0분 5초 UTC",
        "10:00:05 UTC Thứ Hai, 4 tháng 3, 2024",
        "Mon, 4 Mar 2024 12:00:05 +0200",
        "March 4, 2024 at 5:00:05 AM GMT-5",
    ],
)
def test_one_moment_reads_alike_in_every_language(written: str):
    """B34"""
    moment = read_prose(written, LocalTimes("Asia/Tokyo"))
    assert moment.at == datetime(2024, 3, 4, 10, 0, 5, tzinfo=UTC)
    assert moment.raw == written


@pytest.mark.parametrize(("written", "hour"), [("12:30 AM", 0), ("12:30 PM", 12), ("1:30 PM", 13), ("下午1:30", 13)])
def test_halves_of_the_day_begin_at_twelve(written: str, hour: int):
    assert read_prose(f"March 4, 2024 {written} UTC", LocalTimes(None)).at.hour == hour


def test_without_a_zone_it_is_a_local_time_that_says_so():
    assert read_prose("4 March 2024 10:00", LocalTimes("Europe/Berlin")).at.hour == 9
    assert read_prose("4 March 2024 10:00", LocalTimes(None)).raw == "4 March 2024 10:00 (UTC assumed)"


def test_a_day_of_the_week_is_no_month():
    assert read_day("mar abr 02 10:00:00 2024") == date(2024, 4, 2)  # a Tuesday in Spain
    assert read_day("mardi 5 mars 2024") == date(2024, 3, 5)
    assert month_of("Monday") is None


@pytest.mark.parametrize(
    "written",
    ["", "soon", "4.3.2024 10:00:00", "03/04/2024 10:00", "March 32, 2024 at 10:00 UTC", "4 Marsh 2024 at 10:00 UTC",
     "4 March 2024 at 25:00 UTC", "4 March 2024", "4 March 2024 at 10:00 UTC+99", "4 5 March 2024 at 10:00"],
)  # fmt: skip
def test_what_cannot_be_read_is_not_guessed_at(written: str):
    with pytest.raises(FieldError):
        read_prose(written, LocalTimes(None))
