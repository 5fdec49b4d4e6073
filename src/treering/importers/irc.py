"""The importer of IRC logs: irssi, WeeChat, ZNC and their kin, the disentanglement corpus, and minutes of the W3C.

A log has no ids. A line is known by its channel, its time as written, who it is of and what it says, and of equal lines
of one day by how many came before. Nobody says who may read a channel. Follows FORMATS section 11.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treering.errors import UnreadableInput
from treering.importers.irc_days import Days, day_of_mark
from treering.importers.irc_lines import Kind, Line, lines_of, parse
from treering.importers.irc_minutes import Minutes
from treering.importers.irc_people import People, folded
from treering.importers.irc_places import channels_of
from treering.importers.irc_survey import Survey, is_log, survey
from treering.importers.local_times import UTC_ASSUMED, LocalTimes
from treering.importers.moments import Moment
from treering.importers.narrowing import FieldError, kept_aside, urls
from treering.importers.protocol import ImportOptions
from treering.importers.roster import NOBODY
from treering.importers.tree import FileTree
from treering.model.drafts import ChannelDraft, ChannelKind, Drafted, RecordDraft, Skipped

__all__ = ["IrcLogs"]

LOOKED_AT_MAX = 20  # files, before a tree is held to be of another format
SHARE_MIN = 0.25  # of them, that have to be logs: a folder of documents may have a log in it
UNDATED_LOG = "log that no day is known of: put its first day into its name, as in ops-2024-03-04.log"

_OTHER_FILES = re.compile(
    r".*\.(jsonl?|ndjson|bson|csv|tsv|eml|mbox|vtt|srt|pdf|docx|png|jpe?g|gif|zip|mp[34])", re.IGNORECASE
)
_ADDRESSED = re.compile(r"@?(?P<nick>[^\s:,]+)[:,](?= )")


class IrcLogs:
    """One log, or a folder of logs."""

    name = "irc"

    def recognizes(self, tree: FileTree) -> bool:
        """Whether a good part of the files are logs."""
        names = [name for name in tree.names() if not _OTHER_FILES.fullmatch(name)][:LOOKED_AT_MAX]
        logs = sum(is_log(tree, name) for name in names)
        return logs > 0 and logs >= SHARE_MIN * len(names)

    def source(self, tree: FileTree) -> str:
        """A constant: logs do not say which network they are of; `--source` does."""
        return self.name

    def extract(self, tree: FileTree, options: ImportOptions) -> Iterator[Drafted]:
        """The lines of every log, in their order."""
        surveys: dict[str, Survey] = {}
        for name in tree.names():
            if _OTHER_FILES.fullmatch(name) or not is_log(tree, name):
                yield Drafted(name, Skipped("not an IRC log"))
            else:
                surveys[name] = survey(tree, name)
        channels = channels_of(tree, surveys)
        for name, looked_at in surveys.items():
            yield from _Log(name, looked_at, channels[name], options).drafted(tree)


class _Log:
    """The reading of one log."""

    def __init__(self, name: str, looked_at: Survey, channel: str, options: ImportOptions) -> None:
        self._name = name
        self._looked_at = looked_at
        is_channel = bool(looked_at.channel) or channel.rpartition("/")[2].startswith(("#", "&"))
        # What is named after no channel may be a talk between two, whatever the operator says of the channels.
        kind = options.visibility if is_channel else ChannelKind.PRIVATE
        self._channel = ChannelDraft(channel, channel, kind, stated=False)
        self._is_zoned = options.zone is not None
        self._days = Days(
            looked_at.start(name),
            LocalTimes(options.zone),
            is_utc=looked_at.is_utc,
            counts_to_twelve=looked_at.counts_to_twelve,
        )
        self._people = People()
        self._minutes = Minutes() if looked_at.is_minuted else None
        self._now: _Stamp | None = None
        self._waiting: list[tuple[int, Line]] = []  # lines without a time before the first that has one
        self._repeats: Counter[str] = Counter()  # of equal lines of one day
        self._minute, self._place = "", 0  # the minute at hand, and how many of its lines came before

    def drafted(self, tree: FileTree) -> Iterator[Drafted]:
        """The channel, what each line becomes, and what had to be assumed."""
        yield Drafted(self._name, self._channel)
        number = 0
        try:
            with tree.open(self._name) as file:
                for number, text in lines_of(file):
                    line = parse(text, stars_are_actions=self._looked_at.has_server_marks)
                    if line is None:
                        yield kept_aside(self._name, f"line {number}", "not a line of an IRC log", text)
                    else:
                        yield from self._read(number, line, text)
        except UnreadableInput as error:
            yield kept_aside(self._name, f"after line {number}", str(error))
        for number, line in self._waiting:
            yield kept_aside(self._name, f"line {number}", "no time in the whole log", line.text)
        if self._days.is_undated:
            yield Drafted(self._name, Skipped(UNDATED_LOG))
        if self._days.is_assumed and not self._is_zoned:
            yield Drafted(self._name, Skipped(UTC_ASSUMED))

    def _read(self, number: int, line: Line, text: str) -> Iterator[Drafted]:
        if line.kind is Kind.MARK:
            if day := day_of_mark(text):
                self._days.change(day)
            yield Drafted(self._name, Skipped("mark of the log", f"line {number}"))
            return
        if not line.clock and self._now is None:
            self._waiting.append((number, line))
            return
        if line.clock:
            try:
                moment = self._days.moment(line)
            except FieldError as error:
                yield kept_aside(self._name, f"line {number}", str(error), text)
                return
            today = self._days.day.isoformat()
            if self._now is None or today != self._now.day:
                self._repeats.clear()
            self._now = _Stamp(moment, today, f"{today}T{line.clock}{line.zone}")
        assert self._now is not None
        waiting, self._waiting = self._waiting, []
        for _, earlier in waiting:
            yield from self._told(earlier, self._now)
        yield from self._told(line, self._now)

    def _told(self, line: Line, now: "_Stamp") -> Iterator[Drafted]:
        record = self._record(line, now)
        yield from (Drafted(self._name, actor) for actor in self._people.news())
        yield Drafted(self._name, record)

    def _record(self, line: Line, now: "_Stamp") -> RecordDraft:
        record = RecordDraft(
            source_id=self._id(line, now),
            channel=self._channel.id,
            author=NOBODY,
            valid_from=now.moment.at,
            valid_from_raw=now.moment.raw,
            order_hint=self._next_place(now.moment),
            text=line.text,
            id_is_final=True,  # the time as written is in the id: who spoke, and in which zone, is a reading of it
        )
        if line.kind in (Kind.SAY, Kind.ACT, Kind.NOTICE):
            return self._spoken(line, now, record)
        author, others = self._happened(line, now)
        return replace(record, author=author, mentions=others, event=line.kind.value)

    def _spoken(self, line: Line, now: "_Stamp", record: RecordDraft) -> RecordDraft:
        name = self._people.automaton if line.kind is Kind.NOTICE else self._people.person
        author = name(line.nick)
        speech = self._minutes.read(line.nick, line.text) if self._minutes and line.kind is Kind.SAY else None
        if speech and speech.speaker:
            author = self._people.person(speech.speaker)
            record = replace(record, text=speech.text, tags=(f"scribed by {line.nick}",))
        if speech and speech.topic:
            record = replace(record, thread=f"{speech.topic} ({now.day})")
        return replace(record, author=author, mentions=self._addressed(record.text, author), links=urls(record.text))

    def _addressed(self, text: str, author: str) -> tuple[str, ...]:
        """Whom a text is for: a nick before a colon or comma at its beginning, if somebody of that nick speaks here."""
        found = _ADDRESSED.match(text)
        if found is None or folded(found["nick"]) not in self._looked_at.nicks:
            return ()
        person = self._people.person(found["nick"])
        return (person,) if person != author else ()

    def _happened(self, line: Line, now: "_Stamp") -> tuple[str, tuple[str, ...]]:
        """Who did something, and to whom; takes note of who bears which nick from here on."""
        people, nick, other = self._people, line.nick, line.other
        if line.kind is Kind.RENAME:
            return people.rename(nick, other, now.moment.at), ()
        if line.kind is Kind.JOIN:
            people.leave(nick)
        author = people.person(nick) if nick else NOBODY
        if line.kind in (Kind.PART, Kind.QUIT):
            people.leave(nick)
        if line.kind is Kind.KICK:
            kicked = people.person(other)
            people.leave(other)
            return author, (kicked,)
        return author, ()

    def _id(self, line: Line, now: "_Stamp") -> str:
        said = "\0".join((now.written, line.kind, line.nick, line.text))
        self._repeats[said] += 1
        nth = self._repeats[said]
        digest = hashlib.sha256(said.encode()).hexdigest()[:12]
        return f"{self._channel.id}/{now.written}/{digest}" + (f".{nth}" if nth > 1 else "")

    def _next_place(self, moment: Moment) -> int:
        """The place within its minute: it does not depend on where a log was cut, if that was not within one."""
        minute = moment.at.isoformat(timespec="minutes")
        self._place = self._place + 1 if minute == self._minute else 0
        self._minute = minute
        return self._place


@dataclass(frozen=True, slots=True)
class _Stamp:
    """The time of a line."""

    moment: Moment
    day: str  # of the log: that of its own clocks
    written: str  # day and time as written
