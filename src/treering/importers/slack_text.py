"""Slack's mrkdwn as readable plain text: mentions, channels, links and entities resolved, marks of emphasis kept.

Blocks and attachments, which hold mrkdwn in their turn, are in `slack_blocks`. Follows FORMATS section 1.1.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from treering.importers.slack_emoji import emojized
from treering.importers.slack_json import stripped

__all__ = ["Found", "Names", "decoded", "link_text", "mrkdwn"]

_ANGLED = re.compile(r"<([^<>\n]*)>")
_ENTITY = re.compile("&(amp|lt|gt);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}
_ID = re.compile(r"[@#][A-Z0-9]+")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]+")
_OWN_LINK = re.compile(r"https?://[^/\s]+\.slack\.com/archives/([A-Z0-9]+)/p([0-9]{10})([0-9]{6})\b")


@dataclass(frozen=True, slots=True)
class Names:
    """What ids are called: people, and the channels whose names everybody may know."""

    people: Mapping[str, str]
    places: Mapping[str, str]


@dataclass(slots=True)
class Found:
    """What a text mentions and links to, gathered while it is rendered; in order of first sight."""

    mentions: dict[str, str] = field(default_factory=dict)  # id -> the label that stood there
    links: dict[str, None] = field(default_factory=dict)
    refs: dict[str, None] = field(default_factory=dict)  # lineages of messages

    def add_link(self, url: str) -> str:
        """Note a URL, and the message it points to if it is a permalink; returns it without secrets."""
        url = stripped(url)
        if "://" in url:
            self.links[url] = None
            if match := _OWN_LINK.match(url):
                self.refs[f"{match[1]}/{match[2]}.{match[3]}"] = None
        return url


def mrkdwn(text: str, names: Names, found: Found) -> str:
    """The text as its readers saw it.

    Entities are decoded once and last, after `<...>` was split off: `&amp;lt;` is `&lt;`.

    >>> mrkdwn("<@U1> see <https://w.example|the wiki> &amp;lt; :tada:", Names({"U1": "Ana"}, {}), Found())
    '@Ana see the wiki (https://w.example) &lt; 🎉'
    """
    parts = _ANGLED.split(text)
    for place in range(0, len(parts), 2):
        parts[place] = decoded(emojized(parts[place]))
    for place in range(1, len(parts), 2):
        parts[place] = _token(parts[place], names, found)
    return "".join(parts)


def link_text(url: str, label: str) -> str:
    """A link with its label, so that both are found; the URL alone where the label says no more."""
    if not label or label == url or url.rpartition("://")[2].rstrip("/") == label.rstrip("/"):
        return url
    return f"{label} ({url})"


def _token(token: str, names: Names, found: Found) -> str:
    target, _, label = token.partition("|")
    target, label = decoded(target), decoded(label)
    is_id, sigil = _ID.fullmatch(target), target[:1]
    if is_id and sigil == "@":
        found.mentions.setdefault(target[1:], label)
        return "@" + (names.people.get(target[1:]) or label.removeprefix("@") or target[1:])
    if is_id:
        # An empty label is how Slack hides the name of a private channel; only listed public ones are named again.
        # Where channels are listed, the label of one that is not may name a closed one.
        listed = names.places.get(target[1:], "")
        label = label.removeprefix("#") if listed or not names.places else ""
        return "#" + (label or listed or target[1:])
    if sigil == "!":
        return _command(target[1:], label, found)
    if target.startswith("mailto:"):
        return link_text(target.removeprefix("mailto:"), label)
    if _URL.fullmatch(target):
        return link_text(found.add_link(target), stripped(label))
    return f"<{decoded(token)}>"  # never was a token


def _command(target: str, label: str, found: Found) -> str:
    name, _, arguments = target.partition("^")
    if name == "date":
        url = arguments.split("^")[2:]
        return link_text(found.add_link(url[0]), label) if url else label or arguments
    if name == "subteam":
        return "@" + (label.removeprefix("@") or arguments)
    return "@" + name if name in ("channel", "here", "everyone", "group") else label or name


def decoded(text: str) -> str:
    """The text with Slack's three entities decoded, in one pass."""
    return _ENTITY.sub(lambda match: _ENTITIES[match[1]], text) if "&" in text else text
