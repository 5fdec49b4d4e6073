"""Finding quoted words in a record: letter for letter, but for what writing them down again changes.

Case, white space, the style of quotation marks and dashes, and characters that show nothing may differ; what is given
back is the record's own.
"""

import unicodedata
from typing import Final

__all__ = ["verbatim"]

# Marks of quotation within a quotation change with those around it.
_SAME: Final = str.maketrans(dict.fromkeys('"’‘“”„«»', "'") | dict.fromkeys("‐‑–—", "-"))
_TRAILING: Final = ".,;:!?… "
_UNSPACED: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")


def verbatim(words: str, text: str) -> str | None:
    r"""The part of `text` that `words` quote, its white space made single blanks; None if there is none.

    A quotation never begins or ends within a word. A stop at its end may be the quoting sentence's own.

    >>> verbatim("we ship  friday,", "So: We\nship Friday or never."), verbatim("approved", "unapproved")
    ('We ship Friday', None)
    """
    folded, places = _folded(text)
    wanted = _folded(words)[0].strip()
    for sought in dict.fromkeys((wanted, wanted.rstrip(_TRAILING))):
        start = folded.find(sought) if any(sign.isalnum() for sign in sought) else -1
        while start >= 0:
            stop = start + len(sought)
            if not _within(folded, start) and not _within(folded, stop):
                return " ".join(text[places[start] : places[stop - 1] + 1].split())
            start = folded.find(sought, start + 1)
    return None


def _folded(text: str) -> tuple[str, list[int]]:
    """The text as it is compared, and for each of its characters the place in the text that it is from."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        if sign.isspace():
            if signs and signs[-1] != " ":
                signs.append(" ")
                places.append(place)
        elif unicodedata.category(sign) not in ("Cf", "Cc"):
            same = sign.translate(_SAME)
            parts = unicodedata.normalize("NFKD", same).casefold()
            parts = same if parts.startswith(" ") else parts  # an accent that stands alone
            signs += parts
            places += [place] * len(parts)
    return "".join(signs), places


def _within(folded: str, place: int) -> bool:
    """Whether a place is between two letters of one word, in a script that sets words apart, or before an accent."""
    if not 0 < place < len(folded):
        return False
    before, after = folded[place - 1], folded[place]
    if not (before.isalnum() and after.isalnum()):
        return unicodedata.combining(after) != 0 and before != " "
    return not any(unicodedata.name(sign, "").startswith(_UNSPACED) for sign in (before, after))
