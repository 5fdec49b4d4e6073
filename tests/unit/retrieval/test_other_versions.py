"""Places for the chain around a find: which versions get them, within which bounds, and what they cost."""

import pytest

from tests.builders import document, remember
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
