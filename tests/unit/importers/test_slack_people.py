from pathlib import Path

import pytest

from tests.unit.importers.exports import BOS, INA, import_messages, message
from treering.model.drafts import ActorKind


def test_people_are_called_by_their_display_name_or_the_next_best_and_keep_the_others(tmp_path: Path):
    nameless = {"id": "U0X", "profile": {}}
    short = {"id": "U0Y", "name": "why", "profile": {"email": "why@heron.example"}}
    actors = import_messages(tmp_path, message(), users=[INA, BOS, nameless, short]).actors
    assert (actors["U0INA"].name, actors["U0INA"].aliases) == ("Ina", ("Ina Reis", "ina.r"))
    assert (actors["U0BOS"].name, actors["U0BOS"].aliases) == ("Bo Strand", ("bo",))
    assert (actors["U0X"].name, actors["U0X"].aliases) == ("U0X", ())
    assert (actors["U0Y"].name, actors["U0Y"].aliases) == ("why", ("why@heron.example",))


@pytest.mark.parametrize(
    ("flags", "kind"),
    [
        ({}, ActorKind.HUMAN),
        ({"is_bot": True}, ActorKind.BOT),
        ({"is_stranger": True}, ActorKind.EXTERNAL),
        ({"deleted": True, "is_ultra_restricted": True}, ActorKind.HUMAN),
        ({"id": "USLACKBOT"}, ActorKind.SYSTEM),
    ],
)
def test_kinds_of_listed_people(tmp_path: Path, flags: dict[str, object], kind: ActorKind):
    user = {"id": "U0X", "name": "x"} | flags
    assert import_messages(tmp_path, users=[INA, BOS, user]).actors[str(user["id"])].kind is kind


def test_people_of_another_organization_are_external_and_merged_with_nobody(tmp_path: Path):
    ghost = message(user="U0EXT", user_profile={"real_name": "Ina Reis"}, user_team="T0PARTNER")
    actors = import_messages(tmp_path, ghost).actors
    assert (actors["U0EXT"].kind, actors["U0EXT"].name) == (ActorKind.EXTERNAL, "Ina Reis")
    assert actors["U0INA"].kind is ActorKind.HUMAN


def test_a_colleague_missing_from_the_list_is_unknown_and_named_by_the_message(tmp_path: Path):
    gone = message(user="U0GONE", user_profile={"display_name": "Gus"}, user_team="T0ORG")
    actor = import_messages(tmp_path, gone).actors["U0GONE"]
    assert (actor.kind, actor.name) == (ActorKind.UNKNOWN, "Gus")


def test_ids_that_are_only_mentioned_get_placeholders_before_the_record_that_names_them(tmp_path: Path):
    imported = import_messages(tmp_path, message(text="ask <@U0EXT|mia>"))
    assert (imported.actors["U0EXT"].name, imported.actors["U0EXT"].kind) == ("mia", ActorKind.UNKNOWN)
    ids = [getattr(draft, "id", "") for draft in imported.drafts]
    assert ids.index("U0EXT") < imported.drafts.index(imported.records[0])


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_placeholder_ends_with_the_best_name_whatever_comes_first(tmp_path: Path, is_reversed: bool):
    messages = [
        message("1.0", text="ask <@U0EXT>"),
        message("2.0", user="U0EXT", user_profile={"display_name": "Mia"}, user_team="T0PARTNER"),
        message("3.0", user="U0EXT", user_profile={"display_name": "Mia P."}),
        message("4.0", text="ask <@U0EXT|mia.p>"),
    ]
    imported = import_messages(tmp_path, *(reversed(messages) if is_reversed else messages))
    actor = imported.actors["U0EXT"]
    assert (actor.name, actor.aliases, actor.kind) == ("Mia", ("Mia P.", "mia.p"), ActorKind.EXTERNAL)
    asked = [record.text for record in imported.records if record.valid_from_raw == "1.0"]
    assert asked == ["ask @U0EXT"]  # texts never depend on what other messages reveal


def test_bots_are_known_by_id_and_are_the_user_that_a_list_says_they_are(tmp_path: Path):
    listed = {"id": "U0APP", "name": "deploybot", "is_bot": True, "profile": {"bot_id": "B0APP"}}
    no_user = {"user": None, "subtype": "bot_message"}
    imported = import_messages(
        tmp_path,
        message("1.0", bot_id="B0APP", **no_user),
        message("2.0", bot_id="B0X", username="pager", bot_profile={"name": "Pager"}, **no_user),
        message("3.0", username="feed", **no_user),
        message("4.0", **no_user),
        message("5.0", bot_id="B0Y", user="U0APP"),
        users=[INA, listed],
    )
    assert [record.author for record in imported.records] == ["U0APP", "B0X", "bot:feed", "unknown", "U0APP"]
    assert (imported.actors["B0X"].name, imported.actors["B0X"].kind) == ("Pager", ActorKind.BOT)
    assert imported.actors["bot:feed"].name == "feed"
    assert imported.actors["unknown"].kind is ActorKind.UNKNOWN


def test_bots_say_what_stands_in_text_blocks_and_attachments_once(tmp_path: Path):
    section = [{"type": "section", "text": {"type": "mrkdwn", "text": "*Build 7* failed on main"}}]
    alert = {"fallback": "disk full on web-7", "fields": [{"title": "Runbook", "value": "RUN-31"}]}
    records = import_messages(
        tmp_path,
        message("1.0", bot_id="B0", text="", attachments=[alert]),
        message("2.0", bot_id="B0", text="web-7 pages", attachments=[alert, {"text": "go"}]),
        message("3.0", bot_id="B0", text="failed on main", blocks=section),
        message("4.0", bot_id="B0", text=None, blocks=section, attachments=[{"text": "*Build 7* failed on main"}]),
    ).records
    assert [record.text for record in records] == [
        "disk full on web-7\nRunbook: RUN-31",
        "web-7 pages\ndisk full on web-7\nRunbook: RUN-31\ngo",
        "*Build 7* failed on main",
        "*Build 7* failed on main",
    ]


def test_people_say_their_text_or_else_what_stands_in_its_place(tmp_path: Path):
    rich = [
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "r"}]}]}
    ]
    empty = [
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": ""}]}]}
    ]
    preview = [{"title": "Wiki", "from_url": "https://w.example"}]
    records = import_messages(
        tmp_path,
        message("1.0", text="said", blocks=rich, attachments=preview),
        message("2.0", text="", blocks=rich, attachments=preview),
        message("3.0", text=None, blocks=empty, attachments=preview),
        message("4.0", text="said", blocks=empty),
    ).records
    assert [record.text for record in records] == ["said", "r", "Wiki", "said"]


def test_the_source_is_the_workspace_of_most_people(tmp_path: Path):
    stranger = {"id": "U0S", "team_id": "T0AAA", "is_stranger": True}
    imported = import_messages(tmp_path, message(), users=[stranger, INA, INA | {"id": "U0C", "team_id": "T0ZZZ"}, BOS])
    assert imported.source == "slack:T0ORG"


def test_a_list_that_breaks_off_gives_the_people_before(tmp_path: Path):
    imported = import_messages(tmp_path, message())
    (tmp_path / "users.json").write_bytes((tmp_path / "users.json").read_bytes()[:-40])
    broken = type(imported)(tmp_path)
    assert "U0INA" in broken.actors
    assert [(item.file, item.position) for item in broken.quarantined] == [("users.json", "user 2")]
    assert len(broken.records) == 1
