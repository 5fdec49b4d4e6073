"""Places for the chain around a find: which versions get them, within which bounds, and what they cost."""

from pathlib import Path

import pytest

from tests.builders import document, message, remember
from treering import Memory
from treering.model.drafts import RecordDraft
from treering.model.evidence import Evidence
from treering.retrieval.other_versions import BEFORE, SINCE, given_places

QUESTION = "how many days of sabbatical leave does a gardener take?"
FILLER = "Every gardener may take days of leave as the table below says. " * 8
HOUSE = "The kettle is cleaned on Fridays by whoever used it last, and the key hangs by the door. " * 8
SABBATICAL = "Sabbatical leave of a gardener: thirty days."
OTHERS = 30  # documents that repeat the question better than the old handbook does


def handbook(day: int, keeper: str, *rules: str) -> RecordDraft:
    """A version of the handbook: a long first part, and what it grants in a second."""
    parts = [f"# House\n\n{HOUSE}{keeper} sees to it.", *(f"# Leave\n\n{rule}" for rule in rules)]
    return document("handbook", "\n\n".join(parts), title="Handbook", day=day)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    opened = Memory.open(tmp_path_factory.mktemp("versions") / "m.treering")
    opened._layout.make()
    remember(
        opened,
        handbook(0, "Ana"),
        handbook(1, "Mona"),
        handbook(2, "Mona", SABBATICAL),
        handbook(3, "Olu", SABBATICAL),
        handbook(4, "Olu", "Nothing is granted any more."),
        *(document(f"note-{number}", FILLER, title=f"days of leave of gardener {number}") for number in range(OTHERS)),
    )
    return opened


def told(memory: Memory, k: int, **bounds: str) -> dict[str, str]:
    """What was given a place, and why."""
    found: tuple[Evidence, ...] = tuple(
        memory.rank(QUESTION, profile="treering:lexical+windows+demotion", k=k, **bounds)
    )
    assert found[0].source_id.startswith("handbook@")
    return {item.source_id: item.why.split("; ")[-1] for item in found if "best document" in item.why}


def test_the_next_and_the_last_version_without_the_passage_get_the_last_places(memory: Memory) -> None:
    assert told(memory, 20) == {"handbook@4": SINCE, "handbook@1": BEFORE}
    assert told(memory, 10) == {"handbook@4": SINCE}
    assert told(memory, 9) == {}


def test_a_version_outside_the_bounds_is_none(memory: Memory) -> None:
    assert told(memory, 20, as_of="2024-03-07T12:00:00Z") == {"handbook@1": BEFORE}


def test_the_ablation_without_versions_gives_them_no_place(memory: Memory) -> None:
    found = memory.rank(QUESTION, profile="treering:lexical+windows", k=20)
    assert [item.source_id for item in found if "best document" in item.why] == []


def chat_and_policy(folder: Path, *versions: RecordDraft) -> Memory:
    """Nine messages that answer better than any version of a policy does."""
    opened = Memory.open(folder / "m.treering")
    opened._layout.make()
    said = [message(f"m{number}", "the zebra quota, the zebra quota", minute=number) for number in range(9)]
    remember(opened, *said, *versions)
    return opened


def found_by(memory: Memory, k: int) -> list[str]:
    return [item.source_id for item in memory.rank("zebra quota", profile="treering:lexical+windows+demotion", k=k)]


def test_the_best_document_keeps_its_own_place(tmp_path: Path) -> None:
    ample = "The zebra quota is set each year by the keeper of the herd, who asks nobody. " * 6
    versions = document("policy", ample, title="Policy"), document("policy", HOUSE, title="Policy", day=1)
    with chat_and_policy(tmp_path, *versions) as memory:
        assert found_by(memory, 10)[-1] == "policy@0"
        assert set(found_by(memory, 11)[-2:]) == {"policy@0", "policy@1"}


def test_a_version_without_words_gets_no_place(tmp_path: Path) -> None:
    versions = (document("policy", "zebra quota zebra quota zebra quota"), document("policy", "", day=1))
    with chat_and_policy(tmp_path, *versions) as memory:
        assert "policy@1" not in found_by(memory, 10)


def test_a_version_with_another_title_repeats_the_passage_all_the_same(tmp_path: Path) -> None:
    rule = "The zebra quota is twelve. " * 20
    versions = (
        document("policy", rule, title="Policy 1.0"),
        document("policy", rule, title="Policy 1.1", day=1),
        document("policy", HOUSE, title="Policy 1.2", day=2),
    )
    with Memory.open(tmp_path / "m.treering") as memory:
        memory._layout.make()
        remember(memory, *versions, *(document(f"n{n}", rule, title=f"zebra quota policy {n}") for n in range(12)))
        found = memory.rank("zebra quota policy 1.0", profile="treering:lexical+windows+demotion", k=10)
        assert [item.source_id for item in found if SINCE in item.why] == ["policy@2"]


@pytest.mark.parametrize(
    ("found", "beside", "k", "places", "expected"),
    [
        ([1, 2, 3, 4], {9: "since", 8: "before"}, 4, 2, [1, 2, 9, 8]),
        ([1, 2, 3, 4], {3: "since"}, 4, 2, [1, 2, 4, 3]),  # it stands in a place that it would be given
        ([1, 2, 3, 4], {2: "since"}, 4, 2, [1, 2, 3, 4]),
        ([1], {9: "since"}, 10, 1, [1, 9]),
        ([1, 2, 3, 4], {}, 4, 2, [1, 2, 3, 4]),
    ],
)
def test_only_places_that_are_needed_are_taken(
    found: list[int], beside: dict[int, str], k: int, places: int, expected: list[int]
) -> None:
    ordered, came = given_places(found, beside, k, places)
    assert ordered[:k] == expected
    assert set(ordered) == {*found, *came}
