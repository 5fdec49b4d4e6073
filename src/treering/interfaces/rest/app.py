"""The application: its paths, its frame, and the pages of the explorer where they are installed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles

import treering
from treering.interfaces.rest import asking, importing, problems, reading
from treering.interfaces.rest.callers import Authenticator
from treering.interfaces.rest.doors import OwnerOnly
from treering.interfaces.rest.frame import Frame, Limits
from treering.interfaces.rest.metrics import Metrics
from treering.interfaces.rest.problem_schema import Problem
from treering.interfaces.verbs import Verbs

__all__ = ["make_app"]

PAGES: Final = Path(__file__).parent.parent / "web"
_FAILURES: Final[dict[int | str, dict[str, Any]]] = {
    status: {
        "description": said,
        "content": {problems.PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, said in (
        (
            "4XX",
            "400 a value does not read; 401 no token, or one that stands for nobody; 403 not for this caller; 404 not"
            " there, or not visible: the two are not told apart; 409 several go by that name; 413 too large; 415 the"
            " upload does not read; 421 a name that is not the server's; 422 not of the schema.",
        ),
        ("503", "Busy, or a model is not available: try again."),
    )
}


def make_app(verbs: Verbs, authenticator: Authenticator, limits: Limits | None = None) -> FastAPI:
    """The application over the verbs of one memory, which it closes when it ends."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        verbs.close()

    app = FastAPI(
        title="Treering",
        version=treering.__version__,
        description="The memory of an organization: cited evidence from its chats and documents.",
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.verbs = verbs
    app.state.authenticator = authenticator
    metrics = Metrics()
    for router in (asking.router, reading.router, importing.router):
        app.include_router(router, responses=_FAILURES)
    problems.register(app)

    @app.get("/health", tags=["server"], summary="Whether the server runs")
    def health() -> dict[str, str]:
        """Nothing of the memory is looked at."""
        return {"status": "ok"}

    @app.get("/metrics", tags=["server"], summary="Numbers for Prometheus", response_class=Response)
    def numbers(_: OwnerOnly) -> Response:
        """Requests by path and status; the owner's alone."""
        return Response(metrics.text(), media_type=metrics.content_type)

    if PAGES.is_dir():
        app.mount("/", StaticFiles(directory=PAGES, html=True), name="pages")
    _document_problems(app)
    app.add_middleware(Frame, limits=limits or Limits(), metrics=metrics)
    return app


def _document_problems(app: FastAPI) -> None:
    """Put the form of a problem into the OpenAPI document; no path returns one, so it would not be there."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        schemas = document["components"]["schemas"]
        if "Problem" not in schemas:
            problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas |= problem.pop("$defs") | {"Problem": problem}
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI documents it
