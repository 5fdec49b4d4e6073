"""The importer of mail as a whole: people, channels, threads, and what is left out with a reason."""

import gzip
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.unit.importers.mails import Imported, import_mails, mail, mbox
from treering.importers.mail import MailFiles
from treering.importers.tree import open_tree
from treering.model.drafts import ActorDraft, ActorKind, ChannelDraft, ChannelKind, RecordDraft, Skipped

SENT = datetime(2024, 3, 4, 9, tzinfo=UTC)
LIST = {"List_Id": "Operations <ops.kestrel.example>", "To": "ops@kestrel.example"}


def test_a_mail_arrives_with_its_people_its_channel_and_what_it_says(tmp_path):
    *drafts, record = import_mails(tmp_path, mail("See https://w.example/plan.\n")).drafts
    assert isinstance(record, RecordDraft)
    assert record.shared  # other mails may bear its id
    assert [*drafts, replace(record, shared=None)] == [
        ActorDraft("ana@kestrel.example", "Ana Lobo", ActorKind.HUMAN, since=SENT),
        ActorDraft("ben@kestrel.example", "Ben Okoro", ActorKind.UNKNOWN),
        ChannelDraft(
            "mail:ana@kestrel.example ben@kestrel.example",
            "Ana Lobo, Ben Okoro",
            ChannelKind.DIRECT,
            ("ana@kestrel.example", "ben@kestrel.example"),
        ),
        RecordDraft(
            source_id="p1@kestrel.example",
            channel="mail:ana@kestrel.example ben@kestrel.example",
            author="ana@kestrel.example",
            valid_from=SENT,
            valid_from_raw="Mon, 4 Mar 2024 10:00:00 +0100",
            text="See https://w.example/plan.",
            title="Plan",
            thread="p1@kestrel.example",
            tags=("to:ben@kestrel.example",),
            links=("https://w.example/plan",),
        ),
    ]


def test_mail_of_a_list_is_in_the_lists_channel_whose_readers_the_operator_knows(tmp_path):
    for visibility in (ChannelKind.PRIVATE, ChannelKind.PUBLIC):
        channels = import_mails(tmp_path, mail(**LIST), visibility=visibility).channels
        aliases = ("Operations", "ops.kestrel.example")
        assert channels == [ChannelDraft("list:ops.kestrel.example", "ops", visibility, None, aliases, stated=False)]


@pytest.mark.parametrize(
    ("field", "value", "channel"),
    [
        ("X_BeenThere", "ops@kestrel.example", "list:ops.kestrel.example"),
        ("List_Post", "<mailto:ops@kestrel.example?subject=x>", "list:ops.kestrel.example"),
        ("X_Mailing_List", "<ops@kestrel.example> archive/latest/7", "list:ops.kestrel.example"),
        ("Mailing_List", "contact ops@kestrel.example; run by ezmlm", "list:ops.kestrel.example"),
        ("Delivered_To", "mailing list ops@kestrel.example", "list:ops.kestrel.example"),
        ("Newsgroups", "kestrel.ops,kestrel.all", "news:kestrel.ops"),
        ("List_Post", "NO (posting not allowed)", "mail:ana@kestrel.example ben@kestrel.example"),
        ("Delivered_To", "ben@kestrel.example", "mail:ana@kestrel.example ben@kestrel.example"),
    ],
)
def test_a_list_is_known_by_the_marks_of_list_software_only(tmp_path, field, value, channel):
    assert [record.channel for record in import_mails(tmp_path, mail(**{field: value})).records] == [channel]


def test_a_mail_to_several_is_a_group_of_all_whom_it_names_but_not_of_blind_copies(tmp_path):
    group = mail(Cc="cy@kestrel.example", Bcc="eve@kestrel.example")
    imported = import_mails(tmp_path, group)
    (channel,) = imported.channels
    assert channel.kind is ChannelKind.GROUP
    assert channel.members == ("ana@kestrel.example", "ben@kestrel.example", "cy@kestrel.example")
    assert "eve@" not in str(imported.drafts)


