"""A first look at an IRC log: whether it is one, and what is known of the whole before its first line is read."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import islice

from treering.errors import UnreadableInput
from treering.importers.irc_days import day_in_name, day_of_mark
from treering.importers.irc_lines import Kind, Line, lines_of, parse
from treering.importers.irc_minutes import is_minuted
from treering.importers.irc_people import folded
from treering.importers.tree import FileTree

__all__ = ["Survey", "is_log", "survey"]

LOOKED_AT_LINES = 200
PARSED_MIN = 0.6  # of the lines, for a file to be a log: others may be wrapped, or of a kind that nobody foresaw

_LOGGED_AT = re.compile(r"https?://www\.w3\.org/(\d{4}/\d\d/\d\d)-(\S+?)-irc\b")
_LOG_OF = re.compile(r"IRC log of (?P<channel>\S+) on (?P<day>.+)")
_DATED = re.compile(r"\s*date\s*:\s*(?P<day>\d{1,2} \w+ \d{4}).*", re.IGNORECASE)
_IDENT = re.compile(r"Session Ident: (?P<channel>[#&]\S+)")
_LEVELS = frozenset({"TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL"})


@dataclass(slots=True)
class Survey:
    """What the whole of a log tells."""

    channel: str = ""  # the first channel that it names
    day: date | None = None  # the day that it says it is of
    before_mark: date | None = None  # the day of what stands before the first mark, as far as that tells
    is_minuted: bool = False
    is_utc: bool = False
    has_server_marks: bool = False
    nicks: set[str] = field(default_factory=set)  # of all who speak
    _hours: set[int] = field(default_factory=set)
    _wraps: int = 0  # how often one o'clock follows twelve
    _last_hour: int = -1
    _has_marks: bool = False

    @property
    def counts_to_twelve(self) -> bool:
        """Whether the hours do: one comes after twelve, and no hour is 0 or above twelve."""
        return self._wraps > 0 and self._hours <= set(range(1, 13))

    def start(self, name: str) -> date | None:
        """The day of the first line, from the log's marks, from what it says, or from the name of its file."""
        return self.before_mark or self.day or day_in_name(name)

    def take(self, text: str, line: Line) -> None:
        """Take in one line."""
        if line.kind is Kind.MARK:
            self._take_mark(text)
        if not self.channel and line.channel:
            self.channel = line.channel
        if line.kind in (Kind.SAY, Kind.ACT):
            self.nicks.add(folded(line.nick))
            self.is_minuted |= is_minuted(line.nick, line.text)
        elif line.kind not in (Kind.NOTICE, Kind.MARK):
            self.has_server_marks |= not re.match(r"[^*]*\*[ \t]", text)
        if "w3.org/" in text and (logged := _LOGGED_AT.search(text)):
            self.day = self.day or day_in_name(logged[1])
            self.channel = self.channel or f"#{logged[2]}"
            self.is_utc = self.is_utc or folded(line.nick) == "rrsagent"
        elif line.kind is Kind.SAY and (dated := _DATED.fullmatch(line.text)):
            self.day = self.day or day_of_mark(dated["day"])
        self._take_hour(line)

    def _take_mark(self, text: str) -> None:
        if log := _LOG_OF.match(text):
            self.channel = self.channel or f"#{log['channel'].lstrip('#')}"
            self.day = self.day or day_of_mark(log["day"])
        elif ident := _IDENT.match(text):
            self.channel = self.channel or ident["channel"]
        elif text.startswith("Timestamps are in UTC"):
            self.is_utc = True
        elif not self._has_marks and (day := day_of_mark(text)):
            self._has_marks = True
            self.before_mark = day - timedelta(days="Day changed" in text)

    def _take_hour(self, line: Line) -> None:
        if line.day or not line.clock:
            return
        hour = int(line.clock[:2])
        self._hours.add(hour)
        self._wraps += (self._last_hour, hour) == (12, 1)
        self._last_hour = hour


def survey(tree: FileTree, name: str) -> Survey:
    """Look through a log once; what cannot be read is met again when it is read in earnest."""
    found = Survey()
    try:
        with tree.open(name) as file:
            for _, text in lines_of(file):
                if line := parse(text):
                    found.take(text, line)
    except UnreadableInput:
        pass
    return found


def is_log(tree: FileTree, name: str) -> bool:
    """Whether most of the first lines of a file are lines of a log, and people speak in it at some time.

    Speech without a time counts as no line of a log here: `<p>Good morning</p>` looks the same.
    """
    lines = told = timed = 0
    try:
        with tree.open(name) as file:
            for _, text in islice(lines_of(file), LOOKED_AT_LINES):
                line = parse(text)
                if line and "\t" in text and line.nick in _LEVELS:
                    return False  # columns of a program's log
                lines += 1
                told += bool(line and (line.clock or line.kind is not Kind.SAY))
                timed += bool(line and line.clock and line.kind is not Kind.SERVER)
    except UnreadableInput:
        return False
    return timed > 0 and told >= PARSED_MIN * lines
