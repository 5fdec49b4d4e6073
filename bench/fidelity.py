"""What int8 costs the encoders: `python -m bench.fidelity [MODEL ...]`.

Fetches the weights of each model, converts them with and without int8, and prints the cosines between the two vectors
of each text of the sample workspace. None of these texts was used to choose how to convert.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treering.models.catalog import CATALOG, KnownModel, known_model
from treering.models.convert import convert
from treering.models.dense import OnnxEncoder
from treering.models.manifest import read_manifest
from treering.models.pull import fetch
from treering.models.sparse import OnnxSparseEncoder
from treering.sample import workspace


def texts_of_the_sample() -> list[str]:
    """Every message of the sample workspace that has words, once each, in order of the files."""
    rows = [
        row
        for path in sorted(workspace().rglob("*.json"))
        if isinstance(found := json.loads(path.read_text(encoding="utf-8")), list)
        for row in found
    ]
    return list(dict.fromkeys(row["text"] for row in rows if row.get("type") == "message" and row.get("text")))


def vectors(model: KnownModel, folder: Path, texts: Sequence[str]) -> NDArray[np.float32]:
    """One row a text, as the model's encoder gives it."""
    manifest = read_manifest(folder)
    if model.kind == "dense":
        return OnnxEncoder(folder, manifest).encode_passages(texts)
    rows = np.zeros((len(texts), manifest.dimensions), np.float32)
    for row, vector in zip(rows, OnnxSparseEncoder(folder, manifest).encode_passages(texts), strict=True):
        row[vector.terms] = vector.weights
    return rows


def cosines(model: KnownModel, texts: Sequence[str]) -> NDArray[np.float32]:
    """For each text, between its int8 and its float vector."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        fetch(model, work, work, lambda _doing, _done: None)
        for int8 in (True, False):
            convert(model, work, work / str(int8), lambda _doing, _done: None, int8=int8)
        exact, cheap = (vectors(model, work / str(int8), texts) for int8 in (False, True))
    norms = np.linalg.norm(exact, axis=1) * np.linalg.norm(cheap, axis=1)
    found: NDArray[np.float32] = (exact * cheap).sum(axis=1) / norms
    return found


def main() -> None:
    graphs = [model.name for model in CATALOG if model.kind != "static"]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", default=graphs, help=", ".join(graphs))
    chosen = parser.parse_args()
    texts = texts_of_the_sample()
    print(f"{len(texts)} texts\n\n| model | mean cosine | least |\n|---|---|---|")
    for name in chosen.models:
        found = cosines(known_model(name), texts)
        print(f"| {name} | {found.mean():.4f} | {found.min():.4f} |", flush=True)


if __name__ == "__main__":
    main()
