"""The leak test: random viewers, questions, dates and doors, and not one word, name or count of what is closed to them.

Every closed place has a word of its own in all that belongs to it, so that a leak of any kind shows it. What carries
no word, such as counts and scores, is compared with a memory that was built from nothing but what the viewer may see.
"""

import json
import random
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import BaseModel

from tests.builders import START, edit_of, message, private, public
from tests.organization import PEOPLE, Organization, built, organization
from treering import Memory
from treering.errors import TreeringError
from treering.interfaces.schema import ListRequest, SearchRequest, TimelineRequest, TreesRequest
from treering.interfaces.verbs import Verbs

LIST = ListRequest.model_validate({"limit": 200})
TREES = TreesRequest.model_validate({"limit": 200})
TIMELINE = TimelineRequest.model_validate({"limit": 200})
OF_BEN = TimelineRequest.model_validate({"of": "actor:ben", "limit": 200})
PROFILES = ("treering", "treering", "egcforest", "mempp", "memgpp", "bm25", "hybrid")
Door = Callable[[str, str, str | None, str], Awaitable[str]]  # viewer, question, as_of, profile -> all that was told


@dataclass(frozen=True, slots=True)
class Place:
    """An organization and its memory, and how to close it."""

    organization: Organization
    path: Path
    memory: Memory


@pytest.fixture(scope="module", params=[1, 2])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = organization(request.param)
    path = tmp_path_factory.mktemp("leaks") / "m.treering"
    with built(path, made.drafts) as memory:
        yield Place(made, path, memory)


def told(value: object) -> str:
    """All that a reply says, as one text."""
    return json.dumps(value, default=str, ensure_ascii=False)


def through_python(memory: Memory, chance: random.Random) -> Door:
    """The library itself: what every other door stands on."""

    async def ask(viewer: str, question: str, as_of: str | None, profile: str) -> str:
        found = memory.search(question, viewer=viewer, as_of=as_of, profile=profile, asker=chance.choice(PEOPLE))
        replies = [repr(found)]
        name = str(chance.randint(1, 400))
        tree = chance.choice(["channel:eng", "actor:ana", "artifact:PAY-1", f"actor:ghost zc{name[-2:]:0>2}q"])
        for look in (
            lambda: memory.history(name, viewer=viewer),
            lambda: memory.chain(name, viewer=viewer, as_of=as_of),
            lambda: memory.tree(tree, viewer=viewer, depth=4),
        ):
            try:
                replies.append(repr(look()))
            except TreeringError as error:
                replies.append(str(error).replace(tree.partition(":")[2], ""))
        return "\n".join(replies)

    return ask


def through_mcp(client: Callable[[str], Any], chance: random.Random) -> Door:
    """The tools of an MCP server, called by the SDK's client."""

    async def ask(viewer: str, question: str, as_of: str | None, profile: str) -> str:
        bounds = {"as_of": as_of} if as_of else {}
        calls: list[tuple[str, dict[str, object]]] = [
            ("search", {"question": question, **bounds, "k": 50, "budget": 20_000, "asker": chance.choice(PEOPLE)}),
            ("ask", {"question": question, **bounds, "budget": 20_000}),
            ("record", {"id": chance.randint(1, 400)}),
            ("history", {"id": chance.randint(1, 400), **bounds}),
            ("tree", {"view": chance.choice(["channel", "actor", "artifact", "thread"]), **bounds, "limit": 200}),
            ("tree", {"view": "actor", "key": chance.choice(PEOPLE), "depth": 4, **bounds, "budget": 20_000}),
            ("timeline", {"of": chance.choice(["", "channel:eng", "actor:ben"]), **bounds, "limit": 200}),
            ("directory", {"kind": chance.choice(["people", "channels"]), "limit": 200, "budget": 20_000}),
            ("status", {}),
        ]
        name, arguments = chance.choice(calls)
        reply = await client(viewer).call_tool(name, arguments)
        return "".join(content.text for content in reply.content)

    return ask


