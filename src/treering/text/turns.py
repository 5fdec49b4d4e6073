"""Turns of speech in a text: transcripts, minutes and pasted chats name the speaker at the head of each.

A label is a speaker's name when several lines begin with it and there is another such label. No list of names is
needed, and a lone `Note:` or the fields at the head of a document are not taken for a conversation.
"""

import re
from collections import Counter
from typing import Final

__all__ = ["turns"]

SAID_MIN: Final = 3  # turns that make a label a speaker's name
SPEAKERS_MIN: Final = 2

_CLOCK: Final = r"\[?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?\]?[ \t,-]*"
_NAME: Final = r"[^\W\d_][^\n:：?!;<>{}\[\]|*]{0,39}?"
_TURN: Final = re.compile(
    rf"^[ \t]*(?:[-*+•][ \t]+)?(?:{_CLOCK})?[*_]{{0,2}}@?({_NAME})[*_]{{0,2}}(?::[*_]{{0,2}}[ \t]+|：[ \t]*)(?=\S)",
    re.MULTILINE,
)


def turns(text: str) -> list[int]:
    r"""Where each turn begins, in order; empty where a text is no conversation.

    >>> turns("Ana: hi\nBo: hello\nAna: lunch?\nBo: at one\nAna: fine\nBo: see you")
    [0, 8, 18, 30, 41, 51]
    >>> turns("Status: accepted\nDate: 2024-05-02\nNote: read this\nNote: and this\nNote: and that")
    []
    """
    found = [(match.start(), match[1].strip().casefold()) for match in _TURN.finditer(text)]
    said = Counter(label for _, label in found)
    speakers = {label for label, times in said.items() if times >= SAID_MIN}
    return [start for start, label in found if label in speakers] if len(speakers) >= SPEAKERS_MIN else []
