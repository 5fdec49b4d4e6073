"""The names that things carry wherever they are spoken of: tickets, issues, RFCs, versions, file names, addresses.

Found by spelling alone, each in one canonical form, so that two texts name the same thing when the strings are equal.
What only looks like a name (UTF-8, Node.js, an IP address) is left out; what a name means is not decided here.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

__all__ = ["canonical_url", "identifiers"]

# Spelled like the projects of tickets, and no piece of anybody's work.
_NO_PROJECTS: Final = """
    AES BASE CHAPTER COV COVID CP DAY DDR DES EST FIG FIPS FY GMT GPT HIV HTTP HTTPS IEEE IP IPV ISO JPEG LATIN LEVEL
    MD MP MPEG PAGE PART PCI PHASE PST ROUND RSA SARS SECTION SHA STEP TIER TLS TOP TYPE UCS USB UTC UTF WEEK WIN
    WINDOWS WPA WW X86 X64 H1 H2 Q1 Q2 Q3 Q4
"""
# Endings of files that people pass around. Those of web pages are not here: they end half of all addresses.
_ENDINGS: Final = """
    avif bak bat bin cc cfg conf cpp cs csv dart db diff doc docx dwg eml env epub fig gif go gz hpp ics ini ipynb java
    jar jpeg jpg js json jsonl jsx key kt lock log lua m4a mbox md mov mp3 mp4 msg odp ods odt onnx parquet patch pdf
    pem pkl png ppt pptx proto ps1 psd py rar rb rs rst rtf sh sql sqlite svg swift tar tex tf tgz toml ts tsv tsx txt
    vsdx vue wav webm webp xls xlsm xlsx xml yaml yml zip
"""
_PRODUCTS: Final = """
    alpine angular backbone chart d3 discord ember express knockout meteor moment next node nuxt p5 react require
    socket solid svelte three vue
"""
_NO_FILES: Final = frozenset({"console.log", "docs.rs", *(f"{product}.js" for product in _PRODUCTS.split())})
_IDENTIFIER: Final = re.compile(
    r"(?P<url>https?://[^\s<>\"`|\\^{}\[\]\u3000-\u303f\uff00-\uffef]{1,2000})"
    r"|(?<![A-Za-z0-9_])(?:"  # not \b: a name may stand between Han characters
    r"(?P<cve>CVE-[0-9]{4}-[0-9]{4,7})"
    r"|(?P<standard>(?:RFC|PEP|rfc|pep)[ -]?[0-9]{1,5})"
    r"|(?P<request>[PM]R ?[#!]?[0-9]{1,7})"
    rf"|(?<!-)(?P<ticket>(?!(?:{'|'.join(_NO_PROJECTS.split())})-)[A-Z][A-Z0-9]{{1,9}}-[0-9]{{1,7}})(?!-[0-9])"
    r"|(?<![&/#.-])(?P<issue>(?:(?:[A-Za-z0-9][\w.-]*/)?[A-Za-z][\w.-]+)?\#[0-9]{1,7})"
    r"|(?<![.-])(?P<version>v[0-9]+(?:\.[0-9]+){1,3}(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)\.?[0-9]{1,3})?"
    r"|[0-9]+(?:\.[0-9]+){2,3}(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)\.?[0-9]{1,3})?)(?!\.[0-9])"
    r")(?![A-Za-z0-9_])"
    rf"|(?<![\w.@-])(?P<file>\w[\w.-]*\.(?:(?i:{'|'.join(_ENDINGS.split())})|(?<=[a-z_]{{2}}\.)[ch]))(?![\w@]|[.-]\w)"
)
_NEEDED: Final = re.compile(r"[0-9]|\.\w|://")  # a text without any of these has no identifier
_ADDRESS_OR_DATE: Final = re.compile(
    r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{1,2}\.[0-9]{1,2}\.(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}(?:\.[0-9]{1,2}){2}"
)
_REPOSITORY: Final = re.compile(r"/([\w.-]+/[\w.-]+)/(?:issues|pull|pulls)/([0-9]+)(?=/|$)")
_TRAILING: Final = ".,;:!?'*_~…"
_PORTS: Final = {"http": 80, "https": 443}


def identifiers(text: str) -> tuple[str, ...]:
    """The distinct identifiers of a text, canonical, in order of first sight.

    >>> identifiers("ABC-123 and rfc9110 are in 1.2.3, see https://T.example/Plan.pdf?utm_source=x.")
    ('ABC-123', 'RFC 9110', 'v1.2.3', 'https://t.example/Plan.pdf', 'plan.pdf')
    """
    if not _NEEDED.search(text):
        return ()
    return tuple(dict.fromkeys(name for found in _IDENTIFIER.finditer(text) for name in _names(found)))


def canonical_url(url: str) -> str | None:
    """An address as others spell it too: no user, default port, fragment, `utm_` parameter or final slash.

    None where the address names no host.

    >>> canonical_url("HTTPS://Wiki.Example:443/A/?utm_medium=mail&id=7#top")
    'https://wiki.example/A?id=7'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    where = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS.get(parts.scheme):
        where += f":{port}"
    asked = "&".join(pair for pair in parts.query.split("&") if not pair.startswith("utm_"))
    return f"{parts.scheme}://{where}{parts.path.rstrip('/')}" + (f"?{asked}" if asked else "")


def _names(found: re.Match[str]) -> Iterator[str]:
    """The canonical names that one match stands for."""
    written, kind = found[0], found.lastgroup
    if kind == "url":
        yield from _names_in_url(written)
    elif kind == "standard":
        yield f"{written[:3].upper()} {int(written[3:].lstrip(' -'))}"
    elif kind == "request":
        yield "#" + written[2:].lstrip(" #!")
    elif kind == "version":
        if not _ADDRESS_OR_DATE.fullmatch(written):
            yield "v" + written.removeprefix("v")
    elif kind == "file":
        if (name := written.casefold()) not in _NO_FILES:
            yield name
    else:
        yield written


def _names_in_url(written: str) -> Iterator[str]:
    """The address, and the issue, tickets and files that its path names."""
    url = written.rstrip(_TRAILING)
    while url.endswith(")") and url.count(")") > url.count("("):
        url = url[:-1].rstrip(_TRAILING)
    canonical = canonical_url(url)
    if canonical is None:
        return
    yield canonical
    path = urlsplit(canonical).path
    if repository := _REPOSITORY.match(path):
        yield f"{repository[1]}#{repository[2]}"
    for found in _IDENTIFIER.finditer(path):
        if found.lastgroup in ("ticket", "file"):
            yield from _names(found)
