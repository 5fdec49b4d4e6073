"""What goes wrong, as `application/problem+json` (RFC 9457): the tree of `errors.py` and the statuses it becomes.

A message that could tell about the machine (paths, addresses of models) is for the owner alone.
"""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from treering.errors import (
    AmbiguousName,
    MemoryBusy,
    MemoryDamaged,
    MemoryMissing,
    ModelUnavailable,
    RejectedRecords,
    TreeringError,
    UnknownName,
    UnreadableInput,
    UsageError,
)

__all__ = ["PROBLEM", "STATUSES", "problem", "problem_of", "register"]

PROBLEM: Final = "application/problem+json"
RETRY_AFTER_S: Final = 5
# The first that fits counts, so that a kind stands before what it is a kind of.
STATUSES: Final[tuple[tuple[type[TreeringError], HTTPStatus], ...]] = (
    (UsageError, HTTPStatus.BAD_REQUEST),
    (AmbiguousName, HTTPStatus.CONFLICT),
    (UnknownName, HTTPStatus.NOT_FOUND),
    (UnreadableInput, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    (RejectedRecords, HTTPStatus.UNPROCESSABLE_ENTITY),
    (MemoryBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (MemoryMissing, HTTPStatus.SERVICE_UNAVAILABLE),
    (ModelUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (MemoryDamaged, HTTPStatus.INTERNAL_SERVER_ERROR),
)
_OF_THE_MACHINE: Final = (MemoryBusy, MemoryMissing, MemoryDamaged, ModelUnavailable, UnreadableInput)
_TITLES: Final[Mapping[type[TreeringError], str]] = {
    UsageError: "The request is wrong",
    AmbiguousName: "Several go by that name",
    UnknownName: "There is no such thing here",
    UnreadableInput: "The upload does not read",
    RejectedRecords: "Records were quarantined",
    MemoryBusy: "The memory is busy",
    MemoryMissing: "There is no memory yet",
    ModelUnavailable: "A model is not available",
    MemoryDamaged: "The memory does not read",
}


def problem(
    request: Request, status: int, detail: str, *, title: str = "", errors: list[dict[str, object]] | None = None
) -> dict[str, object]:
    """The document that tells what went wrong."""
    body: dict[str, object] = {
        "type": "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": request.url.path,
        "request_id": getattr(request.state, "request_id", ""),
    }
    return body if errors is None else body | {"errors": errors}


def problem_of(request: Request, error: TreeringError) -> dict[str, object]:
    """The document for an error of ours."""
    kind, status = next(((kind, status) for kind, status in STATUSES if isinstance(error, kind)), (TreeringError, 500))
    caller = getattr(request.state, "caller", None)
    hidden = isinstance(error, _OF_THE_MACHINE) and not (caller is not None and caller.is_owner)
    title = _TITLES.get(kind, "Something failed")
    return problem(request, status, "The owner of this memory can see why." if hidden else str(error), title=title)


def register(app: FastAPI) -> None:
    """Have every failure answered in this form."""

    def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, TreeringError)
        return _response(problem_of(request, error))

    def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _response(problem(request, error.status_code, str(error.detail)), error.headers)

    def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        # What was sent is not sent back: it may be long, and it is known to who sent it.
        found: list[dict[str, object]] = [
            {"where": [str(step) for step in one["loc"]], "what": one["msg"]} for one in error.errors()
        ]
        detail = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3])
        return _response(problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=found))

    app.add_exception_handler(TreeringError, ours)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(RequestValidationError, invalid)


def _response(body: dict[str, object], headers: Mapping[str, str] | None = None) -> Response:
    status = int(str(body["status"]))
    retry = {"Retry-After": str(RETRY_AFTER_S)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    # Escaped to ASCII: names of fields that were sent may hold what is no text.
    return Response(json.dumps(body), status, {**(headers or {}), **retry}, media_type=PROBLEM)
