"""The facade: it opens a memory, wires the parts, and decides nothing itself."""

from treering.memory.memory import Memory

__all__ = ["Memory"]
