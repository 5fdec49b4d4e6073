"""Each benchmark's rules: how the question is put, what a judge is asked, and what the score is."""

import json

import pytest

from tests.unit.evaluation.answering.asked import CHECKS, OPTIONS, RUBRIC, posed, question
from treering.errors import UnreadableInput, UsageError
from treering.evaluation.answering.protocols import PROTOCOLS, protocol_named


def put(name: str, **more: object) -> str:
    """The prompt of a question, as one text."""
    return "\n".join(message["content"] for message in protocol_named(name).answer(posed(**more)))


def judged(name: str, asked, answer: str = "On 2025-07-18.") -> list[str]:
    return ["\n".join(m["content"] for m in ask.messages) for ask in protocol_named(name).judge(asked, answer)]


def score(name: str, asked, answer: str = "", *replies: str) -> dict[str, float]:
    protocol = protocol_named(name)
    verdicts: dict[str, float] = {}
    for ask, reply in zip(protocol.judge(asked, answer), replies, strict=True):
        verdicts |= ask.read(reply) or {}
    return protocol.score(asked, answer, verdicts)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_puts_the_question_and_the_evidence_by_rank(name):
    text = put(name, evidence=frozenset())
    assert "When is the launch?" in text
    assert "(1) [2025-07-01] Ana: launch on the 18th" in text
    assert "2025-07-18" not in text  # the right answer stays with the judge
    assert "(nothing was found)" in "".join(m["content"] for m in PROTOCOLS[name].answer(type(posed())(question(), ())))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_names_its_source_and_its_measure(name):
    protocol = PROTOCOLS[name]
    asked = question(facets=RUBRIC)
    assert protocol.source
    assert protocol.measure in protocol.score(asked, "so", {})


def test_an_unknown_protocol_is_refused_with_the_list():
    with pytest.raises(UsageError, match="no answer protocol 'squad'; there are groupmembench, evermembench,"):
        protocol_named("squad")


def test_groupmembench_names_the_asker_and_judges_abstention_by_its_own_rule():
    assert "Question: User_7 asks: When is the launch?" in put("groupmembench", asker="User_7")
    (prompt,) = judged("groupmembench", question(abstain=True, answer="nobody said"))
    assert "Why it cannot be answered: nobody said" in prompt
    assert score("groupmembench", question(abstain=True), "Not available.", "yes") == {"accuracy": 1.0}
    assert score("groupmembench", question(), "the 18th", '{"label": "WRONG"}') == {"accuracy": 0.0}


def test_evermembench_scores_a_choice_by_its_letter_alone():
    asked = question(options=OPTIONS, answer="C")
    assert "C. Friday" in put("evermembench", options=OPTIONS, answer="C")
    assert judged("evermembench", asked) == []
    assert score("evermembench", asked, "C") == {"accuracy": 1.0, "unreadable choice": 0.0}
    assert score("evermembench", asked, "(B)") == {"accuracy": 0.0, "unreadable choice": 0.0}
    assert score("evermembench", asked, "A meeting on Friday, or C") == {"accuracy": 0.0, "unreadable choice": 1.0}
    assert score("evermembench", question(options=OPTIONS, answer="C. Friday"), "c")["accuracy"] == 1.0


def test_evermembench_with_an_answer_that_is_no_option_says_so():
    with pytest.raises(UnreadableInput, match="of q1 is 'Friday', which is none of its options"):
        score("evermembench", question(options=OPTIONS, answer="Friday"), "C")


def test_evermembench_judges_an_open_answer_by_its_key_facts_within_a_day():
    (prompt,) = judged("evermembench", question())
    assert "one day" in prompt
    assert score("evermembench", question(), "the 18th", "It fits. CORRECT") == {"accuracy": 1.0}


