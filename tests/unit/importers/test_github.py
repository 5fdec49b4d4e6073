"""GitHub's JSON: answers of the REST interface, of `gh --json` and of GraphQL."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.github import GithubJson
from treering.importers.jira import JiraJson
from treering.importers.protocol import ImportOptions
from treering.model.drafts import ActorKind, Change, ChannelKind

Json = dict[str, object]

API, WEB = "https://api.github.com/repos/heron/api", "https://github.com/heron/api"


def issue(number: int = 12, **fields: object) -> Json:
    return {
        "url": f"{API}/issues/{number}",
        "html_url": f"{WEB}/issues/{number}",
        "id": 900 + number,
        "number": number,
        "title": "Login fails",
        "user": {"login": "Ana", "id": 1, "type": "User"},
        "state": "open",
        "body": "Since v2.4 the login fails, see #7.",
        "created_at": "2024-03-04T10:00:00Z",
        "updated_at": "2024-03-06T10:00:00Z",
        "closed_at": None,
    } | fields


def comment(number: int = 71, **fields: object) -> Json:
    return {
        "url": f"{API}/issues/comments/{number}",
        "html_url": f"{WEB}/issues/12#issuecomment-{number}",
        "issue_url": f"{API}/issues/12",
        "id": number,
        "user": {"login": "ben", "type": "User"},
        "created_at": "2024-03-05T10:00:00Z",
        "updated_at": "2024-03-05T10:00:00Z",
        "body": "@Ana it is `@cached`; duplicates heron/web#3",
    } | fields


def read(tmp_path: Path, *values: object, **options: object) -> Outcome:
    path = tmp_path / "answer.json"
    content = b"".join(value if isinstance(value, bytes) else json.dumps(value).encode() for value in values)
    path.write_bytes(content)
    return Outcome(GithubJson(), path, ImportOptions(**options))  # type: ignore[arg-type]


def test_an_issue_is_a_titled_record_named_with_its_repository(tmp_path: Path):
    found = read(tmp_path, [issue()])
    assert found.recognized
    assert found.source == "github"
    record = found.by_id["heron/api#12"]
    assert (record.title, record.channel, record.author) == ("heron/api#12: Login fails", "heron/api", "ana")
    assert record.valid_from == datetime(2024, 3, 4, 10, tzinfo=UTC)
    assert record.refs == ("heron/api#7",)
    assert (found.actors["ana"].name, found.actors["ana"].kind) == ("Ana", ActorKind.HUMAN)


def test_the_state_holds_from_the_last_change_and_not_from_the_day_of_opening(tmp_path: Path):
    labels = [{"name": "bug"}, {"name": "urgent"}]
    found = read(
        tmp_path, [issue(state="closed", state_reason="not_planned", labels=labels, assignees=[{"login": "Ben"}])]
    )
    state = found.by_id["heron/api#12#state@2024-03-06T10:00:00Z"]
    assert state.text == "Type: issue\nState: closed (not planned)\nLabels: bug, urgent\nAssignees: ben"
    assert (state.author, state.mentions, state.tags) == ("github", ("ben",), ("bug", "urgent"))
    assert (state.thread, state.reply_to) == ("heron/api#12", "heron/api#12")


def test_comments_come_by_themselves_and_mentions_are_tokens_outside_of_code(tmp_path: Path):
    record = read(tmp_path, [comment()]).only
    assert (record.source_id, record.thread, record.reply_to) == (
        "heron/api#12/comment/71",
        "heron/api#12",
        "heron/api#12",
    )
    assert (record.mentions, record.refs, record.title) == (("ana",), ("heron/web#3",), "heron/api#12")


def test_an_edited_comment_holds_from_its_edit(tmp_path: Path):
    record = read(tmp_path, [comment(updated_at="2024-03-05T11:00:00Z")]).only
    assert (record.change, record.source_id) == (Change.EDIT, "heron/api#12/comment/71@2024-03-05T11:00:00Z")
    assert record.created_at == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_what_gh_prints_gives_the_same_records_as_the_rest_interface(tmp_path: Path):
    printed = {
        "number": 12,
        "title": "Login fails",
        "author": {"login": "Ana", "name": ""},
        "state": "OPEN",
        "body": "Since v2.4 the login fails, see #7.",
        "createdAt": "2024-03-04T10:00:00Z",
        "updatedAt": "2024-03-06T10:00:00Z",
        "url": f"{WEB}/issues/12",
        "comments": [
            {
                "id": "IC_kwDO",
                "author": {"login": "ben"},
                "body": "@Ana it is `@cached`; duplicates heron/web#3",
                "createdAt": "2024-03-05T10:00:00Z",
                "url": f"{WEB}/issues/12#issuecomment-71",
            }
        ],
    }
    one = read(tmp_path, [printed])
    other = read(tmp_path, [issue(), comment()])
    assert sorted(map(repr, one.records)) == sorted(map(repr, other.records))


def test_graphql_gives_them_too(tmp_path: Path):
    node = {
        "number": 12,
        "title": "Login fails",
        "url": f"{WEB}/issues/12",
        "author": {"login": "Ana"},
        "state": "OPEN",
        "createdAt": "2024-03-04T10:00:00Z",
        "updatedAt": "2024-03-06T10:00:00Z",
        "body": "Since v2.4 the login fails, see #7.",
        "labels": {"nodes": []},
        "comments": {"nodes": [{"url": f"{WEB}/issues/12#issuecomment-71", "author": None, "body": "old account",
                                "createdAt": "2024-03-05T10:00:00Z", "lastEditedAt": "2024-03-05T12:00:00Z"}]},
    }  # fmt: skip
    found = read(tmp_path, {"data": {"repository": {"nameWithOwner": "heron/api", "issues": {"nodes": [node]}}}})
    assert found.by_id["heron/api#12"] == read(tmp_path, [issue()]).by_id["heron/api#12"]
    assert found.by_id["heron/api#12/comment/71@2024-03-05T12:00:00Z"].author == "ghost"


def test_pages_printed_one_after_the_other_are_all_read(tmp_path: Path):
    found = read(tmp_path, [issue(1)], [issue(2)], b"\n", [[issue(3)]], issue(4))
    assert {record.thread for record in found.records} == {f"heron/api#{number}" for number in range(1, 5)}


def test_an_account_that_is_gone_and_a_body_that_is_null_are_no_errors(tmp_path: Path):
    found = read(tmp_path, [issue(user=None, body=None)])
    assert (found.by_id["heron/api#12"].author, found.by_id["heron/api#12"].text) == ("ghost", "Login fails")
    assert not found.quarantined


def test_pull_requests_reviews_comments_on_code_and_merging_are_dated_notes(tmp_path: Path):
    merged = {"url": f"{API}/pulls/12", "merged_at": "2024-03-07T10:00:00Z"}
    review = {
        "html_url": f"{WEB}/pull/12#pullrequestreview-5",
        "pull_request_url": f"{API}/pulls/12",
        "id": 5,
        "user": {"login": "cy[bot]", "type": "Bot"},
        "state": "APPROVED",
        "body": "",
        "submitted_at": "2024-03-06T12:00:00Z",
    }
    on_code = {
        "html_url": f"{WEB}/pull/12#discussion_r6",
        "pull_request_url": f"{API}/pulls/12",
        "id": 6,
        "in_reply_to_id": 4,
        "path": "src/login.py",
        "diff_hunk": "@@ -1 +1 @@\n-old\n+new",
        "user": {"login": "ben"},
        "body": "why?",
        "created_at": "2024-03-06T13:00:00Z",
        "updated_at": "2024-03-06T13:00:00Z",
    }
    found = read(tmp_path, [issue(pull_request=merged), review, on_code])
    assert found.by_id["heron/api#12/merged/2024-03-07T10:00:00+00:00"].text == "merged"
    assert found.by_id["heron/api#12/review/5"].text == "Approved."
    assert found.actors["cy[bot]"].kind is ActorKind.BOT
    code = found.by_id["heron/api#12/review-comment/6"]
    assert code.text == "src/login.py\n```diff\n@@ -1 +1 @@\n-old\n+new\n```\nwhy?"
    assert [code.text[start:stop] for start, stop in code.quoted] == ["```diff\n@@ -1 +1 @@\n-old\n+new\n```\n"]
    assert code.reply_to == "heron/api#12/review-comment/4"


def test_events_that_say_something_are_records_and_others_named_skips(tmp_path: Path):
    def event(word: str, **fields: object) -> Json:
        return {"url": f"{API}/issues/events/1", "event": word, "created_at": "2024-03-06T10:00:00Z",
                "actor": {"login": "ben"}, "issue": {"html_url": f"{WEB}/issues/12"}} | fields  # fmt: skip

    renamed = event("renamed", rename={"from": "Login", "to": "Login fails"})
    found = read(tmp_path, [event("labeled", label={"name": "bug"}), renamed, event("subscribed"), event("closed")])
    assert found.texts == ["labeled bug", "renamed from Login to Login fails", "closed"]
    assert found.skipped == {"event that says nothing new": 1}


def test_a_closed_issue_and_the_event_of_its_closing_tell_of_one_record(tmp_path: Path):
    closed = issue(state="closed", closed_at="2024-03-06T10:00:00Z", closed_by={"login": "ben"})
    event = {"event": "closed", "created_at": "2024-03-06T10:00:00Z", "actor": {"login": "ben"}, "issue": issue()}
    ending, told = [record for record in read(tmp_path, [closed, event]).records if record.text == "closed"]
    assert ending == told


def test_a_review_without_words_is_a_named_skip(tmp_path: Path):
    silent = {"state": "COMMENTED", "body": "", "submittedAt": "2024-03-06T12:00:00Z", "author": {"login": "ben"}}
    found = read(tmp_path, [issue(reviews=[silent], comments=[{"body": "x", "createdAt": "never"}])])
    assert found.skipped == {"review without a text": 1}
    assert found.reasons == ["the date of a comment cannot be read: 'never'"]


def test_what_does_not_say_its_repository_is_kept_aside_and_says_what_is_missing(tmp_path: Path):
    printed = {"number": 12, "title": "x", "body": "", "createdAt": "2024-03-04T10:00:00Z"}
    found = read(tmp_path, [printed, {"event": "closed", "created_at": "2024-03-06T10:00:00Z", "actor": None}])
    assert found.recognized
    assert found.reasons == [
        "no address of an issue: its repository is not known",
        "event that does not say of which issue",
    ]


def test_visibility_is_the_operators_word_unless_the_repository_is_said_to_be_public(tmp_path: Path):
    channel = read(tmp_path, [issue()]).channels["heron/api"]
    assert (channel.kind, channel.members, channel.stated) == (ChannelKind.PRIVATE, None, False)
    assert read(tmp_path, [issue()], visibility=ChannelKind.PUBLIC).channels["heron/api"].kind is ChannelKind.PUBLIC
    public = read(tmp_path, [issue(repository={"private": False})]).channels["heron/api"]
    assert (public.kind, public.stated) == (ChannelKind.PUBLIC, True)


def test_an_installation_of_ones_own_is_a_source_of_its_own(tmp_path: Path):
    own = issue(url="https://git.corp.example/api/v3/repos/heron/api/issues/12", html_url="")
    found = read(tmp_path, [own])
    assert found.source == "github:git.corp.example"
    assert "heron/api#12" in found.by_id


@pytest.mark.parametrize(
    "value",
    [
        {"title": "Home", "body": {"storage": {}}, "version": {"number": 1}, "id": "1"},
        {"ts": "1.0", "text": "x", "url": "https://w.example/1"},
        {"key": "KES-1", "fields": {"summary": "x", "created": "2024-03-04T10:00:00Z"}},
        [1, "x", None],
    ],
)
def test_what_is_not_githubs_is_not_recognized(tmp_path: Path, value: object):
    assert not read(tmp_path, value).recognized


def test_issues_of_github_are_none_of_jira(tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([issue(), comment()]))
    assert not Outcome(JiraJson(), path).recognized


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(6)), cut=st.integers(0, 6))
def test_neither_order_nor_split_of_the_answers_changes_the_records(tmp_path: Path, order: list[int], cut: int):
    said = [issue(1), issue(2), *(comment(number) for number in range(4))]
    mixed = [said[place] for place in order]
    assert set(map(repr, read(tmp_path, said).records)) == set(
        map(repr, read(tmp_path, mixed[:cut], mixed[cut:]).records)
    )


def test_damaged_answers_never_crash_and_lose_nothing_that_is_whole(tmp_path: Path):
    lines = [json.dumps(comment(number)).encode() for number in range(20)]
    for damaged in mutations(b"\n".join(lines), count=200, seed=4):
        found = read(tmp_path, damaged)
        lost = len(set(lines) - set(damaged.split(b"\n")))
        assert len(found.by_id) >= 20 - lost or found.quarantined or not found.recognized
