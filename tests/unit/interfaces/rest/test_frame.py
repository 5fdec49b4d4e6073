"""The frame of every answer: ids, headers, limits, logs, numbers, and what a broken thing looks like."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.unit.interfaces.rest.conftest import As
from treering.interfaces.rest.app import make_app
from treering.interfaces.rest.callers import LoopbackOwner
from treering.interfaces.rest.frame import Limits
from treering.interfaces.schema import SearchReply, SearchRequest
from treering.interfaces.verbs import Verbs
from treering.memory import Memory


def test_every_answer_has_an_id_and_is_kept_by_nobody(owner: TestClient) -> None:
    for path in ("/health", "/v1/status", "/v1/records/none", "/nothing"):
        answer = owner.get(path)
        assert len(answer.headers["x-request-id"]) == 16
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers


def test_an_id_that_a_caller_sends_is_kept_if_it_is_one(owner: TestClient) -> None:
    assert owner.get("/health", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert owner.get("/health", headers={"X-Request-Id": 'a" b'}).headers["x-request-id"] != 'a" b'


def test_a_problem_is_told_in_one_form(owner: TestClient) -> None:
    answer = owner.get("/v1/records/zebra", headers={"X-Request-Id": "golden"})
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "There is no such thing here",
        "status": 404,
        "detail": "no record has the id 'zebra' here",
        "instance": "/v1/records/zebra",
        "request_id": "golden",
    }


def test_what_is_not_of_the_schema_is_named_and_not_repeated(owner: TestClient) -> None:
    answer = owner.post("/v1/search", json={"question": "secret words", "k": 0, "tone": "loud"})
    assert answer.status_code == 422
    assert [error["where"] for error in answer.json()["errors"]] == [["body", "k"], ["body", "tone"]]
    assert "secret words" not in answer.text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"question": "x", "as_of": "soon"}', 400),
        (b'{"question": "x", "profile": "magic"}', 400),
        (b'{"question": "x", "zone": "Mars/Olympus"}', 400),
        (b'{"question": "\\ud800"}', 422),
        (b'{"question": "x"', 422),
        (b"\xff\xfe", 422),
        (b"[1]", 422),
        (b"", 422),
    ],
)
def test_a_wrong_question_is_the_callers_mistake(owner: TestClient, body: bytes, status: int) -> None:
    answer = owner.post("/v1/search", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_body_that_is_too_large_is_refused_whatever_it_says_of_its_size(owner: TestClient) -> None:
    assert owner.post("/v1/search", content=b" " * 300_000).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 10_000

    json_type = {"Content-Type": "application/json"}
    assert owner.post("/v1/search", content=pieces(), headers=json_type).status_code == 413


def test_no_token_or_a_wrong_one_opens_nothing(guarded: TestClient) -> None:
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic b3duZXI6"}):
        for path in ("/v1/status", "/v1/records/1", "/v1/trees", "/metrics"):
            answer = guarded.get(path, headers=headers)
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert guarded.get("/health").status_code == 200


def test_pages_of_other_sites_call_nothing(owner: TestClient) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert owner.get("/v1/status", headers=headers).status_code == 403
        assert owner.post("/v1/imports", files=[("files", ("a", b""))], headers=headers).status_code == 403
    own = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert owner.get("/v1/status", headers=own).status_code == 200


def test_without_tokens_only_the_names_of_this_machine_are_answered(memory: Path) -> None:
    verbs = Verbs(lambda progress: Memory.open(memory, progress=progress), size=1)
    app = make_app(verbs, LoopbackOwner(), Limits(hosts=frozenset(("localhost", "[::1]"))))
    with TestClient(app, base_url="http://rebound.example:8480") as client:
        assert client.get("/v1/status").status_code == 421
        assert client.get("/v1/status", headers={"Host": "localhost:8480"}).status_code == 200
        assert client.get("/v1/status", headers={"Host": "[::1]:8480"}).status_code == 200
        assert client.get("/v1/status", headers={"Host": ""}).status_code == 421


class Breaking(Verbs):
    """Verbs with a fault in them."""

    def search(self, viewer: str | None, request: SearchRequest) -> SearchReply:
        raise RuntimeError(f"cannot cope with {request.question}")


def test_a_fault_of_ours_is_a_problem_with_an_id_and_a_log_without_words(
    memory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    verbs = Breaking(lambda progress: Memory.open(memory, progress=progress), size=1)
    with TestClient(make_app(verbs, LoopbackOwner())) as client, caplog.at_level(logging.INFO, "treering.rest"):
        answer = client.post("/v1/search", json={"question": "a secret question"})
    assert answer.status_code == 500
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    fields = caplog.records[-1].__dict__["fields"]
    assert fields["failed"].startswith("RuntimeError at search:")
    assert "secret" not in json.dumps(fields) + answer.text


def test_the_log_has_a_line_for_each_request_and_no_words_of_it(
    guarded: TestClient, as_: As, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "treering.rest"):
        guarded.post("/v1/search", json={"question": "PAY-311 refunds"}, headers=as_("Ben"))
        guarded.get("/v1/records/6", headers=as_("owner"))
        guarded.get("/v1/status")
    lines = [record.__dict__["fields"] for record in caplog.records if record.name == "treering.rest"]
    assert [(line["method"], line["path"], line["status"], line["caller"]) for line in lines] == [
        ("POST", "/v1/search", 200, "viewer"),
        ("GET", "/v1/records/{name:path}", 200, "owner"),
        ("GET", "/v1/status", 401, None),
    ]
    told = json.dumps(lines)
    assert not any(word in told for word in ("PAY-311", "refunds", "Ben", "Dora"))


def test_numbers_are_by_path_and_hold_no_name(owner: TestClient) -> None:
    owner.get("/v1/records/zebra")
    text = owner.get("/metrics").text
    assert 'treering_requests_total{method="GET",path="/v1/records/{name:path}",status="404"}' in text
    assert "zebra" not in text
