"""The text of what stands beside a message's `text`: rich text and layout blocks, attachments, titles of files.

Block types that are unknown are searched for text, at any depth; nothing here raises. Follows FORMATS section 1.1.
"""

from collections.abc import Iterable

from treering.importers.slack_emoji import emojized
from treering.importers.slack_json import Json, record_at, records_at, text_at
from treering.importers.slack_text import Found, Names, decoded, link_text, mrkdwn

__all__ = ["attachment_text", "blocks_text"]

DEPTH_MAX = 20  # of blocks within blocks; Slack's own limits stay below 10

_NO_PREVIEW = "[no preview available]"


def blocks_text(blocks: list[Json], names: Names, found: Found) -> str:
    """The text of a message's blocks, a line for each."""
    return _lines(_block(block, names, found, DEPTH_MAX) for block in blocks)


def attachment_text(attachment: Json, names: Names, found: Found, depth: int = DEPTH_MAX) -> str:
    """The text of one attachment: what it shows or, where it shows nothing, its fallback; then its fields."""

    def at(key: str) -> str:
        return mrkdwn(text_at(attachment, key), names, found)

    url = text_at(attachment, "title_link")
    title = link_text(found.add_link(url), at("title")) if url else at("title")
    nested = [*records_at(attachment, "blocks"), *_message_blocks(attachment)]
    shown = _lines([at("pretext"), title, at("text"), *(_block(block, names, found, depth - 1) for block in nested)])
    if not shown and text_at(attachment, "fallback") != _NO_PREVIEW:
        shown = at("fallback")
    fields = [
        ": ".join(
            part for part in (text_at(field, "title"), mrkdwn(text_at(field, "value"), names, found)) if part.strip()
        )
        for field in records_at(attachment, "fields")
    ]
    return _lines([shown, *fields])


def _message_blocks(attachment: Json) -> list[Json]:
    """The blocks of a shared message; its text stands beside them as a rule, and is preferred."""
    if text_at(attachment, "text"):
        return []
    return [
        block
        for item in records_at(attachment, "message_blocks")
        for block in records_at(record_at(item, "message"), "blocks")
    ]


def _block(block: Json, names: Names, found: Found, depth: int) -> str:
    if depth == 0:
        return ""
    kind = text_at(block, "type")
    if kind.startswith("rich_text"):
        return _rich_text(block, names, found, depth)
    if kind == "mrkdwn":
        return mrkdwn(text_at(block, "text"), names, found)
    if kind in ("plain_text", "markdown", "raw_text"):
        return decoded(emojized(text_at(block, "text")))
    parts = [text_at(block, key) for key in ("alt_text", "image_alt_text") if not record_at(block, "title")]
    for value in block.values():
        if isinstance(value, dict):
            parts.append(_block(value, names, found, depth - 1))
        elif isinstance(value, list):
            parts.extend(_block(item, names, found, depth - 1) for item in _flat(value))
    if isinstance(block.get("text"), str):
        parts.append(text_at(block, "text"))
    return _lines(parts)


def _flat(items: list[object]) -> list[Json]:
    """The objects of a list, and of the lists in it: the cells of a table."""
    return [cell for item in items for cell in (item if isinstance(item, list) else [item]) if isinstance(cell, dict)]


def _rich_text(block: Json, names: Names, found: Found, depth: int) -> str:
    """One element of rich text with its children; their text is as typed, without entities or tokens."""
    kind, children = text_at(block, "type"), records_at(block, "elements")
    texts = [_inline(child, names, found, depth - 1) for child in children]
    if kind == "rich_text_list":
        indent, ordered = block.get("indent"), text_at(block, "style") == "ordered"
        margin = "  " * min(indent, 8) if isinstance(indent, int) else ""
        return "\n".join(
            f"{margin}{f'{number}.' if ordered else '•'} {text}" for number, text in enumerate(texts, start=1)
        )
    if kind == "rich_text":
        return _lines(texts)
    text = "".join(texts)
    if kind == "rich_text_quote":
        return "\n".join(f"> {line}" for line in text.split("\n"))
    return f"```\n{text}\n```" if kind == "rich_text_preformatted" else text


def _inline(element: Json, names: Names, found: Found, depth: int) -> str:
    kind, text = text_at(element, "type"), text_at(element, "text")
    if depth == 0:
        return ""
    if kind == "text":
        return text
    if kind == "link":
        return link_text(found.add_link(text_at(element, "url")), text)
    if kind == "user":
        user = text_at(element, "user_id")
        if user:
            found.mentions.setdefault(user, "")
        return "@" + (names.people.get(user) or user)
    if kind == "channel":
        channel = text_at(element, "channel_id")
        return "#" + (names.places.get(channel) or channel)
    if kind == "emoji":
        tone = element.get("skin_tone")
        return emojized(f":{text_at(element, 'name')}:" + (f":skin-tone-{tone}:" if isinstance(tone, int) else ""))
    if kind == "broadcast":
        return "@" + text_at(element, "range")
    if kind == "usergroup":
        return "@" + text_at(element, "usergroup_id")
    if kind in ("color", "team"):
        return text_at(element, "value") or text_at(element, "team_id")
    if kind == "date":
        return text_at(element, "fallback") or str(element.get("timestamp", ""))
    if records_at(element, "elements"):
        return _rich_text(element, names, found, depth)
    return text


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part and part.strip())
