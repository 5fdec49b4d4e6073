"""The HTML of mails as plain text, with quotations as lines that begin with `> `, as in mails without HTML.

What is hidden, styles and scripts are dropped, and so is all that only a picture would show. Tables are there for the
looks, so a row is a line. Addresses behind words are given beside the text. The parser of the standard library takes
whatever mail programs write; Zulip's HTML, which one program writes, is read elsewhere.
"""

import re
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser

from treering.importers.narrowing import clean, distinct

__all__ = ["HtmlText", "html_text"]

RULE = "_" * 32
DEPTH_MAX = 1_000  # what is nested deeper counts as content of the thousandth
CHARS_MAX = 5_000_000  # beyond, tags are only cut out: no person wrote that

_VOID = frozenset(
    {"br", "hr", "img", "input", "wbr", "source", "link", "meta", "col", "area", "base", "embed", "param"}
)
_LINES = frozenset(
    {"div", "tr", "li", "ul", "ol", "dt", "dd", "table", "tbody", "center", "section", "article", "header", "footer",
     "form", "fieldset", "address", "title", "option", "body", "html"}
)  # fmt: skip
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "pre", "blockquote"})
_DROPPED = frozenset({"head", "script", "style", "title", "template", "noscript", "object", "svg", "xml"})
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all", re.IGNORECASE)
_INDENTED = re.compile(r"border(-left)?\s*:\s*none", re.IGNORECASE)  # it only moves text to the right
_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:-->|--!>|\Z))", re.DOTALL)
_SECTION = re.compile(r"<!\[[^>]{0,200}>|<\?[^>]{0,2000}>|<!\[")
# The parser reads to the end for every tag that is not closed; so only what looks like a whole one may begin like one.
_TAG_OR_SIGN = re.compile(
    r"<[a-zA-Z/!](?:(?:[^<>\"']++|\"[^\"]{0,4096}\"|'[^']{0,4096}')*+>|[^<>]{0,4096}>)|<",
)
_SPACES = re.compile(r"[\s\u200b\ufeff]+")
_TAG = re.compile(r"<[^<>]{0,10000}>")


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The readable text of a page, and where its links lead."""

    text: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Element:
    """An open element, as far as it bears on the text within it."""

    tag: str
    hides: bool
    quotes: bool
    parts_paragraphs: bool


def html_text(content: str) -> HtmlText:
    r"""Read a page, or a piece of one.

    >>> html_text("<p>Fine.</p><div>On Monday Ben wrote:<blockquote>All <b>well</b>?</blockquote></div>").text
    'Fine.\n\nOn Monday Ben wrote:\n\n> All well?'
    """
    content = _SECTION.sub("", _COMMENT.sub("", clean(content)))
    if len(content) > CHARS_MAX:
        return HtmlText(" ".join(_TAG.sub(" ", content).split()))
    page = _Page()
    page.feed(_TAG_OR_SIGN.sub(lambda match: match[0] if len(match[0]) > 1 else "&lt;", content))
    page.close()
    return HtmlText(page.text(), distinct(page.links))


class _Page(HTMLParser):
    """Writes lines as it goes; an element is looked back at only to undo what it changed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self._open: list[_Element] = []
        self._open_by_tag: Counter[str] = Counter()
        self._lines: list[str] = []
        self._line = ""
        self._depth = self._hidden = self._preformatted = 0

    def text(self) -> str:
        """All that was read; elements left open are closed."""
        self._end_line()
        return "\n".join(self._lines).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in _VOID:
            self._void(tag, attributes)
        elif len(self._open) < DEPTH_MAX:
            self._enter(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if self._open_by_tag[tag]:
            while self._leave().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if not self._preformatted:
            self._line += _SPACES.sub(" ", data)
            return
        first, *rest = data.split("\n")
        self._line += first
        for line in rest:
            self._end_line(even_empty=True)
            self._line = line

    def _enter(self, tag: str, attributes: dict[str, str]) -> None:
        style = attributes.get("style", "")
        is_office = attributes.get("class", "").startswith("Mso")  # there, every line is a paragraph without margins
        element = _Element(
            tag,
            hides=tag in _DROPPED or bool(_HIDDEN.search(style)),
            quotes=tag == "blockquote" and not _INDENTED.search(style),
            parts_paragraphs=tag in _PARAGRAPHS and not is_office,
        )
        self._open.append(element)
        self._open_by_tag[tag] += 1
        self._edge(element)
        self._hidden += element.hides
        self._depth += element.quotes
        self._preformatted += tag == "pre"
        if tag == "li" and not self._hidden:
            self._line = "- "
        elif tag == "a" and attributes.get("href", "").startswith(("http://", "https://")):
            self.links.append("".join(attributes["href"].split()))

    def _leave(self) -> _Element:
        element = self._open.pop()
        self._open_by_tag[element.tag] -= 1
        if element.tag in ("td", "th"):
            self._line += " "
        self._edge(element, closing=True)
        return element

    def _edge(self, element: _Element, *, closing: bool = False) -> None:
        """Begin a new line where an element begins or ends that makes one."""
        if element.tag in _LINES or element.tag in _PARAGRAPHS:
            self._end_line(even_empty=closing and element.tag == "p" and not element.parts_paragraphs)
        if closing:
            self._hidden -= element.hides
            self._depth -= element.quotes
            self._preformatted -= element.tag == "pre"
        if element.parts_paragraphs:
            self._empty_line()

    def _void(self, tag: str, attributes: dict[str, str]) -> None:
        if self._hidden:
            return
        if tag == "br":
            self._end_line(even_empty=True)
        elif tag == "hr":
            self._end_line()
            self._lines.append("> " * self._depth + RULE)
        elif tag == "img":
            self._line += _SPACES.sub(" ", attributes.get("alt", ""))

    def _end_line(self, *, even_empty: bool = False) -> None:
        line = self._line.rstrip() if self._preformatted else self._line.strip()
        self._line = ""
        if line and line != "-":
            self._lines.append("> " * self._depth + line)
        elif even_empty:
            self._empty_line()

    def _empty_line(self) -> None:
        """One, however many are asked for on end."""
        empty = ("> " * self._depth).rstrip()
        if self._lines and self._lines[-1].strip("> "):
            self._lines.append(empty)
        elif self._lines:
            self._lines[-1] = min(self._lines[-1], empty)  # between two quotations, that of the outer
