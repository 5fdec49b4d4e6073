"""The paths that show what is there: records, trees, people, places, time."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from treering.interfaces.rest.doors import TheVerbs, Viewer
from treering.interfaces.schema import (
    NAME_MAX,
    ActorsReply,
    ChannelsReply,
    ContextReply,
    HistoryReply,
    ListRequest,
    RecordReply,
    StatusReply,
    TimelineReply,
    TimelineRequest,
    TreeReply,
    TreeRequest,
    TreesReply,
    TreesRequest,
    ViewName,
)

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["reading"])

RecordName = Annotated[
    str,
    Path(
        max_length=NAME_MAX,
        description="Its number here, its source's id, or SOURCE/ID. A number is the number here, if one has it.",
        examples=["1"],
    ),
]
AsOf = Annotated[str | None, Query(max_length=NAME_MAX, description="Only what had begun to hold then.")]


# A source's id may hold slashes, so what stands behind it is looked for first.
@router.get("/records/{name:path}/history", summary="The life of a record")
def history(name: RecordName, verbs: TheVerbs, viewer: Viewer, as_of: AsOf = None) -> HistoryReply:
    """Every version, oldest first: its state, and what it changed."""
    return verbs.history(viewer, name, as_of)


@router.get("/records/{name:path}/context", summary="What surrounds a record")
def context(name: RecordName, verbs: TheVerbs, viewer: Viewer, as_of: AsOf = None) -> ContextReply:
    """Who may see it now, where it hangs in the trees, and the records that are linked with it."""
    return verbs.context(viewer, name, as_of)


@router.get("/records/{name:path}", summary="One record, whole")
def record(name: RecordName, verbs: TheVerbs, viewer: Viewer) -> RecordReply:
    """Of several versions the newest; one that the viewer may not see is not told from one that is not there."""
    return verbs.record(viewer, name)


@router.get("/trees", summary="The trees of the forests")
def trees(asked: Annotated[TreesRequest, Query()], verbs: TheVerbs, viewer: Viewer) -> TreesReply:
    """One a channel, a participant, an artifact, a thread."""
    return verbs.trees(viewer, asked)


@router.get("/trees/{view}/{key:path}", summary="A tree, or a part of it")
def tree(
    view: ViewName,
    key: Annotated[str, Path(description="`key` from the list, or a name.", examples=["slack/C01"])],
    asked: Annotated[TreeRequest, Query()],
    verbs: TheVerbs,
    viewer: Viewer,
) -> TreeReply:
    """A node, its summary, and what is below it; records hang below the last level."""
    return verbs.tree(viewer, view, key, asked)


@router.get("/actors", summary="Who takes part")
def actors(asked: Annotated[ListRequest, Query()], verbs: TheVerbs, viewer: Viewer) -> ActorsReply:
    """Those that the viewer may know of."""
    return verbs.actors(viewer, asked)


@router.get("/channels", summary="Where things are said")
def channels(asked: Annotated[ListRequest, Query()], verbs: TheVerbs, viewer: Viewer) -> ChannelsReply:
    """The channels that the viewer may read."""
    return verbs.channels(viewer, asked)


@router.get("/timeline", summary="Records in order of time")
def timeline(asked: Annotated[TimelineRequest, Query()], verbs: TheVerbs, viewer: Viewer) -> TimelineReply:
    """The life of an artifact, a channel, a participant, a thread; or what was said around a record."""
    return verbs.timeline(viewer, asked)


@router.get("/status", summary="How much there is")
def status(verbs: TheVerbs, viewer: Viewer) -> StatusReply:
    """What the viewer may see, counted; for the owner also how far the derived parts are."""
    return verbs.status(viewer)
