"""All that asks a model, end to end against a real one: plumbing, not quality."""

from dataclasses import replace

import pytest

from tests.unit.answers.found import TALK, found, streamed
from tests.unit.evaluation.answering.asked import OPTIONS, posed
from tests.unit.forest.logs import message, new_memory
from treering.answers.answering import answer
from treering.evaluation.answering.protocols import protocol_named
from treering.evaluation.answering.running import run_protocol
from treering.evaluation.answering.tables import tabulate
from treering.evaluation.answering.transcript import Transcript
from treering.forest.kinds import View
from treering.forest.modelled import ModelSummarizer
from treering.forest.writing import estimate_summaries, write_summaries
from treering.models.generator import Message, endpoint_named
from treering.models.generator_cache import GeneratorCache

pytestmark = pytest.mark.model

HELLO: list[Message] = [{"role": "user", "content": "Say hello."}]


@pytest.fixture(scope="module")
def generator(small_model):
    return endpoint_named(small_model)


def test_a_completion_comes_with_its_cost_and_is_the_same_again(generator):
    one, again = (generator.complete(HELLO, max_tokens=8, seed=1) for _ in range(2))
    assert one.text.strip()
    assert one.text == again.text
    assert one.tokens_in > 5
    assert 1 <= one.tokens_out <= 8


def test_a_stream_says_what_a_completion_says(generator):
    pieces = list(generator.stream(HELLO, max_tokens=8, seed=1))
    assert len(pieces) > 1
    assert "".join(pieces) == generator.complete(HELLO, max_tokens=8, seed=1).text


def test_a_kept_completion_needs_no_server(generator, tmp_path):
    cache = GeneratorCache(generator, tmp_path)
    assert cache.complete(HELLO, max_tokens=8) == cache.complete(HELLO, max_tokens=8)
    assert (cache.hits, cache.misses) == (1, 1)


def test_an_answer_cites_what_it_was_given_or_is_not_in_the_record(generator):
    evidence = found(*TALK)
    made = answer(evidence, generator, max_tokens=12)
    assert {one.record for one in made.citations} <= {item.record for item in evidence}
    assert made.supported or made.text.startswith("Not in the record. Searched with profile treering")
    assert made.tokens > 300
    assert made.model.endswith("#smollm2-135m")


def test_a_streamed_answer_is_checked_as_it_comes(generator):
    pieces, made = streamed(found(TALK[1]), generator, max_tokens=12)
    assert made.text.startswith("Not in the record.") or made.text == "".join(pieces).strip()


@pytest.mark.parametrize(("name", "more"), [("longmemeval", {}), ("evermembench", {"options": OPTIONS, "answer": "C"})])
def test_a_protocol_runs_from_question_to_table(generator, tmp_path, name, more):
    protocol = replace(protocol_named(name), answer_tokens_max=12, judge_tokens_max=4)
    with Transcript(tmp_path / "run.jsonl") as transcript:
        outcomes = run_protocol(protocol, [posed(**more)], generator, [generator], transcript)
        asked = transcript.asked
        assert run_protocol(protocol, [posed(**more)], generator, [generator], transcript) == outcomes
        assert transcript.asked == asked
    assert 0 <= tabulate(protocol, outcomes).rows[-1].means["accuracy"] <= 100


def test_summaries_of_grown_trees_are_written(generator, tmp_path, monkeypatch):
    monkeypatch.setattr("treering.forest.modelled.PROSE_TOKENS_MAX", 12)
    memory = new_memory(tmp_path)
    memory.add([message(f"m{n}", n, "the importer loses edits of the export " * 2) for n in range(5)])
    summarizer = ModelSummarizer(generator)
    views = (View.CHANNEL,)
    assert estimate_summaries(memory.database, summarizer, views).calls == 1
    assert write_summaries(memory.database, summarizer, views=views) == 1
    before = memory.summaries()
    assert write_summaries(memory.database, summarizer, views=views) == 0
    assert memory.summaries() == before
    memory.database.close()
