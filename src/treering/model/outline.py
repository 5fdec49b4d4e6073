"""A tree as it is shown to a person: labels, counts, summaries."""

from dataclasses import dataclass

__all__ = ["Outline"]


@dataclass(frozen=True, slots=True)
class Outline:
    """One node and what hangs below it."""

    label: str
    leaves: int  # admissible ones below it
    summary: str
    children: tuple["Outline", ...] = ()
