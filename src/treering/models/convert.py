"""From weights as published to the folder that an encoder loads: int8 `model.onnx`, `tokenizer.json`, `manifest.json`.

A static model has no graph; its folder holds `embeddings.npy` instead. Where the weights come from is the matter of
`pull`, and how the graph is built that of `onnx_bert`.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from tokenizers import Tokenizer

from treering.models.catalog import KnownModel
from treering.models.manifest import write_manifest
from treering.models.onnx_bert import Head, build_bert
from treering.models.weights import Bert, read_e5s1, read_safetensors

__all__ = ["convert"]


def convert(
    model: KnownModel, source: Path, target: Path, progress: Callable[[str, float], None], *, int8: bool = True
) -> None:
    """Make the folder `target` from the model's files in `source`.

    Without `int8` the graph computes as published: to measure what int8 costs, and for nothing else, because the
    manifest does not tell the two apart.

    Raises:
        ModelUnavailable: A file does not read.
    """
    target.mkdir()
    doing = f"converting {model.name}"
    progress(doing, 0.0)
    bert, tokenizer = _read(model, source)
    progress(doing, 0.4)
    tokenizer.save(str(target / "tokenizer.json"))
    if model.kind == "static":
        (embeddings,) = bert.arrays.values()
        np.save(target / "embeddings.npy", embeddings)
    else:
        head: Head = "terms" if model.kind == "sparse" else "mean"
        graph = build_bert(bert.arrays, heads=bert.heads, head=head, epsilon=bert.epsilon, int8=int8)
        onnx.save(graph, target / "model.onnx")
    write_manifest(target, model)
    progress(doing, 1.0)


def _read(model: KnownModel, source: Path) -> tuple[Bert, Tokenizer]:
    weights = source / Path(model.weights.path).name
    if model.tokenizer is None:
        return read_e5s1(weights)
    tokenizer = Tokenizer.from_file(str(source / Path(model.tokenizer.path).name))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Bert(read_safetensors(weights), model.heads), tokenizer
