"""One spelling for texts that a reader takes for the same: compatibility forms, accents, vowel points, digits.

Case is left alone here, because `analysis` still needs it to part `camelCase`. Only marks that readers of the script
leave out themselves are dropped (Latin, Greek and Cyrillic accents, Arabic harakat, Hebrew niqqud); vowel signs of the
Indic and Southeast Asian scripts are letters in all but name, and stay. Source: DESIGN section 9.
"""

import re
from typing import Final
from unicodedata import category, digit, normalize

__all__ = ["PICTOGRAPHS", "fold"]

# Character-class bodies. Whole blocks: an unassigned code point costs nothing, and a newer emoji needs no release.
PICTOGRAPHS: Final = (
    r"\u00a9\u00ae\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
)

_LETTERS: Final = {
    **dict(zip("øłđħıŧðØŁĐĦŦÐ", "oldhitdOLDHTD", strict=True)),  # letters with a stroke, which do not decompose
    **dict(zip("æœþÆŒÞ", ("ae", "oe", "th", "AE", "OE", "TH"), strict=True)),
    **dict(zip("ٱىیېکة", "اييي\u0643ه", strict=True)),  # alef, yeh, kaf and teh marbuta as people type them
    **dict(zip("‘’ʼ‐", "'''-", strict=True)),
}
_DIGITS: Final = {
    chr(point): str(digit(chr(point)))
    for point in range(0x0660, 0x1A9A)  # every block of digits in everyday use, Arabic to Tai Tham
    if category(chr(point)) == "Nd"
}
_TABLE: Final = {**_LETTERS, **_DIGITS}
_REPLACED: Final = re.compile(f"[{''.join(_TABLE)}]")

_DROPPED: Final = re.compile(
    r"[\u0300-\u036f"  # combining accents
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew accents and points
    r"\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic, tatweel too
    r"\u0730-\u074a"  # Syriac points
    r"\u00ad\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"  # soft hyphens, directions, joiners: nobody sees them
    rf"|(?<![{PICTOGRAPHS}\ufe0f])[\u200c\u200d]"  # joiners shape letters, and only between pictographs do they matter
)
_TRADEMARKS: Final = re.compile("[\u2120\u2122]")  # NFKC would glue "TM" to the name before it


def fold(text: str) -> str:
    """The text in compatibility form, without accents, vowel points and invisible characters; case is kept.

    >>> fold("Ｃａｆｅ́ Łódź"), fold("تِقْنِيَة")
    ('Cafe Lodz', 'تقنيه')
    """
    if text.isascii():
        return text
    spread = normalize("NFKD", _TRADEMARKS.sub(" ", text))
    return _REPLACED.sub(lambda found: _TABLE[found[0]], normalize("NFC", _DROPPED.sub("", spread)))
