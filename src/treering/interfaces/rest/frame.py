"""The frame around every request: its id, limits on its size, who may send it, headers, one line of log, numbers.

Pure ASGI, so that streams pass through as they come. This is the outermost frame of a request: it alone catches all.
"""

import json
import logging
import re
import secrets
import time
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from treering.interfaces.rest.metrics import Metrics
from treering.interfaces.rest.problems import PROBLEM, problem

__all__ = ["UPLOAD_BYTES_MAX", "Frame", "Limits"]

UPLOAD_BYTES_MAX: Final = 4 * 1024**3  # an upload lies on disk before it is read
UPLOADS: Final = "/v1/imports"
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_REQUEST_ID: Final = re.compile(r"[\w.\-]{1,64}", re.ASCII)
_POLICY: Final = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
_log = logging.getLogger("treering.rest")


@dataclass(frozen=True, slots=True)
class Limits:
    """What is let in."""

    body_bytes_max: int = 262_144  # of a question
    upload_bytes_max: int = UPLOAD_BYTES_MAX
    hosts: Collection[str] | None = None  # names under which the server may be called; None: any


class Frame:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, *, limits: Limits, metrics: Metrics) -> None:
        self._app = app
        self._limits = limits
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        wanted = headers.get("x-request-id", "")
        request_id = wanted if _REQUEST_ID.fullmatch(wanted) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        answer = _Answer(send, request_id)
        began = time.monotonic()
        self._metrics.began()
        failed: str | None = None
        try:
            refused = self._refused(scope, headers)
            if refused is None:
                await self._app(scope, _Counted(receive, self._most(scope)), answer)
            else:
                await answer.problem(scope, *refused)
        except Exception as error:  # noqa: BLE001  # the outermost frame of a request
            failed = _where(error)
            if not answer.started:
                detail = f"Something broke. The log of the server has it under {request_id}."
                await answer.problem(scope, HTTPStatus.INTERNAL_SERVER_ERROR, detail)
        finally:
            seconds = time.monotonic() - began
            method = scope["method"] if scope["method"] in _METHODS else "other"
            path = _template(scope)
            self._metrics.ended(method, path, answer.status, seconds)
            self._note(scope, request_id, method, path, answer, seconds, failed)

    def _most(self, scope: Scope) -> int:
        return self._limits.upload_bytes_max if scope["path"] == UPLOADS else self._limits.body_bytes_max

    def _refused(self, scope: Scope, headers: Headers) -> tuple[HTTPStatus, str] | None:
        """Why a request is not let in: its size, a name that is not ours, or a page of somebody else that sent it."""
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._most(scope):
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {self._most(scope):,} bytes are taken here"
        host = headers.get("host", "")
        if self._limits.hosts is not None and _name(host) not in self._limits.hosts:
            return HTTPStatus.MISDIRECTED_REQUEST, "this server does not go by that name"
        origin = headers.get("origin")
        if (origin is not None and urlsplit(origin).netloc.lower() != host.lower()) or (
            headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith("/v1")
        ):
            return HTTPStatus.FORBIDDEN, "pages of other sites may not call this server"
        return None

    def _note(
        self,
        scope: Scope,
        request_id: str,
        method: str,
        path: str,
        answer: "_Answer",
        seconds: float,
        failed: str | None,
    ) -> None:
        """One line of JSON: no question, no name, no text of a message ever stands in it."""
        caller = scope["state"].get("caller")
        line: dict[str, object] = {
            "request_id": request_id,
            "method": method,
            "path": path,
            "status": answer.status,
            "bytes": answer.bytes,
            "ms": round(seconds * 1000, 1),
            "caller": None if caller is None else "owner" if caller.is_owner else "viewer",
        }
        if failed is not None:
            line["failed"] = failed
        _log.log(logging.INFO if failed is None else logging.ERROR, "request", extra={"fields": line})


class _Answer:
    """Sends, with the headers that every answer has, and remembers what was sent."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.started = False
        self.status = 499  # until there is one: the caller went away
        self.bytes = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self._request_id
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "no-referrer"
            headers["Content-Security-Policy"] = _POLICY
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers.setdefault("Cache-Control", "no-store")
        elif message["type"] == "http.response.body":
            self.bytes += len(message.get("body", b""))
        await self._send(message)

    async def problem(self, scope: Scope, status: HTTPStatus, detail: str) -> None:
        """Answer with a problem."""
        body = json.dumps(problem(Request(scope), status, detail)).encode()
        headers = [(b"content-type", PROBLEM.encode()), (b"content-length", str(len(body)).encode())]
        await self({"type": "http.response.start", "status": int(status), "headers": headers})
        await self({"type": "http.response.body", "body": body})


class _Counted:
    """Receives at most so many bytes, whatever the headers said."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._left = most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {self._most:,} bytes are taken here")
        return message


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    name = host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    return name.lower()


def _template(scope: Scope) -> str:
    """The path as it was declared: ids and names are not for logs."""
    route = scope.get("route")
    return getattr(route, "path", "") or "other"


def _where(error: Exception) -> str:
    """What broke and where; not the message, which may hold somebody's words."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return f"{type(error).__name__} at " + " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
