"""The MCP server over streamable HTTP: a token tells who looks, before any of the protocol is read.

Stateless: no session outlives a request, so none can be taken over by another token. Where no tokens are given, the
server listens on this machine alone and everybody who reaches it is the viewer of the process.
"""

import contextlib
import ipaddress
import socket
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from treering.errors import UsageError
from treering.interfaces.mcp.server import make_server
from treering.interfaces.rest.callers import Authenticator, Caller
from treering.interfaces.verbs import Verbs

__all__ = ["PATH", "ProcessViewer", "make_app", "require_loopback", "serve_http"]

PATH: Final = "/mcp"
_VIEWER: Final = "treering.viewer"  # in the scope of a request that was let in
_BODY_BYTES_MAX: Final = 256 * 1024


class ProcessViewer:
    """A server for this machine alone, without tokens: whoever reaches it is the viewer of the process."""

    def __init__(self, viewer: str | None) -> None:
        self._caller = Caller(viewer)

    def caller(self, token: str | None) -> Caller | None:
        """That viewer; a token that is sent all the same is not looked at."""
        return self._caller


def make_app(verbs: Verbs, authenticator: Authenticator, *, loopback: bool) -> ASGIApp:
    """The server as an ASGI application.

    Args:
        verbs: what it serves.
        authenticator: tells who looks; a request of nobody is refused.
        loopback: listens on this machine only, so that other names for it in a request are an attack.
    """

    def viewer_of(request: object) -> str | None:
        assert isinstance(request, Request), "a call came in that no request carried"
        found: str | None = request.scope[_VIEWER]
        return found

    security = None if loopback else TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = make_server(verbs, viewer_of).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=_BODY_BYTES_MAX,
        transport_security=security,
    )
    return _Gate(app, authenticator)


def serve_http(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until the process is told to stop."""
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


def require_loopback(host: str) -> None:
    """Refuse an address that others reach.

    Raises:
        UsageError: it is no loopback address.
    """
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_loopback:
            return
    if host != "localhost":
        raise UsageError(f"{host} can be reached from elsewhere: give --token-file, or listen on 127.0.0.1")


class _Gate:
    """Lets in who has a token, and notes through whose eyes the request is answered."""

    def __init__(self, app: Starlette, authenticator: Authenticator) -> None:
        self._app = app
        self._authenticator = authenticator

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        kind, _, token = Request(scope).headers.get("authorization", "").partition(" ")
        caller = self._authenticator.caller(token.strip() if kind.casefold() == "bearer" else None)
        if caller is None:
            refusal = JSONResponse(
                {"error": "invalid_token", "error_description": "send `Authorization: Bearer TOKEN`"},
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app({**scope, _VIEWER: caller.viewer}, receive, send)
