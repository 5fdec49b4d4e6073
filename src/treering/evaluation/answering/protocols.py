"""The benchmarks' protocols: how a question is put, who judges the answer by what, and how that becomes a score.

A protocol is a value: prompts (see `prompts`), readings of replies, and arithmetic. It calls no model.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from treering.errors import UnreadableInput, UsageError
from treering.evaluation.answering import prompts
from treering.evaluation.answering.overlap import bleu_1, f1, f1_of_lists, f1_of_sets
from treering.evaluation.answering.questions import Asked, Posed
from treering.evaluation.answering.replies import label, letter, rubric, yes_or_no
from treering.models.generator import Message, without_thinking

__all__ = ["PROTOCOLS", "AnswerProtocol", "Ask", "protocol_for", "protocol_named"]

VERDICT: Final = "verdict"
FAITHFUL: Final = "faithful"
ADVERSARIAL: Final = "adversarial"  # LoCoMo's fifth category, which the later papers leave out
PREFERENCE: Final = "single-session-preference"
_JUDGE_OF_TYPE: Final = MappingProxyType(
    {
        "temporal-reasoning": prompts.judge_within_one,
        "knowledge-update": prompts.judge_update,
        PREFERENCE: prompts.judge_preference,
    }
)

Verdicts = Mapping[str, float]  # what judges found, each from 0 to 1


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that judges are asked about an answer."""

    messages: Sequence[Message]
    names: tuple[str, ...]  # of the verdicts that a reply should give
    read: Callable[[str], Verdicts | None]  # None: the reply says none


@dataclass(frozen=True, slots=True)
class AnswerProtocol:
    """How one benchmark has answers made and scored."""

    name: str
    source: str  # whose protocol it re-expresses
    answer: Callable[[Posed], list[Message]]
    judge: Callable[[Asked, str], Sequence[Ask]]  # none for what code can tell
    score: Callable[[Asked, str, Verdicts], dict[str, float]]  # measure -> 0 to 1; a verdict that is missing counts 0
    measure: str  # the one that the papers report
    binary: bool = True  # several judges vote; otherwise their verdicts are averaged
    answer_tokens_max: int = 1_000
    judge_tokens_max: int = 1_000  # reasoning models think before their one word
    left_out: frozenset[str] = frozenset()  # categories that are not asked


