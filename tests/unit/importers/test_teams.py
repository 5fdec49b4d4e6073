"""Microsoft Teams: exports of a tenant, and pages of Graph."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.importers.chats import Chats, damaged, read, survives, written
from tests.unit.importers.exports import write_folder, write_zip
from treering.importers.teams import TeamsExport
from treering.importers.teams_html import read_html
from treering.importers.tree import open_tree
from treering.model.drafts import ActorKind, Attachment, Change, ChannelKind

INA, BO, GUS, GONE = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "1239")
TEAM = "aaaaaaaa-0000-4000-8000-000000000000"
GENERAL, SECRET = "19:general@thread.tacv2", "19:secret@thread.tacv2"
PAIR, GROUP = f"19:{INA}_{BO}@unq.gbl.spaces", "19:planning@thread.v2"
SENT = "2024-03-04T10:00:00.123+00:00"
AT = datetime(2024, 3, 4, 10, 0, 0, 123000, tzinfo=UTC)

MESSAGES = f"teams/{TEAM}/messages_{TEAM}.json"
LISTS: dict[str, object] = {
    "teams/teamsList.json": [{"Name": "Rangers", "Privacy": "Public", "GroupsId": TEAM}],
    f"teams/{TEAM}/channels_{TEAM}.json": [
        {
            "Id": GENERAL,
            "DisplayName": "General",
            "MembershipType": "standard",
            "CreatedDateTime": "2024-01-02T03:04:05.6Z",
        },
        {"Id": SECRET, "DisplayName": "Secret", "MembershipType": "private"},
    ],
    f"teams/{TEAM}/teamMembers_{TEAM}.json": [
        {"Name": "Ina Reis", "UserId": INA, "UserName": "ina@heron.example", "Role": None},
        {"Name": "Gus", "UserId": GUS, "UserName": "gus_owl.example#EXT#@heron.example", "Role": None},
    ],
    "users/usersList.json": [
        {"Id": INA, "DisplayName": "Ina Reis", "Mail": None, "UserPrincipalName": "ina@heron.example"},
        {"Id": BO, "DisplayName": "Bo Strand", "Mail": "bo@heron.example", "UserPrincipalName": "bo@heron.example"},
    ],
}


def sender(user: str = INA, name: str = "Ina Reis", **more: object) -> dict[str, object]:
    return {"User": {"Id": user, "DisplayName": name, "UserIdentityType": "aadUser"} | more, "Application": None}


def body(content: str) -> dict[str, object]:
    return {"ContentType": "html", "Content": content}


def message(id_: str = "1709546400123", content: str = "<p>hello</p>", **fields: object) -> dict[str, object]:
    """A message in the channel General."""
    return {
        "Id": id_,
        "Body": body(content),
        "CreatedDateTime": SENT,
        "LastModifiedDateTime": "2024-03-04T11:00:00+00:00",
        "LastEditedDateTime": None,
        "DeletedDateTime": None,
        "Subject": None,
        "ReplyToId": None,
        "From": sender(),
        "Attachments": [],
        "Mentions": [],
        "Reactions": [],
        "MessageType": "message",
        "ChannelIdentity": {"TeamId": TEAM, "ChannelId": GENERAL},
        "ChatId": None,
        "EventDetail": None,
    } | fields


def chat(id_: str, chat_id: str, **fields: object) -> dict[str, object]:
    return message(id_) | {"ChannelIdentity": None, "ChatId": chat_id} | fields


def imported(folder: Path, *messages: object, **others: object) -> Chats:
    files = LISTS | {MESSAGES: list(messages)} | {name.replace("__", "/"): rows for name, rows in others.items()}
    return read(TeamsExport(), write_folder(folder, files))


def test_a_post_arrives_with_title_author_and_channel(tmp_path: Path):
    chats = imported(tmp_path, message(Subject="Release 4"))
    [record] = chats.records
    assert (record.title, record.text, record.author, record.channel) == ("Release 4", "hello", INA, GENERAL)
    assert (record.valid_from, record.valid_from_raw, record.lineage) == (AT, SENT, f"{GENERAL}/1709546400123")
    assert chats.actors[INA].aliases == ("ina@heron.example",)


def test_replies_hang_under_their_post(tmp_path: Path):
    root, reply = imported(tmp_path, message("1"), message("2", ReplyToId="1")).records
    assert (reply.thread, reply.reply_to) == (root.lineage, root.lineage)
    assert (root.thread, root.reply_to) == (None, None)


def test_a_standard_channel_follows_its_team_and_a_private_one_is_seen_by_nobody(tmp_path: Path):
    channels = imported(tmp_path, message()).channels
    assert (channels[GENERAL].name, channels[GENERAL].kind) == ("Rangers > General", ChannelKind.PUBLIC)
    assert channels[GENERAL].members == (INA, GUS)
    assert channels[GENERAL].since == datetime(2024, 1, 2, 3, 4, 5, 600000, tzinfo=UTC)
    assert (channels[SECRET].kind, channels[SECRET].members) == (ChannelKind.PRIVATE, None)


def test_of_two_lists_that_differ_the_more_closed_is_believed(tmp_path: Path):
    settings_list = [{"Id": TEAM, "DisplayName": "Rangers", "Visibility": "Private"}]
    channels = imported(tmp_path, message(), **{"teams__teamsSettings.json": settings_list}).channels
    assert (channels[GENERAL].kind, channels[GENERAL].members) == (ChannelKind.PRIVATE, (INA, GUS))


def test_a_channel_that_no_list_describes_is_seen_by_nobody(tmp_path: Path):
    gone = message(ChannelIdentity={"TeamId": TEAM, "ChannelId": "19:gone@thread.tacv2"})
    channel = imported(tmp_path, gone).channels["19:gone@thread.tacv2"]
    assert (channel.kind, channel.members, channel.stated) == (ChannelKind.PRIVATE, None, False)


def test_a_chat_of_two_lies_in_two_folders_and_is_one(tmp_path: Path):
    row = chat("7", PAIR)
    chats = imported(
        tmp_path, **{f"users__{INA}__messages_{INA}.json": [row], f"users__{BO}__messages_{BO}.json": [row]}
    )
    assert len(chats.records) == 2
    assert len(chats.content) == 1
    assert (chats.channels[PAIR].kind, chats.channels[PAIR].members) == (ChannelKind.DIRECT, (INA, BO))
    assert chats.channels[PAIR].name == "Bo Strand, Ina Reis"


def test_a_group_chat_is_seen_by_those_in_whose_folders_it_lies_and_has_its_latest_name(tmp_path: Path):
    renames = [
        chat(id_, GROUP, From=None, MessageType="systemEventMessage", CreatedDateTime=at, EventDetail=detail)
        for id_, at, detail in (
            (
                "9",
                "2024-03-06T00:00:00Z",
                {"@odata.type": "#microsoft.graph.chatRenamedEventMessageDetail", "chatDisplayName": "Offsite"},
            ),
            ("8", "2024-03-05T00:00:00Z", {"EventType": None, "ChatRenamed": {"ChatDisplayName": "Retreat"}}),
        )
    ]
    chats = imported(
        tmp_path,
        **{
            f"users__{INA}__messages_{INA}.json": [*renames, chat("7", GROUP)],
            f"users__{BO}__messages_{BO}.json": [chat("7", GROUP)],
        },
    )
    channel = chats.channels[GROUP]
    assert (channel.kind, channel.members) == (ChannelKind.GROUP, (INA, BO))
    assert (channel.name, channel.aliases) == ("Offsite", ("Retreat",))
    assert [record.event for record in chats.records] == ["chatRenamed", "chatRenamed", None, None]


def test_a_sender_whom_the_lists_have_forgotten_keeps_the_name_of_the_message_b54(tmp_path: Path):
    forgotten = imported(tmp_path, message(From=sender(GONE, "Will Begon"))).actors[GONE]
    assert (forgotten.name, forgotten.kind) == ("Will Begon", ActorKind.UNKNOWN)


def test_no_sender_and_an_event_is_what_the_system_tells_b54(tmp_path: Path):
    detail = {
        "EventType": None,
        "Initiator": {"User": {"Id": BO, "DisplayName": None}},
        "MembersAdded": [{"User": {"DisplayName": "Gus"}}],
    }
    row = message(content="<systemEventMessage/>", From=None, MessageType="unknownFutureValue", EventDetail=detail)
    [record] = imported(tmp_path, row).records
    assert (record.event, record.text, record.author) == ("membersAdded", "Gus", BO)


def test_bots_guests_and_people_from_elsewhere_are_told_apart(tmp_path: Path):
    app = {"User": None, "Application": {"Id": "app-1", "DisplayName": "Polls"}}
    outside = sender("4", "Vera", UserIdentityType="federatedUser")
    actors = imported(tmp_path, message("1", From=app), message("2", From=outside), message("3", From=None)).actors
    kinds = {name: actors[name].kind for name in ("app-1", "4", GUS, BO)}
    assert kinds == {"app-1": ActorKind.BOT, "4": ActorKind.EXTERNAL, GUS: ActorKind.EXTERNAL, BO: ActorKind.HUMAN}


def test_a_reaction_does_not_make_an_edit_but_an_edit_does(tmp_path: Path):
    modified = message("1", Reactions=[{"ReactionType": "like"}], MessageHistory=[{"Actions": "reactionAdded"}])
    plain, edited = imported(
        tmp_path, modified, message("2", LastEditedDateTime="2024-03-04T10:05:00.93+00:00")
    ).records
    assert plain.change is Change.NEW
    assert (edited.change, edited.created_at) == (Change.EDIT, AT)
    assert edited.valid_from == datetime(2024, 3, 4, 10, 5, 0, 930000, tzinfo=UTC)


def test_a_deleted_message_is_a_deletion_without_text(tmp_path: Path):
    row = message("1", content="", DeletedDateTime="2024-03-04T10:09:00Z", Subject="secret plan")
    [deletion] = imported(tmp_path, row).records
    assert (deletion.change, deletion.text, deletion.title) == (Change.DELETE, "", "")
    assert (deletion.created_at, deletion.lineage) == (AT, f"{GENERAL}/1")


def test_mentions_are_those_of_the_list_not_names_in_the_text(tmp_path: Path):
    mention = {"Id": 0, "MentionText": "Bo", "Mentioned": {"User": {"Id": BO, "DisplayName": "Bo Strand"}}}
    [record] = imported(
        tmp_path, message(content='<p><at id="0">Bo</at>, ask Ina Reis</p>', Mentions=[mention])
    ).records
    assert (record.text, record.mentions) == ("@Bo, ask Ina Reis", (BO,))


def test_quoting_in_a_chat_is_a_reply_whose_quoted_words_are_set_apart(tmp_path: Path):
    content = json.dumps(
        {"messageId": "6", "messagePreview": "is it up?", "messageSender": {"user": {"displayName": "Bo"}}}
    )
    quote = {"Id": "6", "ContentType": "messageReference", "Content": content}
    row = chat("7", PAIR, Body=body('<attachment id="6"></attachment><p>yes</p>'), Attachments=[quote])
    [record] = imported(tmp_path, row).records
    assert (record.text, record.reply_to, record.refs) == ("> Bo: is it up?\nyes", f"{PAIR}/6", (f"{PAIR}/6",))
    [(start, stop)] = record.quoted
    assert record.text[start:stop] == "> Bo: is it up?\n"


def test_a_forwarded_message_is_marked_as_the_words_of_somebody_else(tmp_path: Path):
    content = json.dumps(
        {
            "originalMessageId": "5",
            "originalConversationId": GROUP,
            "originalMessageContent": "<p>budget is 9k</p>",
            "originalMessageSender": {"user": {"displayName": "Cy"}},
        }
    )
    forward = {"Id": "x", "ContentType": "forwardedMessageReference", "Content": content}
    [record] = imported(tmp_path, chat("7", PAIR, Body=body("<p>fyi</p>"), Attachments=[forward])).records
    assert (record.text, record.refs, record.tags) == ("fyi\n> Cy: budget is 9k", (f"{GROUP}/5",), ("forwarded",))


def test_what_only_a_card_says_is_found(tmp_path: Path):
    facts = {"type": "FactSet", "facts": [{"title": "Book", "value": "RB-12"}]}
    blocks = [{"type": "TextBlock", "text": "CPU 97% on db-2"}, facts]
    card = {
        "Id": "c",
        "ContentType": "application/vnd.microsoft.card.adaptive",
        "Content": json.dumps({"body": blocks}),
    }
    [record] = imported(tmp_path, message(content='<attachment id="c"></attachment>', Attachments=[card])).records
    assert record.text == "CPU 97% on db-2\nBook\nRB-12"


def test_files_and_images_are_known_by_name(tmp_path: Path):
    file = {"Id": "f", "ContentType": "reference", "ContentUrl": "https://x.example/p.docx", "Name": "plan.docx"}
    [record] = imported(
        tmp_path, message(content='<img alt="rack" src="https://g.example/x">', Attachments=[file])
    ).records
    assert record.attachments == (Attachment("rack", "image", None, "not exported"), Attachment("plan.docx"))
    assert record.text == "rack\nplan.docx"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a&nbsp;b</p>\n<p>&nbsp;</p><p>c &amp;lt; d</p>", "a b\nc &lt; d"),
        ("<ul><li>x</li><li>y<ol><li>z</li></ol></li></ul>", "* x\n* y\n  1. z"),
        ("<codeblock class='Python'><code>if x:\n    y</code></codeblock>", "if x:\n    y"),
        ('<emoji id="smile" alt="😀"></emoji> ok <img itemtype="http://schema.skype.com/Emoji" alt="👍">', "😀 ok 👍"),
        ("<blockquote><p>said</p></blockquote><p>so</p>", "> said\nso"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a | b |"),
        ("<script>x</script><p>left open <b>bold", "left open bold"),
        ("<![CDATA[x]]><p>y</p>", "<![CDATA[x]]>\ny"),
        ("no tags < here", "no tags < here"),
    ],
)
def test_html_becomes_plain_lines(html: str, text: str):
    assert read_html(html).text == text


def test_pages_of_graph_are_read_in_camel_case_without_any_list(tmp_path: Path):
    row = {
        "id": "1",
        "createdDateTime": "2024-03-04T10:00:00Z",
        "messageType": "message",
        "body": {"contentType": "text", "content": "a < b"},
        "from": {"user": {"id": INA, "displayName": "Ina"}},
        "channelIdentity": {"teamId": TEAM, "channelId": GENERAL},
    }
    chats = read(
        TeamsExport(), written(tmp_path / "page.json", {"@odata.nextLink": "https://x.example", "value": [row]})
    )
    assert (chats.texts, chats.actors[INA].name) == (["a < b"], "Ina")
    assert chats.channels[GENERAL].members is None


def test_the_id_is_the_time_where_the_time_does_not_read(tmp_path: Path):
    [record] = imported(tmp_path, message(CreatedDateTime="?")).records
    assert (record.valid_from, record.valid_from_raw) == (AT, "id 1709546400123")


def test_one_bad_entry_is_kept_aside_and_the_rest_goes_in(tmp_path: Path):
    rows = [message("1"), message(None), message("x", CreatedDateTime=None), "text", message("2", Body=None, From="?")]  # type: ignore[arg-type]
    whole = json.dumps(rows)
    folder = write_folder(tmp_path, LISTS | {MESSAGES: (whole[:-1] + ', {"Id": "3", "Bo').encode()})
    chats = read(TeamsExport(), folder)
    assert [record.lineage[-2:] for record in chats.records] == ["/1", "/2"]
    assert [bad.position for bad in chats.quarantined] == ["entry 2", "entry 3", "entry 4", "entry 6"]


def test_other_files_are_named_skips_and_a_zip_will_do(tmp_path: Path):
    files = LISTS | {MESSAGES: [message()], "teams/x/teamInstalledApps_x.json": [{"AppId": "1"}], "readme.txt": b"x"}
    chats = read(TeamsExport(), write_zip(tmp_path / "TeamsData.zip", files))
    assert (len(chats.records), chats.skipped) == (1, ["not a file of messages"] * 2)


def test_lists_without_messages_are_not_taken_for_it(tmp_path: Path):
    with open_tree(write_folder(tmp_path, LISTS)) as tree:
        assert not TeamsExport().recognizes(tree)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_and_any_split_gives_the_same_records(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    rows = [
        message(
            str(number),
            f"<p>{number}</p>",
            ReplyToId=data.draw(st.sampled_from([None, "0"])),
            Subject=data.draw(st.sampled_from(["", "s"])),
        )
        for number in range(data.draw(st.integers(1, 6)))
    ]
    shuffled, cut = data.draw(st.permutations(rows)), data.draw(st.integers(0, len(rows)))
    folder = tmp_path_factory.mktemp("teams")
    whole = imported(folder / "whole", *rows)
    parts = [imported(folder / str(n), *part) for n, part in enumerate((shuffled[:cut], shuffled[cut:])) if part]
    assert frozenset().union(*(part.content for part in parts)) == whole.content


def test_damaged_files_raise_nothing_but_our_own_errors(tmp_path: Path):
    rows = [
        message("1", Subject="s"),
        chat("2", PAIR, Body=body("<p>x <at id='0'>y</at><blockquote>q")),
        message("3", DeletedDateTime=SENT),
    ]
    counts = [survives(TeamsExport(), tmp_path / "m.json", bad) for bad in damaged(json.dumps(rows).encode(), seed=5)]
    assert sum(counts) > 400


@pytest.mark.parametrize(
    "odd",
    [
        "<div>",
        "</p>",
        "<li>",
        "&nbsp;",
        " ",
        "<pre> ",
        "<at>",
        "<blockquote>",
        "&#",
        "<!",
        "<a href=https://x.example>",
    ],
)
def test_html_made_to_be_slow_is_read_like_any_other(odd: str):
    assert read_html(f"begin {odd * 20_000} end").text.startswith("begin")
