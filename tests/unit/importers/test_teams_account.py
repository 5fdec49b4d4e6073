"""The export that a person requests of their own Teams account."""

import json
from pathlib import Path

from tests.unit.importers.chats import Chats, damaged, read, survives, written
from treering.importers.teams_account import TeamsAccountExport
from treering.model.drafts import Attachment, Change, ChannelKind

INA, BO = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "12")
GROUP, PAIR = "19:planning@thread.v2", f"19:{INA}_{BO}@unq.gbl.spaces"


def message(id_: str = "1709546400123", content: str = "hello", **fields: object) -> dict[str, object]:
    return {
        "id": id_,
        "displayName": "Ina",
        "originalarrivaltime": "2024-03-04T10:00:00.123Z",
        "messagetype": "RichText/Html",
        "content": content,
        "from": f"8:orgid:{INA}",
        "properties": None,
    } | fields


def conversation(id_: str, *messages: object, **fields: object) -> dict[str, object]:
    return {"id": id_, "displayName": None, "threadProperties": None} | fields | {"MessageList": list(messages)}


def imported(folder: Path, *conversations: object) -> Chats:
    account = {"userId": f"8:orgid:{INA}", "exportDate": "2024-05-01T00:00", "conversations": list(conversations)}
    return read(TeamsAccountExport(), written(folder / "messages.json", account))


def test_messages_have_the_ids_that_the_tenant_knows(tmp_path: Path):
    chats = imported(tmp_path, conversation(PAIR, message()))
    [record] = chats.records
    assert (record.author, record.lineage, record.text) == (INA, f"{PAIR}/1709546400123", "hello")
    assert (chats.channels[PAIR].kind, chats.channels[PAIR].members) == (ChannelKind.DIRECT, (INA, BO))


def test_conversations_have_the_members_that_they_name_or_the_account_alone(tmp_path: Path):
    listed = conversation(
        GROUP, message(), threadProperties={"topic": "Offsite", "members": f'["8:orgid:{INA}","8:live:cy"]'}
    )
    chats = imported(tmp_path, listed, conversation("19:x@thread.v2", message()), conversation("48:notes", message()))
    assert (chats.channels[GROUP].name, chats.channels[GROUP].members) == ("Offsite", (INA, "live:cy"))
    assert (chats.channels["19:x@thread.v2"].kind, chats.channels["19:x@thread.v2"].members) == (
        ChannelKind.GROUP,
        (INA,),
    )
    assert (chats.channels["48:notes"].kind, chats.channels["48:notes"].members) == (ChannelKind.DIRECT, (INA,))


def test_a_quotation_is_a_reply_and_not_the_words_of_whoever_quotes(tmp_path: Path):
    quote = (
        f'<quote authorname="Bo" conversation="{GROUP}" messageid="5"><legacyquote>[10:00] Bo: </legacyquote>'
        f"is it up?<legacyquote>&lt;&lt;&lt; </legacyquote></quote>yes <at id='8:orgid:{BO}'>Bo</at>"
    )
    [record] = imported(tmp_path, conversation(GROUP, message(content=quote))).records
    assert (record.text, record.reply_to, record.mentions) == ("> Bo: is it up?\nyes @Bo", f"{GROUP}/5", (BO,))
    assert record.text[slice(*record.quoted[0])] == "> Bo: is it up?\n"


def test_edits_deletions_files_and_activities(tmp_path: Path):
    chats = imported(
        tmp_path,
        conversation(
            GROUP,
            message("1", properties={"edittime": "1709546460000"}),
            message("2", content="", properties={"deletetime": "1709546460000"}),
            message(
                "3",
                content='<URIObject>View <OriginalName v="plan.pdf"/></URIObject>',
                messagetype="RichText/UriObject",
            ),
            message(
                "4", content="<addmember><target>8:live:cy</target></addmember>", messagetype="ThreadActivity/AddMember"
            ),
        ),
    )
    edited, deleted, file, activity = chats.records
    assert (edited.change, edited.valid_from_raw) == (Change.EDIT, "1709546460000")
    assert (deleted.change, deleted.text) == (Change.DELETE, "")
    assert (file.attachments, file.text) == ((Attachment("plan.pdf"),), "plan.pdf")
    assert (activity.event, activity.text) == ("AddMember", "live:cy")


def test_one_bad_message_and_a_file_that_ends_too_soon_lose_nothing_else(tmp_path: Path):
    account = {
        "userId": "8:ina",
        "conversations": [conversation(GROUP, message("1"), message("2", originalarrivaltime="x"), message("3"))],
    }
    text = json.dumps(account)
    chats = read(TeamsAccountExport(), written(tmp_path / "messages.json", text[: text.rindex('"from"')]))
    assert [record.lineage for record in chats.records] == [f"{GROUP}/1"]
    assert [bad.position for bad in chats.quarantined] == ["conversation 1 message 2", "conversation 1 message"]


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    account = {
        "userId": "8:ina",
        "conversations": [conversation(GROUP, message("1"), message("2")), conversation(PAIR, message("3"))],
    }
    content = json.dumps(account).encode()
    counts = [survives(TeamsAccountExport(), tmp_path / "messages.json", bad) for bad in damaged(content, seed=7)]
    assert sum(counts) > 400
