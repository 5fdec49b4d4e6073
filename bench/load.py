"""Many clients against `treering serve` while an import runs: `python -m bench.load MEMORY QUESTIONS`.

MEMORY is added to: give a copy. QUESTIONS is a file of evidence questions, as `treering run` reads it. First one client
asks everything, then `--clients` do at once while messages of another source are imported. Every question is bounded by
`known_at`, the moment before the import, so that each answer must be what the library gives without any server.
"""

import argparse
import itertools
import json
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from treering import Memory
from treering.interfaces.documents import read_questions

PATIENCE_S = 600.0
Found = list[tuple[int, float]]


@dataclass
class Taken:
    """What one run of clients saw."""

    seconds: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("memory", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--most", type=int, default=60, help="questions")
    parser.add_argument("--rounds", type=int, default=2, help="times that each client asks its questions")
    parser.add_argument("--think", type=float, default=0.0, help="seconds between two questions of a client")
    parser.add_argument("--imported", type=int, default=5_000, help="messages that are imported meanwhile")
    parser.add_argument("--profile", default="treering")
    parser.add_argument("--port", type=int, default=8499)
    chosen = parser.parse_args()
    known_at = datetime.now(UTC).isoformat()
    asked = [
        {
            "question": one.question,
            "asker": one.asker,
            "as_of": one.bound,
            "known_at": known_at,
            "profile": chosen.profile,
        }
        for one in read_questions(chosen.questions)[: chosen.most]
    ]
    expected = list(_expected(chosen.memory, asked))
    with _served(chosen.memory, chosen.port) as address:
        _ask(address, asked, expected, 1, 1, 0.0)  # loads what is loaded once
        alone = _ask(address, asked, expected, 1, 1, 0.0)
        job = _begin_import(address, chosen.imported)
        together = _ask(address, asked, expected, chosen.clients, chosen.rounds, chosen.think)
        during = httpx.get(f"{address}/v1/imports/{job}").json()
        after = _ended(address, job)
    base = statistics.median(alone.seconds)
    print(f"{len(asked)} questions, profile {chosen.profile}, {chosen.imported:,} messages imported ({after['state']};")
    print(f"when the clients were done: {during['state']})\n")
    print("| clients | requests | median ms | p95 ms | p95 / median of one client | wrong |")
    print("|---|---|---|---|---|---|")
    for clients, taken in ((1, alone), (chosen.clients, together)):
        middle, high = statistics.median(taken.seconds), statistics.quantiles(taken.seconds, n=20)[-1]
        wrong = ", ".join(f"{count} {what}" for what, count in taken.wrong.items()) or "0"
        figures = f"{len(taken.seconds)} | {1000 * middle:.0f} | {1000 * high:.0f} | {high / base:.1f}"
        print(f"| {clients} | {figures} | {wrong} |")


def _expected(path: Path, asked: list[dict[str, str | None]]) -> Iterator[Found]:
    """What the library finds, and so the command line."""
    with Memory.open(path) as memory:
        for one in asked:
            found = memory.search(
                str(one["question"]),
                asker=one["asker"],
                as_of=one["as_of"],
                known_at=one["known_at"],
                profile=str(one["profile"]),
            )
            yield [(item.record, item.score) for item in found]


def _ask(
    address: str, asked: list[dict[str, str | None]], expected: list[Found], clients: int, rounds: int, think: float
) -> Taken:
    """Every client asks every `clients`-th question first, so that no two ask the same at once."""
    taken = Taken()
    lock = threading.Lock()

    def one_client(number: int) -> None:
        time.sleep(think * number / clients)  # people do not begin together
        with httpx.Client(timeout=PATIENCE_S) as client:
            places = itertools.islice(itertools.cycle(range(len(asked))), number, number + rounds * _share(clients))
            for place in places:
                started = time.perf_counter()
                try:
                    answer = client.post(f"{address}/v1/search", json=asked[place])
                except httpx.HTTPError as error:
                    what = type(error).__name__
                else:
                    what = _verdict(answer, expected[place])
                with lock:
                    taken.seconds.append(time.perf_counter() - started)
                    if what:
                        taken.wrong[what] += 1
                time.sleep(think)

    def _share(of: int) -> int:
        return len(asked) if of == 1 else max(1, len(asked) // of)

    threads = [threading.Thread(target=one_client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def _verdict(answer: httpx.Response, expected: Found) -> str:
    if answer.status_code != httpx.codes.OK:
        return f"status {answer.status_code}"
    found = [(item["id"], item["score"]) for item in answer.json()["evidence"]]
    return "" if found == expected else "other evidence than the library's"


@contextmanager
def _served(memory: Path, port: int) -> Iterator[str]:
    """A server in a process of its own."""
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "treering", "serve", str(memory), "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not _is_up(address):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("the server did not start")
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()


def _is_up(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health").status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _begin_import(address: str, count: int) -> str:
    start = datetime(2020, 1, 1, tzinfo=UTC)
    lines = (
        json.dumps(
            {
                "id": f"load-{number}",
                "sent_at": (start + timedelta(minutes=number)).isoformat(),
                "author": f"Loader {number % 7}",
                "channel": f"load-{number % 5}",
                "text": f"LOAD-{number % 400}: step {number} of the rehearsal is done, next is {number + 1}",
            }
        )
        for number in range(count)
    )
    sent = httpx.post(
        f"{address}/v1/imports",
        files=[("files", ("load.jsonl", "\n".join(lines).encode()))],
        data={"embed": "false", "source": "load"},
        timeout=PATIENCE_S,
    )
    return str(sent.raise_for_status().json()["id"])


def _ended(address: str, job: str) -> dict[str, str]:
    while True:
        found: dict[str, str] = httpx.get(f"{address}/v1/imports/{job}", timeout=PATIENCE_S).json()
        if found["state"] in ("done", "failed"):
            return found
        time.sleep(1)


if __name__ == "__main__":
    main()
