"""The law of as-of: what comes after a bound changes nothing within it, neither what is found nor any score."""

import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import START, TickingClock, deletion_of, document, edit_of, message, public, remember, statement
from treering import Memory
from treering.model.drafts import RecordDraft

WORDS = ["ship", "retention", "ABC-7", "policy", "Friday", "approved", "backup", "DOC-12", "ana", "budget"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
MINUTES_A_DAY = 24 * 60
pytestmark = pytest.mark.model


@st.composite
def histories(draw: st.DrawFn) -> list[RecordDraft]:
    """Messages with edits and deletions, documents with versions, statements; in order of arrival."""
    drafts: list[RecordDraft] = []
    for number in range(draw(st.integers(1, 6))):
        first = message(
            f"m{number}", draw(texts), minute=draw(st.integers(0, 9)) * MINUTES_A_DAY + number,
            author=draw(st.sampled_from(["ana", "ben"])), thread=draw(st.sampled_from([None, "plan"])),
        )  # fmt: skip
        drafts.append(first)
        later = draw(st.integers(10, 30)) * MINUTES_A_DAY + number
        match draw(st.sampled_from(["", "", "edit", "delete"])):
            case "edit":
                drafts.append(edit_of(first, draw(texts), minute=later))
            case "delete":
                drafts.append(deletion_of(first, minute=later))
    for number in range(draw(st.integers(1, 4))):
        days = sorted(draw(st.sets(st.integers(0, 30), min_size=1, max_size=3)))
        drafts += [document(f"d{number}", draw(texts), day=day, title=f"DOC-{number}") for day in days]
        if draw(st.booleans()):
            drafts.append(statement(f"d{number}", "retired", f"d{number}", day=draw(st.integers(0, 30))))
    return draw(st.permutations(drafts))


def ranking(memory: Memory, profile: str, as_of: datetime) -> list[tuple[str, float, str, str]]:
    found = memory.search("ana: is the ABC-7 retention policy approved?", profile=profile, as_of=as_of, budget=None)
    return [(item.source_id, item.score, item.text, item.state) for item in found]


def built(folder: Path, drafts: list[RecordDraft]) -> Memory:
    memory = Memory.open(folder, clock=TickingClock())
    memory._layout.make()
    with memory._writing() as (_, pipeline):
        pipeline.configure("static", None)
    remember(memory, public("ops"), public("handbook"), *drafts, embed=True)
    return memory


@settings(max_examples=10, deadline=None)
@given(drafts=histories(), day=st.integers(0, 30))
def test_a_bounded_question_equals_one_to_a_memory_that_ends_there(drafts: list[RecordDraft], day: int) -> None:
    bound = START + timedelta(days=day, hours=12)
    until = [draft for draft in drafts if draft.valid_from <= bound]
    with (
        tempfile.TemporaryDirectory() as folder,
        built(Path(folder) / "whole", drafts) as whole,
        built(Path(folder) / "part", until) as part,
    ):
        for profile in ("mempp", "memgpp", "mempp:lexical+tag+conjunctive", "bm25", "hybrid"):
            assert ranking(whole, profile, bound) == ranking(part, profile, bound), profile
        # Sums of many signals: the last bits of a cosine depend on where its vector lies in the matrix.
        scores = [{row[0]: row[1] for row in ranking(memory, "treering", bound)} for memory in (whole, part)]
        assert scores[0] == pytest.approx(scores[1], abs=1e-3)
        asked = [memory.search("who wrote DOC-1?", profile="memgpp", as_of=bound) for memory in (whole, part)]
        assert [str(fact) for fact in asked[0].facts] == [str(fact) for fact in asked[1].facts]


@settings(max_examples=12, deadline=None)
@given(drafts=histories(), day=st.integers(0, 30))
def test_no_profile_shows_or_summarizes_anything_after_the_bound(drafts: list[RecordDraft], day: int) -> None:
    bound = START + timedelta(days=day, hours=12)
    after = {draft.source_id for draft in drafts if draft.valid_from > bound}
    dates = {draft.source_id: draft.valid_from for draft in drafts}
    with tempfile.TemporaryDirectory() as folder, built(Path(folder) / "m", drafts) as memory:
        for profile in ("egcforest", "treering", "mempp", "memgpp"):
            found = memory.search("is the ABC-7 retention policy approved?", profile=profile, as_of=bound)
            assert all(item.valid_from <= bound for item in found)
            shown = " ".join([*(item.state for item in found), str(found.trace)])
            told = {name for name in after if f"{name}'" in shown or f"{name} " in shown}
            assert not told - {name for name in dates if dates[name] <= bound}, profile
            for header in found.headers:
                below = [memory.record(record) for record in header.records]
                assert all(record.valid_from <= bound for record in below)
