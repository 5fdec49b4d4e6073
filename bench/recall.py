"""Evidence recall of profiles on a benchmark: `python -m bench.recall MEMORY QUESTIONS.jsonl [--profile P]...`.

For each cut-off k a profile is asked for k pieces of evidence, since the quotas of EGCForest's stages scale with k; the
paper sweeps its budget the same way. Recall is the mean share of a question's evidence found, in percent; `all@20` the
share of questions with all of it. Where one piece is needed, any that states the same (`supporting`) counts as well.
Questions without evidence (abstain) are left out. Intervals: paired bootstrap over questions against `--baseline`.
"""

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path

from treering import Memory

CUTS = (5, 10, 20, 50)
PROFILES = (
    "bm25", "dense", "hybrid", "egcforest:S1", "egcforest:S1+S2", "egcforest:S1+S2+S3", "egcforest",
    "egcforest:channel", "egcforest:channel+actor", "egcforest:channel+artifact",
)  # fmt: skip
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    asker: str | None
    bound: str | None
    category: str
    evidence: frozenset[str]
    supporting: frozenset[str]

    def recall(self, found: list[str]) -> float:
        """The share of the evidence among the source ids found."""
        have = set(found)
        if len(self.evidence) == 1 and have & self.supporting:
            return 1.0
        return len(self.evidence & have) / len(self.evidence)


def read(path: Path) -> list[Question]:
    questions = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if fields["evidence"]:
            questions.append(
                Question(
                    fields["question"],
                    fields.get("asker"),
                    fields.get("as_of") or fields.get("asked_at"),
                    fields["category"],
                    frozenset(map(str, fields["evidence"])),
                    frozenset(map(str, fields.get("supporting", []))),
                )
            )
    return questions


def recalls(memory: Memory, questions: list[Question], profile: str, k: int) -> list[float]:
    """One recall for each question, asked for k pieces."""
    return [
        question.recall(
            [
                item.source_id
                for item in memory.rank(question.text, profile=profile, asker=question.asker, as_of=question.bound, k=k)
            ]
        )
        for question in questions
    ]


def interval(differences: list[float]) -> tuple[float, float]:
    """The middle 95% of resampled mean differences, in percent; the same on every run."""
    chance = random.Random(20_251_201)  # resampling, not secrets
    count = len(differences)
    means = sorted(sum(chance.choices(differences, k=count)) / count for _ in range(RESAMPLES))
    return 100 * means[int(0.025 * RESAMPLES)], 100 * means[int(0.975 * RESAMPLES)]


def mean(values: list[float]) -> float:
    return 100 * sum(values) / len(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("memory", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--profile", action="append", dest="profiles")
    parser.add_argument("--baseline", default="hybrid")
    parser.add_argument("--by-category", action="store_true")
    chosen = parser.parse_args()
    questions = read(chosen.questions)
    with Memory.open(chosen.memory) as memory:
        base = recalls(memory, questions, chosen.baseline, 20)
        print(f"{len(questions)} answerable questions; difference at 20 against {chosen.baseline}\n")
        print("| profile | " + " | ".join(f"R@{k}" for k in CUTS) + " | all@20 | difference (95%) |")
        print("|---|" + "---|" * (len(CUTS) + 2))
        for profile in chosen.profiles or PROFILES:
            at = {k: recalls(memory, questions, profile, k) for k in CUTS}
            low, high = interval([mine - theirs for mine, theirs in zip(at[20], base, strict=True)])
            cells = [f"{mean(at[k]):.1f}" for k in CUTS]
            cells.append(f"{mean([float(value == 1.0) for value in at[20]]):.1f}")
            cells.append(f"{mean(at[20]) - mean(base):+.1f} ({low:+.1f} to {high:+.1f})")
            print(f"| `{profile}` | " + " | ".join(cells) + " |")
            if chosen.by_category:
                for category in sorted({question.category for question in questions}):
                    some = [r for r, q in zip(at[20], questions, strict=True) if q.category == category]
                    print(f"|   {category} ({len(some)}) | | | {mean(some):.1f} | | | |")


if __name__ == "__main__":
    main()
