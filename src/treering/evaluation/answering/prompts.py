"""What the answering and the judging models are asked for, benchmark by benchmark; in our own words, and versioned.

Each says what the benchmark's own prompt demands, no more and no less; where that is lenient or odd, so is this. The
benchmark whose prompt it re-expresses is named beside it. Nothing here calls a model or reads a reply.
"""

import json
from typing import Final

from treering.evaluation.answering.questions import Asked, Posed
from treering.models.generator import Message

__all__ = [
    "answer_choice",
    "answer_from_history",
    "answer_from_records",
    "answer_in_a_phrase",
    "answer_in_group_chat",
    "answer_open",
    "judge_abstention",
    "judge_check",
    "judge_contains",
    "judge_equal",
    "judge_facets",
    "judge_key_facts",
    "judge_preference",
    "judge_same_topic",
    "judge_update",
    "judge_within_one",
]

_YES_OR_NO: Final = "Reply with the one word yes or no."
_LABEL: Final = 'Reply with JSON and nothing else: {"label": "CORRECT"} or {"label": "WRONG"}.'


def _ask(*parts: str) -> list[Message]:
    return [{"role": "user", "content": "\n\n".join(part for part in parts if part)}]


def _shown(posed: Posed, heading: str) -> str:
    """The evidence, numbered by rank; of none, that there is none."""
    lines = [f"({number}) {text}" for number, text in enumerate(posed.evidence, 1)]
    return "\n".join((f"{heading}:", *(lines or ["(nothing was found)"])))


def _question(asked: Asked, *, asker: bool = False, date: bool = False) -> str:
    lines = [f"Today is {asked.asked_at}."] if date and asked.asked_at else []
    who = f"{asked.asker} asks: " if asker and asked.asker else ""
    return "\n".join((*lines, f"Question: {who}{asked.text}"))


# Answering


def answer_in_group_chat(posed: Posed) -> list[Message]:
    """GroupMemBench: from the messages found, for the person who asks; an abstention where they do not say."""
    return _ask(
        "Answer a question about a company's group chats from the messages below alone. The person who asks is named:"
        ' "I", "my" and "we" in the question mean that person, and the same word may mean different things to'
        " different people. Where messages disagree, what was decided last holds. Answer in one or two sentences, with"
        " the exact names, dates and numbers. If the messages do not hold the answer, say that the information is not"
        " available, and nothing else.",
        _shown(posed, "Messages"),
        _question(posed.question, asker=True),
    )


def answer_choice(posed: Posed) -> list[Message]:
    """EverMemBench, multiple choice: one letter, guessed if need be."""
    options = "\n".join(f"{letter}. {text}" for letter, text in posed.question.options)
    letters = ", ".join(letter for letter, _ in posed.question.options)
    return _ask(
        "Choose the one option that the memories of a group chat below support best. Use only what they say or what"
        " follows from it; of memories that contradict each other the latest counts. Even if they do not settle it,"
        " choose the option that fits them least badly.",
        _shown(posed, "Memories"),
        _question(posed.question, date=True),
        f"Options:\n{options}",
        f"Reply with a single capital letter and nothing else: {letters}.",
    )


def answer_open(posed: Posed) -> list[Message]:
    """EverMemBench, open: a few exact words."""
    return _ask(
        "Answer from the memories of a group chat below alone. Mind who said what and when; of memories that contradict"
        ' each other the latest counts. Turn every relative time ("last week") into a date. Answer in as few words as'
        " are exact, about six, without reasons.",
        _shown(posed, "Memories"),
        _question(posed.question, date=True),
    )


def answer_from_records(posed: Posed) -> list[Message]:
    """OrgMemBench: its neutral answerer, which is tuned to no system; also for questions over our own corpora."""
    return _ask(
        "Answer a question about an organization from the records below alone: chats, mails, minutes, documents and"
        " tickets of several years. Read all of them first, for what matters may be scattered. Be direct and specific:"
        " names, dates, decisions and numbers. Where records on one subject have different dates, let the dates decide"
        " which of them holds: the newest, or the one in force on the day that the question is about. If a list or a"
        " count is asked for, name each item. Make nothing up; if the records do not hold the answer, say so, and say"
        " what they do show.",
        _shown(posed, "Records"),
        _question(posed.question, asker=True, date=True),
    )


def answer_from_history(posed: Posed) -> list[Message]:
    """LongMemEval and Memora: an assistant that knows its earlier conversations with this user."""
    return _ask(
        "You are an assistant who talks with one user. Below are parts of your earlier conversations with that user."
        " First collect from them what bears on the question, then reason from it to the answer, and give that. What"
        " the user has changed, cancelled or taken back since no longer holds. If the conversations do not tell, say"
        " so. Where advice is asked for, let it follow from what you know of this user.",
        _shown(posed, "Earlier conversations"),
        _question(posed.question, date=True),
    )


def answer_in_a_phrase(posed: Posed) -> list[Message]:
    """LoCoMo: a short phrase, in the conversation's own words; times as dates."""
    return _ask(
        "Answer from the turns of a long conversation between two people below. Give a short phrase, five or six words"
        ' at most, in the words of the conversation where you can. A turn\'s own date tells what its "yesterday" or'
        ' "last month" means: answer with a date, a month or a year, never with a relative time. If the conversation'
        ' does not tell, answer "not mentioned".',
        _shown(posed, "Turns"),
        _question(posed.question),
    )


