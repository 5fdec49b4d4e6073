"""The parts of mails: which of them are read, and as what; the text of HTML and of rich text."""

import base64

import pytest

from tests.unit.importers.attached_files import docx, paragraph
from tests.unit.importers.mails import mail
from treering.importers.mail_headers import Headers, split_head
from treering.importers.mail_html import html_text
from treering.importers.mail_letters import Letter, read_letter
from treering.importers.mail_parts import DEPTH_MAX
from treering.importers.mail_rtf import rtf_text
from treering.importers.narrowing import FieldError
from treering.model.drafts import Attachment

PLAIN = "Content-Type: text/plain\n\n"
HTML = "Content-Type: text/html\n\n"


def letter(body: str | bytes, **fields: str | None) -> Letter:
    block, rest = split_head(mail(body, **fields))
    return read_letter(Headers.parse(block), rest)


def parts(kind: str, *bodies: str) -> Letter:
    return letter(
        "".join(f"--b\n{body}\n" for body in bodies) + "--b--\n", Content_Type=f"multipart/{kind}; boundary=b"
    )


def test_of_alternatives_the_plain_one_is_the_text():
    assert parts("alternative", f"{PLAIN}plain", f"{HTML}<b>rich</b>").text == "plain"
    assert parts("alternative", f"{HTML}<b>rich</b>", f"{PLAIN}plain").text == "plain"


def test_an_empty_alternative_or_one_that_says_nothing_gives_way():
    rich = f"{HTML}<p>The plan is that we ship on Friday, and all of us know it well by now, as was said.</p>"
    assert parts("alternative", f"{PLAIN} ", rich).text.startswith("The plan")
    assert parts("alternative", f"{PLAIN}View this mail in HTML.", rich).text.startswith("The plan")


def test_text_parts_follow_one_another_and_named_ones_are_files():
    found = parts("mixed", f"{PLAIN}one", "Content-Type: text/plain; name=x.txt\n\nfile", f"{HTML}two", "\nthree")
    assert found.text == "one\n\ntwo\n\nthree"
    assert found.attachments == (Attachment("x.txt", "text/plain", 4),)


def test_a_named_text_is_the_text_where_there_is_no_other():
    found = parts("mixed", "Content-Type: text/plain; name=msg.txt\nContent-Disposition: inline\n\nhello")
    assert (found.text, found.attachments) == ("hello", ())


def test_pictures_within_the_text_are_files():
    picture = "Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\nContent-ID: <a>\n\nAAAA"
    found = parts("related", f"{HTML}<p>see <img src=cid:a alt=chart></p>", picture)
    assert (found.text, found.attachments) == ("see chart", (Attachment("a.png", "image/png", 3),))


def test_a_file_kept_elsewhere_is_listed_with_where_it_is():
    external = (
        'Content-Type: message/external-body; access-type="anon-ftp"; site="ftp.k.example"; directory="d"; '
        'name="x.txt"\n\nContent-Type: text/plain\n\n'
    )
    assert parts("mixed", f"{PLAIN}hi", external).attachments == (
        Attachment("x.txt", "text/plain", None, "kept elsewhere: anon-ftp ftp.k.example/d"),
    )


def test_the_report_of_a_failed_delivery_is_a_file_of_text():
    status = "Content-Type: message/delivery-status\n\nReporting-MTA: dns; k.example\n\nAction: failed\nStatus: 5.1.1\n"
    found = parts("report; report-type=delivery-status", f"{PLAIN}It failed.", status)
    assert found.text == "It failed."
    assert found.files[0].content == b"Reporting-Mta: dns; k.example\n\nAction: failed\nStatus: 5.1.1"


def test_outlooks_wrapping_of_files_is_named_as_what_it_is():
    tnef = "Content-Type: application/ms-tnef; name=winmail.dat\n\n\x78\x9f"
    assert parts("mixed", f"{PLAIN}hi", tnef).attachments[0].state == "TNEF, not unpacked"


def test_a_body_in_rich_text_is_read_though_it_is_named_as_a_file():
    rich = "Content-Type: application/rtf; name=rtf-body.rtf\n\n{\\rtf1\\ansi We ship\\par Friday}"
    assert parts("mixed", rich).text == "We ship\nFriday"


def test_parts_whose_boundary_is_wrong_or_missing_are_shown_as_they_are():
    body = "--c\nContent-Type: text/plain\n\nhello\n--c--\n"
    assert "hello" in letter(body, Content_Type="multipart/mixed; boundary=b").text
    assert "hello" in letter(body, Content_Type="multipart/mixed").text


def test_what_follows_the_last_part_is_not_lost():
    body = f"ignored: this is a MIME message\n--b\n{PLAIN}hello\n--b--\nposted by the list\n"
    assert letter(body, Content_Type="multipart/mixed; boundary=b").text == "hello\n\nposted by the list"