def test_orgmembench_weighs_each_point_of_the_rubric_by_code():
    asked = question(facets=RUBRIC)
    (prompt,) = judged("orgmembench", asked)
    assert json.dumps("another name") in prompt
    reply = '{"points": {"who": 1, "when": 0.5, "other": 1}, "faithful": false}'
    assert score("orgmembench", asked, "Ana, in July", reply) == {"score": 0.625, "faithful": 0.0}
    assert score("orgmembench", asked, "Ana", "I liked it") == {"score": 0.0, "faithful": 0.0}


def test_orgmembench_weights_need_not_add_up_to_one():
    asked = question(facets=RUBRIC[:1])
    assert score("orgmembench", asked, "Ana", '{"points": {"who": 3}}') == {"score": 1.0, "faithful": 1.0}


@pytest.mark.parametrize(
    ("category", "rule"),
    [
        ("single-session-user", "only a part"),
        ("single-session-assistant", "only a part"),
        ("multi-session", "every step"),
        ("temporal-reasoning", "off by one"),
        ("knowledge-update", "what held before"),
        ("single-session-preference", "need not meet every point"),
    ],
)
def test_longmemeval_has_a_rule_for_each_type(category, rule):
    (prompt,) = judged("longmemeval", question(category=category))
    assert rule in " ".join(prompt.split())
    assert ("off by one" in prompt) == (category == "temporal-reasoning")
    assert score("longmemeval", question(category=category), "18 days", "Yes") == {"accuracy": 1.0}


def test_longmemeval_abstention_goes_before_the_type_and_the_date_of_the_question_is_told():
    (prompt,) = judged("longmemeval", question(category="temporal-reasoning", abstain=True))
    assert "cannot be answered" in prompt
    assert "Today is 2023/05/30." in put("longmemeval", asked_at="2023/05/30")


def test_locomo_has_a_judge_and_three_overlaps_and_leaves_the_adversarial_out():
    made = score("locomo", question(category="temporal", answer="7 May 2023"), "7 May", '{"label": "CORRECT"}')
    assert made == {
        "judge": 1.0,
        "F1 (sets)": pytest.approx(0.8),
        "BLEU-1": pytest.approx(0.60653, abs=1e-4),
        "F1 (LoCoMo)": pytest.approx(0.8),
    }
    assert protocol_named("locomo").left_out == {"adversarial"}


def test_locomo_counts_lists_item_by_item_and_open_answers_without_their_reasons():
    several = question(category="multi-hop", answer="pottery, camping")
    assert score("locomo", several, "camping, pottery", "x")["F1 (LoCoMo)"] == 1.0
    reasoned = question(category="open-domain", answer="Likely no; she prefers to read")
    assert score("locomo", reasoned, "Likely no", "x")["F1 (LoCoMo)"] == 1.0
    assert score("locomo", reasoned, "Likely no", "x")["F1 (sets)"] < 1.0


def test_memora_asks_each_check_alone_and_takes_the_forgotten_off_the_remembered():
    asked = question(facets=CHECKS)
    prompts = judged("memora", asked, "Dentist, then gym.")
    assert [prompt.count("Does the reply mention") for prompt in prompts] == [1, 1, 1, 1]
    assert "yes or no" in prompts[0]
    assert score("memora", asked, "", "yes", "no", "yes", "no") == {"FAMA": 0.25, "presence": 0.5, "absence": 0.5}
    assert score("memora", asked, "", "yes", "yes", "no", "no")["FAMA"] == 1.0
    assert score("memora", asked, "", "no", "no", "yes", "yes")["FAMA"] == 0.0


def test_memora_without_anything_to_forget_is_what_is_remembered_and_silence_of_the_judge_passes_nothing():
    asked = question(facets=CHECKS[:2])
    assert score("memora", asked, "", "yes", "perhaps") == {"FAMA": 0.5, "presence": 0.5, "absence": 1.0}
    assert score("memora", question(facets=CHECKS), "", *["perhaps"] * 4)["FAMA"] == 0.0
