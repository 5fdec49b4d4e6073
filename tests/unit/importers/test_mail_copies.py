"""Mails that share a Message-ID, or have none: what is one, what is two, and under which ids."""

import itertools

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


def test_the_copy_that_came_through_a_list_stands_for_the_one_that_came_directly(tmp_path):
    listed = mail(f"All is ready.\n{FOOTER}", Subject="[ops] Plan", **VIA_OPS)
    for mails in ((mail(), listed), (listed, mail())):
        imported = import_mails(tmp_path, *mails)
        assert [(record.source_id, record.channel) for record in imported.records] == [
            ("p1@kestrel.example", "list:ops.kestrel.example")
        ]


def test_a_mail_to_two_lists_is_in_both(tmp_path):
    imported = import_mails(tmp_path, mail(**VIA_OPS), mail(**VIA_ALL), mail())
    assert {record.channel for record in imported.records} == {"list:ops.kestrel.example", "list:all.kestrel.example"}
    assert sum(record.source_id == "p1@kestrel.example" for record in imported.records) == 1
    assert [skip.reason for skip in imported.skipped] == ["another copy of a mail"]


def test_different_mails_with_one_id_are_all_kept_and_only_the_earliest_has_it_plain(tmp_path):
    changed = mail("All is lost.\n")
    later = mail("All is ready.\n", Date="Tue, 5 Mar 2024 10:00:00 +0000")
    imported = import_mails(tmp_path, later, changed, mail())
    assert len({record.source_id for record in imported.records}) == 3
    assert {record.text for record in imported.records} == {"All is lost.", "All is ready."}
    plain = next(record for record in imported.records if record.source_id == "p1@kestrel.example")
    assert plain.valid_from_raw == "Mon, 4 Mar 2024 10:00:00 +0100"
    suffixed = [record.source_id for record in imported.records if record is not plain]
    assert all(source_id.startswith("p1@kestrel.example#") and len(source_id) == 27 for source_id in suffixed)


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
