"""An estimate of how many tokens a language model will count.

No vocabulary is at hand for models that we do not run, so budgets use this estimate. It errs on the high side: common
English words count one, longer ones one for every seven letters, digits by threes, signs and CJK characters one each.
"""

import re
from typing import Final

__all__ = ["estimate_tokens"]

_PIECE: Final = re.compile(
    r"(?P<latin>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<unspaced>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
    r"|(?P<letters>(?:(?![A-Za-z0-9_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])\w)+)"
    r"|(?P<astral>[\U00010000-\U0010ffff])|(?P<sign>\S)"
)
_CHARACTERS_PER_TOKEN: Final = {"latin": 7, "digits": 3, "unspaced": 1, "letters": 3, "sign": 1}
_TOKENS_PER_ASTRAL: Final = 3  # emoji and rare Han are spelled in bytes


def estimate_tokens(text: str) -> int:
    """About how many tokens the text takes in a prompt; 0 for nothing but white space.

    >>> estimate_tokens("has DOC-042 been released?"), estimate_tokens("東京で会議"), estimate_tokens("  ")
    (8, 5, 0)
    """
    tokens = 0
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup or "sign"
        if kind == "astral":
            tokens += _TOKENS_PER_ASTRAL
        else:
            tokens += -(-len(piece[0]) // _CHARACTERS_PER_TOKEN[kind])
    return tokens
