"""Uploads: a job is made, followed, and its records are found."""

import io
import json
import time
import zipfile

from starlette.testclient import TestClient

from tests.unit.interfaces.rest.conftest import As
from tests.workspaces import LINES

LATER = [{"channel_kind": "public", **line} for line in LINES[3:]]


def jsonl(lines: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def finished(client: TestClient, job: str) -> dict:  # type: ignore[type-arg]
    for _ in range(600):
        found = client.get(f"/v1/imports/{job}").json()
        if found["state"] in ("done", "failed"):
            return found  # type: ignore[no-any-return]
        time.sleep(0.02)  # a real import in another thread has no other sign
    raise AssertionError("the import did not end")


def test_an_upload_is_imported_and_then_found(fresh_owner: TestClient) -> None:
    files = [("files", ("later.jsonl", jsonl(LATER)))]
    job = fresh_owner.post("/v1/imports", files=files, data={"embed": "false"})
    assert (job.status_code, job.json()["files"]) == (202, ["later.jsonl"])
    done = finished(fresh_owner, job.json()["id"])
    assert done["state"] == "done"
    assert done["report"]["total"]["kept"] == 7
    assert [file["path"] for file in done["report"]["files"]] == ["later.jsonl"]
    assert done["progress"]
    found = fresh_owner.post("/v1/search", json={"question": "C++ build is green"}).json()["evidence"]
    assert found[0]["source_id"] == "9"
    assert fresh_owner.get("/v1/imports").json()["jobs"][0]["id"] == done["id"]


def test_a_zip_is_read_as_what_is_in_it(fresh_owner: TestClient) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("export/messages.jsonl", jsonl([{**LATER[0], "id": 77, "text": "zipped words"}]))
    job = fresh_owner.post("/v1/imports", files=[("files", ("x.zip", buffer.getvalue()))], data={"embed": "false"})
    assert finished(fresh_owner, job.json()["id"])["report"]["total"]["kept"] == 1


def test_what_is_no_export_fails_with_a_reason_that_shows_no_path(fresh_owner: TestClient) -> None:
    job = fresh_owner.post("/v1/imports", files=[("files", ("song.bin", b"\0\1\2"))], data={"embed": "false"})
    failed = finished(fresh_owner, job.json()["id"])
    assert failed["state"] == "failed"
    assert failed["error"].startswith("song.bin is of no format")
    assert "/tmp" not in json.dumps(failed)


def test_names_that_lead_elsewhere_are_cut_to_their_last_part_or_refused(fresh_owner: TestClient) -> None:
    sneaky = [("files", ("../../etc/later.jsonl", jsonl(LATER)))]
    job = fresh_owner.post("/v1/imports", files=sneaky, data={"embed": "false"})
    assert job.json()["files"] == ["later.jsonl"]
    finished(fresh_owner, job.json()["id"])
    for name in ("..", "a/..", "x\u202e.jsonl", "n" * 300):
        refused = fresh_owner.post("/v1/imports", files=[("files", (name, b"x"))])
        assert refused.status_code in (400, 422), name


def test_options_are_checked_before_anything_is_kept(fresh_owner: TestClient) -> None:
    files = [("files", ("a.jsonl", b"{}"))]
    assert fresh_owner.post("/v1/imports", files=files, data={"visibility": "secret"}).status_code == 422
    assert fresh_owner.post("/v1/imports", files=[*files, *files]).status_code == 400
    assert fresh_owner.post("/v1/imports", data={"embed": "false"}).status_code == 422


def test_a_viewer_imports_nothing(guarded: TestClient, as_: As) -> None:
    refused = guarded.post("/v1/imports", files=[("files", ("a.jsonl", jsonl(LATER)))], headers=as_("Ben"))
    assert refused.status_code == 403
