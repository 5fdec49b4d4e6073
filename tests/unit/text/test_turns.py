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
    ],
)
def test_a_conversation_is_known_by_names_that_come_back(ana: str, bo: str) -> None:
    lines = [f"{name} words of turn {number}" for number, name in enumerate([ana, bo] * 3)]
    text = "Minutes\n\n" + "\nand a second line\n".join(lines)
    assert [text[start:].split("\n")[0] for start in turns(text)] == lines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ana: hi\nBo: hi\nAna: well?\nBo: well.",  # twice each: too little to tell
        "Note: a\nNote: b\nNote: c\nplain text",  # one label alone
        "see https://a.example\nsee https://b.example\nhttps://c.example\nhttps://d.example",
        "12:30: lunch\n12:30: lunch\n12:30: lunch\n13:30: talk\n13:30: talk\n13:30: talk",
    ],
)
def test_what_is_no_conversation_has_no_turns(text: str) -> None:
    assert turns(text) == []


def test_a_line_in_the_middle_of_a_turn_belongs_to_it() -> None:
    text = "Ana: one\nso: to speak\nBo: two\nAna: three\nBo: four\nAna: five\nBo: six"
    assert heads(text) == ["Ana:", "Bo:"] * 3
