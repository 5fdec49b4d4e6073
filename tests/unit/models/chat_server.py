"""A real HTTP server with OpenAI's `/chat/completions` interface that says what a test scripts."""

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def completion(text: str | None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    return {"model": "small-1", "choices": [choice | more.pop("choice", {})], "usage": usage, **more}


def chunk(text: str | None, finish: str | None = None) -> str:
    delta = {"content": text} if text is not None else {"role": "assistant", "content": None}
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


class ChatServer:
    """What to answer, and what was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.failures: list[tuple[int, dict[str, str], str]] = []  # status, headers, text: each answered once, first
        self.answer: Any = lambda body: completion(f"to {body['messages'][-1]['content']}")
        self.events: list[str] = []  # the data of a stream
        self.breaks = False  # whether the connection is cut behind them
        self.hang = threading.Event()  # cleared by a test: a request then waits for it
        self.hang.set()


@contextmanager
def serving() -> Iterator[ChatServer]:
    state = ChatServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.requests.append(body)
            state.keys.append(self.headers["authorization"])
            state.hang.wait()
            if self.path != "/v1/chat/completions":
                return self.reply(404, {}, b"no such path")
            if state.failures:
                status, headers, text = state.failures.pop(0)
                return self.reply(status, headers, text.encode())
            if body.get("stream"):
                return self.pour()
            return self.reply(200, {}, json.dumps(state.answer(body)).encode())

        def pour(self) -> None:
            content = "".join(f": wait\n\ndata: {event}\n\n" for event in state.events).encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(content) + 100 * state.breaks))
            self.end_headers()
            self.wfile.write(content)
            self.close_connection = True

        def reply(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            try:
                self.wfile.write(content)
            except OSError:  # whoever asked has given up
                self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))  # looks often whether it is to stop
        thread.start()
        state.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield state
        finally:
            state.hang.set()
            server.shutdown()
            thread.join()
