"""The public archives that zulip-archive writes."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.importers.zulip_archive import ZulipArchive
from treering.model.drafts import (
    ActorDraft,
    ActorKind,
    ChannelDraft,
    ChannelKind,
    Draft,
    Quarantined,
    RecordDraft,
    Skipped,
)

INDEX = {
    "streams": {
        "ops & more": {
            "id": 5,
            "latest_id": 103,
            "topic_data": {"✔ v1.2 out?": {"size": 2, "latest_date": 1709546500}},
        },
        "general": {"id": 1, "latest_id": 90, "topic_data": {"hello": {"size": 1, "latest_date": 1709540000}}},
    },
    "time": 1709550000.5,
}
TOPIC = "5-ops-&-more/.E2.9C.94.20v1.2E2.20out.3F.json"


def message(
    number: object, content: str = "<p>hi</p>", author: str = "Ana Lobo", at: object = 1709546400
) -> dict[str, object]:
    return {"id": number, "content": content, "sender_full_name": author, "timestamp": at}


def read(root: Path, files: Mapping[str, object]) -> list[Draft]:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with open_tree(root) as tree:
        assert ZulipArchive().recognizes(tree)
        return [drafted.draft for drafted in ZulipArchive().extract(tree, ImportOptions())]


def records(drafts: list[Draft]) -> list[RecordDraft]:
    return [draft for draft in drafts if isinstance(draft, RecordDraft)]


def test_a_message_arrives_with_its_stream_topic_and_mentions(tmp_path):
    link = '<a href="#narrow/stream/5-ops/topic/a/near/101">see</a>'
    content = f'<p><span class="user-mention" data-user-id="9">@Ben Okoro</span> {link}</p>'
    drafts = read(tmp_path, {"zulip_json/stream_index.json": INDEX, f"zulip_json/{TOPIC}": [message(102, content)]})
    assert drafts == [
        ActorDraft("Ana Lobo", "Ana Lobo", ActorKind.UNKNOWN),
        ActorDraft("Ben Okoro", "Ben Okoro", ActorKind.UNKNOWN),
        ChannelDraft("5", "ops & more", ChannelKind.PUBLIC),
        RecordDraft(
            source_id="102",
            channel="5",
            author="Ana Lobo",
            valid_from=datetime(2024, 3, 4, 10, tzinfo=UTC),
            valid_from_raw="1709546400",
            text="@Ben Okoro see",
            order_hint=102,
            refs=("101",),
            thread="✔ v1.2 out?",
            mentions=("Ben Okoro",),
        ),
    ]


def test_actors_and_channels_are_drafted_once(tmp_path):
    bot = message(3, "<p>x</p>", "Notification Bot")
    files = {"stream_index.json": INDEX, TOPIC: [message(1), message(2)], "1-general/hello.json": [bot, message(4)]}
    drafts = read(tmp_path, files)
    assert [(draft.id, draft.kind) for draft in drafts if isinstance(draft, ActorDraft)] == [
        ("Notification Bot", ActorKind.BOT),
        ("Ana Lobo", ActorKind.UNKNOWN),
    ]
    assert [draft.id for draft in drafts if isinstance(draft, ChannelDraft)] == ["1", "5"]


def test_a_file_that_a_renamed_topic_left_behind_gives_only_what_is_nowhere_else(tmp_path):
    stale = "5-ops-&-more/-.20v1.2E2.json"
    drafts = read(
        tmp_path, {"stream_index.json": INDEX, stale: [message(1), message(2)], TOPIC: [message(2), message(3)]}
    )
    assert [(record.source_id, record.thread) for record in records(drafts)] == [
        ("2", "✔ v1.2 out?"),
        ("3", "✔ v1.2 out?"),
        ("1", "- v1.2"),
    ]
    skipped = [draft for draft in drafts if isinstance(draft, Skipped)]
    assert skipped == [Skipped("a copy of a message of another topic", "message 2")]


def test_messages_that_cannot_be_read_are_named_and_the_rest_is_read(tmp_path):
    bad = [
        {"id": 1},
        7,
        message(2, at="soon"),
        message("x"),
        message(3) | {"content": 4},
        message(4) | {"sender_full_name": " "},
    ]
    drafts = read(tmp_path, {"stream_index.json": INDEX, TOPIC: [*bad, message(5)]})
    assert [record.source_id for record in records(drafts)] == ["5"]
    lost = [draft for draft in drafts if isinstance(draft, Quarantined)]
    assert [quarantined.position for quarantined in lost] == [f"message {number}" for number in range(1, 7)]
    assert lost[0].reason == "no sender_full_name, no timestamp, no content"
    assert lost[0].raw == '{"id": 1}'


def test_a_topic_file_cut_short_gives_its_whole_messages(tmp_path):
    cut = json.dumps([message(1), message(2)])[:-20]
    drafts = read(tmp_path, {"stream_index.json": INDEX, TOPIC: cut})
    assert [record.source_id for record in records(drafts)] == ["1"]
    assert sum(isinstance(draft, Quarantined) for draft in drafts) == 1


def test_the_rest_of_a_repository_is_skipped_by_name(tmp_path):
    files = {"zulip_json/stream_index.json": INDEX, f"zulip_json/{TOPIC}": [message(1)], "archive/index.html": "<p>"}
    assert Skipped("not a topic of the archive", "archive/index.html") in read(tmp_path, files)


def test_a_stream_that_the_index_lost_keeps_the_name_of_its_folder(tmp_path):
    drafts = read(tmp_path, {"stream_index.json": INDEX, "7-old-plans/a.json": [message(1)]})
    assert ChannelDraft("7", "old-plans", ChannelKind.PUBLIC) in drafts


def test_an_index_of_something_else_is_not_recognized(tmp_path):
    for content in ("[]", "{", '{"streams": 3}'):
        (tmp_path / "stream_index.json").write_text(content)
        with open_tree(tmp_path) as tree:
            assert not ZulipArchive().recognizes(tree)
            assert ZulipArchive().source(tree) == "zulip"
