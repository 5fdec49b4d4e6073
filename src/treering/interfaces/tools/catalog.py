"""The eight tools: what each is called, what an agent is told of it, and which verb it calls.

A change here changes every door for agents at once: MCP, function calling, the examples.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from treering.interfaces.schema import (
    AskRequest,
    ListRequest,
    SearchRequest,
    TimelineRequest,
    TreeRequest,
    TreesRequest,
)
from treering.interfaces.tools.framing import framed
from treering.interfaces.tools.rendering import (
    Page,
    answered,
    channels_page,
    evidence_blocks,
    history_blocks,
    people_page,
    record_block,
    status_block,
    timeline_blocks,
    tree_blocks,
    trees_page,
)
from treering.interfaces.tools.schemas import (
    Arguments,
    DirectoryArguments,
    HistoryArguments,
    QuestionArguments,
    RecordArguments,
    StatusArguments,
    TimelineArguments,
    TreeArguments,
)
from treering.interfaces.verbs import Verbs

__all__ = ["TOOLS", "Tool"]

_HEADING_TOKENS: Final = 60  # about; of one piece of evidence
_FEWER: Final = "Ask for fewer, or with a larger `budget`."


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: `run` is given checked arguments, and its reply is framed."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Verbs, str | None, Any], str]


def _search(verbs: Verbs, viewer: str | None, given: QuestionArguments) -> str:
    found = verbs.search(viewer, SearchRequest(**_question(given)))
    return _framed(evidence_blocks(found), given, given.question)


def _ask(verbs: Verbs, viewer: str | None, given: QuestionArguments) -> str:
    return _framed(answered(verbs.ask(viewer, AskRequest(**_question(given)))), given, given.question)


def _record(verbs: Verbs, viewer: str | None, given: RecordArguments) -> str:
    record = verbs.record(viewer, given.id)
    return _framed(("One record, verbatim.", [record_block(record, given.start)]), given)


def _history(verbs: Verbs, viewer: str | None, given: HistoryArguments) -> str:
    return _framed(history_blocks(verbs.history(viewer, given.id, as_of=given.as_of)), given)


def _tree(verbs: Verbs, viewer: str | None, given: TreeArguments) -> str:
    if given.key is None:
        listed = TreesRequest(
            view=given.view, q=given.q, cursor=given.cursor, limit=given.limit, as_of=given.as_of, known_at=None
        )
        return _framed(trees_page(verbs.trees(viewer, listed)), given)
    part = TreeRequest(node=given.node, depth=given.depth, as_of=given.as_of, known_at=None)
    return _framed(tree_blocks(verbs.tree(viewer, given.view, given.key, part)), given)


def _timeline(verbs: Verbs, viewer: str | None, given: TimelineArguments) -> str:
    stretch = TimelineRequest(**given.model_dump(exclude={"budget"}))
    return _framed(timeline_blocks(verbs.timeline(viewer, stretch)), given)


def _directory(verbs: Verbs, viewer: str | None, given: DirectoryArguments) -> str:
    wanted = ListRequest(q=given.q, cursor=given.cursor, limit=given.limit, as_of=None, known_at=None)
    if given.kind == "people":
        return _framed(people_page(verbs.actors(viewer, wanted)), given)
    return _framed(channels_page(verbs.channels(viewer, wanted)), given)


def _status(verbs: Verbs, viewer: str | None, given: StatusArguments) -> str:
    return _framed(status_block(verbs.status(viewer)), given)


TOOLS: Final = (
    Tool(
        "search",
        "Find what an organization's chats and documents say about a question: verbatim evidence, dated and cited.",
        QuestionArguments,
        _search,
    ),
    Tool(
        "ask",
        "As `search`, but answered in words with citations, as far as a model is set up.",
        QuestionArguments,
        _ask,
    ),
    Tool("record", "One record, whole.", RecordArguments, _record),
    Tool("history", "The versions of a record: what each changed, which one holds.", HistoryArguments, _history),
    Tool(
        "tree",
        "Browse summaries over time: of a channel, a person (actor), a deliverable (artifact), a thread."
        " Without `key` lists trees.",
        TreeArguments,
        _tree,
    ),
    Tool("timeline", "Records in order of time in one place.", TimelineArguments, _timeline),
    Tool("directory", "Names of people or channels.", DirectoryArguments, _directory),
    Tool("status", "How much the memory holds, and of which time.", StatusArguments, _status),
)


def _question(given: QuestionArguments) -> dict[str, Any]:
    """The request: headings and the frame take their part of the budget before the evidence is chosen."""
    beside = min(given.k * _HEADING_TOKENS, given.budget // 2)
    return {**given.model_dump(), "budget": max(given.budget - beside, 1)}


def _framed(page: Page, given: Arguments, *among: str) -> str:
    lead, blocks = page
    return framed(lead, blocks, given.budget, _FEWER, among).text
