"""The sample workspace agrees with itself, read as plain JSON and without the importer."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from treering.sample import questions, workspace

ABSENT = {"U0VERA", "USLACKBOT"}  # an external partner and Slack's own user: in no users.json, as in real exports
ROOT_BEFORE_THE_EXPORT = "1759141320.448219"  # a thread that began on 29 September, before the range of the export
PRIVATE = {"G0SEC", "G0LEAD"}
FIXTURE = Path(__file__).parents[1] / "fixtures" / "sample_questions.jsonl"
FIELDS = ["id", "category", "question", "asker", "asked_at", "as_of", "answer", "evidence", "supporting", "stale"]
CATEGORIES = {"single", "multi", "cross_channel", "temporal", "update", "actor", "artifact", "abstain"}


def read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((workspace() / name).read_text(encoding="utf-8"))
    return rows


def channels() -> dict[str, dict[str, Any]]:
    return {channel["id"]: channel for channel in read("channels.json") + read("groups.json")}


def day_files() -> Iterator[tuple[str, Path]]:
    ids = {channel["name"]: id_ for id_, channel in channels().items()}
    for path in sorted(workspace().glob("*/*.json")):
        yield ids[path.parent.name], path


def messages() -> dict[str, dict[str, Any]]:
    """Every message by its source id, "<channel id>/<ts>"."""
    found: dict[str, dict[str, Any]] = {}
    for channel, path in day_files():
        for message in json.loads(path.read_text(encoding="utf-8")):
            source_id = f"{channel}/{message['ts']}"
            assert source_id not in found
            found[source_id] = message
    return found


def said_on(source_id: str) -> datetime:
    return datetime.fromtimestamp(int(source_id.split("/")[1].split(".")[0]), UTC)


def text_of(message: dict[str, Any]) -> str:
    """Everything a reader would see of a message, wherever its format keeps it."""
    return message["text"] or json.dumps([message.get("blocks"), message.get("attachments")], ensure_ascii=False)


def fixture_rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]


def test_it_is_about_as_large_as_promised() -> None:
    assert 290 <= len(messages()) <= 340
    assert len(channels()) == 6
    assert sum(not user["is_bot"] for user in read("users.json")) == 12
    assert sum(user["is_bot"] for user in read("users.json")) == 1
    days = [said_on(source_id) for source_id in messages()]
    assert (min(days).date().isoformat(), max(days).date().isoformat()) == ("2025-10-01", "2026-01-30")


def test_every_channel_has_a_folder_and_every_folder_a_channel() -> None:
    folders = {path.name for path in workspace().iterdir() if path.is_dir()}
    assert folders == {channel["name"] for channel in channels().values()}


def test_every_message_lies_in_the_file_of_its_day_and_in_order() -> None:
    for channel, path in day_files():
        stamps = [message["ts"] for message in json.loads(path.read_text(encoding="utf-8"))]
        assert stamps == sorted(stamps)
        assert {said_on(f"{channel}/{ts}").date().isoformat() for ts in stamps} == {path.stem}


def test_no_two_messages_share_their_microseconds() -> None:
    counts = Counter(message["ts"].split(".")[1] for message in messages().values())
    assert max(counts.values()) == 1


def test_every_person_named_is_known_or_absent_on_purpose() -> None:
    known = {user["id"] for user in read("users.json")}
    bots = {user["profile"]["bot_id"] for user in read("users.json") if user["is_bot"]}
    absent = set()
    for message in messages().values():
        named = set(re.findall(r"<@(\w+)>", text_of(message))) | set(message.get("reply_users", []))
        named |= {message.get("user"), message.get("parent_user_id"), message.get("edited", {}).get("user")} - {None}
        named |= {user for reaction in message.get("reactions", []) for user in reaction["users"]}
        absent |= named - known
        assert "user" in message or message["bot_id"] in bots
        for reaction in message.get("reactions", []):
            assert reaction["count"] == len(reaction["users"])
    assert absent == ABSENT


def test_only_members_write_and_private_channels_list_theirs() -> None:
    left = {user["id"] for user in read("users.json") if user["deleted"]}
    for source_id, message in messages().items():
        members = set(channels()[source_id.split("/")[0]]["members"])
        author = message.get("user", "U0LOOK")  # the bot's messages carry its bot_id alone
        assert author in members | left | {"USLACKBOT"}, source_id
    assert {channel["id"] for channel in read("groups.json")} == PRIVATE
    assert {id_: len(channels()[id_]["members"]) for id_ in PRIVATE} == {"G0SEC": 4, "G0LEAD": 4}
    assert (read("dms.json"), read("mpims.json")) == ([], [])


def test_threads_hang_together_but_for_the_one_that_began_too_early() -> None:
    found = messages()
    missing = set()
    replies: dict[str, list[str]] = {}
    for source_id, message in found.items():
        channel, ts = source_id.split("/")
        root = message.get("thread_ts", ts)
        if root == ts:
            continue
        assert root < ts
        if f"{channel}/{root}" in found:
            replies.setdefault(f"{channel}/{root}", []).append(ts)
        else:
            missing.add(root)
    assert missing == {ROOT_BEFORE_THE_EXPORT}
    for source_id, message in found.items():
        stamps = replies.get(source_id, [])
        assert message.get("reply_count", 0) == len(stamps)
        assert message.get("latest_reply") == (max(stamps) if stamps else None)
    assert any(float(max(stamps)) - float(root.split("/")[1]) > 30 * 86_400 for root, stamps in replies.items())


def test_every_permalink_and_channel_mention_leads_somewhere() -> None:
    found = messages()
    links = 0
    for message in found.values():
        for channel, digits in re.findall(r"/archives/(\w+)/p(\d{16})", text_of(message)):
            assert f"{channel}/{digits[:10]}.{digits[10:]}" in found
            links += 1
        for id_, name in re.findall(r"<#(\w+)\|([^>]*)>", text_of(message)):
            assert channels()[id_]["name"] == name
    assert links >= 8


@pytest.mark.parametrize("subtype", ["bot_message", "channel_join", "channel_name", "tombstone", "thread_broadcast"])
def test_it_shows_the_phenomenon(subtype: str) -> None:
    assert any(message.get("subtype") == subtype for message in messages().values())


def test_it_has_edits_files_alerts_without_text_and_other_scripts() -> None:
    found = messages().values()
    assert sum("edited" in message for message in found) >= 4
    assert sum("files" in message for message in found) >= 8
    assert all(not message["text"] and message["attachments"] for message in found if "bot_id" in message)
    texts = " ".join(text_of(message) for message in found)
    for script in ("[\u3040-\u30ff]", "[\u4e00-\u9fff]", "[\u0600-\u06ff]", "[\u0370-\u03ff]"):
        assert re.search(script, texts)


def test_each_artifact_crosses_channels_and_has_a_lookalike() -> None:
    def places(identifier: str) -> set[str]:
        pattern = re.compile(rf"\b{identifier}\b")
        return {id_.split("/")[0] for id_, message in messages().items() if pattern.search(text_of(message))}

    for artifact, lookalike in (("DOC-042", "DOC-024"), ("PAY-311", "PAY-113"), ("RFC 12", "RFC 21")):
        assert len(places(artifact) - PRIVATE) >= 2
        assert places(lookalike)
    assert "G0SEC" in places("PAY-311")


def test_the_demo_asks_five_questions_whose_evidence_is_there() -> None:
    found = messages()
    asked = questions()
    names = Counter(user["real_name"] for user in read("users.json"))
    assert len(asked) == 5
    for question in asked:
        assert 1 <= len(question.evidence) <= 4
        assert {*question.evidence, *question.hidden} <= found.keys()
        assert all(names[name] == 1 for name in (question.asker, question.viewer) if name)
        if question.as_of:
            bound = datetime.fromisoformat(question.as_of + "T23:59:59+00:00")
            assert all(said_on(source_id) <= bound for source_id in question.evidence)
            assert not any("edited" in found[source_id] for source_id in question.evidence)


def test_what_a_question_hides_is_out_of_its_viewers_reach_and_its_evidence_within() -> None:
    users = {user["real_name"]: user["id"] for user in read("users.json")}
    (bounded,) = [question for question in questions() if question.viewer]
    assert bounded.hidden
    viewer = users[bounded.viewer or ""]
    for source_id in bounded.hidden:
        assert viewer not in channels()[source_id.split("/")[0]]["members"]
    for source_id in bounded.evidence:
        assert not PRIVATE & {source_id.split("/")[0]}


def test_the_test_questions_follow_the_benchmark_schema_and_name_real_messages() -> None:
    found = messages()
    rows = fixture_rows()
    assert len({row["id"] for row in rows}) == len(rows) == 12
    assert {row["category"] for row in rows} == CATEGORIES
    for row in rows:
        assert list(row) == FIELDS
        assert {*row["evidence"], *row["supporting"], *row["stale"]} <= found.keys()
        assert bool(row["evidence"]) == (row["category"] != "abstain")
        day = row["as_of"] and row["as_of"] + "T23:59:59+00:00"
        bound = datetime.fromisoformat(day or row["asked_at"])
        assert all(said_on(source_id) <= bound for source_id in row["evidence"])


def test_no_address_points_outside_the_names_reserved_for_examples() -> None:
    hosts = set()
    for path in workspace().rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        hosts |= set(re.findall(r"https?://([^/\"|>]+)", text)) | set(re.findall(r"[\w.]+@([\w.]+)", text))
    assert all(host.endswith(".example") or host == "merlow-example.slack.com" for host in hosts), hosts
