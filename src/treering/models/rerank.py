"""A cross-encoder in onnxruntime: it reads a question and a text together and says how well the one answers the other.

A folder holds `model.onnx` (of any exporter: input_ids, attention_mask, token_type_ids, as many as it takes) and
`tokenizer.json`. One pair a run, unpadded, as encoders do it. No weights come with Treering: none of the catalogue's
sources carries a cross-encoder.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors
from tokenizers import Encoding, Tokenizer

from treering.errors import ModelUnavailable
from treering.models.runtime import map_texts

__all__ = ["OnnxReranker"]

_TOKENS_MAX: Final = 512  # that BERT has positions for
_INPUTS: Final = frozenset(("input_ids", "attention_mask", "token_type_ids"))


class OnnxReranker:
    """A `Reranker` over a folder.

    Raises:
        ModelUnavailable: A file is missing or damaged, or the graph is no cross-encoder's.
    """

    def __init__(self, folder: Path) -> None:
        for name in ("model.onnx", "tokenizer.json"):
            if not (folder / name).is_file():
                raise ModelUnavailable(f"{folder / name} is missing: a reranker's folder holds it")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_TOKENS_MAX, strategy="longest_first")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        path = folder / "model.onnx"
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except (runtime_errors.InvalidProtobuf, runtime_errors.InvalidGraph, runtime_errors.Fail) as error:
            raise ModelUnavailable(f"{path} does not load: {error}") from error
        self._inputs = [value.name for value in self._session.get_inputs()]
        if not set(self._inputs) <= _INPUTS or "input_ids" not in self._inputs:
            raise ModelUnavailable(
                f"{path} takes {', '.join(self._inputs)}; a cross-encoder takes {', '.join(sorted(_INPUTS))}"
            )
        with path.open("rb") as file:
            self.name = f"folder-{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How well each text answers; see `Reranker`."""
        return np.array(map_texts(lambda text: self._score(question, text), texts), dtype=np.float32)

    def _score(self, question: str, text: str) -> float:
        pair: Encoding = self._tokenizer.encode(question, text)
        given = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        fed = {name: np.array([given[name]], dtype=np.int64) for name in self._inputs}
        said = np.asarray(self._session.run(None, fed)[0], dtype=np.float32).reshape(-1)
        match len(said):
            case 1:
                return float(said[0])
            case 2:  # of no and of yes
                return float(said[1] - said[0])
        raise ModelUnavailable(f"{self.name} gives {len(said)} numbers for a pair; a cross-encoder gives one or two")
