"""What a system misses: the right questions, with the ranks that it gave and the words of the corpus."""

from treering.evaluation.benchmark import MessageRow, Pool, Question
from treering.evaluation.misses import misses_of, misses_page
from treering.evaluation.ranking import Ranked


def row(name: str, text: str) -> MessageRow:
    return {"id": name, "sent_at": "2024-05-02T08:00:00Z", "author": "Ida", "channel": "shop", "text": text}


def ranking(names: str) -> tuple[Ranked, ...]:
    return tuple(Ranked(name, "Ida", "shop", 3, 1.0) for name in names)


ROWS = [row(name, f"{name} about flour") for name in "abcdefx"]
ASKED = (
    Question("found", "Which mill?", "single", evidence=frozenset("a")),
    Question("half", "Which mills?", "multi", asker="Bo", bound="2024-06-01", evidence=frozenset("ax")),
    Question("lost", "Which oven?", "single", evidence=frozenset("f"), supporting=frozenset("b")),
    Question("gone", "Which door?", "single", evidence=frozenset("q")),
    Question("none", "Who paints?", "abstain"),
)
POOL = Pool("bakery", ASKED, messages=ROWS)
SHORT, DEEP = ranking("abc"), ranking("abcdf")


def test_a_question_is_missed_when_something_needed_is_past_the_cut() -> None:
    misses = misses_of(POOL, [{3: SHORT, 5: DEEP}] * 5, 3)

    assert [(miss.question.id, miss.recall) for miss in misses] == [("half", 0.5), ("gone", 0.0)]
    assert [(piece.source_id, piece.rank) for piece in misses[0].needed] == [("a", 1), ("x", None)]
    assert [piece.source_id for piece in misses[0].ahead] == ["b", "c"]


def test_what_states_the_same_is_no_miss_and_stands_not_among_what_came_instead() -> None:
    asked = [{1: ranking("c"), 5: ranking("cdefb")}]
    (miss,) = misses_of(Pool("bakery", ASKED[2:3], messages=ROWS), asked, 1)

    assert [piece.source_id for piece in miss.ahead] == ["c"]
    assert [(piece.source_id, piece.rank) for piece in miss.needed] == [("f", 4)]
    assert misses_of(Pool("bakery", ASKED[2:3], messages=ROWS), [{3: SHORT}], 3) == []


def test_a_system_with_places_of_its_own_is_told_by_the_ranking_at_the_cut() -> None:
    (miss,) = misses_of(Pool("bakery", ASKED[1:2], messages=ROWS), [{2: ranking("ba"), 5: ranking("bcdex")}], 2)

    assert [(piece.source_id, piece.rank) for piece in miss.needed] == [("a", 2), ("x", 5)]


def test_of_a_set_without_order_everything_counts_at_every_cut() -> None:
    asked = [{1: ranking("ba"), 5: ranking("ba")}]
    pool = Pool("bakery", ASKED[:1], messages=ROWS)

    assert len(misses_of(pool, asked, 1)) == 1
    assert misses_of(pool, asked, 1, whole=True) == []


def test_the_page_has_the_worst_first_with_ranks_and_words() -> None:
    page = misses_page("treering", misses_of(POOL, [{3: SHORT, 5: DEEP}] * 5, 3))

    assert "2 questions miss something." in page
    assert page.index("bakery: gone") < page.index("bakery: half")
    assert "Which mills? (multi, Bo, 2024-06-01) Recall 50." in page
    assert "- needed, rank 1: `a` 2024-05-02, Ida, shop: a about flour" in page
    assert "- needed, beyond 5: `x` 2024-05-02, Ida, shop: x about flour" in page
    assert "- needed, beyond 5: `q` not in the corpus" in page
    assert "- instead, rank 2: `b` 2024-05-02, Ida, shop: b about flour" in page


def test_a_long_text_is_shown_by_its_beginning() -> None:
    long = Pool("bakery", ASKED[:1], messages=[row("a", "flour\n" * 900)])
    (line,) = [line for line in misses_page("x", misses_of(long, [{1: ranking("b")}], 1)).splitlines() if "`a`" in line]

    assert len(line) < 250
    assert line.endswith(" ...")


def test_a_system_that_finds_everything_has_a_page_that_says_so() -> None:
    assert "Nothing" in misses_page("treering", [])
