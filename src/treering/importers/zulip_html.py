"""Zulip's rendered HTML, read back into plain text with the marks that carry meaning.

Kept: code with its fences and language, quotations as `> `, lists, links as `[words](address)`, struck-out words as
`~~ ~~`, formulas as `$$ $$`, emoji as characters, images by their names. Dropped: bold, italics, colours, and the
previews that Zulip adds below links. The parser of the standard library is enough: one program writes all this HTML.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote

from treering.importers.narrowing import clean, distinct
from treering.importers.zulip_reading import Reading, near, upload
from treering.model.drafts import Attachment

__all__ = ["read_html"]

_BREAK = "\x1e"  # between blocks, until the text is whole: within code a line feed is a line feed
_BREAKS = re.compile(rf"[ \t]*{_BREAK}[ \t{_BREAK}]*")
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "source", "link", "meta", "col"})
_BLOCKS = frozenset({"p", "div", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "dt", "dd"})
_PREVIEWS = frozenset({"message_embed", "message_inline_image", "message_inline_ref", "twitter-tweet"})
_REPLY = re.compile(
    r'<span class="user-mention silent"[^>]*>[^<]*</span>\s*'
    r'<a [^>]*href="(?P<url>[^"]*#narrow/[^"]*)"[^>]*>[^<]*</a>\s*:'
)
_QUOTE = re.compile(r"<blockquote>.*?(?:</blockquote>|\Z)", re.DOTALL)


@dataclass(slots=True)
class _Element:
    """An open element, and the text that it contains so far."""

    tag: str
    attributes: dict[str, str]
    hidden: bool = False  # a preview, or the second of two renderings of a formula
    parts: list[str] = field(default_factory=list)
    items: int = 0  # of a list: those so far

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


def read_html(content: str) -> Reading:
    """Read a message as Zulip rendered it; mentions are the names shown, as only they are given of authors.

    >>> read_html('<p>Done, <span class="user-mention" data-user-id="9">@Ben</span> '
    ...           '<span class="emoji emoji-1f44d" title="+1">:+1:</span>: <code>x = 1</code></p>').text
    'Done, @Ben 👍: `x = 1`'
    """
    page = _Page()
    page.feed(clean(content).replace("<![", "&lt;!["))  # the parser asserts that a marked section is well formed
    page.close()
    answered = _REPLY.search(_QUOTE.sub("", content))
    return Reading(
        page.text(),
        distinct(page.mentions),
        distinct(page.refs),
        near(answered["url"]) if answered else None,
        distinct(page.links),
        tuple(page.attachments.values()),
    )


class _Page(HTMLParser):
    """Elements are put together from the inside out: closing one hands its text to the one around it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.mentions: list[str] = []
        self.refs: list[str] = []
        self.links: list[str] = []
        self.attachments: dict[str, Attachment] = {}
        self._open = [_Element("", {})]

    def text(self) -> str:
        """All that was read; elements left open are closed."""
        while len(self._open) > 1:
            self._close_last()
        return _blocks("".join(self._open[0].parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        element = _Element(tag, attributes)
        classes = set(element.classes)
        element.hidden = self._open[-1].hidden or "katex-html" in classes or not _PREVIEWS.isdisjoint(classes)
        if tag in _VOID:
            self._void(element)
        else:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if all(element.tag != tag for element in self._open):
            return  # it was never opened
        while self._open[-1].tag != tag:
            self._close_last()
        self._close_last()

    def handle_data(self, data: str) -> None:
        within_code = any(element.tag == "pre" for element in self._open)
        data = data.replace(_BREAK, " ")
        self._open[-1].parts.append(data if within_code else re.sub(r"[ \t]*\n[ \t]*", " ", data))

    def _void(self, element: _Element) -> None:
        parent = self._open[-1]
        if element.hidden:
            return
        if element.tag == "br":
            parent.parts.append(_BREAK)
        elif element.tag == "hr":
            parent.parts.append(f"{_BREAK}---{_BREAK}")
        elif element.tag == "img":
            label = element.attributes.get("alt") or element.attributes.get("title", "")
            parent.parts.append(label)
            self._attach(element.attributes.get("data-original-src", ""), label)

    def _close_last(self) -> None:
        element = self._open.pop()
        inner = "".join(element.parts)
        if element.tag == "a":
            self._follow(element, inner)
        if not element.hidden:
            self._open[-1].parts.append(self._written(element, inner))

    def _follow(self, element: _Element, inner: str) -> None:
        """Note where a link leads; a preview of what has no link of its own is what the message shows of it."""
        href = element.attributes.get("href", "")
        title = element.attributes.get("title", "") if element.hidden else _blocks(inner)
        message = near(href)
        if message:
            self.refs.append(message)
        fresh = self._attach(href, title)
        if href.startswith(("http://", "https://")) and not fresh and href not in self.links:
            self.links.append(href)
            fresh = True
        if element.hidden and fresh:
            shown = next(outer for outer in reversed(self._open) if not outer.hidden)
            shown.parts.append(f"{_BREAK}{_link_text(href, title)}{_BREAK}")

    def _attach(self, url: str, label: str) -> bool:
        """Note an uploaded file; whether it is one, and had not been met."""
        name = upload(url)
        if name is None or url in self.attachments:
            return False
        self.attachments[url] = Attachment(label or unquote(name))
        return True

    def _written(self, element: _Element, inner: str) -> str:
        """The text of an element, as it stands within the text around it."""
        tag, classes = element.tag, element.classes
        if tag == "span":
            return self._span(element, inner)
        if tag == "pre":
            around = next((outer for outer in reversed(self._open) if "codehilite" in outer.classes), element)
            language = around.attributes.get("data-code-language", "")
            return f"{_BREAK}```{language}\n{inner.strip(chr(10))}\n```{_BREAK}"
        if tag == "code":
            return inner if any(outer.tag == "pre" for outer in self._open) or not inner else f"`{inner}`"
        if tag == "a":
            return _link_text(element.attributes.get("href", ""), inner)
        if tag == "blockquote":
            return _BREAK + "".join(f"> {line}\n" for line in _blocks(inner).split("\n")).rstrip("\n") + _BREAK
        if tag == "li":
            return _BREAK + self._item(inner) + _BREAK
        if tag in ("del", "s", "strike"):
            return f"~~{inner}~~"
        if tag in ("td", "th"):
            return f"{inner.strip()} | "
        if tag == "annotation":
            return f"$${inner}$$"
        if tag == "math":
            return inner if "$$" in inner else f"$${inner}$$"
        if tag == "semantics":
            return next((part for part in reversed(element.parts) if part.startswith("$$")), inner)
        if "spoiler-header" in classes:
            return f"{_BREAK}{inner.strip(_BREAK + ' ') or 'Spoiler'}:{_BREAK}"
        return f"{_BREAK}{inner}{_BREAK}" if tag in _BLOCKS else inner

    def _span(self, element: _Element, inner: str) -> str:
        classes = element.classes
        if "user-mention" in classes:
            is_user = element.attributes.get("data-user-id", "").isdecimal()  # "*" is everybody
            if is_user and "silent" not in classes and all(outer.tag != "blockquote" for outer in self._open):
                self.mentions.append(inner.removeprefix("@"))
        elif "emoji" in classes:
            code = next((name.removeprefix("emoji-") for name in classes if name.startswith("emoji-")), "")
            return _emoji(code) or inner
        return inner

    def _item(self, inner: str) -> str:
        around = self._open[-1]
        around.items += 1
        start = around.attributes.get("start", "1")
        first = int(start) if re.fullmatch("[0-9]{1,9}", start) else 1
        marker = f"{first + around.items - 1}. " if around.tag == "ol" else "* "
        return marker + _blocks(inner).replace("\n", "\n" + " " * len(marker))


def _link_text(href: str, inner: str) -> str:
    """Words and address; the words alone where the address says the same, or leads into Zulip itself."""
    address = href.removeprefix("mailto:")
    if upload(href):
        return inner if inner.strip() else unquote(upload(href) or "")
    if "#narrow/" in href or not href.startswith(("http://", "https://", "mailto:")):
        return inner
    if not inner.strip():
        return address
    return inner if inner.strip() in (href, address) else f"[{inner}]({address})"


def _blocks(text: str) -> str:
    """Blocks on lines of their own."""
    return _BREAKS.sub(_BREAK, text).strip(_BREAK + " ").replace(_BREAK, "\n")


def _emoji(code: str) -> str:
    """The characters of "1f1fa-1f1f8"; empty if it is no such code."""
    try:
        return "".join(chr(int(part, 16)) for part in code.split("-"))
    except (ValueError, OverflowError):
        return ""
