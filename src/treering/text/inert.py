"""Handing text that others wrote to a model or an agent as data: nothing in it hides, and nothing in it ends its frame.

Control characters, those that turn the direction of writing and other invisible ones are shown by their numbers; every
other character is as it was. The mark that frames texts is made from them and occurs in none.
"""

import hashlib
import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["fence_for", "inert"]

_KEPT: Final = frozenset("\n\t\u200c\u200d")  # the two joiners spell words of Persian and of Indic scripts, and emoji
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))  # categories of characters that show nothing


def inert(text: str) -> str:
    r"""The text with every hidden character made visible, as its number between angle brackets.

    >>> inert("pay \u202eevil\u202c now\x1b[2J\r\nok")
    'pay ⟨U+202E⟩evil⟨U+202C⟩ now⟨U+001B⟩[2J\nok'
    """
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"⟨U+{ord(sign):04X}⟩" if _hides(sign) else sign for sign in text)


def fence_for(texts: Iterable[str]) -> str:
    """A short mark that occurs in none of the texts, the same for the same texts.

    It is made of their hash: whoever writes one of them would have to find a text that holds its own hash.

    >>> fence_for(["approved"]) == fence_for(["approved"]), fence_for(["a"]) == fence_for(["b"])
    (True, False)
    """
    held = list(texts)
    digest = hashlib.blake2b(digest_size=8)
    for text in held:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    mark = f"data-{digest.hexdigest()}"
    assert not any(mark in text for text in held)
    return mark


def _hides(sign: str) -> bool:
    return sign not in _KEPT and unicodedata.category(sign) in _HIDDEN
