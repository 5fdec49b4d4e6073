"""A real server in a process of its own: it answers on a socket, logs lines of JSON, and stops when told to."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

PROGRAM = """
import sys
from pathlib import Path
from treering.interfaces.cli import _open
from treering.interfaces.cli_serve import serve_memory
serve_memory(Path(sys.argv[1]), _open, port=int(sys.argv[2]), readers=1)
"""
PATIENCE_S = 120


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as made:
        return int(made.getsockname()[1])


def test_a_server_answers_on_its_socket_and_stops_when_told_to(memory: Path) -> None:
    port = free_port()
    command = [sys.executable, "-c", PROGRAM, str(memory), str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            deadline = time.monotonic() + PATIENCE_S
            while not answers(address):
                assert process.poll() is None, process.stderr and process.stderr.read()
                assert time.monotonic() < deadline
                time.sleep(0.1)  # a process that starts gives no other sign
            found = httpx.post(f"{address}/v1/search", json={"question": "who approved the refunds?"})
            rebound = httpx.get(f"{address}/v1/status", headers={"Host": "rebound.example"})
        finally:
            process.terminate()
        _, said = process.communicate(timeout=PATIENCE_S)
    assert found.json()["evidence"][0]["source_id"] == "6"
    assert rebound.status_code == 421
    assert process.returncode in (0, -15)
    first, *lines = said.splitlines()
    assert first.endswith(f"on {address} (Ctrl-C stops it)")
    told = [json.loads(line) for line in lines]
    asked = [line for line in told if line.get("path") == "/v1/search"]
    assert [(line["status"], line["request_id"]) for line in asked] == [(200, found.headers["x-request-id"])]
    assert "refunds" not in said


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health").status_code == 200
    except httpx.TransportError:
        return False
