"""Dense vectors from a converted encoder, by onnxruntime on the processor."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treering.models.manifest import Manifest
from treering.models.runtime import Graph, Tokens, map_texts

__all__ = ["OnnxEncoder"]


class OnnxEncoder:
    """A `DenseEncoder` over the folder of a converted model."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.name = manifest.name
        self.dimensions = manifest.dimensions
        self._tokens = Tokens(folder, manifest)
        self._graph = Graph(folder / "model.onnx")

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts to be found; see `DenseEncoder`."""
        vectors = map_texts(lambda text: self._encode(self._tokens.of_passage(text)), texts)
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Encode a question; see `DenseEncoder`."""
        return self._encode(self._tokens.of_query(text))

    def _encode(self, ids: list[int]) -> NDArray[np.float32]:
        return self._graph.run(ids) if ids else np.zeros(self.dimensions, np.float32)
