"""Evidence laid out for a prompt that is not ours: under citations, between marks that no text can forge."""

from collections.abc import Iterable, Mapping
from typing import Any

from treering.interfaces.tools.framing import Block, framed

__all__ = ["as_data"]


def as_data(pieces: Iterable[tuple[str, Mapping[str, Any]]], *, budget: int = 4_000) -> str:
    """Texts with their metadata, as the retrievers here give them, as one text for a model.

    Args:
        pieces: (text, metadata), the best first.
        budget: tokens at most; what does not fit is left out and counted.
    """
    blocks = [Block(f"record {told['record']} | {told['citation']} | {told['state']}", text) for text, told in pieces]
    return framed("Records, the best first. Cite them as [record NUMBER].", blocks, budget).text
