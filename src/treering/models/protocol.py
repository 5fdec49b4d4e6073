"""What an encoder, or a reranker, is to the rest of Treering: a name and a verb or two.

No weights, no files, no inference here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["DenseEncoder", "Reranker", "SparseEncoder", "SparseVector"]


class DenseEncoder(Protocol):
    """Turns texts into vectors whose dot product is their cosine.

    A text's vector does not depend on the texts beside it. A text that has nothing to encode (empty, or blank) gets
    the zero vector: it is similar to nothing, and never outranks a text that says something.
    """

    @property
    def name(self) -> str:
        """Stable, and different for different weights: fit to be part of a cache key."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts to be found: shape (texts, dimensions), unit rows. Over-long texts keep their beginning."""

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Encode a question: shape (dimensions,), unit length. An over-long question keeps its end."""


@dataclass(frozen=True, slots=True, eq=False)
class SparseVector:
    """Weights of the terms of a model's vocabulary; terms not listed weigh nothing."""

    terms: NDArray[np.int32]  # ascending, distinct
    weights: NDArray[np.float32]  # positive, one for each term


class SparseEncoder(Protocol):
    """Turns texts into weighted terms, among them terms that the text implies and does not contain."""

    @property
    def name(self) -> str:
        """Stable, and different for different weights: fit to be part of a cache key."""

    @property
    def dimensions(self) -> int:
        """How many terms there are; every term is below it."""

    def encode_passages(self, texts: Sequence[str]) -> list[SparseVector]:
        """Encode texts to be found. Over-long texts keep their beginning; a blank text has no terms."""

    def encode_query(self, text: str) -> SparseVector:
        """Encode a question. An over-long question keeps its end."""


class Reranker(Protocol):
    """Reads a question together with each text that was found, which no index can do beforehand."""

    @property
    def name(self) -> str:
        """Stable, and different for different weights."""

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How well each text answers, shape (texts,): higher is better, and comparable within one call only."""
