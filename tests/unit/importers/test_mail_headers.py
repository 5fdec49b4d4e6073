"""Headers, addresses, dates and charsets, as broken as they come."""

from datetime import UTC, datetime

import pytest

from treering.importers.document_dates import UNDATED
from treering.importers.mail_addresses import Address, addresses
from treering.importers.mail_charsets import decoded, transfer_decoded
from treering.importers.mail_dates import mail_moment, read_mail_date
from treering.importers.mail_headers import Headers, parameterized, split_head


def subject(line: bytes, more: bytes = b"") -> str:
    return Headers.parse(b"Subject: " + line + b"\n" + more).text("subject")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"=?iso-8859-1?Q?caf=E9_now?=", "café now"),
        (b"=?utf-8?B?Y2Fmw6k=?= and =?ISO-8859-15?q?=A4?=", "café and €"),
        (b"=?utf-8?Q?Caf=C3?=\r\n =?utf-8?Q?=A9?=", "Café"),
        (b"=?utf-8*en?Q?a?= =?us-ascii?Q?b?=", "ab"),
        (b"=?NONE?B?VEVTVA=?=", "TEST"),
        (b"=?gb2312?B?086yyZjl?=", "游采樺"),
        (b"=?utf-8?Q?never ends", "=?utf-8?Q?never ends"),
        (b"=?utf-8?B?!!!?=", ""),
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "café"),
        (b"two\r\n\tlines", "two lines"),
        (b"", ""),
    ],
)
def test_a_subject_is_decoded_whatever_was_done_to_it(line, text):
    assert subject(line) == text


def test_a_raw_subject_is_read_in_the_charset_of_the_body():
    assert subject("한국말".encode("cp949"), b"Content-Type: text/plain; charset=EUC-KR\n") == "한국말"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ('attachment; filename="a b.txt"', "a b.txt"),
        ("attachment; filename=a b.txt", "a b.txt"),
        ('attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'),
        ("attachment; filename*=utf-8''na%C3%AFve.txt", "naïve.txt"),
        ("attachment; filename*0*=utf-8''na%C3; filename*1*=%AFve; filename*2=.txt", "naïve.txt"),
        ('attachment; filename="=?utf-8?B?44Gm44GZ44GoLnR4dA==?="', "てすと.txt"),
        ("attachment; filename*=nonsense", "nonsense"),
    ],
)
def test_the_name_of_a_file_is_read_in_every_spelling(value, name):
    assert parameterized(value).parameters["filename"] == name


