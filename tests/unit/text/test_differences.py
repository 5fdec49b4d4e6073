"""Two versions of a text: what changed, readably, and whether they contradict each other."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text.alignment import GAP_CELLS_MAX, paired, stretches
from treering.text.differences import Relation, readable_diff, relation, why

UNTIMED = settings(deadline=None, max_examples=60)
POLICY = """# Retention

Logs of customers are kept for 90 days in the archive, and then they are deleted by the nightly job.
Ana Ruiz owns this policy. It is reviewed each year.

- backups: 30 days
- mails: 1 year

One. Two. Three. Four.
"""


def test_a_changed_figure_in_a_long_paragraph_can_be_seen():
    assert readable_diff(POLICY, POLICY.replace("90 days", "180 days"), context=0).splitlines() == [
        "  …",
        "- … customers are kept for 90 days in the archive, …",
        "+ … customers are kept for 180 days in the archive, …",
        "  …",
    ]


def test_unchanged_sentences_are_shown_around_a_change_and_cut_further_off():
    assert readable_diff(POLICY, POLICY.replace("Ana Ruiz", "Ben Okoro")).splitlines() == [
        "  …",
        "  Logs of customers are kept for 90 days in the archive, and then they are deleted by the nightly j…",
        "- Ana Ruiz owns this policy.",
        "+ Ben Okoro owns this policy.",
        "  It is reviewed each year.",
        "  …",
    ]
    assert "  Two.\n  Three.\n- Four." in readable_diff(POLICY, POLICY.replace(" Four.", ""), context=2)


def test_what_was_taken_out_or_put_in_is_shown_whole_and_wrapped():
    added = "A new paragraph that says a good deal more than the ones before it, in words that nobody wrote until now."
    lines = readable_diff("One. Two.", f"One. {added} Two.", width=40).splitlines()
    assert lines[0] == "  One."
    assert lines[1] == "+ A new paragraph that says a good deal"
    assert lines[2].startswith("+   more than")
    assert " ".join(line[1:].strip() for line in lines[1:-1]) == added
    assert lines[-1] == "  Two."


def test_a_paragraph_that_was_only_wrapped_anew_has_not_changed():
    long = "Logs of customers are kept for ninety days in the archive and are then deleted by the nightly job."
    assert readable_diff(long, long.replace(" archive and", "\narchive and")) == "(only white space differs)"
    assert readable_diff("One.\n\nTwo.", "One.\n\n\n Two. ") == "(only white space differs)"


def test_lists_headings_and_fenced_code_are_not_joined_into_sentences():
    text = "- the first of the points that matter to us all\n- second\n```\nlet a_rather_long_name = 1\nlet b = 2\n```"
    assert readable_diff(text, text.replace("b = 2", "b = 3"), context=0).splitlines()[1:3] == [
        "- let b = 2",
        "+ let b = 3",
    ]


def test_long_texts_that_repeat_themselves_are_compared_in_bounded_gaps():
    side = 101
    assert side * side > GAP_CELLS_MAX
    before, after = ["a", "b"] * side, ["b", "c"] * side
    assert sum(stretch.same for stretch in stretches(before, after)) == side  # as many on both sides
    assert [stretch.same for stretch in stretches(before, [*after, "b", "c"])] == [False]
    text = "same again.\n" * 5_000
    assert readable_diff(text + "90 days\n" + text, text + "180 days\n" + text, context=0).splitlines() == [
        "  …",
        "- 90 days",
        "+ 180 days",
        "  …",
    ]
    assert readable_diff("x y " * 25_000, "y z " * 25_000).startswith("- x y")


PAIRS = [
    # numbers, amounts, versions, dates
    ("Logs are kept for 90 days.", "Logs are kept for 180 days.", "numbers: 90 → 180"),
    ("The limit is $2,000 a year.", "The limit is $3,000 a year.", "numbers: 2000 → 3000"),
    ("The limit is $50.", "The limit is €50.", "signs: $ → €"),
    ("We wait for p < 5.", "We wait for p > 5.", "signs: < → >"),
    ("We run the service on v14.2.1.", "We run the service on v15.1.0.", "versions: v14.2.1 → v15.1.0"),
    (
        "The cut-over is on 4 March 2024.",
        "The cut-over is on 2024-03-05.",
        "dates: 2024-03-04..2024-03-05 → 2024-03-05..2024-03-06",
    ),
    ("Due before 4 March 2024.", "Due after 4 March 2024.", "dates: ..2024-03-04 → 2024-03-05..~"),
    (
        "Due in March 2024 and on 5 May 2024.",
        "Due on 4 March 2024 and on 6 May 2024.",
        "dates: 2024-05-05..2024-05-06 → 2024-05-06..2024-05-07",
    ),
    ("Die Frist ist 30 Tage.", "Die Frist ist 60 Tage.", "numbers: 30 → 60"),
    ("保存期間は90日です。", "保存期間は180日です。", "numbers: 90 → 180"),
    ("The team has three engineers.", "The team has 4 engineers.", "numbers: 3 → 4"),
    # denial and opposition
    ("You must not share keys.", "You must share keys.", "denials: 1 → 0"),
    ("It doesn't rain in May there.", "It does rain in May there.", "denials: 1 → 0"),
    ("Passwords expire.", "Passwords never expire.", "denials: 0 → 1"),
    ("You must file a report.", "You may file a report.", "sides: must → may"),
    ("Remote work is allowed on Fridays.", "Remote work is forbidden on Fridays.", "sides: allowed → forbidden"),
    ("The board approved the budget.", "The board rejected the budget.", "sides: approved → rejected"),
    ("Prices will increase next year.", "Prices will decrease next year.", "sides: increase → decrease"),
    ("Approved.", "Rejected.", "sides: approved → rejected"),
    ("Reports are due weekly.", "Reports are due monthly.", "sides: weekly → monthly"),
    ("The service is available.", "The service is unavailable.", "words: available → unavailable"),
    # who
    ("Ana owns billing.", "Ben owns billing.", "names: ana → ben"),
    ("The release was signed by Ana Ruiz.", "The release was signed by Ben Okoro.", "names: ana, ruiz → ben, okoro"),
    ("We use Kafka for events.", "We use Rabbit for events.", "names: kafka → rabbit"),
    ("Ana reports to Ben.", "Ben reports to Ana.", "order: ana, ben → ben, ana"),
    # one sentence of several, and a sentence cut in two
    (POLICY, POLICY.replace("1 year", "2 years").replace("\nOne.", "\nNew here. One."), "numbers: 1 → 2"),
    (
        "Travel is paid and meals are capped at 40 euros.",
        "Travel is paid. Meals are capped at 60 euros.",
        "numbers: 40 → 60",
    ),
]


@pytest.mark.parametrize(("before", "after", "reason"), PAIRS)
def test_texts_about_the_same_that_say_otherwise_are_in_conflict(before, after, reason):
    assert (relation(before, after), why(before, after)) == (Relation.CONFLICT, reason)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("Logs are kept for 90 days.", "logs are kept, for ninety days"),
        ("The cut-over is on 4 March 2024.", "The cut-over is on March 4th, 2024."),
        ("The limit is $2,000.", "The limit is $2000."),
        ("Travel is paid. Ana approves it.", "Ana approves it. Travel is paid."),
        ("We do not share keys.", "We don't share the keys."),
        ("We released the tool to all users.", "We release the tools to all users"),
        ("The café opens at 10:30.", "The cafe opens at 10:30."),
        ("The Board meets each month, and the Board votes.", "The board meets each month, and the board votes."),
        (POLICY, POLICY.replace("\n", "\r\n")),
    ],
)
def test_texts_that_say_the_same_in_nearly_the_same_words_are_restatements(before, after):
    assert relation(before, after) is Relation.RESTATEMENT
    assert "every number, date and name" in why(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "Logs are kept."),
        ("90", "180"),
        ("Ana owns billing.", "Ben owns search."),
        ("Logs are kept for 90 days.", "The canteen opens at 8."),
        ("ABC-12 is fixed.", "ABC-13 is fixed."),
        ("ABC-12 took us 90 days.", "ABC-13 took us 180 days."),
        ("See https://a.example/x for the rule.", "See https://a.example/y for the rule."),
        ("Logs are kept.", "Logs are kept for 90 days."),
        ("Ana approved the plan.", "Ana and Ben approved the plan."),
        ("The cut-over is in March 2024.", "The cut-over is on 4 March 2024."),
        (
            "Travel is paid. Ana approves it.",
            "Travel is paid. Ana approves it. Do not book business class before May 3.",
        ),
        ("The red theme is the default.", "The blue theme is the default."),
    ],
)
def test_texts_about_other_things_or_of_which_one_says_more_are_distinct(before, after):
    assert relation(before, after) is Relation.DISTINCT
    assert "of the words in common" in why(before, after)


def test_reasons_are_told_from_the_first_text_to_the_second():
    before, after = "Ana may keep logs for 90 days.", "Ana must not keep logs for 180 days."
    assert why(before, after) == "numbers: 90 → 180; sides: may → must; denials: 0 → 1"
    assert why(after, before) == "numbers: 180 → 90; sides: must → may; denials: 1 → 0"


def test_which_sentences_are_held_against_each_other_does_not_depend_on_which_text_comes_first():
    one = "Logs are kept for 180 days. Ben owns billing. Logs are kept for 90 days. Logs are kept for 7 days."
    other = "Logs are kept for 90 days. Ben owns billing."
    assert relation(one, other) is relation(other, one)


def test_many_reasons_are_cut_to_one_line():
    words = ["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta", "iota", "kappa"]
    before = "\n".join(f"The {word} limit of the {word} is 1{i} days" for i, word in enumerate(words))
    after = "\n".join(f"The {word} limit of the {word} is 2{i} days" for i, word in enumerate(words))
    assert why(before, after).endswith("; numbers: 17 → 27; and 2 more")


SENTENCES = st.sampled_from(
    [
        "Logs are kept for 90 days.",
        "Logs are kept for 180 days.",
        "Logs are not kept for 90 days.",
        "Ana owns billing.",
        "Ben owns billing.",
        "Billing is owned by Ana.",
        "The board approved the budget on 4 March 2024.",
        "The board rejected the budget on 5 March 2024.",
        "ABC-12 is fixed.",
        "# Heading",
        "- a point",
        "It rains.",
    ]
)
TEXTS = (
    st.lists(SENTENCES, max_size=7).map(" ".join)
    | st.lists(SENTENCES, max_size=7).map("\n".join)
    | st.text(max_size=80)
)


@UNTIMED
@given(TEXTS)
def test_a_text_restates_itself_and_has_no_diff_with_itself(text):
    assert relation(text, text) is Relation.RESTATEMENT
    assert readable_diff(text, text) == ""


@UNTIMED
@given(TEXTS, TEXTS)
def test_a_relation_is_the_same_either_way_round(before, after):
    assert relation(before, after) is relation(after, before)


@UNTIMED
@given(TEXTS, TEXTS, st.integers(20, 120), st.integers(0, 3))
def test_every_word_that_changed_is_in_the_diff_on_its_side_and_no_line_is_too_long(before, after, width, context):
    diff = readable_diff(before, after, width, context)
    assert bool(diff) == (before != after)
    lines = diff.splitlines()
    taken = "".join(line[1:] for line in lines if line.startswith("-")).replace(" ", "")
    put = "".join(line[1:] for line in lines if line.startswith("+")).replace(" ", "")
    old, new = Counter(before.split()), Counter(after.split())
    assert all(word in taken for word in old - new)
    assert all(word in put for word in new - old)
    assert all(len(line) <= max(width, 26) for line in lines)


@UNTIMED
@given(st.lists(st.sampled_from("abcdef"), max_size=30), st.lists(st.sampled_from("abcdef"), max_size=30))
def test_stretches_cover_both_sequences_in_turns_of_same_and_changed(before, after):
    cut = stretches(before, after)
    assert [item for stretch in cut for item in before[stretch.before]] == before
    assert [item for stretch in cut for item in after[stretch.after]] == after
    assert all((before[stretch.before] == after[stretch.after]) is stretch.same for stretch in cut)
    assert all(one.same is not other.same for one, other in pairwise(cut))


@UNTIMED
@given(
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=8),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=8),
)
def test_pairs_are_in_order_and_as_alike_as_asked(before, after):
    old, new = [Counter(word) for word in before], [Counter(word) for word in after]
    pairs = paired(old, new, least=0.5)
    assert pairs == sorted(pairs)
    assert all(len(set(side)) == len(pairs) for side in ([i for i, _ in pairs], [j for _, j in pairs]))
    assert all(2 * (old[i] & new[j]).total() >= 0.5 * (old[i].total() + new[j].total()) for i, j in pairs)
