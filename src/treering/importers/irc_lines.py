"""The lines of IRC logs, whichever client wrote them: when, who, and what kind of thing happened.

One grammar for irssi, WeeChat, ZNC, energymech, XChat, mIRC, supybot, RRSAgent of the W3C and the disentanglement
corpus: a time stamp in one of some forms, and behind it speech in angle brackets, an action after a star, a notice
between dashes, or what a server said after a mark of its own. Days and zones are worked out in `irc_days`.

Follows FORMATS section 11.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import BinaryIO

from treering.importers.narrowing import clean

__all__ = ["Kind", "Line", "lines_of", "parse"]

LINE_BYTES_MAX = 1 << 16  # the protocol allows 512; a longer line is cut

_CODES = re.compile(
    "\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?|\x04(?:[0-9a-fA-F]{6})?|[\x02\x0f\x11\x16\x1d\x1e\x1f]|\x1b\\[[0-9;]*m"
)
_CLOCK = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
_STAMP = re.compile(
    rf"(?:(?P<label>\S+) (?=\d{{4}}-\d\d-\d\d \[))?"
    rf"(?:(?P<iso>\d{{4}}-\d\d-\d\d)[T ]\[?(?P<clock_1>{_CLOCK})\]?(?P<zone>Z| ?[+-]\d\d:?\d\d)?(?=[\s<])"
    rf"|\[(?:(?P<day_2>\d{{4}}-\d\d-\d\d|\d\d? \w{{3}}|\w{{3}} \d\d?)[T ])?(?P<clock_2>{_CLOCK})Z?\]"
    rf"|(?P<day_3>[^\W\d_]{{3}} [ \d]\d) (?P<clock_3>\d\d:\d\d:\d\d)(?= )"
    rf"|(?P<clock_4>\d\d:\d\d(?::\d\d)?)(?=[\s<]))[ \t]?"
)
_SPEECH = re.compile(r" ?<[ ~&@%+!*]?(?P<nick>[^\s<>]+)>[ \t]?(?P<text>.*)", re.DOTALL)
_NOTICE = re.compile(r" ?-(?P<nick>[^\s!-]\S{0,63}?)(?:\(\S{0,200}\))?(?::[#&]\S{1,63})?- (?P<text>.*)", re.DOTALL)
_ACTION = re.compile(r" *\*[ \t]+(?P<nick>\S+)(?: (?P<text>.*))?", re.DOTALL)
_SERVER = re.compile(r" *(?P<mark>-!-|\*{3}|={2,3}|-->|<--|--|[→←⇐↔])\s+(?P<text>.*)", re.DOTALL)
_HEAD_OF_TWO = re.compile(r"\d\d:\d\d:\d\d \[(?P<nick>[^\]\s]+)\]")
_MARK = re.compile(
    r"--- (?:Log opened|Log closed|Day changed)\b|\*{4} (?:BEGIN|ENDING) LOGGING AT\b|"
    r"Session (?:Start|Close|Time|Ident)\b|IRC log of \S+ on |Timestamps are in |(?:Start|End) of \S+ buffer\b"
)

_HOST = r"(?: [\[(]\S*[\])])*"
_HAPPENED = (
    ("join", re.compile(rf"(?P<nick>\S+){_HOST} +has joined(?: (?:channel )?(?P<channel>[#&]\S+).*)?")),
    ("join", re.compile(r"(?P<nick>\S+) joined(?: \(.*\))?")),
    ("join", re.compile(r"Joins: (?P<nick>\S+).*")),
    ("part", re.compile(rf"(?P<nick>\S+){_HOST} +has left(?: (?P<channel>[#&]\S+).*)?")),
    ("part", re.compile(r"(?P<nick>\S+) left(?: \(.*\))?")),
    ("part", re.compile(r"Parts: (?P<nick>\S+).*")),
    ("quit", re.compile(rf"(?P<nick>\S+){_HOST} +(?:has quit|has signed off|quit)(?: [\[(].*)?")),
    ("quit", re.compile(r"Quits: (?P<nick>\S+).*")),
    ("rename", re.compile(r"(?P<nick>\S+) is now known as (?P<other>\S+?)\.?")),
    ("kick", re.compile(r"(?P<other>\S+) was kicked (?:from \S+ )?by (?P<nick>\S+).*")),
    ("kick", re.compile(r"(?P<nick>\S+) has kicked (?P<other>\S+).*")),
    ("topic", re.compile(r"(?P<nick>\S+) (?:has )?chang(?:ed|es) (?:the )?topic\b.*", re.DOTALL)),
    ("mode", re.compile(r"(?:[Mm]ode|ServerMode)[ /].*|(?P<nick>\S+) sets mode.*")),
)


class Kind(StrEnum):
    """What kind of thing a line tells."""

    SAY = "say"
    ACT = "act"
    NOTICE = "notice"
    JOIN = "join"
    PART = "part"
    QUIT = "quit"
    RENAME = "rename"
    KICK = "kick"
    TOPIC = "topic"
    MODE = "mode"
    SERVER = "server"  # anything else that a server said
    MARK = "mark"  # what the client says of the log itself


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log."""

    kind: Kind
    nick: str  # who speaks or does; "" where nobody is named
    text: str
    day: str = ""  # as written: "2024-03-04", "Mar 04"; "" where the line has none
    clock: str = ""  # as written: "10:00", "10:00:05"; "" where the line has none
    zone: str = ""  # "Z" or an offset, where the line has one
    other: str = ""  # the new nick, or who was kicked
    channel: str = ""  # the channel that the line names


