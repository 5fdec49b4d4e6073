"""Many clients against `treering serve` while imports run: `python -m bench.load MEMORY QUESTIONS`.

MEMORY is added to: give a copy. QUESTIONS is a file of evidence questions, as `treering run` reads it. First one client
asks them all, one after another, and nothing else goes on: the median of that is the measure. Then `--clients` ask
while messages are imported, one upload after another, in several ways: each thinks for `--think` seconds on average
before it asks again, as people and agents do, or, with 0, nobody thinks. Without thinking the result follows from
arithmetic: n clients whose questions each take s seconds of one of c processors wait n * s / c.

Every request is a question of its own (a number is added to it), so that nothing which was kept from another helps. It
is bounded by `known_at`, the moment before the imports, and so must find what the library finds without any server.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from treering import Memory
from treering.interfaces.documents import Asked, read_questions

PATIENCE_S = 600.0
Found = list[tuple[int, float]]


@dataclass(frozen=True)
class Question:
    """What is sent, and what must come back."""

    body: dict[str, str | None]
    expected: Found


@dataclass
class Taken:
    """What one run of clients saw."""

    seconds: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)
    lasted: float = 0.0
    processor_s: float = 0.0  # of the server itself; an import is a process of its own


@dataclass
class Imports:
    """Uploads that were imported while clients asked."""

    done: int = 0
    failed: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("memory", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=4, help="questions of each client, in each way")
    parser.add_argument("--think", type=float, nargs="*", default=[10.0, 5.0, 0.0], help="seconds, one for each way")
    parser.add_argument("--imported", type=int, default=5_000, help="messages of an upload")
    parser.add_argument("--profile", default="treering")
    parser.add_argument("--port", type=int, default=8499)
    chosen = parser.parse_args()
    source = read_questions(chosen.questions)
    count = len(source) + 1 + chosen.clients * chosen.rounds * len(chosen.think)
    questions = list(_questions(chosen.memory, source, count, chosen.profile))
    print(f"{os.cpu_count()} processors, load average before {os.getloadavg()[0]:.1f}; profile {chosen.profile}\n")
    with _served(chosen.memory, chosen.port) as (address, process):
        _ask(address, process, [questions.pop()], 1, 0.0)  # loads what is loaded once
        alone = _ask(address, process, [questions.pop() for _ in source], 1, 0.0)
        base = statistics.median(alone.seconds)
        print("| clients | think s | requests | a second | processor ms a request | median ms | p95 ms", end="")
        print(" | p95 / median of one | wrong | imports |\n|---|---|---|---|---|---|---|---|---|---|")
        print(_row(1, 0.0, alone, base, None))
        for think in chosen.think:
            asked = [questions.pop() for _ in range(chosen.clients * chosen.rounds)]
            with _importing(address, chosen.imported) as imports:
                taken = _ask(address, process, asked, chosen.clients, think)
            print(_row(chosen.clients, think, taken, base, imports), flush=True)
    print(f"\nload average after {os.getloadavg()[0]:.1f}")


def _row(clients: int, think: float, taken: Taken, base: float, imports: Imports | None) -> str:
    middle, high = statistics.median(taken.seconds), statistics.quantiles(taken.seconds, n=20)[-1]
    wrong = ", ".join(f"{count} {what}" for what, count in taken.wrong.items()) or "0"
    done = "none" if imports is None else f"{imports.done} done, {imports.failed} failed, 1 running"
    count = len(taken.seconds)
    return (
        f"| {clients} | {think:g} | {count} | {count / taken.lasted:.1f}"
        f" | {1000 * taken.processor_s / count:.0f} | {1000 * middle:.0f} | {1000 * high:.0f}"
        f" | {high / base:.1f} | {wrong} | {done} |"
    )


def _questions(path: Path, source: Sequence[Asked], count: int, profile: str) -> Iterator[Question]:
    """So many questions, no two alike, with what the library finds, and so the command line."""
    known_at = datetime.now(UTC).isoformat()
    with Memory.open(path) as memory:
        for number, one in enumerate(itertools.islice(itertools.cycle(source), count), 1):
            body = {
                "question": f"{one.question} ({number})",
                "asker": one.asker,
                "as_of": one.bound,
                "known_at": known_at,
                "profile": profile,
            }
            found = memory.search(
                str(body["question"]), asker=one.asker, as_of=one.bound, known_at=known_at, profile=profile
            )
            yield Question(body, [(item.record, item.score) for item in found])


def _ask(address: str, process: int, questions: Sequence[Question], clients: int, think: float) -> Taken:
    """Every client asks its share, and thinks for half to one and a half times `think` seconds before each."""
    taken = Taken()
    lock = threading.Lock()

    def one_client(number: int) -> None:
        chance = random.Random(number)
        time.sleep(chance.uniform(0, think))  # people do not begin together
        with httpx.Client(timeout=PATIENCE_S) as client:
            for question in questions[number::clients]:
                started = time.perf_counter()
                try:
                    answer = client.post(f"{address}/v1/search", json=question.body)
                except httpx.HTTPError as error:
                    what = type(error).__name__
                else:
                    what = ""
                seconds = time.perf_counter() - started
                what = what or _verdict(answer, question.expected)
                with lock:
                    taken.seconds.append(seconds)
                    if what:
                        taken.wrong[what] += 1
                time.sleep(chance.uniform(0.5, 1.5) * think)

    spent, started = _processor_s(process), time.perf_counter()
    threads = [threading.Thread(target=one_client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken.lasted = time.perf_counter() - started
    taken.processor_s = _processor_s(process) - spent
    return taken


def _verdict(answer: httpx.Response, expected: Found) -> str:
    if answer.status_code != httpx.codes.OK:
        return f"status {answer.status_code}"
    found = [(item["id"], item["score"]) for item in answer.json()["evidence"]]
    return "" if found == expected else "other evidence than the library's"


@contextmanager
def _served(memory: Path, port: int) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: its address, and its number."""
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "treering", "serve", str(memory), "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not _is_up(address):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("the server did not start")
                time.sleep(0.2)
            yield address, process.pid
        finally:
            process.terminate()


def _processor_s(process: int) -> float:
    """The time that a process has had of the processors, in user and in system mode."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _is_up(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health").status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


@contextmanager
def _importing(address: str, count: int) -> Iterator[Imports]:
    """One upload after another is imported, until the block ends and the last of them is done."""
    imports = Imports()
    ended = threading.Event()
    name = f"load-{time.time_ns()}"

    def keep_importing() -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            job = _begin_import(address, f"{name}-{number}", count)
            while (state := _state(address, job)) not in ("done", "failed"):
                time.sleep(0.5)
            if not ended.is_set():
                imports.done += state == "done"
                imports.failed += state == "failed"

    thread = threading.Thread(target=keep_importing)
    thread.start()
    try:
        yield imports
    finally:
        ended.set()
        thread.join()


def _begin_import(address: str, name: str, count: int) -> str:
    start = datetime(2020, 1, 1, tzinfo=UTC)
    lines = (
        json.dumps(
            {
                "id": f"{name}-{number}",
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


def _state(address: str, job: str) -> str:
    return str(httpx.get(f"{address}/v1/imports/{job}", timeout=PATIENCE_S).json()["state"])


if __name__ == "__main__":
    main()
