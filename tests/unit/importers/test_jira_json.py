"""Answers of Jira's REST interface."""

import json
from datetime import UTC, datetime
from pathlib import Path

from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.jira import JiraJson
from treering.importers.jira_text import adf_text, mentioned
from treering.model.drafts import ActorKind, Change, ChannelKind

Json = dict[str, object]

ANA = {"accountId": "557058:a", "displayName": "Ana Lobo", "emailAddress": "ana@corp.example"}
BEN = {"accountId": "557058:b", "displayName": "Ben Okoro"}


def issue(key: str = "KES-1", changelog: object = None, **fields: object) -> Json:
    told: Json = {
        "summary": "Login fails",
        "description": "Since v2.4, [~accountid:557058:b]",
        "created": "2024-03-04T10:00:00.000+0100",
        "updated": "2024-03-06T10:00:00.000+0100",
        "status": {"name": "In Progress"},
        "reporter": ANA,
        "project": {"key": "KES", "name": "Kestrel"},
    }
    found: Json = {"id": "10001", "key": key, "self": "https://heron.atlassian.example/rest/api/2/issue/10001"}
    return found | {"fields": told | fields} | ({"changelog": changelog} if changelog else {})


def history(id_: str, at: str, *items: Json) -> Json:
    return {"id": id_, "author": BEN, "created": at, "items": list(items)}


def read(tmp_path: Path, *values: object) -> Outcome:
    path = tmp_path / "answer.json"
    path.write_bytes(b"\n".join(value if isinstance(value, bytes) else json.dumps(value).encode() for value in values))
    return Outcome(JiraJson(), path)


def test_an_issue_its_state_and_its_comments(tmp_path: Path):
    comment = {"id": "7", "author": BEN, "body": "done", "created": "2024-03-05T10:00:00.000+0100",
               "updated": "2024-03-05T10:00:00.000+0100"}  # fmt: skip
    found = read(tmp_path, {"issues": [issue(comment={"comments": [comment]}, assignee=BEN, labels=["bug"])]})
    assert found.recognized
    assert found.source == "jira:heron.atlassian.example"
    first, state, said = found.records
    assert (first.source_id, first.author, first.mentions) == ("KES-1", "557058:a", ("557058:b",))
    assert first.valid_from == datetime(2024, 3, 4, 9, tzinfo=UTC)
    assert state.text == "Status: In Progress\nLabels: bug\nAssignee: Ben Okoro"
    assert state.valid_from == datetime(2024, 3, 6, 9, tzinfo=UTC)
    assert (said.source_id, said.change, said.title) == ("KES-1/comment/7", Change.NEW, "KES-1: Login fails")
    assert found.actors["557058:a"].aliases == ("ana@corp.example",)
    assert found.channels["KES"].name == "Kestrel"


def test_with_a_changelog_earlier_texts_are_versions_and_other_changes_dated_notes(tmp_path: Path):
    changes = {
        "histories": [
            history("2", "2024-03-05T11:00:00.000+0000", {"field": "summary", "fromString": "Login", "toString": "x"}),
            history("1", "2024-03-05T10:00:00.000+0000", {"field": "status", "fromString": "To Do", "toString": "Done"},
                    {"field": "description", "fromString": "first", "toString": "y"}),
        ]
    }  # fmt: skip
    found = read(tmp_path, issue(changelog=changes))
    versions = [record for record in found.records if record.lineage == "KES-1"]
    assert [(version.title, version.text, version.change) for version in versions] == [
        ("KES-1: Login", "first", Change.NEW),
        ("KES-1: Login", "Since v2.4, [~accountid:557058:b]", Change.EDIT),
        ("KES-1: Login fails", "Since v2.4, [~accountid:557058:b]", Change.EDIT),
    ]
    assert [version.valid_from.hour for version in versions] == [9, 10, 11]
    assert {version.created_at for version in versions[1:]} == {versions[0].valid_from}
    assert found.by_id["KES-1/change/1"].text == "status: To Do → Done"
    assert "KES-1/change/2" not in found.by_id


def test_an_edited_comment_holds_from_its_edit(tmp_path: Path):
    comment = {"id": "7", "author": BEN, "body": "x", "created": "2024-03-05T10:00:00.000+0000",
               "updated": "2024-03-05T12:00:00.000+0000"}  # fmt: skip
    said = read(tmp_path, issue(comment={"comments": [comment]})).records[-1]
    assert (said.change, said.source_id) == (Change.EDIT, "KES-1/comment/7@2024-03-05T12:00:00Z")


