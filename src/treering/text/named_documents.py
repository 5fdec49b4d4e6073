"""Which documents a phrase names: by link, by identifier, by number beside others of its kind, or by title."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from treering.text.identifiers import canonical_url, identifiers

__all__ = ["DOCUMENT_NOUN", "documents_named", "series_of", "title_named", "without_links"]

DOCUMENT_NOUN: Final = (
    r"(?:documents?|docs?|polic(?:y|ies)|pages?|guidelines?|guidance|guides?|procedures?|handbooks?|charters?|proposals?"
    r"|decisions?|decision\ records?|adrs?|peps?|rfcs?|eips?|ercs?|versions?|editions?|memos?|memorand(?:um|a)|notices?"
    r"|directives?|articles?|runbooks?|playbooks?|specifications?|specs?|agreements?|manuals?|reports?|postmortems?"
    r"|circulars?|instructions?|regulations?|resolutions?|clarifications?|statements?|terms|minutes|drafts?|summar(?:y|ies))"
)
_LINK: Final = re.compile(
    r"\[\[(?P<page>[^\[\]|\n]{1,200})(?:\|[^\[\]\n]{0,200})?\]\]"
    r"|\[(?P<label>[^\[\]\n]{0,200})\]\(<?(?P<href>[^()\s<>]{1,400})>?(?:\s[^()\n]{0,200})?\)"
    r"|`(?P<name>[^`<\n]{0,200})<(?P<target>[^<>\s]{1,400})>`_{1,2}"
    r"|:(?P<role>pep|rfc):`(?P<number>[0-9]{1,5})[^`\n]{0,100}`"
)
_RELATIVE: Final = re.compile(r"(?:\.{1,2}/|/)*")
_NUMBERS: Final = re.compile(r"[\s\[\]\"',;&#]*[0-9]{1,5}(?:(?:[\s\[\]\"',;&#]|and)+[0-9]{1,5})*[\s\[\]\"',;&#.]*")
_SERIES: Final = re.compile(
    r"^(?:(?P<series>PEP|RFC|EIP|ERC|ADR|BIP|DEP|JEP|KEP|XEP)|Request for Comments):[ \t]*[0-9]{1,5}\b",
    re.IGNORECASE | re.MULTILINE,
)
_SERIES_CHARS: Final = 2_000  # at the head of a text, in which it may give its own number
_ARTICLE: Final = re.compile(
    r"(?:(?:the|all|our|any|its|both|each|previous|earlier|former|prior|older|other|existing)\s)+", re.IGNORECASE
)
_FOOTNOTE: Final = re.compile(r"\s?\[#?\w{1,10}\]_?[.,]?\Z")
_GENERIC: Final = re.compile(DOCUMENT_NOUN, re.IGNORECASE)
_NO_TITLE: Final = re.compile(
    r"(?:none|n/?a|nothing|null|tbd|todo|unknown|false|true|no|yes|[\W_]*)\Z|.*[<>{}|\0]", re.IGNORECASE
)
_QUOTES: Final = re.compile('["“”„«»`*]')
_AROUND: Final = " '_.,;:()[]\0"
_TITLE_CHARS_MAX: Final = 120


def series_of(text: str) -> str:
    """What a document that gives its own number is numbered as: `PEP`, `RFC`, `EIP`; empty where it gives none.

    >>> series_of("PEP: 571"), series_of("# Notes")
    ('PEP', '')
    """
    found = _SERIES.search(text, 0, _SERIES_CHARS)
    return (found["series"] or "RFC").upper() if found else ""


def documents_named(phrase: str, series: str = "", *, numbers: bool = False) -> tuple[str, ...]:
    """The distinct documents that a phrase names by link or identifier, in order.

    A link to a file counts as the name of the file, another one as the identifier in its label, or its address. With
    `numbers` a phrase of nothing but numbers counts too, as those of the series if there is one.

    >>> documents_named("the policy [ADR-0012](../adr/0012-x.md#y) and DOC-041")
    ('0012-x.md', 'DOC-041')
    >>> documents_named("7, 12", "PEP", numbers=True)
    ('PEP 7', 'PEP 12')
    """
    if numbers and _NUMBERS.fullmatch(phrase):
        return tuple(dict.fromkeys(_numbered(series, number) for number in re.findall(r"[0-9]+", phrase)))
    return tuple(dict.fromkeys(_named(phrase)))


def title_named(phrase: str) -> str:
    """The title that a phrase gives, without article, quotes and footnotes; empty where it gives none.

    >>> title_named(' the "Travel policy" of 2019 [1]_. '), title_named("all previous versions")
    ('Travel policy of 2019', '')
    """
    title = _FOOTNOTE.sub("", " ".join(_QUOTES.sub("", phrase).split())).strip(_AROUND)
    title = _ARTICLE.sub("", title + " ", count=1).strip(_AROUND)
    if _NO_TITLE.match(title) or _GENERIC.fullmatch(title) or len(title) > _TITLE_CHARS_MAX:
        return ""
    return title


def without_links(phrase: str) -> str:
    """The phrase with zero characters in place of its links, so that nothing inside them is taken for punctuation."""
    return _LINK.sub(lambda link: "\0" * len(link[0]), phrase)


def _named(phrase: str) -> Iterator[str]:
    place = 0
    for link in _LINK.finditer(phrase):
        yield from identifiers(phrase[place : link.start()])
        place = link.end()
        if link["role"]:
            yield _numbered(link["role"].upper(), link["number"])
        elif link["page"]:
            yield link["page"].strip()
        else:
            yield _linked(link["label"] or link["name"] or "", link["href"] or link["target"])
    yield from identifiers(phrase[place:])


def _linked(label: str, href: str) -> str:
    address, named = href.partition("#")[0], identifiers(label)
    if "://" in address:
        return named[0] if named else canonical_url(address) or address
    file = unquote(_RELATIVE.sub("", address, count=1).rstrip("/").rpartition("/")[2])
    return file or (named[0] if named else label.strip())


def _numbered(series: str, number: str) -> str:
    if not series:
        return number
    return f"{series} {int(number)}" if series in ("PEP", "RFC") else f"{series}-{number}"
