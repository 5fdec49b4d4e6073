"""Running a protocol: kept, resumed, voted, counted."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.scripted import Scripted
from tests.unit.evaluation.answering.asked import CHECKS, RUBRIC, posed
from treering.errors import ModelUnavailable, UnreadableInput
from treering.evaluation.answering.protocols import AnswerProtocol, protocol_named
from treering.evaluation.answering.questions import Posed
from treering.evaluation.answering.running import Outcome, run_protocol
from treering.evaluation.answering.tables import tabulate
from treering.evaluation.answering.transcript import Transcript

LONG = protocol_named("longmemeval")
QUESTIONS = [posed(id=f"q{number}", text=f"What is {number}?", category="multi-session") for number in range(6)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs" / "long.jsonl"


def run(
    path: Path,
    answerer: Scripted,
    *judges: Scripted,
    protocol: AnswerProtocol = LONG,
    questions: Sequence[Posed] = QUESTIONS,
    workers: int = 1,
) -> tuple[list[Outcome], int]:
    with Transcript(path) as transcript:
        outcomes = run_protocol(protocol, questions, answerer, judges, transcript, workers=workers)
        return outcomes, transcript.asked


def by_number(prompt: str) -> str:
    return "yes" if "What is 2?" in prompt or "What is 4?" in prompt else "no"


def test_every_question_is_answered_judged_and_scored_in_order(path):
    outcomes, asked = run(path, Scripted("It is so.", name="a"), Scripted(by=by_number, name="j"), workers=3)
    assert [one.question for one in outcomes] == [f"q{number}" for number in range(6)]
    assert [one.scores["accuracy"] for one in outcomes] == [0, 0, 1, 0, 1, 0]
    assert asked == 12
    assert {(one.answer, one.tokens, one.verdicts, one.unreadable) for one in outcomes} == {("It is so.", 110, 1, 0)}


def test_raw_replies_are_kept_with_who_said_them_of_what(path):
    run(path, Scripted("<think>x</think> So.", name="a"), Scripted("yes", name="j"), questions=QUESTIONS[:1])
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(one["question"], one["role"], one["by"], one["text"]) for one in kept] == [
        ("q0", "answer", "a", "<think>x</think> So."),
        ("q0", "judge", "j", "yes"),
    ]


def test_judges_do_not_see_what_was_thought(path):
    judge = Scripted("yes", name="j")
    run(path, Scripted("<think>secret</think> So.", name="a"), judge, questions=QUESTIONS[:1])
    assert "secret" not in judge.asked[0][0]["content"]


def test_a_run_that_failed_goes_on_where_it_stopped(path):
    judge = Scripted("yes", "no", ModelUnavailable("quota used up"), name="j")
    with pytest.raises(ModelUnavailable):
        run(path, Scripted("So.", name="a"), judge)
    before = len(path.read_text().splitlines())
    answerer, judge = Scripted("So.", name="a"), Scripted("yes", name="j")
    outcomes, asked = run(path, answerer, judge)
    assert before + asked == 12
    assert [one.scores["accuracy"] for one in outcomes] == [1, 0, 1, 1, 1, 1]
    assert run(path, answerer, judge)[1] == 0


def test_another_judge_asks_the_judges_only(path):
    answerer = Scripted("So.", name="a")
    run(path, answerer, Scripted("yes", name="j"))
    other = Scripted("no", name="k")
    outcomes, _ = run(path, answerer, other)
    assert (len(answerer.asked), len(other.asked)) == (6, 6)
    assert not any(one.scores["accuracy"] for one in outcomes)


def test_a_line_that_a_crash_cut_short_is_asked_for_again(path):
    answerer, judge = Scripted("So.", name="a"), Scripted("yes", name="j")
    run(path, answerer, judge)
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    assert run(path, answerer, judge)[1] == 1
    assert path.read_bytes() == whole


@pytest.mark.parametrize("line", ["{}", "[]", "hello", '{"key": "x"}'])
def test_a_file_that_is_no_transcript_is_left_alone(path, line):
    path.parent.mkdir()
    path.write_text(f"{line}\n")
    with pytest.raises(UnreadableInput, match="line 1 is no line of a transcript"):
        Transcript(path)
    assert path.read_text() == f"{line}\n"


def test_of_several_judges_more_than_half_must_say_yes(path):
    judges = [Scripted(reply, name=reply) for reply in ("yes", "no", "Maybe")]
    assert run(path, Scripted("So."), *judges)[0][0].scores["accuracy"] == 0.0
    judges[2] = Scripted("Yes, it is", name="third")
    assert run(path, Scripted("So."), *judges)[0][0].scores["accuracy"] == 1.0


def test_fractions_of_several_judges_are_averaged(path):
    judges = [Scripted(f'{{"points": {{"who": {value}}}}}', name=f"j{value}") for value in (1, 0.5)]
    asked = [posed(facets=RUBRIC)]
    (outcome,) = run(path, Scripted("So."), *judges, protocol=protocol_named("orgmembench"), questions=asked)[0]
    assert outcome.scores == {"score": 0.375, "faithful": 1.0}
    assert (outcome.verdicts, outcome.unreadable) == (4, 2)


def test_a_judge_that_does_not_answer_the_question_counts_none_and_is_counted(path):
    outcomes, _ = run(path, Scripted("So."), Scripted("As an AI, I find both plausible.", name="j"))
    table = tabulate(LONG, outcomes)
    assert (table.unreadable, table.verdicts) == (6, 6)
    assert "did not read and count 0: 6 of 6." in table.markdown()


def test_left_out_categories_are_not_asked(path):
    questions = [posed(id="a", category="adversarial"), posed(id="b", category="temporal")]
    answerer = Scripted("So.")
    outcomes, _ = run(path, answerer, Scripted("x"), protocol=protocol_named("locomo"), questions=questions)
    assert [one.question for one in outcomes] == ["b"]


def test_progress_is_told_question_by_question(path):
    told = []
    with Transcript(path) as transcript:
        run_protocol(
            LONG, QUESTIONS[:2], Scripted("So."), [Scripted("yes")], transcript,
            progress=lambda *step: told.append(step),
        )  # fmt: skip
    assert told == [("answering and judging", 1, 2), ("answering and judging", 2, 2)]


def test_the_table_has_a_row_a_category_and_both_means(path):
    table = tabulate(LONG, run_on_three(path))
    assert table.markdown() == (
        "| longmemeval | questions | accuracy |\n"
        "|---|---:|---:|\n"
        "| multi-session | 1 | 0.0 |\n"
        "| temporal-reasoning | 2 | 100.0 |\n"
        "| all | 3 | 66.7 |\n"
        "| mean of categories | 3 | 50.0 |\n"
        "\nVerdicts that did not read and count 0: 0 of 3. Tokens a question: 110."
    )
    assert json.loads(json.dumps(table.as_json()))["rows"][0] == {
        "name": "multi-session", "questions": 1, "accuracy": 0.0
    }  # fmt: skip


def run_on_three(path: Path) -> list[Outcome]:
    questions = [
        posed(id="a", text="What is 2?", category="temporal-reasoning"),
        posed(id="b", text="What is 4?", category="temporal-reasoning"),
        posed(id="c", text="What is 5?", category="multi-session"),
    ]
    return run(path, Scripted("So."), Scripted(by=by_number, name="j"), questions=questions)[0]


def test_a_measure_that_only_some_questions_have_is_averaged_over_those(path):
    options = (("A", "x"), ("B", "y"))
    questions = [posed(id="a", category="F_SH", options=options, answer="A"), posed(id="b", category="MA_C")]
    ever = protocol_named("evermembench")
    outcomes, _ = run(path, Scripted("A"), Scripted("CORRECT", name="j"), protocol=ever, questions=questions)
    text = tabulate(ever, outcomes).markdown()
    assert "| F_SH | 1 | 100.0 | 0.0 |" in text
    assert "| MA_C | 1 | 100.0 |  |" in text


def test_no_question_makes_an_empty_table():
    table = tabulate(LONG, [])
    assert table.rows == ()
    assert "0 of 0" in table.markdown()


def test_memora_with_three_judges_votes_on_each_check(path):
    judges = [Scripted(by=lambda prompt: "yes" if "dentist" in prompt else "no", name="1"), Scripted("no", name="2"),
              Scripted(by=lambda prompt: "yes" if "dentist" in prompt else "no", name="3")]  # fmt: skip
    asked = [posed(facets=CHECKS)]
    (outcome,) = run(path, Scripted("So."), *judges, protocol=protocol_named("memora"), questions=asked)[0]
    assert outcome.scores == {"FAMA": 0.5, "presence": 0.5, "absence": 1.0}
