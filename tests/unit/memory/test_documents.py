"""Documents over time, through the whole engine by words alone: versions, states, bounds, retirement, replacement."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.builders import START, document, edit_of, message, private, public, remember, statement
from treering import Memory
from treering.model.drafts import Attachment

POLICY = "Logs are kept for {} days. The data protection officer decides about exceptions."
PROFILES = ["bm25", "mempp", "memgpp", "treering", "egcforest"]


def on(day: int) -> datetime:
    return START + timedelta(days=day, hours=1)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    opened = Memory.open(tmp_path_factory.mktemp("documents") / "m.treering")
    opened._layout.make()
    remember(
        opened,
        public("handbook"),
        public("ops"),
        document("retention", POLICY.format(90), day=0, title="Log retention", author="ana"),
        document("retention", POLICY.format(180), day=100, title="Log retention", author="ben"),
        document("retention", POLICY.format(365), day=200, title="Log retention", author="ana"),
        document("travel", "Trips are booked by the office.\n\nSuperseded by: [DOC-7](trips)", day=10, title="Travel"),
        document("trips", "Trips are booked by whoever travels.", day=50, title="DOC-7: Trips"),
        document("fax", "The fax machine stands in room 4.", day=5, title="Fax"),
        statement("fax", "retired", "fax", day=60),
        message("1", "see the log retention policy before you delete logs", minute=60),
    )
    return opened


def states(memory: Memory, question: str, day: int | None = None, profile: str = "mempp") -> dict[str, str]:
    found = memory.search(question, profile=profile, as_of=None if day is None else on(day))
    return {item.source_id: item.state for item in found}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_next_version_does_not_hide_the_one_before(memory: Memory, profile: str) -> None:
    found = states(memory, "how long are logs kept?", profile=profile)
    assert {"retention@0", "retention@100", "retention@200"} <= set(found)
    assert found["retention@0"] == f"superseded by retention@100 on {on(100):%Y-%m-%d}"
    assert found["retention@200"] == "current"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_version_that_is_superseded_later_is_current_at_that_time(memory: Memory, profile: str) -> None:
    found = states(memory, "how long are logs kept?", day=150, profile=profile)
    assert found["retention@100"] == "current"
    assert "retention@200" not in found


def test_a_retired_document_says_so_from_then_on(memory: Memory) -> None:
    assert states(memory, "where is the fax machine?", day=59)["fax@5"] == "current"
    assert states(memory, "where is the fax machine?", day=61)["fax@5"] == f"retired on {on(60):%Y-%m-%d}"


def test_a_document_that_names_its_successor_is_superseded_by_its_newest_version(memory: Memory) -> None:
    assert states(memory, "who books trips?")["travel@10"].startswith("superseded by trips@50")


def test_the_default_profile_puts_what_holds_above_what_it_replaced(memory: Memory) -> None:
    order = [item.source_id for item in memory.search("how long are logs kept?", profile="treering")]
    assert order.index("retention@200") < order.index("retention@100") < order.index("retention@0")


def test_a_question_about_the_past_finds_the_old_version_and_moves_nothing(memory: Memory) -> None:
    found = memory.search("how long were logs kept before, 90 days?", profile="treering")
    assert found.items[0].source_id == "retention@0"
    assert not any("below the version" in item.why for item in found)


def test_a_question_that_names_a_time_prefers_what_held_then(memory: Memory) -> None:
    when = f"{on(120):%B %Y}"
    found = memory.search(f"how many days were logs kept in {when}?", profile="treering", asked_at=on(300))
    assert found.items[0].source_id == "retention@100"
    assert when in str(found.bounds["dates"])
    assert len(found) > 1, "a date phrase filters nothing"


def test_the_life_of_a_document_shows_what_each_version_changed(memory: Memory) -> None:
    chain = memory.chain("retention")
    assert [one.record.source_id for one in chain] == ["retention@0", "retention@100", "retention@200"]
    assert chain[0].diff == ""
    assert "- Logs are kept for 90 days." in chain[1].diff
    assert "+ Logs are kept for 180 days." in chain[1].diff
    assert [one.state for one in memory.chain("retention", as_of=on(150))][-1] == "current"


def test_triples_obey_the_bounds_and_name_their_source(memory: Memory) -> None:
    facts = memory.search("who wrote Log retention?", profile="memgpp").facts
    assert {(fact.subject, fact.relation, fact.source_id) for fact in facts} >= {
        ("ana", "wrote", "retention@200"), ("ben", "wrote", "retention@100"),
    }  # fmt: skip
    early = memory.search("who wrote Log retention?", profile="memgpp", as_of=on(50)).facts
    assert [(str(fact), fact.source_id) for fact in early] == [("ana wrote Log retention", "retention@0")]


def test_at_most_five_triples_are_given(memory: Memory) -> None:
    assert len(memory.search("Log retention, Travel, Fax, DOC-7: Trips, ana, ben", profile="memgpp").facts) <= 5


def test_triples_of_a_closed_channel_are_for_its_members(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(
            memory,
            private("board", "gus"),
            document("pay", "ABC-7 is paid twice", channel="board", author="gus", title="Pay"),
            message("1", "lunch?", author="ana", channel="ops"),
            public("ops"),
        )
        assert memory.search("ABC-7", profile="memgpp", viewer="gus").facts
        assert memory.search("ABC-7", profile="memgpp", viewer="ana").facts == ()


def test_a_version_said_again_with_other_words_is_an_edit_of_that_version(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(
            memory,
            document("a", "first words of it", day=0, version="a1"),
            document("a", "second words of it", day=9, version="a2"),
            document("a", "second words, spelt right", day=10, version="a2"),
        )
        found = [(item.source_id, item.text) for item in memory.search("words", profile="mempp")]
        assert sorted(found) == [("a1", "first words of it"), ("a2", "second words, spelt right")]


def test_a_day_without_a_time_counts_to_its_end_in_the_zone_asked_for(memory: Memory) -> None:
    day = f"{START:%Y-%m-%d}"
    assert memory.search("logs", as_of=day).bounds["as_of"] == f"{day}T23:59:59.999999+00:00"
    west = memory.search("logs", as_of=day, zone="America/New_York").bounds["as_of"]
    assert west == f"{START + timedelta(days=1):%Y-%m-%d}T04:59:59.999999+00:00"


def test_the_reserve_can_crowd_out_a_better_match(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        wanted = "parking rules for bicycles in the yard"
        good = [document(f"good{n}", wanted, day=n, author=f"a{n}") for n in range(50)]
        late = [document(f"late{n}", f"bicycles, said {n}", day=900 + n, author=f"b{n}") for n in range(5)]
        remember(memory, *good, *late)
        reserved = [item.source_id for item in memory.rank(wanted, profile="mempp", k=50)]
        without = [item.source_id for item in memory.rank(wanted, profile="mempp:lexical+tag+vector", k=50)]
        assert set(reserved[-3:]) == {"late4@904", "late3@903", "late2@902"}
        assert sum(name.startswith("good") for name in reserved) == 47
        assert sum(name.startswith("good") for name in without) == 50


def test_an_edited_message_stands_for_itself_only_as_last_said(tmp_path: Path) -> None:
    first = message("1", "we ship on Monday")
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(memory, first, edit_of(first, "we ship on Friday", minute=30))
        assert [i.text for i in memory.search("when do we ship?", profile="mempp")] == ["we ship on Friday"]
        early = memory.search("when do we ship?", profile="mempp", as_of=START + timedelta(minutes=10))
        assert [i.text for i in early] == ["we ship on Monday"]
        assert [one.state for one in memory.chain("1")] == ["edited", "current"]


def test_what_an_author_repeats_word_for_word_takes_one_place_of_mempp(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        own = [message(str(n), "approved", minute=n) for n in range(3)]
        remember(memory, *own, message("9", "approved", author="ben"))
        assert [i.source_id for i in memory.search("approved", profile="mempp")] == ["9", "2"]
        assert len(memory.search("approved", profile="bm25")) == 4


def test_a_moment_without_a_zone_is_refused(memory: Memory) -> None:
    with pytest.raises(Exception, match="time zone"):
        memory.search("logs", as_of=datetime(2024, 3, 4, tzinfo=UTC).replace(tzinfo=None))


def test_a_message_is_found_by_the_files_it_carries_and_shown_as_it_was_said(tmp_path: Path) -> None:
    carrying = replace(
        message("1", "here it is"),
        attachments=(Attachment("rota-2024.pdf", "application/pdf", 52_000, title="Duty rota"),),
    )
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(memory, carrying, message("2", "thanks", minute=1))
        for question in ("where is the duty rota?", "rota-2024.pdf"):
            (item,) = memory.search(question, profile="bm25")
            assert (item.source_id, item.text) == ("1", "here it is")
        assert memory.record("1").attachments[0].title == "Duty rota"
        memory.rebuild(embed=False)
        assert memory.verify() == []
        assert [item.source_id for item in memory.search("duty rota", profile="bm25")] == ["1"]