def protocol_named(name: str) -> AnswerProtocol:
    """The protocol of a benchmark.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in PROTOCOLS:
        raise UsageError(f"no answer protocol {name!r}; there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


def protocol_for(benchmark: str) -> AnswerProtocol:
    """The protocol of a benchmark by the name that its loader goes by; ours for a corpus that has none of its own.

    >>> protocol_for("longmemeval-s").name, protocol_for("ncar").name
    ('longmemeval', 'evidence')
    """
    return PROTOCOLS.get(benchmark.partition("-")[0], PROTOCOLS["evidence"])


def _one(messages: Sequence[Message], read: Callable[[str], bool | None]) -> list[Ask]:
    def verdict(reply: str) -> Verdicts | None:
        found = read(reply)
        return None if found is None else {VERDICT: float(found)}

    return [Ask(messages, (VERDICT,), verdict)]


def _accuracy(_asked: Asked, _answer: str, verdicts: Verdicts) -> dict[str, float]:
    return {"accuracy": verdicts.get(VERDICT, 0.0)}


# GroupMemBench, and the questions over our own corpora


def _judge_facts(asked: Asked, answer: str) -> Sequence[Ask]:
    if asked.abstain:
        return _one(prompts.judge_abstention(asked, answer), yes_or_no)
    return _one(prompts.judge_equal(asked, answer), label)


# EverMemBench


def _answer_ever(posed: Posed) -> list[Message]:
    return prompts.answer_choice(posed) if posed.question.options else prompts.answer_open(posed)


def _judge_ever(asked: Asked, answer: str) -> Sequence[Ask]:
    return () if asked.options else _one(prompts.judge_key_facts(asked, answer), label)


def _score_ever(asked: Asked, answer: str, verdicts: Verdicts) -> dict[str, float]:
    if not asked.options:
        return _accuracy(asked, answer, verdicts)
    letters = [one for one, _ in asked.options]
    chosen, right = letter(answer, letters), letter(asked.answer, letters)
    if right is None:
        raise UnreadableInput(f"the right answer of {asked.id} is {asked.answer!r}, which is none of its options")
    return {"accuracy": float(chosen == right), "unreadable choice": float(chosen is None)}


# OrgMemBench


def _judge_org(asked: Asked, answer: str) -> Sequence[Ask]:
    def points(reply: str) -> Verdicts | None:
        found = rubric(reply)
        return None if found is None else {**found[0], FAITHFUL: float(found[1])}

    names = (*(point.id for point in asked.facets), FAITHFUL)
    return [Ask(prompts.judge_facets(asked, answer), names, points)]


def _score_org(asked: Asked, _answer: str, verdicts: Verdicts) -> dict[str, float]:
    weights = sum(point.weight for point in asked.facets)
    got = sum(point.weight * verdicts.get(point.id, 0.0) for point in asked.facets)
    return {"score": got / weights if weights else 0.0, FAITHFUL: verdicts.get(FAITHFUL, 0.0)}


# LongMemEval


def _judge_long(asked: Asked, answer: str) -> Sequence[Ask]:
    if asked.abstain:
        return _one(prompts.judge_abstention(asked, answer), yes_or_no)
    return _one(_JUDGE_OF_TYPE.get(asked.category, prompts.judge_contains)(asked, answer), yes_or_no)


# LoCoMo


def _judge_locomo(asked: Asked, answer: str) -> Sequence[Ask]:
    return _one(prompts.judge_same_topic(asked, answer), label)


def _score_locomo(asked: Asked, answer: str, verdicts: Verdicts) -> dict[str, float]:
    said = without_thinking(answer).strip()
    # Open-domain answers carry their reasons behind a semicolon, and multi-hop ones list several things.
    gold = asked.answer.split(";")[0].strip() if asked.category == "open-domain" else asked.answer
    overlap = f1_of_lists if asked.category == "multi-hop" else f1
    return {
        "judge": verdicts.get(VERDICT, 0.0),
        "F1 (sets)": f1_of_sets(said, asked.answer),
        "BLEU-1": bleu_1(said, asked.answer),
        "F1 (LoCoMo)": overlap(said, gold),
    }


# Memora


def _judge_memora(asked: Asked, answer: str) -> Sequence[Ask]:
    asks = []
    for point in asked.facets:

        def verdict(reply: str, name: str = point.id) -> Verdicts | None:
            found = yes_or_no(reply)
            return None if found is None else {name: float(found)}

        asks.append(Ask(prompts.judge_check(point.criterion, answer), (point.id,), verdict))
    return asks


def _score_memora(asked: Asked, _answer: str, verdicts: Verdicts) -> dict[str, float]:
    """FAMA = max(0, presence - share of absences x (1 - absence)); source: Memora, section 4."""

    def rate(expected: str, found: float) -> tuple[int, float]:
        points = [point for point in asked.facets if point.expected == expected]
        right = sum(verdicts.get(point.id) == found for point in points)  # a check without a verdict is not passed
        return len(points), right / len(points) if points else 1.0

    wanted, presence = rate("yes", 1.0)
    unwanted, absence = rate("no", 0.0)
    share = unwanted / (wanted + unwanted) if asked.facets else 0.0
    return {"FAMA": max(0.0, presence - share * (1.0 - absence)), "presence": presence, "absence": absence}


_ALL: Final = (
    AnswerProtocol(
        "groupmembench",
        "GroupMemBench: accuracy by a judge; its prompts are not published where we could read them",
        prompts.answer_in_group_chat,
        _judge_facts,
        _accuracy,
        "accuracy",
    ),
    AnswerProtocol(
        "evermembench",
        "EverMemBench, eval/config/prompts.yaml; EGCForest appendix A.4",
        _answer_ever,
        _judge_ever,
        _score_ever,
        "accuracy",
    ),
    AnswerProtocol(
        "orgmembench",
        "OrgMemBench, orgmembench/answerer.py and judge.py",
        prompts.answer_from_records,
        _judge_org,
        _score_org,
        "score",
        binary=False,
    ),
    AnswerProtocol(
        "longmemeval",
        "LongMemEval, src/evaluation/evaluate_qa.py",
        prompts.answer_from_history,
        _judge_long,
        _accuracy,
        "accuracy",
    ),
    AnswerProtocol(
        "locomo",
        "LoCoMo, task_eval/evaluation.py; the judge of Mem0, evaluation/metrics/llm_judge.py",
        prompts.answer_in_a_phrase,
        _judge_locomo,
        _score_locomo,
        "judge",
        left_out=frozenset((ADVERSARIAL,)),
    ),
    AnswerProtocol(
        "memora",
        "Memora, section 4 and its evaluation questions; the paper lets three judges vote",
        prompts.answer_from_history,
        _judge_memora,
        _score_memora,
        "FAMA",
    ),
    AnswerProtocol(
        "evidence",
        "ours: for questions over an organization's own chats and documents",
        prompts.answer_from_records,
        _judge_facts,
        _accuracy,
        "accuracy",
    ),
)
PROTOCOLS: Final[Mapping[str, AnswerProtocol]] = MappingProxyType({one.name: one for one in _ALL})
