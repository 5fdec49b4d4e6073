"""Mem++: its published parameters, its legs, its places for the latest."""

import pytest

from tests.builders import document, message, remember
from treering import Memory
from treering.errors import UsageError
from treering.retrieval.labels import phrases_of
from treering.retrieval.profiles import Leg, MemppSettings, profile_named, setting_sources


def test_the_published_parameters_are_the_defaults() -> None:
    settings = MemppSettings()
    assert (settings.weight_lexical, settings.weight_tag, settings.weight_vector) == (1.0, 1.0, 4.0)
    assert (settings.eta, settings.places, settings.reserve, settings.pool) == (60, 50, 3, 200)
    assert profile_named("memgpp").mempp == MemppSettings(triples=5)
    assert set(setting_sources(settings)) == set(MemppSettings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("name", "legs", "reserve"),
    [
        ("mempp:vector+tag+reserve", (Leg.TAG, Leg.DENSE), 3),
        ("mempp:lexical", (Leg.LEXICAL,), 0),
        ("mempp:vector+fact", (Leg.DENSE, Leg.FACT), 0),
        ("memgpp:lexical+tag+vector+reserve", (Leg.LEXICAL, Leg.TAG, Leg.DENSE), 3),
    ],
)
def test_what_is_named_after_the_colon_is_kept(name: str, legs: tuple[Leg, ...], reserve: int) -> None:
    settings = profile_named(name).mempp
    assert settings is not None
    assert (settings.legs, settings.reserve) == (legs, reserve)


def test_a_part_that_mempp_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="S1"):
        profile_named("mempp:S1")


def test_labels_match_whole_phrases_once_normalised() -> None:
    phrases = set(phrases_of("What did Ana Lobo's team say of PEP 8, @Ben?"))
    assert {"ana lobo", "pep 8", "ben", "team"} <= phrases
    assert "lobo's" not in phrases


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    opened = Memory.open(tmp_path_factory.mktemp("mempp") / "m.treering")
    opened._layout.make()
    remember(
        opened,
        document("a", "the queue is drained at night", author="Ana Lobo", tags=("operations",)),
        document("b", "the queue at night", author="ben", day=1),
        message("c", "lunch", author="Ana Lobo", minute=3),
        message("d", "PEP 8 and PEP 20", author="ben", minute=4),
    )
    return opened


def ids(memory: Memory, question: str, profile: str) -> list[str]:
    return [item.source_id for item in memory.search(question, profile=profile)]


def test_the_tag_leg_finds_authors_tags_and_identifiers_and_ties_go_to_the_later_logged(memory: Memory) -> None:
    assert ids(memory, "what did Ana Lobo write?", "mempp:tag") == ["c", "a@0"]
    assert ids(memory, "anything on operations?", "mempp:tag") == ["a@0"]
    assert ids(memory, "is pep8 meant?", "mempp:tag") == ["d"]
    assert ids(memory, "what did Ana write?", "mempp:tag") == []


def test_the_fact_leg_finds_the_records_of_triples_whose_ends_are_named(memory: Memory) -> None:
    assert ids(memory, "who wrote about pep8?", "mempp:fact") == ["d"]
    assert ids(memory, "what did ben say of PEP 20?", "mempp:fact")[0] == "d"
    assert ids(memory, "who wrote about PEP 9?", "mempp:fact") == []


def test_the_lexical_leg_can_ask_for_every_word(memory: Memory) -> None:
    assert set(ids(memory, "queue drained night", "mempp:lexical")) == {"a@0", "b@1"}
    assert ids(memory, "queue drained night", "mempp:lexical+conjunctive") == ["a@0"]


def test_why_tells_the_rank_in_each_leg(memory: Memory) -> None:
    first = memory.search("the queue drained at night, operations", profile="mempp").items[0]
    assert first.source_id == "a@0"
    assert first.why == "lexical rank 1, tag rank 1"
    assert first.score == pytest.approx(2 / 60)
