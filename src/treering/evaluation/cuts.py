"""How deep rankings are looked at."""

from collections.abc import Sequence

__all__ = ["CUTS", "HEADLINE", "headline"]

CUTS = (5, 10, 20, 50)
HEADLINE = 20  # of figures that have one cut; the papers' number of messages


def headline(cuts: Sequence[int]) -> int:
    """The cut that stands for a ranking: 20, or the deepest where 20 is none of them."""
    return HEADLINE if HEADLINE in cuts else max(cuts)
