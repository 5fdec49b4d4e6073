"""The whole engine by its words alone: adding, asking, bounds, leaks, repair. Vectors have tests of their own."""

import itertools
import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workspaces import LINES, SECRET, line, written
from treering import (
    AmbiguousName,
    BadDate,
    EvidenceSet,
    Memory,
    MemoryDamaged,
    MemoryMissing,
    UnknownName,
    UnreadableInput,
)
from treering.errors import UsageError

PROFILES = ["bm25", "hybrid", "egcforest", "mempp", "memgpp", "treering"]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("memory")
    opened = Memory.open(folder / "m.treering")
    opened.add(written(folder / "all.jsonl", [*LINES, *SECRET]), embed=False)
    return opened


def ids(found: EvidenceSet) -> list[str]:
    return [item.source_id for item in found]


def test_a_question_finds_its_evidence_verbatim_and_cited(memory: Memory) -> None:
    found = memory.search("who approved the refunds for PAY-311?", asker="Ana")
    assert "6" in ids(found)[:3]
    item = next(item for item in found if item.source_id == "6")
    assert item.text == "PAY-311 released, refunds are approved"
    assert item.citation == "[ops, Dora, 2025-11-05 16:00 UTC, jsonl/6]"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("question", ["", "   ", "?", "the", "((((", "'", '"', "C++", "🔥", "a" * 40_000, "-- DROP"])
def test_odd_questions_have_an_answer_and_no_error(memory: Memory, profile: str, question: str) -> None:
    assert memory.search(question, profile=profile).profile == profile


def test_a_question_in_another_script_is_answered(memory: Memory) -> None:
    assert ids(memory.search("火曜日", profile="bm25")) == ["8"]


def test_nothing_found_is_an_empty_set_that_says_its_bounds(memory: Memory) -> None:
    found = memory.search("zebra", profile="bm25", as_of="2025-11-04")
    assert (len(found), found.bounds["as_of"]) == (0, "2025-11-04T23:59:59.999999+00:00")


@pytest.mark.parametrize("profile", PROFILES)
def test_scores_fall_strictly(memory: Memory, profile: str) -> None:
    scores = [item.score for item in memory.search("PAY-311 fix released", profile=profile)]
    assert len(scores) > 2
    assert scores == sorted(set(scores), reverse=True)


def test_the_budget_and_k_are_kept(memory: Memory) -> None:
    found = memory.search("PAY-311", k=2)
    assert len(found) == 2
    small = memory.search("PAY-311", budget=25)
    assert 0 < small.tokens <= 25


@pytest.mark.parametrize("profile", PROFILES)
def test_no_piece_of_evidence_at_all_is_no_question(memory: Memory, profile: str) -> None:
    with pytest.raises(UsageError, match="1 or more; got 0"):
        memory.rank("PAY-311", k=0, profile=profile)
    with pytest.raises(UsageError, match="got -1"):
        memory.search("PAY-311", k=-1, profile=profile)


def test_of_a_long_message_the_part_that_matches_is_shown(tmp_path: Path) -> None:
    long = "log line without interest\n" * 3_000 + "the zebrafish tank KES-77 leaks\n" + "and more noise\n" * 500
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", [line(1, long, at="2025-11-03T09:00:00Z")]), embed=False)
        (item,) = memory.search("where is the zebrafish tank?", budget=300)
        assert "zebrafish tank KES-77 leaks" in item.text
        assert item.text in long
        assert item.tokens <= 300
        assert item.spans == ((0, len(item.text)),)


def test_headers_never_take_more_than_their_share(memory: Memory) -> None:
    found = memory.search("PAY-311 customers charged twice", profile="egcforest", budget=600)
    assert sum(header.tokens for header in found.headers) <= 0.35 * 600


def test_the_trace_names_every_stage(memory: Memory) -> None:
    assert [trace.stage.value for trace in memory.search("PAY-311", profile="egcforest").trace] == [
        "S1", "S2", "S3", "S4"
    ]  # fmt: skip


# Bounds


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_after_as_of_appears_anywhere(memory: Memory, profile: str) -> None:
    bound = datetime(2025, 11, 4, tzinfo=UTC)
    found = memory.search("PAY-311 released approved refunds merged", profile=profile, as_of=bound)
    assert ids(found)
    assert all(item.valid_from <= bound for item in found)
    told = json.dumps([str(found.headers), str(found.trace)])
    assert "refunds are approved" not in told
    assert "rollout" not in told


