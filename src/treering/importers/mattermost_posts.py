"""What one post of a Mattermost export says in our words: its id, its versions, its text, and whom it mentions.

Posts have no ids in the file, so one is made of what a post is known by: channel, author, time in milliseconds, and
words. Reactions, pins and flags are no versions of a post. Follows FORMATS section 3.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

from treering.importers.json_fields import Json, raw_of, record_at, records_at, text_at
from treering.importers.moments import read_moment
from treering.importers.narrowing import FieldError, distinct, identity, urls
from treering.importers.roster import NOBODY, Roster
from treering.importers.slack_emoji import emojized
from treering.model.drafts import ActorKind, Attachment, Change, RecordDraft

__all__ = ["Place", "Post", "lineage_of", "post_from", "record_of", "replies_of"]

EVERYBODY = frozenset({"channel", "here", "all"})

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_MENTION = re.compile(r"(?<![\w.@/-])@([a-z0-9][a-z0-9._-]{0,63})", re.IGNORECASE)
_TONE = re.compile(r":(\+1|-1|[a-z0-9_]+?)_(light|medium_light|medium|medium_dark|dark)_skin_tone:")
_TONES = ("light", "medium_light", "medium", "medium_dark", "dark")
# Before posts had a type, joins were written as if the person had said them.
_UNTYPED_EVENT = re.compile(
    r"(?P<who>\S+) (?:joined|left|was (?:added to|removed from)|added to|removed from) the (?:channel|team)"
    r"(?: by (?P<by>[^\s.]+))?\.?"
)


class Post(TypedDict):
    """The parts of a post or reply that we read; absent ones are empty."""

    user: str
    type: str
    is_typed: bool
    message: str
    props: Json
    create_at: object  # milliseconds since 1970, in a sound export
    edit_at: object
    paths: list[str]  # of attached files


@dataclass(frozen=True, slots=True)
class Place:
    """Where a post stands."""

    channel: str
    root: str | None = None  # lineage of the post that it replies to


def post_from(raw: Json) -> Post:
    """Narrow a post, direct post or reply."""
    return Post(
        user=identity(raw.get("user")) or "",
        type=text_at(raw, "type"),
        is_typed="type" in raw,
        message=text_at(raw, "message"),
        props=record_at(raw, "props"),
        create_at=raw.get("create_at"),
        edit_at=raw.get("edit_at"),
        paths=[text_at(file, "path") for file in records_at(raw, "attachments") if text_at(file, "path")],
    )


def lineage_of(post: Post, channel: str) -> str:
    """The id of a post, whatever became of it and wherever it stands in the file."""
    said = post["message"] or raw_of(post["props"].get("attachments"))
    words = "\x1f".join([post["user"], text_at(post["props"], "override_username"), said, *post["paths"]])
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    return f"{channel}/{str(post['create_at'])[:24]}/{digest}"


def record_of(post: Post, place: Place, roster: Roster) -> RecordDraft:
    """The version of a post that the export holds: as it was sent or, if edited, as it was after the last edit.

    Raises:
        FieldError: it has no time that can be read.
    """
    sent = read_moment(post["create_at"], "create_at")
    lineage, since, change = lineage_of(post, place.channel), sent, Change.NEW
    if post["edit_at"]:
        try:
            edited = read_moment(post["edit_at"], "edit_at")
        except FieldError:
            edited = sent
        if edited.at > sent.at:
            since, change = edited, Change.EDIT
    text = _text(post)
    mentions = _mentions(text)
    for user in mentions:
        roster.add(user)
    return RecordDraft(
        source_id=lineage if change is Change.NEW else f"{lineage}@{since.raw}",
        lineage=lineage,
        change=change,
        channel=place.channel,
        author=_author(post, roster),
        valid_from=since.at,
        valid_from_raw=since.raw,
        created_at=sent.at if change is Change.EDIT else None,
        reply_to=place.root,
        thread=place.root,
        text=text,
        mentions=mentions,
        links=urls(text),
        attachments=tuple(Attachment(path.rpartition("/")[2]) for path in post["paths"]),
        event=_event(post),
        id_is_final=True,
    )


def _author(post: Post, roster: Roster) -> str:
    """The user; of a webhook that speaks under a name of its own, that name, as its owner did not write this."""
    props = post["props"]
    name = text_at(props, "override_username").strip()
    if name and _is_true(props.get("from_webhook")):
        return roster.add(f"bot:{name}", name, ActorKind.BOT)
    kind = ActorKind.BOT if _is_true(props.get("from_bot")) else ActorKind.UNKNOWN
    return roster.add(post["user"] or NOBODY, kind=kind)


def _event(post: Post) -> str | None:
    if post["type"].startswith("system_"):
        return post["type"].removeprefix("system_")
    match = None if post["is_typed"] else _UNTYPED_EVENT.fullmatch(post["message"])
    is_event = match is not None and (match["who"] == post["user"] or match["by"] == post["user"])
    return "membership" if is_event else None


def _text(post: Post) -> str:
    """The message, and what bots show below it; the names of files where nothing else is said."""
    shown = [post["message"]]
    shown += [_attachment_text(item) for item in records_at(post["props"], "attachments")]
    text = "\n".join(part for part in shown if part.strip())
    return emojized(_TONE.sub(_as_slack, text)) or "\n".join(path.rpartition("/")[2] for path in post["paths"])


def _attachment_text(item: Json) -> str:
    """A message attachment in the shape that Mattermost took over from Slack; its text is Markdown."""
    title, link = text_at(item, "title"), text_at(item, "title_link")
    lines = [text_at(item, "pretext"), text_at(item, "author_name"), f"{title} ({link})" if title and link else title]
    lines.append(text_at(item, "text"))
    for field in records_at(item, "fields"):
        value = field.get("value")
        parts = [text_at(field, "title"), value if isinstance(value, str) else identity(value) or ""]
        lines.append(": ".join(part for part in parts if part.strip()))
    lines.append(text_at(item, "footer"))
    return "\n".join(line for line in lines if line.strip()) or text_at(item, "fallback")


def _mentions(text: str) -> tuple[str, ...]:
    """The user names behind `@` outside of code; whether there are such users is not asked, as lists may be missing."""
    if "@" not in text:
        return ()
    names = [match[1].lower().rstrip("._-") for match in _MENTION.finditer(_CODE.sub(" ", text))]
    return distinct([name for name in names if name and name not in EVERYBODY])


def _as_slack(match: re.Match[str]) -> str:
    return f":{match[1]}::skin-tone-{_TONES.index(match[2]) + 2}:"


def _is_true(value: object) -> bool:
    return value is True or value == "true"


def replies_of(raw: Json) -> Iterator[tuple[int, object]]:
    """The replies nested in a post, counted from 1, in whatever order."""
    replies = raw.get("replies")
    return enumerate(replies, start=1) if isinstance(replies, list) else iter(())
