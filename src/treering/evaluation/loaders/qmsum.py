"""QMSum: transcripts of real meetings, in its original schema; the specific queries with the turns that answer them.

A pool is one meeting, a record one turn, numbered from 0 as `relevant_text_span` numbers them (both ends inclusive).
Transcripts carry no dates: turns are put one second apart, in order, from a date that means nothing. General queries
ask for the whole meeting and are left out. Source: Zhong et al. 2021, Yale-LILY/QMSum.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from treering.errors import UnreadableInput
from treering.evaluation.benchmark import Benchmark, MessageRow, Pool, Question
from treering.evaluation.loaders.reading import as_object, existing, json_lines, missing, objects, word

__all__ = ["QmsumQuery", "QmsumTurn", "load"]

LAYOUT = "val.jsonl, test.jsonl or train.jsonl: one meeting a line, with meeting_transcripts and specific_query_list"
ORIGIN = "https://github.com/Yale-LILY/QMSum (data/ALL/jsonl)"
START = datetime(2000, 1, 1, tzinfo=UTC)


class QmsumTurn(TypedDict):
    """One entry of `meeting_transcripts`."""

    speaker: str
    content: str


class QmsumQuery(TypedDict):
    """One entry of `specific_query_list`."""

    query: str
    answer: str
    relevant_text_span: list[list[str]]  # [["14", "22"], ...]


def load(folder: Path, *, split: str = "val") -> Benchmark:
    """One split of QMSum from a folder.

    Raises:
        UnreadableInput: the file is not there, or is of another schema.
    """
    path = existing(folder, f"{split}.jsonl")
    if path is None:
        raise missing("QMSum", folder, f"{split}.jsonl", LAYOUT, ORIGIN)
    pools = (_pool(row, number, where) for number, (where, row) in enumerate(json_lines(path)))
    return Benchmark("qmsum", pools, ORIGIN, "MIT")


def _pool(row: dict[str, object], number: int, where: str) -> Pool:
    as_object(row, where, "meeting_transcripts", "specific_query_list")
    key = word(row, "meeting_id") or f"meeting-{number}"
    turns = objects(row, "meeting_transcripts", where, "speaker", "content")
    messages: list[MessageRow] = [
        {
            "id": str(place),
            "sent_at": (START + timedelta(seconds=place)).isoformat(),
            "author": str(turn["speaker"]),
            "channel": key,
            "text": str(turn["content"]),
        }
        for place, turn in enumerate(turns)
    ]
    questions = tuple(
        Question(
            id=f"{key}/{index}",
            text=str(query["query"]),
            category="specific",
            evidence=frozenset(str(place) for place in _places(query["relevant_text_span"], where, len(turns))),
            answer=word(query, "answer") or "",
        )
        for index, query in enumerate(objects(row, "specific_query_list", where, "query", "relevant_text_span"))
    )
    return Pool(key, questions, messages)


def _places(spans: object, where: str, turns: int) -> Iterator[int]:
    """The numbers of the turns in the spans; what reaches past the end is cut."""
    for span in spans if isinstance(spans, list) else [spans]:
        if not isinstance(span, list) or len(span) != 2 or not all(str(end).isdecimal() for end in span):
            raise UnreadableInput(f"{where}: {span!r} is no span of the form ['14', '22']")
        yield from range(int(str(span[0])), min(int(str(span[1])) + 1, turns))