@pytest.mark.parametrize("profile", ["bm25", "hybrid"])  # a tree under bounds has fewer nodes than one that never grew
@pytest.mark.parametrize("day", ["2025-11-03", "2025-11-04", "2025-11-06"])
def test_as_of_equals_a_memory_that_never_learned_the_rest(
    memory: Memory, tmp_path: Path, profile: str, day: str
) -> None:
    earlier = [fields for fields in [*LINES, *SECRET] if str(fields["sent_at"])[:10] <= day]
    with Memory.open(tmp_path / "m.treering") as bounded:
        bounded.add(written(tmp_path / "part.jsonl", earlier), embed=False)
        for question in ("PAY-311 customers", "who fixed the queue retry?"):
            whole = memory.search(question, profile=profile, as_of=day)
            part = bounded.search(question, profile=profile, as_of=day)
            assert ids(whole) == ids(part)
            assert [item.score for item in whole] == pytest.approx([item.score for item in part])


def test_an_unreadable_bound_is_refused(memory: Memory) -> None:
    with pytest.raises(BadDate, match="soon"):
        memory.search("PAY-311", as_of="soon")


# Leaks


@pytest.mark.parametrize("profile", PROFILES)
def test_an_outsider_gets_what_a_memory_without_the_secret_gives(memory: Memory, tmp_path: Path, profile: str) -> None:
    with Memory.open(tmp_path / "m.treering") as innocent:
        innocent.add(written(tmp_path / "open.jsonl", LINES), embed=False)
        for question in ("PAY-311 leak", "leaked card numbers", "what does sec-incident say?", "did Gus close it?"):
            with_secret = memory.search(question, profile=profile, viewer="Ben")
            without = innocent.search(question, profile=profile, viewer="Ben")
            assert ids(with_secret) == ids(without)
            assert [item.score for item in with_secret] == pytest.approx([item.score for item in without])
            assert [header.text for header in with_secret.headers] == [header.text for header in without.headers]
            assert "sec-incident" not in str(with_secret.trace) + str(with_secret.headers) + str(with_secret.notes)


def test_a_member_finds_what_an_outsider_does_not(memory: Memory) -> None:
    assert "90" in ids(memory.search("leaked card numbers", viewer="Dora"))
    assert "90" not in ids(memory.search("leaked card numbers", viewer="Ben"))


def test_the_asker_grants_nothing(memory: Memory) -> None:
    assert "90" not in ids(memory.search("leaked card numbers", asker="Gus", viewer="Ben"))


def test_a_hidden_record_and_a_missing_one_cannot_be_told_apart(memory: Memory) -> None:
    hidden, missing = "90", "12345"
    messages = []
    for name in (hidden, missing):
        with pytest.raises(UnknownName) as caught:
            memory.record(name, viewer="Ben")
        messages.append(str(caught.value).replace(name, "X"))
    assert messages[0] == messages[1]
    assert memory.record("90", viewer="Dora").text.startswith("PAY-311 leaked")


def test_a_hidden_channel_and_a_missing_one_have_no_tree_alike(memory: Memory) -> None:
    messages = []
    for name in ("sec-incident", "nowhere"):
        with pytest.raises(UnknownName) as caught:
            memory.tree(f"channel:{name}", viewer="Ben")
        messages.append(str(caught.value).replace(name, "X"))
    assert messages[0] == messages[1]


def test_a_tree_shows_no_summary_of_what_the_viewer_may_not_see(memory: Memory) -> None:
    shown = str(memory.tree("actor:Dora", depth=4, viewer="Ben"))
    assert "leak" not in shown
    assert "refunds are approved" in shown


def test_an_unknown_viewer_is_an_error_and_not_an_empty_answer(memory: Memory) -> None:
    with pytest.raises(UnknownName, match="Nobody"):
        memory.search("PAY-311", viewer="Nobody")


# Adding


def test_a_second_import_adds_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "all.jsonl", LINES)
    with Memory.open(tmp_path / "m.treering") as memory:
        first, hashes = memory.add(path, embed=False), memory.hashes()
        second = memory.add(path, embed=False)
        assert (first.total.kept, second.total.kept, second.total.unchanged) == (10, 0, 10)
        assert memory.hashes() == hashes


