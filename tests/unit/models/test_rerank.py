"""Rerankers: a small cross-encoder that counts shared words, as a graph in a folder and behind a server."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.builders import message, public, remember
from tests.unit.models.invented import shared_words_model
from treering import Memory
from treering.errors import ModelUnavailable, UsageError
from treering.models.load import load_reranker
from treering.models.rerank import OnnxReranker
from treering.models.rerank_endpoint import EndpointReranker


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cross-encoder")
    shared_words_model(made)
    return made


def test_a_folder_scores_each_text_with_the_question_beside_it(folder: Path) -> None:
    scores = OnnxReranker(folder).scores("who moved the meeting", ["the meeting moved", "costs rose", "the kafka", ""])
    assert scores.tolist() == [3.0, 0.0, 1.0, 0.0]


def test_a_text_longer_than_the_model_reads_is_cut(folder: Path) -> None:
    scores = OnnxReranker(folder).scores("kafka", ["costs " * 600 + "kafka", "kafka " + "costs " * 600])
    assert scores.tolist() == [0.0, 1.0]


def test_the_name_tells_the_weights_apart(folder: Path, tmp_path: Path) -> None:
    shared_words_model(tmp_path, factor=2.0)
    assert OnnxReranker(folder).name != OnnxReranker(tmp_path).name


@pytest.mark.parametrize("lost", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_one_of_its_files_is_refused(folder: Path, tmp_path: Path, lost: str) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        if name != lost:
            (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(ModelUnavailable, match=f"{lost} is missing"):
        load_reranker(f"folder:{tmp_path}")


def test_a_damaged_graph_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelUnavailable, match="does not load"):
        OnnxReranker(tmp_path)


def test_an_encoder_is_no_cross_encoder(tmp_path: Path) -> None:
    shared_words_model(tmp_path, outputs=3)
    with pytest.raises(ModelUnavailable, match="gives 3 numbers"):
        OnnxReranker(tmp_path).scores("who", ["we"])


@pytest.mark.parametrize("spec", ["minilm", "http://127.0.0.1/v1", "st:some/cross-encoder"])
def test_a_spec_that_names_no_reranker_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="names no reranker"):
        load_reranker(spec)


def shared(query: str, text: str) -> float:
    return float(len(set(query.split()) & set(text.split())))


class Served:
    """What to answer; by default scores in falling order, as such servers do."""

    def __init__(self) -> None:
        self.url = ""
        self.keys: list[str | None] = []
        self.statuses: list[int] = []
        self.answer: Any = self.rank

    @staticmethod
    def rank(body: dict[str, Any]) -> Any:
        scored = [{"index": n, "relevance_score": shared(body["query"], t)} for n, t in enumerate(body["documents"])]
        return {"results": sorted(scored, key=lambda one: -one["relevance_score"])[: body["top_n"]]}


@contextmanager
def serving() -> Iterator[Served]:
    state = Served()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.keys.append(self.headers["authorization"])
            status = 404 if self.path != "/v1/rerank" else state.statuses.pop(0) if state.statuses else 200
            content = json.dumps(state.answer(body)).encode() if status == 200 else b"no"
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        state.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()


def test_a_server_scores_texts_in_whatever_order_it_answers() -> None:
    with serving() as served:
        reranker = load_reranker(f"{served.url}#m", key="secret")
        assert reranker.scores("the meeting", ["costs", "the meeting", "the"]).tolist() == [0.0, 2.0, 1.0]
        assert served.keys == ["Bearer secret"]
        assert reranker.scores("the meeting", []).size == 0


def test_a_busy_server_is_asked_again_and_a_refusal_is_not() -> None:
    waited: list[float] = []
    with serving() as served:
        served.statuses = [503, 429]
        reranker = EndpointReranker(served.url, "m", sleep=waited.append)
        assert reranker.scores("a", ["a"]).tolist() == [1.0]
        assert len(waited) == 2
        served.statuses = [401]
        with pytest.raises(ModelUnavailable, match="is the key right"):
            reranker.scores("a", ["a"])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"data": []}, "not with scores"),
        ({"results": [{"index": 7, "relevance_score": 1.0}]}, "not with scores"),
        ({"results": [{"index": 0, "relevance_score": 1.0}]}, "scored 1 of 2"),
    ],
)
def test_an_answer_that_does_not_score_every_text_is_an_error(answer: Any, said: str) -> None:
    with serving() as served:
        served.answer = lambda body: answer
        with pytest.raises(ModelUnavailable, match=said):
            EndpointReranker(served.url, "m").scores("a", ["a", "b"])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reranked") / "m.treering"
    with Memory.open(path) as memory:
        memory._layout.make()
        remember(
            memory,
            public("ops"),
            message("1", "kafka kafka kafka", minute=1, thread="a"),
            message("2", "who signed? we left kafka because costs rose", minute=2, thread="b"),
            message("3", "the meeting moved to monday", minute=3, thread="c"),
        )
    return path


def test_what_reads_best_comes_first_and_says_so(path: Path, folder: Path) -> None:
    question = "kafka because costs rose"
    with Memory.open(path) as memory:
        plain = memory.search(question, profile="treering:lexical")
        assert not any("reranker" in item.why for item in plain.items)
        assert "reranker" not in memory.status()
    with Memory.open(path, reranker=f"folder:{folder}") as memory:
        found = memory.search(question, profile="treering:lexical")
        assert found.items[0].source_id == "2"
        assert found.items[0].why.endswith("reranker 100%")
        assert {item.source_id for item in found.items} == {item.source_id for item in plain.items}
        scores = [item.score for item in found.items]
        assert scores == sorted(scores, reverse=True)
        assert any("read once more by folder-" in note for stage in found.trace for note in stage.notes)
        assert memory.status()["reranker"] == f"folder:{folder}"
        assert not any("reranker" in item.why for item in memory.search(question, profile="bm25").items)


def test_a_reranker_out_of_reach_is_an_error_and_not_an_empty_answer(path: Path, tmp_path: Path) -> None:
    with (
        Memory.open(path, reranker=f"folder:{tmp_path}") as memory,
        pytest.raises(ModelUnavailable, match=r"model\.onnx is missing"),
    ):
        memory.search("kafka", profile="treering:lexical")
