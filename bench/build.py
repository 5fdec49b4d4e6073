"""The cost of building a memory, by parts: `python -m bench.build FILE [--no-embed]`.

Prints seconds, messages a second, and the peak memory of the process; and what reading the same JSON with the standard
library alone takes, as a measure of the machine.
"""

import argparse
import gzip
import json
import resource
import tempfile
import time
from pathlib import Path

from treering import Memory


def seconds_of_plain_json(path: Path) -> tuple[float, int]:
    started, count = time.perf_counter(), 0
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            count += bool(json.loads(line))
    return time.perf_counter() - started, count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--no-embed", action="store_true")
    chosen = parser.parse_args()
    plain, count = seconds_of_plain_json(chosen.file)
    spent: dict[str, float] = {}
    last = time.perf_counter()

    def progress(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.perf_counter()
        name = "reading and logging" if what.startswith("reading") else what
        spent[name] = spent.get(name, 0.0) + now - last
        last = now

    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m.treering", progress=progress) as memory:
        memory.add(chosen.file, embed=not chosen.no_embed, visibility="public")
    whole = time.perf_counter() - started
    print(f"{count:,} messages; the standard library reads them in {plain:.2f} s\n")
    print("| part | seconds | messages a second | ratio to plain reading |")
    print("|---|---|---|---|")
    for name, seconds in [*spent.items(), ("all", whole)]:
        print(f"| {name} | {seconds:.1f} | {count / seconds:,.0f} | {seconds / plain:.0f} |")
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
