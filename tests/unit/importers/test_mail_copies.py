"""Mails that share a Message-ID, or have none: what is one, what is two, and under which ids."""

import itertools
from pathlib import Path

from tests.unit.importers.mails import Imported, as_set, import_mails, mail, mbox
from treering.model.drafts import Skipped

VIA_OPS = {"List_Id": "<ops.kestrel.example>"}
VIA_ALL = {"List_Id": "<all.kestrel.example>"}
FOOTER = "\n_______________________________________________\nops mailing list\nops@kestrel.example\n"


def test_the_same_mail_in_two_mailboxes_is_one_record(tmp_path):
    again = mail(Received="from x by y; Mon, 4 Mar 2024 10:00:09 +0000", Delivered_To="ben@kestrel.example")
    imported = Imported(tmp_path, {"ana.mbox": mbox(mail()), "ben.mbox": mbox(again)})
    assert [record.source_id for record in imported.records] == ["p1@kestrel.example"]
    assert imported.skipped == [Skipped("another copy of a mail", "mail 1")]


def marks(*mails: bytes, root: Path) -> list[str]:
    """What tells the mails from others of their id."""
    return [record.shared.mark for record in import_mails(root, *mails).records if record.shared]


def test_a_mail_that_came_through_a_list_and_directly_is_there_for_the_readers_of_either(tmp_path):
    listed = mail(f"All is ready.\n{FOOTER}", Subject="[ops] Plan", **VIA_OPS)
    imported = import_mails(tmp_path, mail(), listed)
    assert [(record.source_id, record.channel) for record in imported.records] == [
        ("p1@kestrel.example", "mail:ana@kestrel.example ben@kestrel.example"),
        ("p1@kestrel.example", "list:ops.kestrel.example"),
    ]


def test_mails_with_one_id_are_told_apart_by_channel_and_words_alone(tmp_path):
    later = mail("All is ready.\n", Date="Tue, 5 Mar 2024 10:00:00 +0000")
    different = [mail(), mail(**VIA_OPS), mail(**VIA_ALL), mail("All is lost.\n"), later]
    assert len(set(marks(*different, root=tmp_path))) == 5
    assert [mark for one in different for mark in marks(one, root=tmp_path)] == marks(*different, root=tmp_path)


def test_a_footer_and_white_space_make_no_other_mail(tmp_path):
    plain, listed = mail(**VIA_OPS), mail(f"All  is\nready.\n{FOOTER}", Subject="[ops] Plan", **VIA_OPS)
    assert len(set(marks(plain, listed, root=tmp_path))) == 1


def test_which_of_them_is_which_does_not_depend_on_their_order(tmp_path):
    mails = [mail(), mail(**VIA_OPS), mail("All is lost.\n"), mail(**VIA_ALL)]
    found = {frozenset(as_set(import_mails(tmp_path, *order).drafts)) for order in itertools.permutations(mails)}
    assert len(found) == 1


def test_mails_without_an_id_have_a_hash_of_what_transport_does_not_change(tmp_path):
    one = mail(Message_ID=None, Received="from x by y; Mon, 4 Mar 2024 10:00:09 +0000")
    two = mail(Message_ID=None, Received="from z by y; Mon, 4 Mar 2024 10:00:29 +0000")
    other = mail("All is lost.\n", Message_ID=None)
    imported = import_mails(tmp_path, one, two, other)
    assert [record.source_id[:7] for record in imported.records] == ["sha256:", "sha256:"]
    assert len({record.source_id for record in imported.records}) == 2
    assert [skip.reason for skip in imported.skipped] == ["another copy of a mail"]


def test_a_mail_reads_the_same_from_an_mbox_and_from_a_file_of_its_own(tmp_path):
    content = mail("Hello,\n\nFrom my side all is ready.\n\n> they wrote\n>From there\n")
    boxed = import_mails(tmp_path / "a", content).records
    (single,) = Imported(tmp_path / "b", {"p1.eml": content}).records
    assert "From my side" in single.text
    assert [(record.source_id, record.text) for record in boxed] == [(single.source_id, single.text)]
