"""One small valid input for every importer, to be damaged by `test_fuzz_importers`: five messages, each with a word."""

from datetime import UTC, datetime
from pathlib import Path

from tests.soak.fuzz_case import OBJECTS, WORDS, Case, encoded, lines, row_per_line, rows
from tests.soak.fuzz_documents import SLACK_DAY, document_cases
from tests.unit.importers.bson_bytes import bson
from tests.unit.importers.mails import mail, mbox
from tests.unit.importers.slackdump_files import OPS, Database
from treering.importers.discord import DiscordExport
from treering.importers.discord_package import DiscordPackage
from treering.importers.github import GithubJson
from treering.importers.gitter import Gitter
from treering.importers.googlechat import GoogleChat
from treering.importers.irc import IrcLogs
from treering.importers.jira import JiraCsv, JiraJson
from treering.importers.mail import MailFiles
from treering.importers.matrix import MatrixExport
from treering.importers.mattermost import MattermostExport
from treering.importers.rocketchat import RocketChatDump
from treering.importers.slack import SlackExport
from treering.importers.slackdump_archive import SlackdumpArchive
from treering.importers.table import CsvTable, JsonLines
from treering.importers.teams import TeamsExport
from treering.importers.teams_account import TeamsAccountExport
from treering.importers.telegram import TelegramExport
from treering.importers.transcript import Transcripts
from treering.importers.whatsapp import WhatsAppExport
from treering.importers.zulip_archive import ZulipArchive
from treering.importers.zulip_export import ZulipExport

SENT = 1709546400  # 2024-03-04 10:00 UTC


def slackdump_database(folder: Path) -> bytes:
    database = Database(folder / "made.sqlite")
    database.channels(OPS)
    for number, word in enumerate(WORDS):
        ts = f"{1709546400 + 1_111 * number}.000100"
        database.messages("C0OPS", {"type": "message", "user": "U0INA", "text": word, "ts": ts})
    return database.path.read_bytes()


