"""Which steps in the life of a deliverable a text reports, by an English lexicon.

A question ("has it been released?") and a denial ("not approved yet") report nothing, and neither does a text in
another language: what is kept of such artifacts is for the caller to decide.
"""

import re
from typing import Final

from treering.text.sentences import sentences

__all__ = ["TRANSITIONS", "transitions"]

_LEXICON: Final = {
    "opened": "opened|filed|drafted|kicked off|created|raised an issue|raised the issue",
    "assigned": "assigned|reassigned|taking this over|taking it over|took this over|took it over|picked this up"
    "|picked it up|picked up",
    "started": "started|began|in progress|working on this|working on it|under way|underway",
    "reviewed": "reviewed|in review|under review|lgtm|looks good to me",
    "blocked": "blocked|stuck on|stuck with|waiting on|waiting for|on hold|blocker",
    "unblocked": "unblocked",
    "approved": "approved|signed off|sign-off|accepted|greenlit|green-lit",
    "rejected": "rejected|declined|turned down|vetoed",
    "fixed": "fixed|resolved|patched",
    "tested": "tested|verified|qa passed|tests pass|tests passed",
    "merged": "merged|landed",
    "released": "released|shipped|deployed|rolled out|launched|published|went live|gone live|is live|now live",
    "reverted": "reverted|rolled back|backed out",
    "postponed": "postponed|delayed|deferred|pushed back|slipped",
    "cancelled": "cancelled|canceled|abandoned|called off|scrapped",
    "deprecated": "deprecated|superseded|obsolete|retired|sunset|sunsetted|decommissioned",
    "closed": "closed|completed|finished|done|wrapped up",
    "reopened": "reopened|re-opened",
}
TRANSITIONS: Final = tuple(_LEXICON)
_WORD: Final = re.compile(r"\w+")
# One word of every phrase, the longest: most texts have none of them, and need not be matched any further.
_CUES: Final = frozenset(
    max(_WORD.findall(phrase), key=len) for words in _LEXICON.values() for phrase in words.split("|")
)
_REPORTED: Final = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _LEXICON.items()) + r")(?![\w-])",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bwithout being|\byet to be|\bbefore it (?:is|was|gets))\s+"
    r"(?:(?:been|be|being|yet|fully|really|actually|even|get|got|getting)\s+){0,3}\Z",
    re.IGNORECASE,
)
_DENIAL_LENGTH_MAX: Final = 40  # characters before the word that are looked at


def transitions(text: str) -> tuple[str, ...]:
    """The distinct transitions that a text reports, of `TRANSITIONS`, in order of first sight.

    >>> transitions("ABC-123 got approved and shipped. Is the other one merged?")
    ('approved', 'released')
    """
    if _CUES.isdisjoint(_WORD.findall(text.lower())):
        return ()
    reported: dict[str, None] = {}
    for sentence in sentences(text):
        if sentence.endswith(("?", "？")):
            continue
        for found in _REPORTED.finditer(sentence):
            before = sentence[max(0, found.start() - _DENIAL_LENGTH_MAX) : found.start()]
            if found.lastgroup and not _DENIED.search(before):
                reported[found.lastgroup] = None
    return tuple(reported)