@pytest.mark.parametrize(
    ("content", "fields", "body"),
    [
        (b"A: 1\nB: 2\n\nbody", ["a", "b"], b"body"),
        (b"A: 1\r\nB: 2\r\n\r\nbody", ["a", "b"], b"body"),
        (b"A: 1\rB: 2\r\rbody", ["a", "b"], b"body"),
        (b">From x@k.example\nA: 1\n\nbody", ["a"], b"body"),
        (b"A: 1\nnonsense\nB: 2\n\nbody", ["a", "b"], b"body"),
        (b"A: 1\nno field here\nnor here\n\nbody", ["a"], b"no field here\nnor here\n\nbody"),
        (b"A: 1", ["a"], b""),
        (b"To: a@k.example,\n\t\n\tb@k.example\nSubject: x\n\nbody", ["to", "subject"], b"body"),
        (b"\n\nA: 1\n\nbody", ["a"], b"body"),
        (b"no header at all", [], b"no header at all"),
    ],
)
def test_a_header_ends_where_the_fields_do(content, fields, body):
    block, rest = split_head(content)
    assert ([name for name, _ in Headers.parse(block).fields], rest) == (fields, body)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("ana@k.example", [("ana@k.example", "")]),
        ("Ana Lobo <ANA@K.Example>", [("ana@k.example", "Ana Lobo")]),
        ('"Lobo, Ana" <ana@k.example>, ben@k.example', [("ana@k.example", "Lobo, Ana"), ("ben@k.example", "")]),
        ("Lobo, Ana <ana@k.example>", [("ana@k.example", "Lobo, Ana")]),
        ("ana@k.example (Ana Lobo)", [("ana@k.example", "Ana Lobo")]),
        ("ana at k.example (Ana Lobo)", [("ana@k.example", "Ana Lobo")]),
        ("=?utf-8?Q?J=C3=B8rn?= <j@k.example>", [("j@k.example", "Jørn")]),
        ('"=?utf-8?Q?J=C3=B8rn?=" <j@k.example>', [("j@k.example", "Jørn")]),
        ("a@k.example <b@k.example>", [("b@k.example", "a@k.example")]),
        ("b@k.example <b@k.example>", [("b@k.example", "")]),
        ("team: a@k.example, b@k.example;", [("a@k.example", ""), ("b@k.example", "")]),
        ("undisclosed-recipients:;", []),
        ("<Undisclosed-Recipient:@k.example;>", []),
        ("daemon, root", [("daemon", "daemon"), ("root", "root")]),
        ("daemon, Ben <ben@k.example>", [("ben@k.example", "daemon, Ben")]),
        ("Ana [mailto:ana@k.example]", [("ana@k.example", "Ana")]),
        ("mailto:ana@k.example", [("ana@k.example", "")]),
        ("Ana <ana@k.example", [("ana@k.example", "Ana")]),
        ("/O=KESTREL/CN=ANA", [("/o=kestrel/cn=ana", "/O=KESTREL/CN=ANA")]),
        ("Jöhn <jöe@mächine.example>", [("jöe@mächine.example", "Jöhn")]),
        ("a@k.example; b@k.example", [("a@k.example", ""), ("b@k.example", "")]),
        ("", []),
        ("(only a comment", [("(only a comment", "(only a comment")]),
    ],
)
def test_addresses_are_found_in_every_spelling(value, found):
    assert [(address.id, address.name) for address in addresses([value])] == found


def test_the_same_address_twice_is_one_with_its_first_name():
    assert addresses(["Ana <ana@k.example>", "Lobo <ANA@k.example>"]) == (Address("ana@k.example", "Ana"),)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Mon, 4 Mar 2024 10:00:00 +0100", (2024, 3, 4, 9)),
        ("Mon, 4 Mar 2024 10:00:00 -0000", (2024, 3, 4, 10)),
        ("4 Mar 2024 10:00:00", (2024, 3, 4, 10)),
        ("Mon, 4 Mar 2024 10:00:00 EST", (2024, 3, 4, 15)),
        ("Mon, Mar 4 2024 10:00:00 +0100", (2024, 3, 4, 9)),
        ("04-Mar-24 10:00:00", (2024, 3, 4, 10)),
        ("14 Jun 99 05:41:34 GMT", (1999, 6, 14, 5, 41, 34)),
        ("Wed, 14 Jun 100 05:41:34 -0700 (PDT)", (2000, 6, 14, 12, 41, 34)),
        ("Di, 17 Mai 2005 12:31:00 0200", (2005, 5, 17, 10, 31)),
        ("lör, 29 maj 1999 00:24:04 +0200 (CEST)", (1999, 5, 28, 22, 24, 4)),
        ("2024-03-04T10:00:00+01:00", (2024, 3, 4, 9)),
        ("Mon Mar  4 10:00:00 2024", (2024, 3, 4, 10)),
        ("Tue, 04 Dec 2001 17:11:25 -0459", (2001, 12, 4, 22, 10, 25)),
        ("Mon, 01 Jan 2035 00:00:00 +9999", None),
        ("Thu, 32 Dec 2020 25:61:00 +0000", None),
        ("Mon, 4 Mar 1605 10:00:00 +0000", None),
        ("soon", None),
        ("", None),
    ],
)
def test_dates_are_read_as_mail_programs_write_them(text, at):
    found = read_mail_date(text)
    assert (found and found.timetuple()[:6]) == (at and (*at, 0, 0)[:6])
    assert found is None or found.tzinfo is UTC


def test_a_date_without_a_time_is_the_end_of_its_day():
    assert read_mail_date("4 Mar 2024") == datetime(2024, 3, 4, 23, 59, 59, 999999, tzinfo=UTC)


RECEIVED = (
    b"Received: from a by b; Mon, 4 Mar 2024 12:00:00 +0000\nReceived: from c by a; Mon, 4 Mar 2024 11:00:00 +0000\n"
)