def cases(folder: Path) -> dict[str, Case]:
    """Every importer with its input, as small as it can be with five messages."""
    zulip = rows(lambda n, w: {"id": n, "sender": 8, "recipient": 5, "subject": "t", "content": w, "date_sent": SENT})
    realm = {
        "zerver_realm": [{"id": 1, "string_id": "k", "name": "K"}],
        "zerver_userprofile": [{"id": 8, "full_name": "Ina"}],
        "zerver_stream": [{"id": 5, "name": "ops", "invite_only": False}],
        "zerver_recipient": [{"id": 5, "type": 2, "type_id": 5}],
        "zerver_subscription": [],
    }
    matrix = rows(
        lambda n, w: {
            "type": "m.room.message", "event_id": f"$e{n}", "room_id": "!o:h.example", "sender": "@i:h.example",
            "origin_server_ts": 1709546400000 + n, "content": {"msgtype": "m.text", "body": w},
        }
    )  # fmt: skip
    google = rows(
        lambda n, w: {
            "creator": {"name": "Ina", "email": "i@h.example"}, "text": w, "message_id": f"A/t{n}/t{n}",
            "topic_id": f"t{n}",
            "created_date": f"Monday, March 4, 2024 at 10:0{n}:00 AM UTC",
        }
    )  # fmt: skip
    gitter = rows(
        lambda n, w: {
            "id": f"65e5a0{n}0ef44fde236e52f39", "sent": f"2024-03-04T10:0{n}:00.500Z", "text": w,
            "fromUser": {"id": "54d7876c15522ed4b3dbbef1", "username": "ina"},
        }
    )  # fmt: skip
    discord = rows(
        lambda n, w: {
            "id": f"121419512345678901{n}", "type": "Default", "timestamp": "2024-03-04T10:00:00+00:00", "content": w,
            "author": {"id": "7", "name": "ina"},
        }
    )  # fmt: skip
    telegram = rows(
        lambda n, w: {
            "id": n,
            "type": "message",
            "date_unixtime": "1709550000",
            "from": "I",
            "from_id": "user1",
            "text": w,
        }
    )
    teams = rows(
        lambda n, w: {
            "Id": f"170954640012{n}", "Body": {"ContentType": "html", "Content": w}, "MessageType": "message",
            "CreatedDateTime": "2024-03-04T10:00:00.123+00:00", "ChatId": "19:a@thread.v2",
            "From": {"User": {"Id": "11111111-0000-4000-8000-000000000000", "DisplayName": "Ina"}},
        }
    )  # fmt: skip
    skype = rows(
        lambda n, w: {
            "id": f"170954640012{n}", "originalarrivaltime": "2024-03-04T10:00:00.1Z", "messagetype": "Text",
            "content": w, "from": "8:ina", "displayName": "Ina", "conversationid": "19:a@thread.v2",
        }
    )  # fmt: skip
    issues = rows(lambda n, w: {"key": f"K-{n}", "fields": {"summary": w, "created": "2024-03-04T10:00:00.000+0000"}})
    github = rows(lambda n, w: {"number": n + 1, "title": w, "body": w, "created_at": "2024-03-04T10:00:00Z",
                                "url": f"https://api.github.com/repos/o/r/issues/{n + 1}",
                                "user": {"login": "ina"}})  # fmt: skip
    archive = rows(
        lambda n, w: {
            "id": n,
            "sender_id": 8,
            "sender_full_name": "Ina",
            "content": f"<p>{w}</p>",
            "timestamp": 1709546400,
        }
    )
    guild = {"guild": {"id": "5"}, "channel": {"id": "1", "type": "GuildTextChat"}}
    found = [
        Case(SlackExport(), "ops/2024-03-04.json", SLACK_DAY, {"users.json": b'[{"id": "U0INA"}]'}, OBJECTS),
        Case(SlackdumpArchive(), "slackdump.sqlite", slackdump_database(folder), {}),
        Case(
            ZulipExport(),
            "messages-000001.json",
            encoded({"zerver_message": zulip}),
            {"realm.json": encoded(realm)},
            OBJECTS,
        ),
        Case(
            ZulipArchive(), "zulip/1-ops/t.json", encoded(archive), {"zulip/stream_index.json": _zulip_index()}, OBJECTS
        ),
        Case(RocketChatDump(), "rocketchat_message.bson", bson(*rows(_rocket)), {}, b"ina\0\0\0"),  # type: ignore[arg-type]
        Case(MatrixExport(), "export.json", encoded({"room_name": "Ops", "messages": matrix}), {}, OBJECTS),
        Case(GoogleChat(), "Groups/Space A/messages.json", encoded({"messages": google}), {}, OBJECTS),
        Case(Gitter(), "ops.json", encoded(gitter), {}, OBJECTS),
        Case(DiscordExport(), "d.json", encoded(guild | {"messages": discord}), {}, OBJECTS),
        Case(
            DiscordPackage(),
            "messages/c1/messages.csv",
            _package(),
            {"messages/c1/channel.json": b'{"id": "1"}'},
            b"\n",
        ),
        Case(TelegramExport(), "result.json", encoded({"name": "H", "id": 4, "messages": telegram}), {}, OBJECTS),
        Case(TeamsExport(), "messages_a.json", encoded(teams), {}, OBJECTS),
        Case(
            TeamsAccountExport(),
            "m.json",
            encoded({"conversations": [{"id": "19:a", "MessageList": skype}]}),
            {},
            OBJECTS,
        ),
        Case(MattermostExport(), "m.jsonl", row_per_line(_post), {}, b"\n", resumes=True),
        Case(
            MailFiles(),
            "box.mbox",
            mbox(*(mail(f"{w}\n", Message_ID=f"<{w}@k.example>") for w in WORDS)),
            {},
            b"\nFrom ",
        ),
        Case(WhatsAppExport(), "chat.txt", lines(lambda n, w: f"13/3/24, 10:0{n} - Ina: {w}"), {}, b"\n"),
        Case(IrcLogs(), "#ops_20240304.log", lines(lambda n, w: f"[10:00:0{n}] <ina> {w}"), {}, b"\n"),
        Case(Transcripts(), "m.vtt", b"WEBVTT\n\n" + lines(_cue), {}, b"\n\n"),
        Case(JiraCsv(), "jira.csv", b"Issue key,Summary,Created\n" + lines(_jira), {}, b"\n"),
        Case(JiraJson(), "jira.json", encoded({"issues": issues}), {}, b"}}, {"),
        Case(GithubJson(), "issues.json", encoded(github), {}, OBJECTS),
        Case(JsonLines(), "a.jsonl", row_per_line(_plain), {}, b"\n", resumes=True),
        Case(CsvTable(), "a.csv", b"id,sent_at,author,channel,text\n" + lines(_row), {}, b"\n"),
    ]
    return {case.importer.name: case for case in found} | document_cases()


def _rocket(number: int, word: str) -> dict[str, object]:
    at = datetime(2024, 3, 4, 10, tzinfo=UTC)
    return {"_id": f"m{number}", "rid": "GENERAL", "msg": word, "ts": at, "u": {"_id": "uIna", "username": "ina"}}


def _zulip_index() -> bytes:
    topics = {"t": {"size": 5, "latest_date": SENT}}
    return encoded({"time": 1, "streams": {"ops": {"id": 1, "topic_data": topics}}})


def _package() -> bytes:
    return b"ID,Timestamp,Contents,Attachments\r\n" + lines(
        lambda n, w: f"121419512345678901{n},2024-03-04 10:00:00.123000+00:00,{w},"
    )


def _cue(number: int, word: str) -> str:
    return f"00:00:0{number}.000 --> 00:00:0{number}.900\n<v Person {number}>{word}\n"


def _jira(number: int, word: str) -> str:
    return f"KES-{number},{word},04/Mar/24 9:0{number} AM"


def _plain(number: int, word: str) -> dict[str, object]:
    return {"id": number, "sent_at": "2024-03-04T10:00:00Z", "author": "Ina", "channel": "ops", "text": word}


def _post(number: int, word: str) -> dict[str, object]:
    post = {"team": "t", "channel": "c", "user": "u", "create_at": SENT * 1000 + number, "message": word}
    return {"type": "post", "post": post}


def _row(number: int, word: str) -> str:
    return f"{number},2024-03-04T10:00:00Z,Ina,ops,{word}"
