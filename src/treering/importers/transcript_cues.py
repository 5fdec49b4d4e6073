"""The cues of a transcript: WebVTT as Zoom, Teams and Meet write it, and SubRip, with who speaks in each.

A speaker is named by a voice tag (`<v Ana Lobo>`), by `Ana Lobo: ` before the words, or by the JSON that the Graph API
puts in their place. An arrow within speech is speech. Source: W3C WebVTT, sections 4 and 6.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from treering.importers.json_fields import text_at
from treering.importers.moments import Moment, read_moment
from treering.importers.narrowing import FieldError

__all__ = ["BadCue", "Cue", "Head", "Words", "head_of", "is_timed", "parse", "words_of"]

HEAD_CHARS_MAX = 20_000  # of what stands before the first cue

_TIME = r"(?:(\d+):)?([0-5]?\d):([0-5]\d)(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?")
_HEADING = re.compile(r"(NOTE|STYLE|REGION)(?:[ \t].*)?")
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,200})?[ \t]+(?P<name>[^>]{0,200})>|(?P<end></v>)")
_TAG = re.compile(r"</?(?:c|i|b|u|ruby|rt|lang|v|font)(?:\.[^\s>]{0,200})?(?:[ \t][^>]{0,200})?>|<\d[\d:.]{0,20}>")
_NAME = r"[^\W\d_][^\s:]*"
_INLINE = re.compile(
    rf"\s*(?P<name>{_NAME}(?: (?:{_NAME}|\([^):]{{1,40}}\)|\[[^\]:]{{1,40}}\]|\d{{1,3}})){{0,5}}): +(?P<words>\S.*)",
    re.DOTALL,
)
_NO_NAMES = frozenset(
    {"note", "notes", "question", "answer", "action", "example", "todo", "agenda", "topic", "warning"}
)


@dataclass(frozen=True, slots=True)
class Cue:
    """A stretch of time and its words, as written."""

    number: int  # in the file, counted from 1
    start_ms: int  # since the beginning
    end_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class BadCue:
    """A block of lines that is no cue."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """What one speaker says within a cue."""

    speaker: str  # "" where nobody is named
    text: str
    at: Moment | None = None  # where the cue itself says it


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the first cue."""

    text: str  # the header and its comments
    has_voices: bool  # whether the file names speakers by tags


def head_of(text: str) -> Head:
    """What a transcript says of itself."""
    first = next((found.start() for found in re.finditer(rf"^{_TIMING.pattern}$", text, re.MULTILINE)), len(text))
    return Head(text[: min(first, HEAD_CHARS_MAX)], bool(_VOICE.search(text)))


def is_timed(text: str) -> bool:
    """Whether a text begins like a transcript with times: with its own mark, or with a number and a time."""
    if re.match(r"WEBVTT(?:[ \t\n]|\Z)", text):
        return True
    lines = text.lstrip("\n").split("\n", 2)
    return len(lines) > 1 and lines[0].strip().isdecimal() and bool(_TIMING.fullmatch(lines[1]))


def parse(text: str) -> Iterator[Cue | BadCue]:
    """The cues in their order; text behind an empty line belongs to the cue before, as people paste lists."""
    number, cue = 0, None
    for line, block in _blocks(text):
        if _HEADING.fullmatch(block[0]) and not any(map(_TIMING.fullmatch, block[:2])):
            continue
        timed = [place for place, written in enumerate(block) if _TIMING.fullmatch(written)]
        if not timed or timed[0] > 1:
            if cue is not None and "-->" not in "".join(block[:2]):
                cue = Cue(cue.number, cue.start_ms, cue.end_ms, "\n".join([cue.text, "", *block]))
            else:
                reason = "a time that cannot be read" if "-->" in "".join(block[:2]) else "words without a time"
                yield BadCue(line, reason, "\n".join(block))
            continue
        for place, after in zip(timed, [*timed[1:], len(block)], strict=True):
            if cue is not None:
                yield cue
            number += 1
            cue = Cue(number, *_times(block[place]), "\n".join(block[place + 1 : after]))
    if cue is not None:
        yield cue


def words_of(cue: Cue, *, has_voices: bool) -> list[Words]:
    """Who says what in a cue; what stands behind a closed voice is still of that voice."""
    text = cue.text.strip()
    if text.startswith("{") and (stated := _stated(text)):
        return [stated]
    if not has_voices:
        plain = _plain(text)
        found = _INLINE.fullmatch(plain)
        if found and found["name"].split()[0].casefold() not in _NO_NAMES:
            return [Words(found["name"], found["words"])]
        return [Words("", plain)] if plain else []
    spoken: list[tuple[str, str]] = []
    speaker, at = "", 0
    for tag in _VOICE.finditer(text):
        spoken.append((speaker, text[at : tag.start()]))
        at = tag.end()
        if not tag["end"]:
            speaker = " ".join(unescape(tag["name"]).split())
    spoken.append((speaker, text[at:]))
    joined: list[Words] = []
    for speaker, part in spoken:
        if words := _plain(part):
            if joined and joined[-1].speaker == speaker:
                words = f"{joined.pop().text} {words}"
            joined.append(Words(speaker, words))
    return joined


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The blocks between empty lines, with the numbers of their first lines; the header is none."""
    lines = text.split("\n")
    at = 0
    if lines[0].startswith("WEBVTT"):
        while at < len(lines) and lines[at].strip() and not _TIMING.fullmatch(lines[at]):
            at += 1
    block: list[str] = []
    for number, line in enumerate(lines[at:], start=at + 1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
    if block:
        yield len(lines) - len(block) + 1, block


def _times(timing: str) -> tuple[int, int]:
    found = _TIMING.fullmatch(timing)
    assert found is not None  # only such lines are given
    hours_1, minutes_1, seconds_1, part_1, hours_2, minutes_2, seconds_2, part_2 = found.groups()
    return _ms(hours_1, minutes_1, seconds_1, part_1), _ms(hours_2, minutes_2, seconds_2, part_2)


def _ms(hours: str | None, minutes: str, seconds: str, part: str | None) -> int:
    whole = int((hours or "0")[-4:]) * 3600 + int(minutes) * 60 + int(seconds)
    return whole * 1000 + int((part or "0").ljust(3, "0"))


def _plain(text: str) -> str:
    return unescape(_TAG.sub("", text)).replace("\0", "").strip()


def _stated(text: str) -> Words | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    words = text_at(value, "spokenText").strip() if isinstance(value, dict) else ""
    if not words:
        return None
    try:
        at = read_moment(value.get("startDateTime"))
    except FieldError:
        at = None
    return Words(text_at(value, "speakerName").strip(), words, at)
