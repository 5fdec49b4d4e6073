"""What the sample workspace gives, word for word: `make golden` writes the files anew, a diff shows what moved."""

import json
import os
from pathlib import Path

import pytest

from treering import Memory
from treering.sample import questions, workspace

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    opened = Memory.open(tmp_path_factory.mktemp("sample") / "m.treering")
    opened.add(workspace(), embed=False)
    return opened


def check(name: str, found: object) -> None:
    path = HERE / name
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    if os.environ.get("TREERING_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_import_report(memory: Memory) -> None:
    report = memory.add(workspace(), embed=False).as_json()
    check("import_twice.json", {name: report[name] for name in ("total", "unknown", "root")})


def test_the_evidence_and_the_stages_of_the_demo_questions_by_words_alone(memory: Memory) -> None:
    told = []
    for sample in questions():
        found = memory.search(
            sample.question, profile="egcforest", asker=sample.asker, viewer=sample.viewer, as_of=sample.as_of
        )
        told.append(
            {
                "question": sample.question,
                "evidence": [[item.source_id, item.stage.value, item.why] for item in found],
                "headers": [[header.tree, header.level] for header in found.headers],
                "trace": [[trace.stage.value, trace.seen, len(trace.kept), trace.dropped] for trace in found.trace],
            }
        )
    check("demo_by_words.json", told)


def test_the_tree_of_an_artifact_whose_life_crosses_channels(memory: Memory) -> None:
    outline = memory.tree("artifact:DOC-042", depth=1)
    check("artifact_tree.json", {"label": outline.label, "leaves": outline.leaves, "summary": outline.summary})
