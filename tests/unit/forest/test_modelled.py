"""Summaries and verdicts by a scripted model."""

import pytest

from tests.scripted import Scripted
from tests.unit.forest.test_summaries import TALK, leaf
from treering.errors import ModelUnavailable
from treering.forest.extractive import Extractive
from treering.forest.kinds import KINDS, View
from treering.forest.modelled import CHILDREN_MAX, ModelJudge, ModelSummarizer
from treering.forest.prompts import leaves_prompt
from treering.forest.summaries import Summary

CHANNEL, ACTOR = KINDS[View.CHANNEL], KINDS[View.ACTOR]
LONG = [leaf(number, f"Item {number}: " + "the importer loses edits " * 5) for number in range(4)]


def child(number: int, prose: str, leaves: int = 16) -> Summary:
    return Summary(number * 1_000_000, number * 1_000_000, leaves, prose=prose)


def test_the_model_writes_the_prose_and_the_rules_the_rest():
    model = Scripted("<think>hm</think> The importer\nloses edits.\u202e")
    summary = ModelSummarizer(model).summarize_leaves(CHANNEL, "ops", LONG)
    rules = Extractive().summarize_leaves(CHANNEL, "ops", LONG)
    assert summary.prose == "The importer loses edits.⟨U+202E⟩"
    assert (summary.participants, summary.sentences, summary.leaves) == (rules.participants, rules.sentences, 4)
    assert "Item 3: the importer" in model.asked[0][0]["content"]
    assert summary.render(CHANNEL, "ops").endswith("The importer loses edits.⟨U+202E⟩")


def test_few_words_need_no_model_and_are_shown_as_they_are():
    model = Scripted("never")
    assert ModelSummarizer(model).summarize_leaves(CHANNEL, "ops", TALK).prose == ""
    assert ModelSummarizer(model).summarize_leaves(CHANNEL, "ops", [leaf(0, "word " * 70, author="")]).prose == ""
    assert model.asked == []


def test_a_script_without_blanks_has_more_to_say_than_its_words_tell():
    model = Scripted("要約")
    assert ModelSummarizer(model).summarize_leaves(CHANNEL, "ops", [leaf(0, "会議" * 300)]).prose == "要約"


def test_higher_nodes_are_written_from_what_their_children_say():
    model = Scripted("Both.")
    summary = ModelSummarizer(model).summarize_nodes(CHANNEL, "ops", [child(1, "First."), child(2, "Second.")])
    assert (summary.prose, summary.leaves) == ("Both.", 32)
    assert "First." in model.asked[0][0]["content"]
    assert "Second." in model.asked[0][0]["content"]


def test_a_node_over_one_child_says_what_the_child_says():
    model = Scripted("never")
    assert ModelSummarizer(model).summarize_nodes(CHANNEL, "ops", [child(1, "First.")]).prose == "First."
    assert model.asked == []


def test_of_very_many_children_the_largest_are_read_in_order():
    children = [child(number, f"<{number}>", leaves=1 + number % 5) for number in range(CHILDREN_MAX * 2)]
    prompt = ModelSummarizer(Scripted("x")).prompt_of_nodes(ACTOR, "Bob", children)
    read = [number for number in range(CHILDREN_MAX * 2) if f"<{number}>" in prompt]
    assert len(read) == CHILDREN_MAX
    assert [prompt.index(f"<{number}>") for number in read] == sorted(prompt.index(f"<{number}>") for number in read)
    assert all(number in read for number in range(CHILDREN_MAX * 2) if number % 5 == 4)


def test_hidden_characters_in_what_is_summarized_are_shown():
    model = Scripted("x")
    ModelSummarizer(model).summarize_leaves(CHANNEL, "ops", [leaf(0, "pay \u202enow " * 70)])
    assert "\u202e" not in model.asked[0][0]["content"]
    assert "⟨U+202E⟩" in model.asked[0][0]["content"]


def test_names_tell_the_model_and_the_prompts_of_each_kind_of_node(monkeypatch):
    before, other = ModelSummarizer(Scripted(name="one")), ModelSummarizer(Scripted(name="two"))
    names = {before.name_of(kind, over_leaves=low) for kind in KINDS.values() for low in (True, False)}
    assert len(names) == 8
    assert all(name.startswith("one ") for name in names)
    assert before.name != other.name
    monkeypatch.setattr(
        "treering.forest.modelled.leaves_prompt",
        lambda kind, title, items: leaves_prompt(kind, title, items) + " Rhyme." * (kind is CHANNEL),
    )
    after = ModelSummarizer(Scripted(name="one"))
    assert after.name != before.name
    for kind in KINDS.values():
        for low in (True, False):  # a node above others is stale when they are
            same = after.name_of(kind, over_leaves=low) == before.name_of(kind, over_leaves=low)
            assert same == (kind is not CHANNEL)


@pytest.mark.parametrize(("reply", "same"), [("yes", True), ("No.", False), ("<think>yes?</think>**No**", False)])
def test_a_verdict_is_the_word_that_a_reply_begins_with(reply, same):
    judge = ModelJudge(Scripted(reply, name="m"))
    assert judge.same("OPS-7", TALK[:2], TALK[2:4]) is same
    assert judge.name.startswith("m judge-")


@pytest.mark.parametrize("reply", ["", "It depends: yes", "yesterday", "Both name OPS-7."])
def test_a_reply_without_a_verdict_is_none_rather_than_kept(reply):
    with pytest.raises(ModelUnavailable, match="asked for yes or no and wrote"):
        ModelJudge(Scripted(reply)).same("OPS-7", TALK[:2], TALK[2:4])
