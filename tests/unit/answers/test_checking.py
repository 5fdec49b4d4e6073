"""What is left of a reply after it is held against the evidence."""

import pytest

from tests.unit.answers.found import TALK, item
from treering.answers.answer import Quotation
from treering.answers.checking import Checker

ITEMS = [item(number, text) for number, text in enumerate(TALK, 1)]


@pytest.fixture
def checker():
    return Checker(ITEMS)


@pytest.mark.parametrize(
    ("claim", "shown", "numbers"),
    [
        ("We ship on Friday [2].", "We ship on Friday [2].", {2}),
        ("We ship on Friday [1, 2].", "We ship on Friday [1][2].", {1, 2}),
        ("We ship on Friday. [record 2] ", "We ship on Friday. [2] ", {2}),
        ("We ship【2】.", "We ship[2].", {2}),
        ("We ship on Friday [2][9].", "We ship on Friday [2].", {2}),
        ("We ship on Friday [0].", "We ship on Friday.", set()),
        ("We ship on Friday.", "We ship on Friday.", set()),
        ("> We ship on Friday [2].", "We ship on Friday [2].", {2}),
        ("Hidden \u202e[2]", "Hidden ⟨U+202E⟩[2]", {2}),
    ],
)
def test_citations_are_the_numbers_of_evidence_and_no_others(checker, claim, shown, numbers):
    assert checker.check(claim) == shown
    assert checker.numbers == numbers


def test_numbers_that_no_evidence_has_are_noted(checker):
    checker.check("It moved [7][0].")
    assert checker.notes() == ("the model cited [0], [7], which no evidence has: dropped",)


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        ('Bob: "we ship friday, not Monday" [2].', 'Bob: "We ship Friday, not Monday" [2].'),
        ('Bob: "We ship Friday, not Monday." [2]', 'Bob: "We ship Friday, not Monday." [2]'),
        ('Bob said "Bob signed," twice [2].', 'Bob said "Bob signed", twice [2].'),
        ("It is \"'unapproved' so far\" [3].", 'It is "“unapproved” so far" [3].'),
        ("It is ‘so far’ open [3].", "It is ‘so far’ open [3]."),
        ("Es ist „so far“ offen [3].", "Es ist „so far“ offen [3]."),
        ('Bob said "We ship Friday" on it.\n', 'Bob said "We ship Friday" on it. [2]\n'),
        ('Both "QA sign-off" and "bob signed" [1][2].', 'Both "QA sign-off" and "Bob signed" [1][2].'),
    ],
)
def test_quotations_are_shown_in_the_records_own_characters(checker, claim, shown):
    assert checker.check(claim) == shown
    assert all(one.verified for one in checker.quotations)
    assert checker.numbers


@pytest.mark.parametrize(
    "claim",
    [
        'Bob said "We ship Monday" [2].',
        'Bob said "We ship Friday" [1].',  # it is in another record
        'It is "approved" [3].',
        'Bob said "We ship ... signed" [2].',
        'Bob said "We ship Friday" and "no QA" [2].',
        'Bob said "We ship Friday [2].',  # never closed: nobody knows where it ends
        'It "was cancelled".',
        "See https://wiki.example/other [3].",
        "See https://wiki.example/import/../x [3].",
    ],
)
def test_a_sentence_that_quotes_other_words_or_gives_another_address_goes(checker, claim):
    assert checker.check(claim) == ""
    assert not checker.supported
    assert "left out" in checker.notes()[0]


def test_what_fell_is_told_with_its_words(checker):
    checker.check('Bob said "We ship Monday" [2].')
    assert checker.quotations == [Quotation("We ship Monday", None, verified=False)]
    assert '"We ship Monday"' in checker.notes()[0]


def test_an_address_that_a_record_has_stays(checker):
    assert checker.check("See https://wiki.example/import [3].") == "See https://wiki.example/import [3]."


def test_hidden_characters_may_be_quoted_as_they_were_shown():
    checker = Checker([item(1, "pay \u202enow\u202c please")])
    assert checker.check('It says "pay ⟨U+202E⟩now⟨U+202C⟩ please" [1].').startswith("It says")
    assert checker.supported


@pytest.mark.parametrize(
    "claim",
    [
        "Not in the record.",
        "The records do not say when [1].",
        "The provided messages don't mention it [1][2].",
        "There is no information about that [1].",
        "None of the given records says so [1].",
        "This is not mentioned in the records [2].",
        "I cannot determine the date [1].",
        "It is impossible to tell from this [3].",
    ],
)
def test_a_sentence_that_says_it_cannot_tell_supports_nothing(checker, claim):
    checker.check(claim)
    assert not checker.supported


@pytest.mark.parametrize(
    "claim",
    [
        "No records were lost in the migration [1].",
        "The importer does not contain the fix [2].",
        "Bob said that he did not know the date [2].",
        "The budget is not recorded in the ledger any more [1].",
    ],
)
def test_a_negative_finding_is_a_finding(checker, claim):
    checker.check(claim)
    assert checker.supported


def test_sentences_without_a_citation_are_counted_where_others_have_one(checker):
    for claim in ("It ships [2]. ", "Everybody is glad. ", "In short:\n", "- \n"):
        checker.check(claim)
    assert checker.notes() == ("sentences that cite no record: 1",)


def test_the_line_end_behind_what_goes_stays_once(checker):
    lines = ["- It ships [2].\n", '- "Never said" [2].\n', "- QA signs [1].\n", 'And "no" [2].\n', 'And "no" [2].']
    assert "".join(map(checker.check, lines)) == "- It ships [2].\n- QA signs [1].\n"
