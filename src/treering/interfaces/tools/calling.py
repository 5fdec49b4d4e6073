"""Calling a tool by name with arguments as an agent sent them; what went wrong is told, with what to do now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from treering.errors import AmbiguousName, MemoryBusy, ModelUnavailable, TreeringError, UnknownName, UsageError
from treering.interfaces.tools.catalog import TOOLS
from treering.interfaces.tools.framing import Block, framed
from treering.interfaces.verbs import Verbs

__all__ = ["Called", "call"]

_ERROR_TOKENS: Final = 600
_NOW: Final = (
    (AmbiguousName, "Call again with one of the ids it lists."),
    (UnknownName, "Nothing by that name is here, or nothing that you may see. `search` and `directory` tell names."),
    (UsageError, "Correct the arguments and call again."),
    (MemoryBusy, "Call again in a moment."),
    (ModelUnavailable, "`search` works without a model."),
)


@dataclass(frozen=True, slots=True)
class Called:
    """The reply of a tool, or what went wrong in words."""

    text: str
    is_error: bool = False


def call(verbs: Verbs, viewer: str | None, name: str, arguments: Mapping[str, Any]) -> Called:
    """Call a tool through the eyes of `viewer`; None is the owner, who sees all."""
    tool = next((one for one in TOOLS if one.name == name), None)
    if tool is None:
        return Called(f"There is no such tool. There are: {', '.join(one.name for one in TOOLS)}.", is_error=True)
    try:
        return Called(tool.run(verbs, viewer, tool.arguments.model_validate(dict(arguments))))
    except ValidationError as error:
        wrong = "\n".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return _failed("The arguments are wrong. Correct them and call again.", "arguments", wrong)
    except TreeringError as error:
        now = next((said for kind, said in _NOW if isinstance(error, kind)), "Tell the person you work for.")
        return _failed(f"The call failed. {now}", type(error).__name__, str(error))


def _failed(lead: str, heading: str, message: str) -> Called:
    """The message may hold names that others chose, so it is framed as evidence is."""
    return Called(framed(lead, [Block(heading, message)], _ERROR_TOKENS).text, is_error=True)
