"""Which date is a document's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.document_dates import date_in_name, dates_in, document_moment, stated_moment
from treering.importers.document_head import date_of, read_head
from treering.importers.narrowing import FieldError

DAY = "T23:59:59.999999+00:00"


def date_in(text: str) -> str | None:
    moment = date_of(read_head(text), text)
    return moment.at.isoformat().removesuffix(DAY) if moment else None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-03-04", f"2024-03-04{DAY}"),
        ("2024/3/4", f"2024-03-04{DAY}"),
        ("2024\u201103\u201104", f"2024-03-04{DAY}"),
        ("4 March 2024", f"2024-03-04{DAY}"),
        ("4th of March, 2024", f"2024-03-04{DAY}"),
        ("March 4th, 2024", f"2024-03-04{DAY}"),
        ("Mar. 4 2024", f"2024-03-04{DAY}"),
        ("04-Mar-2024", f"2024-03-04{DAY}"),
        ("Monday, 4 March 2024 at 09:15", "2024-03-04T09:15:00+00:00"),
        ("2024-03-04 09:15 (draft)", "2024-03-04T09:15:00+00:00"),
        ("2024-03-04 9:15 pm, Berlin", "2024-03-04T21:15:00+00:00"),
        ("2024-03-04 12:05 a.m. sharp", "2024-03-04T00:05:00+00:00"),
        ("on 2024-03-04 09:15 +02:00", "2024-03-04T07:15:00+00:00"),
        ("2024-03", f"2024-03-31{DAY}"),
    ],
)
def test_dates_in_any_order_that_cannot_be_mistaken_are_read(written, expected):
    moment = stated_moment(written)
    assert moment is not None
    assert moment.at.isoformat() == expected


@pytest.mark.parametrize(
    "written",
    [
        "TBD",
        "",
        "$Date$",
        "03/04/2024",
        "2024-02-31",
        "INC-2024-03-04-001",
        "v2024-03-04",
        "31 June 2024",
        "2024-13-01",
        "1.2.2024",
        "1234",
        "1234-05-06",
    ],
)
def test_what_is_no_date_or_may_be_two_is_not_guessed_at(written):
    assert stated_moment(written) is None


def test_a_field_of_its_own_is_read_or_refused_but_never_half_read():
    assert document_moment(" ", "dated") is None
    with pytest.raises(FieldError, match="dated cannot be read"):
        document_moment("2024-03-04 or so", "dated")


def test_dates_keep_the_words_they_were_written_in():
    text = "Started 2024\u201103\u201104, done by March 9, 2024."
    assert [moment.raw for moment in dates_in(text)] == ["2024\u201103\u201104", "March 9, 2024"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("minutes/2024-03-04.md", "2024-03-04"),
        ("20240304-board.md", "2024-03-04"),
        ("board_2024_03_04", "2024-03-04"),
        ("2024-03-04/board.md", None),
        ("20241399.md", None),
        ("1120240304.md", None),
    ],
)
def test_a_day_may_stand_in_the_name_of_the_file(name, expected):
    moment = date_in_name(name)
    assert (moment.at.date().isoformat() if moment else None) == expected


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        ("front matter", "---\ndate: 2024-03-04\n---\nDate: 2023-01-01\n", "2024-03-04"),
        (
            "front matter: last change before first",
            "---\ncreated: 2020-01-01\nlast_updated: 2024-03-04\n---\n",
            "2024-03-04",
        ),
        ("front matter: unreadable gives way", "---\nupdated: $Date$\ncreated: 2020-01-01\n---\n", "2020-01-01"),
        ("comment", "<!-- meta\ndated: 2024-03-04\n-->\n# Plan 2023-01-01\n", "2024-03-04"),
        ("headers", "PEP: 8\nLast-Modified: $Date$\nCreated: 13-Jun-2000\n\n2024-03-04\n", "2000-06-13"),
        ("label", "# Plan\n\n**Date:** 2024-03-04 (Monday)  \n", "2024-03-04"),
        ("label in a quotation", "# Plan\n\n> **Last updated:** 2024-03-04  \n> **Owner:** Ana\n", "2024-03-04"),
        (
            "label: last change before decision",
            "> **Last updated:** 2024-03-04\n\n- **Date:** 2024-03-09\n",
            "2024-03-04",
        ),
        ("label in a field list", "Plan\n====\n\n:Author: Ana\n:Date: 2024-03-04\n", "2024-03-04"),
        (
            "label of a kind of document",
            "# Postmortem: 2023-01-01 outage\n\n**Postmortem date:** 2024-03-04\n",
            "2024-03-04",
        ),
        (
            "label of an incident",
            "# INC-2023-01-01-1\n**Started:** 2024-03-04 09:00\n**Resolved:** TBD\n",
            "2024-03-04T09:00:00+00:00",
        ),
        ("label: other dates are none", "# Deal\n\n**Close date:** 2024-03-04\n**Due:** 2024-03-04\n", None),
        ("section", "# 7. Queue\n\n## Date\n\n2024-03-04\n\n## Status\n", "2024-03-04"),
        ("line alone", "# Notes\n2024-03-04\n\nWe met.\n", "2024-03-04"),
        ("line alone, in bold", "**4 March 2024**\n\nWe met.\n", "2024-03-04"),
        ("heading", "# Planning — 2024-03-04\n\nDone by 2024-05-01.\n", "2024-03-04"),
        ("dated", "Circular\n\nDated 4 March 2024\n\nText of 2023-01-01.\n", "2024-03-04"),
        ("minutes", "Minutes of the board meeting on 4 March 2024\n\nPresent: Ana\n", "2024-03-04"),
        ("title", "---\ntitle: Standup 2024-03-04\n---\nText\n", "2024-03-04"),
        ("merely spoken of", "# Notes\n\nThe meeting on 2024-03-04 decided nothing.\n", None),
        ("too far down", "# Notes\n" + "words\n" * 60 + "Date: 2024-03-04\n", None),
        ("in code", "# Notes\n\n```\nDate: 2024-03-04\n```\n", None),
    ],
)
def test_the_date_is_found_by_the_first_rule_that_holds(rule, text, expected):
    assert date_in(text) == expected, rule


def test_mails_that_follow_one_another_are_complete_at_the_latest():
    mail = "From: Ana <ana@w.example>  \nTo: Ben  \nDate: 2024-03-04 {}  \nSubject: Plan  \n\nHi\n\n---\n\n"
    assert date_in(mail.format("09:15") + mail.format("11:30") + mail.format("10:02")) == "2024-03-04T11:30:00+00:00"
    assert date_in("# Notes\n\nDate: 2024-01-01\n\nShe wrote:\n\n" + mail.format("09:15")) == "2024-01-01"


def test_a_thread_is_complete_at_its_last_stamp():
    first, last, between = (f"[2024-03-04 09:{minute}] " for minute in (12, 40, 20))
    thread = f"{first}@Ana: hi\n\n↳ {last}@Ben: hello [2025-01-01 00:00]\n> {between}@Ana: ok\n"
    assert date_in(thread) == "2024-03-04T09:40:00+00:00"


pieces = st.sampled_from(
    [
        *(
            "2024-03-04",
            "4 March 2024",
            "09:15",
            "Date: ",
            "**Date:** ",
            "---\n",
            "\n",
            "# ",
            "From: a\nTo: b\nDate: ",
            "Subject: x\n",
        ),
        *(
            "[2024-03-04 09:12] ",
            "```\n",
            "====\n",
            "<!--",
            "-->",
            ": ",
            "2024",
            "-",
            "## Date\n",
            "31 June 2024",
            "9999-99-99",
            " pm",
        ),
    ]
)


@given(st.lists(pieces, max_size=30).map("".join))
def test_any_text_has_one_date_or_none(text):
    moment = date_of(read_head(text), text)
    assert moment is None or 1900 <= moment.at.year <= 2199
