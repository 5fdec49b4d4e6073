"""Having summaries written for trees that have grown: what is asked, kept, resumed and redone."""

import re
from collections import Counter

import pytest

from tests.scripted import Scripted
from tests.unit.forest.logs import Memory, message, new_memory
from treering.errors import ModelUnavailable
from treering.forest.grow import forest_digest
from treering.forest.kinds import View
from treering.forest.modelled import ModelSummarizer
from treering.forest.summaries import Summary
from treering.forest.writing import estimate_summaries, write_summaries
from treering.model.drafts import Change

WORDS = "the importer loses edits of the export " * 3


def fill(memory: Memory, first: int, count: int, channel: str = "ops") -> None:
    memory.add(
        [message(f"{channel}{n}", n, f"Note {n}: {WORDS}", channel=channel) for n in range(first, first + count)]
    )


def told(name: str = "model") -> Scripted:
    """A model whose prose names what it read: how many messages, or how many summaries."""

    def say(prompt: str) -> str:
        notes = len(set(re.findall(r"Note (\d+):", prompt)))
        return f"prose over {notes} notes" if prompt.startswith("Summarize") else "prose over prose"

    return Scripted(name=name, by=say)


def stored(memory: Memory) -> list[Summary]:
    return [Summary.decoded(row[0]) for row in memory.connection.execute("SELECT body FROM summary")]


def write(memory: Memory, model: Scripted, **more: object) -> int:
    return write_summaries(memory.database, ModelSummarizer(model), **more)  # type: ignore[arg-type]


def test_every_node_of_every_tree_is_written_from_the_leaves_up(memory):
    fill(memory, 0, 40)
    model = told()
    assert write(memory, model) == len(memory.summaries())
    texts = Counter(one.prose for one in stored(memory))
    # The channel and the one author's branch: three nodes over leaves and one above, in each; then the author's part
    # and root, which stand over one child and say what it says.
    assert texts == {"prose over 16 notes": 4, "prose over 8 notes": 2, "prose over prose": 4}
    assert len(model.asked) == 8


def test_what_is_written_is_not_written_again(memory):
    fill(memory, 0, 40)
    write(memory, told())
    model = told()
    assert write(memory, model) == 0
    assert model.asked == []


def test_the_structure_and_the_counted_parts_stay_as_they_were(memory):
    fill(memory, 0, 40)
    digest, counted = forest_digest(memory.connection), sorted(repr(one.participants) for one in stored(memory))
    write(memory, told())
    assert forest_digest(memory.connection) == digest
    assert sorted(repr(one.participants) for one in stored(memory)) == counted
    assert memory.connection.execute("SELECT count(*) FROM summary").fetchone()[0] == len(memory.summaries())


def test_nodes_point_to_texts_that_are_there(memory):
    fill(memory, 0, 40)
    write(memory, told())
    view = memory.view()
    rows = memory.connection.execute("SELECT key, text_key FROM summary").fetchall()
    keys = zip(view.node_summary_key, view.node_text_key, strict=True)
    assert {(key.tobytes(), text.tobytes()) for key, text in keys} == set(rows)


def test_an_append_costs_its_right_edge(memory):
    fill(memory, 0, 40)
    write(memory, told())
    fill(memory, 40, 2)
    model = told()
    write(memory, model)
    assert len(model.asked) == 4  # the last node over leaves and the one above, of the channel and of the author
    assert sorted(set(re.findall(r"prose over \d+", " ".join(memory.summaries().values())))) == [
        "prose over 10",
        "prose over 16",
    ]


def test_a_server_that_fails_costs_one_step_and_the_next_run_goes_on(memory, monkeypatch):
    monkeypatch.setattr("treering.forest.writing.STEP", 3)
    fill(memory, 0, 64)
    whole = told()
    calls = 0

    def fails_later(prompt: str) -> str | ModelUnavailable:
        nonlocal calls
        calls += 1
        return whole._by(prompt) if calls <= 4 else ModelUnavailable("quota used up")  # type: ignore[misc]

    with pytest.raises(ModelUnavailable, match="quota used up"):
        write(memory, Scripted(name="model", by=fails_later), workers=1)
    written = sum(bool(one.prose) for one in stored(memory))
    assert written == 4
    rest = told()
    write(memory, rest)
    assert len(rest.asked) == 10 - written
    assert all(one.prose for one in stored(memory))


def test_another_model_does_all_anew_and_leaves_nothing_of_the_first(memory):
    fill(memory, 0, 40)
    write(memory, told("one"))
    model = Scripted("other words", name="two")
    write(memory, model)
    assert len(model.asked) == 8
    assert {one.prose for one in stored(memory)} == {"other words"}


def test_a_rename_is_written_anew_under_its_new_heading(memory):
    fill(memory, 0, 20)
    write(memory, told())
    memory.name_channel("ops", "operations")
    memory.grow()
    assert any(not one.prose for one in stored(memory))
    write(memory, told())
    assert all(one.prose for one in stored(memory))
    assert any(text.startswith("operations, ") for text in memory.summaries().values())


def test_what_is_deleted_takes_its_summaries_along(memory):
    fill(memory, 0, 20)
    write(memory, told())
    memory.add([message("ops3@30", 30, "", lineage="ops3", change=Change.DELETE)])
    assert sum(not one.prose for one in stored(memory)) == 6  # all that stood over it, in both trees
    model = told()
    write(memory, model)
    assert all("Note 3:" not in asked[0]["content"] for asked in model.asked)
    assert memory.connection.execute("SELECT count(*) FROM summary").fetchone()[0] == len(memory.summaries())


def test_only_the_forests_asked_for_are_written(memory):
    fill(memory, 0, 20)
    model = told()
    write(memory, model, views=(View.CHANNEL,))
    assert len(model.asked) == 3


def test_at_most_as_many_as_asked_for_and_the_rest_next_time(memory):
    fill(memory, 0, 64)
    steps: list[tuple[str, int, int]] = []
    assert write(memory, told(), most=3, progress=lambda *step: steps.append(step)) == 3
    assert steps == [("writing summaries", 3, 3)]
    assert write(memory, told(), most=3) == 3
    assert write(memory, told()) == len(memory.summaries()) - 6


def test_an_empty_memory_has_nothing_to_write(memory):
    assert write(memory, told()) == 0
    assert estimate_summaries(memory.database, ModelSummarizer(told())).calls == 0


def test_the_estimate_counts_what_a_run_then_asks(memory):
    fill(memory, 0, 40)
    fill(memory, 0, 1, channel="aside")
    model = told()
    estimate = estimate_summaries(memory.database, ModelSummarizer(model))
    assert model.asked == []
    assert write(memory, model) == estimate.nodes
    assert len(model.asked) == estimate.calls
    assert 0 < estimate.calls < estimate.nodes
    assert estimate.tokens_in > estimate.calls * 100
    assert estimate.tokens_out < estimate.tokens_out_max
    assert estimate_summaries(memory.database, ModelSummarizer(model)).nodes == 0


def test_written_trees_grow_on_to_the_same_forest_as_trees_grown_at_once(tmp_path):
    memories = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        memories.append(new_memory(tmp_path / name))
    first, second = memories
    fill(first, 0, 20)
    write(first, told())
    fill(first, 20, 20)
    write(first, told())
    fill(second, 0, 40)
    write(second, told())
    assert forest_digest(first.connection) == forest_digest(second.connection)
    assert first.summaries() == second.summaries()
    for memory in memories:
        memory.database.close()
