"""Emoji as terms: one term for a pictograph in all its spellings, another for its skin tone.

`:fire:` and the fire itself are one term. Pictures joined into one (families, flags, professions) stay whole.
"""

import re
from functools import cache
from typing import Final

__all__ = ["named_pictograph", "pictograph_terms"]

_TONES: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_SELECTORS: Final = re.compile("[\ufe0e\ufe0f]")
_SLACK_TONE: Final = re.compile(r"::skin-tone-([2-6]):$")


def pictograph_terms(picture: str) -> tuple[str, ...]:
    """The terms of one pictograph: without variation selectors, and without skin tone where it has one.

    >>> pictograph_terms("❤️"), pictograph_terms("👍🏽")
    (('❤',), ('👍🏽', '👍'))
    """
    exact = _SELECTORS.sub("", picture)
    plain = _TONES.sub("", exact)
    return (exact, plain) if plain and plain != exact else (exact,)


def named_pictograph(shortcode: str) -> str | None:
    """The pictograph of a shortcode such as `:fire:` or `:+1::skin-tone-2:`; None where no list has the name.

    >>> named_pictograph(":fire:"), named_pictograph(":party-parrot:")
    ('🔥', None)
    """
    tone = _SLACK_TONE.search(shortcode)
    name = shortcode[: tone.start() + 1] if tone else shortcode
    picture = _names().get(name.casefold())
    if picture is None or tone is None:
        return picture
    return picture + chr(0x1F3FB + int(tone[1]) - 2)


@cache
def _names() -> dict[str, str]:
    # Imported at the first shortcode: the package reads 5,000 names, which most command lines never need.
    from emoji import EMOJI_DATA

    names: dict[str, str] = {}
    for picture, entry in EMOJI_DATA.items():
        for name in (entry["en"], *entry.get("alias", ())):
            names.setdefault(name.casefold(), picture)
    return names
