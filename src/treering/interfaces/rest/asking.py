"""/v1/search and /v1/ask; the latter also as a stream of server-sent events, for those that accept one."""

import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Header, Request
from fastapi.responses import StreamingResponse

from treering.errors import TreeringError
from treering.interfaces.rest.doors import TheVerbs, Viewer
from treering.interfaces.rest.problems import problem_of
from treering.interfaces.schema import AskReply, AskRequest, SearchReply, SearchRequest

__all__ = ["router"]

EVENTS = "text/event-stream"
router = APIRouter(prefix="/v1", tags=["asking"])


@router.post("/search", summary="Evidence for a question")
def search(asked: SearchRequest, verbs: TheVerbs, viewer: Viewer) -> SearchReply:
    """Verbatim, dated, cited evidence, within the budget and the bounds."""
    return verbs.search(viewer, asked)


@router.post(
    "/ask",
    summary="An answer from the evidence",
    response_model=AskReply,
    responses={200: {"content": {EVENTS: {"schema": {"type": "string"}}}}},
)
def ask(
    request: Request,
    asked: AskRequest,
    verbs: TheVerbs,
    viewer: Viewer,
    accept: Annotated[str, Header(description=f"{EVENTS} streams the answer as it is written.")] = "application/json",
) -> AskReply | StreamingResponse:
    """An answer; its citations were made and its quotations checked by code. Without a model: the best passages.

    As a stream: `evidence` (as of /v1/search), then `text` ({"text": ...}) as often as needed, then `answer` with the
    whole, which stands in place of the pieces; `error` with a problem where it broke off.
    """
    if EVENTS not in accept:
        return verbs.ask(viewer, asked)
    pieces = verbs.ask_stream(viewer, asked)
    evidence = next(pieces)  # what is wrong with the question shows here, while a status can still be given
    assert isinstance(evidence, SearchReply)
    return StreamingResponse(_events(request, evidence, pieces), media_type=EVENTS)


def _events(request: Request, evidence: SearchReply, pieces: Iterator[SearchReply | str | AskReply]) -> Iterator[str]:
    yield _event("evidence", evidence.model_dump_json())
    try:
        for piece in pieces:
            if isinstance(piece, str):
                yield _event("text", json.dumps({"text": piece}))
            else:
                yield _event("answer", piece.model_dump_json())
    except TreeringError as error:
        yield _event("error", json.dumps(problem_of(request, error)))


def _event(name: str, line: str) -> str:
    """One event; JSON is one line."""
    return f"event: {name}\ndata: {line}\n\n"
