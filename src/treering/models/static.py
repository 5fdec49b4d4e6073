"""Dense vectors without a network: the mean of one vector a token, looked up in a table (the fast tier)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treering.errors import ModelUnavailable
from treering.models.manifest import Manifest
from treering.models.runtime import Tokens

__all__ = ["StaticEncoder"]


class StaticEncoder:
    """A `DenseEncoder` over the folder of a converted table."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.name = manifest.name
        self.dimensions = manifest.dimensions
        self._tokens = Tokens(folder, manifest)
        path = folder / "embeddings.npy"
        try:
            self._table = np.load(path, mmap_mode="r")
        except (OSError, ValueError, EOFError) as error:
            raise ModelUnavailable(f"{path} does not load ({error}); remove its folder and pull the model") from error

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts to be found; see `DenseEncoder`."""
        vectors = [self._encode(self._tokens.of_passage(text)) for text in texts]
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Encode a question; see `DenseEncoder`."""
        return self._encode(self._tokens.of_query(text))

    def _encode(self, ids: list[int]) -> NDArray[np.float32]:
        total = self._table[ids].sum(axis=0, dtype=np.float32)
        length = np.linalg.norm(total)
        vector: NDArray[np.float32] = total / length if length > 0 else total
        return vector