def test_what_only_some_may_read_lies_in_channels_of_its_own(tmp_path: Path):
    comment = {"id": "7", "author": BEN, "body": "salary", "created": "2024-03-05T10:00:00.000+0000",
               "visibility": {"type": "role", "value": "Administrators"}}  # fmt: skip
    found = read(
        tmp_path,
        issue(comment={"comments": [comment]}),
        issue("KES-2", security={"name": "Board"}),
    )
    assert found.by_id["KES-1/comment/7"].channel == "KES/Administrators"
    assert found.by_id["KES-2"].channel == "KES/Board"
    closed = [channel for id_, channel in found.channels.items() if "/" in id_]
    assert {(channel.kind, channel.members, channel.stated) for channel in closed} == {
        (ChannelKind.PRIVATE, None, True)
    }


def test_links_parents_and_custom_fields_are_told_by_their_names(tmp_path: Path):
    raw = issue(
        parent={"key": "KES-9"},
        subtasks=[{"key": "KES-8"}],
        issuelinks=[{"type": {"outward": "blocks"}, "outwardIssue": {"key": "KES-2"}}],
        customfield_1="KES-7",
        customfield_2=[{"value": "a"}, {"value": "b"}],
        customfield_3=2.5,
    )
    names = {"customfield_1": "Epic Link", "customfield_2": "Teams", "customfield_3": "Points"}
    state = read(tmp_path, {"names": names, "issues": [raw]}).records[1]
    assert state.refs == ("KES-9", "KES-8", "KES-2", "KES-7")
    assert state.text.split("\n")[1:] == [
        "Parent: KES-9",
        "blocks: KES-2",
        "Epic Link: KES-7",
        "Teams: a, b",
        "Points: 2.5",
    ]


def test_an_app_is_a_bot_and_a_server_names_people_by_user_name(tmp_path: Path):
    found = read(tmp_path, issue(reporter={"name": "ana.l", "displayName": "Ana", "accountType": "app"}))
    assert (found.actors["ana.l"].kind, found.actors["ana.l"].name) == (ActorKind.BOT, "Ana")


def test_one_comment_that_does_not_read_is_kept_aside_and_the_rest_goes_in(tmp_path: Path):
    comments = {"comments": [{"id": "1", "body": "lost", "created": "never"}]}
    found = read(tmp_path, issue(comment=comments), issue("x"), issue("KES-3", created=None), {"total": 0}, b"{broken")
    assert found.reasons == [
        "created of a comment cannot be read: 'never'",
        "created is missing",
        "the file ends before the array does",
    ]
    assert found.skipped == {"not an issue": 2}


def test_documents_of_atlassians_editor_become_text_with_their_code_lists_and_people():
    def text(words: str, *marks: Json) -> Json:
        return {"type": "text", "text": words, "marks": list(marks)}

    def block(kind: str, *content: Json, **attributes: object) -> Json:
        return {"type": kind, "content": list(content), "attrs": attributes}

    person: Json = {"type": "mention", "attrs": {"id": "557058:a", "text": "@Ana"}}
    link = text("wiki", {"type": "link", "attrs": {"href": "https://w.example"}})
    cell = block("tableCell", block("paragraph", text("x")))
    deep = block("bulletList", block("listItem", block("paragraph", text("deep"))))
    document = block(
        "doc",
        block("heading", text("Plan"), level=2),
        block("paragraph", person, text(" runs "), text("make", {"type": "code"}), text(", see "), link),
        block("orderedList", block("listItem", block("paragraph", text("one")), deep)),
        block("codeBlock", text("if a < b:\n  go"), language="python"),
        block("blockquote", block("paragraph", text("said"))),
        block("table", block("tableRow", cell, cell)),
        block("taskList", block("taskItem", text("ship"), state="DONE")),
        block("panel", block("paragraph", text("careful"))),
        {"type": "unheard-of", "content": [text("kept")]},
    )  # fmt: skip
    assert adf_text(document) == (
        "## Plan\n\n@Ana runs `make`, see [wiki](https://w.example)\n\n1. one\n   - deep\n\n"
        "```python\nif a < b:\n  go\n```\n\n> said\n\n| x | x |\n\n- [x] ship\n\ncareful\n\nkept",
        ("557058:a",),
    )


def test_a_document_within_documents_without_end_is_cut_off():
    document: Json = {"type": "paragraph", "content": [{"type": "text", "text": "x"}]}
    for _ in range(500):
        document = {"type": "panel", "content": [document]}
    assert adf_text(document) == ("", ())


def test_names_within_code_are_no_mentions():
    assert mentioned("{code:java}[~x]{code} [~ben] {noformat}[~y]") == ("ben",)


def test_damaged_answers_never_crash(tmp_path: Path):
    comment = {
        "id": "7",
        "author": BEN,
        "body": {"type": "doc", "content": []},
        "created": "2024-03-05T10:00:00.000+0100",
    }
    changes = {"histories": [history("2", "2024-03-05T11:00:00.000+0000", {"field": "status", "toString": "x"})]}
    content = json.dumps(issue(changelog=changes, comment={"comments": [comment]}, labels=["a"])).encode()
    for damaged in mutations(b"\n".join([content] * 3), count=200, seed=8):
        found = read(tmp_path, damaged)
        assert found.records or found.quarantined or found.skipped
