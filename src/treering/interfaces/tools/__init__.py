"""What an agent may call: eight tools over the verbs. Their replies are text that is data and no instruction."""

from treering.interfaces.tools.calling import call
from treering.interfaces.tools.catalog import TOOLS, Tool
from treering.interfaces.tools.schemas import input_schema

__all__ = ["TOOLS", "Tool", "call", "input_schema"]
