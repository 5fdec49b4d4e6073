import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

from tests.unit.models import invented
from treering.models.onnx_bert import Head, build_bert

ARRAYS = invented.bert_arrays()
TEXTS = [[2, 8, 9, 3], [2, 7, 8, 9, 10, 11, 3], [2, 3], [2, *range(4, 28), *range(4, 28), 3]]


def session(head: Head, **options: bool) -> onnxruntime.InferenceSession:
    model = build_bert(ARRAYS, heads=invented.HEADS, epsilon=1e-12, head=head, **options)
    onnx.checker.check_model(model, full_check=True)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def run(
    graph: onnxruntime.InferenceSession, ids: list[list[int]], mask: list[list[int]] | None = None
) -> NDArray[np.float32]:
    rows = np.array(ids, np.int64)
    present = np.ones_like(rows) if mask is None else np.array(mask, np.int64)
    encoded: NDArray[np.float32] = graph.run(None, {"input_ids": rows, "attention_mask": present})[0]
    return encoded


def mean(ids: list[int]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = invented.last_layer(ARRAYS, ids).mean(axis=0)
    total /= np.linalg.norm(total)
    return total


def terms(ids: list[int]) -> NDArray[np.float64]:
    at = "cls.predictions.transform"
    turned = invented.last_layer(ARRAYS, ids) @ ARRAYS[f"{at}.dense.weight"].T + ARRAYS[f"{at}.dense.bias"]
    turned = invented.gelu(turned)
    turned = (turned - turned.mean(axis=1, keepdims=True)) / turned.std(axis=1, keepdims=True)
    turned = turned * ARRAYS[f"{at}.LayerNorm.weight"] + ARRAYS[f"{at}.LayerNorm.bias"]
    logits = turned @ ARRAYS["embeddings.word_embeddings.weight"].T + ARRAYS["cls.predictions.bias"]
    weights: NDArray[np.float64] = np.log1p(np.maximum(logits.max(axis=0), 0))
    return weights


@pytest.mark.parametrize("ids", TEXTS)
def test_the_float_graph_computes_what_the_plain_formulas_do(ids):
    np.testing.assert_allclose(run(session(head="mean", int8=False), [ids])[0], mean(ids), atol=2e-6)
    np.testing.assert_allclose(run(session(head="terms", int8=False), [ids])[0], terms(ids), atol=2e-5)


@pytest.mark.parametrize(("head", "formula"), [("mean", mean), ("terms", terms)])
def test_what_is_padded_does_not_count(head, formula):
    short, long = TEXTS[0], TEXTS[1]
    padding = len(long) - len(short)
    rows = [short + [5] * padding, long]
    encoded = run(session(head=head, int8=False), rows, [[1] * len(short) + [0] * padding, [1] * len(long)])
    np.testing.assert_allclose(encoded[0], formula(short), atol=2e-5)
    np.testing.assert_allclose(encoded[1], formula(long), atol=2e-5)


@pytest.mark.parametrize(("head", "formula"), [("mean", mean), ("terms", terms)])
@pytest.mark.parametrize("ids", TEXTS)
def test_the_int8_graph_stays_close_to_the_float_one(head, formula, ids):
    encoded, exact = run(session(head=head), [ids])[0], formula(ids)
    assert encoded @ exact / np.linalg.norm(encoded) / np.linalg.norm(exact) > 0.99


def test_the_int8_graph_is_small_because_its_matrices_are_bytes():
    model = build_bert(ARRAYS, heads=invented.HEADS, head="mean", epsilon=1e-12)
    floats = [tensor for tensor in model.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT]
    matrices = [tensor for tensor in floats if len(tensor.dims) == 2 and min(tensor.dims) > 1]
    assert [list(tensor.dims) for tensor in matrices] == [[invented.POSITIONS, invented.HIDDEN]]


def test_a_number_that_a_norm_holds_at_zero_does_no_harm():
    arrays = dict(ARRAYS)
    for part in ("weight", "bias"):
        name = f"encoder.layer.0.attention.output.LayerNorm.{part}"
        arrays[name] = np.where(np.arange(invented.HIDDEN) < 4, 0, arrays[name]).astype(np.float32)
    model = build_bert(arrays, heads=invented.HEADS, head="mean", epsilon=1e-12)
    graph = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    total = invented.last_layer(arrays, TEXTS[1]).mean(axis=0)
    assert run(graph, [TEXTS[1]])[0] @ total / np.linalg.norm(total) > 0.99