# Judging


def _graded(asked: Asked, answer: str, right: str = "Right answer") -> str:
    return f"Question: {asked.text}\n\n{right}: {asked.answer}\n\nAnswer to be graded: {answer}"


def judge_contains(asked: Asked, answer: str) -> list[Message]:
    """LongMemEval, most types: the right answer, or every step to it, must be there in full."""
    return _ask(
        "Grade an answer. It is correct if it contains the right answer, says the same in other words, or has every"
        " step that leads to the right answer. It is not correct if it has only a part of what the right answer says.",
        _graded(asked, answer),
        f"Is the answer correct? {_YES_OR_NO}",
    )


def judge_within_one(asked: Asked, answer: str) -> list[Message]:
    """LongMemEval, temporal reasoning: as before, and a count of days, weeks or months may be off by one."""
    return _ask(
        "Grade an answer. It is correct if it contains the right answer, says the same in other words, or has every"
        " step that leads to the right answer. It is not correct if it has only a part of what the right answer says."
        " A number of days, weeks, months or the like that is off by one counts as correct: 19 days where 18 are"
        " right.",
        _graded(asked, answer),
        f"Is the answer correct? {_YES_OR_NO}",
    )


def judge_update(asked: Asked, answer: str) -> list[Message]:
    """LongMemEval, knowledge update: the new state must be the answer; the old one may be told beside it."""
    return _ask(
        "Grade an answer about something that changed. It is correct if it gives the right answer, which is the state"
        " after the change, as the one that holds. That it also tells what held before does not make it wrong.",
        _graded(asked, answer),
        f"Is the answer correct? {_YES_OR_NO}",
    )


def judge_preference(asked: Asked, answer: str) -> list[Message]:
    """LongMemEval, preference: against a rubric, of which not every point need be met."""
    return _ask(
        "Grade a personal reply against a description of what a good one would be. It is correct if it remembers what"
        " is known of this user and makes right use of it. It need not meet every point of the description.",
        _graded(asked, answer, "Description of a good reply"),
        f"Is the reply correct? {_YES_OR_NO}",
    )


def judge_abstention(asked: Asked, answer: str) -> list[Message]:
    """LongMemEval, GroupMemBench and ours, unanswerable questions: the answer must say that it cannot tell."""
    return _ask(
        "A question cannot be answered from what is known. Did the answer see that? It did if it says that the"
        " information is missing or incomplete, or that something else is known but not what was asked for. It did not"
        " if it answers the question.",
        _graded(asked, answer, "Why it cannot be answered"),
        f"Does the answer say that the question cannot be answered? {_YES_OR_NO}",
    )


def judge_key_facts(asked: Asked, answer: str) -> list[Message]:
    """EverMemBench, open: the key facts count, form and length do not, and a date may be off by a day."""
    return _ask(
        "Grade an answer to a question about a group chat. Be generous: it is correct if it has the key information of"
        " the right answer, however long it is and however it is put. Dates may be written in any form, and a date may"
        " be off by one day, for time zones. It is wrong if a key fact is missing or different.",
        _graded(asked, answer),
        _LABEL,
    )


def judge_equal(asked: Asked, answer: str) -> list[Message]:
    """GroupMemBench and ours: the same facts, in whatever words."""
    return _ask(
        "Grade an answer. It is correct if it states what the right answer states: the same facts, people, dates and"
        " numbers, in whatever words and form, however long it is. It is wrong if a fact of the right answer is"
        " missing or different, if it states the opposite beside it, or if it says that it cannot tell.",
        _graded(asked, answer),
        _LABEL,
    )


def judge_same_topic(asked: Asked, answer: str) -> list[Message]:
    """LoCoMo, as Mem0 and later papers judge it: generous; whoever touches the same topic or means the same time."""
    return _ask(
        "Grade an answer to a question about what one person should know of another from their conversations. Be"
        " generous: it is correct if it touches on the same topic as the right answer, however much longer it is. Of"
        ' times it is correct if it means the same date or period, in whatever form ("7 May", "last Tuesday").',
        _graded(asked, answer),
        _LABEL,
    )


def judge_facets(asked: Asked, answer: str) -> list[Message]:
    """OrgMemBench: each point of a rubric by the fraction that is met; the weighting is done by code."""
    points = [{"id": point.id, "criterion": point.criterion, "fails_if": point.fails_if} for point in asked.facets]
    return _ask(
        "Judge an answer to a question about an organization, strictly and without favour, against the truth and a"
        " rubric. Give each point of the rubric the fraction of its criterion that the answer truly meets, from 0 to 1."
        " The answer is faithful unless it asserts, as certain, what the truth does not support or contradicts.",
        _graded(asked, answer, "Truth"),
        "Rubric:\n" + json.dumps(points, ensure_ascii=False, indent=1),
        'Reply with JSON and nothing else: {"points": {"<id>": <0 to 1>, ...}, "faithful": <true or false>}.',
    )


def judge_check(criterion: str, answer: str) -> list[Message]:
    """Memora: one yes-or-no check of an answer, seen without the question and without what is expected."""
    return _ask(
        "Check one thing about a reply, and nothing else about it.",
        f"Reply: {answer}",
        f"{criterion} {_YES_OR_NO}",
    )