@pytest.mark.parametrize(
    ("block", "envelope", "at", "raw"),
    [
        (RECEIVED, "", datetime(2024, 3, 4, 12, tzinfo=UTC), "received: Mon, 4 Mar 2024 12:00:00 +0000"),
        (
            b"Date: no\n" + RECEIVED,
            "",
            datetime(2024, 3, 4, 12, tzinfo=UTC),
            "received: Mon, 4 Mar 2024 12:00:00 +0000",
        ),
        (
            b"Date: Mon, 4 Mar 2090 10:00:00 +0000\n" + RECEIVED,
            "",
            datetime(2024, 3, 4, 12, tzinfo=UTC),
            "received: Mon, 4 Mar 2024 12:00:00 +0000",
        ),
        (
            b"Received: from a by b id aa1;\n 9 Sep 94 15:37 EDT\n",
            "",
            datetime(1994, 9, 9, 19, 37, tzinfo=UTC),
            "received: 9 Sep 94 15:37 EDT",
        ),
        (
            b"X-OriginalArrivalTime: 04 Mar 2024 10:00:00.0647 (UTC)\n",
            "",
            datetime(2024, 3, 4, 10, tzinfo=UTC),
            "x-originalarrivaltime: 04 Mar 2024 10:00:00.0647 (UTC)",
        ),
        (
            b"A: 1\n",
            "a@k.example Mon Mar  4 10:00:00 2024",
            datetime(2024, 3, 4, 10, tzinfo=UTC),
            "envelope: Mon Mar  4 10:00:00 2024",
        ),
        (b"A: 1\n", "-", UNDATED, "no date"),
        (b"Date: whenever\n", "", UNDATED, "no date that reads: whenever"),
    ],
)
def test_what_dates_a_mail_without_a_date_is_told(block, envelope, at, raw):
    moment = mail_moment(Headers.parse(block), envelope)
    assert (moment.at, moment.raw) == (at, raw)


@pytest.mark.parametrize(
    ("content", "charset", "text", "as_declared"),
    [
        (b"caf\xe9 \x80", "iso-8859-1", "café €", True),
        ("café".encode(), "iso-8859-1", "café", False),
        (b"caf\xe9", "us-ascii", "café", False),
        (b"caf\xe9", "utf-8", "café", False),
        (b"\x82\xa0\x82\xa2", "Shift_JIS", "あい", True),
        ("스티해".encode("cp949"), "ks_c_5601-1987", "스티해", True),
        ("游采樺".encode("gbk"), "gb2312", "游采樺", True),
        ("שלום".encode("iso8859-8"), "iso-8859-8-i", "שלום", True),
        (b"caf\x82", "cp-850", "café", True),
        (b"caf\xe9", "x-unknown", "café", True),
        (b"caf\xe9", "cp-850-nope", "café", False),
        (b"caf\xe9", "unicode_escape", "café", False),
        (b"plain", "hex", "plain", False),
        (b"plain", "a\0b", "plain", False),
        (b"\x81", "iso-8859-1", "\x81", True),
    ],
)
def test_bytes_are_text_whatever_charset_was_declared(content, charset, text, as_declared):
    found = decoded(content, charset)
    assert (found.text, found.as_declared) == (text, as_declared)


@pytest.mark.parametrize(
    ("content", "encoding", "result"),
    [
        (b"a=\n b=3D =E9", "quoted-printable", b"a b= \xe9"),
        (b"a =  \nb", "quoted-printable", b"a b"),
        (b"aGVsbG8=", "base64", b"hello"),
        (b"aGVs\r\nbG8", "BASE64", b"hello"),
        (b"this was never encoded!", "base64", b"this was never encoded!"),
        (b"aGk=\n\n-- \nthe list", "base64", b"hi\n-- \nthe list"),
        (b"begin 644 x\n#86)C\n`\nend\n", "x-uuencode", b"abc"),
        (b"text", "7-bit", b"text"),
        (b"text", "plain", b"text"),
        (b"text", "", b"text"),
    ],
)
def test_transfer_encodings_are_undone_as_far_as_they_hold(content, encoding, result):
    assert transfer_decoded(content, encoding) == result
