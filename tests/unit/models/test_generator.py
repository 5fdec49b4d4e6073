"""The client of a model that writes, against a scripted server."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.models.chat_server import chunk, completion, serving
from treering.errors import ModelUnavailable, UsageError
from treering.models.generator import (
    ChatEndpoint,
    Message,
    endpoint_named,
    estimate_prompt,
    request_key,
    without_thinking,
)

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no defect

ASKED: list[Message] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}]


@pytest.fixture
def server():
    with serving() as state:
        yield state


@pytest.fixture
def slept():
    return []


@pytest.fixture
def generator(server, slept):
    return ChatEndpoint(server.url, "small", key="secret-key", sleep=slept.append)


def refuse(parameter: str, message: str) -> tuple[int, dict[str, str], str]:
    return 400, {}, json.dumps({"error": {"message": message, "param": parameter}})


def test_a_completion_has_its_text_its_model_and_what_it_cost(generator):
    made = generator.complete(ASKED, max_tokens=20)
    assert (made.text, made.model, made.tokens_in, made.tokens_out, made.cut) == ("to Who?", "small-1", 11, 7, False)


def test_the_request_says_all_that_was_asked_and_who_asks(generator, server):
    generator.complete(ASKED, max_tokens=20, seed=3)
    assert server.requests == [{"model": "small", "messages": ASKED, "max_tokens": 20, "temperature": 0.0, "seed": 3}]
    assert server.keys == ["Bearer secret-key"]


def test_without_a_key_and_a_seed_none_is_sent(server):
    ChatEndpoint(server.url, "small").complete(ASKED, max_tokens=20, temperature=0.5)
    assert server.keys == [None]
    assert "seed" not in server.requests[0]
    assert server.requests[0]["temperature"] == 0.5


def test_the_name_is_the_address_and_the_model(generator, server):
    assert generator.name == f"{server.url}#small"
    assert endpoint_named(f"{server.url}#small").name == generator.name


@pytest.mark.parametrize("spec", ["gpt", "http://localhost:8000/v1", "localhost:8000/v1#m", "#m", ""])
def test_a_spec_without_address_or_model_is_refused_with_an_example(spec):
    with pytest.raises(UsageError, match="ADDRESS#MODEL, as in http"):
        endpoint_named(spec)


def test_a_busy_server_is_asked_again_after_growing_waits(generator, server, slept):
    server.failures += [(429, {}, "slow down"), (503, {}, ""), (500, {}, ""), (408, {}, "")]
    assert generator.complete(ASKED, max_tokens=20).text == "to Who?"
    assert slept == [1, 2, 4, 8]


def test_a_server_that_says_when_is_obeyed_up_to_a_minute(generator, server, slept):
    date = "Tue, 02 Dec 2025 10:00:00 GMT"
    server.failures += [
        (429, {"retry-after": "7.5"}, ""),
        (429, {"retry-after": "Tue, 02 Dec 2025 10:00:30 GMT", "date": date}, ""),
        (429, {"retry-after": "86400"}, ""),
        (429, {"retry-after": "Tue, 02 Dec 2025 10:00:30 GMT"}, ""),
        (429, {"retry-after": "soon", "date": date}, ""),
    ]
    generator.complete(ASKED, max_tokens=20)
    assert slept == [7.5, 30, 60, 8, 16]


def test_a_server_that_stays_busy_is_given_up_with_advice(generator, server, slept):
    server.failures += [(429, {}, "quota of secret-key used up")] * 20
    with pytest.raises(ModelUnavailable, match=r"model small\): 429 quota of \*\*\* used up: .*limit.*\(6 attempts\)"):
        generator.complete(ASKED, max_tokens=20)
    assert slept == [1, 2, 4, 8, 16]


def test_a_refusal_is_not_repeated_and_does_not_show_the_key(generator, server, slept):
    server.failures += [(401, {}, "bad key secret-key")]
    with pytest.raises(ModelUnavailable, match=r"401 bad key \*\*\*: is the key right\?"):
        generator.complete(ASKED, max_tokens=20)
    assert (slept, len(server.requests)) == ([], 1)


def test_a_wrong_path_says_what_to_look_at(server):
    with pytest.raises(ModelUnavailable, match=r"404 no such path: is the address right up to /v1"):
        ChatEndpoint(server.url + "/v2", "small").complete(ASKED, max_tokens=20)


def test_a_server_out_of_reach_is_said_so(slept):
    with serving() as state:
        url = state.url
    with pytest.raises(ModelUnavailable, match="is a server running there"):
        ChatEndpoint(url, "small", sleep=slept.append).complete(ASKED, max_tokens=20)
    assert len(slept) == 5


@pytest.mark.parametrize(("url", "said"), [("http://localhost:port/v1", "address right"), ("ftp://x/v1", "http://")])
def test_an_address_that_is_none_is_said_so_at_once(url, said, slept):
    with pytest.raises(ModelUnavailable, match=said):
        ChatEndpoint(url, "small", sleep=slept.append).complete(ASKED, max_tokens=20)
    assert slept == []


def test_a_silent_server_is_asked_again(server, slept):
    server.hang.clear()
    generator = ChatEndpoint(server.url, "small", timeout_s=0.2, sleep=lambda _: server.hang.set())
    assert generator.complete(ASKED, max_tokens=20).text == "to Who?"
    assert len(server.requests) == 2


def test_what_a_newer_model_refuses_is_renamed_or_left_out_from_then_on(generator, server, slept):
    server.failures += [
        refuse("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refuse("temperature", "Unsupported value: 'temperature' does not support 0 with this model."),
        refuse("seed", "Unknown parameter: 'seed'."),
    ]
    generator.complete(ASKED, max_tokens=20, seed=1)
    generator.complete(ASKED, max_tokens=20, seed=1)
    assert [sorted(request) for request in server.requests] == [
        ["max_tokens", "messages", "model", "seed", "temperature"],
        ["max_completion_tokens", "messages", "model", "seed", "temperature"],
        ["max_completion_tokens", "messages", "model", "seed"],
        ["max_completion_tokens", "messages", "model"],
        ["max_completion_tokens", "messages", "model"],
    ]
    assert server.requests[-1]["max_completion_tokens"] == 20
    assert slept == []


def test_a_refusal_that_goes_on_about_the_same_parameter_is_shown(generator, server):
    server.failures += [refuse("seed", "no 'seed'")] * 2
    with pytest.raises(ModelUnavailable, match=r"400 .*no 'seed'"):
        generator.complete(ASKED, max_tokens=20, seed=1)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "failure",
    [refuse("messages", "context is 4096 tokens"), (400, {}, "no JSON"), (422, {}, '["seed"]'), (413, {}, "")],
)
def test_any_other_refusal_is_shown(generator, server, failure):
    server.failures += [failure]
    with pytest.raises(ModelUnavailable, match=str(failure[0])):
        generator.complete(ASKED, max_tokens=20, seed=1)
    assert len(server.requests) == 1


def test_tokens_are_estimated_where_the_server_does_not_count(generator, server):
    server.answer = lambda _: completion("one two three", usage=None)
    made = generator.complete(ASKED, max_tokens=20)
    assert (made.tokens_in, made.tokens_out) == (estimate_prompt(ASKED), 3)


def test_a_cut_completion_says_so(generator, server):
    server.answer = lambda _: completion("one two", choice={"finish_reason": "length"})
    assert generator.complete(ASKED, max_tokens=2).cut


def test_tokens_that_all_went_into_thinking_are_no_answer(generator, server):
    server.answer = lambda _: completion(None, choice={"finish_reason": "length"})
    with pytest.raises(ModelUnavailable, match="all 20 tokens went into thinking"):
        generator.complete(ASKED, max_tokens=20)


@pytest.mark.parametrize("answer", [[], {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": "hi"}]}])
def test_an_answer_that_is_no_completion_is_shown(generator, server, answer):
    server.answer = lambda _: answer
    with pytest.raises(ModelUnavailable, match="answered, but not with a completion"):
        generator.complete(ASKED, max_tokens=20)


def test_half_a_character_in_a_prompt_is_sent_as_a_question_mark(generator, server):
    generator.complete([{"role": "user", "content": "a\ud83db"}], max_tokens=20)
    assert server.requests[0]["messages"][0]["content"] == "a?b"


def test_a_stream_comes_in_pieces(generator, server):
    server.events = [chunk(None), chunk("Bob "), chunk(""), chunk("said so."), chunk(None, "stop"), "[DONE]"]
    assert list(generator.stream(ASKED, max_tokens=20)) == ["Bob ", "said so."]
    assert server.requests[0]["stream"] is True


def test_a_stream_may_end_with_its_counts_or_without_the_last_word(generator, server):
    server.events = [chunk("Bob."), chunk(None, "stop"), json.dumps({"choices": [], "usage": {}})]
    assert list(generator.stream(ASKED, max_tokens=20)) == ["Bob."]


@pytest.mark.parametrize("breaks", [True, False])
def test_a_stream_that_breaks_off_says_so_after_what_came(generator, server, breaks):
    server.events, server.breaks = [chunk("Bob ")], breaks
    pieces = generator.stream(ASKED, max_tokens=20)
    assert next(pieces) == "Bob "
    with pytest.raises(ModelUnavailable, match="the answer broke off"):
        next(pieces)
    assert len(server.requests) == 1


def test_an_error_within_a_stream_is_shown_without_the_key(generator, server):
    server.events = [chunk("Bob "), json.dumps({"error": {"message": "out of memory, secret-key"}})]
    pieces = generator.stream(ASKED, max_tokens=20)
    assert next(pieces) == "Bob "
    with pytest.raises(ModelUnavailable, match=r"out of memory, \*\*\*"):
        next(pieces)


@pytest.mark.parametrize("event", ["hello", "[]", '{"choices": [{"delta": "x"}]}', '{"choices": 1}'])
def test_a_stream_of_something_else_is_shown(generator, server, event):
    server.events = [event]
    with pytest.raises(ModelUnavailable, match="streams, but not completions"):
        list(generator.stream(ASKED, max_tokens=20))


def test_a_stream_is_begun_again_while_the_server_is_busy(generator, server, slept):
    server.failures += [(503, {}, "loading the model")]
    server.events = [chunk("Bob.", "stop"), "[DONE]"]
    assert list(generator.stream(ASKED, max_tokens=20)) == ["Bob."]
    assert slept == [1]


def test_a_refused_stream_is_shown(generator, server):
    server.failures += [(401, {}, "no")]
    with pytest.raises(ModelUnavailable, match="401 no: is the key right"):
        next(generator.stream(ASKED, max_tokens=20))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>a</think>b", "b"),
        ("\n<thinking>a\nb</thinking>\n\nc", "c"),
        ("<think>never ends", ""),
        ("b <think>a</think>", "b <think>a</think>"),
    ],
)
def test_only_thinking_before_an_answer_is_left_out(text, said):
    assert without_thinking(text) == said


MESSAGES = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "system"]), "content": st.text()}), max_size=3
)
REQUESTS = st.tuples(st.text(), MESSAGES, st.integers(1, 9), st.floats(0, 1), st.none() | st.integers(0, 9))


@UNTIMED
@given(REQUESTS, REQUESTS)
def test_requests_have_the_same_key_exactly_when_they_are_the_same(one, other):
    keys = [
        request_key(name, messages, max_tokens=tokens, temperature=temperature, seed=seed)
        for name, messages, tokens, temperature, seed in (one, other)
    ]
    assert (keys[0] == keys[1]) == (one == other)
