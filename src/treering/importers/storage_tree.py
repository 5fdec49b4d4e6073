"""Confluence's storage format as a tree of elements: XHTML with macros, and with all that keeps it from being XML.

Its prefixes `ac:` and `ri:` are declared nowhere, its entities are those of HTML, its CDATA is what HTML parsers drop;
so CDATA is set aside first and the rest given to the parser of HTML, which takes whatever comes. What the elements mean
is in `confluence_storage`. Follows FORMATS section 14 and case B43.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, Union

__all__ = ["Element", "Verbatim", "parse_storage"]

DEPTH_MAX = 100  # of elements within elements; what lies deeper is hung up here

_CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_DOCTYPE: Final = re.compile(r"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.DOTALL | re.IGNORECASE)
_ASIDE: Final = re.compile("\ue000([0-9]+)\ue001")
_VOID: Final = frozenset({"br", "hr", "img", "col", "input", "wbr"})


class Verbatim(str):
    """Text that stood in CDATA: it means what it says, spaces included."""

    __slots__ = ()


@dataclass(slots=True)
class Element:
    """An element; tags and names of attributes are in lower case."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Union["Element", str]] = field(default_factory=list)

    def at(self, name: str) -> str:
        """The value of an attribute; "" where there is none."""
        return self.attributes.get(name, "")

    def elements(self, *tags: str) -> Iterator["Element"]:
        """The children that are elements; of some tags, if any are given."""
        return (child for child in self.children if isinstance(child, Element) and (not tags or child.tag in tags))

    def first(self, *tags: str) -> "Element":
        """The first child of some tag; an empty one where there is none."""
        return next(self.elements(*tags), Element(""))

    def text(self) -> str:
        """All text within."""
        parts: list[str] = []
        rest: list[Element | str] = [self]
        while rest:
            child = rest.pop()
            if isinstance(child, Element):
                rest.extend(reversed(child.children))
            else:
                parts.append(child)
        return "".join(parts)


def parse_storage(source: str) -> Element:
    r"""The tree of a page; never fails.

    >>> page = parse_storage("<p>a&nbsp;<ac:x ri:y='1'><![CDATA[<b>]]></ac:x>")
    >>> page.first("p").first("ac:x").at("ri:y"), page.text()
    ('1', 'a\xa0<b>')
    """
    aside: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        aside.append(found[1])
        return f"\ue000{len(aside) - 1}\ue001"

    source = re.sub("[\ue000\ue001]", "\ufffd", source.replace("\r\n", "\n").replace("\r", "\n"))  # as XML wants it
    source = _CDATA.sub(put_aside, source)
    builder = _Builder(aside)
    builder.feed(_DOCTYPE.sub("", source).replace("<![", "&lt;!["))  # the parser asserts that such a section ends
    builder.close()
    return builder.root


class _Builder(HTMLParser):
    def __init__(self, aside: list[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self._open = [self.root]
        self._aside = aside

    def set_cdata_mode(self, *_: object, **__: object) -> None:
        """There is none: in XHTML, text within <style> is text like any other."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in _VOID and len(self._open) < DEPTH_MAX:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        for place, part in enumerate(_ASIDE.split(data)):
            if place % 2:
                self._open[-1].children.append(Verbatim(self._aside[int(part)] if int(part) < len(self._aside) else ""))
            elif part:
                self._open[-1].children.append(part)
