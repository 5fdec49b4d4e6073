"""Asking a server again while that may help: it is busy, ill or out of reach. A refusal is never repeated.

Waits grow from attempt to attempt, and a server that says when (Retry-After, in either of its forms) is obeyed up to a
minute. Nothing here knows what is asked.
"""

from collections.abc import Callable, Sequence
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

from treering.errors import ModelUnavailable

__all__ = ["WAITS_S", "patiently", "posted", "refusal"]

WAITS_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0)  # between attempts
_WAIT_MAX_S: Final = 60.0  # however long the server asks for
_SHOWN_MAX: Final = 300  # characters of what a server says

_BUSY: Final = frozenset((httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_EARLY, httpx.codes.TOO_MANY_REQUESTS))
_ADVICE: Final = {
    400: "see what it says; a model's window may be too small for the budget",
    401: "is the key right?",
    403: "may this key use this model?",
    404: "is the address right up to /v1, and the name of the model?",
    413: "give it less: a smaller budget",
    429: "its limit is reached; wait, or ask its owner for a higher one",
}


def patiently(
    send: Callable[[], httpx.Response],
    *,
    sleep: Callable[[float], None],
    waits_s: Sequence[float] = WAITS_S,
    secret: str | None = None,
) -> httpx.Response:
    """The first answer that repeating would not change: a success, or a refusal (read, so that it can be shown).

    Args:
        send: One attempt; may open a stream.
        sleep: How to wait between attempts.
        waits_s: How long; there is one attempt more than waits.
        secret: Is masked in what an error shows, whoever repeats it.

    Raises:
        ModelUnavailable: The last attempt found the server still busy, ill or out of reach.
    """
    said = ""
    for wait in (*waits_s, None):
        asked_for = 0.0
        try:
            answer = send()
            if not answer.is_success:
                answer.read()
        except httpx.InvalidURL as error:
            raise ModelUnavailable(f"{error}: is the address right?") from error
        except httpx.UnsupportedProtocol as error:
            raise ModelUnavailable(f"{error}: the address starts with http:// or https://") from error
        except httpx.TransportError as error:
            said = f"{str(error) or type(error).__name__}: is a server running there?"
        else:
            if not answer.is_server_error and answer.status_code not in _BUSY:
                return answer
            said = refusal(answer, secret)
            asked_for = _retry_after(answer.headers)
        if wait is not None:
            sleep(min(max(wait, asked_for), _WAIT_MAX_S))
    raise ModelUnavailable(f"{said} ({len(waits_s) + 1} attempts)")


def posted(
    client: httpx.Client,
    url: str,
    body: dict[str, object],
    *,
    wanted: str,
    sleep: Callable[[float], None],
    secret: str | None = None,
) -> httpx.Response:
    """The answer to a body that is sent until it is taken; `wanted` says in errors what there is none of.

    Raises:
        ModelUnavailable: The server refuses, or stays busy, ill or out of reach.
    """
    try:
        answer = patiently(lambda: client.post(url, json=body), sleep=sleep, secret=secret)
    except ModelUnavailable as error:
        raise ModelUnavailable(f"no {wanted}: {error}") from error
    if not answer.is_success:
        raise ModelUnavailable(f"no {wanted}: {refusal(answer, secret)}")
    return answer


def refusal(answer: httpx.Response, secret: str | None = None) -> str:
    """What a server said when it did not do as asked, and what to look at now."""
    said = " ".join(answer.text.split())[:_SHOWN_MAX]
    if secret:
        said = said.replace(secret, "***")
    advice = _ADVICE.get(answer.status_code, "try again later" if answer.is_server_error else "")
    return f"{answer.status_code} {said}".strip() + (f": {advice}" if advice else "")


def _retry_after(headers: httpx.Headers) -> float:
    """Seconds that the server asks for; a date counts from the server's own clock, and without that for nothing."""
    asked = headers.get("retry-after", "").strip()
    if asked.replace(".", "", 1).isdecimal():
        return float(asked)
    try:
        return (parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
    except (ValueError, TypeError):
        return 0.0
