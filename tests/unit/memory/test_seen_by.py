"""What names and numbers mean through somebody's eyes: nothing that they may not see takes part."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import START, document, edit_of, message, private, public, remember
from treering import Memory
from treering.errors import UnknownName


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "m.treering") as opened:
        opened._layout.make()
        yield opened


def test_a_number_is_the_number_here_and_source_and_id_are_the_sources(memory: Memory) -> None:
    remember(memory, public("ops"), *(message(str(number), f"word{number}") for number in (3, 2, 1)))
    assert [memory.record(name).text for name in ("1", 1, "test/1")] == ["word3", "word3", "word1"]


def test_a_number_that_no_record_has_is_an_id_of_a_source(memory: Memory) -> None:
    remember(memory, public("ops"), message("95", "word"))
    assert memory.record("95").text == "word"


def test_a_number_of_a_closed_place_means_what_it_would_without_that_place(memory: Memory) -> None:
    remember(memory, public("ops"), private("closed", "ben"), message("1", "hello"))
    remember(memory, message("x", "closed words", author="ben", channel="closed"), message("2", "an open word"))
    assert memory.record("2").text == "closed words"
    assert memory.record("2", viewer="ana").text == "an open word"


def test_a_version_that_stood_in_a_closed_place_has_no_number(memory: Memory) -> None:
    said = message("m1", "the plan", author="ben", channel="closed")
    moved = replace(edit_of(said, "the plan, for all", minute=5), channel="ops")
    edited = replace(edit_of(said, "the plan, for all of us", minute=9), channel="ops")
    remember(memory, public("ops"), private("closed", "ben"), said, moved, edited, message("m2", "hello"))
    assert memory.record("m1").version == 3
    assert memory.record("m1", viewer="ana").version == 2
    assert [one.version for one in memory.history("m1", viewer="ana")] == [1, 2]
    assert [one.record.version for one in memory.chain("m1", viewer="ana")] == [1, 2]
    assert next(iter(memory.search("plan for all of us", viewer="ana"))).version == 2
    with memory.browsing(viewer="ana") as browser:
        (shown,) = (one for one in browser.of_leaves(range(1, 3)) if one.record.lineage == "m1")
    assert shown.record.version == 2


def test_within_bounds_a_document_is_the_version_that_held_then(memory: Memory) -> None:
    remember(memory, public("handbook"), document("plan", "first", day=0), document("plan", "second", day=9))
    with memory.browsing(as_of=START + timedelta(days=5)) as browser:
        assert (browser.find("plan").text, browser.find("plan").version) == ("first", 1)
        with pytest.raises(UnknownName):
            browser.find("plan@9")
    assert memory.record("plan").text == "second"


def test_an_asker_is_looked_for_among_those_whom_the_viewer_knows(memory: Memory) -> None:
    remember(memory, public("ops"), private("closed", "zoe"), message("m0", "nothing of note", author="ana"))
    remember(
        memory, message("m1", "the budget is fine", author="sam"), message("m2", "the budget is mine", author="ben")
    )
    before = [
        (one.record, one.score) for one in memory.search("what did I say of the budget", asker="sam", viewer="ana")
    ]
    remember(memory, message("s", "a closed word", author="sam", channel="closed"), source="other")
    after = memory.search("what did I say of the budget", asker="sam", viewer="ana")
    assert [(one.record, one.score) for one in after] == before
    assert not any("sam" in note for note in after.notes)
    assert any("sam" in note for note in memory.search("what did I say of the budget", asker="sam").notes)
