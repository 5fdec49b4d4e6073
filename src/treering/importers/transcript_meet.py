"""Transcripts of Google Meet, which are documents: saved as text, they have a time every few minutes.

Standup (2024-03-04 10:00 GMT+1) - Transcript
Attendees
Ana Lobo, Ben Okoro
Transcript
00:00:00

Ana Lobo: It should ship on Monday.
"""

import re
from collections.abc import Iterator

from treering.importers.transcript_cues import Cue

__all__ = ["head_of_meet", "is_meet", "parse_meet"]

_HEADING = re.compile(r"(?:.*[-–] ?)?Transcript(?: ?[-–].*)?")
_MARK = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)")
_SPEECH = re.compile(r"[^\W\d_][^:]{0,60}: \S.*")
_CLOSING = re.compile(r"(?:Meeting|Transcription) ended after \d\d:\d\d:\d\d.*|This editable transcript was .*")
HEAD_LINES_MAX = 60


def is_meet(text: str) -> bool:
    """Whether a text is such a transcript."""
    lines = [line.strip() for line in text.split("\n")]
    head = lines[:HEAD_LINES_MAX]
    marks = [place for place, line in enumerate(lines) if _MARK.fullmatch(line)]
    return bool(marks) and any(map(_HEADING.fullmatch, head)) and any(map(_SPEECH.fullmatch, lines[marks[0] :]))


def head_of_meet(text: str) -> str:
    """What stands before the first time."""
    lines = text.split("\n")
    first = next((place for place, line in enumerate(lines) if _MARK.fullmatch(line.strip())), len(lines))
    return "\n".join(lines[:first])


def parse_meet(text: str) -> Iterator[Cue]:
    """Each speech as a cue that begins at the last time before it; a line without a speaker goes on with the last."""
    number, start_ms = 0, -1
    said: list[str] = []
    for line in map(str.strip, text.split("\n")):
        mark = _MARK.fullmatch(line)
        begins = bool(_SPEECH.fullmatch(line))
        if said and (mark or begins):
            number += 1
            yield Cue(number, start_ms, start_ms, "\n".join(said))
            said = []
        if mark:
            start_ms = (int(mark[1]) * 3600 + int(mark[2]) * 60 + int(mark[3])) * 1000
        elif start_ms >= 0 and line and not _CLOSING.fullmatch(line):
            said.append(line)
    if said:
        yield Cue(number + 1, start_ms, start_ms, "\n".join(said))
