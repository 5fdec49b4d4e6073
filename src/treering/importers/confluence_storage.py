"""A page of Confluence's as plain text: Markdown as far as that carries meaning, and what the page points to.

Kept: code with its language and to the letter, headings, lists, tasks, tables, the bodies of panels and other macros,
links with their words, images by their names. Dropped: bold, colours, layout, tables of contents, and the parameters of
macros that are no text. Links to pages are `[[Title]]`, as their addresses are not in the page; people are their ids.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from treering.importers.confluence_inline import INLINE_MACROS, SILENT, Inline, PageText, parameters_of
from treering.importers.narrowing import clean
from treering.importers.storage_tree import Element, Verbatim, parse_storage

__all__ = ["read_storage"]

# Elements that stand on lines of their own.
_BLOCKS: Final = frozenset((
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "tbody", "thead", "tr", "blockquote",
    "pre", "hr", "section", "dl", "dt", "dd", "details", "summary", "ac:layout", "ac:layout-section", "ac:layout-cell",
    "ac:task-list", "ac:task", "ac:rich-text-body", "ac:adf-extension", "ac:adf-node", "ac:adf-content",
))  # fmt: skip
_CODE: Final = frozenset(("code", "noformat", "paste-code-macro"))
_LABELLED: Final = {"info": "Info", "note": "Note", "tip": "Tip", "warning": "Warning"}
_FENCE: Final = re.compile(r"`{3,}")


def read_storage(source: str, name_of: Callable[[str], str] = lambda person: person) -> PageText:
    r"""Read a page in storage format.

    Args:
        source: the page; a broken one is read as far as it makes sense.
        name_of: what to call a person in the text, by the id that the page names.

    >>> read_storage("<p>Run:&nbsp;<code>make</code></p><ul><li>one</li></ul>").text
    'Run: `make`\n\n- one'
    """
    reader = _Reader(name_of)
    found = reader.inline.found
    found.text = clean(_joined(reader.blocks(parse_storage(source)))).strip("\n")
    return found


class _Reader:
    """Walks a tree; blocks are strings of whole lines."""

    def __init__(self, name_of: Callable[[str], str]) -> None:
        self.inline = Inline(name_of)

    def blocks(self, element: Element) -> list[str]:
        """What an element contains, in blocks; letters between blocks are blocks as well."""
        blocks: list[str] = []
        line: list[str] = []

        def end_line() -> None:
            text = _lines("".join(line))
            line.clear()
            if text:
                blocks.append(text)

        for child in element.children:
            if isinstance(child, Element) and _is_block(child):
                end_line()
                blocks.extend(block for block in self._block(child) if block.strip())
            else:
                line.append(self.inline.piece(child))
        end_line()
        return blocks

    def _block(self, element: Element) -> Iterable[str]:
        tag = element.tag
        if tag == "ac:structured-macro" or tag == "ac:macro":
            return self._macro(element)
        if re.fullmatch("h[1-6]", tag):
            heading = " ".join(" ".join(self.blocks(element)).split())
            return [f"{'#' * int(tag[1])} {heading}"] if heading else []
        if tag in ("ul", "ol", "ac:task-list"):
            return ["\n".join(self._items(element))]
        if tag == "table":
            return self._table(element)
        if tag == "blockquote":
            return ["\n".join(f"> {line}" for line in _joined(self.blocks(element)).split("\n"))]
        if tag == "pre":
            return [_fenced("", element.text())]
        if tag == "hr":
            return ["---"]
        if tag == "ac:adf-extension":  # what Confluence shows where it does not know the node repeats its content
            contents = [part for node in element.elements("ac:adf-node") for part in node.elements("ac:adf-content")]
            return [block for part in contents or [element] for block in self.blocks(part)]
        return self.blocks(element)

    def _items(self, element: Element) -> Iterator[str]:
        start = element.at("start")
        number = int(start) if re.fullmatch("[0-9]{1,6}", start) else 1
        for item in element.elements():
            if item.tag == "ac:task":
                mark = "- [x] " if item.first("ac:task-status").text().strip() == "complete" else "- [ ] "
                blocks = self.blocks(item.first("ac:task-body"))
            elif item.tag in ("ul", "ol"):  # a list that hangs in no item of the one around it
                yield from ("  " + line for line in self._items(item))
                continue
            else:
                mark = f"{number}. " if element.tag == "ol" else "- "
                blocks = self.blocks(item)
                number += 1
            yield mark + "\n".join(blocks).replace("\n", "\n" + " " * (2 if mark[0] == "-" else len(mark)))

    def _table(self, element: Element) -> Iterator[str]:
        rows = [
            row
            for part in element.elements("thead", "tbody", "tfoot", "tr")
            for row in ([part] if part.tag == "tr" else part.elements("tr"))
        ]
        lines: list[str] = []
        for row in rows:
            cells = [self.blocks(cell) for cell in row.elements("td", "th")]
            if any("```" in block for cell in cells for block in cell):  # code is not put on one line
                yield "\n".join(lines)
                lines.clear()
                yield from (block for cell in cells for block in cell)
            elif any(cells):
                lines.append(f"| {' | '.join(' '.join(' '.join(cell).split()) for cell in cells)} |")
        yield "\n".join(lines)

    def _macro(self, element: Element) -> Iterator[str]:
        name = element.at("ac:name").lower()
        parameters = parameters_of(element)
        plain = element.first("ac:plain-text-body", "ac:default-parameter")
        if name in SILENT:
            return
        title = parameters.get("title", "")
        if name in _CODE or (plain.tag and name not in _LABELLED):
            if title:
                yield title
            if plain.tag:
                yield _fenced(parameters.get("language", parameters.get("lang", "")), _verbatim(plain))
            return
        if label := ": ".join(part for part in (_LABELLED.get(name, ""), title) if part):
            yield label
        for target in (part for part in element.elements("ac:parameter") if part.first().tag):
            yield from self.blocks(Element("", {}, list(target.children)))  # of a page or file that is shown here
        body = element.first("ac:rich-text-body")
        if body.tag:
            yield from self.blocks(body)
        elif not title:
            yield self.inline.told(name, parameters)


def _is_block(element: Element) -> bool:
    if element.tag in ("ac:structured-macro", "ac:macro"):
        return element.at("ac:name").lower() not in INLINE_MACROS
    if element.tag in ("ac:image", "ac:link"):  # a caption is a paragraph, and its image is none
        return False
    return element.tag in _BLOCKS or any(map(_is_block, element.elements()))


def _verbatim(element: Element) -> str:
    """The text of a body to the letter: what stood in CDATA or, where nothing did, all of it."""
    parts = [str(child) for child in element.children if isinstance(child, Verbatim)]
    return "".join(parts) if parts else element.text()


def _fenced(language: str, code: str) -> str:
    fence = max(["```", *(f"{found}`" for found in _FENCE.findall(code))], key=len)
    return f"{fence}{'' if language.lower() == 'none' else language}\n{code.strip(chr(10))}\n{fence}"


def _lines(text: str) -> str:
    """Inline text as lines, each without spaces at its ends."""
    return "\n".join(line.strip() for line in re.sub(" {2,}", " ", text).split("\n")).strip("\n")


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block.strip())
