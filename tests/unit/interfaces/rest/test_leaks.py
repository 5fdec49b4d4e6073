"""Through a token nothing of what its viewer may not see comes out: no record, name, count or header."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.unit.interfaces.rest.conftest import As

HIDDEN = ("sec-incident", "Gus", "leak", "legal", "card numbers")
LISTS = ("/v1/trees", "/v1/actors", "/v1/channels", "/v1/timeline", "/v1/status")


@pytest.mark.parametrize("path", LISTS)
def test_lists_and_counts_are_those_of_a_memory_without_the_closed_channel(
    guarded: TestClient, as_: As, path: str
) -> None:
    seen = guarded.get(path, headers=as_("Ben"))
    assert seen.status_code == 200
    assert not any(word in seen.text for word in HIDDEN)
    everything = guarded.get(path, headers=as_("Gus"))
    assert any(word in everything.text for word in HIDDEN) or path == "/v1/status"
    if path == "/v1/status":
        assert [json.loads(one.text)["records"] for one in (seen, everything)] == [10, 13]
        assert seen.json()["memory"] is None


@pytest.mark.parametrize(
    "path",
    [
        "/v1/records/11", "/v1/records/jsonl/90", "/v1/records/90/history", "/v1/records/90/context",
        "/v1/trees/channel/sec-incident", "/v1/trees/channel/jsonl/sec-incident", "/v1/trees/actor/Gus",
        "/v1/timeline?of=channel:sec-incident", "/v1/timeline?of=record:90", "/v1/timeline?of=actor:Gus",
    ],
)  # fmt: skip
def test_what_is_hidden_is_not_told_from_what_is_not_there(guarded: TestClient, as_: As, path: str) -> None:
    there = guarded.get(path, headers=as_("Dora"))
    assert there.status_code == 200
    hidden = guarded.get(path, headers=as_("Ben"))
    swaps = (("sec-incident", "nowhere-else"), ("Gus", "Nix"), ("90", "79"), ("11", "97"))
    missing_path = path
    for name, other in swaps:
        missing_path = missing_path.replace(name, other)
    missing = guarded.get(missing_path, headers=as_("Ben"))

    def told(answer: object) -> str:
        body = answer.json()  # type: ignore[attr-defined]
        text = json.dumps({name: body[name] for name in ("type", "title", "status", "detail")})
        for name, other in swaps:
            text = text.replace(name, other)
        return text

    assert hidden.status_code == 404
    assert told(hidden) == told(missing)


@settings(max_examples=40, deadline=None)
@given(
    question=st.sampled_from(["PAY-311", "who knows of the leak?", "Gus", "sec-incident", "card numbers", "legal"]),
    profile=st.sampled_from(["treering", "egcforest", "mempp", "memgpp", "hybrid", "bm25"]),
    asker=st.sampled_from([None, "Gus", "Ben", "Zoe"]),
    as_of=st.sampled_from([None, "2025-11-04", "2025-11-05"]),
    path=st.sampled_from(["/v1/search", "/v1/ask"]),
)
def test_no_question_of_a_viewer_finds_what_they_may_not_see(
    guarded: TestClient, as_: As, question: str, profile: str, asker: str | None, as_of: str | None, path: str
) -> None:
    asked = {"question": question, "profile": profile, "asker": asker, "as_of": as_of, "explain": True}
    answer = guarded.post(path, json=asked, headers=as_("Ben"))
    assert answer.status_code == 200
    said = answer.text.replace(json.dumps(question), "")
    for word in HIDDEN:
        if word not in question and word != asker:
            assert word not in said
    evidence = answer.json().get("evidence", [])
    evidence = evidence if isinstance(evidence, list) else evidence["evidence"]
    assert {one["channel"] for one in evidence} <= {"ops", "eng"}


def test_an_asker_that_the_viewer_may_not_know_of_is_as_one_that_nobody_knows(guarded: TestClient, as_: As) -> None:
    def ask(asker: str) -> object:
        asked = {"question": "PAY-311", "asker": asker, "profile": "treering", "explain": True}
        reply = guarded.post("/v1/search", json=asked, headers=as_("Ben")).json()
        assert reply["bounds"].pop("asker") == asker
        return reply

    assert ask("Gus") == ask("Nix")


def test_a_viewer_names_no_other(guarded: TestClient, as_: As) -> None:
    for path in LISTS:
        assert guarded.get(path, params={"viewer": "Gus"}, headers=as_("Ben")).status_code == 403
        assert guarded.get(path, params={"viewer": "Ben"}, headers=as_("Ben")).status_code == 403
    asked = {"question": "leak", "viewer": "Gus"}
    assert guarded.post("/v1/search", json=asked, headers=as_("Ben")).status_code == 422


def test_the_owner_looks_through_the_eyes_of_a_viewer(guarded: TestClient, as_: As) -> None:
    for path in LISTS:
        through = guarded.get(path, params={"viewer": "Ben"}, headers=as_("owner")).json()
        own = guarded.get(path, headers=as_("Ben")).json()
        assert through == own


def test_a_viewer_that_is_nobody_here_sees_nothing(guarded: TestClient, as_: As) -> None:
    for path in LISTS:
        assert guarded.get(path, headers=as_("Nobody")).status_code == 404


@pytest.mark.parametrize("path", ["/v1/imports", "/v1/imports/1", "/metrics"])
def test_imports_and_numbers_are_the_owners_alone(guarded: TestClient, as_: As, path: str) -> None:
    assert guarded.get(path, headers=as_("Ben")).status_code == 403
    assert guarded.get(path).status_code == 401
    assert guarded.get(path, headers=as_("owner")).status_code in (200, 404)
