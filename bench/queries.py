"""The cost of a question, end to end without encoding it: `python -m bench.queries MEMORY DATA`.

MEMORY holds the corpus of DATA, a folder with evidence questions as `treering eval evidence` reads it. Bounds, ranking,
fetching and rendering are inside; the question's vectors are computed before. Profiles take turns on
every question, so that whatever else the machine does meets all of them alike; figures are ratios to `hybrid`.
"""

import argparse
import statistics
import time
from pathlib import Path

from treering import Memory
from treering.evaluation.loaders import load

PROFILES = ("hybrid", "bm25", "dense", "egcforest", "mempp", "memgpp", "treering")
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("memory", type=Path)
    parser.add_argument("data", type=Path)
    chosen = parser.parse_args()
    questions = [question for pool in load("evidence", chosen.data).pools for question in pool.questions]
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
