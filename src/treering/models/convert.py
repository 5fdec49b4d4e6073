"""From weights as published to the folder that an encoder loads: int8 `model.onnx`, `tokenizer.json`, `manifest.json`.

A static model has no graph; its folder holds `embeddings.npy` instead. The manifest says what the weights were and
which version of this conversion made the folder; both are in the encoder's name, so that vectors of one never meet
those of the other. Where the weights come from is the matter of `pull`.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx
from tokenizers import Tokenizer

from treering.errors import ModelUnavailable
from treering.models.catalog import Kind, KnownModel
from treering.models.onnx_bert import Head, build_bert
from treering.models.weights import Bert, read_e5s1, read_safetensors

__all__ = ["Manifest", "convert", "folder_name", "is_converted", "read_manifest"]

_CONVERTER = 2
"""Raised whenever the same weights would give other vectors."""

_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in the folder of a converted model, and how texts are prepared for it."""

    name: str  # of the encoder, for cache keys
    kind: Kind
    dimensions: int
    tokens_max: int  # with the special tokens
    query_prefix: str = ""
    passage_prefix: str = ""
    source_sha256: str = ""  # of the weights as published
    licence: str = "unknown"
    origin: str = "unknown"


def folder_name(model: KnownModel) -> str:
    """Where in the cache a model is; other weights or another conversion is another folder.

    >>> from treering.models.catalog import known_model
    >>> folder_name(known_model("e5-small"))
    'e5-small-1571fc982750-v2'
    """
    return f"{model.name}-{model.weights.sha256[:12]}-v{_CONVERTER}"


def is_converted(folder: Path, model: KnownModel) -> bool:
    """Whether the folder holds this model: its manifest, which is written last, reads and names these weights."""
    try:
        return read_manifest(folder).source_sha256 == model.weights.sha256
    except ModelUnavailable:
        return False


def read_manifest(folder: Path) -> Manifest:
    """The manifest in the folder of a converted model.

    Raises:
        ModelUnavailable: There is none, or it does not read.
    """
    path = folder / _MANIFEST
    try:
        return Manifest(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelUnavailable(f"{path} does not read as a model's manifest ({error})") from error


def convert(model: KnownModel, source: Path, target: Path, progress: Callable[[str, float], None]) -> None:
    """Make the folder `target` from the model's files in `source`.

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
        graph = build_bert(bert.arrays, heads=bert.heads, head=head, epsilon=bert.epsilon)
        onnx.save(graph, target / "model.onnx")
    manifest = Manifest(
        name=folder_name(model),
        kind=model.kind,
        dimensions=model.dimensions,
        tokens_max=model.tokens_max,
        query_prefix=model.query_prefix,
        passage_prefix=model.passage_prefix,
        source_sha256=model.weights.sha256,
        licence=model.licence,
        origin=model.origin,
    )
    (target / _MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n", encoding="utf-8")
    progress(doing, 1.0)


def _read(model: KnownModel, source: Path) -> tuple[Bert, Tokenizer]:
    weights = source / Path(model.weights.path).name
    if model.tokenizer is None:
        return read_e5s1(weights)
    tokenizer = Tokenizer.from_file(str(source / Path(model.tokenizer.path).name))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Bert(read_safetensors(weights), model.heads), tokenizer
