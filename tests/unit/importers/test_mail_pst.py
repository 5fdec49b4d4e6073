"""Outlook's archives: small ones, made byte by byte, and single items in the shape in which libpff gives them."""

import importlib.util
import struct
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from tests.unit.importers.pst_bytes import INBOX, ROOT_FOLDER, pst
from treering.errors import UnreadableInput
from treering.importers.mail_letters import letter_from
from treering.importers.mail_mapi import headers_of_item, is_mail, parts_of_item
from treering.importers.mail_pst import OutlookArchive
from treering.importers.protocol import ImportOptions
from treering.importers.tree import FileTree, open_tree
from treering.model.drafts import Attachment, Draft, Quarantined, RecordDraft

needs_libpff = pytest.mark.skipif(importlib.util.find_spec("pypff") is None, reason="the extra pst is not installed")


@dataclass
class Entry:
    entry_type: int
    value: object

    @property
    def data(self):
        return struct.pack("<I", self.value) if isinstance(self.value, int) else str(self.value).encode("utf-16-le")

    @property
    def data_as_string(self):
        if isinstance(self.value, int):
            raise OSError("no text")
        return self.value


@dataclass
class EntrySet:
    entries: list[Entry]


@dataclass
class Thing:
    record_sets: list[EntrySet]
    size: int = 0
    content: bytes = b""

    def read_buffer(self, size):
        return self.content[:size]


def thing(*sets: Mapping[int, object], content: bytes = b"") -> Thing:
    return Thing([EntrySet([Entry(*pair) for pair in each.items()]) for each in sets], len(content), content)


@dataclass
class Item:
    """A mail that was sent from Outlook, so that it has no header of its own."""

    properties: Mapping[int, object] = field(default_factory=lambda: {0x001A: "IPM.Note", 0x1035: "<p1@k.example>"})
    subject: str | None = "Plan"
    sender_name: str | None = "Ana Lobo"
    transport_headers: str | None = None
    client_submit_time: datetime | None = datetime(2024, 3, 4, 10)  # noqa: DTZ001 - libpff gives naive ones, UTC
    delivery_time: datetime | None = None
    plain_text_body: bytes | None = b"All is ready.\r\n"
    html_body: bytes | None = None
    rtf_body: bytes | None = None
    recipients: Thing | None = None
    files: Iterable[Thing] = ()

    @property
    def record_sets(self):
        return thing(self.properties).record_sets

    number_of_attachments: int = 0

    def __post_init__(self):
        self.number_of_attachments = len(list(self.files))

    def get_attachment(self, number):
        return list(self.files)[number]


def letter(item: Item):
    return letter_from(headers_of_item(item), parts_of_item(item))


def test_a_sent_mail_is_put_together_from_its_properties():
    people = thing(
        {0x3001: "Ben Okoro", 0x3003: "/O=K/CN=BEN", 0x39FE: "ben@k.example", 0x0C15: 1},
        {0x3001: "Cy", 0x3003: "cy@k.example", 0x0C15: 2},
        {0x3001: "Eve", 0x3003: "eve@k.example", 0x0C15: 3},
    )
    properties = {0x001A: "IPM.Note", 0x5D01: "ana@k.example", 0x1035: "<p2@k.example>", 0x1042: "<p1@k.example>"}
    found = letter(Item(properties, recipients=people))
    assert (found.author.id, found.author.name) == ("ana@k.example", "Ana Lobo")
    assert [address.id for address in (*found.to, *found.cc)] == ["ben@k.example", "cy@k.example"]
    assert (found.message_id, found.answered, found.subject, found.text) == (
        "p2@k.example", "p1@k.example", "Plan", "All is ready."
    )  # fmt: skip
    assert found.sent.at.isoformat() == "2024-03-04T10:00:00+00:00"


def test_the_header_that_came_with_a_mail_goes_before_its_properties():
    header = (
        "From: Vera <vera@partner.example>\r\nMessage-ID: <v1@partner.example>\r\nSubject: =?utf-8?Q?Caf=C3=A9?=\r\n"
    )
    found = letter(Item(transport_headers=header))
    assert (found.author.id, found.message_id, found.subject) == ("vera@partner.example", "v1@partner.example", "Café")
    assert found.sent.at.year == 2024  # the header has no date


