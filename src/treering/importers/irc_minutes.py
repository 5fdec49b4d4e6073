"""Minutes that are taken on IRC, as the W3C does: a scribe writes down who says what on the phone.

    <kaz> scribe: kaz              who writes for others from here on
    <kaz> Topic: Discovery         a thread from here on
    <kaz> Ana: it should ship      said by Ana
    <kaz> ... before May           by Ana, too
    <ben> +1                       by Ben, who is no scribe

Corrections (`s/old/new/`) are left as they were typed. Source: the manual of scribe.perl, "Scribing".
"""

import re
from dataclasses import dataclass, field

from treering.importers.irc_people import folded

__all__ = ["Minutes", "Speech", "is_minuted"]

_SCRIBE = re.compile(
    r"\s*scribe(?:nick)?\s*(?:(?P<set>[:：])|(?P<add>\+)[:：]?|(?P<drop>-)[:：]?)\s*(?P<names>.*)", re.IGNORECASE
)
_TOPIC = re.compile(r"\s*topic\s*[:：]\s*(?P<topic>\S.*)", re.IGNORECASE)
_SPEAKER = re.compile(  # one word, or several that are names
    r"\s*(?P<speaker>[^\s:：<>/\"“,]{1,40}|[A-Z][^\s:：,]*(?: (?:[A-Z(][^\s:：,]*|d[aei]|van|von|der)){1,4})"
    r"\s*[:：]\s+(?P<text>\S.*)"
)
_FURTHER = re.compile(r"\s*(?:\.{2,}|…)\s*\S")
_NO_SPEAKER = re.compile(
    r"(?:sub-?)?topic|action|resol(?:ved|ution)|issue|propos(?:ed|al)|proposed resolution|straw ?poll|poll|present|"
    r"scribe(?:nick)?|regrets?|chairs?|meeting|agenda|(?:previous|next) meeting|date|repo(?:sitory)?|slideset|github|"
    r"recording|namedanchorhere|note|summary|rrsagent|zakim|trackbot|https?|q\d*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Speech:
    """What a line of minutes says, and who said it."""

    text: str
    speaker: str = ""  # "" where whoever typed it said it
    topic: str = ""  # the thread that it belongs to


@dataclass(slots=True)
class Minutes:
    """The state of the minutes of one log."""

    _scribes: set[str] = field(default_factory=set)
    _speakers: dict[str, str] = field(default_factory=dict)  # scribe -> whose words were written last
    _topic: str = ""

    def read(self, nick: str, text: str) -> Speech:
        """What the next line says."""
        if command := _SCRIBE.fullmatch(text):
            self._change_scribes(nick, command)
        elif topic := _TOPIC.fullmatch(text):
            self._topic = topic["topic"].strip()
            self._speakers.clear()
        elif (scribe := _scribe(nick)) in self._scribes:
            return self._scribed(scribe, text)
        return Speech(text, topic=self._topic)

    def _scribed(self, scribe: str, text: str) -> Speech:
        found = _SPEAKER.fullmatch(text)
        if found and not _NO_SPEAKER.fullmatch(found["speaker"]):
            self._speakers[scribe] = found["speaker"]
            return Speech(found["text"], found["speaker"], self._topic)
        if _FURTHER.match(text):
            return Speech(text, self._speakers.get(scribe, ""), self._topic)
        return Speech(text, topic=self._topic)

    def _change_scribes(self, nick: str, command: re.Match[str]) -> None:
        names = {_scribe(name.split()[0]) for name in command["names"].split(",") if name.split()}
        if command["drop"]:
            self._scribes -= names or {_scribe(nick)}
        elif names or command["add"]:
            kept = self._scribes if command["add"] else set()
            self._scribes = kept | (names or {_scribe(nick)})


def is_minuted(nick: str, text: str) -> bool:
    """Whether a line shows that a log holds minutes: by the bots that help to take them, or by the word."""
    return folded(nick) in ("rrsagent", "zakim") or text.lower().startswith("scribenick")


def _scribe(nick: str) -> str:
    """A scribe's nick; whoever comes back after a lost connection has an underscore."""
    return folded(nick).rstrip("_")
