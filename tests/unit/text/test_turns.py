"""Turns of speech: who speaks is told by repetition, in any script, with the marks that minutes and chats add."""

import pytest

from treering.text.turns import turns


def heads(text: str) -> list[str]:
    return [text[start:].lstrip().split()[0] for start in turns(text)]


@pytest.mark.parametrize(
    ("ana", "bo"),
    [
        ("Ana:", "Bo:"),
        ("Ana Lind:", "Dr. Bo Ek:"),
        ("- Ana:", "- Bo:"),
        ("**Ana:**", "**Bo:**"),
        ("* @ana:", "* @bo:"),
        ("[09:41] Ana:", "[09:42:10] Bo:"),
        ("9:41 AM - Ana (chair):", "9:42 AM - Bo:"),
        ("Анна:", "Борис:"),
        ("田中：", "佐藤："),
        ("أمل:", "سامي:"),
        ("12/05/2024, 09:01 - Ana:", "12/05/2024, 09:02 - Bo:"),
        ("[2024-05-12, 09:01:12] Ana:", "[2024-05-12, 09:02:40] Bo:"),
        ("Ana (09:01):", "Bo (09:02):"),
        ("[Ana]:", "[Bo]:"),
        ("<ana>", "<@bo>"),
        ("09:01 <ana>", "09:02 <bo>"),
    ],
)
def test_a_conversation_is_known_by_names_that_come_back(ana: str, bo: str) -> None:
    lines = [f"{name} the words of turn number {number}, and a few more" for number, name in enumerate([ana, bo] * 3)]
    text = "Minutes\n\n" + "\nand a second line\n".join(lines)
    assert [text[start:].split("\n")[0] for start in turns(text)] == lines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ana: what do you think of it?\nBo: nothing that I could say.\n" * 2,  # twice each: too little to tell
        "name: pump\nsize: 12\n" * 9,  # settings say next to nothing
        "    width: number;\n    height: number;\n" * 9,
        "Note: a\nNote: b\nNote: c\nplain text",  # one label alone
        "see https://a.example\nsee https://b.example\nhttps://c.example\nhttps://d.example",
        "12:30: lunch\n12:30: lunch\n12:30: lunch\n13:30: talk\n13:30: talk\n13:30: talk",
    ],
)
def test_what_is_no_conversation_has_no_turns(text: str) -> None:
    assert turns(text) == []


def test_a_line_in_the_middle_of_a_turn_belongs_to_it() -> None:
    talk = "Ana: we could ask them once more\nso: to speak, again\nBo: that would be the third time\n"
    rest = "Ana: they may answer now\nBo: they never did before\n" * 2
    assert heads(talk + rest) == ["Ana:", "Bo:"] * 3