def lines_of(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines of a log with their numbers, without codes for colours; each is decoded on its own.

    Clients write what each speaker's client sent: UTF-8 as a rule, and Windows-1252 between. A name in brackets that
    stands alone, as pages of the W3C are copied, is joined to the line behind it.
    """
    held = ""
    number = 0
    while raw := file.readline(LINE_BYTES_MAX):
        number += 1
        line = _CODES.sub("", _decoded(raw.rstrip(b"\r\n")))
        if number == 1:
            line = line.removeprefix("\ufeff")
        if _HEAD_OF_TWO.fullmatch(line):
            held = line
        elif held:
            clock, nick = held[:8], held[10:-1]
            held = ""
            yield number, f"{clock} <{nick}> {line}"
        elif line.strip():
            yield number, line
    if held:
        yield number, held


def parse(line: str, *, stars_are_actions: bool = False) -> Line | None:
    """What a line tells; None if it is no line of a log.

    Args:
        line: without its end.
        stars_are_actions: whether the log marks what servers say by something else than one star: then nobody can
            pretend to be a server.
    """
    if _MARK.match(line):
        return Line(Kind.MARK, "", line)
    stamp = _STAMP.match(line)
    rest = line[stamp.end() :] if stamp else line
    found = _content(rest, stars_are_actions=stars_are_actions, is_columns=bool(stamp and stamp["iso"]))
    if found is None or (stamp is None and not rest.startswith(("===", "<", "***"))):
        return None
    if stamp is None:
        return found
    if found.kind is Kind.SAY and stamp["clock_4"] and found.text.startswith(f"{found.nick} "):
        found = _happened(found.text, allowed=("join", "part", "rename", "topic")) or found
    day = stamp["iso"] or stamp["day_2"] or stamp["day_3"] or ""
    clock = stamp["clock_1"] or stamp["clock_2"] or stamp["clock_3"] or stamp["clock_4"]
    channel = found.channel or stamp["label"] or ""
    return replace(found, day=day, clock=clock, zone=(stamp["zone"] or "").strip(), channel=channel)


def _content(rest: str, *, stars_are_actions: bool, is_columns: bool) -> Line | None:
    if is_columns and rest.count("\t"):
        return _columns(rest)
    if speech := _SPEECH.fullmatch(rest):
        return Line(Kind.SAY, speech["nick"], speech["text"].rstrip())
    if server := _SERVER.fullmatch(rest):
        return _of_server(server["text"].strip(), server["mark"])
    if notice := _NOTICE.fullmatch(rest):
        return Line(Kind.NOTICE, notice["nick"], notice["text"].rstrip())
    if action := _ACTION.fullmatch(rest):
        found = None if stars_are_actions else _happened(rest.strip(" *\t"))
        return found or Line(Kind.ACT, action["nick"], (action["text"] or "").rstrip())
    return None


def _columns(rest: str) -> Line | None:
    """WeeChat's columns: a prefix that is a nick or a mark, and a text."""
    prefix, _, text = rest.partition("\t")
    prefix, text = prefix.strip(), text.rstrip()
    if prefix in ("-->", "<--"):
        return _of_server(text, prefix)
    if prefix == "*":
        nick, _, did = text.partition(" ")
        return Line(Kind.ACT, nick, did)
    if notice := re.fullmatch(r"Notice\((?P<nick>[^)\s]+)\)(?: -> \S+)?: (?P<text>.*)", text):
        return Line(Kind.NOTICE, notice["nick"], notice["text"])
    if prefix in ("--", "=!=", "ℹ", ""):
        return _of_server(text, prefix)
    nick = prefix.lstrip("~&@%+!")
    return Line(Kind.SAY, nick, text) if nick and " " not in nick else None


def _of_server(text: str, mark: str) -> Line:
    found = _happened(text)
    if found is None and mark == "===" and " " in text:  # the corpus marks actions so, too
        nick, _, did = text.partition(" ")
        return Line(Kind.ACT, nick, did)
    return found or Line(Kind.SERVER, "", text)


def _happened(text: str, allowed: tuple[str, ...] = ()) -> Line | None:
    for kind, pattern in _HAPPENED:
        if (not allowed or kind in allowed) and (found := pattern.fullmatch(text)):
            named = found.groupdict()
            nick, other, channel = (named.get(key) or "" for key in ("nick", "other", "channel"))
            return Line(Kind(kind), nick, text, other=other, channel=channel)
    return None


def _decoded(raw: bytes) -> str:
    try:
        return clean(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return clean(raw.decode("cp1252", "replace"))
