"""What every path shares: the verbs, who calls, and through whose eyes the memory is read."""

from typing import Annotated, cast

from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from treering.interfaces.rest.callers import Authenticator, Caller
from treering.interfaces.schema import NAME_MAX
from treering.interfaces.verbs import Verbs

__all__ = ["AnyCaller", "OwnerOnly", "TheVerbs", "Viewer"]

_bearer = HTTPBearer(auto_error=False, description="A token of the server's token file; none on loopback without one.")


def _verbs(request: Request) -> Verbs:
    return cast(Verbs, request.app.state.verbs)


def _caller(request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> Caller:
    authenticator = cast(Authenticator, request.app.state.authenticator)
    caller = authenticator.caller(credentials.credentials if credentials else None)
    if caller is None:
        raise HTTPException(401, "send a token of this server as a bearer token", {"WWW-Authenticate": "Bearer"})
    request.state.caller = caller
    return caller


AnyCaller = Annotated[Caller, Depends(_caller)]


def _viewer(
    caller: AnyCaller,
    viewer: Annotated[
        str | None,
        Query(
            max_length=NAME_MAX, description="Through whose eyes; the owner's question alone, who without it sees all."
        ),
    ] = None,
) -> str | None:
    if viewer is None:
        return caller.viewer
    if not caller.is_owner:
        raise HTTPException(403, "a token stands for its own viewer; it cannot name another")
    return viewer


def _owner(caller: AnyCaller) -> Caller:
    if not caller.is_owner:
        raise HTTPException(403, "this is the owner's alone")
    return caller


TheVerbs = Annotated[Verbs, Depends(_verbs)]
Viewer = Annotated[str | None, Depends(_viewer)]
OwnerOnly = Annotated[Caller, Depends(_owner)]