def test_mail_that_names_no_receiver_has_unknown_readers(tmp_path):
    for to in (None, "undisclosed-recipients:;", "Undisclosed recipients: ;"):
        (channel,) = import_mails(tmp_path, mail(To=to)).channels
        assert channel == ChannelDraft("mailbox", "mailbox", ChannelKind.PRIVATE, None, stated=False)


def test_an_input_that_everybody_may_read_is_one_public_channel_beside_its_lists(tmp_path):
    other = mail(Message_ID="<p2@kestrel.example>", To="cy@kestrel.example")
    listed = mail(Message_ID="<p3@kestrel.example>", **LIST)
    imported = import_mails(tmp_path, mail(), other, listed, visibility=ChannelKind.PUBLIC)
    assert [(channel.id, channel.kind) for channel in imported.channels] == [
        ("mailbox", ChannelKind.PUBLIC),
        ("list:ops.kestrel.example", ChannelKind.PUBLIC),
    ]


def test_a_mail_without_an_author_has_an_unknown_one_and_is_not_lost(tmp_path):
    imported = import_mails(tmp_path, mail(From=None))
    assert [record.author for record in imported.records] == ["unknown"]
    assert imported.channels[0].members == ("ben@kestrel.example",)


@pytest.mark.parametrize(
    ("fields", "author"),
    [
        ({"From": "Ana <ana@k.example>, Cy <cy@k.example>"}, "ana@k.example"),
        ({"From": None, "Sender": "desk@k.example"}, "desk@k.example"),
        ({"From": None, "Return_Path": "<path@k.example>"}, "path@k.example"),
        ({"From": "Ana via ops <ops@k.example>", "X_Original_From": "Ana <ana@k.example>"}, "ana@k.example"),
        ({"From": "daemon", "To": "root"}, "daemon"),
    ],
)
def test_the_author_is_who_says_so_first(tmp_path, fields, author):
    assert import_mails(tmp_path, mail(**fields)).records[0].author == author


def test_names_are_dated_by_the_earliest_mail_that_gives_them(tmp_path):
    later = mail(
        Message_ID="<p2@k.example>", From="Ana Reis <ANA@kestrel.example>", Date="Tue, 5 Mar 2024 10:00:00 +0000"
    )
    again = mail(
        Message_ID="<p3@k.example>", From="Ana Reis <ana@kestrel.example>", Date="Wed, 6 Mar 2024 10:00:00 +0000"
    )
    actors = import_mails(tmp_path, again, later, mail()).actors
    assert [(actor.name, actor.since) for actor in actors if actor.id == "ana@kestrel.example"] == [
        ("Ana Lobo", SENT),
        ("Ana Reis", datetime(2024, 3, 5, 10, tzinfo=UTC)),
    ]


def test_programs_that_write_mail_are_bots(tmp_path):
    automatic = mail(From="builds@kestrel.example", Auto_Submitted="auto-generated")
    named = mail(From="no-reply@kestrel.example", Message_ID="<p2@kestrel.example>")
    kinds = {actor.id: actor.kind for actor in import_mails(tmp_path, automatic, named).actors}
    assert kinds["builds@kestrel.example"] is kinds["no-reply@kestrel.example"] is ActorKind.BOT


@pytest.mark.parametrize(
    ("fields", "reply_to", "thread"),
    [
        ({}, None, "p1@kestrel.example"),
        ({"In_Reply_To": "<a@k.example>"}, "a@k.example", "a@k.example"),
        ({"References": "<root@k.example> <a@k.example>"}, "a@k.example", "root@k.example"),
        ({"In_Reply_To": "<b@k.example>", "References": "<root@k.example>"}, "b@k.example", "root@k.example"),
        ({"In_Reply_To": "Ana's message of Mon, 4 Mar <a@k.example>"}, "a@k.example", "a@k.example"),
        ({"In_Reply_To": "<a@k.example"}, "a@k.example", "a@k.example"),
        ({"In_Reply_To": "<a@k.\n example>"}, "a@k.example", "a@k.example"),
        ({"In_Reply_To": "what you said", "References": ""}, None, "p1@kestrel.example"),
        ({"References": "<p1@kestrel.example>"}, None, "p1@kestrel.example"),
        ({"References": "<a@k.example> <cut off"}, "a@k.example", "a@k.example"),
    ],
)
def test_a_reply_knows_what_it_answers_and_its_threads_first_mail(tmp_path, fields, reply_to, thread):
    (record,) = import_mails(tmp_path, mail(**fields)).records
    assert (record.reply_to, record.thread) == (reply_to, thread)


