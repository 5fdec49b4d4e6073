"""Dense vectors by sentence-transformers, for the models that Treering does not convert itself.

It brings torch, and is an extra: `pip install treering[torch]`. It is imported when an encoder is made, never before.
The prompts that a model declares for queries and documents are used as its authors meant them.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treering.errors import ModelUnavailable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

__all__ = ["SentenceEncoder"]

_SAMPLE = 256  # numbers of each array that go into the digest; all of them would take seconds at every start


class SentenceEncoder:
    """A `DenseEncoder` over a model of sentence-transformers.

    Args:
        model: A name on the hub, or the path of a folder.

    Raises:
        ModelUnavailable: The extra is not installed, or the model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelUnavailable(
                f"{model} needs sentence-transformers, which is not installed: pip install treering[torch]"
            ) from error
        try:
            self._model = SentenceTransformer(model)
        except (OSError, ValueError) as error:
            raise ModelUnavailable(f"sentence-transformers cannot load {model}: {error}") from error
        self.name = f"st:{model}@{_digest(self._model)}"
        self.dimensions = len(self._model.encode_query("dimensions"))

    def encode_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts to be found; see `DenseEncoder`."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        present = [number for number, text in enumerate(texts) if text.strip()]
        if present:
            # One text a run: in the narrow floats of the larger models, padding moves a vector.
            vectors[present] = self._model.encode_document(
                [texts[number] for number in present], batch_size=1, normalize_embeddings=True, show_progress_bar=False
            )
        return vectors

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Encode a question; see `DenseEncoder`."""
        if not text.strip():
            return np.zeros(self.dimensions, np.float32)
        vector = self._model.encode_query(self._end_of(text), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vector, np.float32)

    def _end_of(self, text: str) -> str:
        """As much of the end of a question as the model reads, with room for its prompt and special tokens."""
        limit = self._model.max_seq_length
        tokenizer = self._model.tokenizer
        offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)[
            "offset_mapping"
        ]
        room = limit - len(tokenizer(self._model.prompts.get("query", ""))["input_ids"]) - 2 if limit else len(offsets)
        return text[offsets[-room][0] :] if 0 < room < len(offsets) else text


def _digest(model: "SentenceTransformer") -> str:
    digest = hashlib.sha256()
    for name, array in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(array.flatten()[:_SAMPLE].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:12]
