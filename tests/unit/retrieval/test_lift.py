"""The default profile: windows lift what stands beside a match, names of places count, shares are told."""

from pathlib import Path

import numpy as np
import pytest

from tests.builders import START, document, message, private, public, remember
from treering import Memory
from treering.retrieval.demotion import compares
from treering.retrieval.sequences import Sequences, Totals


def test_a_window_is_as_long_as_its_sequence_allows_and_never_leaves_it() -> None:
    numbers = np.array([0, 0, 0, 0, 0, 1, 2, 2], dtype=np.int32)
    windows = Sequences(np.arange(8), numbers, *np.zeros((2, 8), dtype=np.bool_)).windows(4)
    for at in range(8):
        first, last = windows.first[at], windows.last[at]
        assert first <= at < last
        assert set(numbers[first:last].tolist()) == {numbers[at]}
    assert windows.sizes.tolist() == [4, 4, 4, 4, 4, 1, 2, 2]


def test_totals_are_exact_whatever_stands_before_a_window() -> None:
    rng = np.random.default_rng(7)
    values = (np.round(rng.random((500, 3)) * 1024) / 1024).astype(np.float32)
    sequences = Sequences(
        np.arange(500), np.repeat(np.arange(50, dtype=np.int32), 10), *np.zeros((2, 500), dtype=np.bool_)
    )
    sums = Totals(values, 2.0**-10).over(windows := sequences.windows(8))
    alone = Totals(values[490:], 2.0**-10)
    last = Sequences(np.arange(10), np.zeros(10, dtype=np.int32), *np.zeros((2, 10), dtype=np.bool_)).windows(8)
    assert np.array_equal(sums[490:], alone.over(last))
    assert np.allclose(sums, [values[a:b].sum(axis=0) for a, b in zip(windows.first, windows.last, strict=True)])


def test_totals_that_wrap_give_the_right_sums_all_the_same() -> None:
    values = np.full(900, 4_000_000, dtype=np.float32)  # 3.6e9 in all, more than 2^31
    sequences = Sequences(np.arange(900), np.zeros(900, dtype=np.int32), *np.zeros((2, 900), dtype=np.bool_))
    assert set(Totals(values).over(sequences.windows(8)).tolist()) == {32_000_000.0}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    opened = Memory.open(tmp_path_factory.mktemp("lift") / "m.treering")
    opened._layout.make()
    noise = [message(f"n{n}", f"noise about thing {n}", minute=500 + n, thread=f"t{n}") for n in range(40)]
    remember(
        opened,
        public("ops"),
        public("releases"),
        message("q", "why did the payment queue stall on the new cluster?", minute=1, thread="incident 4"),
        message("a", "a stale lock, Cleo removed it by hand", minute=2, thread="incident 4", author="cleo"),
        message("r", "done, it is out", minute=3, channel="releases", thread="version nine"),
        message("mine", "I will write the summary", minute=5, author="ana", thread="promises"),
        message("yours", "I will write the summary", minute=6, author="ben", thread="promises"),
        *noise,
    )
    return opened


def ids(memory: Memory, question: str, **more: str) -> list[str]:
    return [item.source_id for item in memory.search(question, **more)]  # type: ignore[arg-type]


def test_an_answer_that_shares_no_word_with_the_question_is_lifted_by_its_thread(memory: Memory) -> None:
    question = "why did the payment queue stall?"
    assert ids(memory, question)[:2] == ["q", "a"]
    assert "a" not in ids(memory, question, profile="bm25")
    assert "a" not in ids(memory, question, profile="treering:lexical+names")


def test_the_name_of_a_thread_counts_as_words_of_its_messages(memory: Memory) -> None:
    assert ids(memory, "is version nine out?")[0] == "r"
    assert ids(memory, "version nine", profile="treering:lexical") == []


def test_asked_in_the_first_person_the_askers_own_words_come_first(memory: Memory) -> None:
    question = "did I promise to write the summary?"
    assert ids(memory, question, asker="ana")[0] == "mine"
    assert ids(memory, question, asker="ben")[0] == "yours"


def test_why_tells_the_share_of_each_leg(memory: Memory) -> None:
    first = memory.search("why did the payment queue stall?").items[0]
    assert first.why.startswith("lexical ")
    assert "around" in first.why


def test_nothing_is_found_where_nothing_matches(memory: Memory) -> None:
    assert ids(memory, "zebrafish") == []


def test_words_of_a_closed_channel_lift_nothing_for_others(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(
            memory,
            public("ops"),
            private("board", "gus"),
            message("open", "lunch", minute=1, channel="ops", thread="x"),
            message("closed", "the zebrafish merger", minute=2, channel="board", author="gus", thread="x"),
        )
        assert ids(memory, "zebrafish merger", viewer="ana") == []
        assert ids(memory, "zebrafish merger", viewer="gus") == ["closed"]


def test_whether_a_thread_has_a_first_message_elsewhere_does_not_show_in_scores(tmp_path: Path) -> None:
    scores = []
    root = message("plan 7", "hush", minute=1, channel="board", author="gus")
    for name, hidden in (("with", [root]), ("without", [])):
        with Memory.open(tmp_path / f"{name}.treering") as memory:
            memory._layout.make()
            remember(
                memory,
                public("ops"),
                private("board", "gus"),
                *hidden,
                message("a", "the plan is on track", minute=2, thread="plan 7"),
                message("b", "a plan for lunch, a plan for supper", minute=3, thread="other"),
            )
            scores.append([item.score for item in memory.search("the plan", viewer="ana")])
    assert scores[0] == scores[1]


def test_passages_of_a_document_lift_each_other_and_no_other_document(tmp_path: Path) -> None:
    part = "The {} of the thing is described here in some detail. " * 12
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        text = "\n\n".join(part.replace("{}", word) for word in ("valve", "rotor", "casing"))
        other = "\n\n".join(part.replace("{}", word) for word in ("handle", "lid", "foot"))
        remember(memory, document("pump", text, title="Pump"), document("pan", other, title="Pan", day=1))
        found = memory.search("rotor", profile="treering")
        assert [item.source_id for item in found] == ["pump@0"]


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("How long is the notice period?", False),
        ("Who chairs the board?", False),
        ("Who chaired the board before?", True),
        ("How has the policy changed?", True),
        ("Which method was dropped?", True),
        ("Is DOC-7 superseded?", True),
    ],
)
def test_a_question_about_the_past_is_told_by_its_words(question: str, past: bool) -> None:
    assert compares(question) is past


def test_the_first_person_is_read_in_one_language_only_and_never_in_other_words(memory: Memory) -> None:
    assert START.tzinfo is not None
    assert ids(memory, "who will write the summary?", asker="ana")[:2] in (["mine", "yours"], ["yours", "mine"])


def test_a_passage_of_a_document_can_be_a_window_by_itself() -> None:
    numbers = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    documents = numbers == 1
    sequences = Sequences(np.arange(6), numbers, np.zeros(6, dtype=np.bool_), documents)
    assert sequences.windows(8).sizes.tolist() == [3] * 6
    assert sequences.windows(8, in_documents=False).sizes.tolist() == [3, 3, 3, 1, 1, 1]
    assert sequences.windows(8, in_documents=False).first.tolist() == [0, 0, 0, 3, 4, 5]
