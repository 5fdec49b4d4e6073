"""The OpenAPI document: kept word for word, true to what is answered, and never the way to a fault of ours."""

import json
import os
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

GOLDEN = Path(__file__).parent / "golden" / "openapi.json"
EXAMPLES = 20  # of each of about fifteen operations


def test_the_document_is_as_it_was(owner: TestClient) -> None:
    text = json.dumps(owner.get("/openapi.json").json(), indent=1) + "\n"
    if os.environ.get("TREERING_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), "the interface changed: `make golden` writes it anew"


def test_what_is_asked_has_an_example_that_is_answered(owner: TestClient) -> None:
    document = owner.get("/openapi.json").json()
    for name, path in (("SearchRequest", "/v1/search"), ("AskRequest", "/v1/ask")):
        for example in document["components"]["schemas"][name]["examples"]:
            assert owner.post(path, json=example).status_code == 200


def test_nothing_that_the_document_allows_or_forbids_breaks_the_server(owner: TestClient) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", owner.app)
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    seen = 0
    for result in schema.get_all_operations():
        operation = result.ok()  # type: ignore[union-attr]  # an operation that does not read fails here
        if operation.path == "/v1/imports" and operation.method == "post":
            continue  # each would be an import; uploads have tests of their own

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def answered(case: "schemathesis.Case[Any]") -> None:
            case.call_and_validate(checks=checks)

        answered()
        seen += 1
    assert seen >= 14
