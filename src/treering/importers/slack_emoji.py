"""Slack's emoji short codes as characters, `:wave::skin-tone-3:` included; custom emoji stay as they are written."""

import re
from functools import cache

import emoji

__all__ = ["emojized"]

_CODE_OR_EMOJI = re.compile(
    r"```.*?```|`[^`\n]+`"  # code stays as it is
    r"|(?<![A-Za-z0-9_]):([a-z0-9_+'-]+):(?::skin-tone-([2-6]):)?(?![A-Za-z0-9_])",
    re.DOTALL,
)
_SLACK_NAMES = {  # Slack's own, which Unicode's and GitHub's names do not explain
    "simple_smile": "🙂",
    "spock-hand": "🖖",
    "the_horns": "🤘",
    "sign_of_the_horns": "🤘",
    "knife_fork_plate": "🍽️",
    "slightly_frowning_face": "🙁",
    "person_frowning": "🙍",
}


def emojized(text: str) -> str:
    """The text with characters for the short codes that stand for one.

    >>> emojized("done :tada: at 10:30:45, `a:key:b` :party-parrot:")
    'done 🎉 at 10:30:45, `a:key:b` :party-parrot:'
    """
    if text.count(":") < 2:
        return text
    return _CODE_OR_EMOJI.sub(_character_or_same, text)


def _character_or_same(match: re.Match[str]) -> str:
    name, tone = match.groups()
    character = _characters().get(name) or _composed(name) if name else None
    if character is None:
        return match[0]
    if tone:
        modifier = chr(0x1F3FB + int(tone) - 2)
        return character[0] + modifier + character[1:].removeprefix("\ufe0f")
    return character


@cache
def _characters() -> dict[str, str]:
    names: dict[str, str] = {}
    for character, entry in emoji.EMOJI_DATA.items():
        for alias in (entry["en"], *entry.get("alias", ())):
            names.setdefault(alias.strip(":"), character)
    return names | _SLACK_NAMES


def _composed(name: str) -> str | None:
    """Slack's names that follow a rule: flags by country code, hyphens, people and families."""
    if re.fullmatch(r"flag-[a-z]{2}", name):
        return "".join(chr(0x1F1E6 + ord(letter) - ord("a")) for letter in name[-2:])
    spaced = name.replace("-", "_")
    person = spaced.replace("female_", "woman_", 1).replace("male_", "man_", 1)
    return next(
        (found for alias in (spaced, person, f"family_{spaced}") if (found := _characters().get(alias)) is not None),
        None,
    )
