import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.models.embedding_server import LETTERS, letters, serving
from treering.errors import ModelUnavailable
from treering.models.endpoint import EndpointEncoder


@pytest.fixture
def server():
    with serving() as state:
        yield state


@pytest.fixture
def slept():
    return []


@pytest.fixture
def encoder(server, slept):
    made = EndpointEncoder(server.url, "letters-1", key="secret", sleep=slept.append)
    server.requests.clear()
    return made


def unit(text: str) -> NDArray[np.float32]:
    vector = np.array(letters(text), np.float32)
    vector /= np.linalg.norm(vector)
    return vector


def test_vectors_come_back_in_the_order_of_the_texts_and_with_unit_length(encoder):
    assert encoder.dimensions == len(LETTERS)
    np.testing.assert_allclose(encoder.encode_passages(["abba", "kafka"]), [unit("abba"), unit("kafka")], rtol=1e-6)


def test_texts_go_out_in_batches_and_blank_ones_do_not_go_at_all(encoder, server):
    vectors = encoder.encode_passages([*["meeting"] * 100, " ", *["kafka"] * 50])
    assert [len(request["input"]) for request in server.requests] == [64, 64, 22]
    assert not vectors[100].any()
    np.testing.assert_allclose(vectors[101], unit("kafka"), rtol=1e-6)


def test_the_key_and_the_model_are_sent(encoder, server):
    encoder.encode_query("who signed?")
    assert server.keys == ["Bearer secret"] * 2
    assert server.requests == [{"model": "letters-1", "input": ["who signed?"], "encoding_format": "float"}]


def test_the_name_is_the_address_and_the_model(encoder, server):
    assert encoder.name == f"{server.url}#letters-1"


def test_prefixes_go_before_what_they_are_for(server):
    encoder = EndpointEncoder(server.url, "m", query_prefix="query: ", passage_prefix="passage: ")
    encoder.encode_passages(["b"])
    encoder.encode_query("a")
    assert [request["input"] for request in server.requests[1:]] == [["passage: b"], ["query: a"]]


def test_a_busy_server_is_asked_again_after_growing_waits(encoder, server, slept):
    server.failures += [(429, {}), (503, {}), (500, {})]
    np.testing.assert_allclose(encoder.encode_query("kafka"), unit("kafka"), rtol=1e-6)
    assert slept == [1, 2, 4]


def test_a_server_that_says_when_is_obeyed_up_to_a_minute(encoder, server, slept):
    server.failures += [(429, {"retry-after": "7"}), (429, {"retry-after": "86400"}), (429, {"retry-after": "Fri"})]
    encoder.encode_query("kafka")
    assert slept == [7, 60, 4]


def test_a_server_that_stays_busy_is_given_up(encoder, server, slept):
    server.failures += [(503, {})] * 20
    with pytest.raises(ModelUnavailable, match=r"letters-1.*503 not now"):
        encoder.encode_query("kafka")
    assert slept == [1, 2, 4, 8, 16]


def test_a_refusal_is_not_repeated(encoder, server, slept):
    server.failures += [(401, {})]
    with pytest.raises(ModelUnavailable, match="401 not now"):
        encoder.encode_query("kafka")
    assert slept == []
    assert len(server.requests) == 1


def test_a_server_out_of_reach_is_said_so():
    with serving() as state:
        url = state.url
    with pytest.raises(ModelUnavailable, match=f"no embeddings from {url}/embeddings"):
        EndpointEncoder(url, "m", sleep=lambda _: None)


def test_an_address_that_is_none_is_said_so_at_once(slept):
    with pytest.raises(ModelUnavailable, match="Invalid port"):
        EndpointEncoder("http://localhost:port/v1", "m", sleep=slept.append)
    assert slept == []


def test_vectors_of_another_length_are_refused(encoder, server):
    server.answer = lambda _: {"data": [{"index": 0, "embedding": [1.0, 2.0]}]}
    with pytest.raises(ModelUnavailable, match="vectors of 2 numbers after 26"):
        encoder.encode_query("kafka")


@pytest.mark.parametrize(
    "answer", [[], {"error": "overloaded"}, {"data": [{"index": 0}]}, {"data": [{"index": 0, "embedding": "x"}]}]
)
def test_an_answer_that_is_no_embedding_is_shown(encoder, server, answer):
    server.answer = lambda _: answer
    with pytest.raises(ModelUnavailable, match="answered, but not with embeddings: "):
        encoder.encode_query("kafka")


def test_fewer_vectors_than_texts_are_refused(encoder, server):
    server.answer = lambda body: {"data": server.embed(body)["data"][1:]}
    with pytest.raises(ModelUnavailable, match="answered 2 texts with 1 embeddings"):
        encoder.encode_passages(["a", "b"])


def test_an_over_long_passage_keeps_its_beginning_and_a_question_its_end(encoder, server):
    long = "a" * 30_000 + "z"
    assert encoder.encode_passages([long])[0] @ unit("z") == 0
    assert encoder.encode_query(long) @ unit("z") > 0
    assert [len(request["input"][0]) for request in server.requests] == [24_000, 24_000]
