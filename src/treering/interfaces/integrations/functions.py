"""The tools as functions in the style of OpenAI's API, and the call that a model asked for.

tools = tool_schema()                                        # goes into the request
reply = call_tool(memory, name, arguments, viewer="ana")     # goes back as the content of the `tool` message
"""

import json
from collections.abc import Mapping

from treering.interfaces.tools import TOOLS, call, input_schema
from treering.interfaces.verbs import Verbs
from treering.memory import Memory
from treering.models.generator import Generator

__all__ = ["call_tool", "tool_schema"]


def tool_schema() -> list[dict[str, object]]:
    """The tools as the parameter `tools` of a chat request takes them.

    >>> [tool["function"]["name"] for tool in tool_schema()][:3]
    ['search', 'ask', 'record']
    """
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": input_schema(tool.arguments),
            },
        }
        for tool in TOOLS
    ]


def call_tool(
    memory: Memory,
    name: str,
    arguments: Mapping[str, object] | str,
    viewer: str | None,
    *,
    generator: Generator | None = None,
) -> str:
    """The reply to a call: framed text within the call's own budget; what went wrong is told in it as well.

    Args:
        memory: an open memory; it is left open.
        name: of the tool, as the model gave it.
        arguments: a mapping, or the JSON text that the model wrote.
        viewer: through whose eyes; None is the owner, who sees all. Never take it from the model.
        generator: what writes the answers of `ask`; without it the best passages are quoted.
    """
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict):
            return "The arguments are no JSON object. Correct them and call again."
        arguments = read
    return call(Verbs.over(memory, generator), viewer, name, arguments).text
