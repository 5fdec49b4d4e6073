"""A reranker behind HTTP, by the `/rerank` interface that servers of such models share.

vLLM, llama.cpp, Infinity, Jina and Cohere answer `{"model", "query", "documents"}` with
`{"results": [{"index", "relevance_score"}]}`. The key goes to the given address only; redirects are not followed.
"""

import time
import weakref
from collections.abc import Callable, Sequence
from typing import Final

import httpx
import numpy as np
from numpy.typing import NDArray

from treering.errors import ModelUnavailable
from treering.models.retrying import posted

__all__ = ["EndpointReranker"]

_TIMEOUT_S: Final = 120.0


class EndpointReranker:
    """A `Reranker` over HTTP.

    Args:
        url: Up to, and without, `/rerank`; for instance `http://localhost:8000/v1`.
        model: As the server calls it.
        key: Sent as a bearer token.
        sleep: How to wait between attempts.
    """

    def __init__(
        self, url: str, model: str, *, key: str | None = None, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.name = f"{url.rstrip('/')}#{model}"
        self._url = f"{url.rstrip('/')}/rerank"
        self._model = model
        self._key = key
        self._sleep = sleep
        self._client = httpx.Client(headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=_TIMEOUT_S)
        weakref.finalize(self, self._client.close)

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How well each text answers; see `Reranker`.

        Raises:
            ModelUnavailable: The server does not answer, refuses, or does not answer with a score for each text.
        """
        if not texts:
            return np.empty(0, dtype=np.float32)
        answer = posted(
            self._client,
            self._url,
            {"model": self._model, "query": question, "documents": list(texts), "top_n": len(texts)},
            wanted=f"scores from {self._url} (model {self._model})",
            sleep=self._sleep,
            secret=self._key,
        )
        scores = np.full(len(texts), np.nan, dtype=np.float32)
        try:
            for result in answer.json()["results"]:
                scores[result["index"]] = result["relevance_score"]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ModelUnavailable(f"{self._url} answered, but not with scores: {answer.text[:200]}") from error
        if np.isnan(scores).any():
            raise ModelUnavailable(f"{self._url} scored {int((~np.isnan(scores)).sum())} of {len(texts)} texts")
        return scores