@pytest.mark.parametrize(
    ("bodies", "text"),
    [
        ({"plain_text_body": b"plain", "html_body": b"<p>rich</p>"}, "plain"),
        ({"plain_text_body": None, "html_body": b"<p>rich</p>"}, "rich"),
        ({"plain_text_body": b" ", "rtf_body": b"{\\rtf1\\ansi only\\par this}"}, "only\nthis"),
        ({"plain_text_body": None}, ""),
    ],
)
def test_the_plainest_body_that_says_anything_is_the_text(bodies, text):
    assert letter(Item(**bodies)).text == text


def test_files_are_listed_and_mails_within_mails_are_named_as_not_read():
    files = [
        thing({0x3707: "plan.txt", 0x370E: "text/plain", 0x3705: 1}, content=b"the plan"),
        thing({0x3001: "Re: x", 0x3705: 5}),
        thing({}),
    ]
    found = letter(Item(files=files))
    assert found.attachments == (
        Attachment("plan.txt", "text/plain", 8),
        Attachment("Re: x", "message/rfc822", state="mail in a mail, not read"),
        Attachment("unnamed", "", 0),
    )
    assert [file.content for file in found.files] == [b"the plan"]


@pytest.mark.parametrize(
    ("kind", "is_one"),
    [("IPM.Note", True), ("REPORT.IPM.Note.NDR", True), ("IPM.Contact", False), ("IPM.Appointment", False)],
)
def test_appointments_and_contacts_are_no_mails(kind, is_one):
    assert is_mail(Item({0x001A: kind})) is is_one


def archive(tmp_path: Path, content: bytes = b"!BDN" + bytes(600)) -> FileTree:
    path = tmp_path / "mail.pst"
    path.write_bytes(content)
    return open_tree(path)


def test_without_libpff_an_archive_is_recognized_and_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pypff", None)
    with archive(tmp_path) as tree:
        assert OutlookArchive().recognizes(tree)
        with pytest.raises(UnreadableInput, match=r"treering\[pst\]"):
            list(OutlookArchive().extract(tree, ImportOptions()))


@needs_libpff
def test_a_damaged_archive_is_refused_with_what_to_do(tmp_path):
    with archive(tmp_path) as tree, pytest.raises(UnreadableInput, match="scanpst"):
        list(OutlookArchive().extract(tree, ImportOptions()))


def mail(word: str) -> dict[int, str]:
    return {
        0x001A: "IPM.Note",
        0x0037: word,
        0x1000: f"about {word}",
        0x1035: f"<{word}@k.example>",
        0x0C1F: "i@k.example",
    }


def drafts_of(tmp_path: Path, content: bytes) -> list[Draft]:
    with archive(tmp_path, content) as tree:
        return [drafted.draft for drafted in OutlookArchive().extract(tree, ImportOptions())]


@needs_libpff
def test_the_mails_of_an_archive_are_those_of_other_mail(tmp_path):
    found = [one for one in drafts_of(tmp_path, pst([mail("plan"), mail("lunch")])) if isinstance(one, RecordDraft)]
    assert [(one.source_id, one.title, one.text, one.author) for one in found] == [
        ("plan@k.example", "plan", "about plan", "i@k.example"),
        ("lunch@k.example", "lunch", "about lunch", "i@k.example"),
    ]


@needs_libpff
def test_b53_a_folder_that_counts_more_than_can_be_found_says_so(tmp_path):
    drafts = drafts_of(tmp_path, pst([mail("plan")], told=3))
    assert [one.reason for one in drafts if isinstance(one, Quarantined)] == [
        "the folder counts 3 items, and 1 can be found"
    ]


@needs_libpff
@pytest.mark.parametrize("lost", ["top", "Inbox"])
def test_a_folder_that_damage_hides_is_told(tmp_path, lost):
    content = bytearray(pst([mail("plan")]))
    row = content.index(struct.pack("<QQ", *{"top": (ROOT_FOLDER, 8), "Inbox": (INBOX, 16)}[lost]))
    content[row] ^= 0xFF
    assert [one for one in drafts_of(tmp_path, bytes(content)) if isinstance(one, Quarantined)]


def test_what_is_no_archive_is_not_recognized(tmp_path):
    with archive(tmp_path, b"From a@k.example") as tree:
        assert not OutlookArchive().recognizes(tree)
        assert OutlookArchive().source(tree) == "mail"