def through_rest(client: Any, chance: random.Random) -> Door:
    """The REST paths, with a token for each viewer."""

    async def ask(viewer: str, question: str, as_of: str | None, profile: str) -> str:
        headers = {"Authorization": f"Bearer {token_of(viewer)}"}
        bounds = {"as_of": as_of} if as_of else {}
        asked = {"question": question, "profile": profile, "explain": True, **bounds}
        number, then = chance.randint(1, 400), f"?as_of={as_of}" if as_of else ""
        path, body = chance.choice([
            ("search", asked), ("search", asked), ("ask", asked), (f"records/{number}", None),
            (f"records/{number}/history{then}", None), (f"records/{number}/context{then}", None),
            ("trees?limit=200", None), (f"trees/actor/{chance.choice(PEOPLE)}?depth=4", None), ("status", None),
            ("actors?limit=200", None), ("channels?limit=200", None), (f"timeline?limit=200&of=record:{number}", None),
            ("timeline?limit=200", None),
        ])  # fmt: skip
        if body is None:
            reply = client.get(f"/v1/{path}", headers=headers)
        else:
            reply = client.post(f"/v1/{path}", json=body, headers=headers)
        assert reply.status_code < 500, reply.text
        return told([reply.text, dict(reply.headers)])

    return ask


def token_of(viewer: str) -> str:
    return f"a-token-for-{viewer}-that-is-long"


async def trials(place: Place, count: int, seed: int, doors: list[Door], chance: random.Random) -> int:
    """Ask through a random door; no reply may hold a word that is hidden from the viewer. Returns words checked."""
    checked = 0
    for number in range(count):
        viewer = chance.choice(PEOPLE)
        question = chance.choice(place.organization.questions)
        as_of = f"{START + timedelta(days=chance.randint(0, 70)):%Y-%m-%d}" if chance.random() < 0.5 else None
        profile = chance.choice(PROFILES)
        reply = await chance.choice(doors)(viewer, question, as_of, profile)
        reply = reply.replace(json.dumps(question, ensure_ascii=False)[1:-1], "").replace(question, "").casefold()
        hidden = place.organization.hidden_from(viewer)
        leaked = sorted(word for word in hidden if word in reply)
        assert not leaked, (
            f"seed {seed}, trial {number}: {viewer} asked {question!r} as of {as_of}, saw {leaked}: {reply}"
        )
        checked += len(hidden)
    return checked


@pytest.mark.parametrize("count", [350, pytest.param(16_700, marks=pytest.mark.soak)])
@pytest.mark.parametrize("door", ["python", "mcp", "rest"])
def test_no_door_shows_a_word_of_what_is_closed_to_the_viewer(
    place: Place, door: str, count: int, tmp_path: Path
) -> None:
    chance = random.Random(f"{door} {count}")

    async def go() -> int:
        with ExitStack() as stack:
            if door == "python":
                return await trials(place, count, count, [through_python(place.memory, chance)], chance)
            verbs = stack.enter_context(Verbs(lambda progress: Memory.open(place.path), size=1))
            if door == "rest":
                client = stack.enter_context(_rest_client(verbs, tmp_path))
                return await trials(place, count, count, [through_rest(client, chance)], chance)
            async with AsyncExitStack() as clients:
                open_clients = {
                    viewer: await clients.enter_async_context(_mcp_client(verbs, viewer)) for viewer in PEOPLE
                }
                return await trials(place, count, count, [through_mcp(open_clients.__getitem__, chance)], chance)

    checked = anyio.run(go)
    sys.stderr.write(f"\n{count} trials through {door}: {checked:,} hidden words looked for, none told\n")
    assert checked > count


def _mcp_client(verbs: Verbs, viewer: str) -> Any:
    mcp = pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    from treering.interfaces.mcp.server import make_server

    return mcp.Client(make_server(verbs, lambda request: viewer))


