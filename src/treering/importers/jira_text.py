"""What Jira's wiki markup and its document format (ADF) say: the people that a text names, and ADF as plain text.

Wiki markup is kept to the letter. ADF, in which Jira Cloud and Confluence Cloud keep texts, becomes Markdown as far as
it carries meaning: headings, lists, code with its language, quotations, tables, links with their words.
"""

import re
from typing import Final

from treering.importers.json_fields import Json, record_at, records_at, text_at
from treering.importers.narrowing import clean, distinct

__all__ = ["adf_text", "mentioned"]

DEPTH_MAX = 60  # of nodes within nodes; Atlassian's editors stay below 10

_MENTION: Final = re.compile(r"\[~(?:accountid:)?([^\]\s|]+)\]")
_CODE: Final = re.compile(r"\{(code|noformat)(?::[^}]*)?\}.*?(?:\{\1\}|\Z)", re.DOTALL)
_BLOCKS: Final = frozenset({"doc", "panel", "expand", "nestedExpand", "layoutSection", "layoutColumn", "listItem"})


def mentioned(text: str) -> tuple[str, ...]:
    """The people that a text in wiki markup names with an explicit token, outside of code.

    >>> mentioned("[~ana] and [~accountid:712020:aa-bb]; {code}[~bot]{code}")
    ('ana', '712020:aa-bb')
    """
    return distinct(_MENTION.findall(_CODE.sub(" ", text))) if "[~" in text else ()


def adf_text(document: Json) -> tuple[str, tuple[str, ...]]:
    """A document as plain text, and the ids of the people that it names.

    >>> adf_text({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Hi"}]}]})
    ('Hi', ())
    """
    mentions: list[str] = []
    return clean(_block(document, mentions, DEPTH_MAX).strip("\n")), distinct(mentions)


def _block(node: Json, mentions: list[str], depth: int) -> str:
    """A node that stands on lines of its own."""
    kind, attributes = text_at(node, "type"), record_at(node, "attrs")
    if depth == 0:
        return ""
    children = records_at(node, "content")
    if kind in _BLOCKS:
        title = text_at(attributes, "title")
        parts = [title, *(_block(child, mentions, depth - 1) for child in children)]
        return ("\n" if kind == "listItem" else "\n\n").join(part for part in parts if part)
    if kind in ("bulletList", "orderedList", "taskList", "decisionList"):
        items = [_block(child, mentions, depth - 1) for child in children]
        marks = [f"{number}. " if kind == "orderedList" else "- " for number in range(1, len(items) + 1)]
        return "\n".join(
            mark + item.replace("\n", "\n" + " " * len(mark)) for mark, item in zip(marks, items, strict=True)
        )
    if kind == "codeBlock":
        code = "".join(text_at(child, "text") for child in children)
        return f"```{text_at(attributes, 'language')}\n{code}\n```"
    if kind == "blockquote":
        quoted = "\n\n".join(_block(child, mentions, depth - 1) for child in children)
        return "\n".join(f"> {line}" for line in quoted.split("\n"))
    if kind == "table":
        rows = [records_at(row, "content") for row in children]
        return "\n".join(
            "| " + " | ".join(" ".join(_block(cell, mentions, depth - 1).split()) for cell in cells) + " |"
            for cells in rows
        )
    if kind in ("tableCell", "tableHeader"):
        return "\n".join(_block(child, mentions, depth - 1) for child in children)
    if kind == "rule":
        return "---"
    line = (
        "".join(_inline(child, mentions, depth - 1) for child in children)
        if children
        else _inline(node, mentions, depth)
    )
    level = attributes.get("level")
    if kind == "heading" and isinstance(level, int) and 1 <= level <= 6:
        return f"{'#' * level} {line}"
    return f"[{'x' if attributes.get('state') == 'DONE' else ' '}] {line}" if kind == "taskItem" else line


def _inline(node: Json, mentions: list[str], depth: int) -> str:
    """A node within a line."""
    kind, attributes, text = text_at(node, "type"), record_at(node, "attrs"), text_at(node, "text")
    if kind == "text":
        return _marked(node, text)
    if kind == "hardBreak":
        return "\n"
    if kind == "mention":
        if person := text_at(attributes, "id"):
            mentions.append(person)
        return "@" + (text_at(attributes, "text").removeprefix("@") or person)
    if kind == "emoji":
        return text_at(attributes, "text") or text_at(attributes, "shortName")
    if kind in ("inlineCard", "blockCard", "embedCard"):
        return text_at(attributes, "url")
    if kind == "date":
        return text_at(attributes, "timestamp")
    if kind == "media":
        return text_at(attributes, "alt")
    if children := records_at(node, "content"):
        return _block(node, mentions, depth) if depth else "".join(text_at(child, "text") for child in children)
    return text_at(attributes, "text") or text


def _marked(node: Json, text: str) -> str:
    """Text with the marks that carry meaning: code, and where a link leads."""
    for mark in records_at(node, "marks"):
        kind, href = text_at(mark, "type"), text_at(record_at(mark, "attrs"), "href")
        if kind == "code":
            text = f"`{text}`"
        elif kind == "strike":
            text = f"~~{text}~~"
        elif kind == "link" and href and href != text:
            text = f"[{text}]({href})"
    return text
