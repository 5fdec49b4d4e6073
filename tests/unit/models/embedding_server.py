"""A real HTTP server with OpenAI's `/embeddings` interface, whose vectors are counts of letters."""

import http.server
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letters(text: str) -> list[float]:
    counts = Counter(text.lower())
    return [float(counts[letter]) for letter in LETTERS]


class EmbeddingServer:
    """What to answer, and what was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.failures: list[tuple[int, dict[str, str]]] = []  # status and headers, each answered once, first
        self.answer: Any = self.embed

    @staticmethod
    def embed(body: dict[str, Any]) -> Any:
        items = [{"index": number, "embedding": letters(text)} for number, text in enumerate(body["input"])]
        return {"data": items[::-1], "model": body["model"]}  # the order is not promised


@contextmanager
def serving() -> Iterator[EmbeddingServer]:
    state = EmbeddingServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.requests.append(body)
            state.keys.append(self.headers["authorization"])
            if self.path != "/v1/embeddings":
                return self.reply(404, {}, b"no such path")
            if state.failures:
                status, headers = state.failures.pop(0)
                return self.reply(status, headers, b"not now")
            return self.reply(200, {}, json.dumps(state.answer(body)).encode())

        def reply(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        state.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
