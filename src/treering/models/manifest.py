"""The folder of a converted model, as the rest of the package sees it: its name in the cache and its manifest.

The manifest says what the weights were and which version of the conversion made the folder. Both are in the encoder's
name, so that vectors of one never meet those of the other. Conversion itself is in `convert`, and brings `onnx`; an
encoder that is loaded does not need it.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from treering.errors import ModelUnavailable
from treering.models.catalog import Kind, KnownModel

__all__ = ["Manifest", "damaged_files", "folder_name", "is_converted", "read_manifest", "write_manifest"]

_CONVERTER = 3
"""Raised whenever `convert` or `onnx_bert` come to give other vectors of the same weights."""

_FILE = "manifest.json"


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
    files: dict[str, str] = field(default_factory=dict)  # SHA-256 of each file of the folder; {}: it was not noted


def folder_name(model: KnownModel) -> str:
    """Where in the cache a model is; other weights or another conversion is another folder.

    >>> from treering.models.catalog import known_model
    >>> folder_name(known_model("e5-small"))
    'e5-small-1571fc982750-v3'
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
    path = folder / _FILE
    try:
        return Manifest(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelUnavailable(f"{path} does not read as a model's manifest ({error})") from error


def write_manifest(folder: Path, model: KnownModel) -> None:
    """Write the manifest of a model of the catalogue: the last step of a conversion."""
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
        files={path.name: _sha256(path) for path in sorted(folder.iterdir()) if path.name != _FILE},
    )
    (folder / _FILE).write_text(json.dumps(asdict(manifest), indent=1) + "\n", encoding="utf-8")


def damaged_files(folder: Path) -> list[str]:
    """The files of a converted model that are not as the conversion left them; reads all of them.

    Raises:
        ModelUnavailable: the manifest does not read.
    """
    noted = read_manifest(folder).files
    return [name for name, digest in noted.items() if not (folder / name).is_file() or _sha256(folder / name) != digest]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
