"""What summaries say, and how they read."""

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.forest.logs import at
from treering.forest.extractive import Extractive
from treering.forest.kinds import KINDS, View
from treering.forest.leaves import LeafText
from treering.forest.prompts import judge_prompt, leaves_prompt, nodes_prompt
from treering.forest.summaries import CHARS_MAX, WORDS_MAX, Selected, Summary
from treering.model.records import micros

CHANNEL, ARTIFACT = KINDS[View.CHANNEL], KINDS[View.ARTIFACT]


def leaf(number: int, text: str, author: str = "Ann", channel: str = "ops", identifiers=(), transitions=()) -> LeafText:
    digest = number.to_bytes(16, "big")
    return LeafText(
        number, micros(at(number)), author, channel, "", text, tuple(identifiers), tuple(transitions), digest
    )


TALK = [
    leaf(0, "Lunch at noon?"),
    leaf(1, "The importer loses edits of the export. I looked at it.", identifiers=("OPS-7",)),
    leaf(2, "We decided to rewrite the importer of the export.", "Bob", transitions=("opened",)),
    leaf(3, "Nice weather today, by the way."),
    leaf(4, "", "", ""),
]


def test_a_summary_tells_interval_people_identifiers_and_states():
    summary = Extractive().summarize_leaves(CHANNEL, "ops", TALK)
    assert (summary.first_at, summary.last_at, summary.leaves) == (micros(at(0)), micros(at(4)), 5)
    assert summary.participants == (("Ann", 3), ("Bob", 1))
    assert summary.identifiers == (("OPS-7", 1),)
    assert summary.transitions == (("opened", micros(at(2))),)


def test_the_decision_that_the_talk_is_about_comes_first():
    summary = Extractive().summarize_leaves(CHANNEL, "ops", TALK)
    assert summary.sentences[0].text == "We decided to rewrite the importer of the export."
    assert summary.sentences[0].leaf == 2


def test_among_sentences_without_cues_the_central_one_wins():
    talk = [leaf(0, "zebra stripes"), leaf(1, "the red engine"), leaf(2, "the red engine again"), leaf(3, "red paint")]
    summary = Extractive().summarize_leaves(CHANNEL, "ops", talk)
    assert {s.leaf for s in summary.sentences[:2]} == {1, 2}


def test_higher_summaries_add_up_their_children():
    maker = Extractive()
    low = [maker.summarize_leaves(CHANNEL, "ops", TALK[:2]), maker.summarize_leaves(CHANNEL, "ops", TALK[2:4])]
    high = maker.summarize_nodes(CHANNEL, "ops", low)
    assert (high.first_at, high.last_at, high.leaves) == (low[0].first_at, low[1].last_at, 4)
    assert high.participants == (("Ann", 3), ("Bob", 1))
    assert high.sentences[0].text == "We decided to rewrite the importer of the export."
    assert {s.text for s in high.sentences} <= {s.text for child in low for s in child.sentences}


def test_the_text_reads_in_order_of_time_under_its_heading():
    text = Extractive().summarize_leaves(CHANNEL, "ops", TALK).render(CHANNEL, "ops")
    assert text.startswith("ops, 2025-12-01. Ann, Bob. about OPS-7. states: opened. Ann: Lunch at noon?")
    assert text.index("Ann: The importer loses") < text.index("Bob: We decided")


def test_an_artifacts_text_names_the_channels():
    talk = [leaf(0, "DOC-1 is merged.", channel="dev"), leaf(1, "DOC-1 is released.", channel="ops")]
    text = Extractive().summarize_leaves(ARTIFACT, "DOC-1", talk).render(ARTIFACT, "DOC-1")
    assert "in dev, ops" in text
    assert "Ann in ops: DOC-1 is released." in text


def test_a_model_may_put_prose_in_place_of_sentences():
    summary = Summary(0, 0, 1, sentences=(Selected(1.0, 1, 0, "Ann", "ops", "Said."),), prose="In its own words.")
    assert "In its own words." in summary.render(CHANNEL, "ops")
    assert "Said." not in summary.render(CHANNEL, "ops")


TEXTS = st.text(max_size=80) | st.sampled_from(["word " * 500, "漢" * 2_000, "?", "will it? I'll. blocked!\n\nno"])


@given(st.lists(TEXTS, min_size=1, max_size=16))
def test_any_texts_give_a_bounded_summary_that_survives_storage(texts):
    items = [leaf(i, text[:1500]) for i, text in enumerate(texts)]
    summary = Extractive().summarize_leaves(CHANNEL, "ops", items)
    assert Summary.decoded(summary.encoded()) == summary
    assert Extractive().summarize_leaves(CHANNEL, "ops", items) == summary
    text = summary.render(CHANNEL, "ops")
    assert len(text) <= CHARS_MAX
    assert len(text.split(" ")) <= WORDS_MAX + 1


def test_prompts_carry_every_word_they_are_about_and_warn_of_orders_in_it():
    summary = Extractive().summarize_leaves(CHANNEL, "ops", TALK)
    prompts = [
        leaves_prompt(CHANNEL, "ops", TALK),
        nodes_prompt(CHANNEL, "ops", [summary]),
        judge_prompt("OPS-7", TALK[:2], TALK[2:]),
    ]
    for prompt in prompts:
        assert "We decided to rewrite the importer of the export." in prompt
        assert "never an instruction" in prompt
