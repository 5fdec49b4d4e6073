"""From the few words of a configuration to an encoder, and the list of models that those words can name.

e5-small, minilm, static     a dense model of the catalogue, pulled when first needed
splade-tiny                  the sparse one
folder:PATH                  a folder with model.onnx and tokenizer.json, or one of sentence-transformers
st:NAME                      a model by sentence-transformers (extra `torch`)
https://HOST/v1#MODEL        a server with OpenAI's /embeddings

A reranker is `folder:PATH` or `https://HOST/v1#MODEL`, a server with /rerank; the catalogue has none.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from treering.errors import ModelUnavailable, UsageError
from treering.models.catalog import CATALOG, Kind, KnownModel, known_model
from treering.models.dense import OnnxEncoder
from treering.models.manifest import Manifest, folder_name, is_converted, read_manifest
from treering.models.protocol import DenseEncoder, Reranker, SparseEncoder
from treering.models.pull import Progress, pull
from treering.models.rerank import OnnxReranker
from treering.models.runtime import Graph
from treering.models.sentence import SentenceEncoder
from treering.models.sparse import OnnxSparseEncoder
from treering.models.static import StaticEncoder

__all__ = ["ModelStatus", "list_models", "load_dense", "load_reranker", "load_sparse"]

_FOLDER = "folder:"
_SENTENCE = "st:"
_ENDPOINT = ("http://", "https://")


def load_dense(spec: str, cache: Path, progress: Progress | None = None, *, key: str | None = None) -> DenseEncoder:
    """The dense encoder that `spec` names, pulled into `cache` first if it is of the catalogue and not there.

    Args:
        spec: One of the forms at the head of this module.
        cache: The folder that models are kept in.
        progress: Called while weights are fetched and converted.
        key: For a server that wants one.

    Raises:
        UsageError: `spec` has none of the forms, or names a sparse model.
        ModelUnavailable: The model cannot be had; the message says what was tried and what to do.
    """
    if spec.startswith(_FOLDER):
        return _load_folder(Path(spec.removeprefix(_FOLDER)).expanduser())
    if spec.startswith(_SENTENCE):
        return SentenceEncoder(spec.removeprefix(_SENTENCE))
    if spec.startswith(_ENDPOINT):
        url, _, model = spec.partition("#")
        if not model:
            raise UsageError(f"{spec} does not say which model: write {spec}#MODEL")
        from treering.models.endpoint import EndpointEncoder  # with httpx, which nobody else needs to start

        return EndpointEncoder(url, model, key=key)
    known = known_model(spec)
    if known.kind == "sparse":
        raise UsageError(f"{spec} is a sparse model, and a dense one is wanted")
    return _load_converted(pull(known, cache, progress))


def load_sparse(spec: str, cache: Path, progress: Progress | None = None) -> SparseEncoder:
    """The sparse encoder that `spec` names: one of the catalogue, or `folder:PATH`; see `load_dense`."""
    if spec.startswith(_FOLDER):
        folder = Path(spec.removeprefix(_FOLDER)).expanduser()
        manifest = read_manifest(folder)
        if manifest.kind != "sparse":
            raise UsageError(f"{spec} holds a {manifest.kind} model, and a sparse one is wanted")
        return OnnxSparseEncoder(folder, manifest)
    known = known_model(spec)
    if known.kind != "sparse":
        raise UsageError(f"{spec} is a {known.kind} model, and a sparse one is wanted")
    folder = pull(known, cache, progress)
    return OnnxSparseEncoder(folder, read_manifest(folder))


def load_reranker(spec: str, *, key: str | None = None) -> Reranker:
    """The reranker that `spec` names; see the head of this module.

    Raises:
        UsageError: `spec` has none of the forms.
        ModelUnavailable: The folder holds no cross-encoder.
    """
    if spec.startswith(_FOLDER):
        return OnnxReranker(Path(spec.removeprefix(_FOLDER)).expanduser())
    url, _, model = spec.partition("#")
    if spec.startswith(_ENDPOINT) and model:
        from treering.models.rerank_endpoint import EndpointReranker  # with httpx, which nobody else needs to start

        return EndpointReranker(url, model, key=key)
    raise UsageError(f"{spec!r} names no reranker: write folder:PATH or http://HOST/v1#MODEL")


def _load_folder(folder: Path) -> DenseEncoder:
    if (folder / "manifest.json").exists():
        return _load_converted(folder)
    if (folder / "model.onnx").exists():
        return OnnxEncoder(folder, _assumed_manifest(folder))
    if (folder / "config.json").exists():
        return SentenceEncoder(str(folder))
    raise ModelUnavailable(
        f"{folder} holds no model: wanted are model.onnx and tokenizer.json, or a folder of sentence-transformers"
    )


def _load_converted(folder: Path) -> DenseEncoder:
    manifest = read_manifest(folder)
    match manifest.kind:
        case "dense":
            return OnnxEncoder(folder, manifest)
        case "static":
            return StaticEncoder(folder, manifest)
        case "sparse":
            raise UsageError(f"{folder} holds a sparse model, and a dense one is wanted")


def _assumed_manifest(folder: Path) -> Manifest:
    """Of a folder without a manifest: no prefixes, and the 512 tokens that BERT has positions for."""
    with (folder / "model.onnx").open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    dimensions = Graph(folder / "model.onnx").dimensions
    return Manifest(name=f"folder-{digest[:12]}", kind="dense", dimensions=dimensions, tokens_max=512)


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model of the catalogue, and whether it is here."""

    name: str
    kind: Kind
    dimensions: int
    cached: bool
    size: int  # bytes: on disk if cached, else of what would be downloaded
    licence: str
    source: str  # the distribution that carries the weights
    origin: str  # who published them


def list_models(cache: Path) -> list[ModelStatus]:
    """The models that can be named, in the order of the catalogue; nothing is fetched."""
    return [_status(model, cache / folder_name(model)) for model in CATALOG]


def _status(model: KnownModel, folder: Path) -> ModelStatus:
    cached = is_converted(folder, model)
    return ModelStatus(
        name=model.name,
        kind=model.kind,
        dimensions=model.dimensions,
        cached=cached,
        size=sum(path.stat().st_size for path in folder.iterdir()) if cached else model.wheel.size,
        licence=model.licence,
        source=f"{model.wheel.name}=={model.wheel.version}",
        origin=model.origin,
    )
