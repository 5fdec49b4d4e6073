"""Answers without a model."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.answers.found import TALK, found, item
from treering.answers.extractive import EXTRACTIVE, extractive_answer
from treering.text.inert import inert

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect


def test_the_best_sentences_come_with_date_author_and_number_under_a_line_that_says_what_this_is():
    made = extractive_answer(found(*TALK))
    assert made.text == (
        "No model was asked. The records found say, nearest to the question first:\n"
        '- Bob, #release, 2025-12-02 09:30 UTC: "Need QA sign-off before release of DOC-042." [1]\n'
        '- Bob, #release, 2025-12-03 09:30 UTC: "We ship Friday," [2]'
    )
    assert [one.number for one in made.citations] == [1, 2]
    assert (made.model, made.prompt_hash, made.tokens, made.supported) == (EXTRACTIVE, "", 0, True)


def test_without_evidence_it_is_not_in_the_record():
    made = extractive_answer(found())
    assert made.text.startswith("Not in the record. Searched with profile treering")
    assert (made.supported, made.model) == (False, EXTRACTIVE)


def test_evidence_without_words_is_no_answer():
    made = extractive_answer(found("", " \n"))
    assert (made.supported, made.text[:18]) == (False, "Not in the record.")


def test_evidence_that_shares_no_word_still_shows_its_first_sentence():
    made = extractive_answer(found("会議は金曜です。次へ", "nothing alike"))
    assert made.text.endswith('"会議は金曜です。" [1]')
    assert len(made.citations) == 1


def test_one_long_record_does_not_crowd_out_the_others():
    made = extractive_answer(found("Ship DOC-042. " * 9, "Ship it.", "Ship DOC-042 now."))
    assert [one.number for one in made.quotations] == [1, 1, 3, 2]


def test_names_cannot_break_the_line_and_long_sentences_are_cut_between_words():
    evidence = found("ship " * 400)
    evidence = type(evidence)(**{f: getattr(evidence, f) for f in evidence.__slots__} | {
        "items": (item(1, "ship " * 400, author="Bob\n- Eve", channel=""),)})  # fmt: skip
    lines = extractive_answer(evidence).text.split("\n")
    assert len(lines) == 2
    assert lines[1].startswith("- Bob - Eve, , 2025")
    assert lines[1].endswith('ship ship" [1]')
    assert len(lines[1]) < 500


@UNTIMED
@given(st.lists(st.text(), max_size=5))
def test_whatever_the_evidence_every_quotation_is_verbatim_and_cited(texts):
    evidence = found(*texts)
    made = extractive_answer(evidence)
    assert made.supported == bool(made.citations)
    assert {one.number for one in made.quotations} == {one.number for one in made.citations}
    for one in made.quotations:
        assert one.verified
        assert one.number is not None
        assert one.text in inert(" ".join(evidence.items[one.number - 1].text.split()))
