"""LangChain's retriever and chains, and an agent of LangGraph, over a memory."""

import re
import warnings
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the extra `langchain` is not installed")

from examples.langchain_answer import make_chain
from langchain_core.language_models.fake import FakeListLLM
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from tests.hostile import ORDER
from treering import Memory
from treering.interfaces.integrations.langchain import TreeringRetriever


def test_evidence_comes_as_documents_with_what_it_takes_to_cite_them(memory: Memory) -> None:
    documents = TreeringRetriever(memory=memory, k=5).invoke("PAY-311 refunds approved")
    assert documents[0].page_content == "PAY-311 released, refunds are approved"
    told = documents[0].metadata
    assert told["author"] == "Dora"
    assert told["channel"] == "ops"
    assert told["date"] == "2025-11-05T16:00:00+00:00"
    assert told["state"] == "current"
    assert told["citation"].endswith("jsonl/6]")
    for document in documents:
        assert memory.record(document.metadata["record"]).text.startswith(document.page_content[:50])
        assert memory.record(document.metadata["source_id"]).id == document.metadata["record"]


def test_the_bounds_are_the_retrievers_own(memory: Memory) -> None:
    question = "PAY-311 leaked card numbers"
    found = {viewer: TreeringRetriever(memory=memory, viewer=viewer).invoke(question) for viewer in ("Ana", "Dora")}
    channels = {viewer: {one.metadata["channel"] for one in documents} for viewer, documents in found.items()}
    assert "sec-incident" not in channels["Ana"]
    assert "sec-incident" in channels["Dora"]
    early = TreeringRetriever(memory=memory, as_of="2025-11-03").invoke(question)
    assert early
    assert all(one.metadata["date"] < "2025-11-04" for one in early)


def test_a_chain_answers_with_citations_that_resolve_and_frames_what_others_wrote(memory: Memory) -> None:
    prompts: list[str] = []

    class Listening(FakeListLLM):
        def _call(self, prompt: str, *args: Any, **more: Any) -> str:
            prompts.append(prompt)
            return str(super()._call(prompt, *args, **more))

    chain = make_chain(Listening(responses=["Yes, on November 5 [record 6]."]), memory, "Ana")
    answer = chain.invoke("are PAY-311 refunds approved?")
    (number,) = re.findall(r"\[record (\d+)\]", answer)
    assert memory.record(int(number), viewer="Ana").text == "PAY-311 released, refunds are approved"
    assert f"record {number} | " in prompts[0]
    mark = prompts[0].split("begin with ")[1].split(" ")[0]
    framed, _, after = prompts[0].rpartition(f"{mark} end")
    assert ORDER in framed
    assert ORDER not in after


def test_an_agent_of_langgraph_looks_up_and_answers(memory: Memory) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations within langgraph's own modules, while they load
        pytest.importorskip("langgraph", reason="langgraph is not installed")
        from examples.langgraph_agent import make_agent

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Sequence[Any], **more: Any) -> Any:
            assert next(tool["function"]["name"] for tool in tools) == "search"
            return self

    call = {"name": "search", "args": {"question": "PAY-311 refunds"}, "id": "1", "type": "tool_call"}
    said = iter([AIMessage("", tool_calls=[call]), AIMessage("Approved [record 6].")])
    agent = make_agent(Model(messages=said), memory, "Ana")
    messages = agent.invoke({"messages": [("user", "are refunds approved?")]})["messages"]
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai"]
    assert "record 6 | " in messages[2].content
    assert "leaked card numbers" not in messages[2].content
