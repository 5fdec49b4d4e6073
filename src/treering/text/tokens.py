"""An estimate of how many tokens a language model will count.

No vocabulary is at hand for models that we do not run, so budgets use this estimate. It errs on the high side: common
English words count one, longer ones one for every seven letters, digits by threes, signs and CJK characters one each.
"""

import re
from typing import Final

__all__ = ["estimate_tokens"]

_UNSPACED: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
# Each match is one token: a run is cut where a token is full, so counting matches is all there is to do.
_TOKEN: Final = re.compile(rf"[A-Za-z]{{1,7}}|[0-9]{{1,3}}|[{_UNSPACED}]|(?:(?![A-Za-z0-9_{_UNSPACED}])\w){{1,3}}|\S")
_ASTRAL: Final = re.compile(r"(?!\w)[\U00010000-\U0010ffff]")
_TOKENS_PER_ASTRAL: Final = 3  # emoji are spelled in bytes


def estimate_tokens(text: str) -> int:
    """About how many tokens the text takes in a prompt; 0 for nothing but white space.

    >>> estimate_tokens("has DOC-042 been released?"), estimate_tokens("東京で会議"), estimate_tokens("  ")
    (8, 5, 0)
    """
    tokens = len(_TOKEN.findall(text))
    return tokens if text.isascii() else tokens + (_TOKENS_PER_ASTRAL - 1) * len(_ASTRAL.findall(text))
