"""Turns of speech in a text: transcripts, minutes and pasted chats name the speaker at the head of each.

A label is a speaker's name when several lines begin with it and there is another such label, and when what follows them
is long enough to be said. No list of names is needed; a lone `Note:`, settings and the fields at the head of a document
are not taken for a conversation. Lines of a log are, which does them no harm: each is about one thing.
"""

import re
from collections import Counter
from typing import Final

__all__ = ["turns"]

SAID_MIN: Final = 3  # turns that make a label a speaker's name
SPEAKERS_MIN: Final = 2
SAID_CHARS_MIN: Final = 15  # on a turn's first line, on average; settings and fields say less

_DATE: Final = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ \t]+"
_CLOCK: Final = rf"(?:{_DATE})?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:[ \u202f]?[AaPp][Mm])?"
_NAME: Final = r"[^\W\d_][^\n:：?!;<>{}\[\]|*]{0,39}?"
_COLON: Final = r"(?::[*_]{0,2}(?:[ \t]+|(?=[^\x00-\x7f]))|：[ \t]*)"
_LABEL: Final = (
    rf"[*_]{{0,2}}[@\[]?({_NAME})\]?[*_]{{0,2}}(?:[ \t]*[(\[]{_CLOCK}[)\]])?{_COLON}"  # Ana (09:01): ...
    rf"|<[@+%~&]?({_NAME})>[ \t]+"  # <ana> ...
)
_TURN: Final = re.compile(rf"^[ \t]*(?:[-*+•][ \t]+)?(?:\[?{_CLOCK}\]?[ \t,–-]*)?(?:{_LABEL})(?=(\S.*))", re.MULTILINE)


def turns(text: str) -> list[int]:
    r"""Where each turn begins, in order; empty where a text is no conversation.

    >>> turns("Ana: where do we eat?\nBo: at Mona's, it is near\n" * 3)
    [0, 22, 48, 70, 96, 118]
    >>> turns("Status: accepted\nDate: 2024-05-02\nNote: read this\nNote: and this\nNote: and that")
    []
    """
    found = [(match.start(), (match[1] or match[2]).strip().casefold(), match[3]) for match in _TURN.finditer(text)]
    times = Counter(label for _, label, _ in found)
    spoken = [(start, label, said) for start, label, said in found if times[label] >= SAID_MIN]
    if len({label for _, label, _ in spoken}) < SPEAKERS_MIN:
        return []
    if sum(len(said) for _, _, said in spoken) < SAID_CHARS_MIN * len(spoken):
        return []
    return [start for start, _, _ in spoken]