def test_a_renamed_copy_adds_nothing(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
        assert memory.add(written(tmp_path / "b.jsonl", LINES), embed=False).total.kept == 0


@given(order=st.randoms(use_true_random=False), cuts=st.sets(st.integers(1, 12), max_size=3))
@settings(max_examples=8, deadline=None)
def test_any_order_and_any_split_give_the_same_root_and_the_same_trees(
    tmp_path_factory: pytest.TempPathFactory, order: random.Random, cuts: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("split")
    lines = [*LINES, *SECRET]
    with Memory.open(folder / "whole.treering") as memory:
        memory.add(written(folder / "whole.jsonl", lines), embed=False)
        whole = memory.hashes()
    order.shuffle(lines)
    edges = [0, *sorted(cuts), len(lines)]
    with Memory.open(folder / "parts.treering") as memory:
        for number, (start, stop) in enumerate(itertools.pairwise(edges)):
            memory.add(written(folder / f"{number}.jsonl", lines[start:stop]), embed=False)
        parts = memory.hashes()
        assert memory.verify() == []
    assert (parts["root"], parts["forest"]) == (whole["root"], whole["forest"])


def test_a_bad_line_is_quarantined_and_the_rest_goes_in(tmp_path: Path) -> None:
    path = written(tmp_path / "some.jsonl", LINES[:2])
    path.write_text(path.read_text() + '{"id": 3, broken\n' + json.dumps(line(4, "fine", at="2025-11-03T09:00:00Z")))
    with Memory.open(tmp_path / "m.treering") as memory:
        report = memory.add(path, embed=False)
        assert (report.total.read, report.total.kept, report.total.quarantined) == (4, 3, 1)
        (file,) = report.files.values()
        assert file.quarantined[0].position == "line 3"


def test_an_edit_is_found_and_the_old_text_only_as_of_before(tmp_path: Path) -> None:
    first = line(1, "we ship on Monday", at="2025-11-03T09:00:00Z")
    edited = {**first, "text": "we ship on Friday", "edited_at": "2025-11-03T12:00:00Z"}
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", [first]), embed=False)
        assert memory.add(written(tmp_path / "b.jsonl", [edited]), embed=False).total.versions == 1
        assert [item.text for item in memory.search("ship Monday", profile="bm25")] == ["we ship on Friday"]
        before = memory.search("ship", profile="bm25", as_of="2025-11-03T10:00:00Z")
        assert [item.text for item in before] == ["we ship on Monday"]
        assert [version.version for version in memory.history("1")] == [1, 2]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "export.zip"
    broken.write_bytes(b"PK\x03\x04 this is no zip")
    with Memory.open(tmp_path / "m.treering") as memory, pytest.raises(UnreadableInput, match=r"export\.zip"):
        memory.add(broken, embed=False)


def test_two_people_of_one_name_are_listed_and_not_guessed(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES[:1]), embed=False, source="one")
        memory.add(written(tmp_path / "b.jsonl", LINES[:1]), embed=False, source="two")
        with pytest.raises(AmbiguousName, match=r"one/Ben.*two/Ben"):
            memory.search("PAY-311", viewer="Ben")
        assert memory.search("PAY-311", viewer="two/Ben")


# Repair


def test_a_memory_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(MemoryMissing), Memory.open(tmp_path / "none.treering") as memory:
        memory.search("PAY-311")


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    with Memory.open(tmp_path / "notes") as memory, pytest.raises(MemoryDamaged, match="no memory"):
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["mine.txt"]


def test_a_damaged_database_is_said_to_be_damaged(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
    database = tmp_path / "m.treering" / "memory.db"
    database.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with pytest.raises(MemoryDamaged), Memory.open(tmp_path / "m.treering") as memory:
        memory.search("PAY-311")


def test_a_damaged_segment_is_found_by_the_check_and_mended_by_rebuild(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", LINES), embed=False)
    (segment,) = (tmp_path / "m.treering" / "segments").iterdir()
    content = bytearray(segment.read_bytes())
    content[-9] ^= 0xFF
    segment.write_bytes(bytes(content))
    with Memory.open(tmp_path / "m.treering") as memory:
        assert any(segment.name in fault for fault in memory.verify())
        memory.rebuild(embed=False)
        assert memory.verify() == []


def test_rebuild_gives_back_the_same_hashes_and_the_same_answer(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as memory:
        memory.add(written(tmp_path / "a.jsonl", [*LINES, *SECRET]), embed=False)
        before, found = memory.hashes(), memory.search("PAY-311 released")
        memory.rebuild(embed=False)
        assert memory.hashes() == before
        assert memory.search("PAY-311 released") == found


def test_a_reader_sees_one_state_while_a_writer_adds(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.treering") as writer, Memory.open(tmp_path / "m.treering") as reader:
        writer.add(written(tmp_path / "a.jsonl", LINES[:5]), embed=False)
        assert len(reader.search("PAY-311", profile="bm25")) == 3
        writer.add(written(tmp_path / "b.jsonl", LINES), embed=False)
        assert len(reader.search("PAY-311", profile="bm25")) == 4
