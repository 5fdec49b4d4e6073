"""The text of Discord messages: tokens made readable, and what embeds, buttons and stickers show.

An exporter may have resolved the tokens already; then `@name` is text like any other and mentions nobody. Follows
FORMATS section 5.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

from treering.importers.json_fields import Json, record_at, records_at, text_at

__all__ = ["Tokens", "components_text", "embed_text", "file_name", "readable", "snowflake_time"]

DEPTH_MAX = 8  # of buttons within rows within sections

_TOKEN = re.compile(
    r"<(?:@!?(?P<user>[0-9]{1,20})|@&(?P<role>[0-9]{1,20})|#(?P<channel>[0-9]{1,20})"
    r"|a?:(?P<emoji>\w+):[0-9]{1,20}|t:(?P<time>-?[0-9]{1,12})(?::[a-zA-Z])?|/(?P<command>[^:<>\n]+):[0-9]{1,20})>"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DISCORD_EPOCH_MS = 1_420_070_400_000


@dataclass(slots=True)
class Tokens:
    """What the tokens of one message may mean, and whom they were found to mention."""

    people: Mapping[str, str] = field(default_factory=dict)  # id -> name
    places: Mapping[str, str] = field(default_factory=dict)
    mentions: dict[str, None] = field(default_factory=dict)


def readable(text: str, tokens: Tokens) -> str:
    """The text as its readers saw it.

    >>> readable("<@7> see <#9> <:party:1> <t:0:f>", Tokens({"7": "Ana"}))
    '@Ana see #9 :party: 1970-01-01 00:00 UTC'
    """

    def word(match: re.Match[str]) -> str:
        if user := match["user"]:
            tokens.mentions[user] = None
            return f"@{tokens.people.get(user, user)}"
        if match["time"]:
            return f"{_EPOCH + timedelta(seconds=int(match['time'])):%Y-%m-%d %H:%M} UTC"
        if match["channel"]:
            return f"#{tokens.places.get(match['channel'], match['channel'])}"
        if match["emoji"]:
            return f":{match['emoji']}:"
        return f"@{match['role']}" if match["role"] else f"/{match['command']}"

    if "<" not in text:
        return text
    try:
        return _TOKEN.sub(word, text)
    except OverflowError:  # a time beyond the year 9999
        return text


def embed_text(embed: Json, tokens: Tokens) -> str:
    """What an embed shows, a line for each part."""
    title, url = readable(text_at(embed, "title"), tokens), text_at(embed, "url")
    lines = [text_at(record_at(embed, "author"), "name"), f"{title} ({url})" if title and url else title]
    lines.append(readable(text_at(embed, "description"), tokens))
    for item in records_at(embed, "fields"):
        parts = [readable(text_at(item, key), tokens) for key in ("name", "value")]
        lines.append(": ".join(part for part in parts if part.strip(" \u200b")))
    lines.append(text_at(record_at(embed, "footer"), "text"))
    return "\n".join(line for line in lines if line.strip(" \u200b"))


def components_text(components: list[Json], tokens: Tokens, depth: int = DEPTH_MAX) -> str:
    """What rows of buttons and menus say."""
    lines = []
    for item in components if depth else []:
        label, url = text_at(item, "label") or text_at(item, "placeholder"), text_at(item, "url")
        lines.append(readable(text_at(item, "content"), tokens))
        lines.append(f"{label} ({url})" if label and url else label)
        lines.append(components_text(records_at(item, "components"), tokens, depth - 1))
    return "\n".join(line for line in lines if line.strip())


def file_name(url: str) -> str:
    """The name of the file that a link leads to.

    >>> file_name("https://cdn.example/1/2/plan%20B.pdf?ex=65&hm=0a")
    'plan B.pdf'
    """
    return unquote(re.split("[?#]", url)[0].rstrip("/").rpartition("/")[2]) or url


def snowflake_time(id_: str) -> datetime | None:
    """The time that an id was made at: Discord's ids begin with it.

    >>> snowflake_time("1214195123456789012").isoformat(timespec="seconds"), snowflake_time("msg201")
    ('2024-03-04T12:57:56+00:00', None)
    """
    if not re.fullmatch("[0-9]{17,19}", id_):
        return None
    return _EPOCH + timedelta(milliseconds=(int(id_) >> 22) + _DISCORD_EPOCH_MS)
