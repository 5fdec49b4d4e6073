"""Sparse vectors from a converted SPLADE encoder, by onnxruntime on the processor."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from treering.models.manifest import Manifest
from treering.models.protocol import SparseVector
from treering.models.runtime import Graph, Tokens, map_texts

__all__ = ["OnnxSparseEncoder"]


class OnnxSparseEncoder:
    """A `SparseEncoder` over the folder of a converted model."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.name = manifest.name
        self.dimensions = manifest.dimensions
        self._tokens = Tokens(folder, manifest)
        self._graph = Graph(folder / "model.onnx")

    def encode_passages(self, texts: Sequence[str]) -> list[SparseVector]:
        """Encode texts to be found; see `SparseEncoder`."""
        return map_texts(lambda text: self._encode(self._tokens.of_passage(text)), texts)

    def encode_query(self, text: str) -> SparseVector:
        """Encode a question; see `SparseEncoder`."""
        return self._encode(self._tokens.of_query(text))

    def _encode(self, ids: list[int]) -> SparseVector:
        if not ids:
            return SparseVector(np.empty(0, np.int32), np.empty(0, np.float32))
        weights = self._graph.run(ids)
        (terms,) = np.nonzero(weights)  # none is negative: the graph ends in log(1 + relu(x))
        return SparseVector(terms.astype(np.int32), weights[terms])
