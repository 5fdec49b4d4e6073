"""Consolidation: near-duplicates are marked, listed and taken back; nothing is deleted, and bounds hold for marks."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import START, document, private, public, remember
from treering import Memory
from treering.errors import ModelUnavailable
from treering.text.differences import Relation

pytestmark = pytest.mark.model

KEPT = "Customer logs are kept for {} days on the servers in the north data centre, then they are deleted for good."
STRANGERS = [
    "Lunch is served in the canteen from noon on, vegetarians tell the kitchen before ten in the morning please.",
    "The new logo is blue and green; whoever prints posters takes the vector file from the marketing folder.",
    "Parking spaces behind the workshop belong to visitors, bicycles stand under the roof beside the north gate.",
    "Quarterly numbers go to the bank by the fifth working day, signed by two directors and stamped by finance.",
    "The choir meets on Tuesdays after work in the large meeting room, tenors are always welcome to join us.",
    "Printers on the third floor are replaced in spring; until then use the one beside the lift and bring paper.",
    "Interns write a short report about what they learnt, their mentor reads it and the team discusses it together.",
    "Windows are closed in the evening, the last one to leave switches the alarm on and calls the guard if it beeps.",
    "The train to the fair leaves at seven from platform nine, tickets are in the top drawer of the reception desk.",
    "Chess players of all strengths have a board in the tea kitchen, the ladder hangs on the wall next to the fridge.",
]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    opened = Memory.open(tmp_path / "m.treering")
    opened._layout.make()
    with opened._writing() as (_, pipeline):
        pipeline.configure("static", None)
    remember(
        opened,
        public("handbook"),
        document("wiki", KEPT.format(90), day=0, author="ana"),
        document("mail", KEPT.format(180), day=50, author="ben"),
        document("note", KEPT.format(180), day=90, author="cleo"),
        *(document(f"stranger{n}", text, day=n, author=f"a{n}") for n, text in enumerate(STRANGERS)),
        embed=True,
    )
    return opened


def relations(memory: Memory) -> dict[tuple[str, str], Relation]:
    return {
        (memory.record(mark.older).lineage, memory.record(mark.newer).lineage): mark.relation
        for mark in memory.consolidation()
    }


def found(memory: Memory, as_of: int | None = None) -> set[str]:
    bound = None if as_of is None else START + timedelta(days=as_of)
    evidence = memory.search("how long are customer logs kept?", profile="mempp", as_of=bound)
    return {item.source_id.partition("@")[0] for item in evidence}


def test_a_contradiction_and_a_restatement_are_told_apart(memory: Memory) -> None:
    assert memory.consolidate() > 0
    told = relations(memory)
    assert told["wiki", "mail"] is Relation.CONFLICT
    assert told["mail", "note"] is Relation.RESTATEMENT
    assert "90" in next(mark.why for mark in memory.consolidation() if mark.relation is Relation.CONFLICT)


def test_the_older_is_set_aside_by_mempp_and_stays_in_the_log(memory: Memory) -> None:
    assert {"wiki", "mail", "note"} <= found(memory)
    memory.consolidate()
    assert found(memory) & {"wiki", "mail", "note"} == {"note"}
    assert memory.record("wiki@0").text == KEPT.format(90)
    assert {"wiki", "mail"} <= {i.source_id.partition("@")[0] for i in memory.search("customer logs", profile="bm25")}


def test_a_mark_does_not_exist_before_the_newer_record(memory: Memory) -> None:
    memory.consolidate()
    assert "wiki" in found(memory, as_of=10)
    assert found(memory, as_of=60) & {"wiki", "mail", "note"} == {"mail"}


def test_marks_are_made_once_and_taken_back(memory: Memory) -> None:
    made = memory.consolidate()
    assert memory.consolidate() == 0
    assert memory.take_back() == made
    assert memory.consolidation() == []
    assert {"wiki", "mail", "note"} <= found(memory)


def test_a_newer_record_that_the_viewer_may_not_read_sets_nothing_aside(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        with memory._writing() as (_, pipeline):
            pipeline.configure("static", None)
        remember(
            memory,
            public("handbook"),
            private("board", "gus"),
            document("wiki", KEPT.format(90), day=0, author="ana"),
            document("secret", KEPT.format(180), day=50, author="gus", channel="board"),
            *(document(f"stranger{n}", text, day=n) for n, text in enumerate(STRANGERS)),
            embed=True,
        )
        assert memory.consolidate() > 0
        asked = "how long are customer logs kept?"
        assert "wiki@0" in {i.source_id for i in memory.search(asked, profile="mempp", viewer="ana")}
        assert "wiki@0" not in {i.source_id for i in memory.search(asked, profile="mempp", viewer="gus")}


def test_without_vectors_it_says_what_to_do(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(memory, document("wiki", KEPT.format(90)))
        with pytest.raises(ModelUnavailable, match="treering rebuild"):
            memory.consolidate()
