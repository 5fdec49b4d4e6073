"""Which artifacts there are, and how they follow the log."""

import numpy as np
import pytest

from tests.unit.forest.logs import Memory, at, message
from treering.forest.artifacts import SAMPLE_MIN, grow_artifacts, thresholds_for
from treering.forest.clusters import Thresholds
from treering.forest.extractive import Extractive
from treering.forest.kinds import View
from treering.model.drafts import Change, ChannelKind, RecordDraft

LIFE = [
    message("a1", 0, "Opened DOC-042, please look.", "dev", "ann"),
    message("a2", 10, "DOC-042 is merged.", "dev", "bob"),
    message("a3", 20, "DOC-042 was approved.", "ops", "cy"),
    message("a4", 30, "Released DOC-042 today.", "ops", "ann"),
]


def grow(memory: Memory, **more):
    with memory.database.writing() as connection:
        return grow_artifacts(connection, summarizer=Extractive(), **more)


def artifacts(memory: Memory) -> dict[str, list[str]]:
    return {key: leaves for (view, key, _), (leaves, _) in memory.shape().items() if view == View.ARTIFACT}


def by_topic(memory: Memory):
    """Vectors for tests of the wiring: one direction for texts about cake, another for the rest."""

    def look_up(leaves: list[int]) -> np.ndarray:
        found = np.full((len(leaves), 2), np.nan, dtype=np.float32)
        for row, leaf in enumerate(leaves):
            text = memory.connection.execute(
                "SELECT r.text FROM leaf l LEFT JOIN record r ON r.id = l.head WHERE l.id = ?", (leaf,)
            ).fetchone()[0]
            if text:
                found[row] = (1, 0) if "cake" in text else (0, 1)
        return found

    return look_up


SHARP = Thresholds(spread=0.5, merge=0.9, borderline=0.8)


def test_an_identifier_whose_life_crosses_channels_is_one_artifact(memory):
    memory.add(LIFE)
    grow(memory)
    assert artifacts(memory) == {"public/DOC-042": ["a1", "a2", "a3", "a4"]}
    (tree,) = memory.view().find(View.ARTIFACT, label="doc-042")
    root = int(memory.view().tree_root[tree])
    text = memory.view().summary_texts(memory.connection, [root])[root]
    assert "opened, merged, approved, released" in text


@pytest.mark.parametrize(
    "drafts",
    [
        [message("a1", 0, "DOC-042 is opened and merged.")],
        [message(f"a{i}", i, "I like DOC-042.") for i in range(5)],
        [message("a1", 0, "Opened DOC-042."), message("a2", 1, "Merged DOC-042.")],
    ],
    ids=["named once", "no steps", "too few leaves"],
)
def test_what_has_no_life_is_no_artifact(memory, drafts):
    memory.add(drafts)
    grow(memory)
    assert artifacts(memory) == {}


def test_replies_and_what_lies_between_in_a_thread_belong_to_it(memory):
    memory.add(
        [
            message("q", 0, "please review", "dev"),
            message("a1", 1, "Opened DOC-042.", "dev", reply_to="q"),
            message("yes", 2, "looks fine", "dev", reply_to="a1"),
            message("other", 3, "lunch?", "dev"),
            message("t1", 10, "DOC-042 is merged.", "ops", thread="release"),
            message("t2", 11, "what about the notes?", "ops", thread="release"),
            message("t3", 12, "DOC-042 has them.", "ops", thread="release"),
            message("t4", 400, "bye", "ops", thread="release"),
        ]
    )
    grow(memory)
    assert artifacts(memory) == {"public/DOC-042": ["q", "a1", "yes", "t1", "t2", "t3"]}


def thread_talk() -> list[RecordDraft]:
    texts = ("DOC-042 is opened.", "what about the notes?", "DOC-042 has them, merged.")
    return [message(f"t{i}", 10 * i, text, thread="release") for i, text in enumerate(texts)]


def test_a_late_word_between_two_mentions_joins_them(memory):
    first, between, last = thread_talk()
    memory.add([first, last, message("far", 60 * 24, "DOC-042 again")])
    grow(memory)
    memory.add([between])
    grow(memory)
    assert artifacts(memory)["public/DOC-042"] == ["t0", "t1", "t2", "far"]


def test_what_lies_between_mentions_hours_apart_has_nothing_to_do_with_them(memory):
    memory.add([*thread_talk(), message("t3", 90, "lunch?", thread="release"),
                message("t4", 200, "DOC-042 is closed.", thread="release")])  # fmt: skip
    grow(memory)
    assert artifacts(memory)["public/DOC-042"] == ["t0", "t1", "t2", "t4"]


def test_private_channels_keep_their_artifacts_to_themselves(memory):
    memory.name_channel("board", "board", ChannelKind.PRIVATE)
    memory.add([*LIFE, *(message(f"p{d.source_id}", 40 + i, d.text, "board") for i, d in enumerate(LIFE))])
    grow(memory)
    found = artifacts(memory)
    assert found["public/DOC-042"] == ["a1", "a2", "a3", "a4"]
    assert found["test/board/DOC-042"] == ["pa1", "pa2", "pa3", "pa4"]


def test_a_channel_that_is_closed_takes_its_records_out_of_the_public_artifact(memory):
    memory.add(
        [*LIFE, message("x1", 50, "Deprecated DOC-042.", "board"), message("x2", 51, "Closed DOC-042.", "board")]
    )
    grow(memory)
    assert "x1" in artifacts(memory)["public/DOC-042"]
    memory.name_channel("board", "board", ChannelKind.PRIVATE)
    memory.grow()
    grow(memory)
    assert artifacts(memory) == {"public/DOC-042": ["a1", "a2", "a3", "a4"]}


