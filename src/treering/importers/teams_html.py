"""The HTML of Teams messages, and the Skype markup of account exports, as plain text that keeps what carries meaning.

Kept: lines, lists, tables, code, links with their addresses, emoji as characters, mentions as `@Name`. Quotations of
other messages are set apart, because they are not what the author said. Bold, colours and sizes are dropped.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from treering.importers.narrowing import clean, distinct

__all__ = ["Html", "Quotation", "read_html"]

DEPTH_MAX = 100  # of elements within elements; those further in are read as if they were not marked up

_BREAK = "\x1e"  # between blocks, until the text is whole: within code a line feed is a line feed
_BREAKS = re.compile(rf"(?<![ \t\xa0])[ \t\xa0]*+{_BREAK}[ \t\xa0{_BREAK}]*")
_SPACES = re.compile(r"[ \t\r\n\xa0]+")
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col", "meta", "link", "systemeventmessage"})
_BLOCKS = frozenset(
    {"p", "div", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "codeblock", "figure"}
)
_HIDDEN = frozenset({"script", "style", "legacyquote", "attachment", "e_m", "title", "uriobject"})
_CELLS = frozenset({"td", "th"})


@dataclass(frozen=True, slots=True)
class Quotation:
    """Another message that is repeated in this one."""

    message: str  # its id
    text: str
    author: str = ""  # a name
    channel: str = ""  # empty: the same as this message's


@dataclass(frozen=True, slots=True)
class Html:
    """What a piece of HTML says."""

    text: str = ""
    mentions: tuple[str, ...] = ()  # ids of `<at>` elements: places in a list of mentions, or users
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()  # what stands for their names
    files: tuple[str, ...] = ()  # original names
    quotations: tuple[Quotation, ...] = ()


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)
    items: int = 0  # of a list: those so far


def read_html(content: str) -> Html:
    """Read the body of a message.

    >>> read_html('<p>Ask <at id="0">Ana</at>: <a href="https://w.example">wiki</a> &lt;now&gt;</p>').text
    'Ask @Ana: wiki (https://w.example) <now>'
    """
    page = _Page()
    page.feed(clean(content).replace("<![", "&lt;!["))  # the parser asserts that a marked section is well formed
    page.close()
    return Html(
        page.text(),
        distinct(page.mentions),
        distinct(page.links),
        tuple(page.images),
        tuple(page.files),
        tuple(page.quotations),
    )


class _Page(HTMLParser):
    """Elements are put together from the inside out: closing one hands its text to the one around it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.mentions: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self.files: list[str] = []
        self.quotations: list[Quotation] = []
        self._open = [_Element("", {})]

    def text(self) -> str:
        """All that was read; elements left open are closed."""
        while len(self._open) > 1:
            self._close_last()
        return _lines("".join(self._open[0].parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _Element(tag, {name: value or "" for name, value in attrs})
        parts = self._open[-1].parts
        if tag not in _VOID and tag != "originalname":
            if len(self._open) < DEPTH_MAX:
                self._open.append(element)
        elif tag == "br":
            parts.append(_BREAK)
        elif tag == "hr":
            parts.append(f"{_BREAK}---{_BREAK}")
        elif tag == "img":
            self._image(element, parts)
        elif tag == "originalname" and element.attributes.get("v"):
            self.files.append(element.attributes["v"])

    def handle_endtag(self, tag: str) -> None:
        if all(element.tag != tag for element in self._open[1:]):
            return  # it was never opened
        while self._open[-1].tag != tag:
            self._close_last()
        self._close_last()

    def handle_data(self, data: str) -> None:
        within_code = any(element.tag in ("pre", "codeblock") for element in self._open)
        data = data.replace(_BREAK, " ")
        self._open[-1].parts.append(data if within_code else _SPACES.sub(" ", data))

    def _image(self, element: _Element, parts: list[str]) -> None:
        label = element.attributes.get("alt", "") or element.attributes.get("title", "")
        kind = element.attributes.get("itemtype", "")
        if kind.endswith("Emoji") or element.attributes.get("itemscope") == "png":
            parts.append(label)
        else:
            self.images.append(label or "image")

    def _close_last(self) -> None:
        element = self._open.pop()
        self._open[-1].parts.append(self._written(element, "".join(element.parts)))

    def _written(self, element: _Element, inner: str) -> str:
        tag, attributes = element.tag, element.attributes
        if tag in _HIDDEN:
            return ""
        if tag == "quote" or (tag == "blockquote" and attributes.get("itemtype", "").endswith("Reply")):
            return self._quotation(element, inner)
        if tag == "at":
            self.mentions.append(attributes.get("id", ""))
            return f"@{inner.removeprefix('@')}"
        if tag == "a":
            return self._link(attributes.get("href", ""), inner)
        if tag == "emoji":
            return inner.strip() or attributes.get("alt", "")
        if tag == "blockquote":
            return _BREAK + "\n".join(f"> {line}" for line in _lines(inner).split("\n")) + _BREAK
        if tag in ("pre", "codeblock"):
            code = _lines(inner).strip("\n")
            return (
                inner if any(outer.tag in ("pre", "codeblock") for outer in self._open) else f"{_BREAK}{code}{_BREAK}"
            )
        if tag == "li":
            return _BREAK + self._item(inner) + _BREAK
        if tag in ("s", "strike", "del"):
            return f"~~{inner}~~" if inner.strip() else inner
        if tag in _CELLS:
            return f"{_lines(inner)} | "
        return f"{_BREAK}{inner}{_BREAK}" if tag in _BLOCKS else inner

    def _quotation(self, element: _Element, inner: str) -> str:
        at = element.attributes
        message = at.get("messageid") or at.get("itemid", "")
        author, text = at.get("authorname", ""), _lines(inner)
        if element.tag == "blockquote":
            author, _, text = text.partition("\n")
        self.quotations.append(Quotation(message, text, author, at.get("conversation", "")))
        return ""

    def _link(self, href: str, inner: str) -> str:
        if not href.startswith(("http://", "https://", "mailto:")):
            return inner
        address = href.removeprefix("mailto:")
        if address is href:
            self.links.append(href)
        label = _lines(inner)
        if not label:
            return address
        return inner if label.rstrip("/") in (href.rstrip("/"), address) else f"{inner} ({address})"

    def _item(self, inner: str) -> str:
        around = self._open[-1]
        around.items += 1
        marker = f"{around.items}. " if around.tag == "ol" else "* "
        return marker + _lines(inner).replace("\n", "\n" + " " * len(marker))


def _lines(text: str) -> str:
    """Blocks on lines of their own."""
    return _BREAKS.sub(_BREAK, text).strip(_BREAK + " \t\xa0").replace(_BREAK, "\n").replace("\xa0", " ")
