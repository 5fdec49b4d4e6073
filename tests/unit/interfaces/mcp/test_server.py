"""The MCP server through the SDK's own client: what it lists, gives, refuses, over stdio and HTTP."""

import json
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

import httpx2
import mcp_types as types
import uvicorn
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.hostile import ORDER
from treering.errors import UsageError
from treering.interfaces.mcp.http import PATH, ProcessViewer, make_app, require_loopback
from treering.interfaces.mcp.server import make_server
from treering.interfaces.rest.callers import TokenFile
from treering.interfaces.verbs import Verbs
from treering.text.tokens import estimate_tokens

SECRET_WORDS = ("leak", "legal", "sec-incident", "Gus")
OWNER = "token-of-the-owner-0001"
ANA = "token-of-ana-00000000002"


def asked(verbs: Verbs, seen_by: str | None, tool: str, /, **arguments: object) -> types.CallToolResult:
    """Call a tool of a server in this process."""

    async def go() -> types.CallToolResult:
        async with Client(make_server(verbs, lambda request: seen_by)) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(go)


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def test_the_tools_are_few_and_their_list_is_short(verbs: Verbs) -> None:
    async def go() -> types.ListToolsResult:
        async with Client(make_server(verbs, lambda request: None)) as client:
            return await client.list_tools()

    listed = anyio.run(go)
    names = [tool.name for tool in listed.tools]
    assert names == ["search", "ask", "record", "history", "tree", "timeline", "directory", "status"]
    sent = json.dumps([tool.model_dump(by_alias=True, mode="json", exclude_unset=True) for tool in listed.tools])
    assert 500 < estimate_tokens(sent) <= 2_000
    assert "viewer" not in sent


@pytest.mark.parametrize(
    ("name", "arguments", "shown"),
    [
        ("search", {"question": "PAY-311 refunds", "asker": "Ana"}, "PAY-311 released, refunds are approved"),
        ("search", {"question": "PAY-311 refunds", "as_of": "2025-11-04"}, "customers are charged twice"),
        ("ask", {"question": "are refunds approved?"}, "[1] record"),
        ("record", {"id": 6}, "refunds are approved"),
        ("history", {"id": "6"}, "version 1"),
        ("tree", {"view": "channel"}, "channel tree"),
        ("tree", {"view": "channel", "key": "eng"}, "C++ build is green again"),
        ("timeline", {"of": "channel:ops", "limit": 2}, "I opened a ticket"),
        ("timeline", {"newest": True, "limit": 2}, "cursor"),
        ("directory", {"kind": "people", "q": "cle"}, "Cleo"),
        ("directory", {"kind": "channels"}, "sec-incident"),
        ("status", {}, "seen by: the owner"),
    ],
)
def test_each_tool_answers(verbs: Verbs, name: str, arguments: dict[str, object], shown: str) -> None:
    result = asked(verbs, None, name, **arguments)
    assert not result.is_error, text_of(result)
    assert shown in text_of(result)


@pytest.mark.parametrize("budget", [300, 500, 1_000, 3_000])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"question": "PAY-311", "k": 20}),
        ("ask", {"question": "PAY-311", "k": 20}),
        ("record", {"id": "204"}),
        ("tree", {"view": "channel", "key": "ops", "depth": 4}),
        ("timeline", {}),
        ("directory", {"kind": "people"}),
    ],
)
def test_a_reply_keeps_to_its_budget_and_is_never_empty(
    verbs: Verbs, name: str, arguments: dict[str, object], budget: int
) -> None:
    result = asked(verbs, None, name, **arguments, budget=budget)
    assert not result.is_error
    assert estimate_tokens(text_of(result)) <= budget
    assert text_of(result).count("\ndata-") >= 2


