"""What stands within a line of a Confluence page: words, links, people, images, and macros that are words themselves.

Links to pages are written `[[Title]]`, as their addresses are not in the page; people are called by what the caller
knows of them, and told by their ids. Follows FORMATS section 14.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from treering.importers.storage_tree import Element, Verbatim

__all__ = ["INLINE_MACROS", "SILENT", "Inline", "PageText", "parameters_of"]

INLINE_MACROS: Final = frozenset(
    ("status", "jira", "anchor", "profile", "eazy-math-inline", "easy-math-inline", "mathinline")
)
SILENT: Final = frozenset((
    "toc", "children", "pagetree", "recently-updated", "contributors", "anchor", "livesearch", "space-details",
    "blog-posts", "contentbylabel", "detailssummary", "change-history", "popular-labels", "content-report-table",
))  # fmt: skip

# Parameters that are words for a reader, of macros that have no body.
_TOLD: Final = ("title", "body", "text", "label", "subject", "filename", "name", "url", "key", "jqlquery", "page")
_DROPPED: Final = frozenset(
    ("ac:placeholder", "ac:parameter", "ac:task-id", "ac:task-uuid", "script", "style", "colgroup")
)
_LINKS: Final = frozenset(
    ("ac:link", "ri:page", "ri:blog-post", "ri:content-entity", "ri:space", "ri:attachment", "ri:user", "ri:url")
)


@dataclass(slots=True)
class PageText:
    """What a page says, and what it points to; in order of first sight."""

    text: str = ""
    links: dict[str, None] = field(default_factory=dict)
    mentions: dict[str, None] = field(default_factory=dict)
    pages: dict[tuple[str, str], None] = field(default_factory=dict)  # (key of the space or "", title)
    ids: dict[str, None] = field(default_factory=dict)  # of pages linked to by id
    issues: dict[str, None] = field(default_factory=dict)  # of Jira
    attachments: dict[str, None] = field(default_factory=dict)


class Inline:
    """Reads pieces of lines, and notes in `found` what they point to."""

    def __init__(self, name_of: Callable[[str], str]) -> None:
        self.found = PageText()
        self._name_of = name_of

    def piece(self, child: Element | str) -> str:
        """A piece of a line; lines are put together later, so that spaces count once."""
        if isinstance(child, Verbatim):
            return str(child)
        if isinstance(child, str):
            return re.sub(r"[ \t\r\n\f\xa0]+", " ", child)
        tag = child.tag
        if tag in _DROPPED:
            return ""
        if tag == "br":
            return "\n"
        if tag == "a":
            return self._anchor(child)
        if tag in (
            "ac:link",
            "ri:page",
            "ri:blog-post",
            "ri:content-entity",
            "ri:space",
            "ri:attachment",
            "ri:user",
            "ri:url",
        ):
            return self._link(child)
        if tag in ("ac:image", "img"):
            return self._image(child)
        if tag == "ac:emoticon":
            return child.at("ac:emoji-fallback") or f":{child.at('ac:name')}:"
        if tag == "time":
            return child.at("datetime") or self._inner(child)
        if tag == "ac:structured-macro":
            name, parameters = child.at("ac:name").lower(), parameters_of(child)
            people = "".join(
                self._link(user) for part in child.elements("ac:parameter") for user in part.elements("ri:user")
            )
            return "" if name in SILENT else people or self.told(name, parameters)
        inner = self._inner(child)
        if tag in ("code", "tt", "kbd", "samp") and inner.strip():
            return f"`{inner}`"
        return f"~~{inner}~~" if tag in ("del", "s", "strike") and inner.strip() else inner

    def _inner(self, element: Element) -> str:
        return "".join(map(self.piece, element.children))

    def _anchor(self, element: Element) -> str:
        words, address = self._inner(element).strip(), element.at("href").strip()
        if not address.lower().startswith(("http://", "https://", "mailto:", "ftp://")):
            return words
        address = re.sub("(?i)^mailto:", "", address)
        if "://" in address:
            self.found.links[address] = None
        return address if not words or words == address else f"[{words}]({address})"

    def _link(self, element: Element) -> str:
        """A link of Confluence's own: to a page, a person, a file, an address."""
        body = element.first("ac:plain-text-link-body", "ac:link-body")
        words = " ".join(self._inner(body).split()) if body.tag else ""
        target = (
            element
            if element.tag.startswith("ri:")
            else next((part for part in element.elements() if part.tag.startswith("ri:")), Element(""))
        )
        if target.tag in ("ri:page", "ri:blog-post"):
            title, space = target.at("ri:content-title"), target.at("ri:space-key")
            self.found.pages[space, title] = None
            where = f"{space}:{title}" if space else title
            return f"[[{where}|{words}]]" if words and words != title else f"[[{where}]]"
        if target.tag == "ri:user":
            person = target.at("ri:account-id") or target.at("ri:userkey") or target.at("ri:username")
            if person:
                self.found.mentions[person] = None
            return f"@{self._name_of(person)}" if person else words
        if target.tag == "ri:attachment":
            name = target.at("ri:filename")
            self.found.attachments[name] = None
            return f"{words} ({name})" if words and words != name else name
        if target.tag == "ri:content-entity":
            self.found.ids[target.at("ri:content-id")] = None
        if target.tag == "ri:url":
            self.found.links[target.at("ri:value")] = None
            return words or target.at("ri:value")
        return words or target.at("ri:space-key") or element.at("ac:anchor")

    def _image(self, element: Element) -> str:
        file, address = element.first("ri:attachment").at("ri:filename"), element.first("ri:url").at("ri:value")
        address = address or element.at("src")
        if file:
            self.found.attachments[file] = None
        elif address.startswith(("http://", "https://")):
            self.found.links[address] = None
        caption = " ".join(self._inner(element.first("ac:caption")).split())
        words = caption or element.at("ac:alt") or element.at("alt") or element.at("ac:title")
        return f"![{words}]({file or address})" if file or address else words

    def told(self, name: str, parameters: dict[str, str]) -> str:
        """What a macro without a body says by its parameters."""
        if "math" in name and parameters.get("body"):
            return f"${parameters['body']}$"
        if name == "jira" and parameters.get("key"):
            self.found.issues[parameters["key"]] = None
            return parameters["key"]
        if parameters.get("url", "").startswith(("http://", "https://")):
            self.found.links[parameters["url"]] = None
        return " ".join(parameters[key] for key in _TOLD if parameters.get(key))


def parameters_of(element: Element) -> dict[str, str]:
    """The parameters of a macro, as text."""
    return {part.at("ac:name").lower(): part.text().strip() for part in element.elements("ac:parameter")}
