"""Text from a model behind OpenAI's `/chat/completions`: a provider's server, or one on this machine.

The one interface through which answers, summaries and verdicts are written. No prompt is here, and no key is looked
for: the caller gives it, it goes to the given address only, redirects are not followed, and errors do not show it.
"""

import hashlib
import json
import re
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol, TypedDict

import httpx

from treering.errors import ModelUnavailable, UsageError
from treering.models.retrying import patiently, refusal
from treering.text.tokens import estimate_tokens

__all__ = [
    "ChatEndpoint",
    "Completion",
    "Generator",
    "Message",
    "endpoint_named",
    "estimate_prompt",
    "request_key",
    "without_thinking",
]

_TIMEOUT_S: Final = 300.0  # of silence: a small machine reads a long prompt for minutes before its first word
_MESSAGE_TOKENS: Final = 4  # about what the frame of a message takes
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)\s*", re.DOTALL)


class Message(TypedDict):
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote."""

    text: str
    model: str  # as the server calls it
    tokens_in: int
    tokens_out: int
    cut: bool = False  # it had more to say than it was given tokens for


class Generator(Protocol):
    """A model that goes on with a conversation."""

    @property
    def name(self) -> str:
        """Address and model: what a completion is marked with, and kept by."""

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        """The whole next turn.

        Raises:
            ModelUnavailable: The server does not answer, or refuses; the message says what and what now.
        """

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Iterator[str]:
        """The next turn piece by piece; raises as `complete` does, when the first piece is asked for or later."""


class ChatEndpoint:
    """A `Generator` over HTTP; may be used from several threads.

    Newer models of some providers refuse `max_tokens`, a temperature or a seed. What a server names in such a refusal
    is renamed or left out, once, and from then on.

    Args:
        url: Up to, and without, `/chat/completions`; for instance `http://localhost:8000/v1`.
        model: As the server calls it.
        key: Sent as a bearer token.
        timeout_s: Silence after which an attempt is given up.
        sleep: How to wait between attempts.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        timeout_s: float = _TIMEOUT_S,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = f"{url.rstrip('/')}#{model}"
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._model = model
        self._key = key
        self._sleep = sleep
        self._left_out: frozenset[str] = frozenset()
        self._client = httpx.Client(headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=timeout_s)
        weakref.finalize(self, self._client.close)  # a generator has no end that anybody would announce

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        """The whole next turn; see `Generator`."""
        answer = self._send(self._body(messages, max_tokens, temperature, seed), stream=False)
        try:
            said = answer.json()
            choice = said["choices"][0]
            text = str(choice["message"].get("content") or "")
            usage = said.get("usage") or {}
            model = str(said.get("model") or self._model)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise self._unavailable(f"it answered, but not with a completion: {self._shown(answer.text)}") from error
        cut = choice.get("finish_reason") == "length"
        if cut and not text.strip():
            raise self._unavailable(f"all {max_tokens} tokens went into thinking; allow it more")
        return Completion(
            text,
            model,
            int(usage.get("prompt_tokens") or estimate_prompt(messages)),
            int(usage.get("completion_tokens") or estimate_tokens(text)),
            cut,
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Iterator[str]:
        """The next turn piece by piece; see `Generator`. What has begun is never begun again by itself."""
        body = self._body(messages, max_tokens, temperature, seed) | {"stream": True}
        answer = self._send(body, stream=True)
        ended = False
        try:
            for event in _events(answer.iter_lines()):
                if event == "[DONE]":
                    ended = True
                    break
                piece, last = self._piece(event)
                ended = ended or last
                if piece:
                    yield piece
        except httpx.TransportError as error:
            raise self._unavailable(f"the answer broke off: {error}; ask again") from error
        finally:
            answer.close()
        if not ended:
            raise self._unavailable("the answer broke off; ask again")

    def _body(
        self, messages: Sequence[Message], max_tokens: int, temperature: float, seed: int | None
    ) -> dict[str, Any]:
        # Half of a surrogate pair, which broken exports hold, is no text that can be sent.
        sent = [{**message, "content": message["content"].encode("utf-8", "replace").decode()} for message in messages]
        body = {"model": self._model, "messages": sent, "max_tokens": max_tokens, "temperature": temperature}
        return body if seed is None else body | {"seed": seed}

    def _send(self, body: dict[str, Any], *, stream: bool) -> httpx.Response:
        while True:
            try:
                send = partial(self._attempt, _without(body, self._left_out), stream=stream)
                answer = patiently(send, sleep=self._sleep, secret=self._key)
            except ModelUnavailable as error:
                raise self._unavailable(str(error)) from error
            if answer.is_success:
                return answer
            unwanted = _unwanted(answer, body.keys() - self._left_out)
            if unwanted is None:
                raise self._unavailable(refusal(answer, self._key))
            self._left_out |= {unwanted}

    def _attempt(self, body: dict[str, Any], *, stream: bool) -> httpx.Response:
        return self._client.send(self._client.build_request("POST", self._url, json=body), stream=stream)

    def _piece(self, event: str) -> tuple[str, bool]:
        """What an event of a stream adds to the text, and whether it is the last that does."""
        try:
            said = json.loads(event)
            if said.get("error"):
                raise self._unavailable(f"the answer broke off: {self._shown(json.dumps(said['error']))}")
            choices = said.get("choices") or []
            if not choices:
                return "", False
            return str(choices[0]["delta"].get("content") or ""), choices[0].get("finish_reason") is not None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._unavailable(f"it streams, but not completions: {self._shown(event)}") from error

    def _shown(self, said: str) -> str:
        shown = said[:200]
        return shown.replace(self._key, "***") if self._key else shown

    def _unavailable(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(f"no completion from {self._url} (model {self._model}): {why}")


def endpoint_named(spec: str, *, key: str | None = None, sleep: Callable[[float], None] = time.sleep) -> ChatEndpoint:
    """The endpoint that `https://HOST/v1#MODEL` names.

    Raises:
        UsageError: `spec` is not of that form.
    """
    url, _, model = spec.partition("#")
    if not url.startswith(("http://", "https://")) or not model:
        raise UsageError(
            f"{spec!r} names no model that writes: give ADDRESS#MODEL, as in http://localhost:8000/v1#qwen3"
        )
    return ChatEndpoint(url, model, key=key, sleep=sleep)


def request_key(
    name: str, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
) -> str:
    """What a completion is kept by: equal requests to equal models, equal keys; 32 hexadecimal digits."""
    asked = [name, [[message["role"], message["content"]] for message in messages], max_tokens, temperature, seed]
    text = json.dumps(asked, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def estimate_prompt(messages: Sequence[Message]) -> int:
    """About how many tokens a prompt takes."""
    return sum(estimate_tokens(message["content"]) + _MESSAGE_TOKENS for message in messages)


def without_thinking(text: str) -> str:
    r"""A completion without what a reasoning model wrote down before its answer.

    >>> without_thinking("<think>Bob? No, Ana.</think>\n\nAna."), without_thinking("Ana.")
    ('Ana.', 'Ana.')
    """
    return _THINKING.sub("", text)


def _events(lines: Iterator[str]) -> Iterator[str]:
    """The data of server-sent events, one a line as all such servers write them."""
    for line in lines:
        if line.startswith("data:"):
            yield line.removeprefix("data:").strip()


def _without(body: dict[str, Any], left_out: frozenset[str]) -> dict[str, Any]:
    kept = {name: value for name, value in body.items() if name not in left_out}
    return kept | {"max_completion_tokens": body["max_tokens"]} if "max_tokens" in left_out else kept


def _unwanted(answer: httpx.Response, sent: set[str]) -> str | None:
    """The parameter that a refusal is about, if it is one that can be done without."""
    if answer.status_code not in (httpx.codes.BAD_REQUEST, httpx.codes.UNPROCESSABLE_ENTITY):
        return None
    candidates = [name for name in ("max_tokens", "temperature", "seed") if name in sent]
    try:
        error = answer.json()["error"]
        named = str(error.get("param") or "")
        said = str(error.get("message") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if "max_tokens" in candidates and "max_completion_tokens" in said:
        return "max_tokens"
    return next((name for name in candidates if name == named and name != "max_tokens"), None)
