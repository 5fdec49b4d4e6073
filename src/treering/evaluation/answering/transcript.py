"""Everything that models said in a run, line by line in one JSON file, kept by what they were asked.

It is the record of the run and its memory: a run that was interrupted goes on where it stopped, a changed judge asks
the judges only, and scores are counted anew from the same replies as often as wanted.
"""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from treering.errors import UnreadableInput
from treering.models.generator import Completion, Generator, Message, request_key

__all__ = ["Transcript"]

SEED = 0


class Transcript:
    """Replies by request, appended to a file as they come; may be used from several threads, by one process.

    A last line that a crash cut short is cut off.

    Raises:
        UnreadableInput: The file holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._said: dict[str, Completion] = {}
        self._turn = threading.Lock()
        self.asked = 0  # of models, not of the file
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            self._load(path)
        except UnreadableInput:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def say(
        self, generator: Generator, messages: Sequence[Message], *, max_tokens: int, question: str, role: str
    ) -> Completion:
        """What a model replies; from the file, if it did already.

        Args:
            generator: The model.
            messages: What it is asked.
            max_tokens: Of its reply.
            question: Whom it is about, for whoever reads the file.
            role: "answer" or "judge", for the same reader.
        """
        key = request_key(generator.name, messages, max_tokens=max_tokens, seed=SEED)
        with self._turn:
            if key in self._said:
                return self._said[key]
        reply = generator.complete(messages, max_tokens=max_tokens, seed=SEED)
        entry = {"key": key, "question": question, "role": role, "by": generator.name}
        entry |= {name: getattr(reply, name) for name in Completion.__slots__}
        with self._turn:
            self.asked += 1
            self._said[key] = reply
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()
        return reply

    def _load(self, path: Path) -> None:
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                self._file.truncate(whole)
                break
            whole += len(line)
            try:
                entry = json.loads(line)
                key = entry["key"]
                self._said[key] = Completion(**{name: entry[name] for name in Completion.__slots__})
            except (ValueError, KeyError, TypeError) as error:
                raise UnreadableInput(
                    f"{path}, line {number} is no line of a transcript; give another file, or remove this one"
                ) from error
