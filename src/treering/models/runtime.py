"""What the encoders of converted models share: a text's token ids, one run of a graph, two of them at a time.

One text a run, unpadded: int8 activations take their scale from all that is in a run, so a batch mate or a padded
place would move a text's vector. Two texts are encoded at once, each on one thread; the results do not depend on it.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors
from tokenizers import Tokenizer

from treering.errors import ModelUnavailable
from treering.models.manifest import Manifest

__all__ = ["Graph", "Tokens", "map_texts"]

_WORKERS = 2

Encoded = TypeVar("Encoded")


def map_texts(encode: Callable[[str], Encoded], texts: Sequence[str]) -> list[Encoded]:
    """Encode each text by itself, two at a time; the results are in the order of the texts."""
    with ThreadPoolExecutor(_WORKERS) as workers:
        return list(workers.map(encode, texts))


class Tokens:
    """A tokenizer, with the prefixes and the limit of its model. A blank text has no tokens at all."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        path = folder / "tokenizer.json"
        if not path.exists():
            raise ModelUnavailable(f"{path} is missing: the folder of a model holds its tokenizer")
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        # [CLS] and [SEP], whatever a model calls them; the mean of a static model is over the text's tokens only.
        frame = [] if manifest.kind == "static" else self._tokenizer.encode("").ids
        self._before, self._after = frame[:1], frame[1:]
        self._room = manifest.tokens_max - len(frame)
        self._query_prefix = manifest.query_prefix
        self._passage_prefix = manifest.passage_prefix

    def of_passage(self, text: str) -> list[int]:
        """Token ids of a text to be found, cut at its end if it is too long."""
        if not text.strip():
            return []
        return self._before + self._plain(self._passage_prefix + text)[: self._room] + self._after

    def of_query(self, text: str) -> list[int]:
        """Token ids of a question, cut at its beginning if it is too long: what is asked stands last."""
        if not text.strip():
            return []
        ids = self._plain(self._query_prefix + text)
        if len(ids) > self._room:
            prefix = self._plain(self._query_prefix.rstrip())
            ids = prefix + ids[len(prefix) - self._room :]
        return self._before + ids + self._after

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


class Graph:
    """A converted model in onnxruntime, on one thread; several threads may run it at once.

    Raises:
        ModelUnavailable: The file is missing, damaged, or not of Treering's making.
    """

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.enable_mem_pattern = False  # it would keep one plan of memory for every length of text
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except (runtime_errors.NoSuchFile, runtime_errors.InvalidProtobuf, runtime_errors.Fail) as error:
            raise ModelUnavailable(f"{path} does not load ({error}); remove its folder and pull the model") from error
        inputs = [value.name for value in self._session.get_inputs()]
        output = self._session.get_outputs()[0]
        if inputs != ["input_ids", "attention_mask"] or output.name != "encoded":
            raise ModelUnavailable(
                f"{path} takes {', '.join(inputs)} and gives {output.name}; wanted is a graph that `treering models` "
                f"made, which takes input_ids, attention_mask and gives encoded"
            )
        self.dimensions = int(output.shape[1])

    def run(self, ids: list[int]) -> NDArray[np.float32]:
        """Encode one text: shape (dimensions,)."""
        row = np.array([ids], np.int64)
        outputs = self._session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})
        encoded: NDArray[np.float32] = outputs[0][0]
        return encoded
