"""A real MCP client and a real LangChain chain answer a question over a whole memory, with citations that resolve.

Name the memory's directory in TREERING_SOAK_MEMORY, and if you like a question of it in TREERING_SOAK_QUESTION.
"""

import os
import re
import sys
from pathlib import Path

import anyio
import pytest

from tests.small_model import NoSmallModel, served
from treering import Memory
from treering.text.tokens import estimate_tokens

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif("TREERING_SOAK_MEMORY" not in os.environ, reason="TREERING_SOAK_MEMORY names no memory"),
]
QUESTION = os.environ.get("TREERING_SOAK_QUESTION", "when is the monthly user group meeting?")
CITED = re.compile(r"\[(?:\d+)\] record (\d+) \| ")
BUDGET = 2_000


def _resolved(path: Path, numbers: list[str], reply: str) -> int:
    """Each cited record is there, and the reply has a stretch of its words."""
    with Memory.open(path) as memory:
        for number in dict.fromkeys(numbers):
            record = memory.record(int(number))
            words = record.text.split()
            assert " ".join(words[:3]) in " ".join(reply.split()) or record.title
    return len(set(numbers))


def test_an_mcp_client_answers_a_question_with_citations_that_resolve() -> None:
    mcp = pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    path = Path(os.environ["TREERING_SOAK_MEMORY"])
    server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "treering", "mcp", str(path)])

    async def go() -> tuple[str, str]:
        async with mcp.Client(mcp.stdio_client(server)) as client:
            answer = await client.call_tool("ask", {"question": QUESTION, "budget": BUDGET})
            found = await client.call_tool("search", {"question": QUESTION, "budget": BUDGET})
            assert not answer.is_error
            for number in CITED.findall(answer.content[0].text):
                (contents,) = (await client.read_resource(f"treering://record/{number}")).contents
                assert f"record {number} | " in contents.text
            return answer.content[0].text, found.content[0].text

    answer, found = anyio.run(go)
    assert estimate_tokens(answer) <= BUDGET
    assert estimate_tokens(found) <= BUDGET
    count = _resolved(path, CITED.findall(answer), answer)
    shown = _resolved(path, re.findall(r"^data-\w+ record (\d+) \| ", found, re.MULTILINE), found)
    sys.stderr.write(f"\nMCP: {count} citations of the answer and {shown} of the evidence resolve\n{answer[:1500]}\n")
    assert count
    assert shown


def test_a_langchain_chain_answers_a_question_with_citations_that_resolve() -> None:
    pytest.importorskip("langchain_core", reason="the extra `langchain` is not installed")
    from examples.langchain_answer import make_chain
    from langchain_core.prompt_values import PromptValue
    from langchain_core.runnables import RunnableLambda

    from treering.models.generator import Message, endpoint_named

    path = Path(os.environ["TREERING_SOAK_MEMORY"])
    prompts: list[str] = []
    try:
        with served() as spec, Memory.open(path) as memory:

            def small(prompt: PromptValue) -> str:
                """The small model of the tests: it writes poorly, and it is real."""
                prompts.append(prompt.to_string())
                asked: list[Message] = [{"role": "user", "content": prompts[-1]}]
                return endpoint_named(spec).complete(asked, max_tokens=60, seed=0).text

            answer = make_chain(RunnableLambda(small), memory, None, k=3).invoke(QUESTION)
            numbers = re.findall(r"^data-\w+ record (\d+) \| ", prompts[0], re.MULTILINE)
            assert numbers
            for number in numbers:
                assert memory.record(int(number)).author_name in prompts[0]
    except NoSmallModel as reason:
        pytest.skip(str(reason))
    sys.stderr.write(f"\nLangChain: {len(numbers)} citations resolve; the small model said: {answer[:400]}\n")
    assert answer.strip()
