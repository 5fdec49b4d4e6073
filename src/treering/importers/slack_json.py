"""Slack's foreign JSON, narrowed at the door: a message as a `TypedDict` whose values have the right types.

Also here: time stamps as exact microseconds, and the removal of secrets. What messages mean is in `slack_messages`.
Follows FORMATS section 1.1.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import TypedDict

__all__ = [
    "Json",
    "Message",
    "message_from",
    "micros_of",
    "moment_of",
    "record_at",
    "records_at",
    "stamp_of",
    "stripped",
    "text_at",
]

MICROS_MAX = 4_102_444_800_000_000  # the year 2100; what lies beyond is damage

Json = dict[str, object]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STAMP = re.compile(r"([0-9]{1,11})(?:\.([0-9]{1,9}))?")
_TOKEN_PARAMETER = re.compile(r"([?&])t=xox[a-z](?:\.xox[a-z])?-[\w-]*&?")
_TOKEN = re.compile(r"xox[a-z](?:\.xox[a-z])?-[\w-]*")


class Message(TypedDict):
    """The parts of a Slack message that we read; absent ones are empty."""

    type: str
    subtype: str
    ts: object  # a string, in a sound export
    thread_ts: object
    text: str
    user: str
    bot_id: str
    username: str
    user_profile: Json
    bot_profile: Json
    home_team: str  # of the author: `user_team` or `source_team`
    edited_ts: object
    has_replies: bool
    blocks: list[Json]
    attachments: list[Json]
    files: list[Json]
    old_name: str  # of a renamed channel
    new_name: str


def message_from(raw: Json) -> Message:
    """Narrow one element of a day file."""
    comment = record_at(raw, "comment")
    file = record_at(raw, "file")  # before 2018 a message had one
    return Message(
        type=text_at(raw, "type"),
        subtype=text_at(raw, "subtype"),
        ts=raw.get("ts"),
        thread_ts=raw.get("thread_ts"),
        text=text_at(raw, "text"),
        user=text_at(comment, "user") or text_at(raw, "user"),
        bot_id=text_at(raw, "bot_id"),
        username=text_at(raw, "username"),
        user_profile=record_at(raw, "user_profile"),
        bot_profile=record_at(raw, "bot_profile"),
        home_team=text_at(raw, "user_team") or text_at(raw, "source_team"),
        edited_ts=record_at(raw, "edited").get("ts"),
        has_replies=bool(raw.get("reply_count") or raw.get("replies")),
        blocks=records_at(raw, "blocks"),
        attachments=records_at(raw, "attachments"),
        files=records_at(raw, "files") or ([file] if file else []),
        old_name=text_at(raw, "old_name"),
        new_name=text_at(raw, "name"),
    )


def text_at(record: Json, key: str) -> str:
    """The string at a key; "" where there is none."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def record_at(record: Json, key: str) -> Json:
    """The object at a key; an empty one where there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def records_at(record: Json, key: str) -> list[Json]:
    """The objects of the list at a key; what is no object is left out."""
    value = record.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def micros_of(value: object) -> int | None:
    """A time stamp as whole microseconds since 1970; None if it is none, or outside 1970 to 2100.

    >>> micros_of("1516454398.000074"), micros_of("NaN"), micros_of("2.5")
    (1516454398000074, None, 2500000)
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < MICROS_MAX:
        value = f"{value:.6f}"  # some tools write numbers
    match = _STAMP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    micros = int(match[1]) * 1_000_000 + int((match[2] or "")[:6].ljust(6, "0"))
    return micros if 0 < micros < MICROS_MAX else None


def stamp_of(micros: int) -> str:
    """The time stamp as Slack spells it.

    >>> stamp_of(2_500_000)
    '2.500000'
    """
    return f"{micros // 1_000_000}.{micros % 1_000_000:06d}"


def moment_of(micros: int) -> datetime:
    """The time stamp as an aware moment, exact."""
    return _EPOCH + timedelta(microseconds=micros)


def stripped(text: str) -> str:
    """The text without Slack's tokens; exports carry one in every link to a file.

    >>> stripped("https://files.slack.com/a.pdf?t=xoxe-1-2-abc&v=2 xoxb-12-ab"), stripped("a?t=xoxe-1")
    ('https://files.slack.com/a.pdf?v=2 [token removed]', 'a')
    """
    if "xox" not in text:
        return text
    text = _TOKEN_PARAMETER.sub(lambda match: match[1] if match[0].endswith("&") else "", text)
    return _TOKEN.sub("[token removed]", text)