def test_a_bare_number_means_nothing_outside_its_channel(memory):
    memory.add([message(f"{c}{i}", i, f"#12 is {s}.", c) for c in ("dev", "ops") for i, s in
                enumerate(("opened", "merged", "released"))])  # fmt: skip
    grow(memory)
    assert set(artifacts(memory)) == {"test/dev/#12", "test/ops/#12"}


def test_only_what_a_batch_touches_is_clustered_again(memory):
    memory.add(
        [*LIFE, *(message(f"z{i}", 100 + i, f"OPS-9 {s}.") for i, s in enumerate(("opened", "fixed", "closed")))]
    )
    grow(memory)
    assert grow(memory).leaves == 0
    memory.add([message("a5", 200, "Deprecated DOC-042.")])
    report = grow(memory)
    assert report.leaves == 5
    assert report.nodes_summarized == 1


def test_an_edit_that_drops_the_identifier_takes_the_leaf_out(memory):
    memory.add(LIFE)
    grow(memory)
    last = LIFE[-1]
    memory.add([RecordDraft("a4.1", last.channel, last.author, at(90), "Released.", lineage="a4", change=Change.EDIT,
                            created_at=last.valid_from)])  # fmt: skip
    grow(memory)
    assert artifacts(memory) == {"public/DOC-042": ["a1", "a2", "a3"]}


def test_a_deleted_message_keeps_its_place_in_the_artifact_without_words(memory):
    memory.add(LIFE)
    grow(memory)
    memory.add([RecordDraft("a4.1", "ops", "ann", at(90), "", lineage="a4", change=Change.DELETE,
                            created_at=LIFE[-1].valid_from)])  # fmt: skip
    grow(memory)
    assert artifacts(memory) == {"public/DOC-042": ["a1", "a2", "a3", "a4"]}
    assert not any("Released DOC-042" in text for text in memory.summaries().values())


CAKE = [
    message(f"c{i}", 40 + i, f"DOC-042 cake was {s}.", "fun") for i, s in enumerate(("opened", "approved", "closed"))
]


def test_vectors_part_two_things_of_one_name(memory):
    memory.add([*LIFE, *CAKE])
    grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP)
    assert artifacts(memory) == {
        "public/DOC-042": ["a1", "a2", "a3", "a4"], "public/DOC-042~2": ["c0", "c1", "c2"],
    }  # fmt: skip


def test_components_clustered_without_vectors_are_done_again_when_there_are_some(memory):
    memory.add([*LIFE, *CAKE])
    grow(memory)
    assert set(artifacts(memory)) == {"public/DOC-042"}
    grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP)
    assert set(artifacts(memory)) == {"public/DOC-042", "public/DOC-042~2"}
    assert grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP).leaves == 0
    assert grow(memory, encoder="other", vectors=by_topic(memory), thresholds=SHARP).leaves == 7


def test_without_vectors_what_was_clustered_with_some_stays_as_it_is(memory):
    memory.add([*LIFE, *CAKE])
    grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP)
    before = artifacts(memory)
    assert grow(memory).leaves == 0
    assert artifacts(memory) == before


def test_a_component_waits_for_leaves_that_are_not_encoded_yet(memory):
    memory.add([*LIFE, *CAKE])

    def half(leaves):
        found = by_topic(memory)(leaves)
        found[1] = np.nan
        return found

    grow(memory, encoder="topic", vectors=half, thresholds=SHARP)
    assert grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP).leaves == 7
    assert grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP).leaves == 0


def test_a_judge_joins_a_borderline_pair_and_is_asked_once(memory):
    class Yes:
        name = "yes-1"
        asked = 0

        def same(self, identifier, one, other):
            Yes.asked += 1
            return "cake" in other[0].text

    memory.add([*LIFE, *CAKE])
    lenient = Thresholds(spread=0.5, merge=0.9, borderline=-1.0)
    for encoder in ("topic", "topic again"):
        grow(memory, encoder=encoder, vectors=by_topic(memory), thresholds=lenient, judge=Yes())
        assert set(artifacts(memory)) == {"public/DOC-042"}
        assert len(artifacts(memory)["public/DOC-042"]) == 7
    assert Yes.asked == 1


def test_a_cluster_that_is_no_more_takes_its_tree_along(memory):
    memory.add([*LIFE, *CAKE])
    grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP)
    memory.add([RecordDraft(f"{d.source_id}.1", d.channel, d.author, at(90), "never mind", lineage=d.source_id,
                            change=Change.EDIT, created_at=d.valid_from) for d in CAKE])  # fmt: skip
    grow(memory, encoder="topic", vectors=by_topic(memory), thresholds=SHARP)
    assert set(artifacts(memory)) == {"public/DOC-042"}
    assert len([tree for tree in memory.view().trees if tree.view is View.ARTIFACT]) == 1


def test_thresholds_are_taken_once_there_are_enough_vectors_and_then_kept(memory):
    memory.log([message(f"m{i}", i, f"{'cake' if i % 3 else 'rain'} {i}") for i in range(SAMPLE_MIN)])
    with memory.database.writing() as connection:
        none_yet = thresholds_for(connection, "topic", lambda leaves: np.full((len(leaves), 2), np.nan, np.float32))
        assert none_yet is None
        taken = thresholds_for(connection, "topic", by_topic(memory))
        assert taken is not None
        assert thresholds_for(connection, "topic", lambda leaves: np.zeros((len(leaves), 2), np.float32)) == taken
