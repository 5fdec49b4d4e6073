"""The cost of a question, end to end without encoding it: `python -m bench.queries MEMORY QUESTIONS.jsonl`.

Bounds, ranking, fetching and rendering are inside; the question's vector is computed before. Profiles take turns on
every question, so that whatever else the machine does meets all of them alike; figures are ratios to `hybrid`.
"""

import argparse
import statistics
import time
from pathlib import Path

from bench.recall import read
from treering import Memory

PROFILES = ("hybrid", "bm25", "dense", "egcforest:S1", "egcforest:S1+S2", "egcforest")
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("memory", type=Path)
    parser.add_argument("questions", type=Path)
    chosen = parser.parse_args()
    questions = read(chosen.questions)
    times: dict[str, list[float]] = {profile: [] for profile in PROFILES}
    with Memory.open(chosen.memory) as memory:
        for round_number in range(ROUNDS + 1):
            for question in questions:
                for profile in PROFILES:
                    started = time.perf_counter()
                    memory.search(question.text, profile=profile, asker=question.asker, as_of=question.bound)
                    if round_number:  # the first round encodes the questions and fills the caches
                        times[profile].append(time.perf_counter() - started)
    base = statistics.median(times["hybrid"])
    print(f"{len(questions)} questions, {ROUNDS} rounds\n")
    print("| profile | median ms | p95 ms | median as a ratio to hybrid |")
    print("|---|---|---|---|")
    for profile, taken in times.items():
        middle, high = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        print(f"| `{profile}` | {1000 * middle:.1f} | {1000 * high:.1f} | {middle / base:.2f} |")


if __name__ == "__main__":
    main()
