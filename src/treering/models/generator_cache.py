"""Completions kept on disk: what was asked once, of the same model in the same words, is not asked again.

One file a completion, named by the hash of the request, which is not stored. Delete the folder to forget them all; what
was asked about records since erased goes only in that way, for nothing here knows what a request was about.
"""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from treering.errors import ModelUnavailable
from treering.models.generator import Completion, Generator, Message, estimate_prompt, request_key
from treering.text.tokens import estimate_tokens

__all__ = ["GeneratorCache"]


class GeneratorCache:
    """A `Generator` with a memory; several processes may share the folder.

    Args:
        generator: Asked for what is not kept yet.
        folder: Made when the first completion is kept.
    """

    def __init__(self, generator: Generator, folder: Path) -> None:
        self.name = generator.name
        self.hits = 0
        self.misses = 0
        self._generator = generator
        self._folder = folder

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        """The completion that is kept, or else a new one, kept from then on."""
        path = self._path(messages, max_tokens, temperature, seed)
        kept = self._kept(path)
        if kept is not None:
            return kept
        made = self._generator.complete(messages, max_tokens=max_tokens, temperature=temperature, seed=seed)
        self._keep(path, made)
        return made

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Iterator[str]:
        """A kept completion in one piece; a new one as it comes, kept once it is whole."""
        path = self._path(messages, max_tokens, temperature, seed)
        kept = self._kept(path)
        if kept is not None:
            yield kept.text
            return
        pieces: list[str] = []
        for piece in self._generator.stream(messages, max_tokens=max_tokens, temperature=temperature, seed=seed):
            pieces.append(piece)
            yield piece
        text = "".join(pieces)
        self._keep(path, Completion(text, self.name, estimate_prompt(messages), estimate_tokens(text)))

    def _path(self, messages: Sequence[Message], max_tokens: int, temperature: float, seed: int | None) -> Path:
        key = request_key(self.name, messages, max_tokens=max_tokens, temperature=temperature, seed=seed)
        return self._folder / key[:2] / f"{key}.json"

    def _kept(self, path: Path) -> Completion | None:
        try:
            completion = Completion(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):  # not there, or not whole: then it is asked for again
            self.misses += 1
            return None
        self.hits += 1
        return completion

    def _keep(self, path: Path, made: Completion) -> None:
        fields = {name: getattr(made, name) for name in Completion.__slots__}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8"
            ) as file:
                json.dump(fields, file)
            os.replace(file.name, path)  # noqa: PTH105  # whole or not at all, whoever else writes it
        except OSError as error:
            raise ModelUnavailable(f"cannot keep completions in {self._folder}: {error}") from error