def test_two_mails_that_answer_each_other_are_both_read(tmp_path):
    one = mail(Message_ID="<a@k.example>", In_Reply_To="<b@k.example>")
    two = mail(Message_ID="<b@k.example>", In_Reply_To="<a@k.example>")
    assert [record.reply_to for record in import_mails(tmp_path, one, two).records] == ["b@k.example", "a@k.example"]


def test_an_answer_within_the_same_second_comes_after_what_it_answers(tmp_path):
    answer = mail(Message_ID="<a@k.example>", References="<p1@kestrel.example>")
    question, replied = import_mails(tmp_path, mail(), answer).records
    assert (question.valid_from, question.order_hint) < (replied.valid_from, replied.order_hint)


def test_labels_and_marks_become_tags(tmp_path):
    fields = {"Keywords": "budget, travel", "X_Gmail_Labels": "Inbox,Work,Unread", "X_Spam_Flag": "YES"}
    (record,) = import_mails(tmp_path, mail(Cc="cy@k.example", X_No_Archive="yes", **fields)).records
    assert record.tags == (
        "to:ben@kestrel.example", "cc:cy@k.example", "budget", "travel", "Work", "spam", "no-archive"
    )  # fmt: skip


def test_text_files_are_documents_that_answer_the_mail(tmp_path):
    body = (
        "--b\nContent-Type: text/plain\n\nsee file\n"
        "--b\nContent-Type: text/markdown; name=plan.md; charset=iso-8859-1\n"
        "Content-Disposition: attachment\nContent-Transfer-Encoding: quoted-printable\n\n# Caf=E9\n"
        "--b\nContent-Type: application/pdf; name=x.pdf\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n"
    )
    imported = import_mails(tmp_path, mail(body, Content_Type="multipart/mixed; boundary=b"))
    (record,), (document,) = imported.records, imported.documents
    assert (record.text, document.text) == ("see file", "# Café")
    assert [(file.name, file.size, file.state) for file in record.attachments] == [
        ("plan.md", 6, ""),
        ("x.pdf", 3, "PDF that cannot be read"),
    ]
    assert (document.title, document.reply_to, document.channel) == ("plan.md", record.source_id, record.channel)


def test_an_attached_mail_is_a_mail_in_its_carriers_channel(tmp_path):
    inner = mail("We ship on Friday.\n", From="Cy <cy@partner.example>", Message_ID="<x@partner.example>").decode()
    body = f"--b\n\nFYI\n--b\nContent-Type: message/rfc822\n\n{inner}\n--b--\n"
    imported = import_mails(tmp_path, mail(body, Content_Type="multipart/mixed; boundary=b"))
    carrier, carried = imported.records
    assert (carrier.text, carried.text, carried.author) == ("FYI", "We ship on Friday.", "cy@partner.example")
    assert (carried.reply_to, carried.refs) == (carrier.source_id, ("x@partner.example",))
    assert carried.channel == carrier.channel
    assert carried.source_id != "x@partner.example"
    assert ActorDraft("cy@partner.example", "Cy") in imported.actors


def test_an_attached_mail_without_a_date_has_its_carriers(tmp_path):
    body = "From: cy@partner.example\nSubject: x\n\nhello\n"
    carrier, carried = import_mails(tmp_path, mail(body, Content_Type="message/rfc822")).records
    assert (carried.valid_from, carried.valid_from_raw) == (
        carrier.valid_from,
        f"of the mail around it: {carrier.valid_from_raw}",
    )