def _rest_client(verbs: Verbs, folder: Path) -> Any:
    pytest.importorskip("fastapi", reason="the extra `server` is not installed")
    from starlette.testclient import TestClient

    from treering.interfaces.rest.app import make_app
    from treering.interfaces.rest.callers import TokenFile

    (folder / "tokens").write_text("".join(f"{token_of(viewer)} {viewer}\n" for viewer in PEOPLE))
    return TestClient(make_app(verbs, TokenFile.read(folder / "tokens")), base_url="http://127.0.0.1")


def test_the_words_are_there_for_whoever_may_see_them(place: Place) -> None:
    words = set(place.organization.words)
    with Verbs(lambda progress: Memory.open(place.path), size=1) as verbs:
        everything = told(verbs.timeline(None, TIMELINE).model_dump())
        listed = told(verbs.channels(None, LIST).model_dump())
        people = told(verbs.actors(None, LIST).model_dump())
    assert len([word for word in words if word in everything]) >= 8
    assert all(word in listed for word in words)
    assert len([word for word in words if f"ghost {word}" in people]) >= 8
    assert all(len(place.organization.hidden_from(viewer)) >= 3 for viewer in PEOPLE)


# Counts, scores, ranks: against a memory of nothing but what the viewer may see.

NUMBERED = {"id", "record", "reply_to_record", "logged_at", "before", "after", "next", "lineage", "hash", "memory"}


def without_numbers(value: object) -> object:
    """A reply without the numbers of records, which count arrivals."""
    if isinstance(value, dict):
        return {name: without_numbers(inner) for name, inner in value.items()
                if name not in NUMBERED and not (name == "records" and _are_numbers(inner))}  # fmt: skip
    return [without_numbers(inner) for inner in value] if isinstance(value, list) else value


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, int) for one in value)


@pytest.mark.parametrize("viewer", ["ana", "gus", pytest.param("ben", marks=pytest.mark.soak)])
def test_what_is_closed_moves_no_count_no_score_and_no_rank(viewer: str, tmp_path: Path) -> None:
    made = organization(3, moves=False)
    with (
        built(tmp_path / "whole", made.drafts) as whole,
        built(tmp_path / "part", made.seen_by(viewer)) as part,
        Verbs(lambda progress: Memory.open(tmp_path / "whole"), size=1) as of_whole,
        Verbs(lambda progress: Memory.open(tmp_path / "part"), size=1) as of_part,
    ):
        assert whole.status()["records"] != part.status()["records"]
        for number, question in enumerate(made.questions):
            as_of = f"{START + timedelta(days=number):%Y-%m-%d}" if number % 2 else None
            # A tree under bounds is its wholly visible nodes, which a tree that grew without the rest groups otherwise:
            # of `egcforest` that moves places in the ranking, within what is visible.
            for profile in dict.fromkeys(one for one in PROFILES if one != "egcforest"):
                request = SearchRequest.model_validate(
                    {"question": question, "profile": profile, "as_of": as_of, "explain": True}
                )
                replies = [one.search(viewer, request).model_dump() for one in (of_whole, of_part)]
                assert without_numbers(replies[0]) == without_numbers(replies[1]), (profile, question, as_of)
        looks: list[Callable[[Verbs], BaseModel]] = [
            lambda verbs: verbs.status(viewer),
            lambda verbs: verbs.channels(viewer, LIST),
            lambda verbs: verbs.actors(viewer, LIST),
            lambda verbs: verbs.trees(viewer, TREES),
            lambda verbs: verbs.timeline(viewer, TIMELINE),
            lambda verbs: verbs.timeline(viewer, OF_BEN),
        ]
        for look in looks:
            assert without_numbers(look(of_whole).model_dump()) == without_numbers(look(of_part).model_dump())


def test_a_version_that_stood_in_a_closed_place_is_not_counted(tmp_path: Path) -> None:
    said = message("m1", "the plan", author="ben", channel="closed")
    moved = replace(edit_of(said, "the plan, for all", minute=5), channel="open")
    hello = message("m2", "hello", author="ana", channel="open")
    with built(tmp_path / "m", (public("open"), private("closed", "ben"), said, moved, hello)) as memory:
        (found,) = (item for item in memory.search("plan for all", viewer="ana") if item.source_id != "m2")
        assert found.version == 1
