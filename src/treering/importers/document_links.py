"""Where a document's links lead: web addresses, and other documents that lie beside it, by their paths.

Markdown, reStructuredText and wiki links alike. Whether the target exists is not asked: the same text gives the same
links, whichever other files came along.
"""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from treering.importers.document_text import ENDINGS, is_document
from treering.importers.narrowing import clean, distinct, urls

__all__ = ["document_links", "web_links"]

_LINK = re.compile(  # lengths are bounded, so that a line of nothing but brackets takes no longer than others
    r"\]\([ \t]{0,9}<?(?P<inline>[^)<>\s]{1,500})>?(?:\s{1,9}[\"'(][^)\n]{0,300})?\)"  # [text](target "title")
    r"|^ {0,3}\[[^\]\n]{1,300}\]:[ \t]{0,9}<?(?P<defined>[^\s<>]{1,500})>?"  # [label]: target
    r"|`[^`<>]{0,300}<(?P<rst>[^<>\s]{1,500})>`_"
    r"|^\.\. _[^:\n]{1,300}:[ \t]{1,9}(?P<named>\S{1,500})[ \t]*$"
    r"|:doc:`(?:[^`<>]{0,300}<)?(?P<doc>[^`<>]{1,300})>?`"
    r"|(?:link|xref):(?P<adoc>[^\s\[]{1,500})\["
    r"|\[\[(?P<wiki>[^\[\]|#\n]{1,300})(?:#[^\[\]|\n]{0,300})?(?:\|[^\[\]\n]{0,300})?\]\]",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def web_links(text: str) -> tuple[str, ...]:
    """The web addresses in a text, in links and bare."""
    return urls(text)


def document_links(text: str, folder: str) -> tuple[str, ...]:
    """The paths of the documents that a text in a folder links to, without those that lead outside.

    >>> document_links("[a](../adr/0001-queue.md#why), [logo](logo.png), [[Leave policy|leave]]", "policies")
    ('adr/0001-queue.md', 'policies/Leave policy')
    """
    if "[" not in text and "`" not in text and ".. _" not in text:
        return ()
    return distinct([*_paths(text, folder)])


def _paths(text: str, folder: str) -> Iterator[str]:
    for link in _LINK.finditer(text):
        target = clean(unquote(next(filter(None, link.groups())).split("#")[0].split("?")[0], errors="replace"))
        ending = posixpath.splitext(target)[1].lower()
        if not target or _ELSEWHERE.match(target) or (ending and ending not in ENDINGS and not is_document(target)):
            continue
        path = posixpath.normpath(target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target))
        if path != "." and not path.startswith(".."):
            yield path
