"""Dense vectors from a server with OpenAI's `/embeddings` interface: a local one as well as a provider's.

The vectors are the server's, and so is their stability: the name carries the address and the model, for there are no
weights to hash. Texts are cut by characters, for the server's tokenizer is not known. The key goes to the given
address only, and redirects are not followed.
"""

import time
import weakref
from collections.abc import Callable, Sequence

import httpx
import numpy as np
from numpy.typing import NDArray

from treering.errors import ModelUnavailable
from treering.models.retrying import posted

__all__ = ["EndpointEncoder"]

_BATCH = 64  # texts in a request
_CHARACTERS_MAX = 24_000  # about 8,000 tokens of English, the least that the usual models take
_TIMEOUT_S = 120.0


class EndpointEncoder:
    """A `DenseEncoder` over HTTP.

    Args:
        url: Up to, and without, `/embeddings`; for instance `http://localhost:8000/v1`.
        model: As the server calls it.
        key: Sent as a bearer token.
        query_prefix: What the model wants before a question, for instance an instruction.
        passage_prefix: What it wants before a text to be found.
        sleep: How to wait between attempts.

    Raises:
        ModelUnavailable: The server does not answer, refuses, or does not answer with vectors. The constructor asks
            for one, to learn their length.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = f"{url.rstrip('/')}#{model}"
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._sleep = sleep
        self._key = key
        self._client = httpx.Client(headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=_TIMEOUT_S)
        weakref.finalize(self, self._client.close)  # an encoder has no end that anybody would announce
        self.dimensions = len(self._ask(["dimensions"])[0])

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts to be found; see `DenseEncoder`."""
        return self._encode([self._passage_prefix + text[:_CHARACTERS_MAX] if text.strip() else "" for text in texts])

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Encode a question; see `DenseEncoder`."""
        vector: NDArray[np.float32] = self._encode(
            [self._query_prefix + text[-_CHARACTERS_MAX:] if text.strip() else ""]
        )[0]
        return vector

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        present = [number for number, text in enumerate(texts) if text]  # a server may refuse a request for a blank
        for start in range(0, len(present), _BATCH):
            batch = present[start : start + _BATCH]
            given = self._ask([texts[number] for number in batch])
            if given.shape[1] != self.dimensions:
                raise ModelUnavailable(
                    f"{self.name} gave vectors of {given.shape[1]} numbers after {self.dimensions}: is another model "
                    "served under this name now?"
                )
            vectors[batch] = given
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def _ask(self, texts: list[str]) -> NDArray[np.float32]:
        """One request: the vectors as the server gives them, in the order of the texts."""
        answer = posted(
            self._client,
            self._url,
            {"model": self._model, "input": texts, "encoding_format": "float"},
            wanted=f"embeddings from {self._url} (model {self._model})",
            sleep=self._sleep,
            secret=self._key,
        )
        try:
            items = sorted(answer.json()["data"], key=lambda item: item["index"])
            vectors = np.array([item["embedding"] for item in items], np.float32)
        except (ValueError, KeyError, TypeError) as error:
            raise ModelUnavailable(f"{self._url} answered, but not with embeddings: {answer.text[:200]}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise ModelUnavailable(f"{self._url} answered {len(texts)} texts with {len(vectors)} embeddings")
        return vectors
