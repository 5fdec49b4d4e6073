"""A model that writes what a test scripts, in place of one behind a server."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence

from treering.errors import ModelUnavailable
from treering.models.generator import Completion, Message

Reply = str | ModelUnavailable


class Scripted:
    """Gives its replies in turn, the last one for ever; or what a function of the prompt says."""

    def __init__(self, *replies: Reply, name: str = "scripted", by: Callable[[str], Reply] | None = None) -> None:
        self.name = name
        self.asked: list[list[Message]] = []
        self.tokens: list[int] = []
        self._replies = list(replies)
        self._by = by
        self._turn = threading.Lock()

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        with self._turn:
            self.asked.append(list(messages))
            self.tokens.append(max_tokens)
            if self._by is not None:
                reply = self._by(messages[-1]["content"])
            else:
                reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, ModelUnavailable):
            raise reply
        return Completion(reply, self.name, 100, 10)

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Iterator[str]:
        yield from re.findall(r"\S+\s*|\s+", self.complete(messages, max_tokens=max_tokens, seed=seed).text)
