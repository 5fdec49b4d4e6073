"""Answers of Confluence's REST interface."""

import json
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.confluence import ConfluenceJson
from treering.importers.protocol import ImportOptions
from treering.model.drafts import Attachment, Change, ChannelKind, RecordKind

Json = dict[str, object]

ANA: Json = {"accountId": "557058:a", "displayName": "Ana Lobo"}


def page(id_: str = "100", number: int = 2, text: str = "<p>Ship on Friday.</p>", **fields: object) -> Json:
    return {
        "id": id_,
        "type": "page",
        "status": "current",
        "title": "Runbook",
        "space": {"key": "OPS", "name": "Operations"},
        "version": {"number": number, "when": "2024-03-04T10:00:00.000Z", "by": ANA},
        "body": {"storage": {"value": text, "representation": "storage"}},
        "_links": {"self": "https://heron.atlassian.example/wiki/rest/api/content/100"},
    } | fields


def comment(id_: str = "200", **fields: object) -> Json:
    return page(id_, 1, "<p>done</p>", type="comment", title="Re: Runbook", container={"id": "100"}) | fields


def restricted(*users: Json, groups: tuple[Json, ...] = ()) -> Json:
    return {"read": {"restrictions": {"user": {"results": list(users)}, "group": {"results": list(groups)}}}}


def read(root: Path, *values: object, visibility: ChannelKind = ChannelKind.PRIVATE) -> Outcome:
    files = {f"{number}.json": value for number, value in enumerate(values)}
    return Outcome(ConfluenceJson(), write_folder(root, files), ImportOptions(visibility=visibility))


def test_a_page_is_a_document_known_by_its_id_and_each_version_by_its_number(tmp_path: Path):
    label = {"labels": {"results": [{"name": "howto"}]}}
    file = {"title": "plan.pdf", "extensions": {"mediaType": "application/pdf", "fileSize": 9}}
    found = read(tmp_path, {"results": [page(metadata=label, children={"attachment": {"results": [file]}})]})
    assert found.recognized
    assert found.source == "confluence:heron.atlassian.example"
    record = found.only
    assert (record.source_id, record.lineage, record.kind) == ("100@2", "100", RecordKind.DOCUMENT)
    assert (record.title, record.text, record.author) == ("Runbook", "Ship on Friday.", "557058:a")
    assert record.valid_from == datetime(2024, 3, 4, 10, tzinfo=UTC)
    assert (record.tags, record.attachments) == (("howto",), (Attachment("plan.pdf", "application/pdf", 9),))
    assert found.channels["OPS"].name == "Operations"


def test_of_an_answer_that_ends_too_soon_the_whole_pages_are_kept(tmp_path: Path):
    answer = json.dumps({"results": [page("100"), page("101"), page("102")]}).encode()
    found = read(tmp_path, answer[: answer.index(b'"102"') + 40])
    assert found.recognized
    assert [record.source_id for record in found.records] == ["100@2", "101@2"]
    assert len(found.quarantined) == 1


def test_version_2_of_the_interface_and_bodies_in_other_formats(tmp_path: Path):
    body = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Hi"}]}]}
    version = {"number": 1, "createdAt": "2024-03-04T10:00:00Z", "authorId": "557058:a"}
    modern = {
        "id": 7,
        "title": "New",
        "spaceId": 5,
        "version": version,
        "body": {"atlas_doc_format": {"value": json.dumps(body)}},
    }
    shown = page("8", body={"view": {"value": "<h1>Seen</h1>"}})
    found = read(tmp_path, modern, shown)
    assert (found.by_id["7@1"].text, found.by_id["7@1"].author, found.by_id["7@1"].channel) == ("Hi", "557058:a", "5")
    assert found.by_id["8@2"].text == "# Seen"


def test_comments_are_messages_in_the_thread_of_their_page(tmp_path: Path):
    answer = comment("201", ancestors=[{"id": "200"}])
    found = read(tmp_path, page(children={"comment": {"results": [comment()]}}), {"results": [answer]})
    first, second = found.by_id["200@1"], found.by_id["201@1"]
    assert (first.kind, first.thread, first.reply_to, first.channel) == (RecordKind.MESSAGE, "100", "100", "OPS")
    assert (second.thread, second.reply_to) == ("100", "200")


def test_an_edited_comment_keeps_the_time_at_which_it_was_first_written(tmp_path: Path):
    history = {"createdDate": "2024-03-01T10:00:00.000Z"}
    version = {"number": 3, "when": "2024-03-04T10:00:00.000Z", "by": ANA}
    record = read(tmp_path, comment(history=history, version=version)).only
    assert (record.source_id, record.change) == ("200@3", Change.EDIT)
    assert record.created_at == datetime(2024, 3, 1, 10, tzinfo=UTC)


def test_a_restricted_page_binds_its_comments_and_the_pages_below_it(tmp_path: Path):
    found = read(
        tmp_path,
        {"results": [page("101", ancestors=[{"id": "100"}]), comment(), comment("201", container={"id": "101"})]},
        page(restrictions=restricted(ANA)),
        page("102"),
        visibility=ChannelKind.PUBLIC,
    )
    assert {record.source_id: record.channel for record in found.records} == {
        "101@2": "OPS/restricted 100",
        "200@1": "OPS/restricted 100",
        "201@1": "OPS/restricted 100",
        "100@2": "OPS/restricted 100",
        "102@2": "OPS",
    }
    channel = found.channels["OPS/restricted 100"]
    assert (channel.kind, channel.members, channel.stated) == (ChannelKind.PRIVATE, ("557058:a",), True)


def test_a_page_restricted_to_a_group_is_visible_to_nobody_known(tmp_path: Path):
    found = read(tmp_path, page(restrictions=restricted(ANA, groups=({"name": "hr"},))))
    assert found.channels["OPS/restricted 100"].members is None


def test_what_is_in_the_trash_a_draft_or_without_a_text_is_a_named_skip(tmp_path: Path):
    found = read(tmp_path, [page(status="trashed"), page(status="draft"), page(text="<p/>"), page(body={}), {"x": 1}])
    assert found.skipped == {
        "page in the trash": 1,
        "draft of a page": 1,
        "page without a text": 1,
        "no body": 1,
        "not a page or comment": 1,
    }


def test_a_page_without_a_date_is_undated_and_one_whose_date_does_not_read_is_kept_aside(tmp_path: Path):
    undated = page(version={}, number=1) | {"version": {}}
    found = read(tmp_path, undated, page("101", version={"number": 1, "when": "never"}), comment(container={}))
    assert (found.only.valid_from_raw, found.only.valid_from.year) == ("undated", 1970)
    assert found.reasons == [
        "the date of the version cannot be read: 'never'",
        "a comment that does not say on which page",
    ]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(5)), cut=st.integers(1, 4))
def test_neither_order_nor_split_of_the_answers_changes_the_records(tmp_path: Path, order: list[int], cut: int):
    said = [page("100"), page("100", 1, "<p>old</p>"), page("101"), comment(), comment("201")]
    mixed = [said[place] for place in order]
    one, other = read(tmp_path, said, []), read(tmp_path, mixed[:cut], mixed[cut:])
    assert set(map(repr, one.records)) == set(map(repr, other.records))


def test_damaged_answers_never_crash(tmp_path: Path):
    content = json.dumps([page(restrictions=restricted(ANA), ancestors=[{"id": "9"}]), comment(), page("3")]).encode()
    for damaged in mutations(content, count=200, seed=9):
        found = read(tmp_path, damaged)
        assert found.records or found.quarantined or found.skipped
