"""Which stretches of a mail only repeat others."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.mail_quotes import is_forward, quoted_ranges


def own(text: str, *, forwards: bool = False) -> str:
    """What is left of a text without the stretches that repeat others."""
    for start, stop in reversed(quoted_ranges(text, forwards=forwards)):
        text = text[:start] + text[stop:]
    return text.strip()


@pytest.mark.parametrize(
    "introduction",
    [
        "On Mon, 4 Mar 2024 at 10:00, Ben Okoro <ben@k.example> wrote:",
        "On Mon, 4 Mar 2024 at 10:00, Ben Okoro\n<ben@k.example> wrote:",
        "On 4 Mar 2024, at 10:00, Ben Okoro\n<ben@k.example>\nwrote:\n",
        "On 04/03/24 10:00 AM, Ben wrote:",
        "Am 04.03.24 um 10:00 schrieb Ben Okoro:",
        "Le lun. 4 mars 2024 à 10:00, Ben Okoro <ben@k.example> a écrit :",
        "El lun, 4 mar 2024 a las 10:00, Ben (<ben@k.example>) escribió:",
        "Em seg., 4 de mar. de 2024 às 10:00, Ben <ben@k.example> escreveu:",
        "Il giorno lun 4 mar 2024 alle ore 10:00 Ben <ben@k.example> ha scritto:",
        "Op ma 4 mrt 2024 om 10:00 schreef Ben <ben@k.example>:",
        "Den mån 4 mars 2024 kl 10:00 skrev Ben <ben@k.example>:",
        '04.03.2024 10:00 пользователь "Ben" <\nben@k.example> написал:',
        "Mon, 4 Mar 2024 10:00:00 +0100 от Ben <ben@k.example>:",
        '04.03.2024, 10:00, "Ben" <ben@k.example>:',
        "2024年3月4日(月) 10:00 Ben <ben@k.example>:",
        "Ben Okoro <ben@k.example> writes:",
        "Ben wrote:",
    ],
)
def test_what_introduces_a_quotation_belongs_to_it(introduction):
    assert own(f"On Friday.\n\n{introduction}\n> When?\n>\n> Ben\n") == "On Friday."


@pytest.mark.parametrize(
    "line",
    ["As you said in 2014:", "The plan of v1.2 says:", "Three things:", "On Friday we ship this:"],
)
def test_what_somebody_says_before_a_quotation_is_their_own(line):
    assert own(f"{line}\n> we ship\nand so we do\n") == f"{line}\nand so we do"


def test_answers_between_and_below_quotations_stay():
    text = "On Mon, 4 Mar 2024, Ben wrote:\n> first?\nyes\n> second?\n>> third?\nno\n"
    assert own(text) == "yes\nno"


@pytest.mark.parametrize(
    "original",
    [
        "-----Original Message-----\nFrom: Ben <ben@k.example>\nSent: Monday, March 4\nTo: Ana\nSubject: x\n\nWhen?",
        "________________________________\nFrom: Ben\nSent: Monday, March 4\nTo: Ana\nSubject: x\n\nWhen?",
        "From: Ben\nDate: Monday, March 4, 2024\nTo: Ana,\n  Cy\nSubject: x\n\nWhen?",
        "*From:* Ben\n*Sent:* Monday\n*To:* Ana\n*Subject:* x\n\nWhen?",
        "Von: Ben\nGesendet: Montag, 4. März 2024 10:00\nAn: Ana\nBetreff: x\n\nWann?",
        "De : Ben\nEnvoyé : lundi 4 mars 2024\nÀ : Ana\nObjet : x\n\nQuand ?",
        "De: Ben\nEnviado el: lunes\nPara: Ana\nAsunto: x\n\n¿Cuándo?",
        "От: Ben\nДата: 4 марта\nКому: Ana\nТема: x\n\nКогда?",
        "发件人: Ben\n发送时间: 2024年3月4日\n收件人: Ana\n主题: x\n\n何时?",
        "On Mon, 4 Mar 2024, at 10:00, Ben wrote:\nWhen?\nBen",
        "-------- Ursprüngliche Nachricht --------\nWann?",
    ],
)
def test_the_mail_answered_is_marked_though_nothing_stands_before_its_lines(original):
    assert own(f"On Friday.\n\n{original}\n") == "On Friday."


def test_a_memo_with_the_same_words_is_no_original():
    text = "From: here\nwe walk\n\nTo: there\n"
    assert own(f"Directions.\n\n{text}") == f"Directions.\n\n{text}".strip()


def test_what_was_forwarded_is_kept_and_what_it_quotes_is_not():
    header = "From: Cy <cy@k.example>\nDate: Mon\nSubject: x\nTo: Ana"
    forwarded = f"FYI\n\n---------- Forwarded message ---------\n{header}\n\nWe ship.\n"
    assert own(f"{forwarded}\nOn Sun, 3 Mar 2024, Ben wrote:\n> When?\n") == forwarded.strip()
    apple = "FYI\n\nBegin forwarded message:\n\n> From: Cy <cy@k.example>\n> Date: Mon\n>\n> We ship.\n>> When?\n"
    assert own(apple) == apple.replace(">> When?\n", "").strip()
    outlook = "FYI\n\nFrom: Cy\nSent: Monday\nTo: Ana\nSubject: x\n\nWe ship.\n"
    assert own(outlook, forwards=True) == outlook.strip()


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nAna Lobo\nKestrel",
        "--\nAna Lobo",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "_______________________________________________\nops mailing list\nops@k.example\nhttps://k.example/listinfo/ops",
    ],
)
def test_signatures_and_footers_are_marked(signature):
    assert own(f"On Friday.\n\n{signature}") == "On Friday."
    assert own(f"On Friday.\n\n{signature}\n\nOn Mon, 4 Mar 2024, Ben wrote:\n> When?") == "On Friday."


def test_a_long_text_below_two_hyphens_is_no_signature():
    text = "Agenda\n-- \n" + "".join(f"point {number}\n" for number in range(40))
    assert own(text) == text.strip()


def test_hyphens_within_a_line_sign_nothing():
    text = "This is -- as said -- a line.\n\n--- \nand a rule"
    assert own(text) == text


def test_prompts_of_python_are_no_quotations():
    text = "try this\n>>> 1 + 1\n2\n>>> 2 + 2\n4"
    assert own(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "> only\n> quoted",
        "On Mon, 4 Mar 2024, Ben wrote:\n> When?\n\n-- \nAna",
        "-- \nAna",
        "",
        "\n\n",
        "From: a\nSent: b\nTo: c\n\nd",
    ],
)
def test_a_mail_is_never_marked_whole(text):
    assert quoted_ranges(text) == ()


@pytest.mark.parametrize("subject", ["Fwd: x", "FW: x", "[ops] Fwd: x", "WG: x", "TR : x", "x (fwd)", "Fw[2]: x"])
def test_subjects_of_forwards(subject):
    assert is_forward(subject)


@pytest.mark.parametrize("subject", ["Re: Fwd: x", "Forward planning: x", "x", "", "Trip: x", "Re: x"])
def test_subjects_of_other_mail(subject):
    assert not is_forward(subject)


LINES = (
    "hello",
    "> quoted",
    ">> deep",
    "",
    "-- ",
    "On Mon, 4 Mar 2024, Ben wrote:",
    "From: a",
    "Sent: b",
    "To: c",
    "-----Original Message-----",
    "---------- Forwarded message ----------",
    "_" * 30,
    "ops mailing list",
    "Sent from my x",
)


@given(st.lists(st.sampled_from(LINES), max_size=14))
def test_ranges_are_in_order_apart_and_leave_something(lines):
    text = "\n".join(lines)
    ranges = quoted_ranges(text)
    edges = [edge for pair in ranges for edge in pair]
    assert edges == sorted(edges)
    assert all(0 <= start < stop <= len(text) for start, stop in ranges)
    assert all(stop < start for (_, stop), (start, _) in pairwise(ranges))
    assert not ranges or own(text)