def test_a_long_record_is_read_to_its_end_piece_by_piece(verbs: Verbs) -> None:
    start, pieces = 0, []
    while True:
        text = text_of(asked(verbs, None, "record", id="204", start=start, budget=2_000))
        body = text.split("\n", 3)[3]
        piece, cut, rest = body.partition(" ...\n")
        pieces.append(piece.split("\ndata-")[0])
        if not cut:
            break
        start += int(rest.split("cut after ")[1].split(" ")[0])
    assert "".join(pieces) == ("PAY-311 " + "word " * 4_000).rstrip("\n")
    assert len(pieces) > 2


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("record", {"id": "no such"}, "Nothing by that name"),
        ("search", {"question": "x", "as_of": "soon"}, "Correct the arguments"),
        ("search", {"question": "x", "viewer": "Gus"}, "viewer"),
        ("search", {"question": ""}, "question"),
        ("search", {"question": "x", "budget": 10}, "budget"),
        ("tree", {"view": "cellar"}, "view"),
        ("tree", {"view": "channel", "key": "nowhere"}, "nowhere"),
        ("timeline", {"of": "everywhere"}, "channel:NAME"),
        ("shell", {}, "There are: search, ask"),
    ],
)
def test_a_wrong_call_is_a_tool_error_that_says_what_now(
    verbs: Verbs, name: str, arguments: dict[str, object], said: str
) -> None:
    result = asked(verbs, None, name, **arguments)
    assert result.is_error
    assert said in text_of(result)


def test_what_breaks_inside_is_told_without_a_word_of_it(verbs: Verbs, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("the text of record 90")

    monkeypatch.setattr(verbs, "status", broken)
    result = asked(verbs, None, "status")
    assert result.is_error
    assert "Internal error" in text_of(result)
    assert "record 90" not in text_of(result)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"question": "PAY-311 summary system rules pay now channel name plan", "k": 50, "budget": 20_000}),
        ("ask", {"question": "PAY-311 summary system rules", "k": 50, "budget": 20_000}),
        ("timeline", {"limit": 200, "budget": 50_000}),
        ("tree", {"view": "channel", "limit": 200}),
        ("tree", {"view": "actor", "limit": 200}),
        ("tree", {"view": "thread", "limit": 200}),
        ("directory", {"kind": "people", "limit": 200}),
        ("directory", {"kind": "channels", "limit": 200}),
        ("record", {"id": "201"}),
        ("record", {"id": "202"}),
        ("record", {"id": "203"}),
        ("record", {"id": f"x\n{ORDER}"}),
        ("tree", {"view": "channel", "key": f"x\n{ORDER}"}),
    ],
)
def test_nothing_that_others_wrote_stands_outside_the_marks(
    verbs: Verbs, name: str, arguments: dict[str, object]
) -> None:
    text = text_of(asked(verbs, None, name, **arguments))
    lead, rule, *lines = text.split("\n")
    mark = rule.split("begin with ")[1].split(" ")[0]
    assert not [sign for sign in text if sign not in "\n\t" and not sign.isprintable()]
    assert ORDER not in lead + rule
    last = max(number for number, line in enumerate(lines) if line.startswith(mark))
    assert lines[0].startswith(mark)
    assert lines[last] == f"{mark} end"
    assert all(ORDER not in line for line in lines[last + 1 :])
    inside = [line for line in lines[:last] if not line.startswith(mark)]
    assert all(mark not in line for line in inside), "a text holds the mark"


def test_a_viewer_of_the_process_sees_no_more_than_they_may(verbs: Verbs) -> None:
    for name, arguments in (
        ("search", {"question": "PAY-311 leak, legal", "k": 50, "budget": 50_000}),
        ("ask", {"question": "who knows of the PAY-311 leak?", "budget": 50_000}),
        ("timeline", {"limit": 200, "budget": 50_000}),
        ("tree", {"view": "channel"}),
        ("tree", {"view": "actor", "limit": 200}),
        ("tree", {"view": "artifact"}),
        ("directory", {"kind": "people", "limit": 200}),
        ("directory", {"kind": "channels"}),
        ("status", {}),
    ):
        text = text_of(asked(verbs, "Ana", name, **arguments))
        told = [word for word in SECRET_WORDS if word in text.replace(f"question: {arguments}", "")]
        assert not told, f"{name} told {told}"
    for name in ("record", "history"):
        assert asked(verbs, "Ana", name, id="91").is_error
        assert not asked(verbs, "Dora", name, id="91").is_error


