"""Running a protocol: answer, judge, score, many questions at a time, with every reply kept in a transcript."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from treering.evaluation.answering.protocols import AnswerProtocol, Verdicts
from treering.evaluation.answering.questions import Posed
from treering.evaluation.answering.transcript import Transcript
from treering.models.generator import Generator, without_thinking

__all__ = ["Outcome", "run_protocol"]

WORKERS: Final = 4  # questions at a time

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question."""

    question: str
    category: str
    answer: str
    scores: dict[str, float]  # measure -> 0 to 1
    verdicts: int  # that judges should have given
    unreadable: int  # of them, that no judge gave in a form that reads: they count 0
    tokens: int  # that the answering model read and wrote


def run_protocol(
    protocol: AnswerProtocol,
    posed: Sequence[Posed],
    answerer: Generator,
    judges: Sequence[Generator],
    transcript: Transcript,
    *,
    workers: int = WORKERS,
    progress: Progress = lambda _what, _done, _of: None,
) -> list[Outcome]:
    """The outcomes, in the order of the questions; categories that the protocol leaves out are not asked.

    Args:
        protocol: Of the benchmark.
        posed: Questions with the evidence that the system under test found.
        answerer: Reads evidence, writes answers.
        judges: One, or several that vote: more than half must say yes. Fractions are averaged.
        transcript: Keeps what they said; a run that was interrupted asks only for the rest.
        workers: Questions at a time.
        progress: Told how many of how many questions are done.

    Raises:
        ModelUnavailable: A server does not answer, or refuses; what was said before is kept.
    """
    chosen = [one for one in posed if one.question.category not in protocol.left_out]
    one = partial(_run, protocol, answerer, judges, transcript)
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(one, question) for question in chosen]
        try:
            for future in waiting:
                outcomes.append(future.result())
                progress("answering and judging", len(outcomes), len(chosen))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return outcomes


def _run(
    protocol: AnswerProtocol, answerer: Generator, judges: Sequence[Generator], transcript: Transcript, posed: Posed
) -> Outcome:
    asked = posed.question
    reply = transcript.say(
        answerer,
        protocol.answer(posed),
        max_tokens=protocol.answer_tokens_max,
        question=asked.id,
        role="answer",
    )
    answer = without_thinking(reply.text).strip()
    verdicts: dict[str, float] = {}
    wanted: list[str] = []
    for ask in protocol.judge(asked, answer):
        wanted += ask.names
        replies = (
            transcript.say(judge, ask.messages, max_tokens=protocol.judge_tokens_max, question=asked.id, role="judge")
            for judge in judges
        )
        readings = [reading for said in replies if (reading := ask.read(said.text)) is not None]
        verdicts |= dict(_joined(ask.names, readings, vote=protocol.binary))
    return Outcome(
        asked.id,
        asked.category,
        answer,
        protocol.score(asked, answer, verdicts),
        len(wanted),
        sum(name not in verdicts for name in wanted),
        reply.tokens_in + reply.tokens_out,
    )


def _joined(names: Sequence[str], readings: Sequence[Verdicts], *, vote: bool) -> Iterator[tuple[str, float]]:
    """One verdict from those of all judges that gave one; a tie is a no."""
    for name in names:
        given = [reading[name] for reading in readings if name in reading]
        if given:
            mean = sum(given) / len(given)
            yield name, float(mean > 0.5) if vote else mean
