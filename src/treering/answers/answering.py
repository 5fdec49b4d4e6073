"""From evidence to an answer by a model, within a budget: ask, check sentence by sentence, cite.

The answer is what is left after the checks. If nothing is left that cites evidence, or the model says that it cannot
tell, the answer is "not in the record", with what was searched.
"""

from collections.abc import Generator as Pieces
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treering.answers.answer import NOT_IN_THE_RECORD, Answer, citation_of, searched
from treering.answers.checking import Checker
from treering.answers.claims import claims
from treering.answers.prompts import Given, answer_messages, notes_beside, prompt_hash
from treering.model.evidence import Evidence, EvidenceSet
from treering.models.generator import Generator, Message, estimate_prompt, without_thinking
from treering.text.inert import inert
from treering.text.tokens import estimate_tokens

__all__ = ["answer", "no_answer", "stream_answer"]

BUDGET: Final = 6_000  # tokens of a prompt: the evidence of a search with its own default budget, twice over
ANSWER_TOKENS_MAX: Final = 1_000
SEED: Final = 0
_CUT: Final = " ..."


def answer(
    evidence: EvidenceSet, generator: Generator, *, budget: int = BUDGET, max_tokens: int = ANSWER_TOKENS_MAX
) -> Answer:
    """The model's answer to the question that the evidence was found for, checked against that evidence.

    Args:
        evidence: What may be answered from, and nothing else.
        generator: The model.
        budget: Tokens of the prompt at most, estimated; evidence goes in by rank until it is full.
        max_tokens: Of the answer.

    Raises:
        ModelUnavailable: The server does not answer, or refuses. It is never answered without it instead.
    """
    if not evidence:
        return no_answer(evidence)
    asked = _ask(evidence, budget)
    reply = generator.complete(asked.messages, max_tokens=max_tokens, seed=SEED)
    checker = Checker(evidence.items[: asked.given])
    text = "".join(checker.check(claim) for claim in claims(without_thinking(reply.text)))
    notes = [*asked.notes, f"the answer was cut at {max_tokens} tokens"] if reply.cut else asked.notes
    return _concluded(evidence, asked, checker, text, generator.name, reply.tokens_in + reply.tokens_out, notes)


def stream_answer(
    evidence: EvidenceSet, generator: Generator, *, budget: int = BUDGET, max_tokens: int = ANSWER_TOKENS_MAX
) -> Pieces[str, None, Answer]:
    """As `answer`, sentence by sentence, each checked before it is given out; the whole `Answer` is the return value.

    A consumer shows the pieces as they come and the answer's text in their place in the end: it may be "not in the
    record" after all.
    """
    if not evidence:
        return no_answer(evidence)
    asked = _ask(evidence, budget)
    checker = Checker(evidence.items[: asked.given])
    shown: list[str] = []
    written = 0
    for claim in _whole_claims(generator.stream(asked.messages, max_tokens=max_tokens, seed=SEED)):
        written += estimate_tokens(claim)
        piece = checker.check(claim)
        if piece:
            shown.append(piece)
            yield piece
    tokens = estimate_prompt(asked.messages) + written
    return _concluded(evidence, asked, checker, "".join(shown), generator.name, tokens, asked.notes)


def no_answer(evidence: EvidenceSet, model: str = "") -> Answer:
    """That nothing was found, and what was searched; no model needs to be asked for that."""
    where = searched(evidence)
    return Answer(f"{NOT_IN_THE_RECORD} {where}", (), (), False, where, model, "", 0, evidence.notes)


@dataclass(frozen=True, slots=True)
class _Asked:
    messages: list[Message]
    given: int  # pieces of evidence that went in
    notes: tuple[str, ...]


def _ask(evidence: EvidenceSet, budget: int) -> _Asked:
    """The prompt within the budget: evidence by rank, then what is noted beside it and still fits.

    The first piece always goes in, shortened if need be: a budget that nothing fits would look like "nothing found".
    """
    question = evidence.question
    given: list[Given] = []
    for number, item in enumerate(evidence.items, 1):
        one = Given(number, item, inert(item.text))
        if estimate_prompt(answer_messages(question, [*given, one])) > budget:
            if not given:
                given = [_shortened(question, one, budget)]
            break
        given.append(one)
    beside: list[str] = []
    for line in notes_beside(evidence):
        if estimate_prompt(answer_messages(question, given, [*beside, line])) <= budget:
            beside.append(line)
    notes = evidence.notes
    if given[0].text != inert(evidence.items[0].text):
        notes = (*notes, f"the first record was shortened to the budget of {budget} tokens")
    if left := len(evidence) - len(given):
        notes = (*notes, f"the budget of {budget} tokens left out {left} of {len(evidence)} records")
    return _Asked(answer_messages(question, given, beside), len(given), notes)


def _shortened(question: str, one: Given, budget: int) -> Given:
    """The piece cut to the longest beginning that fits."""
    low, high = 0, len(one.text)
    while low < high:
        middle = (low + high + 1) // 2
        cut = Given(one.number, one.item, one.text[:middle] + _CUT)
        if estimate_prompt(answer_messages(question, [cut])) <= budget:
            low = middle
        else:
            high = middle - 1
    return Given(one.number, one.item, one.text[:low] + _CUT)


def _whole_claims(pieces: Iterator[str]) -> Iterator[str]:
    """Sentences as soon as they are whole: when the next has begun, and it is no citation of the one before."""
    text, thinking = "", True
    for piece in pieces:
        text += piece
        if thinking:
            said = without_thinking(text)
            if not said or "<thinking>".startswith(said.lstrip()[:10]):
                continue
            text, thinking = said, False
        *whole, rest = claims(text)
        if whole and rest[0] not in "[【":
            yield from whole
            text = rest
    yield from claims(without_thinking(text) if thinking else text)


def _concluded(
    evidence: EvidenceSet,
    asked: _Asked,
    checker: Checker,
    text: str,
    model: str,
    tokens: int,
    notes: Sequence[str],
) -> Answer:
    where = searched(evidence)
    supported = checker.supported
    cited: list[Evidence] = [evidence.items[number - 1] for number in sorted(checker.numbers)]
    return Answer(
        text=text.strip() if supported else f"{NOT_IN_THE_RECORD} {where}",
        citations=tuple(citation_of(n, item) for n, item in zip(sorted(checker.numbers), cited, strict=True)),
        quotations=tuple(checker.quotations),
        supported=supported,
        searched=where,
        model=model,
        prompt_hash=prompt_hash(asked.messages),
        tokens=tokens,
        notes=(*notes, *checker.notes()),
    )