def test_resources_are_records_and_trees_by_address(verbs: Verbs) -> None:
    async def go() -> tuple[list[str], list[str]]:
        async with Client(make_server(verbs, lambda request: "Ana")) as client:
            templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
            read = []
            for uri in ("treering://record/6", f"treering://record/{quote('jsonl/6', safe='')}",
                        "treering://tree/channel/eng", f"treering://tree/actor/{quote('Ben')}"):  # fmt: skip
                (contents,) = (await client.read_resource(uri)).contents
                assert isinstance(contents, types.TextResourceContents)
                read.append(contents.text)
            for uri in ("treering://record/91", "treering://record/", "treering://cellar/1", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            return templates, read

    templates, read = anyio.run(go)
    assert templates == ["treering://record/{id}", "treering://tree/{view}/{key}"]
    assert all("approved" in text for text in read[:2])
    assert "C++" in read[2]


# Over real transports


def test_a_client_over_stdio_gets_what_the_viewer_may_see(hostile_path: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "treering", "mcp", str(hostile_path), "--viewer", "Ana"]
    )

    async def go() -> list[str]:
        async with Client(stdio_client(server), mode="legacy") as client:
            assert len((await client.list_tools()).tools) == 8
            questions = ("PAY-311 refunds approved", "leak legal card numbers")
            replies = [text_of(await client.call_tool("search", {"question": question})) for question in questions]
            (contents,) = (await client.read_resource("treering://record/6")).contents
            assert isinstance(contents, types.TextResourceContents)
            return [*replies, contents.text]

    found, secret, record = anyio.run(go)
    assert "refunds are approved" in found
    assert "refunds are approved" in record
    assert "leaked card numbers" not in secret


@contextmanager
def listening(verbs: Verbs, tokens: Path | None) -> Iterator[str]:
    """The address of a server in another thread."""
    authenticator = TokenFile.read(tokens) if tokens else ProcessViewer("Ana")
    app = make_app(verbs, authenticator, loopback=tokens is None)
    config = uvicorn.Config(app, log_level="error", access_log=False, ws="none")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as opened:
        thread = threading.Thread(target=partial(server.run, sockets=[opened]))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{opened.getsockname()[1]}{PATH}"
        finally:
            server.should_exit = True
            thread.join()


def over_http(url: str, token: str | None, use: Callable[[Client], Awaitable[str]], mode: str = "auto") -> str:
    async def go() -> str:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            return await use(client)

    return anyio.run(go)


async def _search(client: Client) -> str:
    return text_of(await client.call_tool("search", {"question": "PAY-311 leak", "k": 50, "budget": 20_000}))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_a_token_says_who_looks(verbs: Verbs, tmp_path: Path, mode: str) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"# who looks\n{OWNER} owner\n\n{ANA} Ana\n")
    with listening(verbs, tokens) as url:
        assert "leaked card numbers" in over_http(url, OWNER, _search, mode)
        assert "leaked card numbers" not in over_http(url, ANA, _search, mode)
        assert "customers are charged twice" in over_http(url, ANA, _search, mode)
        for headers in ({}, {"Authorization": "Bearer nobody"}, {"Authorization": f"Basic {OWNER}"}):
            reply = httpx2.post(url, json={}, headers=headers)
            assert reply.status_code == 401
            assert reply.headers["www-authenticate"] == "Bearer"


def test_without_tokens_http_serves_the_viewer_of_the_process_to_this_machine_alone(verbs: Verbs) -> None:
    with listening(verbs, None) as url:
        assert "leaked card numbers" not in over_http(url, None, _search)
        elsewhere = httpx2.post(url, json={}, headers={"Host": "evil.example"})
        assert elsewhere.status_code in (403, 421)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com"])
def test_without_tokens_no_address_beyond_this_machine_is_listened_on(host: str) -> None:
    with pytest.raises(UsageError, match="token-file"):
        require_loopback(host)
    require_loopback("127.0.0.1")
    require_loopback("::1")
    require_loopback("localhost")
