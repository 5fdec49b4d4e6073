"""What holds for all mails: they may be split and ordered in any way, and damaged in any way."""

import random
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.importers.mails import Imported, as_set, mail, mbox
from treering.model.drafts import Quarantined, RecordDraft, Skipped

PEOPLE = ("ana@k.example", "Ana <ana@k.example>", "Ana Lobo <ana@k.example>", "Ben <ben@k.example>", "cy@k.example")
MULTIPART = (
    "--b\nContent-Type: multipart/alternative; boundary=c\n\n"
    "--c\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nSch=C3=B6n =\nso\n"
    "--c\nContent-Type: text/html\n\n<div>Sch&ouml;n<blockquote>so</blockquote></div>\n--c--\n"
    "--b\nContent-Type: text/plain; name*=utf-8''n%C3%A4.txt\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n"
    "--b\nContent-Type: message/rfc822\n\nFrom: Cy <cy@k.example>\nSubject: =?utf-8?B?w6k=?=\n\nhi\n--b--\n"
)

one_mail = st.builds(
    mail,
    st.sampled_from(["yes\n", "no\n", "From here\n\n> why\n"]),
    From=st.sampled_from(PEOPLE),
    To=st.sampled_from([*PEOPLE, None]),
    Date=st.sampled_from([f"Mon, {day} Mar 2024 10:00:00 +0100" for day in (4, 11)] + [None]),
    Message_ID=st.sampled_from(["<a@k.example>", "<b@k.example>", None]),
    List_Id=st.sampled_from(["<ops.k.example>", "Ops <ops.k.example>", "<all.k.example>", None]),
    In_Reply_To=st.sampled_from(["<a@k.example>", None]),
)


def boxed(*mails: bytes) -> bytes:
    """A mailbox that adds nothing to its mails, as a date in an envelope would."""
    return mbox(*mails, envelope="From -")


def import_anew(files: dict[str, bytes]) -> Imported:
    with tempfile.TemporaryDirectory() as root:
        return Imported(Path(root), files)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_split_and_order_of_mails_gives_the_same_drafts(data):
    mails = data.draw(st.lists(one_mail, min_size=1, max_size=6))
    whole = import_anew({"all.mbox": boxed(*mails)})
    shuffled = data.draw(st.permutations(mails))
    cut = data.draw(st.integers(0, len(mails)))
    first, rest = shuffled[:cut], shuffled[cut:]
    files = {"z.mbox": boxed(*first)} if first else {}
    files |= {f"cur/{number}.host:2,S": content for number, content in enumerate(rest)}
    again = import_anew(files)
    assert as_set(again.drafts) == as_set(whole.drafts)
    assert not whole.quarantined


@settings(max_examples=20, deadline=None)
@given(st.lists(one_mail, min_size=1, max_size=6))
def test_every_mail_ends_as_one_record_or_a_named_skip(mails):
    imported = import_anew({"all.mbox": boxed(*mails)})
    assert len(imported.records) + len(imported.skipped) == len(mails)
    said = {repr(replace(record, tags=(), links=(), valid_from_raw="")) for record in imported.records}
    assert len(said) == len(imported.records)


def test_no_damage_breaks_the_importer_and_what_is_undamaged_is_read():
    chance = random.Random(20240304)
    headers = {"Content_Type": "multipart/mixed; boundary=b", "MIME_Version": "1.0", "References": "<r@k.example>"}
    victim = mail(
        MULTIPART, Message_ID="<victim@k.example>", Received="from a by b; Mon, 4 Mar 2024 10:00:00 +0000", **headers
    )
    before, after = mail(Message_ID="<before@k.example>"), mail(Message_ID="<after@k.example>")
    signs = b"\0\r\n\t \"'<>()=?;:,-@\\%*/\x80\xe9\xff" + bytes(range(32, 127))
    with tempfile.TemporaryDirectory() as root:
        for number in range(250):
            damaged = bytearray(victim)
            for _ in range(chance.randint(1, 12)):
                place, length = chance.randrange(len(damaged)), chance.randint(0, 9)
                damaged[place : place + length] = bytes(chance.choices(signs, k=chance.randint(0, 9)))
            content = mbox(before) + mbox(bytes(damaged)) + mbox(after)
            imported = Imported(Path(root), {f"{number}.mbox": content})
            ids = {record.source_id for record in imported.records}
            assert {"before@k.example", "after@k.example"} <= ids
            assert all(isinstance(draft, (RecordDraft, Quarantined, Skipped)) or draft for draft in imported.drafts)
            for record in imported.records:
                assert record.valid_from.tzinfo is not None
                assert (record.text + record.title + record.author).encode()  # no lone surrogates


def test_noise_is_refused_and_never_breaks_anything():
    chance = random.Random(20240305)
    with tempfile.TemporaryDirectory() as root:
        for number in range(60):
            noise = bytes(chance.randrange(256) for _ in range(chance.randint(0, 400)))
            imported = Imported(Path(root), {f"{number}.eml": b"From: a@k.example\nSubject: x\n" + noise})
            assert len(imported.records) + len(imported.quarantined) == 1
