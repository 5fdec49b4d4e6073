"""Zulip's Markdown, made readable and no more: mentions and channel links become words, all else stays as written.

What stands in code is left alone, and nobody is mentioned from within a quotation or silently (`@_**Name|id**`). The
rules are those of Zulip's own Markdown processor.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import unquote

from treering.importers.narrowing import clean, distinct, urls
from treering.importers.zulip_reading import Reading, near, upload
from treering.model.drafts import Attachment

__all__ = ["Identify", "read_markdown"]

Identify = Callable[[str, str], tuple[str | None, str]]
"""Given the name and the id within a mention, either may be empty: the user's id, if one is meant, and the name."""

_NO_FILES: Mapping[str, Attachment] = MappingProxyType({})
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,}) *\{?\.?(?P<language>[\w+./#-]*)\}?(?: +[^`~]*)? *")
_TOKEN = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?<![^\s'\"({\[/<])@(?P<silent>_?)\*\*(?P<user>[^*\n]+)\*\*"
    r"|(?<![^\s'\"({\[/<])@_?\*(?P<group>[^*\n]+)\*(?!\*)"
    r"|(?<![^\s'\"(,:<])\#\*\*(?P<place>[^*\n]+)\*\*"
    r"|(?P<url>(?:https?://\S*)?/?\#narrow/[^\s)]+)"
    r"|(?:\[(?P<label>[^\]\n]*)\]\()?(?P<upload>(?:https?://[^\s/)]+)?/user_uploads/[^\s)]+)"
)
_ANY_TOKEN = re.compile(r"[@#]_?\*|#narrow/|/user_uploads/")  # most lines hold none, and searching all is slow
_REPLY = re.compile(r"@_?\*\*[^*\n]+\*\* \[[^\]\n]*\]\((?P<url>[^)\s]*#narrow/[^)\s]*)\): *")
_USER = re.compile(r"(?P<name>.*)\|(?P<id>[0-9]+)")
_PLACE = re.compile(r"(?P<channel>[^>]+)(?:>(?P<topic>.*?))?(?:@(?P<message>[0-9]+))?", re.DOTALL)


@dataclass(slots=True)
class _Found:
    files: Mapping[str, Attachment]
    mentions: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    attachments: dict[str, Attachment] = field(default_factory=dict)


def read_markdown(content: str, identify: Identify, files: Mapping[str, Attachment] = _NO_FILES) -> Reading:
    """Read a message as its author typed it; `files` are the uploads of which more is known, by their paths.

    >>> read_markdown("@**Ben|9**, see #**ops>release 3**", lambda name, id: (id, name))
    Reading(text='@Ben, see #ops > release 3', mentions=('9',), refs=(), reply_to=None, links=(), attachments=())
    """
    found = _Found(files)
    text = "\n".join(_lines(clean(content), identify, found))
    return Reading(
        text,
        distinct(found.mentions),
        distinct(found.refs),
        next(iter(found.replies), None),
        distinct(found.links),
        tuple(found.attachments.values()),
    )


def _lines(content: str, identify: Identify, found: _Found) -> Iterator[str]:
    """The lines in readable form; fences nest, as quotations of quotations do."""
    fences: list[tuple[str, bool, bool]] = []  # the marks, whether code, whether a quotation
    for line in content.split("\n"):
        opening = _FENCE.fullmatch(line)
        if fences and line.strip() == fences[-1][0]:
            fences.pop()
            yield line
        elif fences and fences[-1][1]:
            yield line
        elif opening:
            language = opening["language"].lower()
            quotes = language == "quote" or any(quotes for _, _, quotes in fences)
            fences.append((opening["fence"], language not in ("quote", "spoiler"), quotes))
            yield line
        else:
            quoted = bool(fences and fences[-1][2]) or line.lstrip().startswith(">")
            yield _readable(line, quoted, identify, found)


def _readable(line: str, quoted: bool, identify: Identify, found: _Found) -> str:
    found.links += urls(line)
    if not _ANY_TOKEN.search(line):
        return line
    reply = _REPLY.fullmatch(line)
    if reply and not quoted:
        found.replies.extend(filter(None, [near(reply["url"])]))

    def word(match: re.Match[str]) -> str:
        if match["user"]:
            named = _USER.fullmatch(match["user"])
            user, shown = identify(named["name"], named["id"]) if named else identify(match["user"], "")
            if user and not match["silent"] and not quoted:
                found.mentions.append(user)
            return shown if match["silent"] else f"@{shown}"
        if match["group"]:
            return f"@{match['group']}"
        if match["place"]:
            return _place(match["place"], found)
        if match["url"]:
            found.refs.extend(filter(None, [near(match["url"])]))
        elif match["upload"]:
            path = match["upload"].partition("/user_uploads/")[2]
            name = match["label"] or unquote(upload(match["upload"]) or "")
            found.attachments.setdefault(path, found.files.get(path) or Attachment(name))
        return match[0]

    return _TOKEN.sub(word, line)


def _place(token: str, found: _Found) -> str:
    match = _PLACE.fullmatch(token)
    if match is None:
        return f"#{token}"
    if match["message"]:
        found.refs.append(match["message"])
    return f"#{match['channel']} > {match['topic']}" if match["topic"] else f"#{match['channel']}"
