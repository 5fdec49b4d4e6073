"""What a question names: people, channels, identifiers, an order; and what it does not."""

import pytest

from treering.model.ids import ActorId, ChannelId
from treering.retrieval.query import EntityKind, Names, Order, QuerySpec, parse_query

NAMES = Names(
    actors={
        "ana lobo": ActorId(1),
        "ana": ActorId(1),
        "ben okoro": ActorId(2),
        "will": ActorId(3),
        "the one": ActorId(4),
        "józef": ActorId(5),
    },
    channels={"ops": ChannelId(1), "release-train": ChannelId(2)},
)


def read(question: str) -> QuerySpec:
    return parse_query(question, None, "", NAMES)


def named(question: str) -> list[tuple[str, str]]:
    return [(entity.kind.value, entity.label) for entity in read(question).entities]


def test_a_full_name_is_found_in_any_case() -> None:
    assert named("what did ana lobo promise?") == [("actor", "ana lobo")]


def test_a_first_name_counts_when_it_is_written_as_a_name() -> None:
    assert named("Did Ana approve it?") == [("actor", "ana")]
    assert named("did @ana approve it?") == [("actor", "ana")]


def test_a_possessive_is_still_the_name() -> None:
    assert named("What was Ben Okoro's verdict?") == [("actor", "ben okoro")]


@pytest.mark.parametrize("question", ["will you ship it?", "Will you ship it?", "is the one in ops red?"])
def test_bare_words_are_not_people_even_if_somebody_is_called_so(question: str) -> None:
    assert ("actor", "will") not in named(question)


def test_names_in_other_scripts_are_found() -> None:
    assert named("co mówił Józef?") == [("actor", "józef")]


def test_channels_and_identifiers_are_found_in_the_order_of_the_question() -> None:
    assert named("was DOC-042 announced in #ops or release-train?") == [
        ("artifact", "DOC-042"),
        ("channel", "ops"),
        ("channel", "release-train"),
    ]


def test_a_plain_word_is_not_a_channel() -> None:
    assert named("what do ops people think?") == []


@pytest.mark.parametrize(
    ("question", "order"),
    [("what happened after the release?", Order.AFTER), ("who signed before QA did?", Order.BEFORE), ("who?", None)],
)
def test_a_word_of_order_is_noticed(question: str, order: Order | None) -> None:
    assert read(question).order is order


def test_a_question_is_matched_with_its_asker_as_a_message_is_with_its_author() -> None:
    assert parse_query("who?", ActorId(1), "Ana Lobo", NAMES).matched == "Ana Lobo: who?"
    assert read("who?").matched == "who?"


@pytest.mark.parametrize("question", ["", "?", "🔥", "((((", "'", "#", "@", "a" * 40_000])
def test_odd_questions_name_nothing(question: str) -> None:
    assert [entity for entity in read(question).entities if entity.kind is not EntityKind.ARTIFACT] == []
