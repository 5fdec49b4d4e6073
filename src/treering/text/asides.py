"""What a document shows without saying it: code, quotations, comments. Blanked out, so that places stay the same."""

import re
from typing import Final

__all__ = ["without_blocks", "without_quotations"]

_BLANK: Final = "\0"
_FENCED: Final = re.compile(
    r"^[ \t]{0,3}(?P<fence>```|~~~)[^\n]*\n.*?(?:^[ \t]{0,3}(?P=fence)|\Z)", re.MULTILINE | re.DOTALL
)
_COMMENT: Final = re.compile(r"(?<!\A)<!--.*?(?:-->|\Z)", re.DOTALL)
_STRUCK: Final = re.compile(r"~~[^~\n]{1,300}~~")
_CITED: Final = re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE)
_INDENTED: Final = re.compile(r"^(?: {4}|\t)[^\n]*\S[^\n]*", re.MULTILINE)
_LINE: Final = re.compile(r"^[^\n]*\S", re.MULTILINE)
_INLINE: Final = re.compile(  # each begins with a sign of its own, so that the search skips all that lies between
    r"``[^`\n]{1,200}``|`(?<![:`\w]`)[^`<\n]{1,200}`(?![`_])"  # not :role:`x`, not a link `x`_
    r"|\"(?<!\w\")[^\"\n]{1,300}\"(?!\w)|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»"
    r"|<(?:code|pre|q|blockquote|s|del)>[^<]{0,300}"
)


def without_blocks(text: str) -> str:
    """A text of the same length, with zero characters where it had code, cited lines, comments and struck-out words.

    Indented lines are code, unless most lines are indented, as in plain text of old. A comment at the very beginning
    stays: metadata is written there.
    """
    for pattern in (_FENCED, _COMMENT, _CITED, _STRUCK):
        text = pattern.sub(_blank, text)
    indented = sum(1 for _ in _INDENTED.finditer(text))
    if indented and 2 * indented <= sum(1 for _ in _LINE.finditer(text)):
        text = _INDENTED.sub(_blank, text)
    return text


def without_quotations(text: str) -> str:
    """A text of the same length, with zero characters where it had quotations and code within a line.

    >>> without_quotations('He said "gone". See `x`.').replace(chr(0), "_")
    'He said ______. See ___.'
    """
    return _INLINE.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return "".join("\n" if sign == "\n" else _BLANK for sign in found[0])
