"""Which messages are of a time that a question names: by when they were said, and by the days that they speak of."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import START, document, edit_of, message, public, remember
from treering import Memory

QUESTION = "the deploy of the queue"
PLAIN = message("plain", QUESTION, minute=0)  # said on 4 March, of no day: without a date in the question it is best
DAY = 24 * 60


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "m.treering") as opened:
        opened._layout.make()
        remember(opened, public("ops"), public("handbook"), PLAIN)
        yield opened


def best(memory: Memory, when: str = "") -> str:
    return memory.search(f"{QUESTION} {when}".strip(), profile="treering").items[0].source_id


def test_a_message_is_of_the_day_that_it_speaks_of(memory: Memory) -> None:
    remember(memory, message("told", "the deploy of the queue went wrong yesterday", minute=3 * DAY))
    assert best(memory, "on 6 March 2024") == "told"
    assert best(memory, "on 4 March 2024") == best(memory) == "plain"


def test_words_of_another_that_it_repeats_are_not_read_from_its_day(memory: Memory) -> None:
    text = "> the deploy of the queue was yesterday\nso it was"
    remember(memory, replace(message("reply", text, minute=3 * DAY), quoted=((0, 39),)))
    assert best(memory, "on 6 March 2024") == "plain"


def test_a_whole_year_says_nothing_of_one_of_its_days(memory: Memory) -> None:
    remember(memory, message("told", "the deploy of the queue went wrong last year", minute=3 * DAY))
    assert best(memory, "on 6 March 2023") == "plain"
    assert best(memory, "in 2023") == "told"


def test_an_edit_speaks_of_the_day_before_the_message_and_not_before_the_edit(memory: Memory) -> None:
    first = message("told", "the deploi of the queue went wrong yesterday", minute=3 * DAY)
    remember(memory, first, edit_of(first, "the deploy of the queue went wrong yesterday", minute=6 * DAY))
    assert best(memory, "on 6 March 2024").startswith("told")
    assert best(memory, "on 9 March 2024") == "plain"


def test_a_document_holds_until_its_next_version_whatever_days_it_names(memory: Memory) -> None:
    remember(memory, document("doc", "the deploy of the queue was yesterday", day=3))
    assert best(memory, "on 6 March 2024") == "plain"


def test_what_is_no_candidate_by_its_words_does_not_become_one(memory: Memory) -> None:
    remember(memory, message("told", "lunch was yesterday", minute=3 * DAY))
    found = memory.search(f"{QUESTION} on {(START + timedelta(days=2)):%d %B %Y}", profile="bm25")
    assert [item.source_id for item in found] == ["plain"]