def test_parts_deeper_than_anybody_nests_them_are_refused():
    deep = "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(DEPTH_MAX * 30))
    with pytest.raises(FieldError, match="parts within parts"):
        letter(deep, Content_Type="multipart/mixed; boundary=b0")


def test_flowed_lines_are_paragraphs_again():
    body = "We ship \non Friday.\n \n>> Said \n>> so.\n> Yes.\n-- \nAna\n"
    flowed = letter(body, Content_Type="text/plain; format=flowed")
    assert flowed.text == "We ship on Friday.\n\n>> Said so.\n> Yes.\n-- \nAna"
    assert letter("日本 \n語\n", Content_Type="text/plain; charset=utf-8; format=flowed; delsp=yes").text == "日本語"


def test_a_file_pasted_into_the_text_is_a_file():
    found = letter("see\nbegin 644 plan.txt\n#86)C\n`\nend\nbye\n")
    assert (found.text, found.attachments) == ("see\n[plan.txt]\nbye", (Attachment("plan.txt", size=3),))


def test_a_charset_that_did_not_hold_is_told():
    assert letter(b"caf\xe9 40\x80", Content_Type="text/plain; charset=cp-850-nope").tags[-1] == "charset:cp1252"


def test_a_mail_without_a_body_has_an_empty_text():
    assert letter("").text == ""
    assert letter("\n\n", Content_Type="multipart/mixed; boundary=b").text == ""


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div><div><br></div><div>two</div>", "one\n\ntwo"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("<p class=MsoNormal>one</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>two</p>", "one\n\ntwo"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<style>p {}</style><script>x()</script><title>t</title>text", "text"),
        ("<div style='display:none'>teaser</div>text", "text"),
        ("<!-- note --><![if !mso]>a<![endif]><o:p></o:p>b", "ab"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("a &lt; b &amp;amp; &#8364; &bogus;", "a < b &amp; € &bogus;"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n\nc"),
        ('<blockquote style="margin:0 0 0 40px;border:none">a</blockquote>', "a"),
        ("a<hr>b", f"a\n{'_' * 32}\nb"),
        ("</div></p>a<b>b", "ab"),
        ("<a href='x", "<a href='x"),
        ("a <img alt='chart'> b", "a chart b"),
        ("<![<![CDATA[x]]>y", "y"),
        ("2 < 3 <b>and</b> <- so <!--> on", "2 < 3 and <- so on"),
        ('<a title="a > b" href=x>c</a><p class=x">d', "c\n\nd"),
        ("", ""),
    ],
)
def test_html_is_read_as_its_text(page, text):
    assert html_text(page).text == text


def test_links_are_kept_beside_the_text():
    page = html_text('<a href="https://w.example/a?x=1&amp;y=2">here</a> <a href="mailto:a@k.example">me</a>')
    assert (page.text, page.links) == ("here me", ("https://w.example/a?x=1&y=2",))


def test_html_nested_without_end_is_read():
    assert html_text("<div>" * 50_000 + "x").text == "x"


def test_a_page_of_many_megabytes_is_still_read(monkeypatch):
    monkeypatch.setattr("treering.importers.mail_html.CHARS_MAX", 100)
    assert html_text("<p>word</p>" * 20).text == " ".join(["word"] * 20)


@pytest.mark.parametrize(
    ("rich", "text"),
    [
        (r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\generator X;}one\par two}", "one\ntwo"),
        (r"{\rtf1\ansi\ansicpg1251 \'cf\'f0}", "Пр"),
        (r"{\rtf1\ansi\ansicpg932 \'82\'a0}", "あ"),
        (r"{\rtf1\uc1 \u55357?\u56832? \{x\}}", "😀 {x}"),
        (
            r"{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Hi{\*\htmltag72 </p>}\htmlrtf \par\htmlrtf0}",
            "Hi",
        ),
        (r"{\rtf1 never closed", "never closed"),
        ("", ""),
    ],
)
def test_rich_text_is_read_as_its_text(rich, text):
    assert rtf_text(rich) == text


@pytest.mark.parametrize("kind", ["Content-Type: text/plain; name=plan.docx\n", ""])
def test_a_document_that_a_mail_program_calls_text_is_kept_byte_by_byte(kind: str):
    document = docx(paragraph("Ship on Friday, grüße"))
    head = f"--b\n{kind}Content-Disposition: attachment; filename=plan.docx\nContent-Transfer-Encoding: base64\n\n"
    read = letter(head.encode() + base64.encodebytes(document) + b"--b--\n", Content_Type="multipart/mixed; boundary=b")
    assert [(file.name, file.content) for file in read.files] == [("plan.docx", document)]
