"""Files that the command line reads and writes: questions in, rankings out; the list of models."""

import gzip
import json
import sys
import time
import zlib
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from treering.errors import UnknownName, UnreadableInput, UsageError
from treering.interfaces.printing import note
from treering.memory import Memory
from treering.memory.encoders import list_models as known_models

__all__ = ["Asked", "list_models", "read_questions", "write_run"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a file: who asks, and as of when."""

    id: str | int
    question: str
    asker: str | None
    bound: str | None  # `as_of`, else `asked_at`


def read_questions(path: Path) -> list[Asked]:
    """The questions of a JSONL file.

    Raises:
        UnreadableInput: there is no such file.
        UsageError: a line is no question; the message names it.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    asked = []
    try:
        with opener(path, "rt", encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    asked.append(_question(line, f"{path}, line {number}"))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise UnreadableInput(f"{path} cannot be read: {error}") from error
    return asked


def _question(line: str, where: str) -> Asked:
    try:
        fields = json.loads(line)
        told = [fields.get(name) or None for name in ("asker", "as_of", "asked_at")]
        if any(value is not None and not isinstance(value, str) for value in told):
            raise TypeError("asker, as_of and asked_at are strings or null")
        return Asked(fields["id"], str(fields["question"]), asker=told[0], bound=told[1] or told[2])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{where}: not a question with id and question ({error})") from error


def write_run(memory: Memory, asked: list[Asked], profile: str, depth: int, out: Path | None) -> None:
    """Rank for every question; one JSON line each, in the order of the file."""
    memory.check_profile(profile)  # before anything is written
    partial = out.with_name(f"{out.name}.partial") if out else None
    with ExitStack() as stack:
        file = stack.enter_context(partial.open("w", encoding="utf-8")) if partial else sys.stdout
        for question in asked:
            _warn_of_unknown(memory, question)
            started = time.perf_counter()
            ranking = memory.rank(
                question.question, profile=profile, asker=question.asker, as_of=question.bound, k=depth
            )
            line = {
                "id": question.id,
                "profile": profile,
                "ranking": [{"source_id": one.source_id, "score": one.score} for one in ranking],
                "ms": round((time.perf_counter() - started) * 1000, 3),
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    if partial and out:
        partial.replace(out)


def _warn_of_unknown(memory: Memory, question: Asked) -> None:
    if question.asker is not None:
        try:
            memory.actor(question.asker)
        except UnknownName as error:
            note(f"{question.id}: {error}; asked by name only")


def list_models(cache: Path) -> list[dict[str, object]]:
    """The encoders that have names, with what is in the cache."""
    return [asdict(model) for model in known_models(cache)]
