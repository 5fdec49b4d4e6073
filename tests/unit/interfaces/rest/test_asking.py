"""Searching and asking over HTTP."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.scripted import Scripted
from treering.interfaces.printing import evidence_set_json
from treering.interfaces.rest.app import make_app
from treering.interfaces.rest.callers import LoopbackOwner
from treering.interfaces.verbs import Verbs
from treering.memory import Memory
from treering.models.generator import endpoint_named


@pytest.mark.parametrize("profile", ["treering", "egcforest", "mempp", "bm25"])
def test_the_evidence_is_that_of_the_library(owner: TestClient, memory: Path, profile: str) -> None:
    asked = {"question": "PAY-311 refunds", "asker": "Ana", "profile": profile, "as_of": "2025-11-05", "k": 5}
    found = owner.post("/v1/search", json={**asked, "explain": True}).json()
    with Memory.open(memory) as opened:
        expected = evidence_set_json(
            opened.search("PAY-311 refunds", asker="Ana", profile=profile, as_of="2025-11-05", k=5), explain=True
        )
    for one in expected["evidence"]:  # type: ignore[attr-defined]
        one["valid_from"] = one["valid_from"].replace("+00:00", "Z")
    assert found["evidence"]
    assert found == json.loads(json.dumps(expected))


def test_the_trace_is_given_when_it_is_asked_for(owner: TestClient) -> None:
    assert owner.post("/v1/search", json={"question": "lunch"}).json()["trace"] is None
    assert owner.post("/v1/search", json={"question": "lunch", "explain": True}).json()["trace"]


def test_without_a_model_an_answer_is_extractive_and_says_so(owner: TestClient) -> None:
    said = owner.post("/v1/ask", json={"question": "who approved the refunds?"}).json()
    assert said["model"] == "extractive-1"
    assert "refunds are approved" in said["text"]
    assert {one["record"] for one in said["citations"]} <= {one["id"] for one in said["evidence"]["evidence"]}


def events(text: str) -> list[tuple[str, dict[str, object]]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def test_an_answer_streams_evidence_then_pieces_then_the_whole(owner: TestClient) -> None:
    asked = {"question": "who approved the refunds?"}
    answer = owner.post("/v1/ask", json=asked, headers={"Accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = events(answer.text)
    assert [name for name, _ in found] == ["evidence", "text", "answer"]
    assert found[-1][1] == owner.post("/v1/ask", json=asked).json()


def test_a_question_that_is_wrong_is_refused_before_a_stream_begins(owner: TestClient) -> None:
    asked = {"question": "x", "as_of": "soon"}
    assert owner.post("/v1/ask", json=asked, headers={"Accept": "text/event-stream"}).status_code == 400


@pytest.fixture
def without_model(memory: Path) -> TestClient:
    gone = endpoint_named("http://127.0.0.1:9/v1#gone", sleep=lambda _: None)
    verbs = Verbs(lambda progress: Memory.open(memory, progress=progress), gone, size=1)
    return TestClient(make_app(verbs, LoopbackOwner()))


def test_a_model_that_does_not_answer_is_never_answered_without(without_model: TestClient) -> None:
    with without_model as client:
        said = client.post("/v1/ask", json={"question": "refunds"})
        assert (said.status_code, said.headers["retry-after"]) == (503, "5")
        assert "127.0.0.1:9" in said.json()["detail"]
        stream = client.post("/v1/ask", json={"question": "refunds"}, headers={"Accept": "text/event-stream"})
        assert [name for name, _ in events(stream.text)] == ["evidence", "error"]
        assert events(stream.text)[1][1]["status"] == 503


def test_an_answer_of_a_model_streams_sentence_by_sentence_and_is_checked(memory: Path) -> None:
    model = Scripted("Dora approved them [1]. The moon is made of cheese. It was released [1].")
    verbs = Verbs(lambda progress: Memory.open(memory, progress=progress), model, size=1)
    asked = {"question": "who approved the refunds?", "k": 2}
    with TestClient(make_app(verbs, LoopbackOwner())) as client:
        found = events(client.post("/v1/ask", json=asked, headers={"Accept": "text/event-stream"}).text)
    pieces = [str(said["text"]) for name, said in found if name == "text"]
    whole = found[-1][1]
    assert len(pieces) > 1
    assert "".join(pieces).strip() == whole["text"]
    assert (whole["model"], whole["supported"]) == ("scripted", True)
    assert [one["number"] for one in whole["citations"]] == [1]  # type: ignore[attr-defined]
