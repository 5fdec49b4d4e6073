"""The tools as functions of a chat model."""

import json
import subprocess
import sys
import threading

import pytest

from treering import Memory
from treering.interfaces.integrations.functions import call_tool, tool_schema


def test_every_tool_is_a_function_with_a_closed_schema() -> None:
    for tool in tool_schema():
        function = tool["function"]
        assert isinstance(function, dict)
        assert set(function) == {"name", "description", "parameters"}
        assert function["parameters"]["type"] == "object"
        assert function["parameters"]["additionalProperties"] is False
        assert "viewer" not in function["parameters"]["properties"]
    json.dumps(tool_schema())


@pytest.mark.parametrize("arguments", [{"question": "PAY-311 refunds"}, '{"question": "PAY-311 refunds"}'])
def test_a_call_is_answered_from_a_mapping_or_the_text_of_one(
    memory: Memory, arguments: dict[str, object] | str
) -> None:
    assert "refunds are approved" in call_tool(memory, "search", arguments, None)
    assert memory.status()["records"], "the memory is still open"


def test_a_call_leaves_no_thread_and_no_pin_behind(memory: Memory) -> None:
    before = threading.active_count()
    call_tool(memory, "status", {}, None)
    assert threading.active_count() == before
    assert memory._pin is None


@pytest.mark.parametrize("arguments", ["{", "[1]", "null", "[" * 100_000])
def test_arguments_that_are_no_object_are_told_to_be_none(memory: Memory, arguments: str) -> None:
    assert "no JSON object" in call_tool(memory, "search", arguments, None)


def test_the_viewer_bounds_what_a_model_is_told(memory: Memory) -> None:
    asked = {"question": "PAY-311 leaked card numbers", "k": 50, "budget": 20_000}
    assert "leaked card numbers, keep it here" in call_tool(memory, "search", asked, "Dora")
    assert "leaked card numbers, keep it here" not in call_tool(memory, "search", asked, "Ana")


def test_importing_treering_imports_no_framework() -> None:
    code = (
        "import sys, treering.interfaces.cli, treering.interfaces.verbs, treering.interfaces.integrations.functions\n"
        "print([m for m in ('mcp', 'langchain_core', 'llama_index', 'langgraph', 'fastapi') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