def test_a_folder_of_every_kind_of_mailbox_is_read_and_the_rest_is_named(tmp_path):
    files = {
        "Inbox": mbox(mail()),
        "Inbox.msf": b"// <!-- <mdb:mork:z v=1.4/> -->",
        "saved/hello.eml": mail(Message_ID="<p2@k.example>"),
        "Maildir/cur/1709.a.host:2,FS": mail(Message_ID="<p3@k.example>"),
        "Maildir/new/1710.b.host": mail(Message_ID="<p4@k.example>"),
        "Maildir/tmp/1711.c.host": mail(Message_ID="<p5@k.example>"),
        "Maildir/dovecot.index": b"\1\2",
        "notes.txt": b"remember the milk\n",
        "old.msg": b"\xd0\xcf\x11\xe0",
    }
    imported = Imported(tmp_path, files)
    assert imported.recognized
    assert sorted(record.source_id for record in imported.records) == [
        "p1@kestrel.example", "p2@k.example", "p3@k.example", "p4@k.example"
    ]  # fmt: skip
    assert {(skip.reason, skip.position) for skip in imported.skipped} == {
        ("beside mailboxes", "Inbox.msf"),
        ("beside mailboxes", "Maildir/tmp/1711.c.host"),
        ("beside mailboxes", "Maildir/dovecot.index"),
        ("no mail", "notes.txt"),
        ("Outlook's own file; a .pst is added by itself, a message saved as .eml", "old.msg"),
    }


def test_what_stands_before_the_damage_in_a_packed_mailbox_is_kept(tmp_path):
    mails = [mail("x" * 99 + "\n", Message_ID=f"<p{number}@k.example>") for number in range(2000)]
    imported = Imported(tmp_path, {"box.mbox.gz": gzip.compress(mbox(*mails))[:-400]})
    assert 0 < len(imported.records) < 2000
    assert [lost.position for lost in imported.quarantined] == [f"after mail {len(imported.records)}"]


def test_what_is_no_mail_within_a_mailbox_is_set_aside_with_its_words(tmp_path):
    deep = b"".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n".encode() for n in range(200))
    imported = import_mails(tmp_path, mail(), mail(deep, Content_Type="multipart/mixed; boundary=b0"))
    assert len(imported.records) == 1
    assert [(lost.position, lost.reason) for lost in imported.quarantined] == [
        ("mail 2", "parts within parts, deeper than 60")
    ]
    assert imported.quarantined[0].raw.startswith("From: Ana Lobo")


def test_notes_of_mail_programs_to_themselves_are_skipped(tmp_path):
    notes = mail(Subject="DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA")
    assert import_mails(tmp_path, notes).skipped == [Skipped("notes of a mail program about its folder", "mail 1")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("memo.txt", b"Date: 4 March\nSubject: lunch\nTo: all\n\nWe meet at noon.\n"),
        ("pep.rst", b"PEP: 8\nTitle: Style\nAuthor: Ana <ana@k.example>\nContent-Type: text/x-rst\n\nText\n"),
        ("page.md", b"---\nfrom: ana@k.example\nto: ben@k.example\ndate: 2024-03-04\n---\ntext\n"),
        ("chat.txt", b"10:00 <ana> From: here\n10:01 <ben> To: there\n"),
        ("poem.txt", b"From Russia with love\nYear: 1963\n"),
        ("empty.mbox", b""),
        ("data.json", b'{"From": "a@k.example", "To": "b@k.example"}'),
        ("METADATA", b"Metadata-Version: 2.1\nName: x\nVersion: 1\nAuthor-email: a@k.example\n\ntext\n"),
    ],
)
def test_what_only_begins_like_mail_is_not_recognized(tmp_path, name, content):
    imported = Imported(tmp_path, {name: content})
    assert not imported.recognized
    assert imported.drafts == [Skipped("no mail", name)]


def test_one_saved_mail_among_many_documents_does_not_make_a_folder_of_mails(tmp_path):
    documents = {f"docs/page-{number}.md": b"# Page\n" for number in range(30)}
    assert not Imported(tmp_path, {"hello.eml": mail()} | documents).recognized


@pytest.mark.parametrize("name", ["x.eml", "cur/1.host:2,S"])
def test_what_is_named_as_one_mail_needs_but_one_field(tmp_path, name):
    files = {name: b"Subject: =?NONE?B?VEVTVA=?=\n\nTEST\n", "other.eml": mail()}
    assert "TEST" in [record.title for record in Imported(tmp_path, files).records]


def test_the_source_does_not_depend_on_the_files(tmp_path):
    (tmp_path / "box").write_bytes(mbox(mail()))
    with open_tree(tmp_path / "box") as tree:
        assert MailFiles().source(tree) == "mail"
